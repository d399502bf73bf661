"""Where labels go: within bounds, on no other label, line or word; leader lines lead past all of these."""

import numpy as np
import pytest

from attn.picture.labels import AIR, LED, Label, Placed, place, roomy

BOUNDS = (0.0, 0.0, 100.0, 100.0)
WORDS = (40.0, 52.0, 60.0, 57.0), (42.0, 40.0, 58.0, 44.0)  # that stand already


def crowd(seed: int) -> list[Label]:
    """Six labels for points between the words, so near to each other that most have to move away."""
    rng = np.random.default_rng(seed)
    anchors, widths, leans = rng.uniform((44, 46), (56, 51), (6, 2)), rng.uniform(6, 14, 6), rng.uniform(-1, 1, (6, 2))
    return [Label(tuple(a), (w, 4.0), tuple(lean)) for a, w, lean in zip(anchors, widths, leans, strict=True)]


def box_of(label: Label, at: Placed) -> np.ndarray:
    half = np.array(label.size) / 2
    return np.concatenate([at.centre - half, at.centre + half])


def overlap(a, b) -> float:
    """By how much two boxes lie on each other, at the narrower side."""
    return min(min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1]))


def inside(line, box) -> float:
    """How much of a line lies in a box, as a share, found by trying points."""
    points = np.linspace(*np.array(line), 400)
    return float(((points > box[:2]) & (points < box[2:])).all(axis=1).mean())


@pytest.mark.parametrize("seed", range(12))
def test_labels_and_their_leaders_keep_off_each_other_and_off_words(seed):
    labels = crowd(seed)
    placed = place(labels, [], BOUNDS, WORDS)
    boxes = [box_of(label, at) for label, at in zip(labels, placed, strict=True)]
    assert any(at.leader for at in placed)
    for i, (box, at) in enumerate(zip(boxes, placed, strict=True)):
        assert (box[:2] >= 0).all() and (box[2:] <= 100).all()
        others = [*WORDS, *boxes[:i], *boxes[i + 1 :]]
        assert max(overlap(box, other) for other in others) <= 1e-6
        if at.leader:
            assert min(np.hypot(*np.subtract(end, labels[i].anchor)) for end in at.leader) < 1
            assert max(inside(at.leader, other) for other in others) < 0.4, "at most a corner is cut"


def test_the_same_labels_get_the_same_places():
    assert place(crowd(1), [], BOUNDS, WORDS) == place(crowd(1), [], BOUNDS, WORDS)


def test_a_label_keeps_off_a_line():
    label = Label((50.0, 50.0), (10.0, 4.0), (1.0, 0.0))
    (free,), (moved,) = place([label], [], BOUNDS), place([label], [[(50, 50), (80, 50)]], BOUNDS)
    assert free.centre[0] > 50 and inside([(50, 50), (80, 50)], box_of(label, moved)) == 0


@pytest.mark.parametrize("away", [(9.0, 0.0), (0.0, 5.0)])
def test_two_labels_beside_or_above_each_other_have_air_between_them(away):
    ends = np.array([(50.0, 50.0), np.add(away, 50.0)])
    pair = [Label(tuple(end), (10.0, 4.0), tuple(lean)) for end, lean in zip(ends, ends[::-1] - ends, strict=True)]
    a, b = (box_of(label, at) for label, at in zip(pair, place(pair, [], BOUNDS), strict=True))
    assert (np.maximum(a[:2] - b[2:], b[:2] - a[2:]) >= np.subtract(AIR, 1e-6)).any()


SQUARE = [(0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)]


def test_the_name_of_a_region_stands_farthest_from_its_sides_and_from_lines():
    assert roomy(SQUARE, (4.0, 4.0), []) == pytest.approx((10.0, 10.0), abs=0.7)
    assert roomy(SQUARE, (4.0, 4.0), [[(16.0, 0.0), (16.0, 20.0)]])[0] == pytest.approx(8.0, abs=0.7)


def test_of_a_faint_line_it_keeps_clear_but_not_far():
    x, _ = roomy(SQUARE, (4.0, 4.0), [], faint=[[(10.0, 0.0), (10.0, 20.0)]])
    assert 2.0 < abs(x - 10.0) < 4.0


def test_in_a_narrow_strip_it_stands_where_there_is_most_room_along_it():
    strip = [(0.0, 0.0), (7.0, 0.0), (7.0, 60.0), (0.0, 60.0)]
    assert roomy(strip, (6.0, 3.0), [[(0.0, 10.0), (7.0, 10.0)]])[1] > 20


def test_a_leader_line_keeps_off_the_stem_of_its_own_arrow():
    tip, stem = (10.0, 0.0), [((0.0, 0.0), (10.0, 0.0))]
    around = [(5.0, -4.5, 14.0, -0.8), (5.0, 0.8, 14.0, 4.5)]  # so that it has to move away
    (placed,) = place([Label(tip, (4.0, 2.0), lean=(-1.0, 0.1))], stem, (-15.0, -6.0, 25.0, 6.0), around)
    start, end = np.array(placed.leader)
    points = start + np.linspace(0, 1, 50)[:, None] * (end - start)
    assert not ((np.abs(points[:, 1]) < 0.5) & (points[:, 0] < tip[0] - LED)).any()
