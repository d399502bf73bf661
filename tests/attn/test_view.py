"""The camera's promises on random stories, the cube and the square, the cut cube, the contrast sentences."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from attn.build import subjects
from attn.build.assets import Asset
from attn.build.figure import figure as published
from attn.build.settings import Settings
from attn.cli import main
from attn.core import weights
from attn.core.compared import contrast_sentences, without_which
from attn.core.decoder import Plane
from attn.core.forward import CHECKPOINTS, forward
from attn.core.model import PARAMETERS, Model, Story
from attn.core.reading import Reading
from attn.picture.drawn import as_dict, beside, picture, seen
from attn.picture.ranges import cube, drawn_vectors, drawn_words
from attn.picture.view import View, pinned, view_of
from tests.attn.random_models import CASES, models, story_models

REFERENCE = weights.load(CASES / "reference.toml")
STORIES = list(story_models(200, seed=3))


def looking(view: View) -> np.ndarray:
    """The direction towards the viewer."""
    return view.depth(np.eye(3))


def degrees_to_plane(view: View, plane: Plane) -> float:
    return float(np.degrees(np.arcsin(abs(looking(view) @ plane.normal))))


def smallest_gap(tips: np.ndarray) -> float:
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(tips, 2))


def keeps_promises(trace) -> bool:
    view, c = trace.view, trace.correction[-1]
    seen = np.linalg.norm(view.project(c)) / np.linalg.norm(c)
    return 8 <= degrees_to_plane(view, trace.plane) <= 25 and 5 <= view.elevation <= 60 and seen >= 0.9


def turned(first: View, second: View) -> float:
    """Degrees between two directions of sight."""
    return float(np.degrees(np.arccos(np.clip(looking(first) @ looking(second), -1, 1))))


# The camera


def test_the_promises_hold_for_the_reference_and_200_stories():
    for model in (REFERENCE, *STORIES):
        assert keeps_promises(picture(model))


def test_the_tips_lie_nearly_as_far_apart_as_the_promises_allow():
    shares = []
    for model in (REFERENCE, *STORIES[:15]):
        trace = picture(model)
        states = np.array([trace.state(name) for name in CHECKPOINTS])
        best = 0.0
        for azimuth in range(-180, 180, 8):
            for elevation in range(6, 60, 6):
                view = replace(trace.view, azimuth=float(azimuth), elevation=float(elevation))
                if keeps_promises(replace(trace, view=view)):
                    best = max(best, smallest_gap(view.project(states)))
        shares.append(smallest_gap(trace.view.project(states)) / best)
    assert min(shares) > 0.75 and np.median(shares) > 0.95


def test_a_small_change_of_all_weights_hardly_turns_the_camera():
    rng = np.random.default_rng(0)
    angles = []
    for model in STORIES:
        by = {name: getattr(model, name) for name in PARAMETERS}
        by = {name: value * (1 + 0.01 * rng.choice([-1, 1], value.shape)) for name, value in by.items()}
        angles.append(turned(view_of(forward(model), ()), view_of(forward(replace(model, **by)), ())))
    assert np.mean(np.array(angles) < 5) >= 0.95


@pytest.mark.parametrize(("azimuth", "elevation"), [(120.0, None), (None, 33.0), (-77.5, 80.0), (0.0, 0.0)])
def test_a_pinned_angle_is_kept(azimuth, elevation):
    view = picture(replace(REFERENCE, azimuth=azimuth, elevation=elevation)).view
    assert azimuth in (None, view.azimuth) and elevation in (None, view.elevation)
    assert -180 <= view.azimuth <= 180 and 0 <= view.elevation <= 80


def test_the_other_angle_does_its_best():
    view = picture(replace(REFERENCE, elevation=20.0)).view
    assert 8 <= degrees_to_plane(view, forward(REFERENCE).plane) <= 25


@pytest.mark.parametrize(
    "changes",
    [
        {"W_O": np.zeros((3, 2))},
        {"W_O": None},
        {"story": Story(("why", "are", "you")), "W_out": None, "b_out": None},
        {"positions": None},
        {"embeddings": np.zeros((6, 3)), "positions": None},
        {name: getattr(REFERENCE, name) * 1e-9 for name in ("embeddings", "positions")},
        {"embeddings": REFERENCE.embeddings * 1e100, "W_Q": REFERENCE.W_Q * 1e-200},
    ],
)
def test_there_is_a_view_of_what_is_degenerate(changes):
    view = picture(replace(REFERENCE, **changes)).view
    assert 5 <= view.elevation <= 60
    assert np.isfinite([*view.low, *view.high]).all() and (view.low < view.high).all()


@settings(max_examples=60)
@given(models(story=True))
def test_every_model_has_a_view_and_ranges_where_its_widths_allow(model):
    view = picture(model).view
    assert (view.low is None) == (model.d_model != 3)
    assert (view.attention_low is None) == (model.d_k != 2 or model.d_v != 2)


def test_the_projection_is_orthographic_and_z_points_up():
    view = View(30.0, 20.0, None, None, None, None)
    page = view.project(np.eye(3))
    assert page[2, 0] == pytest.approx(0) and page[2, 1] > 0
    frame = np.concatenate([page, view.depth(np.eye(3))[:, None]], axis=1)
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(frame) == pytest.approx(1)
    # Seen from +x, y points to the right: azimuth turns from +x towards +y
    assert View(0.0, 0.0, None, None, None, None).project([0, 1, 0]).tolist() == [1, 0]
    assert View(90.0, 0.0, None, None, None, None).depth([0, 1, 0]) == pytest.approx(1)


# Cube and square


@settings(max_examples=80)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.sampled_from([1e-6, 0.03, 1, 7, 1e4]))
def test_the_cube_is_round_and_holds_its_points(seed, count, size):
    points = np.concatenate([np.zeros((1, 3)), np.random.default_rng(seed).normal(size=(count, 3)) * size])
    low, high = cube(points)
    assert (low <= points.min(axis=0)).all() and (points.max(axis=0) <= high).all()
    np.testing.assert_allclose(high - low, (high - low)[0], rtol=1e-9)
    extent = np.ptp(points, axis=0).max()
    assert extent < (high - low)[0] <= 1.7 * extent
    power = 10.0 ** np.floor(np.log10(extent / 5))
    np.testing.assert_allclose(low / power, np.round(low / power), atol=1e-6)


def test_a_cube_around_nothing():
    low, high = cube(np.zeros((1, 3)))
    assert low.tolist() == [-1, -1, -1] and high.tolist() == [1, 1, 1]


def test_all_that_is_drawn_lies_inside():
    trace = picture(REFERENCE)
    view = trace.view
    landings = [other.contextual[-1] for other in trace.contrast]
    drawn = [*REFERENCE.embeddings, *trace.positioned, trace.contextual[-1], *landings, np.zeros(3)]
    assert all((view.low <= point).all() and (point <= view.high).all() for point in drawn)
    flat = [*trace.queries, *trace.keys, *trace.values, *trace.weighted[-1], trace.mixed[-1], np.zeros(2)]
    assert all((view.attention_low <= p).all() and (p <= view.attention_high).all() for p in flat)


def test_of_a_large_vocabulary_only_the_sentence_is_drawn():
    words = tuple(f"w{i}" for i in range(20))
    model = Model(words, np.arange(60.0).reshape(20, 3), *[np.ones((2, 3))] * 3, story=Story(("w3", "W1")))
    assert drawn_words(forward(model)) == ("w1", "w3")


# The cut cube


def area(polygon: np.ndarray) -> float:
    x, y = polygon.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2 if len(polygon) else 0.0


def inside(polygon: np.ndarray, point: np.ndarray, slack: float = 1e-9) -> bool:
    a, b = polygon, np.roll(polygon, -1, axis=0)
    cross = (b - a)[:, 0] * (point - a)[:, 1] - (b - a)[:, 1] * (point - a)[:, 0]
    return bool(len(polygon)) and bool((cross >= -slack).all())


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1))
def test_each_side_of_the_plane_is_outlined_and_the_section_lies_on_it(seed):
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=3)
    plane = Plane(normal / np.linalg.norm(normal), float(rng.uniform(-2, 2)))
    view = View(float(rng.uniform(-180, 180)), float(rng.uniform(5, 60)), -np.ones(3), 2 * np.ones(3), None, None)
    halves = view.halves(plane)
    whole = 9 * np.abs(looking(view)).sum()  # the area of the cube on the page
    assert area(halves.origin) >= 0 and area(halves.target) >= 0
    assert area(halves.origin) + area(halves.target) >= whole - 1e-9
    np.testing.assert_allclose(plane.distance(halves.section), 0, atol=1e-9)
    for point in rng.uniform(-1, 2, size=(30, 3)):
        outline = halves.target if plane.distance(point) > 0 else halves.origin
        assert inside(outline, view.project(point))
    section = view.project(halves.section)
    assert len(section) in (0, 3, 4, 5, 6)
    if len(section):
        shared = area(halves.origin) + area(halves.target) - whole
        assert abs(area(section)) == pytest.approx(shared, abs=1e-9)


@pytest.mark.parametrize("normal", np.eye(3))
def test_planes_through_corners_and_faces(normal):
    view = View(30.0, 20.0, np.zeros(3), np.ones(3), None, None)
    on_face = view.halves(Plane(normal, 0.0))
    assert len(on_face.origin) == 0 and area(on_face.target) > 0
    outside = view.halves(Plane(normal, 5.0))
    assert len(outside.section) == len(outside.origin) == 0
    diagonal = np.array([1.0, -1.0, 0.0]) / np.sqrt(2)
    assert len(view.halves(Plane(diagonal, 0.0)).section) == 4


def test_corners_and_edges_fit():
    view = picture(REFERENCE).view
    corners, edges = view.corners(), view.edges()
    assert len(edges) == 12 and len({tuple(edge) for edge in edges}) == 12
    lengths = np.linalg.norm(corners[edges[:, 0]] - corners[edges[:, 1]], axis=1)
    np.testing.assert_allclose(lengths, lengths[0])


# Compared sentences


def test_compared_are_the_sentences_that_the_file_lists():
    listed = (("hear", "you"), ("you",))
    model = replace(REFERENCE, story=replace(REFERENCE.story, contrast=listed))
    assert contrast_sentences(model) == listed
    assert [other.tokens for other in picture(model).contrast] == list(listed)


def test_without_a_list_they_are_the_word_the_story_and_what_is_expected_of_the_word():
    found = contrast_sentences(REFERENCE)
    asked = [entry.sentence for entry in REFERENCE.expect if entry.sentence[-1] == "you"]
    assert found[:2] == (("you",), REFERENCE.story.sentence)
    assert list(found[2:]) == [one for one in asked if one not in found[:2]][: len(found) - 2]
    assert contrast_sentences(replace(REFERENCE, expect=())) == found[:2], "none is invented"
    assert contrast_sentences(replace(REFERENCE, story=Story(("you",), "are", "here"), expect=())) == (("you",),)


def test_what_a_story_turns_on_is_what_it_would_not_cross_without():
    for model in STORIES[:60]:
        trace = forward(model)
        places, end = without_which(trace), trace.distances["contextual"]
        assert not places or trace.crosses
        for place in places:
            h = trace.state("contextual") - trace.attention[-1, place] * model.W_O @ trace.values[place]
            assert trace.plane.distance(h) < 0 and trace.plane.distance(h) == pytest.approx(end - trace.shares[place])


# ---- before and after ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.9, 1.5], ids=["fits", "does not fit"])
def test_beside_another_a_picture_has_its_camera_and_one_range_holds_both(share):
    old = picture(REFERENCE)
    one, other = beside(old, picture(replace(REFERENCE, embeddings=share * REFERENCE.embeddings, W_Q=-REFERENCE.W_Q)))
    for trace in (one, other):
        assert (trace.view.azimuth, trace.view.elevation) == (old.view.azimuth, old.view.elevation)
        for name in ("low", "high", "attention_low", "attention_high"):
            assert np.array_equal(getattr(trace.view, name), getattr(one.view, name))
        assert (trace.view.low <= drawn_vectors(trace)).all() and (drawn_vectors(trace) <= trace.view.high).all()
        for points in (trace.queries, trace.keys, trace.values):
            assert (trace.view.attention_low <= points).all() and (points <= trace.view.attention_high).all()
    assert np.array_equal(one.view.low, old.view.low) == (share < 1)


def test_what_the_new_file_pins_of_its_camera_stays():
    old, new = picture(REFERENCE), picture(replace(REFERENCE, azimuth=12.5))
    _, found = beside(old, new)
    assert (found.view.azimuth, found.view.elevation) == (12.5, old.view.elevation)


def test_the_camera_that_is_printed_may_be_pinned_and_gives_the_same_picture(tmp_path):
    file = subjects.SHIPPED / subjects.FILES["story"]
    free = weights.load(file)
    camera = seen(forward(free))
    (tmp_path / "pinned.toml").write_text(f"{file.read_text('utf-8')}\n{pinned(camera)}\n", "utf-8")
    assert pinned(camera) in CliRunner().invoke(main, ["trace", str(file)]).stdout
    made = [
        published(Asset("figures", "step7_context"), Reading(picture(model)), Settings())
        for model in (free, weights.load(tmp_path / "pinned.toml"))
    ]
    assert made[0] == made[1]
    assert as_dict(forward(free), camera)["view"]["azimuth"] == camera.azimuth


def test_no_camera_is_told_of_a_sentence_that_no_picture_shows():
    assert seen(forward(REFERENCE, REFERENCE.story.sentence[-1:])) is None
    assert seen(forward(REFERENCE)) is not None
