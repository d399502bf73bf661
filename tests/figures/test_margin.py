"""Margin: a waterfall whose bars add up from x to h, and the same contributions tip to tail in 3-D."""

import numpy as np
import pytest

from attn.picture import palette
from figures import margin
from tests.figures.artists import (
    FILES,
    REFERENCE,
    dots,
    drawn,
    has,
    large,
    named,
    page,
    panels,
    printed,
    tips,
    traced,
)

MODELS = [*FILES, large(), large(16)]


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_the_rows_lead_from_x_to_h_without_a_gap(source):
    trace = traced(source)
    rows = margin.moves(trace)
    pushes = [row for row in rows if not row.state]
    assert pushes[0].start == trace.distances["positioned"]
    for before, after in zip(pushes[:-1], pushes[1:], strict=True):
        assert before.end == pytest.approx(after.start)
    assert pushes[-1].end == pytest.approx(trace.distances["contextual"])


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_shares_are_the_contributions_along_the_normal(source):
    trace = traced(source)
    assert margin.contributions(trace) @ trace.plane.normal == pytest.approx(trace.shares)
    assert margin.contributions(trace).sum(axis=0) == pytest.approx(trace.correction[-1])


@pytest.mark.parametrize("source", FILES, ids=named)
def test_arrows_and_marks_end_where_the_distances_are(source):
    trace, figure = traced(source), drawn("margin", source)
    marks = dots(page(figure), palette.word_colour(trace, trace.tokens[-1]))
    marks = marks[marks[:, 1] > 17.5]  # without the strip's
    assert len(marks) == 3
    (e, x, h), d = marks[:, 0], trace.distances
    unit = (h - x) / (d["contextual"] - d["positioned"])
    assert e - x == pytest.approx(unit * (d["embedding"] - d["positioned"]))
    at = d["positioned"]
    for token, share in zip(trace.tokens, trace.shares, strict=True):
        colour = palette.word_colour(trace, token)
        ends = np.concatenate([tips(page(figure), colour), dots(page(figure), colour)])
        assert np.abs(ends[:, 0] - (x + unit * (at + share - d["positioned"]))).min() < 1e-6
        at += share


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_contributions_lie_tip_to_tail_in_space(source):
    trace = traced(source)
    space = panels(drawn("margin", source))[0]
    ends = trace.positioned[-1] + np.cumsum(margin.contributions(trace), axis=0)
    for token, end in zip(trace.tokens, ends, strict=True):
        colour = palette.word_colour(trace, token)
        assert has(np.concatenate([tips(space, colour), dots(space, colour)]), trace.view.project(end))
    assert ends[-1] == pytest.approx(trace.contextual[-1])


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_what_is_drawn_in_space_lies_in_the_cube(source):
    trace = traced(source)
    ends = trace.positioned[-1] + np.cumsum(margin.contributions(trace), axis=0)
    assert np.all(ends >= trace.view.low) and np.all(ends <= trace.view.high)


def test_every_share_is_printed_and_positive_ones_with_their_sign():
    figure = drawn("margin", REFERENCE)
    found = printed(figure)
    assert [found[f"shares[{j}]"] for j in range(3)] == [["−0.28"], ["2.77"], ["−0.05"]]
    assert "+" in [artist.get_text() for artist in page(figure).texts]


def test_of_a_long_sentence_the_smallest_shares_go_together():
    source = large(16)
    rows = margin.moves(traced(source))
    assert len(rows) == 3 + margin.MOST_WORDS + 1
    assert rows[-2].name[0].text == "the others"
