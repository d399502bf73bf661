"""What is claimed of good, broken and tied weights."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from attn.core import weights
from attn.core.claims import check, claims, expectations
from attn.core.forward import forward
from attn.core.model import Expect
from tests.attn.random_models import CASES, models, story_models

REFERENCE = weights.load(CASES / "reference.toml")


def failing(model) -> set[str]:
    return {claim.name for claim in check(model) if not claim.holds}


def by_name(model) -> dict:
    return {claim.name: claim for claim in claims(forward(model))}


def test_everything_holds_for_the_reference():
    found = check(REFERENCE)
    assert all(claim.holds and claim.margin >= 0 for claim in found)
    assert sum(claim.name == "expect" for claim in found) == 13
    told = {"focus", "alone", "in context", "side of e", "side of x", "side of h", "crossing"}
    assert told <= by_name(REFERENCE).keys()
    leads = [claim.margin for claim in found if claim.name == "expect"]
    assert min(leads) > 3.3


def test_a_word_that_no_longer_crosses():
    broken = weights.load(CASES / "good" / "broken-story.toml")
    assert failing(broken) == {"in context", "side of h", "crossing", "expect"}
    found = by_name(broken)
    assert found["crossing"].margin == pytest.approx(forward(broken).distances["contextual"])
    assert "does not cross" in found["crossing"].text
    assert '"here" scores \N{MINUS SIGN}0.64, "are" 0.64' in found["in context"].text


def test_a_tie_is_named_and_not_settled():
    tied = weights.load(CASES / "good" / "tie.toml")
    found = by_name(tied)
    assert not found["no tie at e"].holds and '"are" and "here" score the same' in found["no tie at e"].text
    assert not found["side of e"].holds and "on the plane itself" in found["side of e"].text


@pytest.mark.parametrize("name", ["french", "symbols", "long-words", "crlf-bom", "near-equal"])
def test_the_other_cases_hold(name):
    assert not failing(weights.load(CASES / "good" / f"{name}.toml"))


def test_a_third_word_that_outscores_both_is_reported():
    bias = REFERENCE.b_out.copy()
    bias[0] = 50
    broken = failing(replace(REFERENCE, b_out=bias))
    assert {"two words at e", "two words at x", "two words at h", "alone", "in context", "expect"} <= broken
    assert "side of e" not in broken  # the plane between the story's two words stands where it stood


def test_attention_that_is_no_distribution_is_reported():
    trace = forward(REFERENCE)
    names = {c.name for c in claims(replace(trace, attention=trace.attention * 1.01)) if not c.holds}
    assert "weights add up" in names
    leaking = trace.attention + np.triu(np.full((3, 3), 0.1), 1)
    names = {c.name for c in claims(replace(trace, attention=leaking)) if not c.holds}
    assert "mask" in names


def test_shares_that_miss_a_word_are_reported():
    trace = forward(REFERENCE)
    found = claims(replace(trace, shares=trace.shares * [1, 1, 0]))
    assert [claim.name for claim in found if not claim.holds] == ["shares add up"]


def test_an_expectation_that_fails_is_reported_with_its_margin():
    model = replace(REFERENCE, expect=(Expect(("you",), "here"),))
    (claim,) = expectations(model)
    scores = forward(model, "you").decoder["contextual"].scores
    assert not claim.holds and claim.margin == pytest.approx(scores[4] - scores[2])
    assert claim.line().startswith("FAILS") and "\N{MINUS SIGN}" in claim.line()


def test_expectations_have_no_say_in_what_pictures_claim():
    other = replace(REFERENCE, expect=())
    assert claims(forward(other)) == claims(forward(REFERENCE))


def test_of_another_sentence_only_what_is_true_of_every_trace_is_claimed():
    names = {claim.name for claim in claims(forward(REFERENCE, "we hear you"))}
    assert names == {"weights add up", "mask", "no tie at e", "no tie at x", "no tie at h"}


def test_attention_that_is_an_average_is_reported():
    flat = replace(REFERENCE, W_Q=0 * REFERENCE.W_Q)
    found = by_name(flat)["focus"]
    assert not found.holds and found.margin == pytest.approx(1 / 3 - 1.5 / 3) and "nearly uniform" in found.text


def attending(sentence: tuple[str, ...], following: str, *words: str):
    model = replace(REFERENCE, expect=(Expect(sentence, following, words),))
    return {claim.name: claim for claim in expectations(model)}, forward(model, sentence)


def test_words_that_an_entry_names_get_the_attention_and_move_the_word():
    sentence = ("why", "are", "you")
    for words in (("are",), ("why",), ("why", "are")):
        found, trace = attending(sentence, "here", *words)
        named = np.array([word in words for word in sentence])
        weights_, shares = trace.attention[-1], trace.shares
        least, rest = weights_[named].min(), weights_[~named].max()
        assert found["attends"].holds == (least >= 1.5 * rest and weights_[named].sum() >= 0.4)
        assert found["moves most"].holds == (shares[named].min() > shares[~named].max())
    assert "attends" not in attending(sentence, "here")[0]
    assert "moves most" not in attending(sentence, "we", "are")[0], "no side of the plane is wanted"


@settings(max_examples=80)
@given(models(story=True))
def test_every_model_can_be_checked_and_margins_agree_with_what_holds(model):
    for claim in check(model):
        assert claim.holds == (claim.margin > 0) or abs(claim.margin) < 1e-8
        assert "\n" not in claim.line() and "-0.00" not in claim.line()


def test_stories_that_are_fulfilled_cross():
    for model in story_models(20, seed=5):
        assert not failing(model) - {"two words at e", "two words at x", "two words at h", "focus"}
