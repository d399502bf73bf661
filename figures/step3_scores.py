"""The followed word's query meets the key of each word it may see: products, divided, are the scores."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, richtext
from attn.picture.richtext import Run, rich
from attn.texts.step3_scores import texts
from figures._kit import layout, paint, tables
from figures._kit.layout import Stage
from figures._kit.spaces import AttentionSpace, EmbeddingSpace
from figures._kit.tables import Sheet, Sign, Table

WIDTHS = ("page", "column")
FEW = 6  # words, up to which there is room for bars
BARS = 12.0  # mm, that the bars have at least
SHADOW = 0.75  # mm, how broad the shadow of a key on the query's line is
MOST = 3  # keys named in the 2-D space where there are more words: those with the scores farthest from 0


def draw(trace) -> Figure:
    """The query among the keys, and the product with each before and after the division."""
    step = layout.step_page(trace, texts(trace), "2-D attention space")
    EmbeddingSpace(step.page, step.left, trace).show_sentence()
    _query_and_keys(AttentionSpace(step.page, step.plot, trace), trace)
    _formula(step.page, step.over, trace)
    (_bars if trace.n <= FEW and _names_fit(step.side[2], trace) else _table)(step.page, step.side, trace)
    return step.page.figure


def _formula(page, box, trace) -> None:
    left, bottom, _, height = box
    query = richtext.symbol(trace, "queries", trace.tokens[-1])
    root = numerals.cell(trace.model.d_k, "d_k", 0)
    formula = rich("*s* = [q] · *k* / √[d]", q=query, d=root)
    layout.centred(page, left + layout.PLOT / 2, bottom + height / 2 + 1.0, formula, paint.TITLE)


def _query_and_keys(space: AttentionSpace, trace) -> None:
    """The query with the line it lies on; each key throws a shadow on that line, as long as its product says."""
    query = trace.queries[trace.last]
    colour = palette.word_colour(trace, trace.tokens[-1])
    length = float(np.hypot(*query))
    named = sorted(range(trace.n), key=lambda j: -abs(trace.scores[trace.last][j]))[: MOST if trace.n > FEW else None]
    for j in range(trace.n):
        space.draw("keys", j, label=j in named)
    if length > 0:
        along = query / length
        feet = [along * float(along @ key) for key in trace.keys]
        reach = [along @ foot for foot in (*feet, query)]
        ends = [along * min(0.0, *reach), along * max(0.0, *reach)]
        paint.line(space.ax, ends, palette.mix(colour, 0.6), 0.6)
        space.keep_off(ends)
        across = np.array([along[1], -along[0]]) * SHADOW / paint.scale(space.ax)
        for j, (token, key, foot) in enumerate(zip(trace.tokens, trace.keys, feet, strict=True)):
            shade, shift = palette.word_colour(trace, token), (1.0 + 1.4 * j) * across  # side by side
            paint.line(space.ax, (key, foot), shade, paint.THIN, (2.0, 2.0))
            paint.line(space.ax, (shift, foot + shift), shade, SHADOW * paint.MM)
            space.keep_off((key, foot))
            space.keep_off((shift, foot + shift), SHADOW * paint.MM)
    space.draw("queries", trace.last, width=2.0)
    space.finish()


def _stages(trace) -> tuple[Stage, Stage]:
    last, root = trace.last, numerals.cell(trace.model.d_k, "d_k", 0)
    products, scores = trace.products[last], trace.scores[last]
    return (
        Stage(rich("*q* · *k*"), rich("product"), products, numerals.cells(products, f"products[{last}]", 2)),
        Stage(rich("÷ √[d]", d=root), rich("score"), scores, numerals.cells(scores, f"scores[{last}]", 2)),
    )


def _names_fit(width: float, trace) -> bool:
    """Whether the words have room beside numbers and bars in `width` mm."""
    stages = _stages(trace)
    numbers = max(paint.text_width(c, paint.SMALL) for s in stages for c in s.cells)
    names = max(paint.text_width(richtext.word(trace, token), paint.SMALL) for token in trace.tokens)
    return names + numbers + 3.2 + BARS <= width


def _bars(page, box, trace) -> None:
    """Products above, scores below, on one scale: one sees the division."""
    left, bottom, width, height = box
    stages = _stages(trace)
    rows = [name[0] for name in tables.word_names(trace, trace.tokens)]
    half = height / 2
    for i, stage in enumerate(stages):
        _block(page, (left, bottom + (1 - i) * half, width, half), rows, stage, stages)


def _block(page, box, rows: list[Run], stage: Stage, stages) -> None:
    """One stage: its name, then a number and a bar a word."""
    left, bottom, width, height = box
    pitch = min((height - 9.0) / len(rows), 7.0)
    size = max(paint.SMALL, min(paint.HEAD, 0.8 * pitch * paint.MM))
    numbers = max(paint.text_width(c, size) for s in stages for c in s.cells)
    room = width - numbers - 3.2 - BARS
    name_size = min(paint.fitted(r, room, size) for r in rows)
    names = max(paint.text_width(r, name_size) for r in rows)
    values = np.concatenate([s.values for s in stages])
    low, high = min(0.0, values.min()), max(0.0, values.max())
    x = left + names + 1.6 + numbers + 1.6
    unit = (left + width - x - 0.5) / ((high - low) or 1.0)
    zero, top = x - low * unit, bottom + height - 7.5
    page.text(left + names + 1.6 + numbers, top + 2.0, stage.title, paint.HEAD, ha="right")
    page.text(x, top + 2.0, stage.formula, paint.BODY, colour=palette.theme().muted)
    page.line([(zero, top), (zero, top - pitch * len(rows))], palette.theme().rule, 0.6)
    for i, (run, value, content) in enumerate(zip(rows, stage.values, stage.cells, strict=True)):
        y = top - pitch * (i + 0.5)
        page.text(left + names, y, run, name_size, ha="right", va="middle")
        page.text(left + names + 1.6 + numbers, y, content, size, ha="right", va="middle")
        if value and not paint.blank():
            thick = min(0.55 * pitch, 4.0)
            page.polygon(paint.box(zero, y - thick / 2, zero + value * unit, y + thick / 2), run.colour)


def _table(page, box, trace) -> None:
    """Many words: products and scores as numbers only; of a very long sentence the last words."""
    sheets = [_sheet(trace, first) for first in range(trace.n)]
    (tables.first_that_fits(sheets, box) or sheets[-1]).draw(page, box)


def _sheet(trace, first: int) -> Sheet:
    """The numbers of the words from `first` on."""
    words = trace.tokens[first:]
    style = {"colours": palette.word_colours(trace, words), "rest": 0 if first else None}
    before, after = (Table([[c] for c in s.cells[first:]], s.title, under=s.formula, **style) for s in _stages(trace))
    return Sheet([before, Sign("→"), after], tables.word_names(trace, words))
