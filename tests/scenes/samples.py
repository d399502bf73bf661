"""A short film and a sink that keeps pictures, for the tests of the pipeline."""

import manim
import numpy as np

from attn.core.numerals import Cell
from attn.picture.palette import theme
from attn.picture.richtext import Run, rich
from attn.texts.phrases import Texts
from scenes._kit.bars import Become
from scenes._kit.stage import Stage
from scenes._kit.text import Number, Text


def texts(trace) -> Texts:
    """What a film's module names: only the title matters here."""
    return Texts("A title", (), "A caption.", "What is seen.", "contextual")


class Sample(Stage):
    """Two seconds and a half of what real films hold: shades, an arrow, text, a number that counts."""

    def construct(self):
        colours = theme()
        shade = manim.Polygon([-6, -3, 0], [0, -2, 0], [0, 3, 0], [-6, 2, 0], fill_opacity=1, stroke_width=0)
        shade.set_fill("#e2e9f5")
        veil = manim.Circle(2, fill_color=colours.target, fill_opacity=0.2, stroke_width=0).shift(manim.LEFT)
        arrow = manim.Arrow([-4, -1, 0], [-1, 2, 0], buff=0, color=colours.followed)
        words = Text(rich("The word *x*_{[w]}", w=Run("you", colour=colours.origin)), 0.5).at([1, 2, 0])
        weight = Number(Cell("0.00", "attention[2][1]"), 0.5).at([3, 0, 0])
        self.add(shade, veil, words, weight)
        self.beat(
            "An arrow grows.",
            manim.GrowArrow(arrow),
            Become(weight, 0, 0.25, Cell("0.25", "attention[2][1]")),
            run_time=0.7,
            poster=True,
        )
        self.beat("The words move.", words.animate.shift(manim.DOWN), run_time=0.7)


class Frames:
    """A sink that keeps every picture."""

    def __init__(self):
        self.all: list[np.ndarray] = []
        self.rests: list[bool] = []
        self._now: np.ndarray | None = None

    def show(self, canvas, boxes):
        self._now = canvas.copy() if self._now is None else self._now.copy()
        for left, top, right, bottom in boxes:
            self._now[top:bottom, left:right] = canvas[top:bottom, left:right]

    def cut(self):
        """Beats need no key frames here."""

    def hold(self, frames=1):
        self.all += [self._now] * frames
        self.rests += [frames > 1] * frames
