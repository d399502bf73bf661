"""The search for weights: what it finds meets what is asked, the same each time, and it says what it cannot do."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from attn.core import weights
from attn.core.compared import contrast_sentences
from attn.core.forward import CHECKPOINTS, forward
from attn.core.model import PARAMETERS, Expect, Model, Story
from attn.lab import beauty, fit
from attn.lab.batch import Sentences, run_pass
from attn.lab.fit import Search
from attn.lab.wishes import FitError, shortfalls, wishes
from attn.picture.drawn import picture
from attn.picture.polygons import hull
from tests.attn.random_models import CASES, models

REFERENCE = weights.load(CASES / "reference.toml")
SHIPPED = CASES.parents[1] / "attn" / "weights" / "you.toml"
FRENCH = weights.load(CASES / "good" / "french.toml")


def sentences_only(model: Model) -> Model:
    """The file without its parameters."""
    text = weights.dumps(model)
    start, end = text.index("[parameters]"), text.index("[story]")
    return weights.read(text[:start] + text[end:], parameters_required=False)


def multiples(model: Model, grid: float) -> bool:
    values = np.concatenate([getattr(model, name).ravel() for name in PARAMETERS]) / grid
    return bool(np.allclose(values, np.round(values), atol=1e-6))


# What is shipped


def test_the_shipped_weights_lack_nothing():
    model = weights.load(SHIPPED)
    asked = {(entry.sentence, entry.next) for entry in model.expect}
    assert {(entry.sentence, entry.next) for entry in REFERENCE.expect} <= asked
    assert model.vocabulary == REFERENCE.vocabulary
    assert shortfalls(model) == []
    assert multiples(model, 0.5)


def test_the_shipped_story_turns_on_both_words_and_on_their_order():
    """Worked out from the passes alone."""
    model = weights.load(SHIPPED)
    trace = forward(model)
    why, are, you = trace.shares
    assert min(why, are) >= 0.8 and abs(you) <= 0.3
    assert all(trace.distances["contextual"] - share <= -0.3 for share in (why, are))
    like = forward(model, "hear why you")
    assert like.shares[1] >= 0.3 and like.shares[0] < 0 and like.distances["contextual"] < 0
    assert forward(model, "are why you").distances["contextual"] < 0, "the same words in another order"
    flat = replace(model, positions=0 * model.positions)
    same = [forward(flat, words).contextual[-1] for words in ("why are you", "are why you")]
    np.testing.assert_allclose(*same, err_msg="without positions order is nothing")
    both = np.abs(trace.plane.distance(np.concatenate([trace.embeddings, trace.positioned])))
    assert both.min() >= 0.3
    compared = contrast_sentences(model)
    assert {("you",), ("why", "are", "you"), ("are", "why", "you"), ("hear", "why", "you")} == set(compared)


def test_the_shipped_weights_by_the_numbers_of_the_promise():
    """The same promises as `shortfalls`, worked out without it."""
    model = weights.load(SHIPPED)
    for entry in model.expect:
        scores = dict(zip(model.vocabulary, forward(model, entry.sentence).decoder["contextual"].scores, strict=True))
        assert scores.pop(entry.next) - max(scores.values()) >= 2.5
    trace = picture(model)
    why, are, you = trace.attention[-1]
    assert why + are >= 0.4 and min(why, are) >= 1.5 * you and 0.05 <= you <= 0.3
    e = model.embeddings
    assert min(np.linalg.norm(e[i] - e[j]) for i in range(6) for j in range(i)) >= 1
    assert np.linalg.norm(e, axis=1).min() >= 0.9
    lengths = np.linalg.norm(model.positions, axis=1)
    assert lengths.min() >= 0.3 and lengths.max() <= 1
    assert np.linalg.norm(trace.correction[-1]) >= 1.5
    assert max(np.abs(getattr(model, name)).max() for name in PARAMETERS if name != "b_out") <= 2.5
    tips = trace.view.project([trace.state(name) for name in CHECKPOINTS])
    assert min(np.linalg.norm(tips[i] - tips[j]) for i in range(3) for j in range(i)) >= 0.3


@pytest.mark.slow
def test_the_shipped_weights_come_out_of_the_search():
    """The command that stands at the head of the file gives the file, to the byte."""
    text = SHIPPED.read_text(encoding="utf-8")
    words = text.splitlines()[0].split()
    grid, seed = float(words[words.index("--grid") + 1]), int(words[words.index("--seed") + 1])
    found = fit.fit(sentences_only(weights.load(SHIPPED)), grid=grid, seed=seed)
    assert weights.dumps(found, fit.heading(found, grid, seed, fresh=True)) == text


# The search


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_weights_are_found_from_the_sentences_alone(seed):
    found = fit.fit(sentences_only(REFERENCE), seed=seed, beauty=False)
    assert shortfalls(found) == [] and multiples(found, 0.5)
    again = weights.read(weights.dumps(found))
    assert all(np.array_equal(getattr(again, name), getattr(found, name)) for name in PARAMETERS)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(monkeypatch):
    monkeypatch.setattr(fit, "STEPS", (200, 200))
    search = Search(REFERENCE, wishes(REFERENCE), 0.5, None)

    def found(seed):
        rng = np.random.default_rng(seed)
        return search.run(rng, search.first(rng, 16), with_looks=True)

    first, second, other = found(1), found(1), found(2)
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


@pytest.mark.slow
def test_another_grid():
    found = fit.fit(sentences_only(REFERENCE), grid=0.25, beauty=False)
    assert shortfalls(found) == [] and multiples(found, 0.25)


@pytest.mark.parametrize("grid", [0, -1, 0.001, 3, float("nan")])
def test_a_grid_that_cannot_be_is_refused(grid):
    with pytest.raises(FitError, match="grid"):
        fit.fit(REFERENCE, grid=grid)


def test_parameters_that_lack_nothing_are_kept():
    assert shortfalls(REFERENCE) == []
    kept = fit.fit(REFERENCE)
    assert all(np.array_equal(getattr(kept, name), getattr(REFERENCE, name)) for name in PARAMETERS)


@pytest.mark.slow
def test_parameters_that_lack_something_are_the_start():
    broken = weights.load(CASES / "good" / "broken-story.toml")
    assert any("here" in text for text in shortfalls(broken))
    assert shortfalls(fit.fit(broken, beauty=False)) == []


def test_other_words_and_lengths():
    model = Model(
        ("a", "b", "c", "d"), *[np.zeros((4, 0))], *[np.zeros((0, 0))] * 3,
        expect=(Expect(("a", "b", "c", "d", "a"), "b"), Expect(("b", "a"), "c"), Expect(("d",), "d")),
    )  # fmt: skip
    found = fit.fit(model)
    assert shortfalls(found) == [] and len(found.positions) == 5 and found.story is None


@pytest.mark.slow
def test_other_widths_are_kept():
    rng = np.random.default_rng(0)
    model = replace(
        REFERENCE, embeddings=rng.normal(size=(6, 4)), positions=None, W_Q=rng.normal(size=(1, 4)),
        W_K=rng.normal(size=(1, 4)), W_V=rng.normal(size=(3, 4)), W_O=None, W_out=None, b_out=None,
    )  # fmt: skip
    found = fit.fit(model)
    assert shortfalls(found) == []
    assert (found.d_model, found.d_k, found.d_v) == (4, 1, 3)


def test_sentences_are_compared_without_case():
    model = replace(REFERENCE, story=Story(("Why", "are", "You"), "are", "here"))
    assert len(wishes(model)) == len(wishes(REFERENCE)) == 13


def test_sentences_that_contradict_each_other_are_named():
    model = replace(REFERENCE, expect=(*REFERENCE.expect, Expect(("are", "you"), "why")))
    with pytest.raises(FitError, match='"are you" is to be followed by "here" and by "why"'):
        fit.fit(model)


def test_nothing_to_fit_is_said():
    with pytest.raises(FitError, match="nothing to fit"):
        fit.fit(replace(REFERENCE, expect=(), story=None))


def test_what_is_not_met_is_said(monkeypatch):
    monkeypatch.setattr(fit, "STEPS", (1, 1))
    with pytest.raises(FitError, match=r"seed 0; at best: .*wanted at least 2\.5") as error:
        fit.fit(REFERENCE, fresh=True)
    assert "\n" not in str(error.value)


# Its batched pass and measures


@settings(max_examples=60)
@given(models(decoder=True))
def test_the_batched_pass_is_the_pass(model):
    rows = len(model.story.sentence)
    model = replace(
        model,
        positions=np.ones((rows, model.d_model)) / 3 if model.positions is None else model.positions,
        W_O=np.ones((model.d_model, model.d_v)) if model.W_O is None else model.W_O,
    )
    wanted = (Expect(model.story.sentence, "we"), Expect(model.story.sentence[:1], "we"))
    run = run_pass({name: getattr(model, name)[None] for name in PARAMETERS}, Sentences.of(model, wanted))
    for row, entry in enumerate(wanted):
        trace, n = forward(model, entry.sentence), len(entry.sentence)
        np.testing.assert_allclose(run.attention[0, row, :n], trace.attention[-1], atol=1e-12)
        np.testing.assert_allclose(run.c[0, row], trace.correction[-1], atol=1e-12)
        np.testing.assert_allclose(run.decoded[0, row], trace.decoder["contextual"].scores, atol=1e-11)


def test_the_search_and_the_shortfalls_agree():
    for model in (REFERENCE, weights.load(CASES / "good" / "broken-story.toml"), weights.load(SHIPPED), FRENCH):
        wanted = wishes(model)
        search = Search(model, wanted, 0.5, model)
        state = search.first(np.random.default_rng(0), 1)
        assert search.model(state[0]).W_Q.tolist() == model.W_Q.tolist()
        lacking = search.lacking(run_pass(search.parameters(state), search.sentences))[0]
        assert (lacking <= 1e-9) == (shortfalls(model) == [])


def test_the_coarse_camera_is_near_the_true_one():
    model = weights.load(SHIPPED)
    looks = beauty.Beauty(model, wishes(model))
    run = run_pass({name: getattr(model, name)[None] for name in PARAMETERS}, looks.sentences)
    towards = looks.cameras(run)[0, 2]
    assert towards @ picture(model).view.depth(np.eye(3)) > np.cos(np.radians(8))


def test_the_shipped_weights_look_better_than_the_reference():
    shipped = weights.load(SHIPPED)
    assert beauty.ugliness_of(shipped) < 0.5 * beauty.ugliness_of(replace(REFERENCE, story=shipped.story))


def test_the_tips_lie_beside_the_plane_as_it_is_seen():
    trace = picture(weights.load(SHIPPED))
    section = hull(trace.view.project(trace.view.halves(trace.plane).section))
    sides = np.roll(section, -1, axis=0) - section  # counter-clockwise
    for name in CHECKPOINTS:
        x, y = (trace.view.project(trace.state(name)) - section).T
        assert (sides[:, 0] * y < sides[:, 1] * x).any(), f"the tip of {name} is in front of the plane or behind it"
