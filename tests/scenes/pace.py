"""The pace of every film, measured on its frames: python -m tests.scenes.pace [NAME]... prints the table."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np

from attn.build.assets import assets, steps
from attn.build.film import scene_of
from attn.build.subjects import Subjects
from attn.core import weights
from attn.picture.drawn import picture
from scenes._kit.captions import Cue, cues
from scenes._kit.past import keep
from scenes._kit.render import QUALITY
from scenes._kit.renderer import Renderer, settings

SIZE = QUALITY["low"]
STILL = 12  # levels of 255; where no pixel of a frame has changed by more, the frame is still
WORD = re.compile(r"\S*\w\S*")


@dataclass(frozen=True)
class Pace:
    """What was measured of one film. moving: for each frame, whether it differs from the one before it."""

    moving: tuple[bool, ...]
    cues: tuple[Cue, ...]
    fps: int = SIZE[2]

    @property
    def seconds(self) -> float:
        return len(self.moving) / self.fps

    @property
    def motion(self) -> float:
        """The share of the film's time in which something moves."""
        return sum(self.moving) / len(self.moving)

    @property
    def stretches(self) -> list[float]:
        """How long it stands still each time, in seconds; the last one at its end, 0 if it ends in motion."""
        found = [len(list(run)) / self.fps for moves, run in groupby(self.moving) if not moves]
        return found if not self.moving[-1] else [*found, 0.0]

    @property
    def opening(self) -> float:
        """How long it takes until something moves."""
        return self.moving.index(True) / self.fps if any(self.moving) else self.seconds

    @property
    def characters(self) -> float:
        """Characters a second of the quickest cue."""
        return max(len("\n".join(cue.lines)) / _seconds(cue) for cue in self.cues)

    @property
    def words(self) -> float:
        """Words a minute over the whole film."""
        return 60 * sum(len(WORD.findall(" ".join(cue.lines))) for cue in self.cues) / self.seconds

    @property
    def shown(self) -> tuple[float, float]:
        """Seconds for which the shortest and the longest cue is shown."""
        return min(map(_seconds, self.cues)), max(map(_seconds, self.cues))

    @property
    def widest(self) -> int:
        """Characters of the longest line."""
        return max(len(line) for cue in self.cues for line in cue.lines)


def _seconds(cue: Cue) -> float:
    return (cue.end - cue.start) / 1000


class Difference:
    """A sink that keeps no picture but the last, and says of each frame whether it moved."""

    def __init__(self):
        self.moving: list[bool] = []
        self._now: np.ndarray | None = None
        self._moves = False

    def show(self, canvas: np.ndarray, boxes) -> None:
        if self._now is None:
            self._now = canvas.copy()
            return
        for left, top, right, bottom in boxes:
            old, new = (picture[top:bottom, left:right] for picture in (self._now, canvas))
            self._moves |= bool(np.abs(old.astype(np.int16) - new).max() > STILL)
            old[:] = new

    def cut(self) -> None:
        """Where beats begin makes no difference."""

    def hold(self, frames: int) -> None:
        self.moving += [self._moves, *[False] * (frames - 1)]
        self._moves = False


@cache
def pace(name: str, file: Path | None = None) -> Pace:
    """The pace of one film, of the shipped weights or of `file`."""
    sink = Difference()
    with settings(*SIZE):
        stage = scene_of(f"scenes.{name}")(_subject(name, file), renderer=Renderer(sink))
        stage.render()
    keep(stage)
    return Pace(tuple(sink.moving), tuple(cues(stage.beats, stage.frames, SIZE[2])))


@cache
def _subject(name: str, file: Path | None):
    (asset,) = (asset for asset in assets("videos") if asset.name == name)
    trace = picture(weights.load(file)) if file else None
    return trace if file else _shipped().of(asset)


@cache
def _shipped() -> Subjects:
    from attn.build.assets import ROOT

    return Subjects(picture(weights.load(ROOT / "attn" / "weights" / "you.toml")), ROOT / "output", lambda line: None)


def films() -> list[str]:
    """Every film that is played, those that go on from one another in their order."""
    row = [asset.name for asset in steps()]
    return [*row, *(asset.name for asset in assets("videos") if not asset.parts and asset.name not in row)]


def lines(names: list[str]) -> Iterator[str]:
    """The table."""
    heads = ("length", "motion", "opening", "longest still", "last still", "chars/s", "words/min", "cues, s", "line")
    yield "pace of the films".ljust(20) + "".join(head.rjust(15) for head in heads)
    for name in names:
        one = pace(name)
        *before, last = one.stretches
        values = (
            f"{one.seconds:.1f} s", f"{one.motion:.0%}", f"{one.opening:.1f} s", f"{max(before, default=0):.1f} s",
            f"{last:.1f} s", f"{one.characters:.1f}", f"{one.words:.0f}", "{:.1f} to {:.1f}".format(*one.shown),
            f"{one.widest}",
        )  # fmt: skip
        yield name.ljust(20) + "".join(value.rjust(15) for value in values)


if __name__ == "__main__":
    for row in lines(sys.argv[1:] or films()):
        print(row, flush=True)
