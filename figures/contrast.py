"""The same word in other sentences: where it lands, and word by word what moved it there."""

from __future__ import annotations

from string import ascii_uppercase

import numpy as np
from matplotlib.figure import Figure

from attn.core import numerals
from attn.core.model import WeightsError
from attn.picture import palette, quantities, richtext, sizes
from attn.picture.richtext import Rich, Run
from attn.texts.contrast import HEADINGS, texts
from attn.texts.phrases import predicted_words
from figures._kit import layout, paint, waterfall
from figures._kit.layout import EDGE
from figures._kit.paint import BODY, HEAD, SMALL, THIN, Page
from figures._kit.spaces import EmbeddingSpace
from figures._kit.waterfall import Move

WIDTHS = ("page", "text", "column")
FINAL = "contextual"
MOST_WORDS = 6  # that have an arrow of their own
BADGE = 2.1  # mm, the radius of a letter's disc
INDENT = 2 * BADGE + 1.8  # mm, from the badge to the sentence
HEADLINE = 7.0  # mm that a sentence takes above its waterfall
PITCH = 3.8  # mm from row to row of a waterfall
BETWEEN = 3.0  # mm from one sentence to the next
WEIGHT = 8.0  # mm, the column of the attention weights
ROOM = {"page": 22.0, "text": 19.0, "column": 17.0}  # mm, for the predicted word
SPLIT = {"page": 0.45, "text": 0.4}  # of the page, the space; the sentences have the rest
TALL = 58.0  # mm, the space beside the sentences


def draw(trace) -> Figure:
    """One space with a landing point for each sentence; beside it a waterfall for each, all on one scale.

    Raises WeightsError where there is nothing to compare.
    """
    if not trace.contrast:
        raise WeightsError("story.sentence", "cannot be compared with other sentences: no W_O or no decoder")
    rows = [_rows(trace, index) for index in range(len(trace.contrast))]
    heights = [HEADLINE + PITCH * len(each) + BETWEEN for each in rows]
    page, space, (left, bottom, width, height) = _page(trace, sum(heights))
    _landings(EmbeddingSpace(page, space, trace), trace)
    names, size = waterfall.names_of(sum(rows, []), waterfall.text_size(PITCH))
    edge = left + max(paint.text_width(name, size) for name in names) + WEIGHT + waterfall.GAP
    right = left + width - _room(trace)
    scale = waterfall.Scale(sum(rows, []), edge, right, waterfall.text_size(PITCH), trace)
    top = bottom + height
    for index, (each, tall) in enumerate(zip(rows, heights, strict=True)):
        _sentence(page, (left, top - tall, width, tall), trace, index)
        _fall(page, scale, each, top - HEADLINE, trace, (names[: len(each)], size))
        names, top = names[len(each) :], top - tall
    waterfall.foot(page, scale, top + BETWEEN)
    return page.figure


def _room(trace) -> float:
    """Millimetres for the predicted words: as many as the longest needs in the smallest letters."""
    words = [Run(word, style="b") for other in trace.contrast for word in other.decoder[FINAL].words]
    return max(ROOM[sizes.arranged()], *(paint.text_width(word, SMALL) + 5.0 for word in words))


def _rows(trace, index: int) -> list[Move]:
    """x, what each word adds, h: of one of the compared sentences."""
    other, path = trace.contrast[index], f"contrast[{index}]."
    start, end = (waterfall.state(other, name, trace, path) for name in ("positioned", FINAL))
    return [start, *waterfall.pushes(other, trace, MOST_WORDS, path), end]


def _page(trace, tall: float) -> tuple[Page, waterfall.Box, waterfall.Box]:
    """The page with all that is around the space and the sentences, which take `tall` mm; and the boxes for the two.

    What comes of it stands below the space, and in a column below all.
    """
    said, stacked, wide = texts(trace), sizes.arranged() == "column", paint.width()
    x = EDGE if stacked else round(SPLIT[sizes.arranged()] * wide)
    room = wide - 2 * EDGE if stacked else x - EDGE - 6.0
    under = layout.LEADING * len(paint.wrapped(paint.told(said), room, layout.TOLD))
    foot = 2 * waterfall.FOOT + (under + 2.5 if stacked else 0.0)
    tall = tall if stacked else max(tall, TALL + under)
    high = foot + tall + (9.0 + layout.SPACE if stacked else 0.0)
    page = Page(wide, high + 4.5 + layout.header_height(trace, said))
    top, muted = layout.header(page, said, trace), palette.theme().muted
    heading = paint.first_that_fits(HEADINGS, wide - EDGE - x, BODY)
    page.text(EDGE, top - 2.2, layout.SPACE_HEADING, BODY, colour=muted)
    page.text(x, foot + tall + 2.3, heading, BODY, colour=muted)
    space = (EDGE, high - layout.SPACE, room, layout.SPACE) if stacked else (EDGE, high - TALL, room, TALL)
    paint.paragraph(page, EDGE, under - 1.5 if stacked else space[1] - 6.5, paint.told(said), room, layout.TOLD)
    return page, space, (x, foot, wide - EDGE - x, tall)


def _landings(space: EmbeddingSpace, trace) -> None:
    """For each sentence dashed x, once where it is the same, the pink displacement, and a lettered point at h."""
    word = trace.tokens[-1]
    colour, dash = palette.word_colour(trace, word), quantities.QUANTITIES["positioned"].dash
    starts: list[np.ndarray] = []
    for other in trace.contrast:
        start = other.state("positioned")
        if not any(np.array_equal(start, known) for known in starts):
            space.arrow(np.zeros(3), start, colour, width=1.1, dash=dash, label=_start(trace, other))
            starts.append(start)
    lengths = [np.hypot(*(space.at(o.state(FINAL)) - space.at(o.state("positioned")))) for o in trace.contrast]
    for other, length in zip(trace.contrast, lengths, strict=True):
        space.context(other, width=1.8, label=length == max(lengths))
    for i, other in enumerate(trace.contrast):
        _point(space, space.at(other.state(FINAL)), ascii_uppercase[i], colour)
    space.finish()


def _start(trace, other) -> Rich:
    """The name of x; where the word stands at several places, with the letters of the sentences that begin there."""
    word, start = trace.tokens[-1], other.state("positioned")
    alike = [np.array_equal(start, one.state("positioned")) for one in trace.contrast]
    name = richtext.symbol(trace, "positioned", word)
    if all(alike):
        return name
    letters = ", ".join(letter for letter, same in zip(ascii_uppercase, alike, strict=False) if same)
    return (*name, Run(f" ({letters})"))


def _point(space: EmbeddingSpace, at, name: str, colour: str) -> None:
    """A dot where the word lands, its letter beside it."""
    space.avoid(paint.disc(space.ax, at, 0.9, colour))
    space.name(at, (Run(name, style="b"),), colour, size=paint.TITLE, clear=0.6)


def _sentence(page: Page, box: waterfall.Box, trace, index: int) -> None:
    """A sentence: its letter, its words, and the word that is predicted."""
    left, bottom, width, height = box
    other, y = trace.contrast[index], bottom + height - 3.4
    room = width - _room(trace) - INDENT
    _letter(page, (left + BADGE, y), ascii_uppercase[index], palette.word_colour(trace, trace.tokens[-1]))
    words = richtext.spaced([richtext.word(trace, token) for token in other.tokens], " ")
    size = paint.fitted(words, room, HEAD)
    lines = paint.wrapped(words, room + 0.01, size)
    for i, line in enumerate(lines[:2]):
        page.text(left + INDENT, y + 1.6 * (len(lines[:2]) - 1) - 3.2 * i, line, size, va="middle")
    _prediction(page, (left + width, bottom + BETWEEN + (height - HEADLINE - BETWEEN) / 2 - 1.5), trace, other, index)
    if index:
        page.line([(left, bottom + height), (left + width, bottom + height)], palette.theme().faint)


def _fall(page: Page, scale: waterfall.Scale, rows: list[Move], top: float, trace, named: tuple) -> None:
    """The waterfall of a sentence: names, attention weights, and the way from x to h on the ground of the sides."""
    names, size = named
    waterfall.ground(page, scale, top - PITCH * len(rows), top, trace)
    edge = scale.left - waterfall.GAP + 1.4
    for row, name, y in zip(rows, names, waterfall.fall(page, scale, rows, top, PITCH), strict=True):
        page.text(edge - WEIGHT, y, name, size, ha="right", va="middle")
        if row.weight is not None:
            page.text(edge, y, row.weight, SMALL, ha="right", va="middle", colour=palette.theme().muted)


def _letter(page: Page, at, name: str, colour: str) -> None:
    """The letter of a sentence, as at its landing point."""
    paint.disc(page.ax, at, BADGE, colour)
    page.text(*at, (Run(name, style="b", colour=palette.on(colour)),), HEAD, ha="center", va="middle")


def _prediction(page: Page, corner, trace, other, index: int) -> None:
    """The predicted word in a filled frame and its probability; the words of a tie without a frame.

    `corner` is the right end of the frame's middle line, in mm.
    """
    right, y = corner
    found, room = other.decoder[FINAL], _room(trace) - 2.0
    share = numerals.probability_cells(other, FINAL, "contrast", index)[found.word]
    middle = right - room / 2
    page.text(middle, y + 4.4, share, BODY, ha="center")
    if found.tie or paint.blank():
        words = predicted_words(other, FINAL, trace)
        size = paint.fitted(words, room, HEAD)
        for i, line in enumerate(paint.wrapped(words, room + 0.01, size)):
            page.text(middle, y - 3.2 * i, line, size, ha="center", va="middle")
        return
    run = richtext.word(trace, found.word)
    size = paint.fitted(run, room - 2.0, HEAD + 0.5)
    half = max(paint.text_width(run, size) / 2 + 1.5, 5.5)
    page.polygon(paint.box(middle - half, y - 2.4, middle + half, y + 2.4), run.colour, run.colour, THIN)
    page.text(middle, y, (Run(run.text, style="b", colour=palette.on(run.colour)),), size, ha="center", va="middle")
