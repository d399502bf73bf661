"""Parts of a page that several figures share: the step's frame, matrices, the distance line, columns of bars."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from attn.core import numerals
from attn.core.forward import STATES
from attn.core.numerals import Cell
from attn.picture import labels, palette, richtext, sizes
from attn.picture.richtext import Rich, Run
from attn.texts.phrases import Texts
from figures._kit import paint
from figures._kit.arcs import SentenceRow
from figures._kit.paint import BODY, HEAD, MM, SMALL, THIN, TITLE, Page
from figures._kit.spaces import AIR, TICK_ROOM
from figures._kit.strip import prediction_strip

EDGE = 1.5  # mm of paper left free all round
PLOT = 42.0  # mm, the width and height of the 2-D attention space
PANEL = 60.0  # mm, the height of a step's panels
SPACE = 55.0  # mm, the height of the 3-D space
SPACE_HEADING = "3-D word embedding space"
TOLD = BODY + 0.5  # pt, what a step does
LEADING = 1.28 * TOLD / MM  # mm, its lines
LONGEST = 26.0  # mm, that words beside bars may take
INSET = 0.42  # mm between a word and the edge of its frame, at least
HEADING = 5.5  # mm, from a panel to what is above its heading
TITLE_LINE = 5.2  # mm, from line to line of a title
LINE = 5.6  # mm, from the title to the sentence below it, and from line to line of that


@dataclass(eq=False)
class StepPage:
    """A step's page: the title on top, two panels, what the step does and the prediction below.

    Over the 3-D space of the left panel stands the sentence.
    """

    page: Page
    left: tuple[float, float, float, float]  # the panel for the 3-D space: left, bottom, width, height in mm
    right: tuple[float, float, float, float]  # the panel for the 2-D space or the step's numbers

    @property
    def plot(self) -> tuple[float, float, float, float]:
        """The part of the right panel that the 2-D attention space takes in every step that shows it."""
        return *self.right[:2], PLOT, PLOT

    @property
    def over(self) -> tuple[float, float, float, float]:
        """The band over the 2-D space, as wide as the panel, for formulas and matrices."""
        left, bottom, width, height = self.right
        return left, bottom + PLOT, width, height - PLOT

    @property
    def plots(self):
        """Two boxes for the 2-D space without numbers at its axes, the first one's square where `plot` has it."""
        left, bottom, width, _ = self.right
        low, tall = bottom + TICK_ROOM - AIR, PLOT - 2 * (TICK_ROOM - AIR)
        return (left, low, PLOT, tall), (left + PLOT, low, width - PLOT, tall)

    @property
    def band(self) -> tuple[float, float, float, float]:
        """What is left over `plots`."""
        left, bottom, width, height = self.right
        taken = PLOT - TICK_ROOM + AIR + 0.2
        return left, bottom + taken, width, height - taken

    @property
    def side(self) -> tuple[float, float, float, float]:
        """What is left beside the 2-D space, for numbers."""
        left, bottom, width, height = self.right
        return left + PLOT + 2.5, bottom, width - PLOT - 2.5, height


def step_page(trace, texts: Texts, heading: str, attends: bool = False) -> StepPage:
    """The frame that all steps have in common, with a heading for its second panel; arcs where the word `attends`.

    In a column the second panel stands below the first one, and the prediction below what the step does.
    """
    return (_stacked if sizes.arranged() == "column" else _side_by_side)(trace, texts, heading, attends)


def _side_by_side(trace, texts: Texts, heading: str, attends: bool) -> StepPage:
    width, lines = paint.width(), _title_lines(texts)
    middle = 88.0 if sizes.arranged() == "page" else 0.47 * width
    says = min(92.0, middle + 4)
    foot = 18.5 + max(0, len(paint.wrapped(paint.told(texts), says, TOLD)) - 3) * LEADING
    row = SentenceRow(trace, middle - EDGE - 2)
    tall = SPACE + HEADING + row.height
    page = Page(width, _title_height(lines) + tall + foot)
    top, colours = _titled(page, lines), palette.theme()
    page.line([(EDGE, foot - 1.5), (width - EDGE, foot - 1.5)], colours.faint)
    page.text(middle + 4, top - 2.2, heading, BODY, colour=colours.muted)
    row.draw(page, EDGE, foot + SPACE + HEADING, attends)
    page.text(EDGE, foot + SPACE + 2.3, SPACE_HEADING, BODY, colour=colours.muted)
    paint.paragraph(page, EDGE, foot - 6.0, paint.told(texts), says, TOLD)
    strip = middle + (14 if sizes.arranged() == "page" else 9)
    prediction_strip(page, (strip, foot - 6.0), width - EDGE - strip, trace, texts.stage)
    boxes = [(EDGE, foot, row.width, SPACE), (middle + 4, foot, width - EDGE - middle - 4, tall - HEADING)]
    return StepPage(page, *boxes)


def _stacked(trace, texts: Texts, heading: str, attends: bool) -> StepPage:
    width, inner, lines = paint.width(), paint.width() - 2 * EDGE, _title_lines(texts)
    says = len(paint.wrapped(paint.told(texts), inner, TOLD)) * LEADING
    strip = 14.5
    foot, row = strip + 4.5 + says + 4.0, SentenceRow(trace, inner)
    page = Page(width, _title_height(lines) + row.height + HEADING + SPACE + 7.0 + PANEL + foot)
    top, colours = _titled(page, lines), palette.theme()
    boxes = [(EDGE, foot + PANEL + 7.0, inner, SPACE), (EDGE + 1.5, foot, inner - 1.5, PANEL)]
    row.draw(page, EDGE, top - row.height, attends)
    for box, said in zip(boxes, (SPACE_HEADING, heading), strict=True):
        page.text(EDGE, box[1] + box[3] + 2.3, said, BODY, colour=colours.muted)
    page.line([(EDGE, foot - 1.5), (width - EDGE, foot - 1.5)], colours.faint)
    paint.paragraph(page, EDGE, foot - 6.0, paint.told(texts), inner, TOLD)
    prediction_strip(page, (EDGE, strip - 2.0), inner, trace, texts.stage)
    return StepPage(page, *boxes)


def _title_lines(texts: Texts) -> list[Rich]:
    """The title, in as many lines as it takes."""
    title = Run(texts.title, style="b")
    lines = paint.wrapped((title,), paint.width() - 2 * EDGE, TITLE)
    return [(replace(title, text=richtext.plain(line)),) for line in lines]


def _title_height(lines: list[Rich]) -> float:
    """Millimetres that a title takes."""
    return 12.0 + TITLE_LINE * (len(lines) - 1)


def _titled(page: Page, lines: list[Rich]) -> float:
    """A title on top of a page, a line below it; gives where what follows begins, in mm."""
    y = page.height - 6.2
    for i, runs in enumerate(lines):
        page.text(EDGE, y - TITLE_LINE * i, runs, TITLE)
    y -= TITLE_LINE * (len(lines) - 1)
    page.line([(EDGE, y - 3.0), (page.width - EDGE, y - 3.0)], palette.theme().faint)
    return y - 5.8


def header(page: Page, texts: Texts, trace) -> float:
    """Title and sentence on top of a page, a line below them; gives the height of that line, in mm.

    Where they have no room beside each other the sentence stands below the title; both may take several lines.
    """
    lines, below = _head_lines(trace, texts)
    y, right = page.height - 6.2, page.width - EDGE
    for i, runs in enumerate(lines):
        page.text(EDGE, y - TITLE_LINE * i, runs, TITLE)
    y -= TITLE_LINE * (len(lines) - 1)
    y = sentence(page, y, trace, below, right - EDGE - paint.text_width(lines[0], TITLE) - 6.0)
    page.line([(EDGE, y - 3.0), (right, y - 3.0)], palette.theme().faint)
    return y - 5.8


def header_height(trace, texts: Texts) -> float:
    """Millimetres that `header` takes on a page of the width in force."""
    lines, below = _head_lines(trace, texts)
    return _title_height(lines) + LINE * len(below)


def _head_lines(trace, texts: Texts) -> tuple[list[Rich], list[Rich]]:
    """The lines of the title, and those of the sentence where it has to stand below it."""
    title, room = (Run(texts.title, style="b"),), paint.width() - 2 * EDGE
    least = SMALL if sizes.arranged() == "page" else TITLE - 1
    beside = paint.text_width(title, TITLE) + 6.0 + paint.text_width(_sentence_runs(trace), least)
    return _title_lines(texts), sentence_lines(trace, room) if beside > room else []


def sentence_lines(trace, room: float) -> list[Rich]:
    """The sentence in lines of at most `room` mm: one, in smaller letters if need be, or several."""
    runs = _sentence_runs(trace)
    return [runs] if paint.text_width(runs, SMALL) <= room else paint.wrapped(runs, room, BODY)


def _sentence_runs(trace) -> Rich:
    return richtext.spaced([richtext.word(trace, token) for token in trace.tokens])


def sentence(page: Page, y: float, trace, below: list[Rich], room: float, followed: bool = True) -> float:
    """The sentence, each word in its colour, its last word underlined if it is followed; gives its last baseline in mm.

    It stands in lines `below` the baseline y of a title, or else beside that, at the page's edge, in `room` mm.
    """
    for line in below or [_sentence_runs(trace)]:
        y -= LINE if below else 0.0
        size = paint.fitted(line, page.width - 2 * EDGE if below else room, TITLE - 1) if len(below) < 2 else BODY
        right = EDGE + paint.text_width(line, size) if below else page.width - EDGE
        page.text(right, y, line, size, ha="right")
    if followed:
        width = paint.text_width(line[-1], size)
        page.line([(right - width, y - 1.5), (right, y - 1.5)], line[-1].colour, 1.0)
    return y


@dataclass(eq=False)
class Matrix:
    """Numbers in brackets, aligned at the decimal point. Learned ones have firm brackets, computed ones light."""

    cells: list[list[Cell]]
    size: float = HEAD
    learned: bool = False
    colour: str | None = None  # of the numbers
    gap: float = 2.2  # mm between columns

    @cached_property
    def columns(self) -> list[float]:
        """The columns' widths, all alike."""
        return [max(paint.text_width(c, self.size) for row in self.cells for c in row)] * len(self.cells[0])

    @property
    def leading(self) -> float:
        """Millimetres from row to row."""
        return 1.32 * self.size / MM

    @property
    def width(self) -> float:
        """In mm, brackets included."""
        return sum(self.columns) + self.gap * (len(self.columns) - 1) + 2 * self.inset

    @property
    def height(self) -> float:
        """In mm, brackets included."""
        return self.leading * len(self.cells) + 0.8

    inset = 1.5  # mm from bracket to number

    def row_y(self, y: float, row: int) -> float:
        """The middle of a row where the matrix is centred on y."""
        return y + self.leading * ((len(self.cells) - 1) / 2 - row)

    def draw(self, page: Page, x: float, y: float) -> float:
        """Draws it with its left edge at x, centred on y; gives its right edge."""
        for i, row in enumerate(self.cells):
            at = x + self.inset
            for content, width in zip(row, self.columns, strict=True):
                page.text(at + width, self.row_y(y, i), content, self.size, ha="right", va="middle", colour=self.colour)
                at += width + self.gap
        half = self.height / 2
        paint.brackets(page, (x, x + self.width), (y - half, y + half), self.learned, 1.2)
        return x + self.width


def column(values, path: str, **options) -> Matrix:
    """A vector as a matrix of one column; `path` is its place in the trace."""
    return Matrix([[c] for c in numerals.cells(values, path)], **options)


def centred(page: Page, x: float, y: float, content: Rich, size: float = HEAD, **options) -> None:
    """Rich text centred on a point."""
    page.text(x, y, content, size, ha="center", va="middle", **options)


def distance_line(page: Page, box, trace) -> None:
    """The signed distances of e, x and h to the plane on one line, the displacement as an arrow along it."""
    left, bottom, width, height = box
    colours, words = palette.theme(), (trace.model.story.origin, trace.model.story.target)
    reach = max(map(abs, trace.distances.values())) or 1.0
    y, middle, unit = bottom + 0.42 * height, left + width / 2, 0.42 * width / reach
    for sign, word in ((-1, words[0]), (1, words[1])):
        end = middle + sign * width / 2
        page.polygon(paint.box(middle, y - 4.2, end, y + 4.2), palette.shade(palette.word_colour(trace, word)))
        side = (richtext.word(trace, word), Run(" side"))
        page.text(end - sign * 1.5, y - 8.2, side, BODY, ha="right" if sign > 0 else "left")
    page.line([(middle, y - 5.2), (middle, y + 5.2)], colours.ink, 1.2)
    page.text(middle, y - 8.2, "plane", BODY, ha="center", colour=colours.muted)
    places = {name: middle + unit * d for name, d in trace.distances.items()}
    if paint.blank():
        places = {name: left + width * (i + 0.5) / len(places) for i, name in enumerate(places)}
    else:
        paint.arrow(page.ax, (places["positioned"], y), (places["contextual"], y), colours.context, 2.2)
    _distance_marks(page, y, places, trace, (left, left + width))


def _distance_marks(page: Page, y: float, places: dict[str, float], trace, ends) -> None:
    """A mark and the number for each state; numbers that would touch are parted sideways, between `ends`."""
    word = trace.tokens[-1]
    colour = palette.word_colour(trace, word)
    texts = {
        name: (
            *richtext.symbol(trace, STATES[name]),
            Run("  "),
            *richtext.as_rich(numerals.cell(d, f"distances.{name}")),
        )
        for name, d in trace.distances.items()
    }
    widths = {name: paint.text_width(text, HEAD) + 2.5 for name, text in texts.items()}
    order = sorted(places, key=lambda name: places[name])
    spots = labels.parted([places[n] for n in order], [widths[n] for n in order], ends)
    for name, spot in zip(order, spots, strict=True):
        at = places[name]
        if not paint.blank():
            page.line([(at, y - 2.6), (at, y + 2.6)], colour, 1.6, ())
            page.line([(at, y + 2.9), (spot, y + 5.4)], colour, THIN)
        page.text(spot, y + 6.2, texts[name], HEAD, ha="center", colour=colour)


@dataclass(frozen=True)
class Stage:
    """One column of bars: what it is called, its formula, a value and a finished cell for each row."""

    title: Rich
    formula: Rich
    values: np.ndarray
    cells: list[Cell]
    total: Rich = ()  # what stands below the column


def bar_stages(page: Page, box, rows: list[Run], stages: list[Stage], shares: tuple[float, ...], leads=()) -> None:
    """Columns of horizontal bars side by side, a row a word: the same words go through several stages.

    `shares` are the columns' parts of the width. Bars of a column share one scale and start from its zero. The words
    of the rows in `leads` (their numbers) stand in a filled frame.
    """
    left, bottom, width, height = box
    head, foot = 13.0, 8.0 if any(s.total for s in stages) else 0.0
    paint.check_rows(len(rows), height - head - foot)
    pitch = min((height - head - foot) / len(rows), 11.0)
    largest = max(SMALL, min(HEAD, pitch * MM / 1.25))
    longest = max(paint.text_width(r, SMALL) for r in rows)
    for size, tight, fair in (
        (largest, False, shares),
        (largest, True, shares),
        (SMALL, True, ()),
    ):  # at last as is needed
        leasts = [_least(stage, size, tight) for stage in stages]
        shares = fair or tuple(least / sum(leasts) for least in leasts)
        least = max(least / share for least, share in zip(leasts, shares, strict=True))
        room = min(max(width - least - 4.0, 10.0), LONGEST)
        if longest <= room:
            break
    word_size = min(paint.fitted(r, room, size) for r in rows)
    rows = [paint.shortened(run, room + 0.01, word_size) for run in rows]
    names = max(paint.text_width(r, word_size) for r in rows) + 4.0
    top = bottom + foot + (height - head - foot) - ((height - head - foot) - pitch * len(rows)) / 2
    middles = [top - pitch * (i + 0.5) for i in range(len(rows))]
    for i, (run, y) in enumerate(zip(rows, middles, strict=True)):
        if i in leads:
            run = _lead(page, (left + names - 4.0, y), run, word_size, min(4.8, 0.8 * pitch))
        page.text(left + names - 4.0, y, run, word_size, ha="right", va="middle")
    x = left + names
    for stage, share in zip(stages, shares, strict=True):
        column = (width - names) * share
        ends = (top, top - pitch * len(rows))
        _bar_column(page, (x, column - 4.0), middles, min(0.52 * pitch, 5.0), stage, rows, ends, size, tight)
        x += column


def _least(stage: Stage, size: float, tight: bool) -> float:
    """The least width in mm of a column: its formula as small as can be, or its numbers and short bars.

    Where it is `tight`, the formula takes several lines, and the bars are as short as can be told apart.
    """
    numbers = max(paint.text_width(c, size) for c in stage.cells)
    lines = paint.wrapped(stage.formula, 0.0, SMALL) if tight else [stage.formula]
    return max(*(paint.text_width(line, SMALL) + 3.0 for line in lines), numbers + (5.0 if tight else 9.0))


def _lead(page: Page, at, run: Run, size: float, tall: float) -> Run:
    """A filled frame for a word that ends at `at`; gives the word in an ink that can be read on it."""
    (right, y), width = at, paint.text_width(run, size)
    low, high = paint.ink(run, size)[[1, 3]] + y - paint.cap_height(size) / 2
    frame = min(y - tall / 2, low - INSET), max(y + tall / 2, high + INSET)
    page.polygon(paint.box(right - width - 1.2, frame[0], right + 1.2, frame[1]), run.colour)
    return replace(run, colour=palette.on(run.colour))


def _bar_column(
    page: Page, span, middles, thick: float, stage: Stage, rows: list[Run], ends, size: float, tight: bool
) -> None:
    """One column of `bar_stages`: numbers right-aligned, bars to the right of them from a common zero.

    Its formula takes several lines where it is `tight`.
    """
    x, width = span
    colours = palette.theme()
    numbers = max(paint.text_width(c, size) for c in stage.cells)
    low, high = min(0.0, stage.values.min()), max(0.0, stage.values.max())
    unit = (width - numbers - 2.0) / ((high - low) or 1.0)
    zero = x + numbers + 2.0 - low * unit
    lines, wide = [stage.formula], width + 1.0
    if tight:
        lines = paint.wrapped(stage.formula, width, SMALL)
    for i, line in enumerate(lines):
        up = ends[0] + (6.2 if tight else 2.6) - 3.6 * i
        page.text(x, up, line, paint.fitted(line, wide, SMALL if tight else HEAD), colour=colours.muted)
    page.text(x, ends[0] + (9.8 if tight else 7.2), stage.title, paint.fitted(stage.title, wide, HEAD))
    page.line([(zero, ends[0]), (zero, ends[1])], colours.rule, 0.6)
    for run, value, content, y in zip(rows, stage.values, stage.cells, middles, strict=True):
        page.text(x + numbers, y, content, size, ha="right", va="middle")
        if value and not paint.blank():
            page.polygon(paint.box(zero, y - thick / 2, zero + value * unit, y + thick / 2), run.colour)
    if stage.total:
        page.line([(x, ends[1] - 0.6), (x + numbers, ends[1] - 0.6)], colours.rule, 0.6)
        page.text(x + numbers, ends[1] - 5.0, stage.total, size, ha="right")
