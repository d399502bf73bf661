"""Three matrices take each word's 3-D vector into the 2-D attention space: as query, key and value."""

from __future__ import annotations

import itertools
from dataclasses import replace

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, quantities, richtext
from attn.picture.richtext import rich
from attn.texts.step2_projections import texts
from figures._kit import layout, paint, tables
from figures._kit.spaces import AttentionSpace, EmbeddingSpace
from figures._kit.tables import Sheet, Table

WIDTHS = ("page", "column")
ROLES = (("queries", "W_Q", "Q", "d_k"), ("keys", "W_K", "K", "d_k"), ("values", "W_V", "V", "d_v"))
TITLE, HEAD = 9.0, 3.9  # mm for a role's line and letter beside its table, or above it where words are long
FEW = 4  # words, up to which every vector in the 2-D space is labelled


def draw(trace) -> Figure:
    """The words in 3-D, the matrices, and what they make of the words in 2-D."""
    step = layout.step_page(trace, texts(trace), "2-D attention space")
    EmbeddingSpace(step.page, step.left, trace).show_sentence()
    _vectors(AttentionSpace(step.page, step.plot, trace), trace)
    _matrices(step.page, step.over, trace)
    left, bottom, width, _ = step.side
    _numbers(step.page, (left, bottom, width, step.plot[3]), trace)
    return step.page.figure


def _vectors(space: AttentionSpace, trace) -> None:
    few = len(trace.tokens) <= FEW
    for what, *_ in ROLES:
        for row in range(len(trace.tokens)):
            space.draw(what, row, label=few or row == trace.last)
    space.finish()


def _matrices(page, box, trace) -> None:
    """The three matrices beside each other."""
    matrices = [
        Table(
            numerals.cells(getattr(trace.model, name), f"parameters.{name}"), rich(f"*W*_{{{letter}}}"),
            richtext.shape(trace, size, "d_model"), learned=True,
        )
        for _, name, letter, size in ROLES
    ]  # fmt: skip
    Sheet(matrices).draw(page, box)


def _numbers(page, box, trace) -> None:
    """What the matrices make of each word; of a long sentence the last words."""
    left, bottom, width, height = box
    each = height / len(ROLES)
    tries = itertools.product(range(trace.n), (False, True), ((TITLE, 0.0), (0.0, HEAD)))
    for first, over, (title, head) in tries:
        leading = 1.3 if title else 1.2
        sheets = [replace(sheet, over=over, leading=leading) for sheet in _sheets(trace, first)]
        sizes = [sheet.fits(width - title, each - head) for sheet in sheets]
        if all(sizes):
            break
    for i, (sheet, (what, _, letter, _)) in enumerate(zip(sheets, ROLES, strict=True)):
        y = bottom + height - i * each
        symbol, made = rich(f"*{quantities.QUANTITIES[what].symbol}* ="), rich(f"*W*_{{{letter}}} *x*")
        muted, line = palette.theme().muted, (left, y - each / 2 + 5.6) if title else (left, y - 1.7)
        _line(page, line, what)
        if title:
            layout.centred(page, left + title / 2, line[1] - 4.0, symbol, paint.TITLE)
            layout.centred(page, left + title / 2, line[1] - 8.6, made, paint.BODY, colour=muted)
        else:
            page.text(left + TITLE, line[1], symbol, paint.HEAD, va="middle")
            page.text(left + TITLE + 5.5, line[1], made, paint.BODY, va="middle", colour=muted)
        size = min(*sizes, paint.BODY) if all(sizes) else None
        sheet.draw(page, (left + title, y - each, width - title, each - head), size)


def _line(page, at, what: str) -> None:
    """How the vectors of a role are drawn."""
    (x, y), quantity = at, quantities.QUANTITIES[what]
    paint.arrow(page.ax, at, (x + TITLE - 1.5, y), palette.theme().ink, 1.2, quantity.dash, quantity.head)


def _sheets(trace, first: int) -> list[Sheet]:
    """A table each of the queries, keys and values from the word `first` on."""
    words = trace.tokens[first:]
    names, colours = tables.word_names(trace, words), palette.word_colours(trace, words)
    rest = 0 if first else None
    rows = [numerals.cells(getattr(trace, what), what)[first:] for what, *_ in ROLES]
    return [Sheet([Table(cells, (), rest=rest, colours=colours)], names) for cells in rows]
