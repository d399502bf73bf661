"""Each word's place in the sentence is added to its vector: e becomes x."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, quantities, richtext
from attn.picture.richtext import rich
from attn.texts.step1_positions import texts
from figures._kit import layout, paint, tables
from figures._kit.spaces import EmbeddingSpace
from figures._kit.tables import Sheet, Sign, Table

WIDTHS = ("page", "text", "column")
OVER = 9.0  # mm for the formula over the tables
APART = 5.0  # mm between the formula and the tables, and between two lines of these
FEW = 5  # words, up to which e is labelled, too


def draw(trace) -> Figure:
    """For each word the arrow from the tip of e to the tip of x, and the sum in numbers."""
    placed = trace.model.positions is not None
    step = layout.step_page(trace, texts(trace), f"{'Embedding plus position' if placed else 'Embeddings'}, row by row")
    _shifts(EmbeddingSpace(step.page, step.left, trace), trace)
    _sums(step.page, step.right, trace)
    return step.page.figure


def _shifts(space: EmbeddingSpace, trace) -> None:
    """Dotted e, dashed x, and the position vector between their tips."""
    for row, token in enumerate(trace.tokens):
        colour, e, x = palette.word_colour(trace, token), trace.embeddings[row], trace.positioned[row]
        width = 1.6 if row == trace.last else 1.2
        few = len(trace.tokens) <= FEW
        for what, tip in (("embeddings", e), ("positioned", x)):
            label = richtext.symbol(trace, what, token) if few or what == "positioned" else ()
            space.arrow(np.zeros(3), tip, colour, width=width, dash=quantities.QUANTITIES[what].dash, label=label)
        if np.any(e != x):
            label = richtext.symbol(trace, "positions") if row == trace.last else ()
            space.arrow(
                e, x, palette.theme().ink, width=1.2, label=label, at=0.5, lean=across(space.at(e), space.at(x))
            )
    space.finish()


def across(start, end) -> np.ndarray:
    """The direction across a vector on the page, away from the origin."""
    side = np.array([start[1] - end[1], end[0] - start[0]])
    return side * (1 if side @ (start + end) >= 0 else -1)


def _sums(page, box, trace) -> None:
    """The sum as a formula, then in numbers: one line, two lines, or without e, as there is room."""
    left, bottom, width, height = box
    tries = [(lines, sizes, over) for over in (False, True) for lines, sizes in _layouts(trace)]
    for lines, sizes, over in tries:
        lines = [replace(sheet, over=over) for sheet in lines]
        each = (height - OVER) / len(lines)
        fitting = [replace(sheet, sizes=sizes).fits(width, each) for sheet in lines]
        if all(fitting):
            break
    size = min(filter(None, fitting), default=None)
    tall = min(each, max(sheet.height(size or paint.SMALL) for sheet in lines) + APART)
    top = bottom + (height + OVER + tall * len(lines)) / 2
    formula = rich("*x* = *e* + *p*" if trace.model.positions is not None else "*x* = *e*")
    layout.centred(page, left + width / 2, top - 5.0, formula, paint.TITLE)
    for i, sheet in enumerate(lines):
        sheet.draw(page, (left, top - OVER - (i + 1) * tall, width, tall), size)


def _layouts(trace):
    """The arrangements to try in turn, each with the sizes at which it is good enough."""
    names = tables.word_names(trace, trace.tokens)
    e, p, x = _three(trace)
    if p is None:
        yield [Sheet([e, Sign("="), x], names, leading=1.25)], tables.SIZES
        return
    yield [Sheet([e, Sign("+"), p, Sign("="), x], names)], tables.SIZES[:-1]
    yield [Sheet([e, Sign("+"), p], names, leading=1.25), Sheet([Sign("="), x], leading=1.25)], tables.SIZES[:-1]
    yield [Sheet([e, Sign("+"), p, Sign("="), x], names)], tables.SIZES
    yield [Sheet([p, Sign("→"), x], names, leading=1.25)], tables.SIZES


def _three(trace):
    """The tables e, p and x; None for p where there are no positions."""
    model, n = trace.model, len(trace.tokens)
    colours = palette.word_colours(trace, trace.tokens)
    places = numerals.decimals(np.concatenate([trace.embeddings, trace.positions, trace.positioned]))
    size = richtext.shape(trace, "n", "d_model")
    e, x = (
        Table(numerals.cells(getattr(trace, what), what, places), rich(name), size, under=rich(under), colours=colours)
        for what, name, under in (("embeddings", "*e*", "word"), ("positioned", "*x*", "word in its place"))
    )
    if model.positions is None:
        return e, None, x
    rows = numerals.cells(trace.positions, "parameters.positions", places)
    p = Table(
        rows, rich("*p*"), richtext.shape(trace, "n_max", "d_model"),
        learned=True, rest=n if model.n_max > n else None, under=rich("place, learned"),
    )  # fmt: skip
    return e, p, x
