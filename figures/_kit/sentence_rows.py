"""Parts of the pages of story B: their frame, and matrices whose rows are bands in the colours of their words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from attn.core import numerals
from attn.core.model import WeightsError
from attn.core.numerals import Cell
from attn.picture import palette, richtext, rows
from attn.picture.richtext import Rich, Run
from attn.texts.phrases import Texts
from figures._kit import paint
from figures._kit.layout import EDGE, LINE, sentence, sentence_lines
from figures._kit.paint import BODY, HEAD, MM, SMALL, TITLE, Page

HEADER, FOOT = 11.0, 12.5  # mm that title and what-it-does, two lines of it, take
LEADING = 4.0  # mm, of these lines


def frame(texts: Texts, width: float, height: float, trace=None, note: Rich = ()) -> tuple[Page, tuple]:
    """A page with title, sentence and what it does: (page, the box in between: left, bottom, width, height in mm)."""
    room = width - 2 * EDGE - (paint.text_width(note, BODY) + 8.0 if note else 0.0)
    size = next((z for z in (BODY + 0.5, BODY, 8.0, 7.5) if len(paint.wrapped(texts.does, room, z)) <= 2), SMALL)
    spare = LEADING if len(paint.wrapped(texts.does, room, size)) < 2 else 0.0
    title = (Run(texts.title, style="b"),)
    beside = width - 2 * EDGE - paint.text_width(title, TITLE) - 6.0
    below = sentence_lines(trace, beside) if trace is not None else []
    below = sentence_lines(trace, width - 2 * EDGE) if len(below) > 1 else []
    foot, page = FOOT - spare, Page(width, height - spare + LINE * len(below))
    y, right, colours = page.height - 6.2, width - EDGE, palette.theme()
    page.text(EDGE, y, title, TITLE)
    if trace is not None:
        y = sentence(page, y, trace, below, beside, followed=False)
    page.line([(EDGE, y - 3.0), (right, y - 3.0)], colours.faint)
    page.line([(EDGE, foot), (right, foot)], colours.faint)
    if note:
        page.text(right, foot - 4.6, note, BODY, ha="right", colour=colours.muted)
    paint.paragraph(page, EDGE, foot - 4.6, texts.does, room, size)
    return page, (EDGE, foot + 1.5, width - 2 * EDGE, height - spare - HEADER - foot - 2.0)


def fitted_word(run: Run, width: float, size: float) -> tuple[Run, float]:
    """A word and the size at which it is at most `width` mm wide; cut with an ellipsis where 7 pt is too much."""
    size = paint.fitted((run,), width, size)
    return paint.shortened(run, width + 1e-6, size), size


ROOMS = ((10.5, 2.0, 22.0), (9.5, 2.0, 20.0), (8.5, 1.7, 18.0), (7.5, 1.5, 18.0), (7.0, 1.3, 18.0), (7.0, 1.0, 18.0),
         (7.0, 1.0, 12.0), (7.0, 1.0, 8.0))  # fmt: skip
STYLES = tuple({"size": size, "gap": gap, "room": room} for size, gap, room in ROOMS)


def fitted_style(fits: Callable[[dict], bool], styles: Sequence[dict] = STYLES) -> dict:
    """The first of `styles` of blocks, from roomy to tight, that fits.

    Raises WeightsError where none does.
    """
    for style in styles:
        if fits(style):
            return style
    raise WeightsError("story.sentence", "too many words or too wide matrices for this picture; expected fewer")


@dataclass(eq=False)
class Block:
    """A matrix in brackets, its name and shape above. `words` give the rows bands in their colours, and names.

    Learned ones have firm brackets, computed ones light; rows not in `lit` (None: all are) stand back.
    """

    cells: list[list[Cell]]
    name: Rich
    shape: Rich = ()
    learned: bool = False
    words: Sequence[Run] = ()  # of the rows
    names: str = ""  # on which side the words stand: "left", "right" or none
    size: float = HEAD
    lit: Sequence[int] | None = None
    leading: float = 1.5  # in sizes
    gap: float = 2.0  # mm between columns
    room: float = 22.0  # mm for words at the side

    inset = 1.4  # mm from bracket to number

    @property
    def columns(self) -> list[float]:
        """The columns' widths, all alike."""
        return [max(paint.text_width(c, self.size) for row in self.cells for c in row)] * len(self.cells[0])

    @property
    def pitch(self) -> float:
        """Millimetres from row to row."""
        return self.leading * self.size / MM

    @property
    def inner(self) -> float:
        """In mm, without the words."""
        return sum(self.columns) + self.gap * (len(self.columns) - 1) + 2 * self.inset

    @property
    def named(self) -> float:
        """Millimetres that the words take on their side."""
        if not self.names:
            return 0.0
        return max(paint.text_width(*fitted_word(w, self.room, self.size)) for w in self.words) + 1.8

    @property
    def width(self) -> float:
        """In mm, with the words."""
        return self.inner + self.named

    @property
    def height(self) -> float:
        """In mm, with the name above."""
        return self.body + 5.6

    @property
    def body(self) -> float:
        """In mm, the rows alone."""
        return self.pitch * len(self.cells) + 0.6

    def row(self, i: int) -> float:
        """The middle of row i once drawn, in mm."""
        return self.middle + self.pitch * ((len(self.cells) - 1) / 2 - i)

    def draw(self, page: Page, x: float, middle: float) -> Block:
        """Draws it with its left end (words among it) at x, its rows centred on `middle`."""
        self.left = x + (self.named if self.names == "left" else 0.0)
        self.right, self.middle = self.left + self.inner, middle
        self.top, self.bottom = middle + self.body / 2, middle - self.body / 2
        for i in range(len(self.cells)):
            self._row(page, i)
        paint.brackets(page, (self.left, self.right), (self.bottom, self.top), self.learned, 1.4, 1.1)
        paint.titled(page, (self.left + self.right) / 2, self.top + 1.7, self.name, self.shape, 1.4)
        return self

    def _row(self, page: Page, i: int) -> None:
        y, half, colours = self.row(i), self.pitch / 2 - 0.22, palette.theme()
        lit = self.lit is None or i in self.lit
        ink = colours.ink if lit else colours.muted
        if self.words:
            strength = (1.6 if self.lit is not None else 1.0) if lit else 0.3
            fill = palette.band(self.words[i].colour, strength)
            page.polygon(paint.box(self.left + 0.5, y - half, self.right - 0.5, y + half), fill)
        at = self.left + self.inset
        for content, width in zip(self.cells[i], self.columns, strict=True):
            page.text(at + width, y, content, self.size, ha="right", va="middle", colour=ink)
            at += width + self.gap
        if self.names:
            run, size = fitted_word(self.words[i], self.room, self.size)
            side = {"left": (self.left - 1.6, "right"), "right": (self.right + 1.6, "left")}[self.names]
            page.text(side[0], y, run, size, ha=side[1], va="middle")


def ring(page: Page, block: Block, i: int, colour: str) -> None:
    """A frame around row i of a block."""
    half, y = block.pitch / 2 - 0.1, block.row(i)
    corners = paint.box(block.left + 0.4, y - half, block.right - 0.4, y + half)
    page.line([*corners, corners[0], corners[1]], colour, 1.4)


def sign(page: Page, x: float, y: float, text: str) -> None:
    """A sign of operation between two blocks; the dot of a product is drawn as a dot of its own size."""
    if text == "·":
        paint.disc(page.ax, (x, y), 0.55, palette.theme().ink)
    else:
        page.text(x, y, (Run(text, style="b"),), TITLE, ha="center", va="middle")


def flow(page: Page, points, colour: str | None = None, width: float = 0.9) -> None:
    """An arrow along corner points (mm) that says where something goes; lighter than a vector."""
    colour = colour or palette.theme().rule
    points = np.asarray(points, dtype=float)
    if len(points) > 2:
        page.line(points[:-1], colour, width)
    paint.arrow(page.ax, points[-2], points[-1], colour, width)


def curve(start, end, count: int = 33) -> np.ndarray:
    """Points of a smooth line that leaves `start` and reaches `end` horizontally."""
    t = np.linspace(0, 1, count)[:, None]
    s = t * t * (3 - 2 * t)
    x = start[0] + (end[0] - start[0]) * t
    return np.hstack([x, start[1] + (end[1] - start[1]) * s])


def sentence_block(trace, **options) -> Block:
    """X, the sentence as a matrix."""
    options = {"words": rows.words(trace), "names": "left"} | options
    cells = numerals.cells(trace.positioned, "positioned")
    return Block(cells, (Run("X", style="i"),), richtext.shape(trace, "n", "d_model"), **options)


def learned_block(trace, name: str, **options) -> Block:
    """W_q, W_k or W_v."""
    shape = richtext.shape(trace, "d_model", rows.WIDTHS[name])
    return Block(rows.matrix_cells(trace, name), rows.symbol(name), shape, learned=True, **options)


def made_block(trace, name: str, **options) -> Block:
    """Q, K or V."""
    cells = numerals.cells(getattr(trace, rows.MADE[name]), rows.MADE[name])
    options = {"words": rows.words(trace), "names": "right"} | options
    return Block(cells, (Run(name[-1], style="i"),), richtext.shape(trace, "n", rows.WIDTHS[name]), **options)


def tints(*arrays):
    """A function from values to tints, 0 to 1, on one scale for several arrays of finite numbers."""
    finite = np.concatenate([np.ravel(a)[np.isfinite(np.ravel(a))] for a in arrays])
    low, high = float(finite.min()), float(finite.max())
    return lambda values: (np.asarray(values) - low) / ((high - low) or 1.0)


def heat(
    page: Page, place, cells: list[list[Cell]], tint: np.ndarray, names: Sequence[Run],
    heads: Sequence[Run] | None = None, size: float = HEAD, colour: str = "", room: float = 22.0,
):  # fmt: skip
    """A grid of numbers in cells, tinted by `tint`; names in `room` mm at its left, `heads` or the names again on top.

    Gives a function from (row, column, offset in cells) to page millimetres: the middle of a cell, moved.
    """
    left, bottom, width, height = place
    count = len(cells), len(cells[0])
    step = width / count[1], height / count[0]

    def cell(i, j, at=(0.0, 0.0)):
        return left + (j + 0.5 + at[0]) * step[0], bottom + height - (i + 0.5 - at[1]) * step[1]

    size = min([size, *(paint.fitted(c, step[0] - 1.4, size) for row in cells for c in row)])
    for i, row in enumerate(cells):
        for j, content in enumerate(row):
            x, y = cell(i, j, (-0.5, -0.5))
            edge = palette.theme().faint if paint.blank() else palette.theme().paper
            fill = paint.measured(palette.heat(tint[i, j], colour))
            page.polygon(paint.box(x, y, x + step[0], y + step[1]), fill, edge, 0.8)
            page.text(*cell(i, j), content, size, ha="center", va="middle")
    for i, run in enumerate(names):
        shown, points = fitted_word(run, room, HEAD)
        page.text(left - 1.8, cell(i, 0)[1], shown, points, ha="right", va="middle")
    if heads is None:
        page.text(left - 4.4, bottom + height + 1.8, "query → key", SMALL, ha="right", colour=palette.theme().muted)
    upward = turned(names, step[0]) if heads is None else 0.0
    for j, run in enumerate(names if heads is None else heads):
        if upward:
            paint.upward(page.ax, cell(0, j)[0], bottom + height + 1.8, run, SMALL)
        else:
            shown, points = fitted_word(run, step[0] - 0.8, HEAD)
            page.text(cell(0, j)[0], bottom + height + 1.8, shown, points, ha="center")
    return cell


def turned(heads: Sequence[Run], wide: float) -> float:
    """How many mm more than a line the heads of columns `wide` mm wide take: written upwards where one is too long."""
    longest = max(paint.text_width(run, SMALL) for run in heads)
    return longest - 2.0 if longest > wide - 0.8 else 0.0
