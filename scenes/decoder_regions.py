"""The decoder scores each word at every point, and the points where two words tie form a plane."""

from __future__ import annotations

import numpy as np
from manim import VGroup

from attn import look, story
from attn.decoder import decode
from attn.look import Cell, rich
from scenes._moves import Direct, FadeIn, FadeOut
from scenes._parts import RIGHT, RIGHT_MIDDLE, StepScene
from scenes._space import TITLE, Box, disc, flat
from scenes._table import Block, Table, colours_of, listed, longer, size_of
from scenes._text import Text

texts = story.decoder_regions
FORMULA = 2.38  # its baseline
BELOW = Box(RIGHT.left, RIGHT.bottom + 0.1, RIGHT.width, RIGHT.height - 0.75)  # the table, under the formula
# Where the letter may stand beside its point; the last two, farther off, where a name lies on the point.
LABELS = ((0.2, -0.1), (-0.38, -0.1), (-0.08, 0.2), (-0.08, -0.45), (-0.08, 0.5), (-0.08, -0.75))
INSIDE = 0.8  # how far out a point may start, as a share of the cube


class DecoderRegions(StepScene):
    """A point travels through the space while the decoder's scores follow it."""

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
        self.choose_way()
        self.make_table()
        self.make_point()
        self.remove(self.space.ground)
        self.bare = VGroup(*self.space.frame)
        self.add(self.bare, self.point)
        self.seen()

    def choose_way(self):
        """From a point on the other side, through the plane, to where the followed word starts."""
        trace, view = self.trace, self.trace.view
        self.word = trace.tokens[-1]
        self.end = trace.state("embedding")
        middle = (view.low + view.high) / 2
        corners = middle + INSIDE * (view.corners() - middle)
        away = 1.0 if trace.distances["embedding"] <= 0 else -1.0
        reach = away * np.asarray(trace.plane.distance(corners))
        near = np.linalg.norm(corners - self.end, axis=1)
        free = [self.free(self.space.point(corner), LABELS[0]) for corner in corners]
        self.start = corners[int(np.argmax(reach - 0.35 * near + np.where(free, 0.0, -reach.max())))]
        self.tie = trace.plane.crossing(self.start, self.end)  # a share of the way, or None
        self.tie_point = None if self.tie is None else self.start + self.tie * (self.end - self.start)

    def make_table(self):
        """W_out and b_out, a row a word, and the scores they give at the point."""
        trace, model = self.trace, self.trace.model
        self.shown, rest = listed(trace, 8)
        words = [model.vocabulary[i] for i in self.shown]
        final = trace.decoder["embedding"].scores
        first = self.scores_at(self.start)
        paths = [look.member("decoder.embedding.scores", word) for word in words]
        self.final = [look.cell(final[i], path) for i, path in zip(self.shown, paths, strict=True)]
        begin = [Cell(look.number(first[i]), None) for i in self.shown]
        both = longer([[c] for c in begin], [[c] for c in self.final])
        weights = look.cells(model.W_out, "parameters.W_out")
        biases = look.cells(model.b_out, "parameters.b_out")
        blocks = [
            Block([weights[i] for i in self.shown], rich("*W*_{out}"), size_of(trace, "V", "d_model"), learned=True),
            Block([[biases[i]] for i in self.shown], rich("*b*_{out}"), learned=True),
            Block([[c] for c in begin], rich("score"), widest=both),
        ]
        table = Table([look.word(trace, w) for w in words], blocks, colours_of(trace, words), BELOW, rest)
        self.score_block = table.blocks[2]
        self.scores = self.score_block.column()
        self.formula = Text(rich("score(*w*) = *W*_{out}(*w*) · *r* + *b*_{out}(*w*)"), TITLE)
        self.formula.at(flat((RIGHT_MIDDLE, FORMULA)), 0.5)
        table.remove(self.score_block)
        self.numbers, self.table = table, VGroup(self.formula, table)

    def scores_at(self, point) -> np.ndarray:
        model = self.trace.model
        return decode(model.W_out, model.b_out, point, model.vocabulary).scores

    def make_point(self):
        """A mark and its letter, where it can on a side on which it covers nothing wherever it rests."""
        stops = [self.start, self.end, *([self.tie_point] if self.tie is not None else [])]
        places = [self.space.point(stop) for stop in stops]
        self.sides = sorted(LABELS, key=lambda offset: -sum(self.free(place, offset) for place in places))
        colours = look.theme()
        self.point = VGroup(disc((0, 0), 0.1, colours.ink, colours.paper, 2.0), Text(rich("*r*"), TITLE, colours.ink))
        self.set_point(self.start, self.side(self.start))
        self.strip.follow(self.start).ask(rich("*r*"))

    def free(self, place, offset) -> bool:
        """Whether a letter beside a stage point covers no letter or word of the space."""
        x, y = place + np.asarray(offset)
        boxes = self.space.taken
        return not any(x - 0.1 < c and x + 0.25 > a and y - 0.1 < d and y + 0.35 > b for a, b, c, d in boxes)

    def side(self, point) -> np.ndarray:
        """Where the letter stands beside a point of the space at which it rests."""
        place = self.space.point(point)
        return np.array(next((side for side in self.sides if self.free(place, side)), self.sides[0]))

    def set_point(self, point, side):
        """Moves the mark to a point of the space, and its letter to that `side` of it."""
        place = self.space.point(point)
        self.point[0].move_to(flat(place))
        self.point[1].at(flat(place + side))

    def show_weights(self):
        """What the film is about, then the learned numbers."""
        self.beat(
            "Which word comes next? At every point r the decoder gives each word a score.",
            *self.headings(), FadeIn(self.formula), run_time=0.8,
        )  # fmt: skip
        self.beat("It has learned weights and a bias for each word.", FadeIn(self.numbers), run_time=0.8)
        self.remove(self.formula, self.numbers)
        self.add(self.table)

    def show_scores(self):
        """A score for each word, at the point."""
        heads = FadeIn(self.score_block.brackets), FadeIn(self.score_block.title)
        self.add(*self.scores)
        count = Probe(self, self.start, self.start, counting=True)
        self.beat("With them it scores every word at r.", *heads, count, run_time=1.5)

    def go_to_tie(self):
        """To where the two words score the same, if that is on the way."""
        origin, target = self.trace.model.story.origin, self.trace.model.story.target
        self.here = self.start
        if self.tie is not None:
            self.here = self.tie_point
            caption = f"As r moves, the scores change. Here “{origin}” and “{target}” score the same."
            self.beat(caption, Probe(self, self.start, self.here), run_time=2.0, rests=1.5)

    def part_space(self):
        """The plane of all ties, and the two sides in their words' colours."""
        origin, target = self.trace.model.story.origin, self.trace.model.story.target
        seen = self.space.section is not None
        caption = (
            f"All such points form a plane. “{origin}” is ahead on one side, “{target}” on the other."
            if seen
            else f"The plane where “{origin}” and “{target}” tie is far off: one is ahead everywhere here."
        )
        paints = [Paint(part, look.theme().paper) for part in self.space.shades]
        self.remove(self.bare, self.point)
        self.add(*self.space.shades, self.bare, self.point)
        self.beat(caption, *paints, *map(FadeIn, self.space.words), run_time=1.2, rests=1.0)
        self.remove(self.bare, *self.space.shades, *self.space.words, self.point)
        self.add(self.space.ground, self.point)

    def go_to_word(self):
        """On to where the followed word starts."""
        if np.any(self.here != self.end):
            caption = f"Now to where “{self.word}” starts. The strip below follows along."
            self.beat(caption, Probe(self, self.here, self.end), run_time=2.0)
        self.strip.show("embedding")
        for number, cell in zip(self.scores, self.final, strict=True):
            number.show(cell)
        leaders = " and ".join(f"“{word}”" for word in self.trace.decoder["embedding"].words)
        self.beat(f"From there the decoder predicts {leaders}.", rests=1.5, poster=True)

    def leave(self):
        """The decoder stays as it is; the point goes."""
        gone = VGroup(self.point, self.score_block.brackets, self.score_block.title, *self.scores)
        self.beat("The plane stays; words will move.", FadeOut(gone), run_time=0.8)


class Probe(Direct):
    """The point goes from one place to another; its scores and the strip follow it."""

    def __init__(self, scene: DecoderRegions, start, end, counting: bool = False, **options):
        self.scene, self.start, self.end, self.counting = scene, start, end, counting
        self.sides = scene.side(start), scene.side(end)
        super().__init__(VGroup(scene.point, scene.strip, *scene.scores), **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share, scene = self.rate_func(alpha), self.scene
        point = self.start + share * (self.end - self.start)
        scene.set_point(point, self.sides[0] + share * (self.sides[1] - self.sides[0]))
        scene.strip.follow(point)
        values = scene.scores_at(point)[scene.shown] * (share if self.counting else 1.0)
        for number, value in zip(scene.scores, values, strict=True):
            number.show(Cell(look.number(value), None))


class Paint(Direct):
    """An area takes on its colour, fill and edge."""

    def __init__(self, area, before: str, **options):
        self.before, self.fill = before, area.get_fill_color().to_hex()
        self.edge = area.get_stroke_color().to_hex()
        super().__init__(area, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self.mobject.set_fill(look.mix(self.fill, share, self.before))
        self.mobject.set_stroke(look.mix(self.edge, share, self.before))
