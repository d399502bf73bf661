"""What the films about the sentence's matrices have in common: their frame, matrices with bands, rows that go through.

A word is a row (Q = X W_q). These films show neither the space nor a prediction: title, sentence, and what it does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, VGroup, smooth

from attn.core import numerals
from attn.core.numerals import Cell
from attn.picture import palette
from attn.picture.richtext import Rich, Run
from scenes._kit.matrix import Matrix, reach_of
from scenes._kit.moves import Direct, FadeIn, Staggered, turn
from scenes._kit.parts import EDGE_X, EDGE_Y, sentence, shrunk
from scenes._kit.products import Dot, share_of
from scenes._kit.spaces import BODY, CAP, HEAD, LEAST, SMALL, TITLE, Box, fitting, flat, line, rectangle
from scenes._kit.stage import Stage
from scenes._kit.text import Number, Text

LOWER = 0.42  # em of the lower text where there is room
FOOT = -3.33  # baseline of the lower text, which is one line
FLOOR = Box(-EDGE_X, FOOT + 0.6, 2 * EDGE_X, EDGE_Y - 0.85 - FOOT - 0.6)  # what is between the rules


class RowScene(Stage):
    """A film with title and sentence on top, and below it, across the whole picture, what it does."""

    def open_stage(self, words: bool = True) -> None:
        """What the film opens with: the sentence, if there is one, and the rules."""
        self.sentence = sentence(self.trace)[0] if words else VGroup()
        rules = (line([(-EDGE_X, y), (EDGE_X, y)], palette.theme().faint) for y in (EDGE_Y - 0.72, FOOT + 0.42))
        self.rule = VGroup(*rules)
        self.add(self.rule, self.sentence)
        self.seen()

    def headings(self) -> list[Animation]:
        """Title and what it does come in."""
        room = (self.sentence.get_left()[0] if len(self.sentence) else EDGE_X) + EDGE_X - 0.35
        self.title = shrunk(Run(self.said.title, style="b"), room, TITLE).at(flat((-EDGE_X, EDGE_Y - 0.45)))
        self.does = foot(self.said.does)
        return [FadeIn(self.title), FadeIn(self.does)]

    def turn_out(self) -> Animation:
        """What comes of it takes the place of what it does."""
        does, self.does = self.does, foot(self.said.outcome)
        return turn(does, self.does)


def foot(said: Rich) -> Text:
    """A line of text below the lower rule, as large as fits."""
    least = SMALL if any(run.script for run in said) else LEAST
    size = max(least, min(LOWER, 2 * EDGE_X / Text(said, 1.0).peg.width))
    return Text(said, size).at(flat((-EDGE_X, FOOT)))


class Banded(Matrix):
    """A matrix with a row for each word, each on a band in its colour; the bands (`bands`) stand on their own."""

    def __init__(self, cells: Sequence[Sequence[Cell]], size: float, colours: Sequence[str], pitch: float):
        super().__init__(cells, size, list(colours), pitch=pitch)
        self.colours = colours

    def ground(self) -> VGroup:
        """Its bands, where it stands now; they belong behind it."""
        (left, right), half = self.span, self.pitch / 2 - 0.02
        rows = [self.middle + self.row_y(i) for i in range(len(self.numbers))]
        self.bands = [
            rectangle(left + 0.05, y - half, right - 0.05, y + half, palette.band(colour))
            for y, colour in zip(rows, self.colours, strict=True)
        ]
        return VGroup(*self.bands)

    def ring(self, row: int) -> VGroup:
        """A firm frame around a row."""
        ring = self.frame(row)
        ring[0].set_stroke(palette.theme().ink, 6.0)
        return ring


def named_rows(words: Sequence[Run], matrix: Matrix, right: float, most: float) -> list[Text]:
    """A word before each row of `matrix`, ending at `right`."""
    names = [fitting([word], most + 1e-6, matrix.em, tall=matrix.pitch) for word in words]
    for i, name in enumerate(names):
        name.middle(flat((right, matrix.middle + matrix.row_y(i))), 1.0)
    return names


class Ladder(Dot):
    """A dot product with its pairs below each other, each with its product on its line."""

    def _arrange(self, centre, size: float) -> None:
        self.signs, self.pluses, muted = VGroup(), VGroup(), palette.theme().muted
        columns = [[number.like(size) for number in side] for side in zip(*self.sources, strict=True)]
        gap, x, points, signs = 0.9 * size, 0.0, [], []
        for numbers in (*columns, self.results):
            reach = np.array([reach_of(number) for number in numbers])
            points.append(x - reach[:, 0].min())
            x = points[-1] + reach[:, 1].max() + gap
            signs.append(x - gap / 2)
        left = centre[0] - (x - gap) / 2
        top = centre[1] + self.drop * (len(self.sources) - 1) / 2 - CAP * size / 2
        ys = [top - self.drop * i for i in range(len(self.sources))]
        self.copies = [number for pair in zip(*columns, strict=True) for number in pair]
        self.targets = [flat((left + point, y)) for y in ys for point in points[:2]]
        for result, y in zip(self.results, ys, strict=True):
            result.at(flat((left + points[2], y)))
            self.signs.add(Text(Run("·"), size, muted).at(flat((left + signs[0], y)), 0.5))
            self.pluses.add(Text(Run("="), size, muted).at(flat((left + signs[1], y)), 0.5))


class Across(Staggered):
    """A frame goes on over a matrix's columns; as it comes to one, the number that is made with it counts up."""

    def __init__(self, frame: VGroup, matrix: Matrix, numbers: Sequence[Number], values, first: int = 1, **options):
        self.frame, self.numbers, self.values = frame, list(numbers[first:]), list(values[first:])
        columns = zip(*matrix.numbers, strict=True)
        self.stops = [np.mean([number.digits.get_center()[0] for number in column]) for column in columns][first - 1 :]
        self.texts = [number.digits.text_run.text for number in self.numbers]
        super().__init__(VGroup(frame, *self.numbers), **options)

    def interpolate_mobject(self, alpha: float) -> None:
        count, x = len(self.numbers), self.stops[0]
        for k, (number, value, text) in enumerate(zip(self.numbers, self.values, self.texts, strict=True)):
            share = float(np.clip(alpha * count - k, 0, 1))
            x += smooth(min(1.0, share / 0.4)) * (self.stops[k + 1] - self.stops[k])
            counted = smooth(np.clip((share - 0.35) / 0.65, 0, 1))
            number.say(text if counted >= 1 else numerals.number(counted * value))
            number.digits.set_opacity(float(np.clip(6 * counted, 0, 1)))
        self.frame.set_x(x)


class Through(Staggered):
    """Rows of one matrix go through another, one after the other: copies go in, and what is made of them comes out.

    Each row that comes out goes to the height of the one it is made from; its numbers count up to `values`. frames: one
    around the row that goes in, one around the row it becomes.
    """

    def __init__(self, source: Banded, gate: Matrix, made: Banded, values, rows: Sequence[int], frames, **options):
        self.rows, self.frames, self.source, self.made = list(rows), frames, source, made
        self.values = np.asarray(values)
        self.goers = [[number.copy() for number in source.numbers[i]] for i in self.rows]
        self.starts = [[number.baseline.copy() for number in row] for row in self.goers]
        self.homes = [[number.baseline.copy() for number in made.numbers[i]] for i in self.rows]
        self.texts = [[number.digits.text_run.text for number in made.numbers[i]] for i in self.rows]
        self.drop = 0.8 * made.pitch  # how far what comes out falls: not over the rows above
        self.gate = np.array([sum(gate.span) / 2, gate.middle, 0.0])
        everything = [n for row in self.goers for n in row] + [n for i in self.rows for n in made.numbers[i]]
        super().__init__(VGroup(*frames, *everything), introducer=True, **{"run_time": 2.0, **options})

    def interpolate_mobject(self, alpha: float) -> None:
        count = len(self.rows)
        shares = [float(np.clip((alpha * (count + 0.6) - k) / 1.6 + 1e-9, 0, 1)) for k in range(count)]
        for k, share in enumerate(shares):
            self._go_in(k, smooth(min(1.0, share / 0.5)))
            self._come_out(k, smooth(float(np.clip((share - 0.4) / 0.6, 0, 1))))
        self._frame(alpha, count)

    def _go_in(self, k: int, share: float) -> None:
        middle = np.mean(self.starts[k], axis=0)
        for number, start in zip(self.goers[k], self.starts[k], strict=True):
            target = self.gate + 0.6 * (start - middle)
            number.at(start + share * (target - start))
            number.digits.set_opacity(float(np.clip(4 * (1 - share), 0, 1)) if 0 < share < 1 else 0.0)

    def _come_out(self, k: int, share: float) -> None:
        i = self.rows[k]
        for j, (number, home) in enumerate(zip(self.made.numbers[i], self.homes[k], strict=True)):
            number.at(home + np.array([0.0, (1 - share) * self.drop, 0.0]))
            number.say(self.texts[k][j] if share >= 1 else numerals.number(share * self.values[i, j]))
            number.digits.set_opacity(float(np.clip(3 * share - 0.5, 0, 1)))
        self.made.bands[i].set_fill(opacity=float(np.clip(2 * share - 1, 0, 1)))

    def _frame(self, alpha: float, count: int) -> None:
        """The frames go from row to row."""
        ys = [self.source.middle + self.source.row_y(i) for i in self.rows]
        for frame, late in zip(self.frames, (-0.3, 0.5), strict=True):
            at = float(np.clip(alpha * (count + 0.6) - late, 0, count))
            at = max(int(at) - 1 + smooth(min(1.0, (at - int(at)) / 0.4)), 0.0)
            frame.set_y(np.interp(at, range(count), ys))

    def clean_up_from_scene(self, scene) -> None:
        super().clean_up_from_scene(scene)
        scene.remove(self.mobject)
        scene.add(*self.frames, *(number for i in self.rows for number in self.made.numbers[i]))


class Take(Direct):
    """Numbers go to where others stand and take their places; the others go pale before they come."""

    def __init__(self, goers: Sequence[Number], others: Sequence[Number], **options):
        self.goers, self.others = list(goers), list(others)
        self.ways = [(a.baseline.copy(), b.baseline.copy()) for a, b in zip(goers, others, strict=True)]
        super().__init__(VGroup(*goers, *others), introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        for goer, other, (start, end) in zip(self.goers, self.others, self.ways, strict=True):
            goer.at(start + share * (end - start))
            other.digits.set_opacity(float(np.clip(1 - 1.4 * share, 0, 1)))


class Grid(VGroup):
    """A square table of numbers, a tint the stronger the larger they are; a word before each row, over each column.

    box: where it goes. values: what it shows first. shades: from the least (0) to the largest number (1) it ever shows.
    """

    def __init__(self, box: Box, words: Sequence[Run], values, path: str, limits: tuple[float, float]):
        super().__init__()
        self.count, (self.low, self.high) = len(words), limits
        self.shades = [palette.heat(k / 64) for k in range(65)]
        names = min(1.5, max(Text(word, BODY).peg.width for word in words) + 0.1)
        wide = min((box.width - names) / self.count, 1.1)
        lines = next((k for k in (1, 2) if self._fit(words, wide, k)), 3)  # of a word over a column
        self.head = 0.45 + (lines - 1) * LEAST
        self.step = np.array([wide, min((box.height - self.head) / self.count, 0.95)])
        top = box.bottom + (box.height - self.head + self.step[1] * self.count) / 2
        self.corner = np.array([box.left + names, top])
        cells = numerals.cells(values, path, 2)
        texts = [*(cell.text for row in cells for cell in row), *map(numerals.number, limits)]
        self.widest = max(texts, key=len)
        self.room = (self.step[0] - 0.12) / (0.5 * len(self.widest))  # the em at which the longest number fits
        self.em = max(LEAST, min(self.room, HEAD, 0.7 * self.step[1]))
        self.tiles = [[self._tile(i, j) for j in range(self.count)] for i in range(self.count)]
        self.numbers = [[self._number(i, j, cells[i][j]) for j in range(self.count)] for i in range(self.count)]
        self.names = VGroup(*self._names(words, names))
        self.show(values)
        self.add(*(t for row in self.tiles for t in row), *(n for row in self.numbers for n in row), self.names)

    @staticmethod
    def _fit(words: Sequence[Run], wide: float, parts: int) -> bool:
        return all(Text(word, LEAST, parts=parts).peg.width <= wide - 0.08 for word in words)

    def middle(self, i: int, j: int) -> np.ndarray:
        """The middle of a cell (2)."""
        return self.corner + self.step * (j + 0.5, -i - 0.5)

    def _tile(self, i: int, j: int):
        (x, y), (w, h) = self.middle(i, j), self.step / 2
        return rectangle(x - w, y - h, x + w, y + h, self.shades[0], palette.theme().paper, 2.5)

    def _number(self, i: int, j: int, cell: Cell) -> Number:
        x, y = self.middle(i, j)
        number = Number(cell, self.em).at(flat((x, y - CAP * self.em / 2)))
        drawn = Number(self.widest, self.em).at(flat((0, 0))).digits
        return number.shift(flat((-drawn.get_center()[0], 0)))

    def _names(self, words: Sequence[Run], room: float):
        for k, word in enumerate(words):
            x, y = self.middle(k, k)
            row = fitting([word], room - 0.12, BODY, tall=self.step[1])
            column = fitting([word], self.step[0] - 0.08, BODY, tall=self.head)
            yield row.middle(flat((self.corner[0] - 0.12, y)), 1.0)
            yield column.at(flat((x, self.corner[1] + 0.12 + 2 * column.rise * column.em)), 0.5)

    def show(self, values) -> Grid:
        """Tints and inks for these values; what the numbers say is another matter."""
        span = (self.high - self.low) or 1.0
        for tiles, numbers, row in zip(self.tiles, self.numbers, np.asarray(values), strict=True):
            for tile, number, value in zip(tiles, numbers, row, strict=True):
                fill = self.shades[round(64 * float(np.clip((value - self.low) / span, 0, 1)))]
                tile.set_fill(fill, 1)
                number.digits.set_fill(palette.on(fill), 1)
        return self

    def copy_of(self, i: int, j: int) -> VGroup:
        """A copy of a cell with its number, to be moved."""
        return VGroup(self.tiles[i][j].copy(), self.numbers[i][j].copy())

    def ring(self, i: int, j: int) -> VGroup:
        """A frame in a cell."""
        (x, y), (w, h) = self.middle(i, j), self.step / 2 - 0.03
        corners = [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]
        return VGroup(line([*corners, corners[0], corners[1]], palette.theme().ink, 7.0))


class Turn(Direct):
    """A grid's numbers count from some values to others, and their tints with them."""

    def __init__(self, grid: Grid, before, after, path: str, **options):
        self.grid, self.before, self.after = grid, np.asarray(before), np.asarray(after)
        self.cells = numerals.cells(after, path, 2)
        super().__init__(grid, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        values = self.before + share * (self.after - self.before)
        for numbers, row, cells in zip(self.grid.numbers, values, self.cells, strict=True):
            for number, value, cell in zip(numbers, row, cells, strict=True):
                number.show(cell if alpha >= 1 else Cell(numerals.number(value), None))
        self.grid.show(values)


class Reflect(Staggered):
    """Copies of the cells above the diagonal move to their mirror images, and are one with what stands there."""

    def __init__(self, grid: Grid, **options):
        pairs = [(i, j) for i in range(grid.count) for j in range(i + 1, grid.count)]
        pairs.sort(key=lambda pair: (pair[1] - pair[0], pair))
        self.copies = [grid.copy_of(*pair) for pair in pairs]
        self.ways = [flat(grid.middle(j, i) - grid.middle(i, j)) for i, j in pairs]
        self.points = [[part.points.copy() for part in copy.get_family()] for copy in self.copies]
        super().__init__(VGroup(*self.copies), introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        for k, (copy, way, points) in enumerate(zip(self.copies, self.ways, self.points, strict=True)):
            share = share_of(alpha, k, len(self.copies), 0.75)
            for part, where in zip(copy.get_family(), points, strict=True):
                part.points = where + share * way if len(where) else where

    def clean_up_from_scene(self, scene) -> None:
        super().clean_up_from_scene(scene)
        scene.remove(self.mobject)
