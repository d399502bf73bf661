"""Softmax: scores become exponentials, the exponentials are added up, and their shares of the sum are the weights."""

from __future__ import annotations

import numpy as np
from manim import LaggedStart, VGroup

from attn.core import numerals, record
from attn.picture import palette
from attn.picture.richtext import Run, rich
from attn.texts import step4_softmax as told
from scenes._kit.bars import GAP, Become, EndToEnd, Lay, count, stretch
from scenes._kit.moves import FadeIn, FadeOut, Fly, turn
from scenes._kit.parts import EDGE_X, RIGHT, StepScene
from scenes._kit.spaces import BODY, TITLE, fitting, flat, line
from scenes._kit.text import Number, Text
from scenes.step3_scores import Step3Scores

texts = told.texts


class Step4Softmax(StepScene):
    """exp, sum and quotient as stages; a bar's length is its number."""

    after = Step3Scores

    def construct(self):
        self.before()
        self.draw_scores()
        if self.trace.shift[self.trace.last]:
            self.take_largest()
        self.exponentiate()
        self.add_up()
        self.divide()
        self.take_back()

    def before(self):
        """The stage as the comparison leaves it: a row for each word and its score."""
        self.open_stage("positioned")
        self.take("words", "e", "x", "e_names", "x_names", "rows")
        self.weights = self.past.scores  # which these numbers will be
        trace, last = self.trace, self.trace.last
        self.row = {name: getattr(trace, name)[last] for name in ("scores", "exponentials", "attention")}
        self.row = {name: np.where(trace.mask[last], values, 0.0) for name, values in self.row.items()}
        self.lowered = self.row["scores"] - trace.shift[last]
        self.shift = numerals.cell(trace.shift[last], f"shift[{last}]")
        self.cells, self.total, self.point = self.rows.cells, self.rows.total, self.rows.point
        self.measure()

    def measure(self):
        """One scale for scores and exponentials where both can be seen on it; the sum fills the width, as 1 does."""
        low, high = self.point + self.rows.after_point + GAP, EDGE_X
        room, scores = high - low, np.concatenate([self.row["scores"], self.lowered])
        below, above = max(0.0, -scores.min()), max(0.0, scores.max())
        total = float(self.trace.sums[self.trace.last])
        unit = room / (total + below)
        if below * unit > 0.45 * room or max(below, above) * unit < 0.1 * room:
            unit = min(0.45 * room / side for side in (below, above) if side) if below or above else 0.0
        self.zero, self.score_unit = low + below * unit, unit
        self.whole = high - self.zero  # the length of the sum, and of 1
        self.exp_unit = self.whole / total

    def formula(self, *wordings) -> Text:
        """What the numbers are at this stage, above them."""
        return fitting(wordings, RIGHT.width, TITLE).at(flat((RIGHT.left, self.rows.heading)))

    def draw_scores(self):
        """What this step does; bars as long as the scores grow from one line, to the left below zero."""
        self.bars = self.rows.bars(self.zero, [word.rich[0].colour for word in self.words])
        self.axis = self.rows.axis(self.zero)
        self.head = self.formula(rich("the scores *s*"))
        self.add(*self.bars)
        self.beat(
            told.ask(self.trace),
            *self.headings(), FadeIn(self.head), FadeIn(self.axis),
            *stretch(self.bars, self.row["scores"] * self.score_unit), run_time=1.2,
        )  # fmt: skip

    def turn_head(self, *wordings):
        """The formula of the next stage takes the place of the one before."""
        old, self.head = self.head, self.formula(*wordings)
        return [turn(old, self.head)]

    def take_largest(self):
        """Large scores: the largest one is taken from each first, which leaves the weights as they are."""
        paths = [record.joined(cell.path, "-", self.shift.path) for cell in self.cells["scores"]]
        cells = [numerals.cell(value, path) for value, path in zip(self.lowered, paths, strict=True)]
        self.beat(
            told.TAKE_LARGEST,
            *self.turn_head(rich("*s* − [m]", m=self.shift)),
            *stretch(self.bars, self.lowered * self.score_unit),
            *count(self.weights, self.row["scores"], self.lowered, cells),
            run_time=1.5,
        )

    def exponentiate(self):
        """Each number counts on to its exponential, and its bar with it."""
        plain = not self.trace.shift[self.trace.last]
        self.beat(
            told.BRING_EXP,
            *self.turn_head(rich("exp(*s*)") if plain else rich("exp(*s* − [m])", m=self.shift)),
            *stretch(self.bars, self.row["exponentials"] * self.exp_unit),
            *count(self.weights, self.lowered, self.row["exponentials"], self.cells["exponentials"]),
            run_time=2.0,
        )

    def add_up(self):
        """The bars move to lie end to end; their sum counts what has arrived."""
        y, colours = self.rows.foot - 0.5 * self.rows.sum_row, palette.theme()
        base = self.rows.base(y)
        name = Text(Run("sum"), BODY, colours.muted).at(flat((self.rows.names_end, base)), 1.0)
        ends = name.get_left()[0], self.point + self.rows.after_point
        over = line([(end, self.rows.foot) for end in ends], colours.rule, 2.0)
        self.sum = Number("0.00", self.rows.size, style="b").at(flat((self.point, base)))
        self.ghosts = [bar.ghost() for bar in self.bars]
        self.remove(*self.bars)
        self.add(*self.ghosts, *self.bars, self.sum)
        self.sum_parts = VGroup(name, over)
        self.beat(
            told.ADD_UP,
            FadeIn(self.sum_parts),
            EndToEnd(self.bars, (self.zero, y), self.sum, self.row["exponentials"], self.total["sums"]),
            run_time=2.0,
        )

    def divide(self):
        """The sum goes into the formula, and every number is divided by it: the whole now counts as 1."""
        old = self.head
        name = rich("*α* = exp(*s*) / [sum]", sum=Run(self.total["sums"].text, style="b", path=self.total["sums"].path))
        self.head = self.formula(name, rich("*α* = exp / [sum]", sum=name[-1]))
        divisor, guest = self.head.runs[-1], self.sum.copy()
        rest = VGroup(*self.head.runs[:-1])
        self.add(guest)
        fly = Fly(guest, divisor.get_center()[:2], TITLE / self.rows.size)
        self.beat(told.TAKE_SUM, turn(old, rest), fly, run_time=1.2)
        self.remove(guest, rest)
        self.add(self.head)
        total = float(self.trace.sums[self.trace.last])
        self.beat(
            told.DIVIDE,
            *count(self.weights, self.row["exponentials"], self.row["attention"], self.cells["attention"]),
            Become(self.sum, total, 1.0, self.total["totals"]),
            run_time=2.0,
        )

    def take_back(self):
        """The shares go back to their words."""
        half = np.array([0.0, self.rows.thick / 2])
        start, end = self.bars[0].start, self.bars[0].start + [self.whole, 0.0]
        frame = line([start - half, end - half, end + half, start + half, start - half], palette.theme().rule, 2.0)
        parts = [bar.ghost() for bar in self.bars]
        self.remove(*self.bars)
        self.add(*parts, frame, *self.bars)
        moves = [Lay(bar, start=ghost.start) for bar, ghost in zip(self.bars, self.ghosts, strict=True)]
        self.beat(
            told.take_back(self.trace),
            LaggedStart(*moves, lag_ratio=0.2), *map(FadeOut, self.ghosts), run_time=1.5, rests=1.5, poster=True,
        )  # fmt: skip
        self.leftovers = [self.head, self.sum, self.sum_parts, *parts, frame]
