"""What the texts of story A say of a crossing is so, for any weights."""

import dataclasses

import numpy as np
import pytest

from attn.build.assets import ROOT
from attn.build.subjects import FILES, SHIPPED
from attn.core import weights
from attn.picture import richtext
from attn.picture.drawn import picture
from attn.texts import decoder_regions, margin, phrases, step5_mixing, step7_context, summary

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
    step, shares = step7_context.texts(trace), margin.texts(trace)
    said = richtext.plain(step.outcome), richtext.plain(shares.outcome)
    assert ("crosses the plane" in said[0], "does not cross" in said[0]) == (crosses(trace), not crosses(trace))
    assert ("across the decoder’s plane" in step.caption, "no crossing" in step.caption) == (
        crosses(trace), not crosses(trace),
    )  # fmt: skip
    assert ("across" in said[1], "do not carry" in said[1]) == (crosses(trace), not crosses(trace))


def test_both_are_told_of_some_weights():
    assert {crosses(picture(model)) for model in MODELS.values()} == {True, False}


ALIKE = dataclasses.replace(YOU, W_Q=0 * YOU.W_Q)  # every word is listened to as much as any other


def test_who_listens_most_to_whom_is_told_of_all_that_share_the_lead():
    assert richtext.plain(step5_mixing.texts(picture(ALIKE)).outcome) == "you listens to all words about equally."
    assert richtext.plain(phrases.listening(picture(YOU, "you"))) == "you can listen only to itself"
    assert phrases.leading([0.2, 0.4, 0.4, 0.4], ["0.14", "0.29", "0.29", "0.28"]) == [1, 2, 3]
    assert phrases.leading([0.399, 0.401, 0.2], ["0.40", "0.40", "0.20"]) == [0, 1], "they cannot be told apart"


def test_the_probability_of_a_tie_is_no_one_words():
    """Rounded so that they add up to 1.00, three equal ones are 0.34, 0.33 and 0.33."""
    b_out = np.where([word in ("are", "here", "we") for word in YOU.vocabulary], 0.0, -99.0)
    trace = picture(dataclasses.replace(YOU, W_out=1e-12 * YOU.W_out, b_out=b_out))
    assert phrases.says(trace, "positioned").endswith("tie for the next word (probability about 0.33 each)")


def test_what_is_no_farther_from_the_plane_than_a_tie_lies_on_it():
    trace = picture(YOU)
    for hair, crosses in ((5e-10, False), (2e-9, True)):
        near = dataclasses.replace(trace, distances={"positioned": -hair, "contextual": 1.0})
        assert (near.crosses, phrases.sides(near, "positioned") != "on the plane itself") == (crosses, crosses)


def test_a_film_is_described_as_a_film():
    trace = picture(YOU)
    regions, states = decoder_regions.film(trace), summary.film(trace)
    assert "a point r" in regions.alt and "arrow" not in regions.alt, "no vector is drawn in it"
    assert "scores" not in states.alt, "it shows probabilities alone"
    for film, figure in ((regions, decoder_regions.texts(trace)), (states, summary.texts(trace))):
        assert dataclasses.replace(film, alt="") == dataclasses.replace(figure, alt="")


@pytest.mark.parametrize("tell", [step7_context.texts, decoder_regions.texts, decoder_regions.film])
def test_the_plane_is_said_to_part_the_space_where_it_does(tell):
    far = picture(dataclasses.replace(YOU, b_out=np.where(np.array(YOU.vocabulary) == "are", 99.0, YOU.b_out)))
    assert "parted by a plane into a side shaded for “are” and" in tell(picture(YOU)).alt
    assert "all of it on the “are” side of the plane" in tell(far).alt and "parted" not in tell(far).alt
