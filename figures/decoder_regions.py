"""The decoder's sides of the word embedding space, the plane between them, and the numbers behind it."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, richtext
from attn.picture.richtext import Run, rich
from attn.texts.decoder_regions import texts
from figures._kit import layout, paint, tables
from figures._kit.spaces import EmbeddingSpace
from figures._kit.tables import Sheet, Sign, Table

WIDTHS = ("page", "text", "column")


def draw(trace) -> Figure:
    """Both sides with the plane, and a row of weights, a bias and a score for each word."""
    step = layout.step_page(trace, texts(trace), "The decoder scores each word at a point")
    space = EmbeddingSpace(step.page, step.left, trace)
    space.state("embedding")
    _name_plane(space)
    space.finish()
    left, bottom, width, height = step.right
    _formula(step.page, left + width / 2, bottom + height - 5.0)
    _condition(step.page, (left + width / 2, bottom + 2.5), width - 1.0, trace)
    _table(step.page, (left, bottom + 8.0, width, height - 16.0), trace)
    return step.page.figure


def _name_plane(space: EmbeddingSpace) -> None:
    """Names the plane at its lowest corner on the page, outwards."""
    section = space.view.project(space.view.halves(space.trace.plane).section)
    if len(section):
        corner = section[section[:, 1].argmin()]
        space.name(corner, rich("plane"), palette.theme().muted, corner - section.mean(axis=0), paint.BODY)


def _formula(page, x, y) -> None:
    formula = rich("score(*w*) = *W*_{out}(*w*) · *r* + *b*_{out}(*w*)")
    layout.centred(page, x, y, formula, paint.TITLE)


def _condition(page, at, room, trace) -> None:
    """What is true on the plane, in `room` mm."""
    a, b = (richtext.word(trace, w) for w in (trace.model.story.origin, trace.model.story.target))
    equal = rich("score([a]) = score([b])", a=a, b=b)
    condition = paint.first_that_fits([(Run("on the plane:  "), *equal), equal], room, paint.SMALL)
    layout.centred(page, *at, condition, paint.fitted(condition, room, paint.HEAD))


def _table(page, box, trace) -> None:
    """W_out and b_out as they are learned, and the scores they give at the followed word's embedding."""
    most = min(len(trace.model.vocabulary), max(2, tables.rows_in(box)))
    wanted = ((lines, full) for lines in range(most, 1, -1) for full in (True, False))
    sheets = [_sheet(trace, lines, full, named) for lines, full in wanted for named in (True, False)]
    (tables.first_that_fits(sheets, box) or sheets[-1]).draw(page, box)


def _sheet(trace, lines: int, full: bool, named: bool) -> Sheet:
    """W_out r + b_out = score where it is `full`, else without the point's numbers; the point `named` by its word."""
    model = trace.model
    shown, rest = tables.word_rows(trace, lines)
    words = [model.vocabulary[i] for i in shown]
    weights = numerals.cells(model.W_out, "parameters.W_out")
    biases = numerals.cells(model.b_out, "parameters.b_out")
    scores = numerals.score_cells(trace, "embedding", numerals.decimals(trace.decoder["embedding"].scores))
    at = richtext.symbol(trace, "embeddings", trace.tokens[-1])[: 2 if named else 1]
    options = {"rest": rest, "colours": palette.word_colours(trace, words)}
    learned = [
        Table([weights[i] for i in shown], rich("*W*_{out}"), richtext.shape(trace, "V", "d_model"), True, **options),
        Table([[biases[i]] for i in shown], rich("*b*_{out}"), richtext.shape(trace, "V"), True, **options),
    ]
    found = Table([[scores[word]] for word in words], rich("score"), under=rich("at *r* = [e]", e=at), **options)
    if not full:
        return Sheet([*learned, Sign("→"), found], tables.word_names(trace, words))
    point = numerals.cells(
        trace.embeddings[trace.last], f"embeddings[{trace.last}]", numerals.decimals(model.embeddings)
    )
    colours = [palette.word_colour(trace, trace.tokens[-1])] * len(point)
    r = Table([[c] for c in point], rich("*r* = [e]", e=at), colours=colours)
    items = [learned[0], Sign("·"), r, Sign("+"), learned[1], Sign("="), replace(found, under=())]
    return Sheet(items, tables.word_names(trace, words), level=False)
