"""The view: one camera, one cube and one square for all pictures of a trace, chosen from its numbers.

The camera is orthographic and shared by figures and films. Its rule: the plane between story.from and
story.to is seen nearly edge-on, the "+ context" displacement at nearly its true length, and the tips of the followed
word's three states as far apart as that allows. Among views that do this about equally well a standing
preference decides, which keeps the camera still under small changes of the weights. The tip of e keeps off the
displacement where any view lets it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from attn.core.decoder import Plane
from attn.core.forward import CHECKPOINTS, Trace
from attn.picture.polygons import around, hull
from attn.picture.ranges import attention_points, cube, drawn_points

AXES = "dim 1", "dim 2", "dim 3"  # what the axes are called: x is a vector
TILT = (8.5, 24.5)  # degrees between the plane and the line of sight; promised are 8 to 25
ELEVATION = (5.5, 59.5)  # degrees; promised are 5 to 60
SEEN = 0.905  # share of the displacement's true length; promised are 0.9
PREFERRED = (35.0, 16.0)  # azimuth and elevation of the standing preference, degrees
PULL = 0.05  # what a right angle away from the preference costs, as a share of the tips' distance
READING = 0.05  # what it is worth that the crossing runs from left to right
AWAY = 0.07  # how far e's tip keeps from the displacement, as a share of the largest coordinate: 1.5 mm on a page
COVERED = 2.0  # what it costs that e's tip lies on the displacement, less if it is near it
PENALTY = 10.0  # for each degree outside the limits above: more than any of the wishes can win
NEGLIGIBLE = 1e-9  # lengths below this share of the whole count as nothing


@dataclass(frozen=True, eq=False)
class View:
    """Camera and ranges. Degrees: azimuth from +x towards +y, elevation upwards; z is up on the page.

    Cube and square have equal sides and round corners and hold the origin and all that is drawn; they are
    None where the file's widths do not allow the picture.
    """

    azimuth: float
    elevation: float
    low: np.ndarray | None  # 3, the cube in word embedding space
    high: np.ndarray | None  # 3
    attention_low: np.ndarray | None  # 2, the square in attention space
    attention_high: np.ndarray | None  # 2

    def project(self, points) -> np.ndarray:
        """`points` (... x 3) as seen on the page: ... x 2, to the right and up, in embedding units."""
        return np.asarray(points, dtype=np.float64) @ _frame(self.azimuth, self.elevation)[:2].T

    def depth(self, points) -> np.ndarray:
        """How near `points` (... x 3) are to the viewer: larger is nearer, in embedding units."""
        return np.asarray(points, dtype=np.float64) @ _frame(self.azimuth, self.elevation)[2]

    def corners(self) -> np.ndarray:
        """The cube's corners, 8 x 3; the last coordinate changes fastest."""
        return np.array(list(product(*zip(self.low, self.high, strict=True))))

    def edges(self) -> np.ndarray:
        """The cube's edges as pairs of rows of `corners`, 12 x 2."""
        return np.array([(i, i | bit) for bit in (4, 2, 1) for i in range(8) if not i & bit])

    def halves(self, plane: Plane) -> Halves:
        """The cube cut by `plane`, as it is seen."""
        corners, edges = self.corners(), self.edges()
        side = np.asarray(plane.distance(corners))  # 8
        start, end = side[edges[:, 0]], side[edges[:, 1]]
        cut = start * end < 0
        share = (start / np.where(cut, start - end, 1.0))[cut, None]
        a, b = corners[edges[cut, 0]], corners[edges[cut, 1]]
        on_plane = np.concatenate([a + share * (b - a), corners[side == 0]])  # m x 3
        parts = [np.concatenate([corners[inside], on_plane[: inside.any() * len(on_plane)]])
                 for inside in (side < 0, side > 0)]  # fmt: skip
        origin, target = (hull(self.project(part)) for part in parts)
        return Halves(origin, target, section=around(on_plane, plane.normal))


@dataclass(frozen=True, eq=False)
class Halves:
    """The two parts of a cube that a plane cuts. Empty where the plane misses the cube."""

    origin: np.ndarray  # m x 2, seen outline of the part on the story.from side, counter-clockwise
    target: np.ndarray  # m x 2, of the part on the story.to side
    section: np.ndarray  # m x 3, the plane's polygon inside the cube, corners in order


def view_of(trace: Trace, contrast: tuple[Trace, ...]) -> View:
    """Camera and ranges for every picture of `trace` and of the passes it is compared with."""
    low = high = square_low = square_high = None
    azimuth, elevation = (
        preferred if pinned is None else pinned
        for preferred, pinned in zip(PREFERRED, (trace.model.azimuth, trace.model.elevation), strict=True)
    )
    if trace.model.d_model == 3:
        azimuth, elevation = _camera(trace)
        low, high = cube(drawn_points(trace, contrast))
    if trace.model.d_k == trace.model.d_v == 2:
        square_low, square_high = cube(attention_points(trace))
    return View(azimuth, elevation, low, high, square_low, square_high)


def pinned(view: View) -> str:
    """The camera as a weights file pins it."""
    return f"[view]\nazimuth = {view.azimuth!r}\nelevation = {view.elevation!r}"


def _frame(azimuth, elevation) -> np.ndarray:
    """The page's directions in space, as rows: right, up, towards the viewer. ... x 3 x 3."""
    a, e = np.radians(azimuth), np.radians(elevation)
    zero = np.zeros(np.broadcast(a, e).shape)
    right = [-np.sin(a) + zero, np.cos(a) + zero, zero]
    up = [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e) + zero]
    viewer = [np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e) + zero]
    return np.stack([np.stack(row, axis=-1) for row in (right, up, viewer)], axis=-2)


def _camera(trace: Trace) -> tuple[float, float]:
    """Azimuth and elevation of the best view, to a tenth of a degree; what the file pins stays."""
    pinned = trace.model.azimuth, trace.model.elevation
    steps = [2.0, 1.5]
    azimuths = np.arange(-180.0, 180.0, steps[0])
    elevations = np.arange(ELEVATION[0], ELEVATION[1] + 0.01, steps[1])
    merit = _Merit(trace)
    best = merit.best(*_pin(pinned, azimuths, elevations))
    for _ in range(5):  # ever finer around the best so far
        around = [centre + step * np.linspace(-1, 1, 9) for centre, step in zip(best, steps, strict=True)]
        best = merit.best(*_pin(pinned, around[0], np.clip(around[1], *ELEVATION)))
        steps = [step / 4 for step in steps]
    found = round((best[0] + 180.0) % 360.0 - 180.0, 1) + 0.0, round(best[1], 1)
    azimuth, elevation = (angle if pin is None else pin for angle, pin in zip(found, pinned, strict=True))
    return azimuth, elevation


def _pin(pinned, azimuths, elevations):
    pairs = zip(pinned, (azimuths, elevations), strict=True)
    return tuple(searched if pin is None else np.array([pin]) for pin, searched in pairs)


class _Merit:
    """How good a view of a trace is: the smallest distance between two tips, less what the wishes miss."""

    def __init__(self, trace: Trace):
        names = CHECKPOINTS if trace.contextual is not None else CHECKPOINTS[:2]
        states = [trace.state(name) for name in names]
        size = max(float(np.abs(states).max()), np.finfo(float).tiny)
        gaps = [b / size - a / size for a, b in combinations(states, 2)]
        self.gaps = np.array([g for g in gaps if np.linalg.norm(g) > NEGLIGIBLE]).reshape(-1, 3)
        self.tip, self.way = (states[i] / size - states[1] / size for i in (0, -1))  # of e and of h, seen from x's
        self.normal = None if trace.plane is None else trace.plane.normal
        self.along = None  # direction of the displacement
        if trace.correction is not None:
            along = trace.correction[-1] / size
            length = np.linalg.norm(along)
            self.along = along / length if length > NEGLIGIBLE else None
        self.preferred = _frame(*PREFERRED)[2]

    def best(self, azimuths: np.ndarray, elevations: np.ndarray) -> tuple[float, float]:
        """The best of all pairs of `azimuths` and `elevations`."""
        azimuth, elevation = (grid.ravel() for grid in np.meshgrid(azimuths, elevations, indexing="ij"))
        frames = _frame(azimuth, elevation)  # m x 3 x 3
        merits = self._wishes(frames) - COVERED * self._near(frames) - PENALTY * self._outside(frames)
        index = int(np.argmax(np.round(merits, 12)))
        return float(azimuth[index]), float(elevation[index])

    def _wishes(self, frames: np.ndarray) -> np.ndarray:
        total = PULL * (frames[:, 2] @ self.preferred)
        if len(self.gaps):
            tips = np.linalg.norm(frames[:, :2] @ self.gaps.T, axis=1).min(axis=1)  # m
            total = total + tips / np.linalg.norm(self.gaps, axis=1).min()
        direction = self.normal if self.normal is not None else self.along
        return total if direction is None else total + READING * (frames[:, 0] @ direction)

    def _near(self, frames: np.ndarray) -> np.ndarray:
        """How much the tip of e lacks of keeping AWAY from the displacement, as a share of it."""
        if self.along is None:
            return np.zeros(len(frames))
        tip, way = frames[:, :2] @ self.tip, frames[:, :2] @ self.way  # m x 2
        squares = np.maximum((way**2).sum(axis=1), np.finfo(float).tiny)
        share = np.clip((tip * way).sum(axis=1) / squares, 0, 1)
        return np.maximum(1 - np.linalg.norm(tip - share[:, None] * way, axis=1) / AWAY, 0)

    def _outside(self, frames: np.ndarray) -> np.ndarray:
        """Degrees by which the views miss the limits on the plane's tilt and the displacement's length."""
        missed = np.zeros(len(frames))
        if self.normal is not None:
            tilt = np.degrees(np.arcsin(np.clip(np.abs(frames[:, 2] @ self.normal), 0, 1)))
            missed += np.maximum(TILT[0] - tilt, 0) + np.maximum(tilt - TILT[1], 0)
        if self.along is not None:
            slant = np.degrees(np.arcsin(np.clip(np.abs(frames[:, 2] @ self.along), 0, 1)))
            missed += np.maximum(slant - np.degrees(np.arccos(SEEN)), 0)
        return missed
