"""Several clips in one film, or a film in pieces: packets as they are, neither drawn nor encoded again.

The clips come from scenes._kit.encoder and scenes._kit.formats: each begins with a key frame, no frame refers to a
later one, and all have the same parameters, so that a decoder does not notice where one ends. Chapters are written both
ways that players read: as a text track (QuickTime) and as a list (VLC and most others).
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import av

from scenes._kit.captions import JOINER, Cue, srt, vtt
from scenes._kit.files import clocked, open_film, png, step

_TIMES = re.compile(r"(\d+):(\d\d):(\d\d),(\d{3}) --> (\d+):(\d\d):(\d\d),(\d{3})")


@dataclass(frozen=True)
class Chapter:
    """A clip's place in the film, in frames; `end` is the first frame of the next."""

    title: str
    start: int
    end: int


def join(
    clips: Sequence[dict[str, bytes]], titles: Sequence[str], title: str, comment: str, formats: Sequence[str]
) -> tuple[dict[str, bytes], list[dict]]:
    """The files of the film by extension, and its chapters as {title, start}, in seconds.

    clips: each one's files by extension: `formats`, srt, png. The poster is the last one's.
    Raises ValueError for clips that do not fit together.
    """
    texts = [clip["srt"].decode() for clip in clips]
    edges = list(accumulate((_end(text) for text in texts), initial=0.0))
    files = {}
    for extension in formats:
        films = [clip[extension] for clip in clips]
        chapters, fps = _chapters(films, titles)
        files[extension] = _joined(films, chapters, fps, {"title": title, "comment": comment}, extension)
        edges = [frame / fps for frame in (0, *(chapter.end for chapter in chapters))]
    cues = _shifted(texts, edges)
    files |= {"srt": srt(cues).encode(), "vtt": vtt(cues).encode(), "png": png(clips[-1]["png"], title, comment)}
    return files, [{"title": text, "start": round(start, 3)} for text, start in zip(titles, edges, strict=False)]


def _chapters(films: Sequence[bytes], titles: Sequence[str]) -> tuple[list[Chapter], int]:
    """Where each clip stands, and how many frames a second has."""
    chapters, now, rates = [], 0, set()
    for film, title in zip(films, titles, strict=True):
        with av.open(io.BytesIO(film)) as container:
            rates.add(round(container.streams.video[0].average_rate))
            length = sum(1 for packet in container.demux(video=0) if packet.size)
        chapters.append(Chapter(title, now, now + length))
        now += length
    if len(rates) != 1:
        raise ValueError(f"clips of several frame rates cannot be joined: {sorted(rates)} frames a second")
    return chapters, rates.pop()


def _joined(
    films: Sequence[bytes], chapters: Sequence[Chapter], fps: int, metadata: dict[str, str], extension: str
) -> bytes:
    with av.open(io.BytesIO(films[0])) as first:
        template = first.streams.video[0]
        packets = _packets(films, template.codec_context)
        return _written(template, packets, chapters, fps, metadata, extension)


def _written(
    template: av.VideoStream,
    packets: Iterable[av.Packet],
    chapters: Sequence[Chapter],
    fps: int,
    metadata: Mapping[str, str],
    extension: str,
) -> bytes:
    """A film of packets as they are, one a frame."""
    with TemporaryDirectory(prefix="attn-film-") as folder:
        path = Path(folder) / f"film.{extension}"
        with open_film(path, metadata) as container:
            seconds, frames = Fraction(1, fps), step(extension, fps)
            container.set_chapters(
                [
                    {"id": k, "start": c.start, "end": c.end, "time_base": seconds, "metadata": {"title": c.title}}
                    for k, c in enumerate(chapters, start=1)
                ]
            )
            stream = container.add_stream_from_template(template)
            stream.time_base = frames
            for number, packet in enumerate(packets):
                packet.stream, packet.time_base = stream, frames
                packet.pts = packet.dts = number
                packet.duration = 1
                container.mux(packet)
        return clocked(path.read_bytes(), extension, fps)


def cut(film: Path, starts: Sequence[float]) -> list[bytes]:
    """The pieces of a film, each from one of `starts` (seconds, in order) to the next, the last one to the end.

    Nothing is encoded again. Raises ValueError where one does not start at a key frame.
    """
    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        packets, fps = [packet for packet in container.demux(stream) if packet.size], round(stream.average_rate)
        edges = [*(round(fps * start) for start in starts), len(packets)]
        if not all(packets[edge].is_keyframe for edge in edges[:-1]):
            raise ValueError(f"{film} has no key frame at some of {list(starts)} seconds")
        tags = {key: value for key, value in container.metadata.items() if key in ("title", "comment")}
        pieces = (packets[start:end] for start, end in pairwise(edges))
        return [_written(stream, piece, (), fps, tags, film.suffix[1:]) for piece in pieces]


def _packets(films: Sequence[bytes], like) -> Iterator[av.Packet]:
    """All packets of `films` in order; each film has the parameters of `like`."""
    for film in films:
        with av.open(io.BytesIO(film)) as container:
            context = container.streams.video[0].codec_context
            for name in ("name", "width", "height", "pix_fmt", "profile", "extradata"):
                if getattr(context, name) != getattr(like, name):
                    raise ValueError(f"clips that differ in {name} cannot be joined")
            yield from (packet for packet in container.demux(video=0) if packet.size)


def _shifted(texts: Sequence[str], edges: Sequence[float]) -> list[Cue]:
    """The cues of several .srt, each moved on to its clip's start; `edges` are the starts in seconds, and the end."""
    edges = [round(1000 * edge) for edge in edges]
    found: list[Cue] = []
    for text, start, end in zip(texts, edges, edges[1:], strict=False):
        for block in filter(None, text.split("\n\n")):
            _, times, *lines = block.strip("\n").split("\n")
            a, b = (start + moment for moment in _milliseconds(times))
            last = found[-1].end if found else 0
            found.append(Cue(max(a, last), min(b, end), tuple(line.replace(JOINER, "") for line in lines)))
    return found


def _end(text: str) -> float:
    """When the captions of a clip, and so the clip, end: seconds, to the millisecond."""
    return _milliseconds(text.strip("\n").split("\n\n")[-1].split("\n")[1])[1] / 1000


def _milliseconds(times: str) -> tuple[int, int]:
    numbers = list(map(int, _TIMES.fullmatch(times).groups()))
    first, second = (((h * 60 + m) * 60 + s) * 1000 + ms for h, m, s, ms in (numbers[:4], numbers[4:]))
    return first, second
