"""Each word's place in the sentence is added to its vector: e becomes x."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from attn import look
from attn.look import rich
from attn.story import step1_positions as texts
from figures import _parts, _tables
from figures._space import EmbeddingSpace
from figures._tables import Sheet, Sign, Table

FEW = 5  # words, up to which e is labelled, too


def draw(trace) -> Figure:
    """For each word the arrow from the tip of e to the tip of x, and the sum in numbers."""
    step = _parts.step_page(trace, texts(trace), "3-D word embedding space", "Embedding plus position, row by row")
    _shifts(EmbeddingSpace(step.page, step.left, trace), trace)
    _sums(step.page, step.right, trace)
    return step.page.figure


def _shifts(space: EmbeddingSpace, trace) -> None:
    """Dotted e, dashed x, and the position vector between their tips."""
    for row, token in enumerate(trace.tokens):
        colour, e, x = look.word_colour(trace, token), trace.embeddings[row], trace.positioned[row]
        width = 1.6 if row == trace.last else 1.2
        few = len(trace.tokens) <= FEW
        for what, tip in (("embeddings", e), ("positioned", x)):
            label = look.symbol(trace, what, token) if few or what == "positioned" else ()
            space.arrow(np.zeros(3), tip, colour, width=width, dash=look.QUANTITIES[what].dash, label=label)
        if np.any(e != x):
            space.arrow(e, x, look.theme().ink, width=1.2)
    space.finish()


def _sums(page, box, trace) -> None:
    """The tables e, p and x side by side; without e where there is no room for all three."""
    tokens, model = trace.tokens, trace.model
    colours = _tables.word_colours(trace, tokens)
    places = look.decimals(np.concatenate([trace.embeddings, trace.positions, trace.positioned]))
    size = _tables.shape(trace, "n", "d_model")

    def table(what: str, name: str, shape=size, **options) -> Table:
        return Table(look.cells(getattr(trace, what), options.pop("path", what), places), rich(name), shape, **options)

    e = table("embeddings", "*e*", under=rich("word"), colours=colours)
    x = table("positioned", "*x*", under=rich("word in its place"), colours=colours)
    items = [e, Sign("="), x]
    if model.positions is not None:
        p = table(
            "positions", "*p*", _tables.shape(trace, "n_max", "d_model"), path="parameters.positions", learned=True,
            more=model.n_max > len(tokens), under=rich("place, learned"),
        )  # fmt: skip
        items = [e, Sign("+"), p, Sign("="), x]
    names = _tables.word_names(trace, tokens)
    sheet = Sheet(items, names)
    if sheet.fits(*box[2:]) is None and model.positions is not None:
        sheet = Sheet(items[2:3] + [Sign("→")] + items[4:], names)
    sheet.draw(page, box)
