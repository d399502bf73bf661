"""The pace of every film, as numbers measured on its frames (tests.scenes.pace; `make bench` prints the table)."""

import pytest

from scenes._kit.captions import LINE, LINES
from tests.scenes.pace import films, pace


@pytest.mark.slow
@pytest.mark.parametrize("name", films())
def test_a_film_moves_and_rests_so_that_one_can_follow(name):
    found = pace(name)
    *before, last = found.stretches
    assert found.motion >= 0.45 and found.opening <= 1.5
    assert max(before, default=0) <= 4 and last >= 2
    assert 15 <= found.seconds <= 45
    assert found.characters <= 15 and found.words <= 160
    assert found.shown[0] >= 1 and found.shown[1] <= 7
    assert found.widest <= LINE and max(len(cue.lines) for cue in found.cues) <= LINES
