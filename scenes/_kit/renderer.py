"""Everything that leans on manim's inner parts, and nothing else: its settings, its renderer, its camera.

manim 0.22 renders a scene through Scene -> Manager -> CairoRenderer -> Camera and SceneFileWriter. Here a scene plays
through `Renderer`, which has no file writer, no cache and no hashes: it draws with `Canvas` and hands the pixels to a
sink. `Canvas` is manim's camera with a memory: it keeps each object's compiled path and redraws only the boxes in which
something changed. A picture that rests is drawn whole, pixel for pixel manim's own; while things move, cairo rounds
slanted edges that cross a box's border a little differently (a few of 255 levels in single edge pixels).
tests/scenes/test_renderer.py compares with manim's camera, so that an upgrade that breaks an assumption is seen.
"""

from __future__ import annotations

import configparser
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cairo
import manim
import numpy as np
from manim._config.utils import ManimConfig
from manim.camera.camera import CAP_STYLE_MAP, LINE_JOIN_MAP, Camera
from manim.mobject.types.vectorized_mobject import VMobject
from manim.renderer.cairo_renderer import CairoRenderer

TILE = 64  # pixels; what changed is kept as a raster of tiles and redrawn in boxes made of them
MORE = 24  # objects at least, by which a new ground must hold more than the last to be worth drawing
HEIGHT = 8.0  # of the frame in scene units; its width follows from the picture's shape

Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels; the last two are outside


@contextmanager
def settings(width: int, height: int, fps: int, transparent: bool = False) -> Iterator[None]:
    """manim's own defaults (not those of a manim.cfg lying about) with this picture size, put back afterwards.

    transparent: the pictures have no ground.
    """
    parser = configparser.ConfigParser()
    parser.read(Path(manim.__file__).parent / "_config" / "default.cfg", encoding="utf-8")
    values = dict(
        renderer="cairo",
        dry_run=True,
        disable_caching=True,
        verbosity="WARNING",
        progress_bar="none",
        media_dir=os.devnull,  # nothing is written, and nothing can be
        pixel_width=width,
        pixel_height=height,
        frame_height=HEIGHT,
        frame_width=HEIGHT * width / height,
        frame_rate=fps,
        background_opacity=0.0 if transparent else 1.0,
    )
    fresh = ManimConfig().digest_parser(parser)
    if unknown := [key for key in values if key not in fresh]:
        raise KeyError(f"manim has no settings {unknown}")
    for key, value in values.items():
        fresh[key] = value
    with manim.tempconfig(fresh):
        yield


class Sink(Protocol):
    """Where the pictures go: scenes._kit.encoder.Encoder, or a list in a test."""

    def show(self, canvas: np.ndarray, boxes: list[Box]) -> None: ...

    def hold(self, frames: int) -> None: ...

    def cut(self) -> None: ...


class Renderer(CairoRenderer):
    """Plays a scene's animations into `sink`; without one nothing is drawn and each animation jumps to its end.

    frames: how many frames the scene has so far, the only clock there is. draws: whether `picture` can be asked for;
    what is neither drawn nor asked for takes no memory.
    """

    def __init__(self, sink: Sink | None = None, after_frame=lambda: None, draws: bool | None = None):
        self.draws = sink is not None if draws is None else draws
        super().__init__(camera_class=Canvas if self.draws else _Blind, skip_animations=sink is None)
        self.sink, self.after_frame, self.frames = sink, after_frame, 0

    def init_scene(self, scene, session_spec, file_writer_settings) -> None:
        self.file_writer = _NoWriter()

    def scene_finished(self, scene) -> None:
        """Nothing to combine."""

    def play(self, scene, *animations, **options) -> None:
        scene.compile_animation_data(*animations, **options)
        scene.begin_animations()
        frames = count_frames(scene.duration)
        if scene.is_current_animation_frozen_frame():
            self._show(scene, frames)
        else:
            before = self.frames
            scene.play_internal()
            if self.skip_animations:
                self.frames = before + frames
        self.time = self.frames / self.camera.frame_rate
        self.num_plays += 1

    def render(self, scene, time, moving_mobjects=None) -> None:
        self._show(scene, 1)

    def _show(self, scene, frames: int) -> None:
        if self.sink is not None:
            self.picture(scene, whole=frames > 1)
            self.sink.hold(frames)
        self.frames += frames
        self.after_frame()

    def cut(self) -> None:
        """From here on the film can be shown by itself."""
        if self.sink is not None:
            self.sink.cut()

    def picture(self, scene, whole: bool = True) -> np.ndarray:
        """The scene as it stands, drawn: height x width x 4 (RGBA, uint8), to be copied by whoever keeps it."""
        boxes = self.camera.draw(scene.mobjects, whole)
        if boxes and self.sink is not None:
            self.sink.show(self.camera.pixel_array, boxes)
        return self.camera.pixel_array


class _NoWriter:
    """Stands where manim expects its file writer when a scene breaks off."""

    def abort_encode_jobs(self, **options) -> None:
        """There are none."""


def count_frames(seconds: float) -> int:
    """How many frames `seconds` take, at least one."""
    return max(1, round(seconds * manim.config.frame_rate))


class _Times(list):
    """What manim takes for a progress bar: the moments of an animation's frames."""

    def close(self) -> None:
        """Nothing to close."""


class ExactTime:
    """Scene mixin: an animation of n/fps seconds has n frames (manim's own arithmetic loses or adds one at times)."""

    def get_time_progression(self, run_time, description, n_iterations=None, override_skip_animations=False):
        if self.renderer.skip_animations and not override_skip_animations:
            return _Times([run_time])
        frames = count_frames(run_time)
        return _Times(run_time * k / frames for k in range(frames))


@dataclass(slots=True)
class _Drawn:
    """One object as it was drawn last."""

    points: bytes
    style: tuple
    path: cairo.Path
    paints: tuple[bool, bool, bool]  # whether anything can be seen of its background stroke, fill and stroke
    tiles: tuple[slice, slice]  # rows and columns of the tiles it may touch
    order: int


class Canvas(Camera):
    """manim's camera for flat vector scenes; remembers what it drew and redraws only what changed.

    Whatever is not a plain VMobject (images, point clouds) is left to manim's own drawing, for the whole picture.
    """

    def __init__(self, **options):
        self._memory: dict[int, _Drawn] | None = None  # by the objects' ids; None: nothing is drawn yet
        self._patched: np.ndarray | bool = False  # the tiles that were redrawn since the last whole picture
        self._ground: np.ndarray | None = None  # a picture of the lowest objects alone
        self._below = self._first = 0  # how many these are; the lowest that changed in the picture before
        super().__init__(**options)

    def init_background(self) -> None:
        super().init_background()
        if not self.background_opacity:
            self.background[:] = 0  # cairo's colours are multiplied by their alpha; manim's ground is not
        self._memory = None  # another background: everything is to be drawn again

    def draw(self, mobjects: list, whole: bool = False) -> list[Box]:
        """Brings pixel_array up to date with `mobjects` (and all below them); returns the boxes that may have changed.

        whole: also draw anew what was patched since the last whole picture.
        """
        family = _family(mobjects)
        if not all(isinstance(mobject, VMobject) and not mobject.background_image for mobject in family):
            self._memory = None
            self.reset()
            self.capture_mobjects(mobjects)
            return [(0, 0, self.pixel_width, self.pixel_height)]
        context = self.get_cairo_context(self.pixel_array)
        entries, changed, first = self._compare(context, family)
        drawn = list(zip(family, entries, strict=True))
        if first < self._below:  # something in the ground is not as it was
            self._below = 0
        if whole:
            changed |= self._patched
        elif changed.any():
            self._lay_ground(drawn, min(first, self._first))
        boxes = self._boxes(changed)
        if boxes:
            everything = [(0, 0, self.pixel_width, self.pixel_height)]
            self._redraw(context, drawn, changed | whole, everything if whole else boxes)
        self._patched = np.zeros_like(changed) if whole else self._patched | changed
        self._first = first
        return boxes

    def _compare(self, context: cairo.Context, family: list) -> tuple[list[_Drawn], np.ndarray, int]:
        """Each object's entry, the raster of tiles that must be redrawn, and the place of the lowest change.

        What stays as it is must also have stayed in order: whatever overtook something else counts as changed.
        """
        changed = np.full((-(-self.pixel_height // TILE), -(-self.pixel_width // TILE)), self._memory is None)
        old, new, last, first = self._memory or {}, {}, -1, len(family)
        for order, mobject in enumerate(family):
            before = old.pop(id(mobject), None)
            entry = self._entry(context, mobject, before)
            if entry is before and entry.order > last:
                last = entry.order
            else:
                first = min(first, order)
                changed[entry.tiles] = True
                if before is not None:
                    first = min(first, before.order)
                    changed[before.tiles] = True
            new[id(mobject)] = entry
        for entry in old.values():
            first = min(first, entry.order)
            changed[entry.tiles] = True
        for order, entry in enumerate(new.values()):
            entry.order = order
        self._memory = new
        return list(new.values()), changed, first

    def _lay_ground(self, drawn: list, still: int) -> None:
        """While things move, what lies below all of them, the first `still` objects, is drawn once and then copied.

        Often most of the drawing: the shades of the two sides, the plane, text. A few objects more are not worth it.
        """
        if still < self._below + MORE:
            return
        if self._ground is None:
            self._ground = np.empty_like(self.pixel_array)
        self._ground[:] = self.background
        context = self.get_cairo_context(self._ground)
        for mobject, entry in drawn[:still]:
            self._paint(context, mobject, entry)
        self._below = still

    def _entry(self, context: cairo.Context, mobject: VMobject, before: _Drawn | None) -> _Drawn:
        points, style = mobject.points.tobytes(), _style(mobject)
        same_path = before is not None and points == before.points
        if same_path and style == before.style:
            return before
        context.new_path()
        if same_path:
            context.append_path(before.path)
        else:
            self.set_cairo_context_path(context, mobject)
        path = before.path if same_path else context.copy_path()
        colours = mobject.get_stroke_rgbas(True), mobject.get_fill_rgbas(), mobject.get_stroke_rgbas()
        paints = tuple(bool(rgbas[:, 3].any()) for rgbas in colours)
        return _Drawn(points, style, path, paints, self._tiles(context, mobject), -1)

    def _tiles(self, context: cairo.Context, mobject: VMobject) -> tuple[slice, slice]:
        """The tiles that drawing the context's path in the object's style may touch."""
        width = max((mobject.get_stroke_width(back) for back in (False, True)), default=0)
        if width > 0:
            context.set_line_width(width * self.cairo_line_width_multiple)
            context.set_line_join(LINE_JOIN_MAP[mobject.joint_type])
            context.set_line_cap(CAP_STYLE_MAP[mobject.cap_style])
        extents = context.path_extents()
        if width > 0:
            extents = _union(extents, context.stroke_extents())
        x0, y0, x1, y1 = extents
        (left, bottom), (right, top) = context.user_to_device(x0, y0), context.user_to_device(x1, y1)
        return _span(top, bottom), _span(left, right)

    def _redraw(self, context: cairo.Context, drawn: list, changed: np.ndarray, boxes: list[Box]) -> None:
        """Draws, in order, every object that reaches into the changed tiles, which `boxes` cover; nothing outside."""
        context.save()
        matrix = context.get_matrix()
        context.identity_matrix()
        context.new_path()
        ground = self._ground if self._below else self.background
        for left, top, right, bottom in boxes:
            self.pixel_array[top:bottom, left:right] = ground[top:bottom, left:right]
            context.rectangle(left, top, right - left, bottom - top)
        context.clip()
        context.set_matrix(matrix)
        for mobject, entry in drawn[self._below :]:
            if changed[entry.tiles].any():
                self._paint(context, mobject, entry)
        context.restore()

    def _paint(self, context: cairo.Context, mobject: VMobject, entry: _Drawn) -> None:
        """Strokes and fills an object's path as manim does, leaving out what cannot be seen."""
        context.new_path()
        context.append_path(entry.path)
        back, fill, stroke = entry.paints
        if back:
            self.apply_stroke(context, mobject, background=True)
        if fill:
            self.apply_fill(context, mobject)
        if stroke:
            self.apply_stroke(context, mobject)

    def _boxes(self, changed: np.ndarray) -> list[Box]:
        """The changed tiles as few boxes: runs within a row of tiles, joined with equal runs of the row above."""
        boxes: list[list[int]] = []
        open_runs: dict[tuple[int, int], list[int]] = {}
        for row, tiles in enumerate(changed):
            edges = np.flatnonzero(np.diff(np.concatenate(([0], tiles.view(np.int8), [0]))))
            runs = {}
            for left, right in edges.reshape(-1, 2).tolist():
                box = open_runs.get((left, right)) or [left, row, right, row]
                if box[1] == row:
                    boxes.append(box)
                box[3] = row + 1
                runs[left, right] = box
            open_runs = runs
        width, height = self.pixel_width, self.pixel_height
        return [
            (left * TILE, top * TILE, min(right * TILE, width), min(bottom * TILE, height))
            for left, top, right, bottom in boxes
        ]


class _Blind(Camera):
    """A camera that knows its size and has no picture."""

    def init_background(self) -> None:
        self.background = np.zeros((1, 1, self.n_channels), self.pixel_array_dtype)


def _family(mobjects: list) -> list:
    """All objects that have points, in drawing order: manim's, with the last of several occurrences counting."""
    found: dict[int, object] = {}

    def walk(mobject) -> None:
        if len(mobject.points):
            found.pop(id(mobject), None)
            found[id(mobject)] = mobject
        for part in mobject.submobjects:
            walk(part)

    for mobject in mobjects:
        walk(mobject)
    return sorted(found.values(), key=lambda mobject: mobject.z_index)


def _style(mobject: VMobject) -> tuple:
    """All that decides how an object's path is painted, comparable."""
    fill, stroke, back = mobject.get_fill_rgbas(), mobject.get_stroke_rgbas(), mobject.get_stroke_rgbas(True)
    gradient = max(len(fill), len(stroke), len(back)) > 1
    return (
        fill.tobytes(),
        stroke.tobytes(),
        back.tobytes(),
        mobject.stroke_width,
        mobject.background_stroke_width,
        mobject.joint_type,
        mobject.cap_style,
        np.array(mobject.get_gradient_start_and_end_points()).tobytes() if gradient else None,
    )


def _union(a: tuple, b: tuple) -> tuple:
    """The extents that hold both; cairo reports nothing as four zeros."""
    if not any(a) or not any(b):
        return a if any(a) else b
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _span(low: float, high: float) -> slice:
    """The tiles between two pixel coordinates, with two pixels to spare for soft edges."""
    return slice(max(int(low - 2) // TILE, 0), max(int(high + 2) // TILE + 1, 0))
