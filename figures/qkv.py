"""Where Q, K and V come from: one sentence, three learned matrices, three products with their shapes and numbers."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.picture import palette, rows
from attn.picture.richtext import Run
from attn.texts.qkv import texts
from figures._kit import paint, sentence_rows
from figures._kit.paint import HEAD, SMALL
from figures._kit.sentence_rows import Block

SUBJECT = "sentence"
NAMES = {"W_Q": ("Q", "queries"), "W_K": ("K", "keys"), "W_V": ("V", "values")}


def draw(trace) -> Figure:
    """X on the left; three paths lead from it, each through a matrix to a result."""
    style = sentence_rows.fitted_style(lambda style: _fits(trace, style))
    X, learned, made = _parts(trace, style)
    lane = max(part.height for part in (*learned.values(), *made.values())) + 3.5
    page, (left, bottom, width, height) = sentence_rows.frame(
        texts(trace), paint.PAGE, 3 * lane + 27.0, trace, rows.convention()
    )
    middles = [bottom + height - lane * (i + 0.5) - 2.0 for i in range(3)]
    X.draw(page, left, middles[1])
    columns = _columns(width - X.width, [max(b.width for b in part.values()) for part in (learned, made)])
    for name, y in zip(NAMES, middles, strict=True):
        first = learned[name].draw(page, left + X.width + columns[0], y)
        second = made[name].draw(page, left + X.width + columns[1], y)
        _way(page, X, first, y, name == "W_K")
        sentence_rows.sign(page, (first.right + second.left) / 2, y, "=")
        _said(page, second, NAMES[name][1])
    return page.figure


def _parts(trace, style: dict):
    """X, the learned matrices by name, and the results by name."""
    small = style | {"size": max(style["size"] - 1.0, SMALL)}
    learned = {name: sentence_rows.learned_block(trace, name, **small) for name in NAMES}
    made = {name: sentence_rows.made_block(trace, name, **small) for name in NAMES}
    return sentence_rows.sentence_block(trace, **style), learned, made


def _fits(trace, style: dict) -> bool:
    X, learned, made = _parts(trace, style)
    columns = [max(b.width for b in part.values()) for part in (learned, made)]
    return X.width + sum(columns) + 16.0 + 30.0 <= paint.PAGE - 2 * sentence_rows.EDGE


def _columns(width: float, widths: list[float]) -> list[float]:
    """Where the two columns of blocks start, in mm from the right end of X."""
    gap = (width - sum(widths) - 16.0) / 2.4
    return [1.4 * gap, width - widths[1] - 16.0]


def _way(page, X: Block, first: Block, y: float, straight: bool) -> None:
    """From X to the matrix it is multiplied by."""
    start, end = (X.right + 1.2, X.middle), (first.left - 5.0, y)
    colour = palette.theme().rule
    bend = [start, (end[0], y)] if straight else sentence_rows.curve(start, (end[0], y))
    page.line(bend, colour, 1.2)
    sentence_rows.sign(page, first.left - 2.6, y, "·")


def _said(page, block: Block, text: str) -> None:
    """What the result is called, on its right."""
    x = block.right + block.named + 3.0
    page.text(x, block.middle, (Run(text, style="b"),), HEAD, va="middle")
