"""Matrices on the stage, and how they are multiplied: row by row, every product in sight.

W, x, y = Matrix(...), Matrix(...), Matrix(...)       # y holds what the trace says
dot = Dot(W.numbers[0], x.column(0), y.numbers[0][0], model.W_Q[0], trace.positioned[last], centre=(3.5, 0.2))
self.beat("The first row meets x.", dot.pairs())      # copies of both travel together
self.beat("Their products ...", dot.products())       # each pair counts up to its product
self.beat("... add up.", dot.sum())                   # the products travel to where the sum stands
self.beat(None, dot.clear())
self.beat("The second row.", Sweep(...))              # or quickly, for many vectors at once
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from manim import Animation, AnimationGroup, VGroup, smooth

from attn import look
from attn.look import Cell, Rich, Run
from scenes._moves import Direct, FadeIn, FadeOut
from scenes._space import BODY, CAP, HEAD, SMALL, flat, line
from scenes._text import Number, Text

PITCH = 1.35  # line to line, in sizes
GAP = 0.6  # between two columns of numbers, in sizes


class Matrix(VGroup):
    """Numbers in brackets, aligned at the decimal point: firm brackets for learned ones, light ones for computed ones.

    cells: rows of finished numbers. colours: one for all numbers, or one a row. Stands with its left edge and middle
    at (0, 0) until `put` somewhere.
    """

    def __init__(
        self,
        cells: Sequence[Sequence[Cell]],
        size: float = HEAD,
        colours: str | Sequence[str] | None = None,
        learned: bool = False,
        pitch: float = PITCH,
    ):
        super().__init__()
        self.em, self.pitch = size, pitch * size
        shades = list(colours) if isinstance(colours, (list, tuple)) else [colours] * len(cells)
        self.numbers = [[Number(cell, size, ink) for cell in row] for row, ink in zip(cells, shades, strict=True)]
        edge = 0.07 + 0.1 * size
        x = edge + 0.06
        for column in zip(*self.numbers, strict=True):
            before = max(-reach_of(number)[0] for number in column)
            after = max(reach_of(number)[1] for number in column)
            for i, number in enumerate(column):
                number.at(flat((x + before, self.row_y(i) - CAP * size / 2)))
            x += before + after + GAP * size
        right = x - GAP * size + 0.06 + edge
        half, foot = self.pitch * len(cells) / 2 + 0.04, 0.12
        ink, weight = (look.theme().ink, 4.0) if learned else (look.theme().rule, 2.0)
        self.brackets = VGroup(
            *(
                line([(end + inward, half), (end, half), (end, -half), (end + inward, -half)], ink, weight)
                for end, inward in ((0.0, foot), (right, -foot))
            )
        )
        self.title = VGroup()
        self.add(self.brackets, *(number for row in self.numbers for number in row), self.title)

    def row_y(self, row: int) -> float:
        """The middle of a row, seen from the matrix's middle."""
        return self.pitch * ((len(self.numbers) - 1) / 2 - row)

    def column(self, j: int = 0) -> list[Number]:
        """The numbers of a column."""
        return [row[j] for row in self.numbers]

    @property
    def span(self) -> tuple[float, float]:
        """Left and right edge."""
        return self.brackets.get_left()[0], self.brackets.get_right()[0]

    @property
    def extent(self) -> tuple[float, float]:
        """Lower and upper edge."""
        return self.brackets.get_bottom()[1], self.brackets.get_top()[1]

    @property
    def middle(self) -> float:
        return sum(self.extent) / 2

    def put(self, left: float, middle: float) -> Matrix:
        """Moves it: its left edge and its middle."""
        return self.shift(flat((left - self.span[0], middle - self.middle)))

    def titled(self, name: Rich, shape: Rich = ()) -> Matrix:
        """Its name over the brackets, and its shape, smaller, beside it."""
        parts = [Text(name, max(self.em, SMALL))] + ([Text(shape, SMALL, look.theme().muted)] if shape else [])
        gap = 0.12
        left = sum(self.span) / 2 - (sum(part.peg.width for part in parts) + gap * (len(parts) - 1)) / 2
        for part in parts:
            part.at(flat((left, self.extent[1] + 0.14)))
            left += part.peg.width + gap
        self.title.add(*parts)
        return self

    def frame(self, row: int) -> VGroup:
        """A frame around one row, for `Sweep` or to be moved by hand."""
        (left, right), y, half = self.span, self.middle + self.row_y(row), self.pitch / 2 - 0.03
        corners = [(left - 0.08, y + half), (right + 0.08, y + half), (right + 0.08, y - half), (left - 0.08, y - half)]
        return VGroup(line([*corners, corners[0]], look.theme().muted, 3.0))


def reach_of(number: Number) -> tuple[float, float]:
    """How far a number's digits go to the left (negative) and right of its decimal point."""
    x = number.baseline[0]
    return min(number.digits.get_left()[0] - x, 0.0), max(number.digits.get_right()[0] - x, 0.0)


class Dot:
    """A dot product in numbers: pairs, their products, and the sum, which is put where `total` stands.

    left, right: the factors where they stand on the stage (they stay; copies travel). total: the Number that shows the
    sum; it is on the stage from `sum` on. values, others: the factors' values. centre: of the line of pairs, under
    which the products come. Play `pairs`, `products`, `sum` and `clear` in this order.
    """

    def __init__(
        self, left, right, total: Number, values, others, centre, size: float = BODY, drop: float | None = None
    ):
        self.total, self.values = total, np.asarray(values, dtype=float) * np.asarray(others, dtype=float)
        self.text = total.digits.text_run.text
        self.drop = PITCH * size if drop is None else drop
        self.sources = [pair for pair in zip(left, right, strict=True)]
        places = look.decimals(self.values)
        self.results = [Number(Cell(look.number(v, places), None), size) for v in self.values]
        self.written = lambda value: look.number(value, places)
        self._arrange(centre, size)

    def _arrange(self, centre, size: float) -> None:
        """Where every number and sign of the line stands."""
        self.copies, self.signs, self.pluses, self.targets = [], VGroup(), VGroup(), []
        x, y = 0.0, centre[1] - CAP * size / 2
        for i, pair in enumerate(self.sources):
            if i:
                self.pluses.add(_sign("+", x + 0.5 * size, y - self.drop, size))
                self.signs.add(_sign("+", x + 0.5 * size, y, size)) if self.drop else None
                x += size
            start, ends = x, []
            for k, number in enumerate(pair):
                if k:
                    self.signs.add(_sign("·", x + 0.3 * size, y, size))
                    x += 0.6 * size
                copy = Number(Cell(number.digits.text_run.text, None), size, number.digits.get_fill_color().to_hex())
                before, after = reach_of(copy)
                ends.append(flat((x - before, y)))
                self.copies.append(copy)
                x += after - before
            self.targets += ends
            before, after = reach_of(self.results[i])
            self.results[i].at(flat(((start + x) / 2 - (before + after) / 2, y - self.drop)))
        shift = flat((centre[0] - x / 2, 0))
        for part in (self.signs, self.pluses, *self.results):
            part.shift(shift)
        self.targets = [target + shift for target in self.targets]
        self.reach = x  # how wide the line is

    def pairs(self, **options) -> Animation:
        """Copies of the factors travel to each other, pair by pair."""
        starts = [number.baseline.copy() for pair in self.sources for number in pair]
        return AnimationGroup(Gather(self.copies, starts, self.targets, **options), FadeIn(self.signs), **options)

    def products(self, **options) -> Animation:
        """Each pair becomes its product, one after the other."""
        after = [FadeIn(self.pluses)] if len(self.pluses) else []
        gone = [] if self.drop else [FadeOut(VGroup(*self.copies, self.signs))]
        return AnimationGroup(*gone, Count(self.results, self.values, self.written, **options), *after, **options)

    def sum(self, **options) -> Animation:
        """The products travel to the sum's place, one after the other; the sum there counts along."""
        return Sum(self.results, self.total, self.values, self.text, **options)

    def clear(self, **options) -> Animation:
        """What is left of the line goes."""
        pairs = (*self.copies, self.signs) if self.drop else ()
        return FadeOut(VGroup(*pairs, self.pluses, *self.results), **options)


def _sign(text: str, x: float, y: float, size: float) -> Text:
    return Text(Run(text), size, look.theme().muted).at(flat((x, y)), 0.5)


def share_of(alpha: float, i: int, count: int, overlap: float = 0.4) -> float:
    """How far the i-th of `count` parts has come at `alpha`, where each starts before the one before it has ended."""
    each = 1 / (count - (count - 1) * overlap)
    start = i * each * (1 - overlap)
    return float(smooth(np.clip((alpha - start) / each, 0, 1)))


class Gather(Direct):
    """Numbers travel from where they start to where they are used, growing or shrinking never; two by two."""

    def __init__(self, numbers: Sequence[Number], starts, targets, **options):
        self.numbers, self.starts, self.targets = numbers, starts, targets
        super().__init__(VGroup(*numbers), introducer=True, **{"rate_func": lambda t: t, **options})

    def interpolate_mobject(self, alpha: float) -> None:
        count = (len(self.numbers) + 1) // 2
        for i, (number, start, target) in enumerate(zip(self.numbers, self.starts, self.targets, strict=True)):
            share = share_of(alpha, i // 2, count)
            number.at(start + share * (target - start))
            number.digits.set_opacity(1.0 if share > 0 else 0.0)


class Count(Direct):
    """Numbers count up from 0, one after the other, and stop at their texts."""

    def __init__(self, numbers: Sequence[Number], values, written: Callable[[float], str], **options):
        self.numbers, self.values, self.written = numbers, values, written
        self.texts = [number.digits.text_run.text for number in numbers]
        super().__init__(VGroup(*numbers), introducer=True, **{"rate_func": lambda t: t, **options})

    def interpolate_mobject(self, alpha: float) -> None:
        for i, (number, value, text) in enumerate(zip(self.numbers, self.values, self.texts, strict=True)):
            share = share_of(alpha, i, len(self.numbers))
            number.say(text if share >= 1 else self.written(share * value))
            number.digits.set_opacity(float(np.clip(5 * share, 0, 1)))


class Sum(Direct):
    """Numbers travel to a total, one after the other; the total counts along and stops at its text."""

    def __init__(self, numbers: Sequence[Number], total: Number, values, text: str, **options):
        self.parts, self.total, self.values, self.text = [n.copy() for n in numbers], total, values, text
        self.starts = [part.baseline.copy() for part in self.parts]
        super().__init__(VGroup(*self.parts, total), introducer=True, **{"rate_func": lambda t: t, **options})

    def interpolate_mobject(self, alpha: float) -> None:
        arrived, target = 0.0, self.total.baseline
        for i, (part, start, value) in enumerate(zip(self.parts, self.starts, self.values, strict=True)):
            share = share_of(alpha, i, len(self.parts))
            part.at(start + share * (target - start))
            part.digits.set_opacity(float(np.clip(4 * (1 - share), 0, 1)) if share > 0 else 0.0)
            arrived += float(np.clip((share - 0.7) / 0.3, 0, 1)) * value
        first = share_of(alpha, 0, len(self.parts))
        self.total.digits.set_opacity(float(np.clip((first - 0.7) / 0.2, 0, 1)))
        self.total.say(self.text if alpha >= 1 else look.number(arrived))

    def clean_up_from_scene(self, scene) -> None:
        super().clean_up_from_scene(scene)
        scene.remove(self.mobject)
        scene.add(self.total)


class Sweep(Direct):
    """A matrix goes through its rows, quickly: a frame slides from row to row, and the results count up row by row.

    results: for each row of the matrix the Numbers it fills and their values, as (number, value) pairs; `follow`, if
    given, is told how far each row has come, as an array of shares: let an arrow grow by its components.
    """

    def __init__(
        self,
        matrix: Matrix,
        frame: VGroup,
        results: Sequence[Sequence[tuple[Number, float]]],
        follow: Callable[[np.ndarray], None] | None = None,
        moving: Sequence = (),
        **options,
    ):
        self.frame, self.results, self.follow = frame, results, follow
        self.stops = [matrix.middle + matrix.row_y(i) for i in range(len(matrix.numbers))]
        self.texts = [[number.digits.text_run.text for number, _ in row] for row in results]
        numbers = [number for row in results for number, _ in row]
        super().__init__(
            VGroup(frame, *numbers, *moving), introducer=True, **{"rate_func": lambda t: t, "run_time": 2.0, **options}
        )

    def interpolate_mobject(self, alpha: float) -> None:
        count = len(self.results)
        shares = np.array([share_of(alpha, i, count, 0.0) for i in range(count)])
        at = sum(share_of(alpha, i, count, 0.0) >= 0.999 for i in range(count - 1))
        slide = smooth(np.clip((alpha * count - at) / 0.25, 0, 1)) if at else 1.0
        y = self.stops[at] if not at else self.stops[at - 1] + slide * (self.stops[at] - self.stops[at - 1])
        self.frame.set_y(y)
        for share, row, texts in zip(shares, self.results, self.texts, strict=True):
            for (number, value), text in zip(row, texts, strict=True):
                number.say(text if share >= 1 else look.number(share * value))
                number.digits.set_opacity(float(np.clip(8 * share, 0, 1)))
        if self.follow is not None:
            self.follow(shares)
