"""The sentence as a matrix of numbers: a row for each word, both copies of a word alike."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, richtext
from attn.picture.richtext import Run
from attn.texts.sentence_matrix import texts
from figures._kit import paint, sentence_rows
from figures._kit.sentence_rows import Block

SUBJECT = "sentence"


def draw(trace) -> Figure:
    """The learned table on the left, the sentence's rows on the right, a line from each row to where it goes."""
    rows = max(len(trace.model.vocabulary), trace.n)
    wide, style = _width_and_style(trace)
    height = 42.0 + rows * 1.5 * style["size"] / paint.MM
    page, (left, bottom, width, height) = sentence_rows.frame(texts(trace), wide, height, trace)
    middle = bottom + (height - 2.0) / 2
    table = _embeddings(trace, style).draw(page, left + 2.0, middle)
    block = sentence_rows.sentence_block(trace, names="right", **style)
    block.draw(page, left + width - block.width - 2.0, middle)
    for i, token in enumerate(trace.tokens):
        start = (table.right + 1.0, table.row(trace.model.index(token)))
        end = (block.left - 1.0, block.row(i))
        _flow(page, start, end, palette.word_colour(trace, token))
    for part, said in ((table, "learned in training"), (block, "put together for this sentence")):
        x, y = (part.left + part.right) / 2, min(table.bottom, block.bottom) - 4.2
        page.text(x, y, said, paint.BODY, ha="center", colour=palette.theme().muted)
    return page.figure


def _width_and_style(trace) -> tuple[float, dict]:
    """The narrower page if the two tables fit side by side with room for the lines, else the wider."""

    def fits(style, width):
        parts = _embeddings(trace, style).width + sentence_rows.sentence_block(trace, names="right", **style).width
        return parts + 24.0 <= width - 2 * sentence_rows.EDGE

    if any(fits(style, paint.TEXT) for style in sentence_rows.STYLES[1:3]):
        return paint.TEXT, sentence_rows.fitted_style(lambda style: fits(style, paint.TEXT), sentence_rows.STYLES[1:])
    return paint.PAGE, sentence_rows.fitted_style(lambda style: fits(style, paint.PAGE), sentence_rows.STYLES[1:])


def _embeddings(trace, style: dict) -> Block:
    words = [richtext.word(trace, word) for word in trace.model.vocabulary]
    m = trace.model
    sizes = richtext.shape(trace, "V", "d_model")
    cells = numerals.cells(m.embeddings, "parameters.embeddings")
    return Block(cells, (Run("Embeddings", style="b"),), sizes, learned=True, words=words, names="left", **style)


def _flow(page, start, end, colour: str) -> None:
    points = sentence_rows.curve(start, (end[0] - 2.2, end[1]))
    page.line(points, colour, 1.3)
    paint.arrow(page.ax, (end[0] - 2.4, end[1]), end, colour, 1.3)
