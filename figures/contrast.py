"""The same word in other company: where it lands after several sentences, what it attends to, what comes next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from attn.core import numerals
from attn.core.model import WeightsError
from attn.picture import palette, quantities, richtext, sizes
from attn.picture.richtext import Run
from attn.texts.contrast import texts
from attn.texts.phrases import predicted_words
from figures._kit import layout, paint
from figures._kit.layout import EDGE
from figures._kit.paint import BODY, HEAD, SMALL, THIN, Page
from figures._kit.spaces import EmbeddingSpace

WIDTHS = ("page", "text", "column")
FINAL = "contextual"
NAMES = "ABC"  # of the sentences
DISC = 1.9  # mm, the radius of a lettered point
BAR = 9.0  # mm, a weight of 1
GAP, NARROW = 3.0, 9.0  # mm between two words, and the narrowest column
LEAST = 6.8  # mm, the narrowest where words are written upwards
ROOM = 24.0  # mm, for the predicted word


def draw(trace) -> Figure:
    """One space with a landing point for each sentence; beside it the sentences under their weights.

    Raises WeightsError where there is nothing to compare.
    """
    if not trace.contrast:
        raise WeightsError("story.sentence", "cannot be compared with other sentences: no W_O or no decoder")
    left = EDGE if sizes.arranged() == "column" else round(0.53 * paint.width()) if sizes.arranged() == "page" else 57.0
    rows = [_columns(trace, other, paint.width() - EDGE - left - ROOM - 8.0) for other in trace.contrast]
    page, (space, (left, bottom, width, height)) = _page(texts(trace), trace, left, max(row.deep for row in rows))
    _landings(EmbeddingSpace(page, space, trace), trace)
    tall = height / len(trace.contrast)
    for i, row in enumerate(rows):
        _sentence(page, (left, bottom + height - tall * (i + 1), width, tall), trace, i, row)
    return page.figure


def _page(said, trace, x: float, deep: float) -> tuple[Page, tuple]:
    """The page with all that is around the space and the sentences, and the boxes for the two.

    The sentences begin at x mm; their words take `deep` mm more than a line below the bars.
    """
    wide, inner, stacked = paint.width(), paint.width() - 2 * EDGE, sizes.arranged() == "column"
    lines = len(paint.wrapped(said.does, inner, layout.TOLD))
    foot, colours = 9.5 + layout.LEADING * (lines - 1), palette.theme()
    tall = 57.0 + deep * len(trace.contrast)
    sentences = (x, foot, wide - EDGE - x, tall)
    low = foot + tall + 10.0 if stacked else foot + tall - 57.0
    space = (EDGE, low, inner, layout.SPACE) if stacked else (EDGE, low, x - EDGE - 6.0, 58.0)
    page = Page(wide, space[1] + space[3] + 4.5 + layout.header_height(trace, said))
    top = layout.header(page, said, trace)
    page.line([(EDGE, foot - 1.5), (wide - EDGE, foot - 1.5)], colours.faint)
    attends = f"What “{trace.tokens[-1]}” attends to, and what comes next"
    headings = (f"{attends} (probability)", attends, "Attention, and what comes next")
    heading = paint.first_that_fits(headings, sentences[2], BODY)
    page.text(EDGE, top - 2.2, layout.SPACE_HEADING, BODY, colour=colours.muted)
    page.text(x, foot + tall + 3.3 if stacked else top - 2.2, heading, BODY, colour=colours.muted)
    paint.paragraph(page, EDGE, foot - 6.0, said.does, inner, layout.TOLD)
    return page, (space, sentences)


def _landings(space: EmbeddingSpace, trace) -> None:
    """For each sentence dashed x, once where it is the same, the pink displacement, and a lettered point at h."""
    word = trace.tokens[-1]
    colour = palette.word_colour(trace, word)
    starts: list[np.ndarray] = []
    for other in trace.contrast:
        start = other.state("positioned")
        if not any(np.array_equal(start, known) for known in starts):
            name = richtext.symbol(trace, "positioned", word)
            space.arrow(
                np.zeros(3), start, colour, width=1.1, dash=quantities.QUANTITIES["positioned"].dash, label=name
            )
            starts.append(start)
    lengths = [np.hypot(*(space.at(o.state(FINAL)) - space.at(o.state("positioned")))) for o in trace.contrast]
    for other, length in zip(trace.contrast, lengths, strict=True):
        space.context(other, width=1.8, label=length == max(lengths))
    for i, other in enumerate(trace.contrast):
        _point(space, space.at(other.state(FINAL)), NAMES[i], colour)
    space.finish()


def _point(space: EmbeddingSpace, at, name: str, colour: str) -> None:
    """A dot where the word lands, its letter beside it."""
    space.avoid(paint.disc(space.ax, at, 0.9, colour))
    space.name(at, (Run(name, style="b"),), colour, size=paint.TITLE, clear=0.6)


def _sentence(page: Page, box, trace, index: int, columns: Columns) -> None:
    """A sentence: its letter, its words under the bars of their weights, and the word that is predicted."""
    left, bottom, width, height = box
    other, size, colours = trace.contrast[index], columns.size, palette.theme()
    y = bottom + height - 14.4
    _letter(page, (left + DISC + 0.4, y), NAMES[index], palette.word_colour(trace, trace.tokens[-1]))
    weights = numerals.weight_cells(other.attention[other.last], f"contrast[{index}].attention[{other.last}]")
    x = left + 8.0
    for (j, run), wide in zip(columns.words.items(), columns.pitch, strict=True):
        weight = 1.0 if paint.blank() else other.attention[other.last][j]
        middle = x + wide / 2
        if columns.deep:
            paint.upward(page.ax, middle, y + 1.2 - paint.text_width(run, size), run, size)
        else:
            page.text(middle, y, run, size, ha="center", va="middle")
        top = y + 2.6 + BAR * weight
        page.polygon(paint.box(middle - 2.2, y + 2.6, middle + 2.2, top), paint.measured(run.colour))
        page.text(middle, top + 0.8, weights[j], SMALL + 0.5, ha="center")
        if j == other.last and not columns.deep:
            half, under = paint.text_width(run, size) / 2, y - paint.cap_height(size) / 2 - 1.4
            page.line([(middle - half, under), (middle + half, under)], run.colour, 1.0)
        x += wide
    page.line([(left + 8.0, y + 2.6), (x, y + 2.6)], colours.rule, 0.6)
    if len(columns.words) < other.n:
        page.text(x + 1.0, y, "⋯", size, va="middle", colour=colours.muted)
    edge = _prediction(page, (left + width, y), trace, other, index)
    if edge - x > 12.0 and len(columns.words) == other.n:
        paint.arrow(page.ax, (x + 4.0, y), (edge - 3.0, y), colours.rule, 0.8)
    if index:
        page.line([(left, bottom + height), (left + width, bottom + height)], colours.faint)


@dataclass(frozen=True)
class Columns:
    """The words of a sentence that are shown, by row, and how."""

    words: dict[int, Run]
    size: float  # pt
    pitch: list[float]  # mm
    deep: float = 0.0  # mm that they reach down where they are written upwards, else 0


def _columns(trace, other, width: float) -> Columns:
    """The words that have room in `width` mm: all, smaller or upwards if need be; else those that weigh most, in their
    order, the followed one among them.
    """
    words = [richtext.word(trace, token) for token in other.tokens]
    for size in (paint.TITLE - 1, HEAD, BODY, SMALL):
        pitch = [max(paint.text_width(word, size) + GAP, NARROW) for word in words]
        if sum(pitch) <= width:
            return Columns(dict(enumerate(words)), size, pitch)
    order = sorted(range(other.n), key=lambda j: (j != other.last, -other.attention[other.last][j], j))
    count = min(other.n, int((width - 4.0) / LEAST))
    share = min((width - (4.0 if count < other.n else 0.0)) / count, NARROW)
    deep = max(paint.text_width(word, BODY) for word in words) - 3.0
    return Columns({j: words[j] for j in sorted(order[:count])}, BODY, [share] * count, deep)


def _letter(page: Page, at, name: str, colour: str) -> None:
    """The letter of a sentence, as at its landing point."""
    paint.disc(page.ax, at, DISC + 0.3, colour)
    page.text(*at, (Run(name, style="b", colour=palette.on(colour)),), HEAD, ha="center", va="middle")


def _prediction(page: Page, corner, trace, other, index: int) -> float:
    """The predicted word in a filled frame and its probability; the words of a tie without a frame.

    Gives the left edge of what it drew, in mm.
    """
    right, y = corner
    found = other.decoder[FINAL]
    share = numerals.probability_cells(other, FINAL, "contrast", index)[found.word]
    room = ROOM - 3.0
    middle = right - room / 2 - 0.5
    page.text(middle, y + 5.2, share, HEAD, ha="center")
    if found.tie or paint.blank():
        words = predicted_words(other, FINAL, trace)
        size = paint.fitted(words, room, HEAD)
        lines = paint.wrapped(words, room + 0.01, size)
        for i, line in enumerate(lines):
            page.text(middle, y - 3.2 * i, line, size, ha="center", va="middle")
        return middle - max(paint.text_width(line, size) for line in lines) / 2
    run = richtext.word(trace, found.word)
    size = paint.fitted(run, room - 3.0, paint.TITLE - 1)
    half = max(paint.text_width(run, size) / 2 + 1.5, 6.0)
    page.polygon(paint.box(middle - half, y - 2.6, middle + half, y + 2.6), run.colour, run.colour, THIN)
    page.text(middle, y, (Run(run.text, style="b", colour=palette.on(run.colour)),), size, ha="center", va="middle")
    return middle - half
