"""A point that goes through the space, and the strip that follows it; at the plane everything holds."""

from __future__ import annotations

from collections.abc import Callable

from manim import VGroup, smooth

from scenes._kit.moves import FadeIn, Staggered

HOLD = 0.5  # seconds for which everything stands while the point is on the plane


class Follow(Staggered):
    """A point goes from `start` to `end` in the space; where it meets the plane it stands for HOLD, and `mark` comes.

    On the way the strip says from no state what comes next; at the end `arrive` tells it. draw: called with the share
    of the way that is covered, to move `drawn` along.
    """

    def __init__(self, strip, start, end, arrive, draw=lambda share: None, drawn=(), mark=None, **options):
        self.strip, self.start, self.end, self.arrive, self.draw = strip, start, end, arrive, draw
        self.share = strip.trace.plane.crossing(start, end)
        self.mark = mark and FadeIn(mark)
        super().__init__(VGroup(*drawn, *([mark] if mark else []), strip), **options)

    def begin(self) -> None:
        held = HOLD / self.run_time
        self.middle = (1 - held) / 2, (1 + held) / 2  # when it holds, in shares of the time
        self.pace = smooth if self.share is None else held_at(self.share, *self.middle)
        self.strip.ask()
        if self.mark:
            self.mark.begin()
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share, (hold, go) = self.pace(alpha), self.middle
        self.draw(share)
        self.strip.follow(self.start + share * (self.end - self.start))
        if self.mark:
            self.mark.fade(min(max((alpha - hold) / (go - hold), 0.0), 1.0))

    def clean_up_from_scene(self, scene) -> None:
        super().clean_up_from_scene(scene)
        self.arrive()


def held_at(share: float, hold: float, go: float) -> Callable[[float], float]:
    """A pace from 0 to 1 that eases to `share`, stands there from the moment `hold` to `go`, and eases on."""

    def pace(alpha: float) -> float:
        before, after = smooth(min(alpha / hold, 1.0)), smooth(max((alpha - go) / (1 - go), 0.0))
        return share * before + (1 - share) * after

    return pace
