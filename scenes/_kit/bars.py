"""Bars whose lengths are numbers, numbers that turn into other numbers, and the rows in which both stand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup, VMobject, smooth

from attn.core import numerals
from attn.core.numerals import Cell
from attn.picture import palette, richtext
from attn.picture.richtext import Run
from scenes._kit.moves import Direct, Staggered
from scenes._kit.parts import RIGHT
from scenes._kit.spaces import CAP, HEAD, LEAST, Box, fitting, flat, line, lines_in, segments, shortened
from scenes._kit.text import Number, Text

GAP = 0.22  # between the columns of a row


class Bar(VMobject):
    """A bar from its zero end by a signed length: to the right, or upwards.

    start: the middle of the zero end (2), reach: the length.
    """

    def __init__(self, start, length: float, thick: float, colour: str, upright: bool = False):
        super().__init__(fill_color=colour, fill_opacity=1, stroke_width=0)
        self.thick, self.upright = thick, upright
        self.lay(start, length)

    def lay(self, start, length: float) -> Bar:
        """Puts it elsewhere, with another length."""
        self.start, self.reach = np.asarray(start, dtype=float), float(length)
        along = np.array([0.0, self.reach] if self.upright else [self.reach, 0.0])
        across = np.array([self.thick / 2, 0.0] if self.upright else [0.0, self.thick / 2])
        corners = self.start + np.array([-across, along - across, along + across, across])
        self.set_points(segments(np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)))
        return self

    @property
    def end(self) -> np.ndarray:
        """The middle of the other end."""
        return self.start + (np.array([0.0, self.reach]) if self.upright else np.array([self.reach, 0.0]))

    def ghost(self, share: float = 0.25) -> Bar:
        """A pale one in the same place: what stays where it went away."""
        colour = palette.mix(self.get_fill_color().to_hex(), share)
        return Bar(self.start, self.reach, self.thick, colour, self.upright)


class Lay(Direct):
    """A bar moves and changes its length."""

    def __init__(self, bar: Bar, length: float | None = None, start=None, **options):
        self.before = np.array([*bar.start, bar.reach])
        self.after = np.array([*(bar.start if start is None else start), bar.reach if length is None else length])
        super().__init__(bar, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        *start, length = self.before + self.rate_func(alpha) * (self.after - self.before)
        self.mobject.lay(start, length)


class Become(Direct):
    """A number counts from one value to another and from then on is what `cell` says, with its place in the trace.

    comes: until this share of the time it cannot be seen.
    """

    def __init__(self, number: Number, start: float, stop: float, cell: Cell, comes: float = 0.0, **options):
        self.start, self.stop, self.cell, self.comes = float(start), float(stop), cell, comes
        super().__init__(number, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        if self.comes:
            self.mobject.digits.set_opacity(float(np.clip((alpha - self.comes) / 0.2, 0, 1)))
        say(self.mobject, self.start + self.rate_func(alpha) * (self.stop - self.start), self.cell, alpha >= 1)


class EndToEnd(Staggered):
    """Bars go, one after the other, to lie end to end from `zero` (2); `total` counts what has arrived."""

    def __init__(self, bars: Sequence[Bar], zero, total: Number, values, cell: Cell, **options):
        self.bars, self.total, self.values, self.cell = list(bars), total, np.asarray(values, dtype=float), cell
        lengths = [bar.reach for bar in bars]
        self.ways = [
            (bar.start.copy(), np.asarray(zero) + [ahead, 0.0])
            for bar, ahead in zip(bars, np.cumsum([0.0, *lengths[:-1]]), strict=True)
        ]
        super().__init__(VGroup(*bars, total), **options)

    def interpolate_mobject(self, alpha: float) -> None:
        count = len(self.bars)
        each = 1 / (1 + 0.6 * (count - 1))  # of the time; the next one leaves when one has come 0.6 of its way
        shares = [smooth(float(np.clip(alpha / each - 0.6 * i, 0, 1))) for i in range(count)]
        for bar, share, (start, end) in zip(self.bars, shares, self.ways, strict=True):
            bar.lay(start + share * (end - start), bar.reach)
        arrived = [max(0.0, 2 * share - 1) for share in shares]
        say(self.total, float(self.values @ arrived), self.cell, alpha >= 1)


def stretch(bars: Sequence[Bar], lengths, **options) -> list[Lay]:
    """Each bar gets another length."""
    return [Lay(bar, length, **options) for bar, length in zip(bars, lengths, strict=True)]


def count(numbers: Sequence[Number], start, stop, cells: Sequence[Cell], **options) -> list[Become]:
    """Each number counts from one value to another, and then is its cell."""
    return [Become(*each, **options) for each in zip(numbers, start, stop, cells, strict=True)]


def say(number: Number, value: float, cell: Cell, done: bool) -> None:
    """Lets `number` show `value`, written like `cell`; when done, the cell itself."""
    number.show(cell if done else Cell(numerals.number(value, numerals.places_of(cell.text)), None))


class Rows:
    """Lines of a table in a box: names on the left, then whatever columns are asked for, each a number and a bar.

    count: rows; most: the widest distance between two rows; below: room at the foot for a row of totals.
    """

    def __init__(self, box: Box, count: int, most: float = 0.85, below: float = 0.0):
        self.box = box
        self.pitch = min((box.height - below) / count, most)
        self.size = float(np.clip(self.pitch / 1.12, LEAST, HEAD))
        self.thick = min(0.62 * self.pitch, 0.46)
        top = box.bottom + below + (box.height - below + self.pitch * count) / 2
        self.ys = [top - self.pitch * (i + 0.5) for i in range(count)]
        self.top, self.foot = top, top - self.pitch * count

    def base(self, y: float, size: float | None = None) -> float:
        """The baseline of text in the middle of the row at `y`."""
        return y - CAP * (size or self.size) / 2

    def names(self, runs: Sequence[Run], most: float = 2.3, instead: str = "") -> list[Text]:
        """The rows' words, right-aligned, at most `most` wide, of one size as far as none is broken.

        instead: a letter that stands in a word's colour where the word has no room.
        """
        size = min(fitting([run], most, self.size).em for run in runs)
        words = [shortened((run,), most, LEAST, lines_in(self.pitch)) for run in runs]
        others = [[Run(instead, style="i", colour=run.colour)] if instead else [] for run in runs]
        wordings = [[word, *other] for word, other in zip(words, others, strict=True)]
        texts = [fitting(wording, most, size, tall=self.pitch) for wording in wordings]
        self.names_end = self.box.left + max(text.peg.width for text in texts)
        for text, y in zip(texts, self.ys, strict=True):
            text.middle(flat((self.names_end, y)), 1.0)
        return texts

    def number(self, cell: Cell, point: float, y: float) -> Number:
        """A number in the row at `y`, its decimal point at `point`."""
        return Number(cell, self.size).at(flat((point, self.base(y))))

    def numbers(self, cells: Sequence[Cell], point: float) -> list[Number]:
        """A number in each row, their decimal points at `point`."""
        return [self.number(cell, point, y) for cell, y in zip(cells, self.ys, strict=True)]

    def bars(self, zero: float, colours: Sequence[str]) -> list[Bar]:
        """A bar in each row, still without length, from a common zero."""
        return [Bar((zero, y), 0.0, self.thick, colour) for y, colour in zip(self.ys, colours, strict=True)]

    def axis(self, x: float) -> VMobject:
        """A line down through all rows: where bars have their zero."""
        return line([(x, self.top), (x, self.foot)], palette.theme().rule, 2.0)


def extent(texts: Sequence[str], size: float) -> tuple[float, float]:
    """How far numbers of this size reach to the left and to the right of their decimal points."""
    drawn = [Number(text, size).at(flat((0, 0))) for text in texts]
    return -min(d.digits.get_left()[0] for d in drawn), max(d.digits.get_right()[0] for d in drawn)


class ScoreRows(Rows):
    """The rows in which products become scores and scores weights: a word and a number a row, in both steps' places.

    cells: finished numbers of each stage; total: of the row of sums below. heading: baseline of the formula above.
    """

    heading = 2.42

    def __init__(self, trace):
        last = trace.last
        below = 0.75
        super().__init__(Box(RIGHT.left, -1.95, RIGHT.width, 4.05), trace.n, below=below)
        self.sum_row = below
        rows = {name: getattr(trace, name)[last] for name in ("scores", "exponentials")}
        self.cells = {name: numerals.cells(values, f"{name}[{last}]", 2) for name, values in rows.items()}
        self.cells["attention"] = numerals.weight_cells(trace.attention[last], f"attention[{last}]")
        self.total = {name: numerals.cell(getattr(trace, name)[last], f"{name}[{last}]") for name in ("sums", "totals")}
        self.runs = [richtext.word(trace, token) for token in trace.tokens]
        self.word_texts()
        products = numerals.cells(trace.products[last], f"products[{last}]", 2)
        shown = [*products, *self.total.values(), *(cell for cells in self.cells.values() for cell in cells)]
        before, self.after_point = extent([cell.text for cell in shown], self.size)
        self.point = self.names_end + GAP + before

    def word_texts(self) -> list[Text]:
        """The words, each before its row."""
        return self.names(self.runs)

    def score_numbers(self, cells: Sequence[Cell]) -> list[Number]:
        """A number in each row, where scores and weights stand."""
        return self.numbers(cells, self.point)
