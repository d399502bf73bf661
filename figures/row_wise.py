"""Row i of Q comes from row i of X alone: one row picked out, and its query written out."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, rows
from attn.picture.richtext import Rich, Run
from attn.texts.row_wise import texts
from figures._kit import paint, sentence_rows
from figures._kit.paint import HEAD, SMALL

SUBJECT = "sentence"
ORDER = ("first", "second", "third", "fourth", "fifth", "next")
ROOMY = ({"size": 11.0, "gap": 2.2, "room": 24.0}, *sentence_rows.STYLES)


def draw(trace) -> Figure:
    """The product with one row lit, and below it that row's entries as sums of products."""
    i, _ = rows.telling_pair(trace)
    lines = trace.model.d_k
    page, (left, bottom, width, height) = sentence_rows.frame(
        texts(trace), paint.PAGE, 54.0 + 5.4 * trace.n + 5.2 * lines, trace, rows.convention()
    )
    foot = 5.2 * lines + 7.0
    blocks = _blocks(trace, i, sentence_rows.fitted_style(lambda style: _fits(trace, i, style), ROOMY))
    gap = min((width - sum(b.width for b in blocks)) / 2, 16.0)
    x = left + (width - sum(b.width for b in blocks) - 2 * gap) / 2
    for block, sign in zip(blocks, ("·", "=", ""), strict=True):
        block.draw(page, x, bottom + foot + (height - foot - 6.0) / 2)
        x += block.width + gap
        if sign:
            sentence_rows.sign(page, x - gap / 2, block.middle, sign)
    colour = palette.word_colour(trace, trace.tokens[i])
    for block in (blocks[0], blocks[2]):
        sentence_rows.ring(page, block, i, colour)
    _sums(page, (left, bottom, width, foot), trace, i)
    return page.figure


def _blocks(trace, i: int, style: dict) -> list:
    """X, W_q and Q."""
    return [
        sentence_rows.sentence_block(trace, lit=[i], **style),
        sentence_rows.learned_block(trace, "W_Q", **style),
        sentence_rows.made_block(trace, "W_Q", lit=[i], **style),
    ]


def _fits(trace, i: int, style: dict) -> bool:
    return sum(block.width for block in _blocks(trace, i, style)) + 16.0 <= paint.PAGE - 2 * sentence_rows.EDGE


def _sums(page, place, trace, i: int) -> None:
    """Each entry of the query as the sum it is, x w + x w + ... = q, signs and terms below each other."""
    left, bottom, width, height = place
    sums = [_sum(trace, i, column) for column in range(trace.model.d_k)]
    most = sum(_widths(sums, HEAD + 1))
    size = max(SMALL, min(HEAD + 1, (HEAD + 1) * (width - 4.0) / most))
    widths = _widths(sums, size)
    for row, parts in enumerate(sums):
        x, y = left + (width - sum(widths)) / 2, bottom + height - 4.0 - 5.2 * row
        for part, room in zip(parts[:-1], widths, strict=False):
            page.text(x, y, part, size)
            x += room
        page.text(x + widths[-1], y, parts[-1], size, ha="right")


def _widths(sums: list[list[Rich]], size: float) -> list[float]:
    """The columns' widths in mm."""
    return [max(paint.text_width(part, size) for part in parts) for parts in zip(*sums, strict=True)]


def _sum(trace, i: int, column: int) -> list[Rich]:
    """One entry of a query: what it is, its products, itself. What comes from the word has its colour."""
    colour = palette.word_colour(trace, trace.tokens[i])
    xs, ws = numerals.cells(trace.positioned, "positioned")[i], [row[column] for row in rows.matrix_cells(trace, "W_Q")]
    name = Run(f"{ORDER[min(column, len(ORDER) - 1)]} entry of its query    ", colour=palette.theme().muted)
    products = [
        (Run("  +  " if k else ""), *_factor(x, style="b", colour=colour), Run(" · "), *_factor(w))
        for k, (x, w) in enumerate(zip(xs, ws, strict=True))
    ]
    entry = numerals.cells(trace.queries, "queries")[i][column]
    return [(name,), *products, (Run("  =   "),), (Run(entry.text, style="b", colour=colour, path=entry.path),)]


def _factor(cell: numerals.Cell, **look) -> Rich:
    """A factor; a negative one in parentheses."""
    inner = Run(cell.text, path=cell.path, **look)
    return (Run("("), inner, Run(")")) if cell.text.startswith(numerals.MINUS) else (inner,)
