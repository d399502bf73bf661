"""The same word in other company: where it lands after several sentences, what it attends to, what comes next."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from attn import look
from attn.look import Run
from attn.model import WeightsError
from attn.phrases import predicted_words
from attn.story import contrast as texts
from figures import _draw, _parts
from figures._draw import BODY, HEAD, SMALL, THIN, Page
from figures._parts import EDGE
from figures._space import EmbeddingSpace

WIDTHS = ("page", "text", "column")
FINAL = "contextual"
NAMES = "ABC"  # of the sentences
DISC = 1.9  # mm, the radius of a lettered point
BAR = 9.0  # mm, a weight of 1
GAP, NARROW = 3.0, 9.0  # mm between two words, and the narrowest column
ROOM = 24.0  # mm, for the predicted word


def draw(trace) -> Figure:
    """One space with a landing point for each sentence; beside it the sentences under their weights.

    Raises WeightsError where there is nothing to compare.
    """
    if not trace.contrast:
        raise WeightsError("story.sentence", "cannot be compared with other sentences: no W_O or no decoder")
    said = texts(trace)
    page, (space, rows) = _page(said, trace)
    _landings(EmbeddingSpace(page, space, trace), trace)
    left, bottom, width, height = rows
    tall = height / len(trace.contrast)
    for i, other in enumerate(trace.contrast):
        _sentence(page, (left, bottom + height - tall * (i + 1), width, tall), trace, other, i)
    return page.figure


def _page(said, trace) -> tuple[Page, tuple]:
    """The page with all that is around the space and the sentences, and the boxes for the two."""
    wide, inner, stacked = _draw.width(), _draw.width() - 2 * EDGE, look.width() == "column"
    lines = len(_draw.wrapped(said.does, inner, _parts.TOLD))
    foot, colours = 9.5 + _parts.LEADING * (lines - 1), look.theme()
    x = EDGE if stacked else round(0.53 * wide) if look.width() == "page" else 57.0
    sentences = (x, foot, wide - EDGE - x, 57.0)
    space = (EDGE, foot + 67.0, inner, _parts.SPACE) if stacked else (EDGE, foot, x - EDGE - 6.0, 58.0)
    page = Page(wide, space[1] + space[3] + 4.5 + _parts.header_height(trace, said))
    top = _parts.header(page, said, trace)
    page.line([(EDGE, foot - 1.5), (wide - EDGE, foot - 1.5)], colours.faint)
    attends = f"What “{trace.tokens[-1]}” attends to, and what comes next"
    headings = (f"{attends} (probability)", attends, "Attention, and what comes next")
    heading = _draw.first_that_fits(headings, sentences[2], BODY)
    page.text(EDGE, top - 2.2, _parts.SPACE_HEADING, BODY, colour=colours.muted)
    page.text(x, foot + 60.3 if stacked else top - 2.2, heading, BODY, colour=colours.muted)
    _draw.paragraph(page, EDGE, foot - 6.0, said.does, inner, _parts.TOLD)
    return page, (space, sentences)


def _landings(space: EmbeddingSpace, trace) -> None:
    """For each sentence dashed x, once where it is the same, the pink displacement, and a lettered point at h."""
    word = trace.tokens[-1]
    colour = look.word_colour(trace, word)
    starts: list[np.ndarray] = []
    for other in trace.contrast:
        start = other.state("positioned")
        if not any(np.array_equal(start, known) for known in starts):
            name = look.symbol(trace, "positioned", word)
            space.arrow(np.zeros(3), start, colour, width=1.1, dash=look.QUANTITIES["positioned"].dash, label=name)
            starts.append(start)
    lengths = [np.hypot(*(space.at(o.state(FINAL)) - space.at(o.state("positioned")))) for o in trace.contrast]
    for other, length in zip(trace.contrast, lengths, strict=True):
        space.context(other, width=1.8, label=length == max(lengths))
    for i, other in enumerate(trace.contrast):
        _point(space, space.at(other.state(FINAL)), NAMES[i], colour)
    space.finish()


def _point(space: EmbeddingSpace, at, name: str, colour: str) -> None:
    """A dot where the word lands, its letter beside it."""
    _draw.disc(space.ax, at, 0.9, colour)
    space.name(at, (Run(name, style="b"),), colour, size=_draw.TITLE, clear=0.6)


def _sentence(page: Page, box, trace, other, index: int) -> None:
    """A sentence: its letter, its words under the bars of their weights, and the word that is predicted."""
    left, bottom, width, height = box
    y, colours = bottom + 4.6, look.theme()
    _letter(page, (left + DISC + 0.4, y), NAMES[index], look.word_colour(trace, trace.tokens[-1]))
    shown, size, pitch = _columns(trace, other, width - ROOM - 8.0)
    weights = look.weight_cells(other.attention[other.last], f"contrast[{index}].attention[{other.last}]")
    x = left + 8.0
    for (j, run), wide in zip(shown.items(), pitch, strict=True):
        weight = 1.0 if _draw.blank() else other.attention[other.last][j]
        middle = x + wide / 2
        page.text(middle, y, run, size, ha="center", va="middle")
        top = y + 2.6 + BAR * weight
        page.polygon(_draw.box(middle - 2.2, y + 2.6, middle + 2.2, top), _draw.measured(run.colour))
        page.text(middle, top + 0.8, weights[j], SMALL + 0.5, ha="center")
        if j == other.last:
            half, under = _draw.text_width(run, size) / 2, y - _draw.cap_height(size) / 2 - 1.1
            page.line([(middle - half, under), (middle + half, under)], run.colour, 1.0)
        x += wide
    page.line([(left + 8.0, y + 2.6), (x, y + 2.6)], colours.rule, 0.6)
    if len(shown) < other.n:
        page.text(x + 1.0, y, "…", size, va="middle", colour=colours.muted)
    edge = _prediction(page, (left + width, y), trace, other, index)
    if edge - x > 12.0 and len(shown) == other.n:
        _draw.arrow(page.ax, (x + 4.0, y), (edge - 3.0, y), colours.rule, 0.8)
    if index:
        page.line([(left, bottom + height), (left + width, bottom + height)], colours.faint)


def _columns(trace, other, width: float) -> tuple[dict[int, Run], float, list[float]]:
    """The words that have room in `width` mm (by row), their size and the widths of their columns.

    All words, smaller or shortened if need be; else those that weigh most, in their order, the followed one among
    them.
    """
    words = [look.word(trace, token) for token in other.tokens]
    for size in (_draw.TITLE - 1, HEAD, BODY, SMALL):
        pitch = [max(_draw.text_width(word, size) + GAP, NARROW) for word in words]
        if sum(pitch) <= width:
            return dict(enumerate(words)), size, pitch
    order = sorted(range(other.n), key=lambda j: (j != other.last, -other.attention[other.last][j], j))
    count = min(other.n, int((width - 4.0) / 12.0))
    share = (width - (4.0 if count < other.n else 0.0)) / count
    shown = {j: _draw.shortened(words[j], share - GAP) for j in sorted(order[:count])}
    return shown, SMALL, [share] * count


def _letter(page: Page, at, name: str, colour: str) -> None:
    """The letter of a sentence, as at its landing point."""
    _draw.disc(page.ax, at, DISC + 0.3, colour)
    page.text(*at, (Run(name, style="b", colour=look.on(colour)),), HEAD, ha="center", va="middle")


def _prediction(page: Page, corner, trace, other, index: int) -> float:
    """The predicted word in a filled frame and its probability; the words of a tie without a frame.

    Gives the left edge of what it drew, in mm.
    """
    right, y = corner
    found = other.decoder[FINAL]
    share = look.probability_cells(other, FINAL, "contrast", index)[found.word]
    room = ROOM - 3.0
    page.text(right - room / 2 - 0.5, y + 5.2, share, HEAD, ha="center")
    if found.tie or _draw.blank():
        words = predicted_words(other, FINAL, trace)
        page.text(right - room / 2 - 0.5, y, words, _draw.fitted(words, room, HEAD), ha="center", va="middle")
        return right - ROOM
    run = look.word(trace, found.word)
    size = _draw.fitted(run, room - 3.0, _draw.TITLE - 1)
    half = max(_draw.text_width(run, size) / 2 + 1.5, 6.0)
    middle = right - room / 2 - 0.5
    page.polygon(_draw.box(middle - half, y - 2.6, middle + half, y + 2.6), run.colour, run.colour, THIN)
    page.text(middle, y, (Run(run.text, style="b", colour=look.on(run.colour)),), size, ha="center", va="middle")
    return middle - half
