"""From a scene to a film: plays it once, its pictures going straight into the encoder; no files in between.

files, values = render("scenes.step7_context", trace, "high", "0.1.0")
stage = rehearse(partial(Step7Context, trace))     # plays without drawing: beats, texts and positions, in no time
"""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from attn import story
from scenes._captions import cues, srt, vtt
from scenes._encode import Encoder
from scenes._manim import Renderer, settings
from scenes._stage import Stage

QUALITY = {  # width, height, frames a second
    "low": (854, 480, 30),
    "medium": (1280, 720, 30),
    "high": (1920, 1080, 60),
    "4k": (3840, 2160, 60),
}
UNKNOWN = "0" * 64  # stands in the film where the digest goes, which is known only when all is drawn

Make = Callable[..., Stage]  # called with renderer=
Progress = Callable[[int, float], None]  # the beat that is playing, from 1, and how much of the film is done, 0 to 1


@dataclass(frozen=True)
class Film:
    """A film that was played: what the scene left behind, and the files by extension."""

    stage: Stage
    files: dict[str, bytes]  # mp4, srt, vtt, png


def render(
    module: str, trace, quality: str, version: str, progress: Progress | None = None
) -> tuple[dict[str, bytes], list[dict]]:
    """The files of the film in `module` by extension, and the record of the numbers it shows.

    trace: an attn.reading.Reading, whose digest goes into the films' metadata. Raises KeyError for an unknown quality.
    """
    scene = scene_of(module)
    title = getattr(story, module.rpartition(".")[2])(trace).title
    film = shoot(lambda **options: scene(trace, **options), quality, title, version, trace.digest, progress)
    return film.files, film.stage.record


def scene_of(module: str) -> type[Stage]:
    """The one scene that `module` defines. Raises LookupError if it defines none or several."""
    found = [
        member
        for member in vars(import_module(module)).values()
        if inspect.isclass(member) and issubclass(member, Stage) and member.__module__ == module
    ]
    if len(found) != 1:
        raise LookupError(f"{module} defines {len(found)} scenes; a film's module defines one")
    return found[0]


def rehearse(make: Make, quality: str = "low") -> Stage:
    """Plays the scene without drawing: every animation jumps to its end. Times are the film's at that quality."""
    with settings(*QUALITY[quality]):
        stage = make(renderer=Renderer())
        stage.render()
    return stage


def shoot(
    make: Make,
    quality: str,
    title: str,
    version: str,
    digest: Callable[[], str] = lambda: UNKNOWN,
    progress: Progress | None = None,
) -> Film:
    """Plays and films the scene that `make` makes; `digest` is asked for the weights' sha256 when all is drawn."""
    width, height, fps = QUALITY[quality]
    tags = {"title": title, "comment": f"attn {version}, weights sha256 {UNKNOWN}"}
    report = _Reporter(make, quality, progress)
    with TemporaryDirectory(prefix="attn-film-") as folder, settings(width, height, fps):
        path = Path(folder) / "film.mp4"
        with Encoder(path, width, height, fps, tags) as encoder:
            stage = make(renderer=Renderer(encoder, report))
            report.stage = stage
            stage.render()
            poster = stage.poster_picture if stage.poster_picture is not None else stage.renderer.picture(stage)
            if not stage.frames:
                raise ValueError(f"{type(stage).__name__} plays nothing")
        movie = path.read_bytes()
    told = cues(stage.beats, stage.frames, fps)
    weights = digest()
    files = {
        "mp4": movie.replace(UNKNOWN.encode(), weights.encode(), 1),
        "srt": srt(told).encode(),
        "vtt": vtt(told).encode(),
        "png": _png(poster, {"Title": title, "Comment": tags["comment"].replace(UNKNOWN, weights)}),
    }
    return Film(stage, files)


class _Reporter:
    """Called after each picture; tells the listener, if there is one, once a percent."""

    def __init__(self, make: Make, quality: str, listener: Progress | None):
        self.listener, self.stage, self.last = listener, None, -1
        self.total = rehearse(make, quality).frames if listener else 0

    def __call__(self) -> None:
        if self.listener and self.stage:
            share = min(self.stage.frames / self.total, 1.0)
            if int(100 * share) > self.last:
                self.last = int(100 * share)
                self.listener(len(self.stage.beats) + 1, share)


def _png(picture: np.ndarray, tags: dict[str, str]) -> bytes:
    info = PngInfo()
    for key, value in tags.items():
        info.add_itxt(key, value)
    data = io.BytesIO()
    Image.fromarray(picture).convert("RGB").save(data, "png", pnginfo=info)
    return data.getvalue()
