"""The lookup experiment: its gradients, its laws, and what it must have learned."""

import json
from pathlib import Path

import numpy as np
import pytest

from attn.build import trained
from attn.core import record
from attn.core.forward import attention
from attn.lab import lookup
from attn.lab.lookup import ENTRIES, NO_VALUE, SHAPES, TAGS, VALUES


@pytest.fixture(scope="module")
def run():
    return lookup.train(0)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "SEEDS", (0, 1))
        return trained.load(tmp_path_factory.mktemp("lookup"))


def tokens(p, batch, row):
    """X of one store (5 x d_model), written out: tag plus value for each entry, then the query's tag alone."""
    entries = p["tags"][batch.tag[row, :ENTRIES]] + p["values"][batch.value[row, :ENTRIES] - TAGS]
    return np.concatenate([entries, p["tags"][batch.query[row]][None]])


def test_it_is_one_head_of_attention_over_five_tokens():
    draw = np.random.default_rng(1)
    flat, batch = 2 * lookup.initial(draw), lookup.draw_stores(draw, 7)
    p = lookup.parts(flat)
    _, _, weights = lookup.run(flat, batch)
    _, answers, _ = lookup.tables(p)
    logits = lookup.gathered(weights, batch) @ answers
    for row in range(7):
        output, expected = attention(tokens(p, batch, row), p["W_q"], p["W_k"], p["W_v"])
        assert np.allclose(weights[row], expected[ENTRIES], atol=1e-12)
        assert np.allclose(logits[row], output[ENTRIES] @ p["W_o"], atol=1e-12)


def test_the_loss_is_the_cross_entropy():
    draw = np.random.default_rng(2)
    flat, batch = lookup.initial(draw), lookup.draw_stores(draw, 50)
    loss, accuracy, weights = lookup.run(flat, batch)
    logits = lookup.gathered(weights, batch) @ lookup.tables(lookup.parts(flat))[1]
    chance = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert loss == pytest.approx(-np.log(chance[np.arange(50), batch.answer]).mean(), rel=1e-12)
    assert accuracy == np.mean(logits.argmax(axis=1) == batch.answer)
    assert lookup.gradient(flat, batch)[:2] == (loss, accuracy)


@pytest.mark.parametrize("name", SHAPES)
def test_gradients_against_finite_differences(name):
    draw = np.random.default_rng(3)
    flat, batch = 1.5 * lookup.initial(draw), lookup.draw_stores(draw, 16)
    slope = lookup.gradient(flat, batch)[2]
    places = lookup.parts(np.arange(len(flat)))[name].ravel()
    for way in draw.normal(size=(4, len(places))):  # along random directions of one parameter
        step = np.zeros_like(flat)
        step[places] = way / np.linalg.norm(way)

        def at(t, step=step):
            return lookup.run(flat + t * step, batch)[0]

        h = 2e-3  # five points: the error is of order h^4
        numeric = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
        assert slope @ step == pytest.approx(numeric, rel=1e-6)


def test_stores_are_what_they_should_be():
    batch = lookup.draw_stores(np.random.default_rng(4), 500)
    entries, query = batch.tag[:, :ENTRIES], batch.query
    assert all(len(set(row)) == ENTRIES for row in entries.tolist())
    assert (batch.value[:, ENTRIES] == NO_VALUE).all()
    place = np.argmax(entries == query[:, None], axis=1)
    assert (entries[np.arange(500), place] == query).all()
    assert (batch.value[np.arange(500), place] - TAGS == batch.answer).all()
    assert set(batch.answer) == set(range(VALUES)) and set(place) == set(range(ENTRIES))


def test_the_example_has_its_answer_in_entry_1():
    fixed = lookup.example()
    assert fixed.tag[0].tolist() == [0, 2, 1, 3, 2]
    assert (fixed.value[0, :4] - TAGS).tolist() == [3, 5, 5, 1]
    assert fixed.query[0] == fixed.tag[0, lookup.EXAMPLE["entry"]] and fixed.answer[0] == 5


def test_the_same_seed_gives_the_same_bits(run):
    again = lookup.train(0)
    for name in ("attention", "loss", "accuracy", "scores", "answers", "parameters"):
        assert getattr(run, name).tobytes() == getattr(again, name).tobytes()


def test_from_near_uniform_to_a_dictionary(run):
    assert np.allclose(run.attention.sum(axis=1), 1)
    assert abs(run.attention[0] - 1 / 5).max() < 0.1
    assert run.attention[25, 1] > 0.73 and run.attention[400, 1] > 0.98
    assert abs(run.loss[0] - np.log(6)) < 0.05 and run.loss[400] < 0.001
    assert run.accuracy[0] < 0.3 and run.accuracy[400] == run.fresh == 1


def test_the_keys_read_the_tag_and_the_values_the_value(found):
    assert found.reads["W_k"][0] > 0.85 and found.reads["W_v"][1] > 0.9
    scores, answers = found.scores[-1], found.answers[-1]
    by_tag, by_value = scores[:, :TAGS], answers[TAGS:NO_VALUE]
    assert (by_tag.argmax(axis=1) == np.arange(TAGS)).all()
    assert (by_value.argmax(axis=1) == np.arange(VALUES)).all()
    assert np.ptp(by_tag, axis=1).min() > 2 * np.ptp(scores[:, TAGS:NO_VALUE], axis=1).max()
    assert np.ptp(by_value, axis=1).min() > 2 * np.ptp(answers[:TAGS], axis=1).max()


def test_results_are_kept_until_the_experiment_changes(tmp_path, monkeypatch):
    monkeypatch.setattr(lookup, "SEEDS", (0, 1))
    monkeypatch.setattr(lookup, "STEPS", 3)
    monkeypatch.setattr(lookup, "SHOWN", (0, 3))
    first = trained.load(tmp_path)
    kept = trained.file(tmp_path).read_bytes()
    monkeypatch.setattr(lookup, "train", None)  # would fail
    assert np.array_equal(trained.load(tmp_path).right, first.right)
    monkeypatch.undo()
    monkeypatch.setattr(lookup, "SEEDS", (0, 1))
    monkeypatch.setattr(lookup, "STEPS", 3)
    monkeypatch.setattr(lookup, "SHOWN", (0, 3))
    trained.file(tmp_path).write_bytes(kept[:1000])  # broken off
    trained.load(tmp_path)
    assert trained.file(tmp_path).read_bytes() == kept
    monkeypatch.setattr(lookup, "digest", lambda: "changed")
    trained.load(tmp_path)
    assert json.loads(trained.file(tmp_path).read_bytes())["experiment"] == "changed"


def test_paths_lead_to_the_numbers(found, tmp_path, monkeypatch):
    monkeypatch.setattr(lookup, "SEEDS", (0, 1))
    trained.load(tmp_path)
    data = json.loads(Path(trained.file(tmp_path)).read_bytes())["results"]
    assert record.lookup(data, "attention[25][1]") == found.attention[25, 1]
    assert record.lookup(data, "bands.right[1][400]") == found.bands["right"][1, 400]
    assert record.lookup(data, "reads.W_k[0]") == found.reads["W_k"][0]


def test_twenty_seeds_none_of_them_picked(tmp_path):
    found = trained.load(tmp_path)
    assert len(found.fresh) == 20 and (found.fresh == 1).all()
    assert np.median(found.right[:, 25]) >= 0.73
    assert np.median(found.right[:, 400]) >= 0.98
    assert "median" in "\n".join(lookup.table(found))
