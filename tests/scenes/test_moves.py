"""How things move: what goes is gone before what comes, and what travels crosses nothing."""

import manim
import numpy as np
import pytest

from attn.core import numerals
from scenes._kit.follow import held_at
from scenes._kit.moves import EARLY, FadeIn, FadeOut, in_turn
from scenes._kit.products import AddOn, share_of
from scenes._kit.renderer import settings
from scenes._kit.text import Number

MOMENTS = np.linspace(0, 1, 41)


def opacities(animations, parts):
    """Of each part, at each of the moments (m x k)."""
    for one in animations:
        one.begin()
    found = []
    for moment in MOMENTS:
        for one in animations:
            one.interpolate_mobject(moment)
        found.append([part.get_fill_opacity() for part in parts])
    return np.array(found)


def test_what_goes_is_gone_before_what_comes_can_be_seen():
    old, new = (manim.Square(fill_opacity=1) for _ in range(2))
    seen = opacities(in_turn([FadeOut(old), FadeIn(new)]), (old, new))
    assert seen[0].tolist() == [1, 0] and seen[-1].tolist() == [0, 1]
    assert seen.min(axis=1).max() < 1e-6 and (seen > 0.5).any(axis=0).all()


@pytest.mark.parametrize("kind", [FadeIn, FadeOut])
def test_parts_come_and_go_one_after_the_other(kind):
    parts = [manim.Square(fill_opacity=1) for _ in range(4)]
    seen = opacities(in_turn([kind(*parts[:2], run_time=2), *(kind(part, run_time=2) for part in parts[2:])]), parts)
    halves = [int(np.argmax(np.abs(one - one[0]) >= 0.5)) for one in seen.T]
    assert halves == sorted(set(halves)) and np.ptp(halves) >= len(MOMENTS) / 2
    assert set(seen[0]) | set(seen[-1]) == {0, 1}


def test_a_pace_of_its_own_is_kept():
    early = FadeIn(manim.Square(), rate_func=EARLY)
    in_turn([early, FadeOut(manim.Square())])
    assert early.rate_func is EARLY


def grid(left: float) -> list[list[Number]]:
    values = np.array([[1.5, -0.5, 2.0], [0.0, 1.0, -2.5], [-1.0, 0.5, 0.5]])
    return [
        [Number(cell, 0.36).at(np.array([left + 0.9 * j, 1.0 - 0.62 * i, 0.0])) for j, cell in enumerate(row)]
        for i, row in enumerate(numerals.cells(values, "embeddings"))
    ]


def test_numbers_that_are_added_pass_between_the_lines():
    with settings(427, 240, 30):
        numbers, guests = grid(0.0), grid(3.2)
        values = np.ones((3, 3))
        move = AddOn(numbers, guests, values, 2 * values, numerals.cells(2 * values, "positioned"))
        stand = [number for row in (*numbers, *guests) for number in row]
        move.begin()
        for moment in MOMENTS:
            move.interpolate_mobject(moment)
            for i, j in np.ndindex(3, 3):
                guest, start = move.guests[i][j], guests[i][j].baseline[0]
                way = (start - guest.baseline[0]) / (start - numbers[i][j].baseline[0])
                if 0.25 < way < 0.75:  # neither rising nor landing
                    assert guest.digits.get_fill_opacity() > 0.99
                    assert not any(overlap(guest, number) > 0.02 for number in stand)


def overlap(a: Number, b: Number) -> float:
    """By how much two numbers lie on each other, at the narrower side."""
    low, high = (np.array([one.digits.get_corner(corner)[:2] for one in (a, b)]) for corner in (manim.DL, manim.UR))
    return float((high.min(axis=0) - low.max(axis=0)).min())


def test_at_the_end_every_part_has_come_all_the_way():
    assert {share_of(1.0, i, count) for count in range(1, 41) for i in range(count)} == {1.0}
    assert {share_of(0.0, i, count) for count in range(1, 41) for i in range(count)} == {0.0}


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_what_meets_the_plane_stands_on_it_and_goes_on(share):
    way = np.array([held_at(share, 0.4, 0.6)(moment) for moment in MOMENTS])
    assert way[0] == 0 and way[-1] == 1 and (np.diff(way) >= 0).all()
    held = np.abs(way - share) < 1e-9
    assert held[np.abs(MOMENTS - 0.5) < 0.09].all() and not held[np.abs(MOMENTS - 0.5) > 0.15].any()
