"""How numbers are multiplied and added up on the stage: row by row, every product in sight.

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

from attn.core import numerals, record
from attn.core.numerals import Cell
from attn.picture import palette
from attn.picture.richtext import Run
from scenes._kit.matrix import PITCH, Matrix, reach_of
from scenes._kit.moves import FadeIn, FadeOut, Staggered
from scenes._kit.spaces import BODY, CAP, HEAD, LEAST, SMALL, TITLE, flat
from scenes._kit.text import Number, Text


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
        self.sources = list(zip(left, right, strict=True))
        places = numerals.decimals(self.values)
        paths = [record.joined(a.cell.path, "*", b.cell.path) for a, b in self.sources]
        self.results = [
            Number(Cell(numerals.number(v, places), p), size) for v, p in zip(self.values, paths, strict=True)
        ]
        self.written = lambda value: numerals.number(value, places)
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
                copy = number.like(size)
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
        return AnimationGroup(Meet(self.copies, starts, self.targets, **options), FadeIn(self.signs), **options)

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


class Product:
    """A matrix times a column gives a column, in numbers: `matrix`, `column` and `result` beside each other.

    cells: of the three; colour: of the columns' numbers. As large as fits into `width`, around `centre` (2).
    """

    def __init__(self, cells: Sequence, colour: str, centre, width: float):
        for size in (TITLE, 0.4, HEAD, BODY, SMALL):
            self.matrix = Matrix(cells[0], size, learned=True)
            self.column, self.result = (Matrix([[cell] for cell in part], size, colour) for part in cells[1:])
            wide = sum(m.span[1] - m.span[0] for m in (self.matrix, self.column, self.result)) + 0.8
            if wide <= width:
                break
        x, self.width = centre[0] - wide / 2, width
        for part, gap in ((self.matrix, 0.2), (self.column, 0.6), (self.result, 0.0)):
            part.put(x, centre[1])
            x = part.span[1] + gap
        self.equals = Text(Run("="), TITLE).at(flat((self.result.span[0] - 0.3, centre[1] - 0.14)), 0.5)

    def dot(self, row: int, weights, values, centre) -> Dot:
        """The dot product of a row with the column, its pairs in a line around `centre`, as large as there is room."""
        args = self.matrix.numbers[row], self.column.column(), self.result.column()[row], weights[row], values
        reach = Dot(*args, (0, 0), HEAD).reach
        return Dot(*args, centre, max(LEAST, min(0.42, HEAD * self.width / reach)))


def _sign(text: str, x: float, y: float, size: float) -> Text:
    return Text(Run(text), size, palette.theme().muted).at(flat((x, y)), 0.5)


def share_of(alpha: float, i: int, count: int, overlap: float = 0.4) -> float:
    """How far the i-th of `count` parts has come at `alpha`, where each starts before the one before it has ended."""
    each = 1 / (count - (count - 1) * overlap)
    start = i * each * (1 - overlap)
    return float(smooth(np.clip(round((alpha - start) / each, 9), 0, 1)))  # the last one comes all the way


class Meet(Staggered):
    """Numbers travel from where they start to where they are used, growing or shrinking never; two by two."""

    def __init__(self, numbers: Sequence[Number], starts, targets, **options):
        self.numbers, self.starts, self.targets = numbers, starts, targets
        super().__init__(VGroup(*numbers), introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        count = (len(self.numbers) + 1) // 2
        for i, (number, start, target) in enumerate(zip(self.numbers, self.starts, self.targets, strict=True)):
            share = share_of(alpha, i // 2, count)
            number.at(start + share * (target - start))
            number.digits.set_opacity(1.0 if share > 0 else 0.0)


class Count(Staggered):
    """Numbers count up from 0, one after the other, and stop at their texts."""

    def __init__(self, numbers: Sequence[Number], values, written: Callable[[float], str], **options):
        self.numbers, self.values, self.written = numbers, values, written
        self.texts = [number.digits.text_run.text for number in numbers]
        super().__init__(VGroup(*numbers), introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        for i, (number, value, text) in enumerate(zip(self.numbers, self.values, self.texts, strict=True)):
            share = share_of(alpha, i, len(self.numbers))
            number.say(text if share >= 1 else self.written(share * value))
            number.digits.set_opacity(float(np.clip(5 * share, 0, 1)))


class Sum(Staggered):
    """Numbers travel to a total, one after the other; the total counts along and stops at its text."""

    def __init__(self, numbers: Sequence[Number], total: Number, values, text: str, **options):
        self.parts, self.total, self.values, self.text = [n.copy() for n in numbers], total, values, text
        self.starts = [part.baseline.copy() for part in self.parts]
        super().__init__(VGroup(*self.parts, total), introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        arrived, target = 0.0, self.total.baseline
        for i, (part, start, value) in enumerate(zip(self.parts, self.starts, self.values, strict=True)):
            share = share_of(alpha, i, len(self.parts))
            part.at(start + share * (target - start))
            part.digits.set_opacity(float(np.clip(4 * (1 - share), 0, 1)) if share > 0 else 0.0)
            arrived += float(np.clip((share - 0.7) / 0.3, 0, 1)) * value
        first = share_of(alpha, 0, len(self.parts))
        self.total.digits.set_opacity(float(np.clip((first - 0.7) / 0.2, 0, 1)))
        self.total.say(self.text if alpha >= 1 else numerals.number(arrived))

    def clean_up_from_scene(self, scene) -> None:
        super().clean_up_from_scene(scene)
        scene.remove(self.mobject)
        scene.add(self.total)


class Sweep(Staggered):
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
        super().__init__(VGroup(frame, *numbers, *moving), introducer=True, **{"run_time": 2.0, **options})

    def interpolate_mobject(self, alpha: float) -> None:
        count = len(self.results)
        shares = np.array([share_of(alpha, i, count, 0.0) for i in range(count)])
        at = sum(share_of(alpha, i, count, 0.0) >= 0.999 for i in range(count - 1))
        slide = smooth(np.clip((alpha * count - at) / 0.25, 0, 1)) if at else 1.0
        y = self.stops[at] if not at else self.stops[at - 1] + slide * (self.stops[at] - self.stops[at - 1])
        self.frame.set_y(y)
        for share, row, texts in zip(shares, self.results, self.texts, strict=True):
            for (number, value), text in zip(row, texts, strict=True):
                number.say(text if share >= 1 else numerals.number(share * value))
                number.digits.set_opacity(float(np.clip(8 * share, 0, 1)))
        if self.follow is not None:
            self.follow(shares)


class Merge(Staggered):
    """Two numbers travel to where their sum stands: the first becomes it, the second is counted in."""

    def __init__(self, first: Number, second: Number, total: Number, values: tuple[float, float], **options):
        self.parts, self.total, self.values = [first.copy(), second.copy()], total, values
        self.ways = [(part.baseline.copy(), total.baseline.copy()) for part in self.parts]
        self.text = total.digits.text_run.text
        super().__init__(VGroup(*self.parts, total), introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        for part, (start, end), (leaves, arrives) in zip(self.parts, self.ways, ((0, 0.45), (0.3, 0.75)), strict=True):
            share = smooth(np.clip((alpha - leaves) / (arrives - leaves), 0, 1))
            part.at(start + share * (end - start))
            part.digits.set_opacity(float(np.clip(3 * (1 - share), 0, 1)) if share > 0 else 0.0)
        counted = float(np.clip((alpha - 0.65) / 0.35, 0, 1))
        self.total.digits.set_opacity(1.0 if alpha >= 0.45 else 0.0)
        self.total.say(self.text if counted == 1 else numerals.number(self.values[0] + counted * self.values[1]))

    def clean_up_from_scene(self, scene) -> None:
        super().clean_up_from_scene(scene)
        scene.remove(self.mobject)
        scene.add(self.total)


class AddOn(Staggered):
    """Numbers travel onto others, row by row and above their line, so that they cross none; these count to the sums."""

    def __init__(self, numbers, guests, start, stop, cells, **options):
        self.numbers, self.start, self.stop, self.cells = numbers, start, stop, cells
        self.guests = [[guest.copy() for guest in row] for row in guests]
        self.from_ = [[guest.baseline.copy() for guest in row] for row in guests]
        self.places = numerals.places_of(cells[0][0].text)
        pitches = [a[0].baseline[1] - b[0].baseline[1] for a, b in zip(numbers, numbers[1:], strict=False)]
        self.lift = 0.5 * min(pitches, default=1.3 * numbers[0][0].em)
        self.all = [number for row in numbers for number in row]
        moving = VGroup(*(guest for row in self.guests for guest in row))
        self.moving = moving
        super().__init__(VGroup(*self.all, moving), introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        count = len(self.numbers)
        for i, row in enumerate(self.numbers):
            share = share_of(alpha, i, count)
            counted = float(np.clip((share - 0.5) / 0.5, 0, 1))
            for j, number in enumerate(row):
                if counted >= 1:
                    number.show(self.cells[i][j])
                elif counted > 0:
                    value = self.start[i][j] + counted * (self.stop[i][j] - self.start[i][j])
                    number.show(Cell(numerals.number(value, self.places), None))
                if self.guests:
                    self.carry(self.guests[i][j], self.from_[i][j], number, share)

    def carry(self, guest: Number, start, number: Number, share: float) -> None:
        way = min(share / 0.7, 1.0)
        lift = self.lift * smooth(min(1.0, 5 * way, 5 * (1 - way)))
        guest.at(start + way * (number.baseline - start) + np.array([0.0, lift, 0.0]))
        guest.digits.set_opacity(smooth(min(1.0, 5 * (1 - way))) if share > 0 else 0.0)

    def clean_up_from_scene(self, scene) -> None:
        super().clean_up_from_scene(scene)
        scene.remove(self.moving)
