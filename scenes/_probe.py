"""A point that goes through the word embedding space: where it starts, and where its letter stands."""

from __future__ import annotations

import numpy as np
from manim import VGroup

from attn import look
from attn.look import rich
from scenes._space import TITLE, EmbeddingSpace, disc, flat
from scenes._text import Text

# Where the letter may stand beside its point; the last two, farther off, where a name lies on the point.
LABELS = ((0.2, -0.1), (-0.38, -0.1), (-0.08, 0.2), (-0.08, -0.45), (-0.08, 0.5), (-0.08, -0.75))
INSIDE = 0.8  # how far out a point may start, as a share of the cube


def start_of_way(space: EmbeddingSpace, end: np.ndarray) -> np.ndarray:
    """A point (3) near a corner of the cube, far on the other side of the plane from `end`, but not too far from it."""
    view, plane = space.view, space.trace.plane
    middle = (view.low + view.high) / 2
    corners = middle + INSIDE * (view.corners() - middle)
    away = 1.0 if plane.distance(end) <= 0 else -1.0
    reach = away * np.asarray(plane.distance(corners))
    near = np.linalg.norm(corners - end, axis=1)
    free = [_free(space, space.point(corner), LABELS[0]) for corner in corners]
    return corners[int(np.argmax(reach - 0.35 * near + np.where(free, 0.0, -reach.max())))]


class ProbePoint(VGroup):
    """A mark and its letter, on a side where it covers nothing wherever the point rests: at `stops` (each 3)."""

    def __init__(self, space: EmbeddingSpace, stops):
        colours = look.theme()
        super().__init__(disc((0, 0), 0.1, colours.ink, colours.paper, 2.0), Text(rich("*r*"), TITLE, colours.ink))
        self.space, places = space, [space.point(stop) for stop in stops]
        self.sides = sorted(LABELS, key=lambda side: -sum(_free(space, place, side) for place in places))
        self.put(stops[0], self.side(stops[0]))

    def side(self, point) -> np.ndarray:
        """Where the letter stands (2, from the mark) when the point rests at `point` (3)."""
        place = self.space.point(point)
        return np.array(next((side for side in self.sides if _free(self.space, place, side)), self.sides[0]))

    def put(self, point, side) -> None:
        """Moves the mark to a point of the space (3), and the letter to that side of it."""
        place = self.space.point(point)
        self[0].move_to(flat(place))
        self[1].at(flat(place + side))


def _free(space: EmbeddingSpace, place, side) -> bool:
    """Whether a letter on this side of a stage point covers no letter or word of the space."""
    x, y = place + np.asarray(side)
    return not any(x - 0.1 < c and x + 0.25 > a and y - 0.1 < d and y + 0.35 > b for a, b, c, d in space.taken)
