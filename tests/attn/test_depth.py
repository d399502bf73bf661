"""What the plane covers, and the perpendiculars to it, held against points tried one by one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn.core import weights
from attn.core.decoder import Plane
from attn.core.forward import CHECKPOINTS
from attn.picture import depth
from attn.picture.drawn import picture
from attn.picture.view import View
from tests.attn.random_models import CASES, story_models

MODELS = [weights.load(CASES / "reference.toml"), *story_models(40, seed=5)]


def some(seed: int) -> tuple[View, Plane, np.ndarray, np.ndarray]:
    """A view, a plane and an arrow in its cube."""
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=3)
    plane = Plane(normal / np.linalg.norm(normal), float(rng.uniform(-0.8, 0.8)))
    view = View(float(rng.uniform(-180, 180)), float(rng.uniform(5, 60)), -np.ones(3), np.ones(3), None, None)
    return view, plane, *rng.uniform(-1, 1, (2, 3))


def hidden(view: View, plane: Plane, point: np.ndarray) -> bool:
    """Whether the way from a point to the viewer passes the plane inside the cube."""
    sight = view.depth(np.eye(3))
    way = -float(plane.distance(point)) / float(plane.normal @ sight)
    met = point + way * sight
    return way > 0 and bool((view.low <= met).all() and (met <= view.high).all())


@settings(max_examples=100)
@given(st.integers(0, 2**32 - 1))
def test_a_point_is_covered_where_the_plane_is_met_on_the_way_to_the_viewer(seed):
    view, plane, start, end = some(seed)
    section = view.project(view.halves(plane).section)
    low, high = depth.covered(view, plane, section, start, end) if len(section) else (0.0, 0.0)
    for share in np.linspace(0.003, 0.997, 23):
        if min(abs(share - low), abs(share - high)) > 1e-6:
            assert hidden(view, plane, start + share * (end - start)) == (low < share < high)


@pytest.mark.parametrize("checkpoint", ["positioned", "contextual"])
def test_perpendiculars_are_as_long_as_the_distances_and_upright_as_seen(checkpoint):
    found = [(trace, depth.drop(trace, trace.view, checkpoint)) for trace in map(picture, MODELS)]
    assert sum(drop is not None for _, drop in found) > 0.9 * len(found)
    for trace, drop in found:
        if drop is not None:
            step = drop.point - drop.foot
            assert abs(trace.plane.distance(drop.foot)) < 1e-9
            assert np.linalg.norm(step) == pytest.approx(abs(trace.distances[checkpoint]))
            assert np.linalg.norm(trace.view.project(step)) > 0.9 * np.linalg.norm(step)
            np.testing.assert_allclose(drop.sides @ drop.sides.T, np.eye(2), atol=1e-9)
            assert drop.sides[0] @ trace.view.project(step) > 0


def test_there_is_no_perpendicular_from_the_plane_or_along_the_line_of_sight():
    trace = picture(MODELS[0])
    along = trace.view.depth(np.eye(3))
    x = trace.state("positioned")
    for plane in (Plane(along, float(1 - along @ x)), Plane(along, float(-along @ x))):
        assert depth.drop(replace(trace, plane=plane), trace.view, "positioned") is None


def test_the_tip_of_e_keeps_off_the_displacement():
    """As seen, where it does in space."""
    for trace in map(picture, MODELS):
        e, x, h = (trace.state(name) for name in CHECKPOINTS)
        size = np.abs([e, x, h]).max()
        seen, true = (apart(*points) / size for points in (trace.view.project([e, x, h]), (e, x, h)))
        assert seen > 0.75 * min(true, 0.07)


def apart(point, start, end) -> float:
    """How far a point is from a straight way."""
    shares = np.linspace(0, 1, 2001)[:, None]
    return float(np.linalg.norm(start + shares * (end - start) - point, axis=1).min())
