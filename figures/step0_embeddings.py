"""Each word begins as a fixed vector: the embedding table, and the sentence's rows looked up in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, quantities, richtext, sizes
from attn.picture.ranges import drawn_words
from attn.picture.richtext import rich
from attn.texts.step0_embeddings import texts
from figures._kit import layout, paint, tables
from figures._kit.spaces import EmbeddingSpace
from figures._kit.tables import Sheet, Table

WIDTHS = ("page", "text", "column")


def draw(trace) -> Figure:
    """An arrow a word of the vocabulary, and the table from which each word of the sentence takes its row."""
    step = layout.step_page(trace, texts(trace), "A word’s row in the table is its vector")
    _arrows(EmbeddingSpace(step.page, step.left, trace), trace)
    _lookup(step.page, step.right, trace)
    return step.page.figure


def _arrows(space: EmbeddingSpace, trace) -> None:
    model, dash = trace.model, quantities.QUANTITIES["embeddings"].dash
    spoken = [model.entry(token) for token in trace.tokens]
    for word in drawn_words(trace):
        space.arrow(
            np.zeros(3), model.embeddings[model.index(word)], palette.word_colour(trace, word), dash=dash,
            width=1.6 if word in spoken else 1.2, label=richtext.symbol(trace, "embeddings", word),
        )  # fmt: skip
    space.finish()


def _lookup(page, box, trace) -> None:
    """The table, and beside it the sentence's rows with a line from where each was found."""
    model, tokens = trace.model, trace.tokens
    sheet = tables.fitting(lambda lines: _sheet(trace, lines), len(model.vocabulary), box)
    ends = [richtext.symbol(trace, "embeddings", token) for token in tokens]
    named = replace(sheet, ends=ends)
    if named.fits(*box[2:]):
        sheet = named
    sheet.draw(page, box)
    shown, _ = tables.word_rows(trace, sheet.tables[0].lines, story_first=False)
    for i, token in enumerate(tokens):
        row = model.index(token)
        start, end = sheet.places[0, shown.index(row) if row in shown else "rest"], sheet.places[1, i]
        paint.line(
            page.ax, [(start[1] + 0.8, start[2]), (end[0] - 0.8, end[2])], palette.word_colour(trace, token), 0.9
        )


def _sheet(trace, lines: int) -> Sheet:
    """Table and sentence; a large vocabulary is cut to `lines` lines."""
    model, tokens = trace.model, trace.tokens
    shown, rest = tables.word_rows(trace, lines, story_first=False)
    names = [model.vocabulary[i] for i in shown]
    entries = numerals.cells(model.embeddings, "parameters.embeddings")
    table = Table(
        [entries[i] for i in shown],
        rich("table" if sizes.arranged() == "text" else "embedding table"),
        richtext.shape(trace, "V", "d_model"), True, rest,
        under=rich("learned"), colours=palette.word_colours(trace, names),
    )  # fmt: skip
    rows = numerals.cells(trace.embeddings, "embeddings", numerals.decimals(model.embeddings))
    found = Table(
        [[replace(richtext.as_rich(c)[0], answer=True) for c in row] for row in rows], rich("sentence"),
        richtext.shape(trace, "n", "d_model"), under=rich("looked up"), colours=palette.word_colours(trace, tokens),
    )  # fmt: skip
    return Sheet([table, found], tables.word_names(trace, names), spread=14.0, level=False)
