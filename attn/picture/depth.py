"""Depth in word embedding space: what the plane covers, and the shortest way from a tip to it. Draws nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attn.core.decoder import TIE, Plane
from attn.core.forward import Trace
from attn.picture.polygons import hull
from attn.picture.view import View


@dataclass(frozen=True, eq=False)
class Drop:
    """The perpendicular from a point to the plane, and the sides of its right angle as they are seen."""

    point: np.ndarray  # 3
    foot: np.ndarray  # 3, on the plane
    sides: np.ndarray  # 2 x 2 on the page, of length 1: back towards the point, and along the plane


def drop(trace: Trace, view: View, checkpoint: str) -> Drop | None:
    """The perpendicular from the followed word's state at a checkpoint.

    None where there is none, or none to be seen: its foot is not in the cube, or right in front of the point.
    """
    plane, point = trace.plane, trace.state(checkpoint)
    if plane is None or abs(float(plane.distance(point))) <= TIE:
        return None
    foot = plane.foot(point)
    if (foot < view.low).any() or (foot > view.high).any():
        return None
    back = view.project(point - foot)
    length = np.hypot(*back)
    if length <= TIE:
        return None
    x, y = back / length
    return Drop(point, foot, np.array([(x, y), (-y, x)]))


def covered(view: View, plane: Plane, section: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[float, float]:
    """Between which shares of the way from `start` to `end` (3 each) the plane lies before it; (0, 0) if nowhere.

    `section` is the plane's polygon as it is seen, m x 2 in any order.
    """
    near = 1.0 if float(view.depth(plane.normal)) > 0 else -1.0  # the side of the plane on which the viewer is
    first, last = (near * float(plane.distance(point)) for point in (start, end))
    outline, (a, b) = hull(section), view.project(np.array([start, end]))
    bounds = [(-first, -last)]  # what is positive, at the start and at the end, of all that is covered
    for corner, side in zip(outline, np.roll(outline, -1, axis=0) - outline, strict=True):
        bounds.append(tuple(side[0] * (p - corner)[1] - side[1] * (p - corner)[0] for p in (a, b)))
    low, high = 0.0, 1.0
    for here, there in bounds:
        if here <= 0 and there <= 0:
            return 0.0, 0.0
        if here * there < 0:
            share = here / (here - there)
            low, high = (max(low, share), high) if here < 0 else (low, min(high, share))
    return (low, high) if low < high else (0.0, 0.0)
