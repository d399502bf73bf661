"""One word in several sentences, and what follows it: how can that be?"""

from __future__ import annotations

from dataclasses import replace

from manim import VGroup

from attn.core import numerals
from attn.picture import palette, richtext
from attn.texts import question as told
from attn.texts.phrases import compared, place_of, predicted_words
from scenes._kit.moves import FadeIn
from scenes._kit.parts import EDGE_X, StepScene
from scenes._kit.spaces import HEAD, Draw, Vector, fitting, flat, rectangle
from scenes._kit.text import Text

texts = told.texts
TOP, HIGH = 1.7, 4.65  # baseline of the first sentence; how high all are together
PITCH = 1.55  # from one sentence to the next, at most
MIDDLE = 0.9  # where the sentences end
LARGE = 0.62  # em of their words
FOOT = -3.1  # baseline of the question
ARROW = 1.1  # from a sentence to what follows


class Question(StepScene):
    """On words alone, before there is any space."""

    def construct(self):
        self.open_stage("contextual")
        self.clear()
        for index, other in enumerate(compared(self.trace)):
            self.follow(index, other)
        self.ask()

    def follow(self, index: int, other):
        """A sentence comes, then an arrow to the word that follows."""
        y = TOP - min(PITCH, HIGH / len(compared(self.trace))) * index
        words = richtext.spaced([richtext.word(self.trace, token) for token in other.tokens], " ")
        line = fitting([words], MIDDLE + EDGE_X, LARGE)
        line.at(flat((MIDDLE - line.peg.width, y)))
        start = MIDDLE + 0.25
        arrow = Vector((start, y + 0.17), (start + ARROW, y + 0.17), palette.theme().rule)
        title = [FadeIn(self.headline())] if index == 0 else []
        chip = self.chip(index, other, start + ARROW + 0.25, y)
        self.beat(told.follow(other), *title, FadeIn(line), Draw(arrow), FadeIn(chip), run_time=2.2)

    def chip(self, index: int, other, left: float, y: float) -> VGroup:
        """The word that follows in a filled frame, its probability beside it; the words of a tie without a frame."""
        found, place = other.decoder[told.FINAL], place_of(self.trace, index)
        run, room = richtext.word(self.trace, found.word), EDGE_X - left - 1.2
        said = (
            predicted_words(other, told.FINAL, self.trace)
            if found.tie
            else (replace(run, colour=palette.on(run.colour)),)
        )
        words = fitting([said], room, LARGE).at(flat((left + 0.2, y)))
        right = left + words.peg.width + 0.4
        share = Text(numerals.probability_cells(other, told.FINAL, *place)[found.word], HEAD)
        share.at(flat((right + 0.15, y)))
        frame = [] if found.tie else [rectangle(left, y - 0.22, right, y + 0.6, run.colour)]
        return VGroup(*frame, words, share)

    def ask(self):
        """The question that the whole film answers."""
        words = [replace(run, text=word) for run in self.said.does for word in run.text.split()]  # they come one by one
        self.does = fitting([richtext.spaced(words, " ")], 2 * EDGE_X, LARGE).at(flat((0.0, FOOT)), 0.5)
        self.beat(told.ask(self.trace), FadeIn(self.does), run_time=1.6, poster=True)
