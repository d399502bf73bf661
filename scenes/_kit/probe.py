"""A point that goes through the word embedding space, and where its letter stands."""

from __future__ import annotations

import numpy as np
from manim import VGroup

from attn.picture import palette
from attn.picture.richtext import rich
from scenes._kit.spaces import TITLE, EmbeddingSpace, disc, flat
from scenes._kit.text import Text

# Where the letter may stand beside its point; the last two, farther off, where a name lies on the point.
LABELS = ((0.2, -0.1), (-0.38, -0.1), (-0.08, 0.2), (-0.08, -0.45), (-0.08, 0.5), (-0.08, -0.75))


class ProbePoint(VGroup):
    """A mark and its letter, on a side where it covers nothing wherever the point rests: at `stops` (each 3)."""

    def __init__(self, space: EmbeddingSpace, stops):
        colours = palette.theme()
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
