"""Parts of the film of the lookup experiment: curves over the steps of training, and training as it runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup, VMobject

from attn.core import numerals
from attn.core.numerals import Cell
from attn.lab import lookup
from attn.picture import palette
from attn.picture.richtext import Run
from scenes._kit.bars import Bar
from scenes._kit.moves import Direct, Fly
from scenes._kit.spaces import TITLE, Box, flat, line, segments
from scenes._kit.text import Number, Text

EARLY = 5  # the axis of steps grows with log(1 + step / EARLY), as in the figures: the first steps are wide


class Curve(VGroup):
    """One series of the experiment (`name`, a field of it): what it is, its value at the step, and its curve so far."""

    def __init__(self, box: Box, found, name: str):
        super().__init__()
        self.box, self.series, self.name = box, np.asarray(getattr(found, name)), name
        self.last, self.top = len(self.series) - 1, max(1.0, float(self.series.max()))
        colours = palette.theme()
        grid = [line([(box.left, y), (box.left + box.width, y)], colours.faint, 2.0) for y in self.ys([self.top])]
        grid += [line([(box.left, y), (box.left + box.width, y)], colours.rule, 3.0) for y in self.ys([0.0])]
        top = box.bottom + box.height
        grid += [line([(x, box.bottom), (x, top)], colours.faint, 2.0) for x in self.xs(found.steps)]
        self.path = VMobject(stroke_color=palette.lookup_colour(True), stroke_width=7.0, fill_opacity=0)
        heading = Text(Run(name), TITLE, colours.muted).at(flat((box.left, top + 0.14)))
        self.number = Number("0.00", TITLE, style="b")
        self.number.at(flat((box.left + box.width - self.number.digits.get_right()[0], top + 0.14)))
        self.add(*grid, self.path, heading, self.number)

    def xs(self, steps) -> np.ndarray:
        """Where steps stand."""
        return self.box.left + self.box.width * np.log1p(np.asarray(steps) / EARLY) / np.log1p(self.last / EARLY)

    def ys(self, values) -> np.ndarray:
        """Where values stand."""
        return self.box.bottom + self.box.height * np.asarray(values) / self.top

    def draw(self, step: float) -> None:
        """The curve up to a step, which may lie between two; the number is that of the whole step before."""
        whole = np.arange(int(step) + 1)
        points = np.stack([self.xs(whole), self.ys(self.series[: len(whole)])], axis=1)
        if step > whole[-1]:
            here = np.interp(step, (whole[-1], whole[-1] + 1), self.series[whole[-1] : whole[-1] + 2])
            points = np.concatenate([points, [(self.xs(step), self.ys(here))]])
        self.path.set_points(segments(np.stack([points[:-1], points[1:]], axis=1)))
        self.number.show(Cell(numerals.number(self.series[int(step)]), None))

    def settle(self, step: int) -> None:
        """The curve up to a step, its number with its place in the data."""
        self.draw(step)
        self.number.show(numerals.cell(self.series[step], f"{self.name}[{step}]"))


class Train(Direct):
    """Training runs from one of the experiment's `steps` to another: bars, their numbers, step counter and curves.

    Between two steps bars and curves move evenly; numbers are those of the last whole step. tall: a weight of 1.
    """

    def __init__(
        self, found, bars: Sequence[Bar], weights: Sequence[Number], tall: float, counter: Number, curves, first: int,
        last: int, **options,
    ):  # fmt: skip
        self.found, self.bars, self.weights, self.tall = found, bars, weights, tall
        self.counter, self.curves, self.last = counter, list(curves), last
        self.rows = np.asarray(found.attention)
        self.ends = [np.log1p(found.steps[k] / EARLY) for k in (first, last)]
        super().__init__(VGroup(*bars, *weights, counter, *self.curves), **options)

    def interpolate_mobject(self, alpha: float) -> None:
        if alpha >= 1:
            self.settle()
            return
        start, end = self.ends
        step = EARLY * np.expm1(start + self.rate_func(alpha) * (end - start)) + 1e-9
        whole = int(step)
        following = min(whole + 1, len(self.rows) - 1)
        heights = self.rows[whole] + (step - whole) * (self.rows[following] - self.rows[whole])
        self._bars(heights, [Cell(text, None) for text in numerals.weight_texts(self.rows[whole])])
        self.counter.show(Cell(numerals.number(whole, 0), None))
        for curve in self.curves:
            curve.draw(step)

    def settle(self) -> None:
        """What was measured at the last step, with its place in the data."""
        step = self.found.steps[self.last]
        self._bars(self.rows[step], numerals.weight_cells(self.rows[step], f"attention[{step}]"))
        self.counter.show(numerals.cell(step, f"steps[{self.last}]", 0))
        for curve in self.curves:
            curve.settle(step)

    def _bars(self, heights, cells: Sequence[Cell]) -> None:
        for bar, number, height, cell in zip(self.bars, self.weights, heights, cells, strict=True):
            bar.lay(bar.start, self.tall * float(height))
            number.show(cell)
            middle = (number.digits.get_left() + number.digits.get_right()) / 2 - number.baseline
            number.at(flat((bar.end[0] - middle[0], bar.end[1] + 0.12)))


class Hop(Fly):
    """A text goes to another place in a bow over what stands between."""

    def __init__(self, mobject, point, height: float, **options):
        self.bow = height
        super().__init__(mobject, point, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        super().interpolate_mobject(alpha)
        share = self.rate_func(alpha)
        for part in self.parts:
            part.points[:, 1] += 4 * share * (1 - share) * self.bow


def final_answer(found) -> int:
    """What the trained head answers to the fixed example: the value with the highest score."""
    gained = lookup.gathered(np.asarray(found.attention[-1])[None], lookup.example())  # 1 x 13
    return int(np.argmax(gained[0] @ np.asarray(found.answers[-1])))
