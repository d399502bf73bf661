"""Regions and steps 0 to 3: arrows, lines and bars end where the trace says, read back from the artists."""

import dataclasses

import numpy as np
import pytest
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from attn.core import record
from attn.picture import palette
from attn.picture.ranges import drawn_words
from tests.figures.artists import (
    FILES,
    bars,
    data,
    drawn,
    has,
    large,
    named,
    page,
    panels,
    printed,
    same,
    tips,
    traced,
    worn,
)

SOURCES = [*FILES, large()]
every = pytest.mark.parametrize("source", SOURCES, ids=named)


def colour(trace, word: str) -> str:
    return palette.word_colour(trace, word)


def ends(axes, ink: str) -> np.ndarray:
    """Where marks of one colour stand in a panel: tips of arrows, middles of squares and dots, m x 2."""
    marks = [p.get_xy()[:-1] for p in axes.findobj(Polygon) if worn(p.get_facecolor(), ink)]
    found = [xy[0] for xy in marks if len(xy) == 4] + [xy.mean(axis=0) for xy in marks]
    return np.array(found).reshape(-1, 2)


@every
def test_every_drawn_word_has_its_arrow(source):
    trace = traced(source)
    (space,) = panels(drawn("step0_embeddings", source))
    for word in drawn_words(trace):
        vector = trace.model.embeddings[trace.model.index(word)]
        assert has(ends(space, colour(trace, word)), trace.view.project(vector)), word


def test_a_word_of_the_sentence_has_a_firm_arrow_however_it_is_written():
    model = traced(FILES[0]).model
    lines = []
    for sentence in (("why", "are", "you"), ("Why", "Are", "You")):
        story = dataclasses.replace(model.story, sentence=sentence)
        figure = drawn("step0_embeddings", dataclasses.replace(model, story=story))
        lines.append(sorted(line.get_linewidth() for line in panels(figure)[0].findobj(Line2D)))
    assert lines[0] == lines[1]


@every
def test_each_line_of_the_lookup_joins_equal_rows(source):
    """A line leads from a word's row in the table to its row in the sentence: both rows print the same numbers."""
    trace, found = traced(source), printed(drawn("step0_embeddings", source))
    for i, token in enumerate(trace.tokens):
        row = trace.model.index(token)
        for j in range(3):
            there = found.get(f"parameters.embeddings[{row}][{j}]")
            assert there is None or there == found[f"embeddings[{i}][{j}]"]
    for token in set(trace.tokens):
        lines = [a for a in page(drawn("step0_embeddings", source)).findobj(Line2D) if a.get_linewidth() == 0.9]
        assert sum(same(a.get_color(), colour(trace, token)) for a in lines) >= trace.tokens.count(token)


@every
def test_the_position_arrows_lead_from_e_to_x(source):
    trace = traced(source)
    (space,) = panels(drawn("step1_positions", source))
    for row, token in enumerate(trace.tokens):
        e, x = (trace.view.project(v[row]) for v in (trace.embeddings, trace.positioned))
        assert has(ends(space, colour(trace, token)), e) and has(ends(space, colour(trace, token)), x)
        if not np.allclose(e, x):
            assert has(tips(space, palette.theme().ink), x)


@every
@pytest.mark.parametrize("name", ["step2_projections", "step3_scores"])
def test_the_words_stand_where_they_are(source, name):
    trace = traced(source)
    space = panels(drawn(name, source))[0]
    for row, token in enumerate(trace.tokens):
        assert has(ends(space, colour(trace, token)), trace.view.project(trace.positioned[row]))


@every
def test_every_query_key_and_value_is_plotted(source):
    trace = traced(source)
    plot = panels(drawn("step2_projections", source))[1]
    for row, token in enumerate(trace.tokens):
        for vectors in (trace.queries, trace.keys, trace.values):
            assert has(ends(plot, colour(trace, token)), vectors[row])


@every
def test_the_query_meets_every_key_it_may_see(source):
    trace = traced(source)
    plot = panels(drawn("step3_scores", source))[1]
    assert has(ends(plot, colour(trace, trace.tokens[-1])), trace.queries[trace.last])
    for j in np.flatnonzero(trace.mask[trace.last]):
        assert has(ends(plot, colour(trace, trace.tokens[j])), trace.keys[j])


@every
def test_a_keys_shadow_times_the_querys_length_is_the_product(source):
    trace = traced(source)
    query, plot = trace.queries[trace.last], panels(drawn("step3_scores", source))[1]
    length = np.hypot(*query)
    for j in np.flatnonzero(trace.mask[trace.last] & (length > 0)):
        shade = colour(trace, trace.tokens[j])
        lines = [a.get_xydata() for a in plot.findobj(Line2D) if same(a.get_color(), shade)]
        steps = [np.diff(xy, axis=0)[0] for xy in lines if len(xy) == 2]
        along = [step @ query / length for step in steps if abs(step[0] * query[1] - step[1] * query[0]) < 1e-9]
        assert has(np.array(along)[:, None] * length, [trace.products[trace.last][j]], 1e-9)


@every
def test_bars_of_products_and_scores_share_one_scale(source):
    trace, figure = traced(source), drawn("step3_scores", source)
    seen = np.flatnonzero(trace.mask[trace.last])
    values = np.concatenate([trace.products[trace.last][seen], trace.scores[trace.last][seen]])
    words = [trace.tokens[j] for j in seen] * 2
    widths = []
    for word in dict.fromkeys(words):
        found = [b for b in bars(figure, colour(trace, word)) if b[0] > 130 and b[1] > 18]
        widths += [right - left for left, _, right, _ in sorted(found, key=lambda b: -b[1])]
    if not widths and (len(seen) > 6 or max(map(len, words)) > 12):
        pytest.skip("as a table")
    order = [i for word in dict.fromkeys(words) for i in range(len(words)) if words[i] == word and values[i]]
    expected = np.abs(values[order])
    assert np.allclose(np.array(widths) / max(widths), expected / expected.max(), atol=1e-6)


@every
def test_the_decoders_numbers_are_there(source):
    trace, found = traced(source), printed(drawn("decoder_regions", source))
    model = trace.model
    for word in (model.story.origin, model.story.target):
        row = model.index(word)
        assert {f"parameters.W_out[{row}][{j}]" for j in range(3)} | {f"parameters.b_out[{row}]"} <= found.keys()
        assert record.path("decoder", "embedding", "scores", word) in found
    assert data(source)["V"] == len(model.vocabulary)


@every
@pytest.mark.parametrize("name", ["decoder_regions", "step0_embeddings", "step1_positions", "step2_projections"])
def test_the_space_never_moves(source, name):
    """Panel, ranges and plane are those of step 3, to the last digit."""
    here, there = (panels(drawn(n, source))[0] for n in (name, "step3_scores"))
    assert here.get_position().bounds == there.get_position().bounds
    assert (here.get_xlim(), here.get_ylim()) == (there.get_xlim(), there.get_ylim())
    shapes = [[p.get_xy() for p in axes.findobj(Polygon) if p.get_zorder() == 2][:2] for axes in (here, there)]
    assert all(np.array_equal(a, b) for a, b in zip(*shapes, strict=True))
