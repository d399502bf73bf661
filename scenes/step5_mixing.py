"""The values, each shrunk to its weight, are laid tip to tail: what the word has gathered."""

from __future__ import annotations

import numpy as np
from manim import LaggedStart, VGroup

from attn.picture import palette, richtext
from attn.picture.richtext import Run
from attn.texts import step5_mixing as told
from scenes._kit.bars import Rows
from scenes._kit.moves import LATE, FadeIn, FadeOut, Fly
from scenes._kit.parts import EDGE_X, PLANE, RIGHT, StepScene
from scenes._kit.spaces import CAP, LEAST, STRONG, AttentionSpace, Box, Draw, Travel, fitting, flat, line
from scenes._kit.text import Text
from scenes.step4_softmax import Step4Softmax

texts = told.texts
FEW = 6  # words, up to which each value is named in the space
LEGIBLE = 0.31  # em of the smallest text that may have a subscript
PALE = 0.4  # share of a word's colour in what a value was
BESIDE = PLANE.left + PLANE.width + 0.25
SUM = Box(BESIDE, RIGHT.bottom + 0.1, EDGE_X - BESIDE, RIGHT.height - 0.4)  # the sum in letters


class Step5Mixing(StepScene):
    """Weights go to their values, the values shrink and line up, and the sum arrow is drawn last."""

    after = Step4Softmax

    def construct(self):
        self.before()
        self.bring_weights()
        self.name_values()
        self.scale()
        self.lay_tip_to_tail()
        self.draw_sum()
        self.leave_sum()

    def before(self):
        """The stage as softmax leaves it; where everything of this step will stand."""
        self.open_stage("positioned")
        self.take("e", "x", "e_names", "x_names", "weights")
        trace, last = self.trace, self.trace.last
        self.plane = AttentionSpace(PLANE, trace)
        colours = [palette.word_colour(trace, token) for token in trace.tokens]
        self.full = [
            self.plane.arrow("values", j, colour=palette.mix(c, PALE), width=3.0) for j, c in enumerate(colours)
        ]
        self.values = [self.plane.arrow("values", j) for j in range(trace.n)]
        self.parts = trace.weighted[last]  # n x 2
        tips = np.cumsum(self.parts, axis=0)
        self.tips = self.plane.at(tips), self.plane.at(tips - self.parts)
        for start, end in zip(self.tips[1], self.tips[0], strict=True):
            self.plane.keep_off(start, end)
        self.a = self.plane.arrow("mixed", last, width=STRONG)
        self.names = [self.plane.label("values", j) for j in range(trace.n)] if trace.n <= FEW else []
        self.a_name = self.plane.label("mixed", last)
        self.plane.place()

    def bring_weights(self):
        """What this step does; the weights go to stand before the values that they will scale."""
        self.rows = Rows(SUM, self.trace.n + 1, most=0.8)
        size = self.rows.size
        self.factors, moves = [], []
        for j, (number, token) in enumerate(zip(self.weights, self.trace.tokens, strict=True)):
            y = self.rows.ys[j]
            self.factors.append(self.factor("values", token, y))
            moves.append(Fly(number, (SUM.left + 0.68, y), size / self.past.rows.size))
        ys = map(self.rows.base, self.rows.ys[1:-1])
        self.plus = [Text(Run("+"), size).at(flat((SUM.left + 0.12, y)), 0.5) for y in ys]
        gone = [FadeOut(part) for part in (*self.past.words, *self.past.bars, self.past.axis, *self.past.leftovers)]
        self.beat(
            told.take(self.trace),
            *self.headings(), *gone, *moves, FadeIn(VGroup(*self.factors, *self.plus)), FadeIn(self.plane.ground),
            *(Draw(value, rate_func=LATE) for value in self.full), run_time=1.5,
        )  # fmt: skip

    def factor(self, what: str, token: str, y: float) -> VGroup:
        """The letter of a vector in the row at `y`, with its word; where that has no room there, it stands below."""
        room, size, symbol = EDGE_X - SUM.left - 1.15, self.rows.size, richtext.symbol(self.trace, what, token)
        whole = Text(symbol, size)
        if size >= LEGIBLE and whole.peg.width <= room:
            return VGroup(whole.at(flat((SUM.left + 1.15, self.rows.base(y)))))
        found = VGroup(Text(symbol[:1], size).at(flat((SUM.left + 1.15, self.rows.base(y)))))
        word = fitting([richtext.word(self.trace, token)], SUM.width - 0.3, LEAST)
        if self.rows.pitch >= CAP * (size + LEAST) + 0.1 and word.peg.width <= SUM.width:
            found.add(word.at(flat((EDGE_X, self.rows.base(y) - CAP * LEAST - 0.05)), 1.0))
        return found

    def name_values(self):
        """The values as step 2 made them."""
        names = [FadeIn(VGroup(*self.names))] if self.names else []
        self.beat(told.NAME_VALUES, *names, run_time=0.8)

    def scale(self):
        """Each value shrinks to its weight; first one by itself."""
        most = int(np.argmax(self.trace.attention[self.trace.last]))
        self.add(*self.values)
        self.beat(
            told.scale(self.trace, most),
            self.shrink(most),
            run_time=1.5,
        )
        rest = [self.shrink(j) for j in range(self.trace.n) if j != most]
        if rest:
            self.beat(told.SCALE_OTHERS, *rest, run_time=1.5)

    def shrink(self, j: int) -> Travel:
        """A value gets as short as its weight says."""
        origin = self.plane.at((0.0, 0.0))
        return Travel(self.values[j], origin, self.plane.at(self.parts[j]))

    def lay_tip_to_tail(self):
        """One after the other moves to the tip of the one before it."""
        moves = [Travel(v, *ends) for v, *ends in zip(self.values, *reversed(self.tips), strict=True)][1:]
        if not moves:
            return
        self.beat(told.LAY_SECOND, moves[0], run_time=1.2)
        if len(moves) > 1:
            rest = LaggedStart(*moves[1:], lag_ratio=0.6)
            self.beat(told.LAY_OTHERS, rest, run_time=1.5)

    def draw_sum(self):
        """From the origin to the last tip: the sum."""
        word = self.trace.tokens[-1]
        y, size = self.rows.base(self.rows.ys[-1]), self.rows.size
        result = Text(Run("="), size).at(flat((SUM.left + 0.9, y)), 0.5)
        name = self.factor("mixed", word, self.rows.ys[-1])
        over = (self.rows.ys[-1] + self.rows.ys[-2]) / 2
        self.result = VGroup(line([(SUM.left, over), (EDGE_X, over)], palette.theme().rule, 2.0), result, name)
        self.beat(
            told.draw_sum(self.trace),
            Draw(self.a),
            FadeIn(self.result),
            FadeIn(self.a_name),
            run_time=1.5,
            poster=True,
        )

    def leave_sum(self):
        """The sum stays; what it is made of stands back."""
        gone = [*self.weights, *self.factors, *self.plus, self.result, *self.full, *self.names]
        colours = [palette.mix(palette.word_colour(self.trace, token), 0.3) for token in self.trace.tokens]
        pale = [v.animate.set_color(c) for v, c in zip(self.values, colours, strict=True)]
        self.beat(told.LEAVE_SUM, *map(FadeOut, gone), *pale, run_time=0.8)
