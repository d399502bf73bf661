"""Each value scaled by its weight, then laid tip to tail: what the word has gathered."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, richtext
from attn.picture.richtext import Run, rich
from attn.texts.step5_mixing import texts
from figures._kit import layout, paint
from figures._kit.paint import BODY
from figures._kit.spaces import AttentionSpace, EmbeddingSpace
from figures._kit.tables import Sheet, Sign, Table

WIDTHS = ("page", "column")
FEW = 6  # words, up to which each is named in the plots
PALE = 0.45  # share of a word's colour in its full value
NAMED = 2.0  # mm, from which on a scaled value is long enough for a name beside it
APART = 1.2  # mm, from which on a guide tells more than it hides


def draw(trace) -> Figure:
    """The words as they stand, and the 2-D attention space twice: scaling, adding; above, the sum in numbers."""
    step = layout.step_page(trace, texts(trace), "2-D attention space", attends=True)
    EmbeddingSpace(step.page, step.left, trace).show_sentence(attends=True)
    first, second = step.plots
    _scaling(_plot(step.page, first, trace, rich("**first** scale each value")), trace)
    _adding(_plot(step.page, second, trace, rich("**then** add them tip to tail")), trace)
    _numbers(step.page, step.band, trace)
    return step.page.figure


def _plot(page, box, trace, heading) -> AttentionSpace:
    """The square of the attention space above its name."""
    left, bottom, width, _ = box
    page.text(left + width / 2, bottom - 2.9, heading, paint.fitted(heading, width - 1.0, BODY), ha="center")
    return AttentionSpace(page, box, trace, ticks=False)


def _scaling(space: AttentionSpace, trace) -> None:
    """Pale the full values, strong what their weights leave of them."""
    few = trace.n <= FEW
    for row, token in enumerate(trace.tokens):
        colour = palette.word_colour(trace, token)
        label = richtext.symbol(trace, "values", token) if few else ()
        space.vector((0, 0), trace.values[row], palette.mix(colour, PALE), width=0.8, head="dot")
        if label:
            space.name(trace.values[row], label, colour, _lean(space, trace.values[row]))
    for row in _longest_first(trace):
        colour = palette.word_colour(trace, trace.tokens[row])
        space.vector((0, 0), trace.weighted[trace.last][row], colour, width=2.0, head="dot")
    space.finish()


def _adding(space: AttentionSpace, trace) -> None:
    """The scaled values tip to tail, dashed guides from where they were, and their sum as an arrow."""
    parts = trace.weighted[trace.last]
    ends = np.cumsum(parts, axis=0)
    mm = paint.scale(space.ax)
    for part, end, token in zip(parts, ends, trace.tokens, strict=True):
        colour, start, length = palette.word_colour(trace, token), end - part, np.hypot(*part) * mm
        if np.hypot(*start) * mm > APART and length > APART:
            paint.line(space.ax, [part, end], palette.mix(colour, 0.7), paint.THIN, (4.0, 3.0))
        paint.line(space.ax, [start, end], colour, 2.4)
        paint.disc(space.ax, end, min(0.8, max(0.45, 0.3 * length)), colour)
        space.keep_off([start, end], 2.4)
        if trace.n <= FEW and length > NAMED:
            normal = np.array([-part[1], part[0]])
            side = 1 if normal @ (start + part / 2 - ends[-1] / 2) >= 0 else -1
            space.name(start + part / 2, (richtext.word(trace, token, ""),), colour, side * normal * mm, spare=True)
    _sum(space, trace)
    space.finish()


def _sum(space: AttentionSpace, trace) -> None:
    """The arrow a, on top of what it is made of."""
    a, word = trace.mixed[trace.last], trace.tokens[-1]
    space.vector((0, 0), a, palette.word_colour(trace, word), width=1.6, label=richtext.symbol(trace, "mixed", word))


def _lean(space: AttentionSpace, tip) -> tuple[float, float]:
    return tuple(np.asarray(tip) * paint.scale(space.ax))


def _longest_first(trace) -> list[int]:
    """Rows in the order in which they are drawn: short vectors on top of long ones."""
    lengths = np.linalg.norm(trace.weighted[trace.last], axis=1)
    return sorted(range(trace.n), key=lambda row: (-lengths[row], row))


def _numbers(page, box, trace) -> None:
    """The sum in numbers, a column a word; of a long sentence the words that weigh most."""
    for most in range(trace.n, 0, -1):
        for named in (True, False):
            sheet = _sheet(trace, most, named)
            if sheet.fits(*box[2:]) is not None:
                sheet.draw(page, box)
                return
    sheet.draw(page, box)


def _sheet(trace, most: int, named: bool) -> Sheet:
    """alpha_1 v_1 + alpha_2 v_2 + ... = a; at most `most` of the words, their letters with or without the word."""
    last, word = trace.last, trace.tokens[-1]
    weights = numerals.weight_cells(trace.attention[last], f"attention[{last}]")
    shown = sorted(sorted(range(trace.n), key=lambda j: (-trace.attention[last][j], j))[:most])
    places = numerals.decimals(np.concatenate([trace.weighted[last][shown], trace.mixed[last][None]]))
    items: list[Table | Sign] = []
    for j in shown:
        token = trace.tokens[j]
        cells = numerals.cells(trace.weighted[last][j], f"weighted[{last}][{j}]", places)
        symbol = richtext.symbol(trace, "values", token)
        name = (*richtext.as_rich(weights[j]), Run(" "), *(symbol if named else symbol[:1]))
        items += [
            Table([[c] for c in cells], name, colours=[palette.word_colour(trace, token)] * len(cells)),
            Sign("+"),
        ]
    if most < trace.n:
        items.append(Sign("⋯"))
    else:
        items.pop()
    a = numerals.cells(trace.mixed[last], f"mixed[{last}]", places)
    symbol = richtext.symbol(trace, "mixed", word)
    colours = [palette.word_colour(trace, word)] * len(a)
    items += [Sign("="), Table([[c] for c in a], symbol if named else symbol[:1], colours=colours)]
    return Sheet(items, spread=4.0)
