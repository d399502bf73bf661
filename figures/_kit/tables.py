"""Tables of numbers beside each other: a row a word, a name and a shape above each, learned ones in firm brackets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from attn.core.model import WeightsError
from attn.core.numerals import Cell
from attn.picture import palette, richtext
from attn.picture.richtext import Rich, Run
from figures._kit import paint
from figures._kit.layout import Matrix, centred
from figures._kit.paint import BODY, HEAD, MM, SMALL, Page

SIZES = (HEAD, 9.0, BODY, 8.0, 7.5, SMALL)  # pt, from what one would like to what one can read
UNDER = 3.9  # mm from the line below a table's name up to the name
LIFTED = 1.1  # sizes, a row's name over the row
REST = Run("⋮")  # stands for rows that are left out


@dataclass(frozen=True)
class Sign:
    """What stands between two tables: + or =, or nothing."""

    text: str = ""


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers in brackets under their name, beside which `shape` stands."""

    cells: list[list[Cell]]
    name: Rich
    shape: Rich = ()
    learned: bool = False
    rest: int | None = None  # the line that stands for rows left out, counted from the top
    under: Rich = ()  # a second line below the name, smaller
    colours: Sequence[str] = ()  # of the rows' numbers

    @property
    def lines(self) -> int:
        """How many lines it takes, with the one for rows left out."""
        return len(self.cells) + (self.rest is not None)

    def line_of(self, row: int) -> int:
        """The line on which a row stands."""
        return row + (self.rest is not None and row >= self.rest)


@dataclass(eq=False)
class Sheet:
    """Tables side by side on one grid of rows, `rows` the words that name them, on the left."""

    items: Sequence[Table | Sign]
    rows: Sequence[Rich] = ()
    sizes: Sequence[float] = SIZES
    ends: Sequence[Rich] = ()  # names of the last table's rows, on its right
    spread: float = 7.0  # mm between tables, where there is room
    leading: float = 1.4  # line to line, in sizes
    level: bool = True  # tables start in one line; False: shorter ones stand in the middle
    over: bool = False  # the rows' names stand over them, where there is no room beside
    places: dict = field(default_factory=dict)  # (item, row) -> (left, right, middle) in mm, once drawn

    def fits(self, width: float, height: float) -> float | None:
        """The largest size at which all of it fits into `width` x `height` mm, or None."""
        for size in self.sizes:
            if self.height(size) <= height and self.width(size) <= width:
                return size
        return None

    def width(self, size: float, spread: float = 2.2) -> float:
        """Millimetres it takes at `size`, its tables as close as they may stand."""
        parts = sum(self._item_width(item, size) for item in self.items)
        names = self._beside(size) + self._names(self.ends, size)
        return names + parts + spread * (len(self.items) - 1)

    def _beside(self, size: float) -> float:
        """Millimetres that the rows' names take at their left."""
        return 0.0 if self.over else self._names(self.rows, size)

    def height(self, size: float) -> float:
        """Millimetres it takes at `size`, names and heads included."""
        return self._head + self._rows * self._step(size) + 0.8

    def _step(self, size: float) -> float:
        """Millimetres from row to row."""
        return (self.leading + (LIFTED if self.over else 0.0)) * size / MM

    @property
    def tables(self) -> list[Table]:
        return [item for item in self.items if isinstance(item, Table)]

    @property
    def _first(self) -> int:
        """Which of the items is the first table."""
        return next(i for i, item in enumerate(self.items) if isinstance(item, Table))

    @property
    def _rows(self) -> int:
        return max(t.lines for t in self.tables)

    @property
    def _head(self) -> float:
        if not any(t.name for t in self.tables):
            return 0.2
        lines = 1 + any(t.under for t in self.tables)
        return 1.2 + 4.8 + UNDER * (lines - 1)

    @staticmethod
    def _names(rows: Sequence[Rich], size: float) -> float:
        return max((paint.text_width(r, size) for r in rows), default=-1.6) + 1.6

    def _item_width(self, item, size: float) -> float:
        if isinstance(item, Sign):
            return paint.text_width(item.text, HEAD)
        title = paint.text_width(item.name, HEAD) + (paint.text_width(item.shape, SMALL) + 1.5 if item.shape else 0)
        names = self._names(self.rows, SMALL) + 1.0 if self._holds_names(item) else 0.0
        return max(_matrix(item, size).width, title, names, paint.text_width(item.under, SMALL))

    def _holds_names(self, item) -> bool:
        """Whether the rows' names stand in a table, over its rows."""
        return self.over and item is self.items[self._first]

    def draw(self, page: Page, box, size: float | None = None) -> None:
        """Draws it in the middle of `box` (left, bottom, width, height in mm), as large as fits or at `size`.

        Raises WeightsError where it does not fit at the smallest size.
        """
        left, bottom, width, height = box
        size = size or self.fits(width, height)
        if size is None:
            paint.check_rows(self._rows, height - self._head - 0.8, self._step(SMALL))
            raise WeightsError("model.vocabulary", "too long for tables of 7 points; expected shorter words or numbers")
        spare = width - self.width(size, 0.0)
        spread = min(self.spread, spare / max(len(self.items) - 1, 1))
        x = left + (width - self.width(size, spread)) / 2
        top = bottom + height / 2 + self.height(size) / 2
        first = top - self._head - 0.4 - 0.5 * self._step(size)  # middle of the first row
        x += self._beside(size)
        for index, item in enumerate(self.items):
            room = self._item_width(item, size)
            if isinstance(item, Sign):
                middle = first - (self._rows - 1) / 2 * self._step(size)
                centred(page, x + room / 2, middle, (Run(item.text),), HEAD)
            else:
                self._table(page, index, item, (x, room), first, size)
            x += room + spread
        for i, row in enumerate(self.rows):
            start, _, y = self.places[self._first, i]
            if self.over:
                page.text(start + 1.3, y + LIFTED * size / MM, row, SMALL, va="middle")
            else:
                page.text(start - 1.6, y, row, size, ha="right", va="middle")
        for i, row in enumerate(self.ends):
            _, right, y = self.places[len(self.items) - 1, i]
            page.text(right + 1.6, y, row, size, va="middle")

    def _table(self, page: Page, index: int, table: Table, span, first: float, size: float) -> None:
        left, room = span
        matrix = _matrix(table, size)
        x, step = left + (room - matrix.width) / 2, self._step(size)
        ends = (left, left + room) if self._holds_names(table) else (x, x + matrix.width)
        if not self.level:
            first -= (self._rows - table.lines) / 2 * step
        for i, row in enumerate(table.cells):
            y = first - table.line_of(i) * step - (0.5 * LIFTED * size / MM if self.over else 0.0)
            self.places[index, i] = (*ends, y)
            colour = table.colours[i] if table.colours else None
            for content, right in zip(row, _rights(matrix, x), strict=True):
                page.text(right, y, content, size, ha="right", va="middle", colour=colour)
        if table.rest is not None:
            y = first - table.rest * step
            self.places[index, "rest"] = (*ends, y)
            for right, wide in zip(_rights(matrix, x), matrix.columns, strict=True):
                page.text(right - wide / 2, y, REST, size, ha="center", va="middle", colour=palette.theme().muted)
        up, down = first + step / 2 + 0.3, first - (table.lines - 0.5) * step - 0.3
        paint.brackets(page, ends, (down, up), table.learned, 1.3)
        self._title(page, table, left + room / 2, up)

    def _title(self, page: Page, table: Table, middle: float, up: float) -> None:
        """Name and shape, centred over the brackets."""
        y = up + 2.0
        if any(t.under for t in self.tables):
            page.text(middle, y, table.under, SMALL, ha="center", colour=palette.theme().muted)
            y += UNDER
        paint.titled(page, middle, y, table.name, table.shape, 1.5)


def _matrix(table: Table, size: float) -> Matrix:
    return Matrix(table.cells, size=size, learned=table.learned, gap=0.235 * size)


def _rights(matrix: Matrix, x: float) -> list[float]:
    """The right ends of a matrix's columns of numbers."""
    rights, at = [], x + matrix.inset
    for width in matrix.columns:
        rights.append(at + width)
        at += width + matrix.gap
    return rights


def word_rows(trace, limit: int, story_first: bool = True) -> tuple[list[int], int | None]:
    """The rows of the vocabulary that a table of at most `limit` lines shows, and the line of those left out, if any.

    The two words of the plane and the sentence's words come first; what is shown keeps its order.
    """
    words = trace.model.vocabulary
    if len(words) <= limit:
        return list(range(len(words))), None
    story = (trace.tokens[-1], trace.model.story.origin, trace.model.story.target)
    wanted = (*story, *trace.tokens, *words) if story_first else (*reversed(trace.tokens), *story, *words)
    chosen = {trace.model.index(w) for w in list(dict.fromkeys(wanted))[: limit - 1]}
    return sorted(chosen), limit - 1


def fitting(build: Callable[[int], Sheet], most: int, box) -> Sheet:
    """The sheet `build(lines)` gives for as many lines, at most `most`, as fit into `box`."""
    lines = range(min(most, rows_in(box)), 1, -1)
    return first_that_fits([build(count) for count in lines], box) or build(most)


def rows_in(box) -> int:
    """How many rows have room in `box`, whatever they hold."""
    return int(box[3] * MM / (Sheet.leading * SMALL))


def first_that_fits(sheets: Sequence[Sheet], box) -> Sheet | None:
    """The first of `sheets` that fits into `box`, or else the first that does with its rows' names over them."""
    tries = (replace(sheet, over=over) for over in (False, True) for sheet in sheets)
    return next((sheet for sheet in tries if sheet.fits(*box[2:])), None)


def word_names(trace, words: Sequence[str], width: float = 26.0) -> list[Rich]:
    """Words in their colours as names of rows, cut with an ellipsis where they are wider than `width` mm at 7 pt."""
    return [(paint.shortened(richtext.word(trace, word), width),) for word in words]
