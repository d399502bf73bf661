"""Each word begins as a fixed vector: a row of a table, and an arrow in the space."""

from __future__ import annotations

import numpy as np
from manim import LaggedStart, VGroup

from attn.core import numerals
from attn.picture import palette, richtext
from attn.picture.ranges import drawn_words
from attn.picture.richtext import rich
from attn.texts import step0_embeddings as told
from scenes._kit.moves import Direct, FadeIn, FadeOut, Point
from scenes._kit.parts import StepScene
from scenes._kit.spaces import Draw, line
from scenes._kit.table import Block, Resettle, Table, listed, name_of, sentence_table, vector_of
from scenes.decoder_regions import DecoderRegions

texts = told.texts


class Step0Embeddings(StepScene):
    """The table's rows become arrows; those of the sentence stay."""

    after = DecoderRegions

    def construct(self):
        self.before()
        self.say_what()
        self.read_one()
        self.draw_words()
        self.take_sentence()

    def before(self):
        """The sides and the decoder's table, which goes."""
        self.open_stage("embedding")
        trace, model = self.trace, self.trace.model
        self.word = trace.tokens[-1]
        self.make_table()
        self.make_arrows()
        self.rows = sentence_table(trace)
        self.colours = {word: palette.word_colour(trace, word) for word in model.vocabulary}

    def make_table(self):
        """The embedding table, a row a word of the vocabulary."""
        trace, model = self.trace, self.trace.model
        self.shown, rest = listed(trace)
        words = [model.vocabulary[i] for i in self.shown]
        cells = numerals.cells(model.embeddings, "parameters.embeddings")
        block = Block([cells[i] for i in self.shown], rich("*e*"), richtext.shape(trace, "V", "d_model"), learned=True)
        names, colours = [richtext.word(trace, w) for w in words], palette.word_colours(trace, words)
        self.vocabulary = Table(names, [block], colours, rest=rest)

    def make_arrows(self):
        """An arrow and a label for each word that is drawn; those of the sentence have their places for good."""
        space, trace, model = self.space, self.trace, self.trace.model
        called = {model.entry(token): token for token in trace.tokens}
        self.others = [word for word in drawn_words(trace) if word not in called]
        self.arrows, self.labels = {}, {}
        for word in (*called, *self.others):
            self.arrows[word] = vector_of(space, "embeddings", word, model.embeddings[model.index(word)])
        for words in (called, self.others):
            taken = len(space.taken)
            for word in words:
                self.labels[word] = name_of(space, "embeddings", called.get(word, word), self.arrows[word])
            space.place()
        del space.lines[len(space.lines) - len(self.others) :], space.taken[taken:]  # the others will go again
        self.e = [self.arrows[model.entry(token)] for token in trace.tokens]
        self.e_names = [self.labels[model.entry(token)] for token in trace.tokens]

    def say_what(self):
        """What this step does; the embedding table takes the place of the decoder's."""
        self.beat(
            told.SHOW_TABLE,
            *self.headings(), FadeOut(self.past.table), FadeIn(self.vocabulary), run_time=0.8,
        )  # fmt: skip

    def read_one(self):
        """The followed word's three numbers are as many steps along the axes."""
        word = self.trace.model.entry(self.word)
        row = self.shown.index(self.trace.model.index(word))
        block, arrow = self.vocabulary.blocks[0], self.arrows[word]
        frame, walk = block.frame(row), Walk(self.space, self.trace.state("embedding"), self.colours[word])
        self.beat(told.walk(self.trace), FadeIn(frame), walk, run_time=2.0)
        self.beat(told.DRAW, Draw(arrow), FadeIn(self.labels[word]), run_time=1.0)
        self.beat(None, FadeOut(VGroup(frame, walk.mobject)), *self.others_first(word), run_time=2.0)

    def others_first(self, done: str):
        """The arrows of all other words, one after the other."""
        words = [word for word in self.arrows if word != done]
        self.waiting = [self.labels[word] for word in words]
        return [LaggedStart(*(Draw(self.arrows[word]) for word in words), lag_ratio=0.25)] if words else []

    def draw_words(self):
        """Their names."""
        if self.waiting:
            self.beat(told.DRAW_OTHERS, *map(FadeIn, self.waiting), run_time=0.8)

    def take_sentence(self):
        """The rows of the sentence come out of the table, in the sentence's order; what it does not need goes."""
        trace, model = self.trace, self.trace.model
        spare = [part for word in self.others for part in (self.arrows[word], self.labels[word])]
        rows, copies, targets = self.rows, [], []
        new = VGroup(rows.blocks[0].brackets, rows.blocks[0].title)
        for i, token in enumerate(trace.tokens):
            if (index := model.index(token)) in self.shown:
                copies.append(self.vocabulary.row(self.shown.index(index)).copy())
                targets.append(rows.row(i))
            else:  # its row was left out of the table
                new.add(rows.row(i))
        self.beat(
            told.TAKE_SENTENCE,
            Resettle(copies, targets, crossing=True),
            *map(FadeOut, spare), FadeOut(self.vocabulary), FadeIn(new), run_time=1.5,
        )  # fmt: skip
        self.remove(*copies, new)
        self.add(rows)
        self.beat(told.predict(trace), Point(self.strip.result), poster=True)


class Walk(Direct):
    """From the origin along x, then y, then z: thin lines, as long as the numbers say."""

    def __init__(self, space, point, colour: str, **options):
        corners = np.array([point * (np.arange(3) < k) for k in range(4)], dtype=float)
        self.stops = space.point(corners)
        self.legs = [line([a, a], colour, 3.0) for a in self.stops[:-1]]
        super().__init__(VGroup(*self.legs), introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        come = 3 * self.rate_func(alpha)
        for i, (leg, start, end) in enumerate(zip(self.legs, self.stops, self.stops[1:], strict=False)):
            share = float(np.clip(come - i, 0, 1))
            leg.set_points(line([start, start + share * (end - start)], "#000000").points)
