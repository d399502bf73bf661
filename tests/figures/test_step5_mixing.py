"""Step 5: scaled values end where the trace says, and laid tip to tail they end at a."""

import numpy as np
import pytest

from attn.picture import palette
from figures._kit import paint
from tests.figures.artists import FILES, REFERENCE, dots, drawn, has, large, named, panels, printed, tips, traced

MODELS = [*FILES, large()]


def plots(source):
    return panels(drawn("step5_mixing", source))[1:]


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_scaling_shows_the_full_values_pale_and_the_scaled_ones_strong(source):
    trace, axes = traced(source), plots(source)[0]
    for token, value, part in zip(trace.tokens, trace.values, trace.weighted[-1], strict=True):
        colour = palette.word_colour(trace, token)
        assert has(dots(axes, palette.mix(colour, 0.45)), value)
        assert has(dots(axes, colour), part)


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_adding_leads_tip_to_tail_to_the_attention_output(source):
    trace, axes = traced(source), plots(source)[1]
    for token, end in zip(trace.tokens, np.cumsum(trace.weighted[-1], axis=0), strict=True):
        assert has(dots(axes, palette.word_colour(trace, token)), end)
    assert has(tips(axes, palette.word_colour(trace, trace.tokens[-1])), trace.mixed[-1])


def test_both_plots_and_step_6_have_one_range_and_one_size():
    view = traced(REFERENCE).view
    first, second = plots(REFERENCE)
    third = panels(drawn("step6_output", REFERENCE))[1]
    squares = [paint.to_page(axes, [view.attention_low, view.attention_high]) for axes in (first, second, third)]
    sizes = [high - low for low, high in squares]  # mm
    assert sizes[0] == pytest.approx(sizes[1]) and sizes[2] == pytest.approx(sizes[1])
    assert squares[0][:, 1] == pytest.approx(squares[1][:, 1])
    assert squares[2] == pytest.approx(squares[1]), "step 6 takes up the plot of step 5 where it was"


def test_the_weights_in_the_sum_add_up_to_one():
    found = printed(drawn("step5_mixing", REFERENCE))
    texts = [text for path, both in found.items() if path.startswith("attention[") for text in both]
    shown = [float(text) for text in texts if not text.endswith("%")]  # nor those over the sentence
    assert len(shown) == 3 and sum(shown) == pytest.approx(1.0)


def test_of_a_long_sentence_the_words_that_weigh_most_are_added_in_numbers():
    source = large()
    found = printed(drawn("step5_mixing", source))
    added = {path for path, texts in found.items() if any(not text.endswith("%") for text in texts)}
    shown = {int(path[:-1].rpartition("[")[2]) for path in added if path.startswith("attention[")}
    row = traced(source).attention[-1]
    assert 1 <= len(shown) < len(row)
    assert min(row[list(shown)]) >= max(np.delete(row, list(shown)))
