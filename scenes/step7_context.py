"""The context displacement is added, and the word crosses the decoder's plane."""

from __future__ import annotations

from functools import partial

import numpy as np
from manim import LaggedStart, VGroup

from attn.picture import palette, richtext
from attn.picture.richtext import Run
from attn.texts import step7_context as told
from attn.texts.phrases import meeting
from scenes._kit.follow import Follow
from scenes._kit.moves import FadeIn, Point, during
from scenes._kit.parts import RIGHT_MIDDLE, DistanceLine, StepScene, vector_column
from scenes._kit.products import Merge
from scenes._kit.spaces import SMALL, TITLE, Draw, disc, flat
from scenes._kit.text import Text
from scenes.step6_output import Step6Output

texts = told.texts
RING = 0.09  # the radius of the ring where the plane is met


class Step7Context(StepScene):
    """x + c = h: in numbers, in the space, and as a distance to the plane."""

    after = Step6Output

    def construct(self):
        self.before()
        self.say_what()
        self.add_in_numbers()
        self.cross()
        self.measure()

    def before(self):
        """The stage as the output matrix leaves it: e and x of the word, the displacement at the tip of x."""
        self.open_stage("positioned")
        self.take("e", "x", "c", "c_column", "labels")
        space = self.space
        self.h = space.state("contextual")
        self.labels = self.labels | {"contextual": space.state_label("contextual")}
        met = self.meeting()
        if met is not None:
            said, pink = meeting(self.trace), palette.theme().context
            self.labels["met"] = space.name(met, said, pink, (1.0, -1.0), SMALL, clear=RING)
        space.place()

    def column(self, row: str, place: int, colour: str) -> VGroup:
        """One vector of the sum as a column of numbers under its letter."""
        return vector_column(self.trace, row, (RIGHT_MIDDLE + 1.9 * (place - 1), 1.0), colour)

    def say_what(self):
        """What this step does."""
        self.beat(told.displace(self.trace), *self.headings(), run_time=0.8)

    def add_in_numbers(self):
        """The numbers of x come in beside those of c, and both go where they add up."""
        trace, last = self.trace, self.trace.last
        colour = palette.word_colour(trace, trace.tokens[-1])
        x, h = self.column("positioned", 0, colour), self.column("contextual", 2, colour)
        plus, equals = (
            Text(Run(sign), TITLE).at(flat((RIGHT_MIDDLE + at, 1.0 - 0.14)), 0.5)
            for sign, at in (("+", -0.95), ("=", 0.95))
        )
        self.beat(told.ADD, FadeIn(x), FadeIn(plus), run_time=0.8)
        numbers = zip(x.column.numbers, self.c_column.column.numbers, h.column.numbers, strict=True)
        values = zip(trace.positioned[last], trace.correction[last], strict=True)
        sums = [Merge(*three, both) for three, both in zip(numbers, values, strict=True)]
        self.h_column = h
        self.add(h[0], h.column.brackets, equals)
        self.beat(told.ADD_UP, LaggedStart(*sums, lag_ratio=0.3), run_time=2.0)

    def cross(self):
        """The tip of h leaves the tip of x along the displacement; the strip turns as it passes the plane."""
        self.add(self.h)
        self.mark = self.ring()
        if self.mark:
            self.add(self.mark)
        start, end = (self.trace.state(name) for name in ("positioned", "contextual"))

        def reach(share):
            self.h.span(*map(self.space.point, (np.zeros(3), start + share * (end - start))))

        arrive = partial(self.strip.show, "contextual")
        follow = Follow(self.strip, start, end, arrive, reach, [self.h], self.mark)
        self.beat(told.cross(self.trace), follow, run_time=2.5)
        names = [FadeIn(self.labels[name]) for name in ("contextual", "met") if name in self.labels]
        self.beat(told.predict(self.trace), *names, Point(self.strip.result), run_time=0.8)

    def meeting(self) -> np.ndarray | None:
        """Where the displacement meets the plane on the stage."""
        start, end = (self.trace.state(name) for name in ("positioned", "contextual"))
        share = self.trace.plane.crossing(start, end)
        return None if share is None else self.space.point(start + share * (end - start))

    def ring(self):
        """A ring where the displacement meets the plane, or None."""
        met, colours = self.meeting(), palette.theme()
        if met is None:
            return None
        radius = min(RING, 0.22 * float(np.hypot(*(self.c.end - self.c.start))))
        return disc(met, radius, colours.paper, colours.context, 4.0)

    def measure(self):
        """The three distances to the plane on one line, and what comes of it all."""
        distances = DistanceLine(self.trace)
        self.beat(
            told.MEASURE,
            FadeIn(distances.ground),
            FadeIn(distances.marks),
            *(FadeIn(drop) for drop in map(self.space.drop, ("positioned", "contextual")) if len(drop)),
            Draw(distances.arrow, rate_func=during(0.7, 1.0)),
            run_time=2.0,
        )
        self.beat(richtext.spoken(self.said.outcome), self.turn_out(), run_time=0.8, rests=1.5, poster=True)
