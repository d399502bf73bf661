"""Before and after a change of weights: which claims turned, which values changed, which numbers are marked."""

from dataclasses import replace

import numpy as np

from attn import compare, weights
from attn.view import picture
from tests.attn.random_models import CASES

REFERENCE = weights.load(CASES / "reference.toml")
BROKEN = weights.load(CASES / "good" / "broken-story.toml")


def test_claims_that_no_longer_hold_are_lost_and_back_again_gained():
    lost = compare.turns(REFERENCE, BROKEN)
    assert lost and {turn.what for turn in lost} == {compare.LOST}
    crossing = next(turn for turn in lost if turn.name == "crossing")
    assert "does not cross" in crossing.after and "does not cross" not in crossing.before
    gained = compare.turns(BROKEN, REFERENCE)
    assert [turn[1:] for turn in gained] == [(name, after, before) for _, name, before, after in lost]
    assert {turn.what for turn in gained} == {compare.GAINED}
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


def test_values_are_grouped_by_what_their_places_begin_with():
    paths = ["n", "parameters.W_Q[0][1]", "shares[1]", "shares[0]", "decoder.contextual.scores.here",
             'decoder.contextual.scores["a.b[0]"]', "contrast[1].attention[2]", "contrast[2].attention[2]"]  # fmt: skip
    found = compare.grouped([compare.Change(path, "1", "2") for path in paths])
    assert [(name, len(group)) for name, group in found] == [
        ("n", 1), ("parameters.W_Q", 1), ("shares", 2), ("decoder.contextual.scores", 2),
        ("contrast[1].attention", 1), ("contrast[2].attention", 1),
    ]  # fmt: skip


def test_values_that_changed_come_once_the_parameters_first():
    changed = REFERENCE.W_V.copy()
    changed[0, 0] += 0.125
    old, new = picture(REFERENCE), picture(replace(REFERENCE, W_V=changed, title="another"))
    printed = [({"mixed[2][0]": "1.00", "same": "2"}, {"mixed[2][0]": "1.25", "same": "2"})] * 2
    found = compare.changes(old, new, printed)
    assert [change.path for change in found] == ["title", "parameters.W_V[0][0]", "mixed[2][0]"]
    assert found[1].before == "0.00" and found[1].after == "0.125" and found[2] == ("mixed[2][0]", "1.00", "1.25")
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
