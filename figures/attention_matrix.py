"""Who looks at whom: the scores and weights of all queries, rows adding up to 1, masked cells hatched."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from attn.core import numerals
from attn.core.model import WeightsError
from attn.core.numerals import Cell
from attn.picture import palette, richtext
from attn.picture.richtext import Rich, rich
from attn.texts import attention_matrix as told
from attn.texts.phrases import Texts
from figures._kit import layout, paint
from figures._kit.layout import EDGE
from figures._kit.paint import BODY, HEAD, SMALL, Page

WIDTHS = ("page", "text", "column")
PARTIAL = True
BETWEEN = 21.0  # mm between the two tables, for the arrow
NOTE = 3.9  # mm, line to line of the note below
SUM = 10.5  # mm for the column of sums
DEEPEST = 0.6  # largest share of a word's colour in a shade


def texts(trace) -> Texts:
    """Its texts: of both tables, or of the weights alone."""
    return told.texts(trace, len(_layout(trace)))


def draw(trace) -> Figure:
    """The scores, an arrow, the weights; in a long sentence or a column the weights alone."""
    said = texts(trace)
    grids = _layout(trace)
    right, inner = grids[-1], paint.width() - 2 * EDGE
    lines = len(paint.wrapped(said.does, inner, layout.TOLD))
    foot = 14.5 + layout.LEADING * max(0, lines - 2)
    note = _note(grids[0].left + grids[0].labels) if not trace.mask.all() else []
    notes = 6.5 + NOTE * (len(note) - 1) if note else 0.0
    page = Page(
        paint.width(), layout.header_height(trace, said) + right.above + right.tall * trace.n + 5.0 + notes + foot
    )
    top = layout.header(page, said, trace) - right.above
    for grid in grids:
        grid.draw(page, top)
    if len(grids) > 1:
        _arrow(page, grids, top - right.tall * trace.n / 2)
    _sums(page, right, top)
    if note:
        _masked_note(page, (grids[0].left + grids[0].labels, foot + notes - 3.5), note)
    page.line([(EDGE, foot - 1.5), (page.width - EDGE, foot - 1.5)], palette.theme().faint)
    paint.paragraph(page, EDGE, foot - 6.5, said.does, inner, layout.TOLD)
    return page.figure


def shades(trace) -> list[str]:
    """The deepest shade for each key, all of one strength, so deep that numbers can still be read on them."""
    colours = [palette.word_colour(trace, token) for token in trace.tokens]
    strength = palette.deepest(colours, DEEPEST)
    return [palette.mix(c, strength) for c in colours]


@dataclass(eq=False)
class Grid:
    """A table with a row for each query and a column for each key."""

    trace: object
    title: Rich
    cells: list[list[Cell]]
    left: float  # mm
    labels: float  # mm for the queries' words
    wide: float  # mm, a cell
    tall: float
    size: float  # pt, of the numbers
    word: float  # pt, of the words
    turned: bool  # keys written upwards
    shaded: bool

    @property
    def above(self) -> float:
        """Room for the title, the axis names and the keys above the cells, in mm."""
        words = max(paint.text_width(richtext.word(self.trace, t), self.word) for t in self.trace.tokens)
        return 14.0 + (words if self.turned else 3.0)

    @property
    def right(self) -> float:
        """Its right edge, in mm."""
        return self.left + self.labels + self.wide * self.trace.n

    def corners(self, top: float, row: int, column: int) -> tuple[float, float, float, float]:
        """Left, bottom, right, top of a cell where the table's cells begin at `top`."""
        x, y = self.left + self.labels + self.wide * column, top - self.tall * row
        return x, y - self.tall, x + self.wide, y

    def draw(self, page: Page, top: float) -> None:
        trace, colours = self.trace, palette.theme()
        x = min(self.left + self.labels, page.width - EDGE - paint.text_width(self.title, HEAD))
        page.text(x, top + self.above - 4.5, self.title, HEAD)
        self._words(page, top)
        deepest = shades(trace)
        for i in range(trace.n):
            for j in range(trace.n):
                self._cell(page, self.corners(top, i, j), i, j, deepest[j])
        left, bottom, right, _ = self.corners(top, trace.last, 0)
        page.polygon(paint.box(left, bottom, self.right, top), "none", colours.rule, 0.6)
        self._frame(page, paint.box(left, bottom, self.right, bottom + self.tall))

    def _frame(self, page: Page, corners) -> None:
        """The followed word's row is picked out by a firm frame."""
        page.polygon(corners, "none", palette.theme().ink, 1.6)

    def _words(self, page: Page, top: float) -> None:
        trace, muted = self.trace, palette.theme().muted
        edge = self.left + self.labels
        page.text(edge + self.wide * trace.n / 2, top + self.above - 9.5, "keys →", BODY, ha="center", colour=muted)
        page.text(edge - 2.0, top + 1.6, "queries ↓", BODY, ha="right", colour=muted)
        for i, token in enumerate(trace.tokens):
            run = richtext.word(trace, token)
            y = top - self.tall * (i + 0.5)
            page.text(edge - 2.0, y, run, self.word, ha="right", va="middle")
            if i == trace.last:
                under = y - paint.cap_height(self.word) / 2 - 1.4
                width = paint.text_width(run, self.word)
                page.line([(edge - 2.0 - width, under), (edge - 2.0, under)], run.colour, 1.0)
            x = edge + self.wide * (i + 0.5)
            if self.turned:
                paint.upward(page.ax, x, top + 1.4, run, self.word)
            else:
                page.text(x, top + 1.6, run, self.word, ha="center")

    def _cell(self, page: Page, corners, i: int, j: int, deepest: str) -> None:
        left, bottom, right, top = corners
        colours = palette.theme()
        if not self.trace.mask[i, j]:
            hatched(page, corners)
            return
        fill = palette.mix(deepest, float(self.trace.attention[i, j])) if self.shaded else colours.paper
        fill = paint.measured(fill)
        page.polygon(paint.box(*corners), fill, colours.rule)
        page.text((left + right) / 2, (bottom + top) / 2, self.cells[i][j], self.size, ha="center", va="middle")


def hatched(page: Page, corners, pitch: float = 1.8) -> None:
    """A cell crossed by slanting lines: nothing is to be seen there."""
    left, bottom, right, top = corners
    colours = palette.theme()
    page.polygon(paint.box(*corners), colours.paper, colours.rule)
    width, height = right - left, top - bottom
    strokes = []
    for offset in np.arange(pitch, width + height, pitch):
        start = (left + min(offset, width), bottom + max(0.0, offset - width))
        end = (left + max(0.0, offset - height), bottom + min(offset, height))
        strokes += [start, end, (np.nan, np.nan)]
    page.line(strokes, palette.mix(colours.rule, 0.7))


def _layout(trace) -> list[Grid]:
    """The tables that have room: scores and weights side by side, or the weights alone.

    Raises WeightsError for a sentence too long for even these.
    """
    n, room = trace.n, paint.width() - 2 * EDGE
    fitting = min(paint.fitted(richtext.word(trace, token), 22.0, HEAD) for token in trace.tokens)
    seen = np.where(trace.mask, trace.scores, 0.0)
    scores = numerals.cells(seen, "scores", 2)
    weights = [numerals.weight_cells(row, f"attention[{i}]") for i, row in enumerate(trace.attention)]
    d = numerals.cell(trace.model.d_k, "d_k", 0)
    titles = rich("**score** *q* · *k* / √[d]", d=d), rich("**weight** softmax of the row")
    for count, word in ((2, fitting), (1, fitting), (1, SMALL)):
        widest = max(paint.text_width(richtext.word(trace, token), word) for token in trace.tokens)
        labels = max(widest, paint.text_width("queries ↓", BODY)) + 3.0
        shown = [(titles[0], scores, False), (titles[1], weights, True)][2 - count :]
        wide = min(22.0, (room - SUM - (count - 1) * BETWEEN - count * labels) / (count * n))
        need = max(paint.text_width(c, SMALL) for _, cells, _ in shown for row in cells for c in row) + 1.0
        if wide >= need:
            break
    else:
        raise WeightsError("story.sentence", f"has {n} words, too many for the attention matrix on one page")
    size = min(paint.fitted(c, wide - 2.0, HEAD) for _, cells, _ in shown for row in cells for c in row)
    tall, turned = max(min(0.62 * wide, 12.0), 4.6), widest > wide - 1.5
    total = count * (labels + wide * n) + (count - 1) * BETWEEN + SUM
    lefts = [EDGE + (room - total) / 2 + i * (labels + wide * n + BETWEEN) for i in range(count)]
    return [
        Grid(trace, title, cells, left, labels, wide, tall, size, word, turned, shaded)
        for left, (title, cells, shaded) in zip(lefts, shown, strict=True)
    ]


def _arrow(page: Page, grids: list[Grid], y: float) -> None:
    """From the scores to the weights."""
    start, end = grids[0].right + 3.0, grids[1].left - 1.0
    ink = palette.theme().ink
    paint.arrow(page.ax, (start, y), (end, y), ink, 1.4)
    page.text((start + end) / 2, y + 1.8, "softmax", BODY, ha="center", colour=ink)
    page.text((start + end) / 2, y - 4.2, "row by row", BODY, ha="center", colour=palette.theme().muted)


def _sums(page: Page, grid: Grid, top: float) -> None:
    """What each row of weights adds up to."""
    x = grid.right + SUM
    page.text(x, top + 1.6, "sum", BODY, ha="right", colour=palette.theme().muted)
    for i, total in enumerate(grid.trace.totals):
        y = top - grid.tall * (i + 0.5)
        page.text(x, y, rich("= [t]", t=numerals.cell(total, f"totals[{i}]")), grid.size, ha="right", va="middle")


def _note(x: float) -> list[Rich]:
    """What a hatched cell means, in lines that fit to the right of x mm."""
    said = "masked: a later word, not to be seen; its score counts as −∞, its weight is zero"
    return paint.wrapped(said, paint.width() - EDGE - x - 8.0, BODY)


def _masked_note(page: Page, corner, note: list[Rich]) -> None:
    x, y = corner
    hatched(page, (x, y - 1.0, x + 6.0, y + 2.8))
    for i, line in enumerate(note):
        page.text(x + 8.0, y - NOTE * i, line, BODY, colour=palette.theme().muted)
