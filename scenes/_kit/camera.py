"""The space turns, cube, axes and what stands in it as one rigid piece, and back to where it is always seen from."""

from __future__ import annotations

import numpy as np
from manim import VGroup, smooth

from attn.picture.view import View
from scenes._kit.moves import Staggered
from scenes._kit.spaces import AXES, EmbeddingSpace, flat, line

SWING = 18.0  # degrees


class Rock(Staggered):
    """The bare space turns by SWING degrees about its vertical middle line, and back; names stay upright.

    The names of the axes and `things`, each with its point in the space (3), go along.
    """

    def __init__(self, space: EmbeddingSpace, things=(), **options):
        self.space, view = space, space.view
        ends = np.zeros((len(AXES), 2, 3))
        for i in range(len(AXES)):
            ends[i, :, i] = view.low[i], view.high[i]
        corners = view.corners()
        self.lines = [*zip(space.edges, corners[view.edges()], strict=True), *zip(space.axes, ends, strict=True)]
        self.things = [*zip(space.axis_names, ends[:, 1], strict=True), *things]
        self.middle = (view.low + view.high) / 2
        super().__init__(VGroup(*space.frame, *(thing for thing, _ in things)), **options)

    def begin(self) -> None:
        self.points = [(part, part.points.copy()) for part in self.mobject.get_family() if len(part.points)]
        super().begin()

    def seen(self, points, turned: float) -> np.ndarray:
        """Points of the space (... x 3) on the stage when it is turned by so many degrees."""
        fixed = self.space.view
        view = View(fixed.azimuth + turned, fixed.elevation, None, None, None, None)
        return self.space.at(view.project(points - self.middle) + fixed.project(self.middle))

    def interpolate_mobject(self, alpha: float) -> None:
        turned = SWING * np.sin(np.pi * smooth(alpha))
        for part, points in self.points:
            part.points = points
        if turned < 1e-9:
            return
        for shape, ends in self.lines:
            shape.points = line(self.seen(ends, turned), "#000000").points
        for thing, point in self.things:
            thing.shift(flat(self.seen(point, turned) - self.seen(point, 0.0)))
