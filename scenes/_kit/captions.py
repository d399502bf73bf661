"""The pace of a film and its captions: how long a beat rests, what .srt and .vtt say, and when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

WORDS_A_SECOND = 2.5  # read from the picture
CHARACTERS_A_SECOND = 16.5  # read from a caption; 17 is the limit, the rest is for rounding to frames and milliseconds
SHORTEST_REST = 1.0  # seconds
SHORTEST_MOTION, LONGEST_MOTION = 0.7, 2.0  # seconds
LINE, LINES = 42, 2  # characters in a line, lines in a caption

JOINER = "\N{WORD JOINER}"  # has no width and no shape
_MARK = re.compile(r"<(?=[/A-Za-z])|\{(?=\\)")  # <b> and {\an8} are no part of SubRip, but players heed them
_WORD = re.compile(r"\S*[^\W\d_]\S*[^\W\d_]\S*")  # numbers and single letters are seen, not read


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


def count_words(texts: Iterable[str]) -> int:
    """How many words there are to read in `texts`."""
    return sum(len(_WORD.findall(text)) for text in texts)


def rest(words: int, caption: str | None, motion: float) -> float:
    """How many seconds a beat rests after moving for `motion` seconds.

    Long enough to read `words` new words in the picture, and the caption in the whole beat; at least SHORTEST_REST.
    """
    characters = len(" ".join((caption or "").split()))
    return max(SHORTEST_REST, words / WORDS_A_SECOND, characters / CHARACTERS_A_SECOND - motion)


def cues(beats: Sequence[Beat], frames: int, fps: int) -> list[Cue]:
    """The captions of a film of `frames` frames: in order, each until the next one comes, the last to the end.

    A caption that needs more than LINES lines becomes several cues that share its time by their length.
    """
    captioned = [beat for beat in beats if beat.caption and beat.caption.split()]
    ends = [*(beat.start for beat in captioned[1:]), frames]
    found = []
    for beat, end in zip(captioned, ends, strict=False):
        texts = split(beat.caption)
        lengths = [sum(map(len, lines)) + len(lines) - 1 for lines in texts]
        start, length = 1000 * beat.start / fps, 1000 * (end - beat.start) / fps
        edges = [round(start + length * sum(lengths[:k]) / sum(lengths)) for k in range(len(texts) + 1)]
        found += [Cue(a, b, lines) for a, b, lines in zip(edges, edges[1:], texts, strict=False)]
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
