"""Animations that compute each state themselves: what comes and goes by opacity alone, what flies elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from manim import DL, UR, Animation, AnimationGroup, Mobject, VGroup, VMobject, linear, smooth
from manim.utils.rate_functions import squish_rate_func

from attn.picture import palette


def during(start: float, stop: float):
    """A pace that eases in and out within a part of the motion's time; both are shares of it."""
    return squish_rate_func(smooth, start, stop)


def steadily(start: float, stop: float):
    """A pace that is even within a part of the motion's time; both are shares of it."""
    return squish_rate_func(linear, start, stop)


FADE = 0.8  # seconds that one part of what comes or goes takes
EARLY, LATE = steadily(0.0, 0.45), steadily(0.45, 1.0)
UNDER = 0.09  # scene units between what is pointed at and the line below it
COLOURS = ("fill_rgbas", "stroke_rgbas", "background_stroke_rgbas")  # of a VMobject, m x 4 each


class Direct(Animation):
    """An animation that computes each state itself: manim need not copy the object to remember where it began."""

    def create_starting_mobject(self):
        return self.mobject


class Staggered(Direct):
    """One whose parts each have times of their own, in which they ease: its whole time runs evenly."""

    def __init__(self, mobject: Mobject, **options):
        super().__init__(mobject, **{"rate_func": linear, **options})


class _Fade(Direct):
    """Opacities between nothing and what they are, part after part where there is time, as one reads them.

    Points stay exactly as they are, so no path is compiled anew.
    """

    def __init__(self, *mobjects: Mobject, **options):
        super().__init__(mobjects[0] if len(mobjects) == 1 else VGroup(*mobjects), **options)
        self.before, self.after = 0, 0  # parts of others that come or go with it

    @property
    def parts(self) -> list[Mobject]:
        return [part for part in self.mobject.get_family() if len(part.points)]

    def begin(self) -> None:
        parts = self.parts
        self.each = min(1.0, FADE / self.run_time)  # the share of the time that one part takes
        last = max(self.before + len(parts) + self.after - 1, 1)
        self.colours = [
            (part, name, colours.copy(), (1 - self.each) * number / last)
            for number, part in enumerate(parts, start=self.before)
            for name in COLOURS
            if (colours := getattr(part, name, None)) is not None and colours[:, 3].any()
        ]
        super().begin()

    def fade(self, share: float, gone: bool = False) -> None:
        """share: of the time that has passed. gone: what is left at its end, nothing or all."""
        for part, name, colours, start in self.colours:
            shown = smooth(min(max((share - start) / self.each, 0.0), 1.0))
            faded = colours.copy()
            faded[:, 3] *= 1 - shown if gone else shown
            setattr(part, name, faded)


class FadeIn(_Fade):
    """Objects come."""

    def __init__(self, *mobjects: Mobject, **options):
        super().__init__(*mobjects, **{"introducer": True, "rate_func": linear, **options})

    def interpolate_mobject(self, alpha: float) -> None:
        self.fade(self.rate_func(alpha))


class FadeOut(_Fade):
    """Objects go; off the stage they are again as they were."""

    def __init__(self, *mobjects: Mobject, **options):
        super().__init__(*mobjects, **{"remover": True, "rate_func": linear, **options})

    def interpolate_mobject(self, alpha: float) -> None:
        self.fade(self.rate_func(alpha), gone=True)

    def clean_up_from_scene(self, scene) -> None:
        super().clean_up_from_scene(scene)
        self.fade(1)


def turn(old, new) -> Animation:
    """One text gives way to another in the same place."""
    return AnimationGroup(*in_turn([FadeOut(old), FadeIn(new)]))


def in_turn(animations) -> list[Animation]:
    """What goes is gone before what comes can be seen, and of each kind one follows the other, where none has a pace of
    its own.
    """
    animations = list(animations)
    fades = [one for one in animations if isinstance(one, _Fade) and one.rate_func is linear]
    kinds = {kind: [one for one in fades if isinstance(one, kind)] for kind in (FadeOut, FadeIn)}
    for kind, ones in kinds.items():
        counts = [len(one.parts) for one in ones]
        for i, one in enumerate(ones):
            one.before, one.after = sum(counts[:i]), sum(counts[i + 1 :])
            if all(kinds.values()):
                one.rate_func = EARLY if kind is FadeOut else LATE
    return animations


class Point(Direct):
    """A line is drawn under what is spoken of, in its own time, and goes again."""

    def __init__(self, *mobjects: Mobject, **options):
        whole = VGroup(*mobjects)
        (self.left, low, _), (self.right, *_) = whole.get_corner(DL), whole.get_corner(UR)
        self.y = low - UNDER
        self.line = VMobject(stroke_color=palette.theme().ink, stroke_width=4, fill_opacity=0)
        super().__init__(self.line, **{"introducer": True, "remover": True, "rate_func": linear, **options})

    def interpolate_mobject(self, alpha: float) -> None:
        come, stay = smooth(min(alpha / 0.6, 1.0)), 1 - smooth(max(alpha - 0.7, 0.0) / 0.3)
        end = self.left + come * (self.right - self.left)
        self.line.set_points_as_corners([[self.left, self.y, 0], [end, self.y, 0]]).set_stroke(opacity=stay)


class Exchange(Direct):
    """Parts of an object fade, become by `arrive` what they are next, and come again.

    So nothing slides that nothing moves. parts: asked for anew after `arrive`.
    """

    def __init__(self, mobject: Mobject, parts: Callable[[], Mobject], arrive: Callable[[], object], **options):
        self.parts, self.arrive, self.arrived = parts, arrive, False
        super().__init__(mobject, **{"rate_func": linear, **options})

    def begin(self) -> None:
        self.turn_to(FadeOut(self.parts()))
        super().begin()

    def turn_to(self, fade: _Fade) -> None:
        self.fade = fade
        self.fade.begin()

    def interpolate_mobject(self, alpha: float) -> None:
        if alpha >= 0.5 and not self.arrived:
            self.fade.fade(0.0, gone=True)  # so that what stays has its own colours again
            self.arrive()
            self.arrived = True
            self.turn_to(FadeIn(self.parts()))
        self.fade.fade(2 * alpha - 1 if self.arrived else 2 * alpha, gone=not self.arrived)


class Fly(Direct):
    """A text or number goes to another place, its middle to `point` (2), and grows or shrinks by `scale`."""

    def __init__(self, mobject, point, scale: float = 1.0, **options):
        self.parts = [part for part in mobject.get_family() if len(part.points)]
        self.points = [part.points.copy() for part in self.parts]
        self.middle, self.to, self.by = mobject.get_center(), np.array([*point, 0.0][:3]), scale
        super().__init__(mobject, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        middle, by = self.middle + share * (self.to - self.middle), 1 + share * (self.by - 1)
        for part, points in zip(self.parts, self.points, strict=True):
            part.points = middle + by * (points - self.middle)


class Arrive(Direct):
    """A group comes to its place from `source` (2), where its middle was, growing from `scale` to its size."""

    def __init__(self, mobject, source, scale: float = 1.0, **options):
        self.way = Fly(mobject, mobject.get_center()[:2])
        self.source, self.by = np.array([*source, 0.0][:3]), scale
        super().__init__(mobject, introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        middle, by = self.source + share * (self.way.middle - self.source), self.by + share * (1 - self.by)
        for part, points in zip(self.way.parts, self.way.points, strict=True):
            part.points = middle + by * (points - self.way.middle)


class Land(Direct):
    """A column of numbers goes to the tip of its arrow, getting smaller, until it is gone; or comes `out`."""

    def __init__(self, column: Mobject, vector, out: bool = False, **options):
        self.parts = [part for part in column.get_family() if len(part.points)]
        self.points, self.middle = [part.points.copy() for part in self.parts], column.get_center()
        self.goal, self.out = np.array([*vector.end, 0.0]), out
        super().__init__(column, introducer=out, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = 1 - self.rate_func(alpha) if self.out else self.rate_func(alpha)
        middle, size = self.middle + share * (self.goal - self.middle), 1 - 0.95 * share
        for part, points in zip(self.parts, self.points, strict=True):
            part.points = middle + size * (points - self.middle)
            if hasattr(part, "text_run"):
                part.set_fill(opacity=min(1.0, 6 * (1 - share)))


class Paint(Direct):
    """An area takes on its colours, fill and edge, from the colour `before`."""

    def __init__(self, area, before: str, **options):
        self.before, self.fill = before, area.get_fill_color().to_hex()
        self.edge = area.get_stroke_color().to_hex()
        super().__init__(area, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self.mobject.set_fill(palette.mix(self.fill, share, self.before))
        self.mobject.set_stroke(palette.mix(self.edge, share, self.before))
