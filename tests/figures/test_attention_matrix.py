"""The attention matrix: rows are queries and add up to 1, masked cells hold no number, the followed row is framed."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon

from attn.core.model import WeightsError
from attn.picture import palette
from tests.figures.artists import FILES, REFERENCE, drawn, large, named, page, printed, same, texts, traced

MODELS = [*FILES, large(), large(4, 8, mask=False)]


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_masked_cells_show_no_number_and_all_others_do(source):
    trace, found = traced(source), printed(drawn("attention_matrix", source))
    for i in range(trace.n):
        for j in range(trace.n):
            assert (f"attention[{i}][{j}]" in found) == bool(trace.mask[i, j])
            if f"scores[{i}][{j}]" in found:
                assert trace.mask[i, j]


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_each_row_adds_up_to_one_as_printed(source):
    trace, found = traced(source), printed(drawn("attention_matrix", source))
    for i in range(trace.n):
        row = [float(found[f"attention[{i}][{j}]"][0]) for j in range(trace.n) if trace.mask[i, j]]
        assert sum(row) == pytest.approx(1.0)
        assert found[f"totals[{i}]"] == ["1.00"]


def test_short_sentences_show_the_scores_and_long_ones_the_weights_alone():
    assert any(path.startswith("scores") for path in printed(drawn("attention_matrix", REFERENCE)))
    assert not any(path.startswith("scores") for path in printed(drawn("attention_matrix", large())))


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_rows_and_columns_are_named_and_said_to_be_queries_and_keys(source):
    trace, found = traced(source), texts(drawn("attention_matrix", source))
    assert any("queries" in text for text in found) and any("keys" in text for text in found)
    for token in trace.tokens:
        assert found.count(token) >= 2 * trace.tokens.count(token)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("source", MODELS, ids=named)
def test_numbers_can_be_read_on_every_shade(source, theme):
    figure = drawn("attention_matrix", source, theme)
    with palette.themed(theme):
        trace = traced(source)
        fills = {to_hex(p.get_facecolor()) for p in cells(figure)}
        assert len(fills) > 1 or trace.n == 1
        assert min(palette.contrast(fill, palette.theme().ink) for fill in fills) >= 4.5


def cells(figure) -> list[Polygon]:
    """The filled rectangles on the page."""
    return [p for p in page(figure).findobj(Polygon) if p.get_facecolor()[3] and upright(p)]


def upright(artist) -> bool:
    corners = artist.get_xy()[:-1]
    low, high = corners.min(axis=0), corners.max(axis=0)
    return len(corners) == 4 and bool(np.all((corners == low) | (corners == high)))


def test_a_shade_is_the_deeper_the_larger_the_weight():
    trace, figure = traced(REFERENCE), drawn("attention_matrix", REFERENCE)
    row = trace.attention[-1]
    assert row.argmax() == 1
    deepest = palette.mix(palette.word_colour(trace, trace.tokens[1]), 0.6)
    assert any(same(p.get_facecolor(), palette.mix(deepest, float(row[1]))) for p in cells(figure))


def test_the_followed_row_is_framed_firmly():
    trace, figure = traced(REFERENCE), drawn("attention_matrix", REFERENCE)
    frames = [p.get_xy() for p in page(figure).findobj(Polygon) if p.get_linewidth() == 1.6]
    assert len(frames) == 2
    cell = np.ptp(frames[0][:, 1])
    assert np.ptp(frames[0][:, 0]) / trace.n > cell > 0


def test_too_long_a_sentence_is_refused_in_one_line():
    with pytest.raises(WeightsError, match="30 words") as refused:
        drawn("attention_matrix", large(30))
    assert "\n" not in str(refused.value)
