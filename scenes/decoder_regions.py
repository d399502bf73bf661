"""The decoder scores each word at every point, and the points where two words tie form a plane."""

from __future__ import annotations

from functools import partial

import numpy as np
from manim import VGroup

from attn.core import numerals
from attn.core.decoder import decode
from attn.core.numerals import Cell
from attn.picture import palette, richtext
from attn.picture.richtext import rich
from attn.texts import decoder_regions as told
from scenes._kit.camera import Rock
from scenes._kit.moves import Direct, FadeIn, FadeOut, Paint, Point
from scenes._kit.parts import RIGHT, RIGHT_MIDDLE, StepScene
from scenes._kit.probe import ProbePoint
from scenes._kit.spaces import TITLE, Box, flat
from scenes._kit.table import Block, Table, listed, longer
from scenes._kit.text import Text
from scenes.question import Question

texts = told.film
FORMULA = 2.38  # its baseline
BELOW = Box(RIGHT.left, RIGHT.bottom + 0.1, RIGHT.width, RIGHT.height - 0.75)  # the table, under the formula


class DecoderRegions(StepScene):
    """A point travels through the space while the decoder's scores follow it."""

    after = Question

    def construct(self):
        self.before()
        self.show_weights()
        self.show_scores()
        self.go_to_tie()
        self.part_space()
        self.go_to_word()
        self.leave()

    def before(self):
        """An empty space, with a point in it that the strip follows: no plane yet and no sides."""
        self.open_stage("embedding")
        self.asked = self.all_but(self.past.title, self.past.does)
        trace = self.trace
        self.word, self.end = trace.tokens[-1], trace.state("embedding")
        self.stops = [probe.point for probe in trace.probes]
        self.make_table()
        self.point = ProbePoint(self.space, [*self.stops, self.end])
        self.strip.probe(0)
        self.bare = VGroup(*self.space.frame)
        self.seen()

    def make_table(self):
        """W_out and b_out, a row a word, and the scores they give at the point."""
        trace, model = self.trace, self.trace.model
        self.shown, rest = listed(trace, 8)
        words = [model.vocabulary[i] for i in self.shown]
        self.cells = [self.score_cells(words, probe.said, "probes", i) for i, probe in enumerate(trace.probes)]
        self.cells.append(self.score_cells(words, trace.decoder["embedding"], "decoder", "embedding"))
        columns = [[[cell] for cell in cells] for cells in self.cells]
        weights = numerals.cells(model.W_out, "parameters.W_out")
        biases = numerals.cells(model.b_out, "parameters.b_out")
        blocks = [
            Block(
                [weights[i] for i in self.shown], rich("*W*_{out}"), richtext.shape(trace, "V", "d_model"), learned=True
            ),
            Block([[biases[i]] for i in self.shown], rich("*b*_{out}"), learned=True),
            Block(columns[0], rich("score"), widest=longer(*columns)),
        ]
        table = Table([richtext.word(trace, w) for w in words], blocks, palette.word_colours(trace, words), BELOW, rest)
        self.score_block = table.blocks[2]
        self.scores = self.score_block.column()
        self.formula = Text(rich("score(*w*) = *W*_{out}(*w*) · *r* + *b*_{out}(*w*)"), TITLE)
        self.formula.at(flat((RIGHT_MIDDLE, FORMULA)), 0.5)
        table.remove(self.score_block)
        self.numbers, self.table = table, VGroup(self.formula, table)

    def score_cells(self, words, said, *place: str | int) -> list[Cell]:
        """The words' scores in a prediction that stands at this place in the trace."""
        found = numerals.by_word(self.trace, map(numerals.number, said.scores), *place, "scores")
        return [found[word] for word in words]

    def scores_at(self, point) -> np.ndarray:
        """The score of every word of the vocabulary (V) at a point of the space (3)."""
        model = self.trace.model
        return decode(model.W_out, model.b_out, point, model.vocabulary).scores

    def show_weights(self):
        """What the film is about, then the learned numbers."""
        come = self.rule, self.sentence, self.bare, self.point, self.formula, self.strip
        self.beat(
            told.ASK,
            *map(FadeOut, self.asked), *self.headings(), *map(FadeIn, come), run_time=0.8,
        )  # fmt: skip
        self.beat(None, Rock(self.space, [(self.point, self.stops[0])]), run_time=2.6)
        self.beat(told.LEARNED, FadeIn(self.numbers), run_time=0.8)
        self.remove(self.formula, self.numbers)
        self.add(self.table)

    def show_scores(self):
        """A score for each word, at the point."""
        heads = self.score_block.brackets, self.score_block.title
        self.beat(told.SCORE, *map(FadeIn, (*heads, *self.scores)), run_time=1.5)

    def go_to_tie(self):
        """To where the two words score the same, if that is on the way."""
        if len(self.stops) > 1:
            self.beat(told.GO_TO_TIE, Probe(self, *self.stops, partial(self.stop, 1)), run_time=2.0, rests=1.5)

    def stop(self, index: int):
        """Scores and strip as they are at one of the probes."""
        self.strip.probe(index)
        self.write(self.cells[index])

    def write(self, cells):
        """The scores are these finished numbers."""
        for number, cell in zip(self.scores, cells, strict=True):
            number.show(cell)

    def part_space(self):
        """The plane of all ties, and the two sides in their words' colours."""
        caption = told.part_space(self.trace, self.space.section is not None, len(self.stops) > 1)
        paints = [Paint(part, palette.theme().paper) for part in self.space.shades]
        self.remove(self.bare, self.point)
        self.add(*self.space.shades, self.bare, self.point)
        self.beat(caption, *paints, *map(FadeIn, self.space.words), run_time=1.2, rests=1.0)
        self.remove(self.bare, *self.space.shades, *self.space.words, self.point)
        self.add(self.space.ground, self.point)

    def go_to_word(self):
        """On to where the followed word starts."""
        if np.any(self.stops[-1] != self.end):
            self.beat(told.go_to_word(self.trace), Probe(self, self.stops[-1], self.end, self.arrive), run_time=2.0)
        self.arrive()
        self.beat(told.predict(self.trace), Point(self.strip.result), poster=True)

    def arrive(self):
        """Scores and strip as they are at the embedding of the followed word."""
        self.strip.show("embedding")
        self.write(self.cells[-1])

    def leave(self):
        """The decoder stays as it is; the point goes."""
        gone = VGroup(self.point, self.score_block.brackets, self.score_block.title, *self.scores)
        self.beat(told.LEAVE, FadeOut(gone), run_time=0.8)


class Probe(Direct):
    """The point goes from one place to another; its scores and the strip follow it, until `arrive` tells them."""

    def __init__(self, scene: DecoderRegions, start, end, arrive, **options):
        self.scene, self.start, self.end, self.arrive = scene, start, end, arrive
        self.sides = scene.point.side(start), scene.point.side(end)
        super().__init__(VGroup(scene.point, scene.strip, *scene.scores), **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share, scene = self.rate_func(alpha), self.scene
        point = self.start + share * (self.end - self.start)
        scene.point.put(point, self.sides[0] + share * (self.sides[1] - self.sides[0]))
        scene.strip.follow(point)
        values = scene.scores_at(point)[scene.shown]
        for number, value in zip(scene.scores, values, strict=True):
            number.show(Cell(numerals.number(value), None))

    def clean_up_from_scene(self, scene) -> None:
        super().clean_up_from_scene(scene)
        self.arrive()
