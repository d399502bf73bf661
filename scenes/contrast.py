"""The same word in several sentences: three paths through one space, one decoder."""

from __future__ import annotations

from functools import partial

import numpy as np

from attn.picture import palette, quantities
from attn.picture.richtext import Run
from attn.texts import contrast as told
from attn.texts.phrases import compared, place_of
from scenes._kit.bars import stretch
from scenes._kit.follow import Follow
from scenes._kit.moves import Arrive, Exchange, FadeIn, FadeOut, during
from scenes._kit.parts import StepScene, sentence
from scenes._kit.sentences import FINAL, LETTERS, SentenceLine
from scenes._kit.spaces import STRONG, TITLE, Draw, disc
from scenes.decoder import Decoder

texts = told.texts


class Contrast(StepScene):
    """Sentence by sentence: what the word listens to, where that moves it, what comes next."""

    after = Decoder

    def construct(self):
        self.before()
        for index in range(len(compared(self.trace))):
            self.listen(index)
            self.go(index)
            self.predict(index)
        self.rest()

    def before(self):
        """The stage as the decoder leaves it; all paths and the numbers of their ends have their places."""
        self.open_stage("positioned")
        trace, space, past = self.trace, self.space, self.past
        self.others = compared(trace)
        self.colour = palette.word_colour(trace, trace.tokens[-1])
        dash, pink = quantities.QUANTITIES["positioned"].dash, palette.theme().context
        space.forget(past.e, past.x, past.c, past.h, *past.labels.values())
        starts = [other.state("positioned") for other in self.others]
        ends = [other.state(FINAL) for other in self.others]
        self.stems = [space.arrow(np.zeros(3), start, self.colour, dash=dash) for start in starts]
        self.c = [space.arrow(*pair, pink, width=STRONG) for pair in zip(starts, ends, strict=True)]
        self.dots = [disc(space.point(end), 0.1, self.colour, palette.theme().paper, 2.0) for end in ends]
        self.marks = [
            space.name(c.end, (Run(LETTERS[i], style="b"),), self.colour, c.end - c.start, TITLE, clear=0.1)
            for i, c in enumerate(self.c)
        ]
        space.place()
        self.lines = [SentenceLine(trace, index) for index in range(len(self.others))]

    def clear_away(self) -> list[FadeOut]:
        """Of the picture before, the space and the strip stay; on top stands the word alone."""
        gone = self.all_but(self.space.ground, self.rule, self.strip, self.past.title, self.past.does)
        self.sentence = sentence(self.others[0])
        return [*map(FadeOut, gone), FadeIn(self.sentence)]

    def stand(self, index: int, checkpoint: str) -> None:
        """The strip shows the prediction at a checkpoint of a sentence, as recorded there."""
        self.strip.put(self.others[index], checkpoint, *place_of(self.trace, index))

    def listen(self, index: int):
        """The sentence comes, with what the word pays attention to; the word stands where its position puts it."""
        other, line = self.others[index], self.lines[index]
        start = other.state("positioned")
        known = any(np.array_equal(start, o.state("positioned")) for o in self.others[:index])
        opening = (
            [*self.clear_away(), *self.headings()[:-1]] if index == 0 else []
        )  # what comes of it is said at the end
        self.add(*line.bars)
        self.beat(
            told.listen(other, index),
            *opening,
            FadeIn(line.parts),
            *stretch(line.bars, line.lengths, rate_func=during(0.5, 1.0)),
            Exchange(self.strip, self.strip.told, partial(self.stand, index, "positioned")),
            *([] if known else [Draw(self.stems[index])]),
            run_time=1.5,
        )

    def go(self, index: int):
        """Along the displacement to where the word comes to stand; the strip turns where it passes the plane."""
        other = self.others[index]
        self.add(self.c[index])
        self.beat(told.go(other), self.way(index), run_time=1.6)

    def way(self, index: int) -> Follow:
        """A displacement is drawn; the strip follows its tip."""
        vector, (start, end) = self.c[index], (self.others[index].state(n) for n in ("positioned", FINAL))

        def draw(share):
            vector.span(*map(self.space.point, (start, start + share * (end - start))))

        return Follow(self.strip, start, end, partial(self.stand, index, FINAL), draw, [vector])

    def predict(self, index: int):
        """What follows goes to stand beside the sentence."""
        chip, source = self.lines[index].chip(), self.strip.result.get_center()[:2]
        self.add(self.dots[index])
        come = FadeIn(self.marks[index]), *map(FadeIn, self.lines[index].arrow(chip))
        self.beat(told.predict(self.others[index]), Arrive(chip, source, 0.9), *come, run_time=0.8)

    def rest(self):
        """All paths at once."""
        self.beat(told.rest(self.trace), FadeIn(self.does), run_time=0.8, rests=2.0, poster=True)
