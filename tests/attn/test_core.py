"""The pass against an independent computation, and the laws that attention obeys."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn.core import weights
from attn.core.decoder import decode, plane_between, softmax
from attn.core.forward import CHECKPOINTS, attention, forward, story_plane
from attn.core.model import Model, Story, WeightsError
from tests.attn import exact
from tests.attn.random_models import CASES, models

REFERENCE = weights.load(CASES / "reference.toml")
CLOSE = {"rtol": 1e-11, "atol": 1e-11}


def floats(nested, hidden=-np.inf):
    """Nested lists of decimals as an array."""
    if isinstance(nested, list):
        return np.array([floats(item, hidden) for item in nested])
    return hidden if nested is None else float(nested)


@settings(max_examples=150)
@given(models(story=True))
def test_every_quantity_agrees_with_the_independent_computation(model):
    trace, wanted = forward(model), exact.forward(model, model.story.sentence)
    for name, value in wanted.items():
        np.testing.assert_allclose(getattr(trace, name), floats(value), **CLOSE, err_msg=name)
    states = zip(CHECKPOINTS, ("embeddings", "positioned", "contextual"), strict=True)
    for checkpoint, name in states:
        if name not in wanted:
            assert trace.contextual is None
            continue
        point = wanted[name][-1]
        np.testing.assert_allclose(trace.state(checkpoint), floats(point), **CLOSE)
        if model.W_out is not None:
            scores = exact.scores(model, point)
            prediction = trace.decoder[checkpoint]
            np.testing.assert_allclose(prediction.scores, floats(scores), **CLOSE)
            np.testing.assert_allclose(prediction.probabilities, floats(exact.shares(scores)), **CLOSE)
        if trace.plane is not None:
            distance = exact.distance(model, 0, 1, point)
            assert trace.distances[checkpoint] == pytest.approx(float(distance), rel=1e-9, abs=1e-9)


@settings(max_examples=100)
@given(models(story=True))
def test_laws_of_every_trace(model):
    trace = forward(model)
    np.testing.assert_allclose(trace.attention.sum(axis=1), 1, atol=1e-12)
    assert (trace.attention >= 0).all()
    assert not trace.attention[~trace.mask].any()
    assert np.isneginf(trace.scores[~trace.mask]).all()
    np.testing.assert_allclose(trace.exponentials / trace.sums[:, None], trace.attention, atol=1e-12)
    np.testing.assert_allclose(trace.weighted.sum(axis=1), trace.mixed, atol=1e-12)
    if trace.shares is not None:
        change = trace.distances["contextual"] - trace.distances["positioned"]
        assert trace.shares.sum() == pytest.approx(change, abs=1e-9)


@settings(max_examples=60)
@given(models(), st.data())
def test_the_mask_hides_what_comes_later(model, data):
    model = replace(model, causal=True)
    sentence = model.story.sentence
    place = data.draw(st.integers(0, len(sentence) - 1))
    other = data.draw(st.sampled_from(model.vocabulary))
    before, after = forward(model), forward(model, (*sentence[:place], other, *sentence[place + 1 :]))
    np.testing.assert_array_equal(before.attention[:place], after.attention[:place])
    np.testing.assert_array_equal(before.mixed[:place], after.mixed[:place])


@settings(max_examples=60)
@given(models(), st.randoms(use_true_random=False))
def test_without_mask_and_positions_swapping_words_swaps_rows(model, random):
    model = replace(model, causal=False, positions=None)
    words = list(range(len(model.story.sentence)))
    random.shuffle(words)
    plain, swapped = forward(model), forward(model, tuple(model.story.sentence[i] for i in words))
    np.testing.assert_allclose(swapped.mixed, plain.mixed[words], atol=1e-12)
    np.testing.assert_allclose(swapped.attention, plain.attention[words][:, words], atol=1e-12)


@settings(max_examples=60)
@given(models())
def test_equal_projections_make_the_scores_symmetric(model):
    trace = forward(replace(model, W_K=model.W_Q, causal=False))
    np.testing.assert_allclose(trace.scores, trace.scores.T, atol=1e-12)


@settings(max_examples=60)
@given(models())
def test_attention_in_the_row_convention_is_the_pass(model):
    trace = forward(model)
    out, alpha = attention(
        trace.positioned, model.W_Q.T, model.W_K.T, model.W_V.T, trace.mask if model.causal else None
    )
    np.testing.assert_allclose(out, trace.mixed, atol=1e-12)
    np.testing.assert_allclose(alpha, trace.attention, atol=1e-12)


def test_attention_with_enormous_scores_stays_finite():
    X = np.array([[1e150], [-1e150], [2e150]])
    out, alpha = attention(X, [[1.0]], [[1.0]], [[1e-150]])
    assert np.isfinite(out).all()
    np.testing.assert_array_equal(alpha.sum(axis=1), 1)


def test_attention_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="one width"):
        attention(np.ones((2, 3)), np.ones((3, 2)), np.ones((3, 1)), np.ones((3, 2)))
    with pytest.raises(ValueError, match="may see no key"):
        attention(np.ones((2, 3)), *[np.ones((3, 2))] * 3, mask=[[True, True], [False, False]])


@given(st.lists(st.floats(-700, 700), min_size=1, max_size=6), st.floats(-1e3, 1e3))
def test_softmax_adds_up_and_does_not_see_a_shift(scores, shift):
    plain = softmax(np.array(scores))
    assert plain.sum() == pytest.approx(1)
    np.testing.assert_allclose(softmax(np.array(scores) + shift), plain, atol=1e-9)


def test_large_scores_are_shown_shifted_and_small_ones_are_not():
    small = forward(REFERENCE)
    assert not small.shift.any()
    large = forward(replace(REFERENCE, W_Q=REFERENCE.W_Q * 100))
    assert large.shift.any() and np.isfinite(large.exponentials).all()
    np.testing.assert_allclose(large.exponentials / large.sums[:, None], large.attention, atol=1e-12)


def test_a_sentence_that_does_not_fit_is_refused():
    for sentence, message in (("", "empty"), ("they", "not in the vocabulary"), ("we " * 5, "has 5 words")):
        with pytest.raises(WeightsError, match=message):
            forward(REFERENCE, sentence)
    with pytest.raises(WeightsError, match="no sentence was given"):
        forward(replace(REFERENCE, story=None))


def test_numbers_that_grow_too_large_are_refused_with_the_step():
    with pytest.raises(WeightsError, match="overflows at the scores"):
        forward(replace(REFERENCE, W_Q=REFERENCE.W_Q * 1e200, W_K=REFERENCE.W_K * 1e200))
    with pytest.raises(WeightsError, match="overflows at the decoder"):
        forward(replace(REFERENCE, W_out=REFERENCE.W_out * 1e308, W_O=REFERENCE.W_O * 1e10))


def test_parameters_are_frozen():
    with pytest.raises(ValueError):
        REFERENCE.W_Q[0, 0] = 1


def test_what_a_file_leaves_out_is_none():
    model = Model(("a", "b"), np.eye(2), np.eye(2), np.eye(2), np.eye(2))
    trace = forward(model, "a b")
    assert trace.correction is trace.contextual is trace.decoder is trace.plane is trace.shares is None
    assert not trace.positions.any()


# The decoder and its plane


@settings(max_examples=80)
@given(models(decoder=True), st.integers(0, 2**32 - 1))
def test_the_sign_of_the_distance_says_which_word_scores_higher(model, seed):
    plane = plane_between(model.W_out, model.b_out, 0, 1)
    if plane is None:
        return
    assert np.linalg.norm(plane.normal) == pytest.approx(1)
    points = np.random.default_rng(seed).normal(size=(20, model.d_model)) * 3
    for point in points:
        scores = decode(model.W_out, model.b_out, point, model.vocabulary).scores
        length = np.linalg.norm(model.W_out[1] - model.W_out[0])
        assert plane.distance(point) * length == pytest.approx(scores[1] - scores[0], abs=1e-9)
    start, end = points[:2]
    share = plane.crossing(start, end)
    if share is not None:
        assert 0 <= share <= 1
        assert plane.distance(start + share * (end - start)) == pytest.approx(0, abs=1e-9)
    else:
        assert plane.distance(start) * plane.distance(end) > 0


def test_no_plane_between_equal_rows():
    assert plane_between(np.ones((2, 3)), np.array([0.0, 1.0]), 0, 1) is None
    equal = replace(REFERENCE, W_out=np.ones((6, 3)))
    with pytest.raises(WeightsError, match="same decoder row"):
        story_plane(equal)
    assert story_plane(replace(REFERENCE, story=Story(("you",)))) is None


def test_ties_are_reported_and_a_hair_is_none():
    W, b = np.zeros((3, 1)), np.array([1.0, 1.0 + 5e-10, 0.0])
    tied = decode(W, b, np.zeros(1), ("a", "b", "c"))
    assert tied.tie == tied.words == ("a", "b") and tied.word == "a"
    single = decode(W, np.array([1.0, 1.0 + 1e-8, 0.0]), np.zeros(1), ("a", "b", "c"))
    assert single.tie == () and single.word == "b"


def test_the_reference_by_hand():
    """The numbers of reference.toml, worked out on paper for "why are you"."""
    trace = forward(REFERENCE)
    assert trace.queries[2].tolist() == [0.25, 0.25]
    assert trace.keys.tolist() == [[-0.75, 2.75], [1.25, 4.0], [0.25, -2.0]]
    np.testing.assert_allclose(trace.scores[2], np.array([0.5, 1.3125, -0.4375]) / sqrt(2))
    assert trace.decoder["embedding"].word == trace.decoder["positioned"].word == "are"
    assert trace.decoder["contextual"].word == "here"
