"""Row i of Q comes from row i of X alone: one row picked out, and its query written out."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn import look, rows
from attn.look import Rich, Run, rich
from attn.story_b import convention
from attn.story_b import row_wise as texts
from figures import _draw, _rows
from figures._draw import HEAD

SUBJECT = "sentence"


def draw(trace) -> Figure:
    """The product with one row lit, and below it that row's entries as sums of products."""
    i, _ = rows.telling_pair(trace)
    lines = trace.model.d_k
    page, (left, bottom, width, height) = _rows.frame(
        texts(trace), _draw.PAGE, 54.0 + 5.4 * trace.n + 5.2 * lines, trace, convention()
    )
    foot = 5.2 * lines + 7.0
    blocks = [
        _rows.sentence_block(trace, lit=[i], size=11.0),
        _rows.learned_block(trace, "W_Q", size=11.0),
        _rows.made_block(trace, "W_Q", lit=[i], size=11.0),
    ]
    gap = min((width - sum(b.width for b in blocks)) / 2, 16.0)
    x = left + (width - sum(b.width for b in blocks) - 2 * gap) / 2
    for block, sign in zip(blocks, ("·", "=", ""), strict=True):
        block.draw(page, x, bottom + foot + (height - foot - 6.0) / 2)
        x += block.width + gap
        if sign:
            _rows.sign(page, x - gap / 2, block.middle, sign)
    colour = look.word_colour(trace, trace.tokens[i])
    for block in (blocks[0], blocks[2]):
        _rows.ring(page, block, i, colour)
    _sums(page, (left, bottom, width, foot), trace, i)
    return page.figure


def _sums(page, place, trace, i: int) -> None:
    """Each entry of the query as the sum it is: x_1 w_11 + x_2 w_21 + ..."""
    left, bottom, width, height = place
    lines = [_sum(trace, i, column) for column in range(trace.model.d_k)]
    size = min(_draw.fitted(line, width - 4.0, HEAD + 1.0) for line in lines)
    start = left + (width - max(_draw.text_width(line, size) for line in lines)) / 2
    for row, line in enumerate(lines):
        page.text(start, bottom + height - 4.0 - 5.2 * row, line, size)


def _sum(trace, i: int, column: int) -> Rich:
    """One entry of a query, written out; what comes from the word has its colour."""
    colour = look.word_colour(trace, trace.tokens[i])
    xs, ws = look.cells(trace.positioned, "positioned")[i], [row[column] for row in rows.matrix_cells(trace, "W_Q")]
    runs: list[Run] = [*rich(f"*q*_{{{column + 1}}}"), Run("  =  ")]
    for k, (x, w) in enumerate(zip(xs, ws, strict=True)):
        runs += [Run("  +  ")] if k else []
        runs += [Run(x.text, style="b", colour=colour, path=x.path), Run(" · "), *look.as_rich(_bracketed(w))]
    result = look.cells(trace.queries, "queries")[i][column]
    return (*runs, Run("  =  "), Run(result.text, style="b", colour=colour, path=result.path))


def _bracketed(cell) -> Rich:
    """A factor; a negative one in parentheses."""
    inner = look.as_rich(cell)
    return (Run("("), *inner, Run(")")) if cell.text.startswith(look.MINUS) else inner


