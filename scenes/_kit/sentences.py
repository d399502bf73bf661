"""Sentences that are compared, a line each: a letter, the words under bars of their weights, and what comes next."""

from __future__ import annotations

from dataclasses import replace
from string import ascii_uppercase

from manim import VGroup

from attn.core import numerals, record
from attn.picture import palette, richtext
from attn.picture.richtext import Run
from attn.texts.phrases import compared, place_of, predicted_words
from scenes._kit.bars import Bar
from scenes._kit.parts import EDGE_X, RIGHT, shrunk
from scenes._kit.spaces import (
    BODY,
    CAP,
    HEAD,
    LEAST,
    SMALL,
    TITLE,
    Vector,
    disc,
    fitting,
    flat,
    line,
    rectangle,
    shortened,
)
from scenes._kit.text import Text

LETTERS = ascii_uppercase  # of the sentences and of the points where they lead
FINAL = "contextual"
WORDS = RIGHT.left + 0.62  # left edge of the words
ROOM = 1.75  # for the predicted word
BADGE = 0.23  # radius of the disc behind a letter
FINE = 2.5  # weight of an arrow from a sentence to what comes next
TALL = 0.62  # a weight of 1, where the lines are far enough apart
AROUND = 0.85  # from line to line, what the words and the numbers take
SPACING, NARROW = 0.24, 0.6  # between two words, and the narrowest column
MOST = 1.6  # how wide a word is before it is cut, if it is long
SIZES = (1, TITLE), (1, HEAD), (1, BODY), (1, SMALL), (1, 0.28), (2, 0.25), (2, LEAST)  # of the words: lines, and em


class SentenceLine:
    """The `index`-th sentence of trace.contrast: its `parts` (letter, words, numbers).

    Its `bars` wait to grow to their `lengths`; `end` is where the words end, the picture's edge if some have no room.
    """

    def __init__(self, trace, index: int):
        others = compared(trace)
        self.trace, self.other, self.index, self.place = trace, others[index], index, place_of(trace, index)
        pitch = RIGHT.height / len(others)
        self.tall = min(TALL, pitch - AROUND)
        self.y = RIGHT.bottom + RIGHT.height - pitch * (index + 1) + 0.24  # the words' baseline
        self.parts, self.bars, self.lengths = VGroup(*self._badge()), [], []
        self._words()

    def _badge(self):
        """The letter on a disc in the followed word's colour."""
        colour, centre = palette.word_colour(self.trace, self.trace.tokens[-1]), (RIGHT.left + BADGE, self.y + 0.14)
        letter = Text(Run(LETTERS[self.index], style="b"), HEAD, palette.on(colour))
        yield disc(centre, BADGE, colour)
        yield letter.at(flat((centre[0], centre[1] - CAP * HEAD / 2)), 0.5)

    def _words(self) -> None:
        other, y, x = self.other, self.y, WORDS
        weights = numerals.weight_cells(other.attention[other.last], record.path(*self.place, "attention", other.last))
        columns = self._columns(EDGE_X - ROOM - WORDS)
        for j, word, wide in columns:
            middle, length, colour = x + wide / 2, self.tall * other.attention[other.last][j], word.rich[0].colour
            word.at(flat((middle, y)), 0.5)
            self.parts.add(word, Text(weights[j], SMALL).at(flat((middle, y + 0.4 + length + 0.07)), 0.5))
            if j == other.last:
                left, base = word.baseline[0], y - 2 * word.rise * word.em
                self.parts.add(line([(left, base - 0.1), (left + word.peg.width, base - 0.1)], colour, 4.0))
            self.bars.append(Bar((middle, y + 0.4), 0.0, min(0.42, 0.6 * wide), colour, upright=True))
            self.lengths.append(length)
            x += wide
        self.parts.add(line([(WORDS, y + 0.4), (x, y + 0.4)], palette.theme().rule, 2.0))
        if len(columns) < other.n:
            self.parts.add(Text(Run("…"), SMALL, palette.theme().muted).at(flat((x, y))))
        self.end = x if len(columns) == other.n else EDGE_X

    def _columns(self, width: float) -> list[tuple[int, Text, float]]:
        """The words that have room: row, text and width of the column.

        All words, smaller or broken into two lines if need be; else those that weigh most, the followed one among them.
        """
        other = self.other
        words = [richtext.word(self.trace, token) for token in other.tokens]
        for parts, size in SIZES:
            texts = [Text(shortened((word,), MOST, size, parts), size, parts=parts) for word in words]
            widths = [max(text.peg.width + SPACING / parts, NARROW) for text in texts]
            if sum(widths) <= width:
                break
        order = sorted(range(other.n), key=lambda j: (j != other.last, -other.attention[other.last][j], j))
        while sum(widths[j] for j in order) > width - (0.25 if len(order) < other.n else 0.0):
            order.pop()
        return [(j, texts[j], widths[j]) for j in sorted(order)]

    def chip(self) -> VGroup:
        """The predicted word in a filled frame, its probability above; the words of a tie without a frame."""
        other, y, room = self.other, self.y, ROOM - 0.45
        found = other.decoder[FINAL]
        share = Text(numerals.probability_cells(other, FINAL, *self.place)[found.word], HEAD)
        run = richtext.word(self.trace, found.word)
        if found.tie:
            words = shrunk(predicted_words(other, FINAL, self.trace), room + 0.3, HEAD + 0.04)
        else:
            words = fitting([replace(run, colour=palette.on(run.colour))], room, HEAD + 0.04, tall=0.55)
        half = words.peg.width / 2 + 0.15
        middle = EDGE_X - half
        frame = rectangle(middle - half, y - 0.14 - 2 * words.rise * words.em, middle + half, y + 0.38, run.colour)
        words.at(flat((middle, y)), 0.5)
        share.at(flat((middle, y + 0.52)), 0.5)
        return VGroup(*([] if found.tie else [frame]), words, share)

    def arrow(self, chip: VGroup) -> list[Vector]:
        """From the sentence to what comes next, where there is room for an arrow."""
        start, end, y = self.end + 0.12, chip.get_left()[0] - 0.12, self.y + 0.12
        return [Vector((start, y), (end, y), palette.theme().rule, FINE)] if end - start > 0.3 else []
