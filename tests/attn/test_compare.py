"""Before and after a change of weights: which claims turned, which values changed, which numbers are marked."""

from dataclasses import replace

import numpy as np
import pytest

from attn.build import numbers
from attn.core import weights
from attn.picture import compare
from attn.picture.drawn import picture
from tests.attn.random_models import CASES

REFERENCE = weights.load(CASES / "reference.toml")
BROKEN = weights.load(CASES / "good" / "broken-story.toml")


def test_claims_that_no_longer_hold_are_lost_and_back_again_gained():
    lost = compare.turns(REFERENCE, BROKEN)
    assert {turn.what for turn in lost} == {compare.LOST, compare.DROPPED}  # dropped: what it would take to cross
    crossing = next(turn for turn in lost if turn.name == "crossing")
    assert "does not cross" in crossing.after and "does not cross" not in crossing.before
    gained = compare.turns(BROKEN, REFERENCE)
    assert sorted(turn[1:] for turn in gained) == sorted((name, after, before) for _, name, before, after in lost)
    assert {turn.what for turn in gained} == {compare.GAINED, compare.NEW}
    assert compare.turns(REFERENCE, REFERENCE) == []


def test_an_expectation_is_the_same_one_by_its_words():
    fewer = replace(REFERENCE, expect=REFERENCE.expect[1:])
    (dropped,), (new,) = compare.turns(REFERENCE, fewer), compare.turns(fewer, REFERENCE)
    assert dropped.what == compare.DROPPED and dropped.after == compare.NOTHING and '"are" scores' in dropped.before
    assert new.what == compare.NEW and new[2:] == (dropped.after, dropped.before)


def test_what_is_claimed_anew_and_false_counts_as_lost_and_losses_come_first():
    wrong = replace(REFERENCE.expect[0], next="why")
    found = compare.turns(REFERENCE, replace(REFERENCE, expect=(wrong, *REFERENCE.expect[1:])))
    assert [turn.what for turn in found] == [compare.LOST, compare.DROPPED]
    assert [turn.what for turn in compare.turns(replace(REFERENCE, expect=(wrong,)), REFERENCE)][0] != compare.LOST


@pytest.mark.parametrize("path, group, cell", [
    ("n", "n", ""), ("parameters.W_Q[0][1]", "parameters.W_Q", "1, 2"), ("shares[1]", "shares", "“are”"),
    ("parameters.W_out[5][2]", "parameters.W_out", "“why”, 3"), ("parameters.b_out[1]", "parameters.b_out", "“you”"),
    ("parameters.positions[2][0]", "parameters.positions", "3, 1"), ("embeddings[0][2]", "embeddings", "“why”, 3"),
    ("queries[2][0]", "queries", "“you”, 1"), ("attention[2][0]", "attention", "“you” → “why”"),
    ("weighted[2][1][0]", "weighted", "“you” → “are”, 1"), ("distances.contextual", "distances", "contextual"),
    ("decoder.contextual.scores.here", "decoder.contextual.scores", "“here”"),
    ('decoder.contextual.scores["a.b[0]"]', "decoder.contextual.scores", "“a.b[0]”"),
    ("queries[2][0]*keys[1][0]", "queries · keys", "“you”, 1 · “are”, 1"),
    ("contrast[1].attention[2][0]", "attention in “why are you”", "“you” → “why”"),
])  # fmt: skip
def test_a_place_is_named_by_words(path, group, cell):
    assert compare.place(path, picture(REFERENCE)) == (group, cell)


@pytest.mark.parametrize("file", [CASES / "reference.toml", *sorted((CASES / "good").glob("*.toml"))], ids=str)
def test_no_two_places_have_one_name(file):
    trace = picture(weights.load(file))
    paths = [number.path for number in numbers.numbers(trace)]
    assert len({compare.place(path, trace) for path in paths}) == len(set(paths))


def test_values_come_by_what_they_belong_to():
    trace = picture(REFERENCE)
    paths = ["n", "parameters.W_Q[0][1]", "shares[1]", "parameters.W_Q[1][1]", "shares[0]"]
    found = compare.grouped([compare.Change(path, "1", "2", *compare.place(path, trace)) for path in paths])
    assert [(name, len(group)) for name, group in found] == [("n", 1), ("parameters.W_Q", 2), ("shares", 2)]


def test_values_that_changed_come_once_the_parameters_first():
    changed = REFERENCE.W_V.copy()
    changed[0, 0] += 0.125
    old, new = picture(REFERENCE), picture(replace(REFERENCE, W_V=changed, title="another"))
    printed = [({"mixed[2][0]": "1.00", "same": "2"}, {"mixed[2][0]": "1.25", "same": "2"})] * 2
    found = compare.changes(old, new, printed)
    assert [change.path for change in found] == ["title", "parameters.W_V[0][0]", "mixed[2][0]"]
    assert found[1].before == "0.00" and found[1].after == "0.125"
    assert found[2] == ("mixed[2][0]", "1.00", "1.25", "mixed", "“you”, 1")
    assert compare.changes(old, old, []) == []


def test_what_is_on_one_side_only_is_a_change():
    without = replace(REFERENCE, positions=None)
    paths = {change.path: change for change in compare.changes(picture(REFERENCE), picture(without), [])}
    assert len(paths) == np.size(REFERENCE.positions)
    assert all(change.after == compare.NOTHING for change in paths.values())


def test_numbers_are_marked_on_both_sides_in_order():
    before = [("a", "1"), ("b", "2"), ("a", "1"), ("c", "3")]
    after = [("a", "1"), ("b", "5"), ("a", "9")]
    assert compare.marked(before, after) == ({1, 2, 3}, {1, 2})
    assert compare.marked(before, before) == (set(), set())
