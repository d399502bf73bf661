"""The same word in several sentences: three paths through one space, one decoder."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from manim import VGroup

from attn import look, story
from attn.look import Cell, Run
from attn.model import WeightsError
from attn.story import predicted_words
from scenes._bars import LEAST, Arrive, Bar, Lay
from scenes._captions import either
from scenes._moves import FadeIn
from scenes._parts import EDGE_X, LEFT, RIGHT, Follow, StepScene, sentence
from scenes._space import (
    BODY,
    CAP,
    HEAD,
    SMALL,
    STRONG,
    TITLE,
    Draw,
    EmbeddingSpace,
    Vector,
    disc,
    flat,
    line,
    rectangle,
    shortened,
)  # fmt: skip
from scenes._text import Text

texts = story.contrast
FINAL = "contextual"
WORDS = RIGHT.left + 0.62  # left edge of a sentence's words
ROOM = 1.75  # for the predicted word
LETTERS = "ABC"  # of the sentences and of the points where they lead
BADGE = 0.23  # radius of the disc behind a sentence's letter
FINE = 2.5  # weight of an arrow from a sentence to what follows
TALL = 0.62  # a weight of 1
SPACING, NARROW = 0.24, 0.6  # between two words, and the narrowest column


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
        self.colour = look.word_colour(trace, trace.tokens[-1])
        dash, pink = look.QUANTITIES["positioned"].dash, look.theme().context
        starts = [other.state("positioned") for other in trace.contrast]
        ends = [other.state(FINAL) for other in trace.contrast]
        self.x = [space.arrow(np.zeros(3), start, self.colour, dash=dash) for start in starts]
        self.c = [space.arrow(*pair, pink, width=STRONG) for pair in zip(starts, ends, strict=True)]
        self.dots = [disc(space.point(end), 0.1, self.colour, look.theme().paper, 2.0) for end in ends]
        self.marks = [
            space.name(c.end, (Run(LETTERS[i], style="b"),), self.colour, c.end - c.start, TITLE, clear=0.1)
            for i, c in enumerate(self.c)
        ]
        space.place()
        self.here, self.ends = starts[0], []  # the strip's point; where the sentences' words end
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
        own = max(map(abs, self.trace.distances.values())) or 1.0
        self.strip.unit *= own / max(own, *(abs(d) for o in others for d in o.distances.values()))
        self.bring_to_back(self.space.ground)
        self.add(self.sentence)

    def stand(self, index: int, checkpoint: str) -> None:
        """The strip shows the prediction at a checkpoint of a sentence, as recorded there."""
        self.strip.put(self.trace.contrast[index], checkpoint, f"contrast[{index}].")

    def listen(self, index: int):
        """The sentence comes, with what the word pays attention to; the word stands where its position puts it."""
        other = self.trace.contrast[index]
        parts, bars, lengths = self.sentence_row(index)
        start = other.state("positioned")
        known = any(np.array_equal(start, o.state("positioned")) for o in self.trace.contrast[:index])
        word, most = other.tokens[-1], other.tokens[int(np.argmax(other.attention[other.last]))]
        told = f"In “{' '.join(other.tokens)}” it listens most to “{most}”."
        if len(told) > 48:
            told = f"In sentence {LETTERS[index]} it listens most to “{most}”."
        caption = f"Alone, “{word}” can listen only to itself." if other.n == 1 else told
        self.add(*bars)
        self.beat(
            caption,
            *(self.headings()[:1] if index == 0 else []),  # what comes of it all is said at the end
            FadeIn(parts),
            *(Lay(bar, length) for bar, length in zip(bars, lengths, strict=True)),
            Follow(self.strip, self.here, start, partial(self.stand, index, "positioned")),
            *([] if known else [Draw(self.x[index])]),
            run_time=1.5,
        )
        self.here = start

    def sentence_row(self, index: int):
        """Number and words of a sentence under the bars of their weights: what fades in, the bars, their lengths."""
        other, y = self.trace.contrast[index], self.row_y(index)
        weights = look.weight_cells(other.attention[other.last], f"contrast[{index}].attention[{other.last}]")
        shown, size, widths = columns(self.trace, other, EDGE_X - ROOM - WORDS)
        mark = Text(Run(LETTERS[index], style="b"), HEAD, look.on(self.colour))
        centre = RIGHT.left + BADGE, y + 0.14
        parts = VGroup(disc(centre, BADGE, self.colour), mark.at(flat((centre[0], centre[1] - CAP * HEAD / 2)), 0.5))
        bars, lengths, x = [], [], WORDS
        for (j, run), wide in zip(shown.items(), widths, strict=True):
            middle, length = x + wide / 2, TALL * other.attention[other.last][j]
            word = Text(run, size).at(flat((middle, y)), 0.5)
            number = Text(weights[j], SMALL).at(flat((middle, y + 0.4 + length + 0.07)), 0.5)
            parts.add(word, number)
            if j == other.last:
                left, base = word.baseline[:2]
                parts.add(line([(left, base - 0.1), (left + word.peg.width, base - 0.1)], run.colour, 4.0))
            bars.append(Bar((middle, y + 0.4), 0.0, min(0.42, 0.6 * wide), run.colour, upright=True))
            lengths.append(length)
            x += wide
        parts.add(line([(WORDS, y + 0.4), (x, y + 0.4)], look.theme().rule, 2.0))
        if len(shown) < other.n:
            parts.add(Text(Run("…"), size, look.theme().muted).at(flat((x, y))))
        self.ends.append(x if len(shown) == other.n else EDGE_X)
        return parts, bars, lengths

    def row_y(self, index: int) -> float:
        """The baseline of a sentence."""
        pitch = RIGHT.height / len(self.trace.contrast)
        return RIGHT.bottom + RIGHT.height - pitch * (index + 1) + 0.24

    def go(self, index: int):
        """Along the displacement to where the word comes to stand; the strip turns where it passes the plane."""
        other, story = self.trace.contrast[index], self.trace.model.story
        before, after = other.distances["positioned"], other.distances[FINAL]
        caption = (
            f"The context carries it across the plane, to the “{story.target}” side."
            if before < 0 < after
            else f"The context moves it, and it stays on the “{story.origin}” side."
            if before < 0 and after < 0
            else "The context moves it."
        )
        self.add(self.c[index])
        self.beat(caption, self.way(index), run_time=1.6)
        self.here = other.state(FINAL)

    def way(self, index: int) -> Follow:
        """A displacement is drawn; the strip follows its tip."""
        vector, (start, end) = self.c[index], (self.trace.contrast[index].state(n) for n in ("positioned", FINAL))

        def draw(share):
            vector.span(*map(self.space.point, (start, start + share * (end - start))))

        return Follow(self.strip, start, end, partial(self.stand, index, FINAL), draw, [vector])

    def predict(self, index: int):
        """What follows goes to stand beside the sentence."""
        chip = self.chip(index)
        source = self.strip.result.get_center()[:2]
        self.add(self.dots[index])
        said = either(self.trace.contrast[index].decoder[FINAL].words)
        start, end = self.ends[index] + 0.12, chip.get_left()[0] - 0.12
        ways = [FadeIn(self.arrow(start, end, index))] if end - start > 0.3 else []
        self.beat(f"Next comes {said}.", Arrive(chip, source, 0.9), FadeIn(self.marks[index]), *ways, run_time=0.8)

    def arrow(self, start: float, end: float, index: int) -> Vector:
        """From a sentence to what follows it."""
        y = self.row_y(index) + 0.12
        return Vector((start, y), (end, y), look.theme().rule, FINE)

    def chip(self, index: int) -> VGroup:
        """The predicted word in a filled frame, its probability above; the words of a tie without a frame."""
        other, y = self.trace.contrast[index], self.row_y(index)
        found = other.decoder[FINAL]
        row = self.trace.model.vocabulary.index(found.word)
        path = look.member(f"contrast[{index}].decoder.{FINAL}.probabilities", found.word)
        share = Text(Cell(look.weight_texts(found.probabilities)[row], path), HEAD)
        run, room = look.word(self.trace, found.word), ROOM - 0.45
        if found.tie:
            words = fitted(predicted_words(other, FINAL, self.trace), room + 0.3)
        else:
            words = fitted((replace(run, colour=look.on(run.colour)),), room)
        half = words.peg.width / 2 + 0.15
        middle = EDGE_X - half
        frame = rectangle(middle - half, y - 0.14, middle + half, y + 0.38, run.colour)
        words.at(flat((middle, y)), 0.5)
        share.at(flat((middle, y + 0.52)), 0.5)
        return VGroup(*([] if found.tie else [frame]), words, share)

    def rest(self):
        """All paths at once."""
        self.beat(
            "One word, one decoder: the company decides.", FadeIn(self.does), run_time=0.8, rests=2.0, poster=True
        )


def columns(trace, other, width: float) -> tuple[dict[int, Run], float, list[float]]:
    """The words that have room (by row), their size and the widths of their columns.

    All words, smaller or shortened if need be; else those that weigh most, in their order, the followed one among them.
    """
    words = [look.word(trace, token) for token in other.tokens]
    for size in (TITLE, HEAD, BODY, SMALL, 0.28):
        widths = [max(Text(word, size).peg.width + SPACING, NARROW) for word in words]
        if sum(widths) <= width:
            return dict(enumerate(words)), size, widths
    order = sorted(range(other.n), key=lambda j: (j != other.last, -other.attention[other.last][j], j))
    count = min(other.n, int(width / 0.9))
    share = (width - (0.25 if count < other.n else 0.0)) / count
    shown = {j: shortened((words[j],), share - 0.12, 0.28)[0] for j in sorted(order[:count])}
    return shown, 0.28, [share] * count


def fitted(runs, width: float) -> Text:
    """Text as large as fits into `width`, down to the smallest that can be read."""
    wide = Text(runs, HEAD + 0.04).peg.width
    return Text(runs, max(LEAST, min(HEAD + 0.04, (HEAD + 0.04) * width / wide)))
