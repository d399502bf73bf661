"""From a scene to a film: plays it, its pictures going straight into the encoder; no files in between.

film = shoot(partial(Step7Context, trace), "high", "title", "0.1.0")
stage = rehearse(partial(Step7Context, trace))     # plays without drawing: beats, texts and positions, in no time
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from scenes._kit.captions import Told, cues, srt, told, vtt
from scenes._kit.encoder import Encoder
from scenes._kit.files import png
from scenes._kit.formats import Gif, Webm
from scenes._kit.mov import Mov
from scenes._kit.past import keep
from scenes._kit.renderer import Renderer, settings
from scenes._kit.stage import Stage

QUALITY = {  # width, height, frames a second
    "low": (854, 480, 30),
    "medium": (1280, 720, 30),
    "high": (1920, 1080, 60),
    "4k": (3840, 2160, 60),
}
WRITERS = {"mp4": Encoder, "webm": Webm, "gif": Gif, "mov": Mov}
GIF_WIDTH = 960
USUAL = 27.0  # seconds, of a film: how long one is, is known only when it has been played
UNKNOWN = "0" * 64  # stands in the film where the digest goes, which is known only when all is drawn

Make = Callable[..., Stage]  # called with renderer=
Progress = Callable[[int, float], None]  # the beat that is playing, from 1, and how much of the film is done, 0 to 1


class NothingPlayed(Exception):
    """A scene without a beat."""


@dataclass(frozen=True)
class Film:
    """A film that was played: what the scene left behind, and the files by extension."""

    stage: Stage
    files: dict[str, bytes]  # the formats, srt, vtt, png
    fps: int

    @property
    def told(self) -> list[Told]:
        """Its captions, each with its frames."""
        return told(self.stage.beats, self.stage.frames)


def rehearse(make: Make, quality: str = "low", poster: bool = False) -> Stage:
    """Plays the scene without drawing, but for its poster if that is wanted: every animation jumps to its end.

    Times are the film's at that quality.
    """
    with settings(*QUALITY[quality]):
        stage = make(renderer=Renderer(draws=poster))
        stage.render()
    return stage


def shoot(
    make: Make,
    quality: str,
    title: str,
    version: str,
    digest: Callable[[], str] = lambda: UNKNOWN,
    formats: Sequence[str] = ("mp4",),
    progress: Progress | None = None,
) -> Film:
    """Plays and films the scene that `make` makes, once for each format.

    `digest` is asked for the weights' sha256 when all is drawn.
    """
    tags = {"title": title, "comment": f"attn {version}, weights sha256 {UNKNOWN}"}
    stage, movies = None, {}
    for number, extension in enumerate(formats):
        report = _Reporter(progress, number, len(formats))
        played, movies[extension] = _take(make, extension, quality, tags, report)
        if extension in ("mp4", "webm"):  # which show the scene as it is
            stage = played
    if stage is None:
        stage = rehearse(make, quality, poster=True)
    if progress:
        progress(len(stage.beats), 1.0)
    poster = stage.poster_picture if stage.poster_picture is not None else stage.renderer.picture(stage)
    fps = QUALITY[quality][2]
    captions = cues(stage.beats, stage.frames, fps)
    weights = digest()
    files = {extension: movie.replace(UNKNOWN.encode(), weights.encode(), 1) for extension, movie in movies.items()}
    files |= {
        "srt": srt(captions).encode(),
        "vtt": vtt(captions).encode(),
        "png": png(poster, title, tags["comment"].replace(UNKNOWN, weights)),
    }
    return Film(stage, files, fps)


def _take(make: Make, extension: str, quality: str, tags: dict[str, str], report: _Reporter) -> tuple[Stage, bytes]:
    """The scene as played for one format, and the film."""
    size = _size(extension, quality)
    with TemporaryDirectory(prefix="attn-film-") as folder, settings(*size, transparent=extension == "mov"):
        path = Path(folder) / f"film.{extension}"
        with WRITERS[extension](path, *size, tags) as writer:
            stage = make(renderer=Renderer(writer, report))
            report.stage = stage
            stage.render()
            if not stage.frames:
                raise NothingPlayed
        keep(stage)
        return stage, path.read_bytes()


def _size(extension: str, quality: str) -> tuple[int, int, int]:
    """Width, height and frames a second. A GIF counts time in hundredths of a second, and is small."""
    width, height, fps = QUALITY[quality]
    if extension != "gif":
        return width, height, fps
    return min(width, GIF_WIDTH), min(height, GIF_WIDTH * 9 // 16), 25 if fps <= 30 else 50


class _Reporter:
    """Called after each picture; tells the listener, if there is one, once a percent."""

    def __init__(self, listener: Progress | None, take: int, takes: int):
        self.listener, self.take, self.takes = listener, take, takes
        self.stage, self.last = None, -1

    def __call__(self) -> None:
        if self.listener and self.stage:
            done = min(self.stage.frames / self.stage.camera.frame_rate / USUAL, 0.99)
            share = (self.take + done) / self.takes
            if int(100 * share) > self.last:
                self.last = int(100 * share)
                self.listener(len(self.stage.beats) + 1, share)
