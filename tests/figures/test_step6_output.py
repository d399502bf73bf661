"""Step 6: a in 2-D, the displacement in 3-D from the tip of x, and the product in numbers."""

import numpy as np
import pytest

from attn.picture import palette
from tests.figures.artists import (
    FILES,
    REFERENCE,
    drawn,
    has,
    large,
    named,
    panels,
    printed,
    starts,
    texts,
    tips,
    traced,
)

MODELS = [*FILES, large()]


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_the_displacement_starts_at_the_tip_of_x_and_ends_at_h(source):
    trace = traced(source)
    space = panels(drawn("step6_output", source))[0]
    pink = palette.theme().context
    assert has(tips(space, pink), trace.view.project(trace.contextual[-1]))
    flat = trace.view.project(trace.correction[-1])
    if np.hypot(*flat) * 84.5 / np.ptp(space.get_xlim()) > 4.0:  # long enough to have a shaft
        assert has(starts(space, pink), trace.view.project(trace.positioned[-1]))


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_the_attention_output_ends_where_the_trace_says(source):
    trace = traced(source)
    plot = panels(drawn("step6_output", source))[1]
    assert has(tips(plot, palette.word_colour(trace, trace.tokens[-1])), trace.mixed[-1])


def test_the_product_is_printed_with_every_entry_and_the_shape():
    trace, found = traced(REFERENCE), printed(drawn("step6_output", REFERENCE))
    last = trace.last
    wanted = {f"parameters.W_O[{i}][{j}]" for i in range(3) for j in range(2)}
    wanted |= {f"mixed[{last}][{i}]" for i in range(2)} | {f"correction[{last}][{i}]" for i in range(3)}
    assert wanted <= set(found)
    assert found["d_model"] == ["3"] and found["d_v"] == ["2"]
    assert any(text.strip() == "×" for text in texts(drawn("step6_output", REFERENCE)))


def test_only_the_displacement_is_pink():
    pink = palette.theme().context
    plot = panels(drawn("step6_output", REFERENCE))[1]
    assert not len(tips(plot, pink)) and not len(starts(plot, pink))
