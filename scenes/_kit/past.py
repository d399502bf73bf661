"""The films of the steps go on from one another: a process that makes several plays each only once.

A scene that has been played, drawn or not, is kept until the film after it takes it over, objects and all. Only the
last one is kept; what is not there is played without drawing.
"""

from __future__ import annotations

import manim

from attn.core.reading import Reading
from attn.picture.palette import theme
from scenes._kit.stage import Stage

_kept: dict[tuple, Stage] = {}  # by the settings that were in force


def keep(stage: Stage) -> None:
    """`stage` has been played to its end, and nothing else will be done with it."""
    _kept[_settings()] = stage


def played(scene: type[Stage], trace, renderer: type) -> Stage:
    """`scene` as it stands at its end, to go on with: from now on it is the caller's.

    trace: what the caller shows; what the scene read of it counts as read by the caller, now and later.
    """
    stage = _kept.get(_settings())
    if type(stage) is scene and type(stage.renderer) is renderer and _agree(trace, stage.trace):
        del _kept[_settings()]
        trace.along(stage.trace)
        stage.poster_picture = stage.renderer.camera = None  # pictures are large
        return stage
    stage = scene(trace, renderer=renderer())
    stage.render()
    return stage


def _agree(trace, other) -> bool:
    """Whether all that was read of the one is the same in the other."""
    return isinstance(trace, Reading) and isinstance(other, Reading) and trace.agrees(other)


def _settings() -> tuple:
    config = manim.config
    return (config.pixel_width, config.pixel_height, config.frame_rate, config.background_opacity, theme())
