"""Row i of Q comes from row i of X alone: one row picked out, and its query written out."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn import look, rows
from attn.look import Rich, Run
from attn.story_b import convention
from attn.story_b import row_wise as texts
from figures import _draw, _rows
from figures._draw import HEAD, SMALL

SUBJECT = "sentence"
ORDER = ("first", "second", "third", "fourth", "fifth", "next")
ROOMY = ({"size": 11.0, "gap": 2.2, "room": 24.0}, *_rows.STYLES)


def draw(trace) -> Figure:
    """The product with one row lit, and below it that row's entries as sums of products."""
    i, _ = rows.telling_pair(trace)
    lines = trace.model.d_k
    page, (left, bottom, width, height) = _rows.frame(
        texts(trace), _draw.PAGE, 54.0 + 5.4 * trace.n + 5.2 * lines, trace, convention()
    )
    foot = 5.2 * lines + 7.0
    blocks = _blocks(trace, i, _rows.fitted_style(lambda style: _fits(trace, i, style), ROOMY))
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


def _blocks(trace, i: int, style: dict) -> list:
    """X, W_q and Q."""
    return [
        _rows.sentence_block(trace, lit=[i], **style),
        _rows.learned_block(trace, "W_Q", **style),
        _rows.made_block(trace, "W_Q", lit=[i], **style),
    ]


def _fits(trace, i: int, style: dict) -> bool:
    return sum(block.width for block in _blocks(trace, i, style)) + 16.0 <= _draw.PAGE - 2 * _rows.EDGE


def _sums(page, place, trace, i: int) -> None:
    """Each entry of the query as the sum it is, x w + x w + ..., their results in a column, which is the query."""
    left, bottom, width, height = place
    word = look.word(trace, trace.tokens[i])
    sums = [_sum(trace, i, column) for column in range(trace.model.d_k)]
    query = look.cells(trace.queries, "queries")[i]
    results = [(Run(c.text, style="b", colour=word.colour, path=c.path),) for c in query]
    names = [(Run(f"{ORDER[min(k, len(ORDER) - 1)]} entry of its query"),) for k in range(len(sums))]
    most = max(_draw.text_width((*n, *s, *r), HEAD + 1) for n, s, r in zip(names, sums, results, strict=True)) + 12.0
    size = max(SMALL, min(HEAD + 1, (HEAD + 1) * (width - 4.0) / most))
    wide = [max(_draw.text_width(part, size) for part in parts) for parts in (names, sums, results)]
    start = left + (width - sum(wide) - 12.0) / 2
    for row, (name, products, result) in enumerate(zip(names, sums, results, strict=True)):
        y = bottom + height - 4.0 - 5.2 * row
        page.text(start, y, name, size, colour=look.theme().muted)
        page.text(start + wide[0] + 5.0, y, products, size)
        page.text(start + wide[0] + wide[1] + 8.5, y, "=", size, ha="center")
        page.text(start + sum(wide) + 12.0, y, result, size, ha="right")


def _sum(trace, i: int, column: int) -> Rich:
    """One entry of a query as a sum of products; what comes from the word has its colour."""
    colour = look.word_colour(trace, trace.tokens[i])
    xs, ws = look.cells(trace.positioned, "positioned")[i], [row[column] for row in rows.matrix_cells(trace, "W_Q")]
    runs: list[Run] = []
    for k, (x, w) in enumerate(zip(xs, ws, strict=True)):
        runs += [Run("  +  ")] if k else []
        runs += [Run(x.text, style="b", colour=colour, path=x.path), Run(" · "), *look.as_rich(_bracketed(w))]
    return tuple(runs)


def _bracketed(cell) -> Rich:
    """A factor; a negative one in parentheses."""
    inner = look.as_rich(cell)
    return (Run("("), *inner, Run(")")) if cell.text.startswith(look.MINUS) else inner


