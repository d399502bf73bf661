"""Each word begins as a fixed vector: the embedding table, and the sentence's rows looked up in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from attn import look, view
from attn.look import rich
from attn.story import step0_embeddings as texts
from figures import _draw, _parts, _tables
from figures._space import EmbeddingSpace
from figures._tables import Sheet, Table

LINES = 17  # rows of the table, at most


def draw(trace) -> Figure:
    """An arrow a word of the vocabulary, and the table from which each word of the sentence takes its row."""
    step = _parts.step_page(trace, texts(trace), "3-D word embedding space", "A word’s row in the table is its vector")
    _arrows(EmbeddingSpace(step.page, step.left, trace), trace)
    _lookup(step.page, step.right, trace)
    return step.page.figure


def _arrows(space: EmbeddingSpace, trace) -> None:
    model, dash = trace.model, look.QUANTITIES["embeddings"].dash
    for word in view.drawn_words(trace):
        space.arrow(
            np.zeros(3), model.embeddings[model.index(word)], look.word_colour(trace, word), dash=dash,
            width=1.6 if word in trace.tokens else 1.2, label=look.symbol(trace, "embeddings", word),
        )  # fmt: skip
    space.finish()


def _lookup(page, box, trace) -> None:
    """The table, and beside it the sentence's rows with a line from where each was found."""
    words, tokens = trace.model.vocabulary, trace.tokens
    shown, more = _tables.word_rows(trace, LINES)
    names = [words[i] for i in shown]
    entries = look.cells(trace.model.embeddings, "parameters.embeddings")
    table = Table(
        [entries[i] for i in shown], rich("embedding table"), _tables.shape(trace, "V", "d_model"), True, more,
        under=rich("learned"), colours=_tables.word_colours(trace, names),
    )  # fmt: skip
    found = Table(
        look.cells(trace.embeddings, "embeddings", look.decimals(trace.model.embeddings)), rich("sentence"),
        _tables.shape(trace, "n", "d_model"), under=rich("looked up"), colours=_tables.word_colours(trace, tokens),
    )  # fmt: skip
    sheet = Sheet([table, found], _tables.word_names(trace, names), spread=14.0, level=False)
    ends = [look.symbol(trace, "embeddings", token) for token in tokens]
    wide = replace(sheet, ends=ends, places={})
    if wide.fits(*box[2:]):
        sheet = wide
    sheet.draw(page, box)
    for i, token in enumerate(tokens):
        start, end = sheet.places[0, shown.index(trace.model.index(token))], sheet.places[1, i]
        _draw.line(page.ax, [(start[1] + 0.8, start[2]), (end[0] - 0.8, end[2])], look.word_colour(trace, token), 0.9)
