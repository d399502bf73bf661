"""Three states of one word side by side, and what the one decoder predicts from each."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from manim import VGroup

from attn.core import numerals
from attn.core.forward import STATES
from attn.picture import palette, richtext
from attn.picture.richtext import Run
from attn.texts import summary as told
from attn.texts.phrases import predicted_words, said_of_position
from scenes._kit.moves import Arrive, Exchange, FadeIn, FadeOut, Point, during
from scenes._kit.parts import A_TIE, EDGE_X, StepScene, sentence
from scenes._kit.spaces import (
    BODY,
    FIRM,
    HEAD,
    STRONG,
    TITLE,
    Box,
    Draw,
    EmbeddingSpace,
    Vector,
    fitting,
    flat,
    rectangle,
)
from scenes._kit.text import Text
from scenes.contrast import Contrast

texts = told.film
GAP = 0.35
PITCH = (2 * EDGE_X + GAP) / 3
TOP = 2.38  # baseline of the states' letters
SPACE = (-1.3, 3.28)  # bottom and height of a space
SAID = -1.83  # baseline of what is predicted
LETTER = 1.9  # how wide a state's letter may be


class Summary(StepScene):
    """One space becomes three with a state each; the strip goes from state to state."""

    after = Contrast

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
        self.results: list[VGroup] = []

    def part(self):
        """The space is there three times; each state of the word goes into one of them."""
        past, trace = self.past, self.trace
        self.letters, self.arrows = {}, {}
        for name, space, x in zip(trace.decoder, self.spaces, self.middles, strict=True):
            symbol = richtext.symbol(trace, STATES[name], trace.tokens[-1])
            self.letters[name] = fitting([symbol, symbol[:1]], LETTER, TITLE).at(flat((x, TOP)), 0.5)
            self.arrows[name] = space.state(name)
        gone = self.all_but(self.rule, self.strip, past.title, past.does)
        self.sentence = sentence(trace)
        grounds = VGroup(*(space.ground for space in self.spaces))
        self.bring_to_back(grounds)
        come = [grounds, self.sentence, *self.letters.values()]
        arrows = (Draw(arrow, rate_func=during(0.6, 1.0)) for arrow in self.arrows.values())
        self.beat(
            told.part(trace),
            *self.headings(), *map(FadeOut, gone), *map(FadeIn, come), *arrows,
            run_time=1.5,
        )  # fmt: skip

    def read(self, name: str):
        """The strip turns to a state; what it says goes to stand below it."""
        index = list(self.trace.decoder).index(name)
        added = [FadeIn(self.way(index))] if index else []
        tell = Exchange(self.strip, self.strip.told, partial(self.strip.show, name))
        self.beat(told.read(self.trace, name), tell, *added, run_time=1.5)
        result = self.result(name, self.middles[index])
        self.results.append(result)
        source = self.strip.result.get_center()[:2]
        self.beat(None, Arrive(result, source, HEAD / TITLE), run_time=1.0, poster=index == len(self.spaces) - 1)

    def way(self, index: int) -> VGroup:
        """What is added between a state and the one before it."""
        word, context = self.trace.tokens[-1], index == len(self.spaces) - 1
        colour = palette.theme().context if context else palette.word_colour(self.trace, word)
        names = list(self.trace.decoder)
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
