"""Before and after a change of weights on one sheet: claims, values, then every figure that differs, twice.

A page is an A3 sheet on its side, so that a figure stands on it at print size twice: before left, after right.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from PIL import Image

from attn.picture import compare, palette, richtext
from attn.picture.richtext import Run
from figures._kit import paint
from figures._kit.paint import BODY, HEAD, SMALL, THIN, TITLE
from figures._kit.paper import pages_of

PAPER = (420.0, 297.0)  # mm, A3
GAP = 16.0  # mm between before and after
LEFT = (PAPER[0] - GAP) / 2 - paint.PAGE
SIDES = (LEFT, LEFT + paint.PAGE + GAP)  # where before and after begin
TOP, BOTTOM = 24.0, 12.0  # mm from the page's edges
COLUMNS = 5  # of values on a page
COLUMN = (2 * paint.PAGE + GAP) / COLUMNS  # mm
ROW = 3.7  # mm, in the table of values
MARK = "#ffb000"  # behind a number that changed, with a line below
SCREEN = 100  # dpi of the sheet as PNG


def difference(
    names: tuple[str, str], said: str, turns: Sequence[compare.Turn], changes: Sequence[compare.Change],
    pairs: dict[str, tuple],
) -> dict[str, bytes]:  # fmt: skip
    """The sheet of what changed, as diff.pdf and diff.png.

    names: of the two files; said: all in a line; pairs: two drawings, or a line for one there is not, by name.
    """
    sheet = _Sheet(names)
    sheet.paragraphs(richtext.rich("**[all]**", all=said), None, TITLE)
    for turn in turns:
        sheet.claim(turn)
    sheet.values(changes)
    for name, pair in pairs.items():
        sheet.pair(name, pair)
    sheet.number()
    return {"diff.pdf": pages_of(page.figure for page in sheet.pages), "diff.png": _below_each_other(sheet)}


def printed(drawing: Figure | str) -> list[tuple[str, str]]:
    """(path, text) of every number in a drawing, in drawing order."""
    return [] if isinstance(drawing, str) else [(entry["path"], entry["text"]) for entry in paint.record(drawing)]


def alike(first: Figure | str, second: Figure | str) -> bool:
    """Whether two drawings look the same, or are lacking for the same reason."""
    if isinstance(first, str) or isinstance(second, str):
        return isinstance(first, str) and isinstance(second, str) and first == second
    return pages_of([first]) == pages_of([second])


@dataclass(eq=False)
class _Sheet:
    """The pages so far; what is added goes below what is there, or onto a new page."""

    names: tuple[str, str]
    pages: list[paint.Page] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)  # how far down each page is used, in mm from its bottom

    def __post_init__(self):
        self._new_page()

    @property
    def page(self) -> paint.Page:
        return self.pages[-1]

    @property
    def y(self) -> float:
        """Where on the last page the next thing begins."""
        return self.ends[-1]

    @y.setter
    def y(self, value: float):
        self.ends[-1] = value

    def _new_page(self) -> None:
        page = paint.Page(*PAPER)
        colours, y = palette.theme(), PAPER[1] - 13
        for x, side, name in zip(SIDES, ("before", "after"), self.names, strict=True):
            label = (Run(f"{side}  ", style="b"), Run(name, colour=colours.muted))
            page.text(x, y, paint.shortened(label, paint.PAGE, HEAD), HEAD)
        page.text(PAPER[0] / 2, y, Run("→", colour=colours.muted), HEAD, ha="center")
        page.line([(LEFT, y - 3), (PAPER[0] - LEFT, y - 3)], colours.rule)
        self.pages.append(page)
        self.ends.append(PAPER[1] - TOP)

    def _room_for(self, height: float) -> None:
        if self.y - height < BOTTOM:
            self._new_page()

    def paragraphs(self, before, after, size: float = BODY) -> None:
        """Text on the left and on the right, or all across where there is no `after`."""
        texts = [before] if after is None else [before, after]
        width = paint.PAGE if len(texts) == 2 else 2 * paint.PAGE + GAP
        rows = [paint.wrapped(text, width, size) for text in texts]
        leading = 1.28 * size / paint.MM
        self._room_for(max(map(len, rows)) * leading)
        for x, lines in zip(SIDES, rows, strict=False):
            for i, line in enumerate(lines):
                self.page.text(x, self.y - i * leading, line, size)
        self.y -= max(map(len, rows)) * leading + 0.6

    def claim(self, turn: compare.Turn) -> None:
        """What a claim says on both sides, and in the margin what became of it, in a box if that is a loss."""
        self._room_for(2 * ROW)
        self._chip(turn.what, filled=turn.what == compare.LOST)
        self.paragraphs(*(_said(turn.name, text) for text in (turn.before, turn.after)))

    def _chip(self, text: str, filled: bool) -> None:
        colours, y, right = palette.theme(), self.y + paint.cap_height(SMALL) / 2, LEFT - 3
        left = right - paint.text_width(Run(text, style="b"), SMALL) - 2.4
        corners = [(left, y - 1.7), (right, y - 1.7), (right, y + 1.7), (left, y + 1.7)]
        self.page.polygon(corners, colours.ink if filled else colours.paper, colours.ink)
        ink = colours.paper if filled else colours.ink
        self.page.text((left + right) / 2, y, Run(text, style="b", colour=ink), SMALL, ha="center", va="middle")

    def values(self, changes: Sequence[compare.Change]) -> None:
        """Words that changed on both sides, then numbers in columns: those of the file, those computed from them."""
        for change in (change for change in changes if change.path in compare.WORDS):
            self._room_for(2 * ROW)
            self.page.text(LEFT - 3, self.y, Run(change.path, colour=palette.theme().muted), SMALL, ha="right")
            self.paragraphs(Run(change.before), Run(change.after))
        numbers = [change for change in changes if change.path not in compare.WORDS]
        for given, heading in ((True, "In the file"), (False, "Computed from it, as printed in the figures")):
            some = [change for change in numbers if change.path.startswith("parameters.") == given]
            if some:
                self._room_for(12 * ROW)
                self.y -= 4
                self.paragraphs((Run(heading, style="b"),), None, HEAD)
                self._table(some)
        self.y -= 6

    def _table(self, changes: Sequence[compare.Change]) -> None:
        """Columns of about one height, as many pages as it takes; a group that goes on has its name again."""
        lines = [line for name, group in compare.grouped(changes) for line in _lines(name, group)]
        while lines:
            top, longest = self.y, 0
            rows = min(int((top - BOTTOM) / ROW), max(-(-len(lines) // COLUMNS) + 1, 6))
            for column in range(COLUMNS):
                here, lines = _column(lines, rows)
                for i, line in enumerate(here):
                    self._line(LEFT + column * COLUMN, top - i * ROW, line)
                longest = max(longest, len(here))
            self.y = top - longest * ROW
            if lines:
                self._new_page()

    def _line(self, x: float, y: float, line) -> None:
        if isinstance(line, str):
            self.page.text(x, y, paint.shortened(Run(line, style="b"), COLUMN - 4), SMALL)
        elif line is not None:
            muted, after = palette.theme().muted, Run(line.after, style="b")
            self.page.text(x, y, paint.shortened(Run(line.place, colour=muted), 27), SMALL)
            self.page.text(x + 45, y, paint.shortened(Run(line.before), 17), SMALL, ha="right")
            self.page.text(x + 48.5, y, Run("→", colour=muted), SMALL, ha="center")
            self.page.text(x + 65, y, paint.shortened(after, 14.5), SMALL, ha="right")

    def pair(self, name: str, pair: tuple) -> None:
        """A figure before and after, the numbers that changed marked."""
        marks = compare.marked(*map(printed, pair))
        sizes = [(paint.PAGE, 20.0) if isinstance(d, str) else tuple(d.get_size_inches() * 25.4) for d in pair]
        tall, wide = max(size[1] for size in sizes), max(size[0] for size in sizes)
        self._room_for(tall + 6)
        numbers = Run(_counted(pair, max(map(len, marks))), colour=palette.theme().muted)
        self.page.text(LEFT, self.y - 2, (Run(f"{name}   ", style="b"), numbers), HEAD)
        top = self.y - 6
        for x, drawing, chosen, size in zip((LEFT, LEFT + wide + GAP), pair, marks, sizes, strict=True):
            if isinstance(drawing, str):
                paint.paragraph(self.page, x, top - 6, Run(drawing), paint.PAGE)
            else:
                _mark(drawing, chosen)
                self.page.figure.add_artist(_Placed(drawing, x, top - size[1]))
        arrow = top - tall / 2
        self.page.text(LEFT + wide + GAP / 2, arrow, Run("→", colour=palette.theme().muted), TITLE, ha="center")
        self.y = top - tall - 8

    def number(self) -> None:
        """Numbers the pages."""
        for i, page in enumerate(self.pages, 1):
            text = Run(f"{i} of {len(self.pages)}", colour=palette.theme().muted)
            page.text(PAPER[0] - LEFT + 4, PAPER[1] - 13, text, SMALL)


@dataclass(frozen=True)
class _Value:
    """A line of the table."""

    group: str
    place: str
    before: str
    after: str


def _column(lines: list, rows: int) -> tuple[list, list]:
    """The lines of one column of at most `rows`, and those that are left."""
    while lines and lines[0] is None:
        lines = lines[1:]
    if lines and not isinstance(lines[0], str):
        lines = [lines[0].group, *lines]
    here, lines = lines[:rows], lines[rows:]
    if here and isinstance(here[-1], str):  # no heading without what it heads
        lines = [here.pop(), *lines]
    return here, lines


def _said(name: str, text: str) -> richtext.Rich:
    """What a claim says, or that it is not made."""
    if text == compare.NOTHING:
        return (Run("not claimed", colour=palette.theme().muted),)
    return Run(f"{name}: ", style="b"), Run(text)


def _counted(pair: tuple, count: int) -> str:
    """What is different about a figure of which `count` numbers are."""
    if any(isinstance(drawing, str) for drawing in pair):
        return "cannot be drawn of one of the two"
    return f"{count} number{'s' * (count != 1)} changed" if count else "no number changed; the drawing did"


def _lines(name: str, group: Sequence[compare.Change]) -> list:
    """The lines of a group: its name, its values, an empty one."""
    values = (_Value(name, change.cell, change.before, change.after) for change in group)
    return [name, *values, None]


class _Placed(Artist):
    """A whole figure drawn on another's page, as lines and text; its lower left corner is at x, y in mm."""

    def __init__(self, drawing: Figure, x: float, y: float):
        super().__init__()
        self.drawing, self.corner = drawing, np.array([x, y]) / 25.4

    def draw(self, renderer):
        size = self.drawing.get_size_inches()
        self.drawing.set_dpi(self.figure.dpi)
        self.drawing.bbox_inches.set(Bbox([self.corner, self.corner + size]))
        try:
            self.drawing.draw(renderer)
        finally:
            self.drawing.bbox_inches.set(Bbox([(0, 0), size]))


def _mark(figure: Figure, chosen: Iterable[int]) -> None:
    """Marks those of a figure's numbers that have these places in its record."""
    numbers = [artist for artist in figure.findobj(Text) if getattr(artist, "cell_path", None)]
    renderer = FigureCanvasAgg(figure).get_renderer()
    for artist in (numbers[i] for i in sorted(chosen)):
        box = artist.get_window_extent(renderer).padded(0.3 * figure.dpi / 25.4)
        corner, far = artist.axes.transData.inverted().transform([box.p0, box.p1])
        order = artist.get_zorder() - 0.5
        fill = Rectangle(corner, *(far - corner), facecolor=palette.mix(MARK, 0.35), linewidth=0, zorder=order)
        artist.axes.add_artist(fill)
        paint.line(artist.axes, [corner, (far[0], corner[1])], MARK, 2 * THIN).set_zorder(order)


def _below_each_other(sheet: _Sheet) -> bytes:
    """All pages in one PNG, each as far down as it is used."""
    pictures = []
    for page, end in zip(sheet.pages, sheet.ends, strict=True):
        page.figure.set_dpi(SCREEN)
        canvas = FigureCanvasAgg(page.figure)
        canvas.draw()
        used = round((PAPER[1] - max(end - 4, 0)) * SCREEN / 25.4)
        pictures.append(np.asarray(canvas.buffer_rgba())[:used, :, :3])
    buffer = io.BytesIO()
    Image.fromarray(np.concatenate(pictures)).save(buffer, "png", dpi=(SCREEN, SCREEN))
    return buffer.getvalue()
