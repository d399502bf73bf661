"""Polygons: the hull of points, and points of one plane in order."""

from __future__ import annotations

import numpy as np


def hull(points: np.ndarray) -> np.ndarray:
    """The convex hull of `points` (m x 2), counter-clockwise, without points on its sides; of no points, none."""
    if not len(points):
        return np.zeros((0, 2))
    size = max(float(np.ptp(points, axis=0).max()), np.finfo(float).tiny)
    ordered = sorted({(float(x), float(y)) for x, y in points})

    def chain(row):
        found = []
        for point in row:
            while len(found) > 1 and _turn(found[-2], found[-1], point) <= 1e-12 * size * size:
                found.pop()
            found.append(point)
        return found[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1])).reshape(-1, 2)


def _turn(a, b, c) -> float:
    """Twice the area of the triangle a, b, c; positive if it runs counter-clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def around(points: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Coplanar `points` (m x 3) in order around their centre; empty if they span no polygon."""
    if len(points) < 3:
        return np.zeros((0, 3))
    axis = np.eye(3)[np.argmin(np.abs(normal))]
    first = np.cross(normal, axis)
    second = np.cross(normal, first)
    offsets = points - points.mean(axis=0)
    return points[np.argsort(np.arctan2(offsets @ second, offsets @ first), kind="stable")]
