"""The context displacement is added, and the word crosses the decoder's plane."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.picture import palette, richtext
from attn.picture.richtext import Run
from attn.texts.step7_context import texts
from figures._kit import layout, paint
from figures._kit.spaces import EmbeddingSpace

WIDTHS = ("page", "text", "column")


def draw(trace) -> Figure:
    """The three states of the followed word with the plane between, and the sum in numbers."""
    step = layout.step_page(trace, texts(trace), "In numbers", attends=True)
    space = EmbeddingSpace(step.page, step.left, trace)
    for name in ("embedding", "positioned", "contextual"):
        space.state(name)
    for name in ("positioned", "contextual"):
        space.drop(name)
    space.context()
    space.crossing()
    space.finish()
    left, bottom, width, height = step.right
    _sum(step.page, (left, bottom + 0.66 * height, width), trace)
    layout.distance_line(step.page, (left, bottom, width, 0.42 * height), trace)
    return step.page.figure


def _sum(page, place, trace) -> None:
    """x + c = h as three columns of numbers, centred in (left, middle, width)."""
    left, y, width = place
    word, last = trace.tokens[-1], trace.last
    colour, pink = palette.word_colour(trace, word), palette.theme().context
    columns = [
        ("positioned", layout.column(trace.positioned[last], f"positioned[{last}]", colour=colour)),
        ("correction", layout.column(trace.correction[last], f"correction[{last}]", colour=pink)),
        ("contextual", layout.column(trace.contextual[last], f"contextual[{last}]", colour=colour)),
    ]
    pitch = width / len(columns)
    for i, (row, matrix) in enumerate(columns):
        middle = left + pitch * (i + 0.5)
        name = richtext.symbol(trace, row, word)
        name = paint.first_that_fits([name, name[:1]], pitch - 3.0, paint.TITLE)
        layout.centred(page, middle, y + matrix.height / 2 + 4.0, name, paint.TITLE)
        matrix.draw(page, middle - matrix.width / 2, y)
        if i:
            layout.centred(page, left + pitch * i, y, (Run("+="[i - 1]),), paint.TITLE)
