"""The prediction strip: where a state lies between two words, and which word the decoder predicts from it."""

from __future__ import annotations

import numpy as np

from attn.core import numerals
from attn.core.forward import STATES
from attn.picture import palette, richtext
from attn.picture.richtext import Rich, Run, rich
from attn.texts.phrases import predicted_words, probability
from figures._kit import paint
from figures._kit.paint import HEAD, SMALL, THIN, Page

HALF, FRAME, MARK = 1.4, 2.4, 1.25  # mm, half the strip's and half the frames' height, and the radius of the mark
REACH = 0.85  # of the way from the plane to a word, where the mark stands that is farthest off
BELOW, UNDER = 5.2, 5.7  # mm from the line above to the strip, and from there to the line below


def prediction_strip(page: Page, corner, width: float, trace, stage: str) -> None:
    """The prediction at a stage, and below it the signed distance to the plane between the two words.

    `corner` is the left end of its upper line's baseline, in mm.
    """
    x, y = corner
    result = _result(trace, stage, width)
    page.text(x + width, y, result, HEAD, ha="right")
    room = width - paint.text_width(result, HEAD) - 3.0
    said = paint.first_that_fits(_asked(trace, stage), room, HEAD)
    page.text(x, y, said, HEAD, colour=palette.theme().muted)
    at = _signed_strip(page, x, y - BELOW, width, trace, stage)
    distance = numerals.cell(trace.distances[stage], f"distances.{stage}")
    name = rich("signed distance to the plane  [d]", d=distance)
    half = paint.text_width(name, SMALL) / 2
    middle = np.clip(at, x + half, x + max(width - half, half))
    page.text(middle, y - BELOW - UNDER, name, SMALL, ha="center", colour=palette.theme().muted)


def _asked(trace, stage: str) -> list[Rich]:
    """From what the next word is predicted, the longest wording first."""
    row, word = STATES[stage], trace.tokens[-1]
    states = (richtext.symbol(trace, row, word), richtext.symbol(trace, row))
    leads = ("Next word, predicted from", "Next word, from")
    return [rich(f"{lead} [state]", state=s) for lead in leads for s in states]


def _result(trace, stage: str, width: float) -> Rich:
    """The words that lead, with their probability; shorter where there is no room."""
    words, share = predicted_words(trace, stage), probability(trace, stage)
    said = [rich("[words]  probability [share]", words=words, share=share)]
    said += [rich("[words]  [share]", words=words, share=share)]
    if trace.decoder[stage].tie and not paint.blank():
        said += [rich(f"{tie}  [share]", share=share) for tie in ("several words (a tie)", "a tie")]
    return paint.first_that_fits(said, width - paint.text_width(_asked(trace, stage)[-1], HEAD) - 3.0, HEAD)


def _signed_strip(page: Page, x: float, y: float, width: float, trace, stage: str) -> float:
    """A line from the one word to the other, the plane in its middle, a mark where the state lies; gives where."""
    words = (trace.model.story.origin, trace.model.story.target)
    chips = [_chip_width(word) for word in words]
    leads = () if paint.blank() else trace.decoder[stage].words
    _chip(page, x, y, words[0], trace, words[0] in leads)
    _chip(page, x + width - chips[1], y, words[1], trace, words[1] in leads)
    left, right = x + chips[0] + 1.5, x + width - chips[1] - 1.5
    middle, colours = (left + right) / 2, palette.theme()
    for a, b, word in ((left, middle, words[0]), (middle, right, words[1])):
        tint = palette.shade(palette.word_colour(trace, word))
        page.polygon(paint.box(a, y - HALF, b, y + HALF), tint)
    page.line([(middle, y - FRAME), (middle, y + FRAME)], colours.ink, 1.2)
    if paint.blank():
        return middle
    at = middle + REACH * (right - left) / 2 * trace.distances[stage] / trace.reach
    paint.disc(page.ax, (at, y), MARK, palette.word_colour(trace, trace.tokens[-1]), colours.paper, 0.75)
    return at


def _chip_width(word: str) -> float:
    return paint.text_width((Run(word, style="b"),), HEAD) + 3.0


def _chip(page: Page, x: float, y: float, word: str, trace, leads: bool) -> None:
    """A word in a frame; filled with its colour where it leads."""
    colour, width = palette.word_colour(trace, word), _chip_width(word)
    frame = paint.box(x, y - FRAME, x + width, y + FRAME)
    page.polygon(frame, colour if leads else palette.theme().paper, colour, 1.0 if leads else THIN)
    ink = palette.on(colour) if leads else colour
    page.text(x + width / 2, y, (Run(word, style="b", colour=ink),), HEAD, ha="center", va="middle")
