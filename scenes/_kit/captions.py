"""The pace of a film and its captions: how long a beat rests, what .srt and .vtt say, and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

SPOKEN = 130  # words a minute, read aloud by a lecturer: a beat lasts as long as its caption takes
CHARACTERS_A_SECOND = 14.5  # read from a caption; 15 is the limit, the rest is for rounding to frames and milliseconds
LONGEST_CUE = 7.0  # seconds; a caption that stays longer has been read
MOVING = 0.66  # the share of a beat in which something moves, at least, up to LONGEST_MOTION
SHORTEST_MOTION, LONGEST_MOTION = 0.7, 4.0  # seconds
SHORTEST_REST, LONGEST_REST = 0.6, 3.5  # seconds
LAST_REST = 2.05  # seconds, at least, at the end of a film
LINE, LINES = 42, 2  # characters in a line, lines in a caption

JOINER = "\N{WORD JOINER}"  # has no width and no shape
_MARK = re.compile(r"<(?=[/A-Za-z])|\{(?=\\)")  # <b> and {\an8} are no part of SubRip, but players heed them
_WORD = re.compile(r"\S*\w\S*")


@dataclass(frozen=True)
class Beat:
    """One idea of a film. Frames count from 0; `end` is the first frame of the next beat."""

    start: int
    end: int
    motion: int  # frames of it in which something moves
    caption: str | None  # None: the caption before stays


@dataclass(frozen=True)
class Cue:
    """One caption on the screen, in milliseconds."""

    start: int
    end: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """A caption and the frames for which it stands, over all beats that it speaks of."""

    start: int
    end: int
    caption: str


def count_words(text: str) -> int:
    """How many words there are to speak in `text`; a number is one."""
    return len(_WORD.findall(text))


def length(caption: str | None) -> float:
    """How many seconds it takes to speak a caption, or to read it where that takes longer."""
    text = " ".join((caption or "").split())
    return max(60 * count_words(text) / SPOKEN, len(text) / CHARACTERS_A_SECOND)


def told(beats: Sequence[Beat], frames: int) -> list[Told]:
    """The captions of a film of `frames` frames, in order, each until the next one comes, the last to the end."""
    captioned = [beat for beat in beats if beat.caption and beat.caption.split()]
    ends = [*(beat.start for beat in captioned[1:]), frames]
    return [Told(beat.start, end, beat.caption) for beat, end in zip(captioned, ends, strict=False)]


def cues(beats: Sequence[Beat], frames: int, fps: int) -> list[Cue]:
    """The captions of a film of `frames` frames, none of them for longer than LONGEST_CUE but the last.

    A caption that needs more than LINES lines becomes several cues that share its time by their length.
    """
    found, last = [], round(1000 * frames / fps)
    for one in told(beats, frames):
        texts = split(one.caption)
        lengths = [sum(map(len, lines)) + len(lines) - 1 for lines in texts]
        start, whole = 1000 * one.start / fps, 1000 * (one.end - one.start) / fps
        edges = [round(start + whole * sum(lengths[:k]) / sum(lengths)) for k in range(len(texts) + 1)]
        ends = [b if b == last else min(b, a + round(1000 * LONGEST_CUE)) for a, b in pairwise(edges)]
        found += [Cue(a, b, lines) for a, b, lines in zip(edges, ends, texts, strict=False)]
    return found


def split(caption: str) -> list[tuple[str, ...]]:
    """The caption as cues of at most LINES lines of at most LINE characters, as even as can be, as few as can be."""
    words = [word[i : i + LINE] for word in caption.split() for i in range(0, len(word), LINE)]
    count = 1
    while True:
        found = [_lines(piece) for piece in _even(words, count)]
        if all(len(lines) <= LINES and max(map(len, lines)) <= LINE for lines in found):
            return found
        count += 1


def _lines(words: Sequence[str]) -> tuple[str, ...]:
    text = " ".join(words)
    return tuple(" ".join(part) for part in _even(words, max(1, min(LINES, ceil(len(text) / LINE)))))


def _even(words: Sequence[str], count: int) -> list[list[str]]:
    """The words in order in at most `count` parts whose longest is as short as can be."""
    limit = max(len(" ".join(words)) // count, 1)
    while len(parts := _filled(words, limit)) > count:
        limit += 1
    return parts


def _filled(words: Sequence[str], limit: int) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if parts[-1] and len(" ".join([*parts[-1], word])) > limit:
            parts.append([])
        parts[-1].append(word)
    return parts


def srt(cues: Sequence[Cue]) -> str:
    """The captions as SubRip. It has no way to escape: what a player might take for a mark is parted, unseen."""
    blocks = [
        f"{number}\n{_clock(cue.start, ',')} --> {_clock(cue.end, ',')}\n" + "\n".join(map(_parted, cue.lines)) + "\n"
        for number, cue in enumerate(cues, start=1)
    ]
    return "\n".join(blocks)


def vtt(cues: Sequence[Cue]) -> str:
    """The captions as WebVTT."""
    blocks = [
        f"{_clock(cue.start, '.')} --> {_clock(cue.end, '.')}\n" + "\n".join(map(_escaped, cue.lines)) + "\n"
        for cue in cues
    ]
    return "\n".join(["WEBVTT\n", *blocks])


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _parted(text: str) -> str:
    return _MARK.sub(f"\\g<0>{JOINER}", text)


def _clock(milliseconds: int, mark: str) -> str:
    seconds, thousandths = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{mark}{thousandths:03}"
