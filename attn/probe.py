"""Points r on a straight way through the word embedding space to where the followed word starts, and what the decoder
says there: at its beginning, and where it meets the plane.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attn.decoder import Prediction, decode

INSIDE = 0.8  # how far out the way may begin, as a share of the cube


@dataclass(frozen=True, eq=False)
class Probe:
    """A point, and what the decoder says there."""

    point: np.ndarray  # d_model
    said: Prediction


def probes(trace) -> tuple[Probe, ...]:
    """Where the way begins and, if it meets the plane, where it does; nothing without a plane or a view."""
    if trace.plane is None or trace.view is None or trace.view.low is None:
        return ()
    start, end = _start(trace), trace.state("embedding")
    share = trace.plane.crossing(start, end)
    points = [start] if share is None else [start, start + share * (end - start)]
    m = trace.model
    return tuple(Probe(point, decode(m.W_out, m.b_out, point, m.vocabulary)) for point in points)


def _start(trace) -> np.ndarray:
    """Far on the other side of the plane, near a corner of the cube that is not too far away; but no farther from the
    plane than what other pictures show."""
    view, plane, end = trace.view, trace.plane, trace.state("embedding")
    middle = (view.low + view.high) / 2
    corners = middle + INSIDE * (view.corners() - middle)
    near = np.linalg.norm(corners - end, axis=1)
    away = 1.0 if plane.distance(end) <= 0 else -1.0
    corner = corners[int(np.argmax(np.round(away * np.asarray(plane.distance(corners)) - 0.35 * near, 9)))]
    beyond, here = (float(plane.distance(point)) for point in (corner, end))
    if abs(beyond) <= trace.reach:
        return corner
    return end + (np.copysign(trace.reach, beyond) - here) / (beyond - here) * (corner - end)
