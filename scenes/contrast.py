"""The same word in several sentences: three paths through one space, one decoder."""

from __future__ import annotations

from functools import partial

import numpy as np

from attn.core.model import WeightsError
from attn.picture import palette, quantities
from attn.picture.richtext import Run
from attn.texts import contrast as told
from scenes._kit.bars import stretch
from scenes._kit.moves import Arrive, FadeIn
from scenes._kit.parts import LEFT, Follow, StepScene, sentence
from scenes._kit.sentences import FINAL, LETTERS, SentenceLine
from scenes._kit.spaces import STRONG, TITLE, Draw, EmbeddingSpace, disc

texts = told.texts


class Contrast(StepScene):
    """Sentence by sentence: what the word listens to, where that moves it, what comes next."""

    def construct(self):
        self.before()
        for index in range(len(self.trace.contrast)):
            self.listen(index)
            self.go(index)
            self.predict(index)
        self.rest()

    def before(self):
        """The space and the strip; all paths and the numbers of their ends have their places."""
        if not self.trace.contrast:
            raise WeightsError("story.sentence", "cannot be compared with other sentences: no W_O or no decoder")
        self.open_stage("positioned")
        trace, space = self.trace, self.space
        self.colour = palette.word_colour(trace, trace.tokens[-1])
        dash, pink = quantities.QUANTITIES["positioned"].dash, palette.theme().context
        starts = [other.state("positioned") for other in trace.contrast]
        ends = [other.state(FINAL) for other in trace.contrast]
        self.x = [space.arrow(np.zeros(3), start, self.colour, dash=dash) for start in starts]
        self.c = [space.arrow(*pair, pink, width=STRONG) for pair in zip(starts, ends, strict=True)]
        self.dots = [disc(space.point(end), 0.1, self.colour, palette.theme().paper, 2.0) for end in ends]
        self.marks = [
            space.name(c.end, (Run(LETTERS[i], style="b"),), self.colour, c.end - c.start, TITLE, clear=0.1)
            for i, c in enumerate(self.c)
        ]
        space.place()
        self.lines = [SentenceLine(trace, index) for index in range(len(trace.contrast))]
        self.here = starts[0]  # the strip's point
        self.stand(0, "positioned")
        self.seen()

    def _set_up(self, checkpoint: str) -> None:
        super()._set_up(checkpoint)
        self.remove(self.space.ground, self.sentence)
        others = self.trace.contrast
        zero = np.zeros(3)
        places = [(zero, other.state("positioned"), other.state(FINAL)) for other in others]
        paths = np.array([pair for place in places for pair in zip(place, place[1:], strict=False)])
        self.space = EmbeddingSpace(LEFT, self.trace, vectors=paths)
        self.sentence = sentence(others[0])  # the word alone
        self.bring_to_back(self.space.ground)
        self.add(self.sentence)

    def stand(self, index: int, checkpoint: str) -> None:
        """The strip shows the prediction at a checkpoint of a sentence, as recorded there."""
        self.strip.put(self.trace.contrast[index], checkpoint, "contrast", index)

    def listen(self, index: int):
        """The sentence comes, with what the word pays attention to; the word stands where its position puts it."""
        other, line = self.trace.contrast[index], self.lines[index]
        start = other.state("positioned")
        known = any(np.array_equal(start, o.state("positioned")) for o in self.trace.contrast[:index])
        self.add(*line.bars)
        self.beat(
            told.listen(other, index),
            *(self.headings()[:1] if index == 0 else []),  # what comes of it all is said at the end
            FadeIn(line.parts),
            *stretch(line.bars, line.lengths),
            Follow(self.strip, self.here, start, partial(self.stand, index, "positioned")),
            *([] if known else [Draw(self.x[index])]),
            run_time=1.5,
        )
        self.here = start

    def go(self, index: int):
        """Along the displacement to where the word comes to stand; the strip turns where it passes the plane."""
        other = self.trace.contrast[index]
        self.add(self.c[index])
        self.beat(told.go(other), self.way(index), run_time=1.6)
        self.here = other.state(FINAL)

    def way(self, index: int) -> Follow:
        """A displacement is drawn; the strip follows its tip."""
        vector, (start, end) = self.c[index], (self.trace.contrast[index].state(n) for n in ("positioned", FINAL))

        def draw(share):
            vector.span(*map(self.space.point, (start, start + share * (end - start))))

        return Follow(self.strip, start, end, partial(self.stand, index, FINAL), draw, [vector])

    def predict(self, index: int):
        """What follows goes to stand beside the sentence."""
        chip, source = self.lines[index].chip(), self.strip.result.get_center()[:2]
        self.add(self.dots[index])
        come = FadeIn(self.marks[index]), *map(FadeIn, self.lines[index].arrow(chip))
        self.beat(told.predict(self.trace.contrast[index]), Arrive(chip, source, 0.9), *come, run_time=0.8)

    def rest(self):
        """All paths at once."""
        self.beat(told.rest(self.trace), FadeIn(self.does), run_time=0.8, rests=2.0, poster=True)
