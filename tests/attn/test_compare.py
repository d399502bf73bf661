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
    assert lost and not any(turn.gained for turn in lost)
    assert any(turn.text.startswith("crossing: ") for turn in lost)
    gained = compare.turns(BROKEN, REFERENCE)
    assert len(gained) == len(lost) and all(turn.gained for turn in gained)
    assert compare.turns(REFERENCE, REFERENCE) == []


def test_an_expectation_is_the_same_one_by_its_words():
    fewer = replace(REFERENCE, expect=REFERENCE.expect[1:])
    assert [turn.gained for turn in compare.turns(REFERENCE, fewer)] == [False]
    assert [turn.gained for turn in compare.turns(fewer, REFERENCE)] == [True]


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
