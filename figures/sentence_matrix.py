"""The sentence as a matrix of numbers: a row for each word, both copies of a word alike."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn import look
from attn.look import Run
from attn.story_b import sentence_matrix as texts
from figures import _draw, _rows
from figures._rows import Block

SUBJECT = "sentence"


def draw(trace) -> Figure:
    """The learned table on the left, the sentence's rows on the right, a line from each row to where it goes."""
    rows = max(len(trace.model.vocabulary), trace.n)
    wide, style = _width_and_style(trace)
    height = 42.0 + rows * 1.5 * style["size"] / _draw.MM
    page, (left, bottom, width, height) = _rows.frame(texts(trace), wide, height, trace)
    middle = bottom + (height - 2.0) / 2
    table = _embeddings(trace, style).draw(page, left + 2.0, middle)
    block = _rows.sentence_block(trace, names="right", **style)
    block.draw(page, left + width - block.width - 2.0, middle)
    for i, token in enumerate(trace.tokens):
        start = (table.right + 1.0, table.row(trace.model.index(token)))
        end = (block.left - 1.0, block.row(i))
        _flow(page, start, end, look.word_colour(trace, token))
    for part, said in ((table, "learned in training"), (block, "put together for this sentence")):
        x, y = (part.left + part.right) / 2, min(table.bottom, block.bottom) - 4.2
        page.text(x, y, said, _draw.BODY, ha="center", colour=look.theme().muted)
    return page.figure


def _width_and_style(trace) -> tuple[float, dict]:
    """The narrower page if the two tables fit side by side with room for the lines, else the wider."""

    def fits(style, width):
        parts = _embeddings(trace, style).width + _rows.sentence_block(trace, names="right", **style).width
        return parts + 24.0 <= width - 2 * _rows.EDGE

    if any(fits(style, _draw.TEXT) for style in _rows.STYLES[1:3]):
        return _draw.TEXT, _rows.fitted_style(lambda style: fits(style, _draw.TEXT), _rows.STYLES[1:])
    return _draw.PAGE, _rows.fitted_style(lambda style: fits(style, _draw.PAGE), _rows.STYLES[1:])


def _embeddings(trace, style: dict) -> Block:
    words = [look.word(trace, word) for word in trace.model.vocabulary]
    m = trace.model
    sizes = look.shape(trace, "V", "d_model")
    cells = look.cells(m.embeddings, "parameters.embeddings")
    return Block(cells, (Run("Embeddings", style="b"),), sizes, learned=True, words=words, names="left", **style)


def _flow(page, start, end, colour: str) -> None:
    points = _rows.curve(start, (end[0] - 2.2, end[1]))
    page.line(points, colour, 1.3)
    _draw.arrow(page.ax, (end[0] - 2.4, end[1]), end, colour, 1.3)
