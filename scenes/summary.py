"""Three states of one word side by side, and what the one decoder predicts from each."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from manim import VGroup

from attn.core import numerals
from attn.core.forward import STATES
from attn.picture import palette, richtext
from attn.picture.richtext import Run
from attn.texts import summary as told
from attn.texts.phrases import predicted_words, said_of_position
from scenes._kit.moves import Arrive, FadeIn, FadeOut, Fly, Point
from scenes._kit.parts import A_TIE, EDGE_X, Follow, StepScene
from scenes._kit.spaces import (
    BODY,
    FIRM,
    HEAD,
    STRONG,
    TITLE,
    Box,
    EmbeddingSpace,
    Travel,
    Vector,
    fitting,
    flat,
    rectangle,
)
from scenes._kit.text import Text
from scenes.decoder import Decoder

texts = told.film
GAP = 0.35
PITCH = (2 * EDGE_X + GAP) / 3
TOP = 2.38  # baseline of the states' letters
SPACE = (-1.3, 3.28)  # bottom and height of a space
SAID = -1.83  # baseline of what is predicted
LETTER = 1.9  # how wide a state's letter may be
LEAST_SCALE = 0.87  # as far as a label may shrink with its subscript in sight


class Summary(StepScene):
    """One space becomes three with a state each; the strip goes from state to state."""

    after = Decoder

    def construct(self):
        self.before()
        self.part()
        for name in self.trace.decoder:
            self.read(name)
        self.rest()

    def before(self):
        """The stage as the decoder leaves it; three small spaces with the camera of the large one."""
        self.open_stage("contextual")
        self.boxes = [Box(-EDGE_X + i * PITCH, SPACE[0], PITCH - GAP, SPACE[1]) for i in range(len(self.trace.decoder))]
        self.spaces = [EmbeddingSpace(box, self.trace, BODY) for box in self.boxes]
        self.middles = [box.left + box.width / 2 for box in self.boxes]
        past = self.past
        self.results: list[VGroup] = []
        self.arrows = dict(zip(self.trace.decoder, (past.e, past.x, past.h), strict=True))

    def part(self):
        """The space is there three times; each state of the word goes into one of them."""
        past, trace, moves = self.past, self.trace, []
        stays = [self.rule, self.sentence, self.strip, past.title, past.does, *self.arrows.values()]
        self.letters = {name: past.labels[name].text for name in self.arrows}
        gone = self.all_but(*stays, *self.letters.values())
        grounds = VGroup(*(space.ground for space in self.spaces))
        self.bring_to_back(grounds)
        for (name, arrow), space, x in zip(self.arrows.items(), self.spaces, self.middles, strict=True):
            moves.append(Travel(arrow, space.point(np.zeros(3)), space.point(trace.state(name))))
            letter = self.letters[name]
            wide = Text(richtext.symbol(trace, STATES[name], trace.tokens[-1]), TITLE).peg.width
            moves.append(Fly(letter, (x, TOP), max(LEAST_SCALE, min(LETTER, wide) / letter.peg.width)))
        self.beat(
            told.part(trace),
            *self.headings(), *map(FadeOut, gone), FadeIn(grounds), *moves, run_time=1.5,
        )  # fmt: skip

    def read(self, name: str):
        """The strip goes to a state; what it says goes to stand below it."""
        index, trace = list(self.arrows).index(name), self.trace
        start = trace.state("contextual" if index == 0 else list(self.arrows)[index - 1])
        added = [FadeIn(self.way(index))] if index else []
        self.beat(
            told.read(trace, name),
            Follow(self.strip, start, trace.state(name), partial(self.strip.show, name)),
            *added,
            run_time=1.5,
        )
        result = self.result(name, self.middles[index])
        self.results.append(result)
        source = self.strip.result.get_center()[:2]
        self.beat(None, Arrive(result, source, HEAD / TITLE), run_time=1.0, poster=index == len(self.arrows) - 1)

    def way(self, index: int) -> VGroup:
        """What is added between a state and the one before it."""
        word, context = self.trace.tokens[-1], index == len(self.arrows) - 1
        colour = palette.theme().context if context else palette.word_colour(self.trace, word)
        names = list(self.arrows)
        left = self.letters[names[index - 1]].get_right()[0] + 0.2
        right = self.letters[names[index]].get_left()[0] - 0.2
        arrow = Vector((left, TOP - 0.02), (right, TOP - 0.02), colour, STRONG if context else FIRM)
        label = Run("+ context", style="b") if context else Run(said_of_position(self.trace))
        text = Text(label, BODY, colour).at(flat(((left + right) / 2, TOP + 0.16)), 0.5)
        return VGroup(arrow, text)

    def result(self, name: str, x: float) -> VGroup:
        """The predicted word in a filled frame, its probability beside it; the words of a tie without a frame."""
        found = self.trace.decoder[name]
        share = Text(numerals.probability_cells(self.trace, name)[found.word], TITLE)
        room = PITCH - GAP - share.peg.width - 0.6
        run = richtext.word(self.trace, found.word)
        if found.tie:
            words = fitting([predicted_words(self.trace, name), *A_TIE], room, TITLE)
        else:
            words = fitting([replace(run, colour=palette.on(run.colour))], room, TITLE)
        whole = words.peg.width + 0.55 + share.peg.width
        left = x - whole / 2
        words.at(flat((left + 0.15, SAID)))
        share.at(flat((x + whole / 2, SAID)), 1.0)
        frame = rectangle(left, SAID - 0.14, left + words.peg.width + 0.3, SAID + 0.44, run.colour)
        return VGroup(*([] if found.tie else [frame]), words, share)

    def rest(self):
        """All three side by side."""
        self.beat(told.rest(self.trace), *map(Point, self.results), run_time=2.0)
