"""What there is to tell, in order: each step with its film and its figure, read from what was made."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from attn.build.assets import Asset, in_order
from attn.build.output import Output

_CUE = re.compile(r"(?:(\d+):)?(\d\d):(\d\d\.\d{3}) --> (?:(\d+):)?(\d\d):(\d\d\.\d{3})[^\n]*\n(.*?)(?:\n\n|\Z)", re.S)


MOMENT = 0.001  # seconds, to which the times of beats are given


@dataclass(frozen=True)
class Made:
    """A figure or a film that was made: its record and its files."""

    asset: Asset
    record: dict  # the content of its NAME.json
    files: dict[str, Path] = field(repr=False)  # by extension

    @property
    def caption(self) -> str:
        """Its caption."""
        return self.record["caption"]

    @property
    def alt(self) -> str:
        """Its text for people who cannot see it."""
        return self.record["alt"]

    def cues(self) -> list[tuple[float, float, str]]:
        """A film's captions: start, end (seconds), text."""
        return cues(self.files["vtt"].read_text("utf-8"))

    def beats(self) -> list[tuple[float, float, str]]:
        """A film's beats, each until the next: start, end (seconds), what is seen."""
        return [(one["start"], one["end"], one["seen"]) for one in self.record["beats"]]

    def stills(self, moments: Iterable[float], width: int | None = None) -> list[bytes]:
        """What a film shows at some moments (seconds), as JPEG, as wide as the film or `width` pixels."""
        from scenes._kit.frames import frames

        return frames(self.files["mp4"], list(moments), width)


@dataclass(frozen=True)
class Chapter:
    """One step, or another picture: a figure, a film, or both of the same name."""

    name: str
    figure: Made | None
    film: Made | None

    @property
    def main(self) -> Made:
        """Which of both says what the chapter is about."""
        return self.figure or self.film

    @property
    def title(self) -> str:
        return self.main.record["title"]

    @property
    def subject(self) -> str:
        """What it is drawn from (attn.build.subjects)."""
        return self.main.asset.subject

    @property
    def anchor(self) -> str:
        """What a link to it is called: step4, or its whole name."""
        found = re.match(r"step\d+", self.name)
        return found[0] if found else self.name

    @property
    def values(self) -> list[dict]:
        """Every number that is shown, each once: its text and its path in the trace."""
        values = (value for made in (self.figure, self.film) if made for value in made.record["values"])
        return list({(value["path"], value["text"]): value for value in values}.values())


def chapters(output: Output, without: Collection[Asset] = ()) -> list[Chapter]:
    """All that was made, in the order in which one tells of it; `without` what could not be made, whatever is there."""
    assets = [asset for asset in in_order("figures", "videos") if asset not in without]
    made = {asset: found for asset in assets if (found := _made(output, asset))}
    names = dict.fromkeys(asset.name for asset in made)
    return [Chapter(name, *(made.get(Asset(kind, name)) for kind in ("figures", "videos"))) for name in names]


def by_subject(told: list[Chapter]) -> dict[str, list[Chapter]]:
    """Chapters that tell of the same thing."""
    return {subject: list(group) for subject, group in groupby(told, lambda chapter: chapter.subject)}


def cues(vtt: str) -> list[tuple[float, float, str]]:
    """The cues of a WebVTT file: start, end (seconds), text with its line ends as blanks."""
    found = []
    for h, m, s, end_h, end_m, end_s, text in _CUE.findall(vtt):
        start, end = (3600 * int(a or 0) + 60 * int(b) + float(c) for a, b, c in ((h, m, s), (end_h, end_m, end_s)))
        found.append((start, end, " ".join(html.unescape(text).split())))
    return found


def _made(output: Output, asset: Asset) -> Made | None:
    files = {path.suffix[1:]: path for path in output.files(asset)}
    if "json" not in files:
        return None
    return Made(asset, json.loads(files["json"].read_bytes()), files)
