"""Animations that compute each state themselves, and what comes and goes by opacity alone."""

from __future__ import annotations

from manim import Animation, Mobject, VGroup

COLOURS = ("fill_rgbas", "stroke_rgbas", "background_stroke_rgbas")  # of a VMobject, m x 4 each


class Direct(Animation):
    """An animation that computes each state itself: manim need not copy the object to remember where it began."""

    def create_starting_mobject(self):
        return self.mobject


class _Fade(Direct):
    """Opacities between nothing and what they are. Points stay exactly as they are, so no path is compiled anew."""

    def __init__(self, *mobjects: Mobject, **options):
        super().__init__(mobjects[0] if len(mobjects) == 1 else VGroup(*mobjects), **options)

    def begin(self) -> None:
        self.colours = [
            (part, name, colours.copy())
            for part in self.mobject.get_family()
            for name in COLOURS
            if (colours := getattr(part, name, None)) is not None and colours[:, 3].any()
        ]
        super().begin()

    def fade(self, share: float) -> None:
        for part, name, colours in self.colours:
            faded = colours.copy()
            faded[:, 3] *= share
            setattr(part, name, faded)


class FadeIn(_Fade):
    """Objects come."""

    def __init__(self, *mobjects: Mobject, **options):
        super().__init__(*mobjects, introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        self.fade(self.rate_func(alpha))


class FadeOut(_Fade):
    """Objects go; off the stage they are again as they were."""

    def __init__(self, *mobjects: Mobject, **options):
        super().__init__(*mobjects, remover=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        self.fade(1 - self.rate_func(alpha))

    def clean_up_from_scene(self, scene) -> None:
        super().clean_up_from_scene(scene)
        self.fade(1)
