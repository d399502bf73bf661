"""Three matrices take each word's 3-D vector into the 2-D attention space: as query, key and value."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn import look
from attn.look import rich
from attn.story import step2_projections as texts
from figures import _draw, _parts, _tables
from figures._space import AttentionSpace, EmbeddingSpace
from figures._tables import Sheet, Table

WIDTHS = ("page", "column")
ROLES = (("queries", "W_Q", "Q", "d_k"), ("keys", "W_K", "K", "d_k"), ("values", "W_V", "V", "d_v"))
FEW = 4  # words, up to which every vector in the 2-D space is labelled


def draw(trace) -> Figure:
    """The words in 3-D, the matrices, and what they make of the words in 2-D."""
    step = _parts.step_page(trace, texts(trace), "2-D attention space")
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
            look.cells(getattr(trace.model, name), f"parameters.{name}"), rich(f"*W*_{{{letter}}}"),
            look.shape(trace, size, "d_model"), learned=True,
        )
        for _, name, letter, size in ROLES
    ]  # fmt: skip
    Sheet(matrices).draw(page, box)


def _numbers(page, box, trace) -> None:
    """What the matrices make of each word; of a long sentence the last words."""
    left, bottom, width, height = box
    each, title = height / len(ROLES), 9.0
    tries = (_sheets(trace, first, names) for first in range(trace.n) for names in (14.0, 10.0, 7.0))
    for sheets in tries:
        sizes = [sheet.fits(width - title, each) for sheet in sheets]
        if all(sizes):
            break
    for i, (sheet, (what, _, letter, _)) in enumerate(zip(sheets, ROLES, strict=True)):
        y = bottom + height - (i + 0.5) * each
        quantity, ink = look.QUANTITIES[what], look.theme().ink
        _draw.arrow(page.ax, (left, y + 5.6), (left + title - 1.5, y + 5.6), ink, 1.2, quantity.dash, quantity.head)
        _parts.centred(page, left + title / 2, y + 1.6, rich(f"*{quantity.symbol}* ="), _draw.TITLE)
        made = rich(f"*W*_{{{letter}}} *x*")
        _parts.centred(page, left + title / 2, y - 3.0, made, _draw.BODY, colour=look.theme().muted)
        sheet.draw(page, (left + title, y - each / 2, width - title, each), min(filter(None, [*sizes, _draw.BODY])))


def _sheets(trace, first: int, width: float) -> list[Sheet]:
    """A table each of the queries, keys and values from the word `first` on; names at most `width` mm wide."""
    words = trace.tokens[first:]
    names, colours = _tables.word_names(trace, words, width), look.word_colours(trace, words)
    rest = 0 if first else None
    rows = [look.cells(getattr(trace, what), what)[first:] for what, *_ in ROLES]
    return [Sheet([Table(cells, (), rest=rest, colours=colours)], names, leading=1.3) for cells in rows]
