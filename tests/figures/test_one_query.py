"""The way of one query: the bar of weights, and where its arrows lead."""

import numpy as np
import pytest

from attn.picture import palette
from tests.figures.artists import FILES, bars, drawn, large, named, page, printed, tips, traced

MODELS = [*FILES, large(6)]


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_the_weights_are_shares_of_one_bar_and_each_score_leads_to_its_share(source):
    trace, figure = traced(source), drawn("one_query", source)
    shares = {share for token in trace.tokens for share in bars(figure, palette.word_colour(trace, token))}
    heights = [(low, high) for _, low, _, high in shares]
    low, high = max(set(heights), key=heights.count)
    shares = sorted(share for share in shares if (share[1], share[3]) == (low, high))
    lengths = np.array([right - left for left, _, right, _ in shares])
    np.testing.assert_allclose(lengths / lengths.sum(), trace.attention[-1], atol=1e-9)
    np.testing.assert_allclose([s[2] for s in shares[:-1]], [s[0] for s in shares[1:]])
    for (left, _, right, top), token in zip(shares, trace.tokens, strict=True):
        ends = tips(page(figure), palette.word_colour(trace, token))
        assert np.any(np.all(np.abs(ends - [(left + right) / 2, top + 0.6]) < 1e-6, axis=1))


def test_of_a_long_sentence_those_that_weigh_most_have_a_column():
    source = large(12)
    trace, found = traced(source), printed(drawn("one_query", source))
    shown = {j for j in range(trace.n) if f"scores[{trace.last}][{j}]" in found}
    assert trace.last in shown and len(shown) < trace.n
    least = min(trace.attention[-1][j] for j in shown - {trace.last})
    assert all(trace.attention[-1][j] <= least for j in set(range(trace.n)) - shown)
