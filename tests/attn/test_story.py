"""What the texts of story A say of a crossing is so, for any weights."""

import dataclasses

import numpy as np
import pytest

from attn import look, story, weights
from attn.assets import ROOT
from attn.subjects import FILES, SHIPPED
from attn.view import picture

MODELS = {
    file.stem: weights.load(file) for file in (SHIPPED / FILES["story"], *(ROOT / "tests/cases/good").glob("*.toml"))
}
YOU = MODELS["you"]
MODELS["the other way"] = dataclasses.replace(YOU, W_O=-YOU.W_O, b_out=-YOU.b_out, W_out=-YOU.W_out)
MODELS["far enough already"] = dataclasses.replace(YOU, b_out=np.where(YOU.b_out == 4, -4.0, YOU.b_out))


def crosses(trace) -> bool:
    """Whether story.to overtakes story.from on the way from x to h, by their scores."""
    origin, target = (trace.model.index(word) for word in (trace.model.story.origin, trace.model.story.target))
    states = np.stack([trace.positioned[-1], trace.contextual[-1]])
    scores = states @ trace.model.W_out.T + trace.model.b_out
    (first, last) = scores[:, target] - scores[:, origin]
    return bool(first < 0 < last)


@pytest.mark.parametrize("name", MODELS)
def test_a_crossing_is_told_where_there_is_one_and_nowhere_else(name):
    trace = picture(MODELS[name])
    step, margin = story.step7_context(trace), story.margin(trace)
    said = look.plain(step.outcome), look.plain(margin.outcome)
    assert ("crosses the plane" in said[0], "does not cross" in said[0]) == (crosses(trace), not crosses(trace))
    assert ("across the decoder’s plane" in step.caption, "no crossing" in step.caption) == (
        crosses(trace), not crosses(trace),
    )  # fmt: skip
    assert ("across" in said[1], "do not carry" in said[1]) == (crosses(trace), not crosses(trace))


def test_both_are_told_of_some_weights():
    assert {crosses(picture(model)) for model in MODELS.values()} == {True, False}
