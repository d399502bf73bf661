"""A trace with all that pictures of it need beside its numbers: the view, the compared sentences, further points."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attn.core import record
from attn.core.compared import contrast_of
from attn.core.decoder import Prediction, decode
from attn.core.errors import WeightsError
from attn.core.forward import Trace, forward
from attn.core.model import Model
from attn.picture.ranges import attention_points, cube, drawn_points
from attn.picture.view import View, view_of

INSIDE = 0.8  # how far out the probes' way may begin, as a share of the cube


@dataclass(frozen=True, eq=False)
class Probe:
    """A point at which the decoder is asked, and what it says there."""

    point: np.ndarray  # d_model
    said: Prediction


@dataclass(frozen=True, eq=False)
class Drawn(Trace):
    """A trace as pictures show it."""

    view: View  # camera and ranges
    contrast: tuple[Trace, ...]  # passes over other sentences to compare with
    probes: tuple[Probe, ...]  # on a straight way to where the followed word starts

    @property
    def reach(self) -> float:
        """How far from the plane pictures go: the scale of all prediction strips; 1 where all lies on the plane."""
        return reach(self, self.contrast)


def picture(model: Model, sentence: str | tuple[str, ...] | None = None) -> Drawn:
    """The forward pass over `sentence` (the story's when left out) with what pictures need.

    Raises WeightsError as attn.core.forward.forward does, and for numbers that are too large to be measured.
    """
    trace = forward(model, sentence)
    with np.errstate(over="raise"):
        try:
            contrast = contrast_of(trace)
            view = view_of(trace, contrast)
            asked = probes(trace, view, reach(trace, contrast))
        except FloatingPointError:
            raise WeightsError("parameters", "the numbers are too large to be measured in a picture") from None
    fields = {field.name: getattr(trace, field.name) for field in dataclasses.fields(trace)}
    return Drawn(**fields, view=view, contrast=contrast, probes=asked)


def seen(trace: Trace) -> View | None:
    """The view of `trace` where pictures show it in space: the story's sentence, numbers that can be measured."""
    story = trace.model.story
    if trace.model.d_model != 3 or (story is not None and trace.tokens != story.sentence):
        return None
    try:
        with np.errstate(over="raise"):
            return view_of(trace, contrast_of(trace))
    except FloatingPointError:
        return None


def as_dict(trace: Trace, view: View | None = None) -> dict:
    """What attn.core.record.as_dict gives, and what a trace has beside it where it is drawn, or seen in `view`."""
    if not isinstance(trace, Trace):  # the results of an experiment
        return record.as_dict(trace)
    view, words = getattr(trace, "view", view), trace.model.vocabulary
    return record.as_dict(trace) | {
        "view": view and record.fields(view),
        "contrast": [record.as_dict(other) for other in getattr(trace, "contrast", ())],
        "probes": [
            {
                "point": probe.point.tolist(),
                "distance": float(trace.plane.distance(probe.point)),
                **record.said(probe.said, words),
            }
            for probe in getattr(trace, "probes", ())
        ],
    }


def beside(old: Drawn, new: Drawn) -> tuple[Drawn, Drawn]:
    """Both pictures with one camera and one range, those of `old`, so that what moved is what changed.

    What the file of `new` pins of the camera stays; where it does not fit into the ranges, they are made to hold both.
    """
    chosen = {name: getattr(old.view, name) for name in ("azimuth", "elevation") if getattr(new.model, name) is None}
    cubes = _range(old, new, "low", "high", points=lambda trace: drawn_points(trace, trace.contrast))
    ranges = cubes | _range(old, new, "attention_low", "attention_high", points=attention_points)
    return replace(old, view=replace(old.view, **ranges)), replace(new, view=replace(new.view, **(ranges | chosen)))


def _range(old: Drawn, new: Drawn, *names: str, points: Callable[[Drawn], np.ndarray]) -> dict[str, Any]:
    """The cube or the square of both, by the names of a view's fields; nothing where one of them has none."""
    low, high = (getattr(old.view, name) for name in names)
    if low is None or getattr(new.view, names[0]) is None:
        return {}
    found = points(new)
    if (found < low).any() or (found > high).any():
        low, high = cube(np.concatenate([points(old), found]))
    return dict(zip(names, (low, high), strict=True))


def reach(trace: Trace, contrast: tuple[Trace, ...]) -> float:
    """The largest distance from the plane in any of them, 1 where all lie on it or there is none."""
    return max((abs(d) for one in (trace, *contrast) for d in (one.distances or {}).values()), default=0.0) or 1.0


def probes(trace: Trace, view: View, most: float) -> tuple[Probe, ...]:
    """Where the way begins, at most `most` from the plane, and where it meets the plane, if it does.

    Nothing without a plane or a cube.
    """
    if trace.plane is None or view.low is None:
        return ()
    start, end = _start(trace, view, most), trace.state("embedding")
    share = trace.plane.crossing(start, end)
    points = [start] if share is None else [start, start + share * (end - start)]
    m = trace.model
    return tuple(Probe(point, decode(m.W_out, m.b_out, point, m.vocabulary)) for point in points)


def _start(trace: Trace, view: View, most: float) -> np.ndarray:
    """Far on the other side of the plane, near a corner of the cube that is not too far away."""
    plane, end = trace.plane, trace.state("embedding")
    middle = (view.low + view.high) / 2
    corners = middle + INSIDE * (view.corners() - middle)
    near = np.linalg.norm(corners - end, axis=1)
    away = 1.0 if plane.distance(end) <= 0 else -1.0
    corner = corners[int(np.argmax(np.round(away * np.asarray(plane.distance(corners)) - 0.35 * near, 9)))]
    beyond, here = (float(plane.distance(point)) for point in (corner, end))
    if abs(beyond) <= most:
        return corner
    return end + (np.copysign(most, beyond) - here) / (beyond - here) * (corner - end)
