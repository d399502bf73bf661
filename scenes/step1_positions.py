"""Each word's place in the sentence is added to its vector: e becomes x."""

from __future__ import annotations

from functools import partial

import numpy as np
from manim import LaggedStart, VGroup

from attn.core import numerals
from attn.picture import palette
from attn.picture.richtext import Run, rich
from attn.texts import step1_positions as told
from scenes._kit.follow import Follow
from scenes._kit.matrix import Matrix
from scenes._kit.moves import FadeIn, FadeOut
from scenes._kit.parts import StepScene
from scenes._kit.products import AddOn
from scenes._kit.spaces import BODY, CAP, Draw, flat
from scenes._kit.table import Resettle, name_of, sentence_table, vector_of
from scenes._kit.text import Text
from scenes.step0_embeddings import Step0Embeddings

texts = told.texts


class Step1Positions(StepScene):
    """The vector of the place, in numbers and as a shift of every tip."""

    after = Step0Embeddings

    def construct(self):
        self.before()
        self.say_what()
        self.add_in_numbers()
        if self.moves:
            self.show_shifts()
        self.shift()
        self.read()
        self.tidy()

    def before(self):
        """The embeddings, as arrows and as rows."""
        self.open_stage("embedding")
        self.take("e", "e_names", "rows")
        trace, space = self.trace, self.space
        self.word = trace.tokens[-1]
        self.both = sentence_table(trace, place=True)
        self.moves = trace.model.positions is not None
        self.plus = self.sign("+") if self.moves else VGroup()
        self.x = [vector_of(space, "positioned", t, x) for t, x in zip(trace.tokens, trace.positioned, strict=True)]
        shifts = zip(trace.embeddings, trace.positioned, strict=True)
        self.p = [space.arrow(e, x, palette.theme().ink, width=4.0) for e, x in shifts if (e != x).any()]
        order = sorted(range(trace.n), key=lambda j: -j)  # the followed word's has the first choice
        names = {j: name_of(space, "positioned", trace.tokens[j], self.x[j]) for j in order}
        space.place()
        self.x_names = [names[j] for j in range(trace.n)]

    def sign(self, text: str) -> VGroup:
        """A sign between the two brackets, where there is room for it."""
        e, p = self.both.blocks
        (x, y), sign = ((e.span[1] + p.span[0]) / 2, np.mean(self.both.ys)), Text(Run(text), BODY)
        room = p.span[0] - e.span[1] > sign.peg.width + 0.06
        return VGroup(sign.at(flat((x, y - CAP * BODY / 2)), 0.5)) if room else VGroup()

    def say_what(self):
        """What this step does; the places' vectors come in beside the words'."""
        settle = Resettle([self.rows], [VGroup(*self.both.names, self.both.blocks[0])])
        caption = told.PLACES if self.moves else told.NO_PLACES
        come = [*self.both.blocks[1:], self.plus]
        self.beat(caption, *self.headings(), settle, *map(FadeIn, come), run_time=1.2)
        self.remove(self.rows, *self.both.blocks[1:])
        self.add(self.both)

    def add_in_numbers(self):
        """Row by row, number by number, p is added to e."""
        trace, block = self.trace, self.both.blocks[0]
        places = numerals.decimals(np.concatenate([trace.embeddings, trace.positions, trace.positioned]))
        cells = numerals.cells(trace.positioned, "positioned", places)
        old = block.title
        new = _titled_like(block, rich("*x* = *e* + *p*" if self.moves else "*x* = *e*"))
        add = AddOn(
            block.numbers, self.both.blocks[1].numbers if self.moves else [], trace.embeddings, trace.positioned, cells
        )
        caption = told.ADD if self.moves else told.ADD_NOTHING
        self.beat(caption, add, FadeOut(old, self.plus), FadeIn(new), run_time=2.0)
        block.remove(old)
        block.title = new
        block.add(new)

    def show_shifts(self):
        """In the space p is a shift that starts at the tip of e."""
        if self.p:
            grow = LaggedStart(*map(Draw, self.p), lag_ratio=0.3)
            self.beat(told.SHOW_SHIFTS, grow, run_time=1.5)

    def shift(self):
        """Every tip moves along; the strip follows that of the followed word."""
        trace = self.trace
        self.add(*self.x)
        caption = told.SHIFT if self.p else told.STAY
        names = [name for name in dict.fromkeys(self.e_names) if name is not self.e_names[-1]]
        start, end = trace.embeddings, trace.positioned

        def move(share):
            for x, point in zip(self.x, start + share * (end - start), strict=True):
                x.span(*map(self.space.point, (np.zeros(3), point)))

        follow = Follow(self.strip, start[-1], end[-1], partial(self.strip.show, "positioned"), move, self.x)
        self.beat(caption, follow, *map(FadeOut, names), run_time=2.0)

    def read(self):
        """The names of x come; from there the decoder predicts."""
        self.beat(told.read(self.trace), *map(FadeIn, self.x_names), run_time=0.8, rests=1.5, poster=True)

    def tidy(self):
        """Of e only that of the followed word stays, to be compared with."""
        gone = [vector for vector in dict.fromkeys(self.e) if vector is not self.e[-1]]
        places = self.both.blocks[1:]
        if gone or self.p or places:
            self.beat(None, *map(FadeOut, [*gone, *self.p, *places]), run_time=0.8)
        self.both.remove(*places)


def _titled_like(block: Matrix, name) -> VGroup:
    """Another title over a matrix."""
    old, block.title = block.title, VGroup()
    block.titled(name)
    new, block.title = block.title, old
    return new
