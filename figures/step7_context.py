"""The context displacement is added, and the word crosses the decoder's plane."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn import look
from attn.look import Run
from attn.story import step7_context as texts
from figures import _draw, _parts
from figures._space import EmbeddingSpace

WIDTHS = ("page", "text", "column")


def draw(trace) -> Figure:
    """The three states of the followed word with the plane between, and the sum in numbers."""
    step = _parts.step_page(trace, texts(trace), "In numbers")
    space = EmbeddingSpace(step.page, step.left, trace)
    for name in ("embedding", "positioned", "contextual"):
        space.state(name)
    space.context()
    space.crossing()
    space.finish()
    left, bottom, width, height = step.right
    _sum(step.page, (left, bottom + 0.66 * height, width), trace)
    _parts.distance_line(step.page, (left, bottom, width, 0.42 * height), trace)
    return step.page.figure


def _sum(page, place, trace) -> None:
    """x + c = h as three columns of numbers, centred in (left, middle, width)."""
    left, y, width = place
    word, last = trace.tokens[-1], trace.last
    colour, pink = look.word_colour(trace, word), look.theme().context
    columns = [
        ("positioned", _parts.column(trace.positioned[last], f"positioned[{last}]", colour=colour)),
        ("correction", _parts.column(trace.correction[last], f"correction[{last}]", colour=pink)),
        ("contextual", _parts.column(trace.contextual[last], f"contextual[{last}]", colour=colour)),
    ]
    pitch = width / len(columns)
    for i, (row, matrix) in enumerate(columns):
        middle = left + pitch * (i + 0.5)
        name = look.symbol(trace, row, word)
        name = _draw.first_that_fits([name, name[:1]], pitch - 3.0, _draw.TITLE)
        _parts.centred(page, middle, y + matrix.height / 2 + 4.0, name, _draw.TITLE)
        matrix.draw(page, middle - matrix.width / 2, y)
        if i:
            _parts.centred(page, left + pitch * i, y, (Run("+="[i - 1]),), _draw.TITLE)
