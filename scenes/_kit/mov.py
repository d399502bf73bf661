"""Films to lay over other pictures: ProRes 4444 with a transparent ground, in a .mov.

Alpha is how much of a pixel its ink covers, colour is the ink's own, so that its edges are right on any ground. A frame
stands for itself and is large. The film's index names each, at a constant rate, but of a picture that rests they all
lie in the same place.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.video.reformatter import VideoReformatter

from scenes._kit.encoder import Writer, converted, tag_colours
from scenes._kit.files import open_film
from scenes._kit.formats import inside, put

PRORES = {  # near the finest quantizer throughout: a picture takes about half a megabyte at 1920 x 1080
    "profile": "4444",
    "alpha_bits": "16",
    "vendor": "apl0",
    "flags": "+qscale",
    "global_quality": str(2 * 118),
}
NESTED = (b"moov", b"trak", b"mdia", b"minf", b"stbl")  # the boxes that the index lies in


class Mov(Writer):
    """Writes ProRes 4444 with straight alpha, BT.709, to `path`; takes pictures with a transparent ground."""

    def __init__(self, path: Path, width: int, height: int, fps: int, metadata: Mapping[str, str] | None = None):
        self._path, self._fps = path, fps
        self._container = open_film(path, metadata or {})
        self._stream = self._container.add_stream("prores_ks", rate=fps, options=PRORES)
        self._stream.width, self._stream.height, self._stream.pix_fmt = width, height, "yuva444p10le"
        self._stream.codec_context.thread_count = 1
        tag_colours(self._stream.codec_context)
        self._canvas = np.zeros((height, width, 4), np.uint8)
        self._reformatter = VideoReformatter()
        self._pictures: list[tuple[int, int]] = []  # of each that is in the film, its size in bytes and its frames
        self._packet: av.Packet | None = None  # the picture as it is, which grows longer until it changes
        self._fresh = True
        super().__init__(width, height)

    def _paint(self, parts) -> None:
        for box, wide, pixels in parts:
            put(self._canvas, box, straight(inside(box, wide, pixels)))
        self._fresh = True

    def _encode(self, first: int, frames: int) -> None:
        if self._fresh:
            self._mux()
            frame = converted(self._canvas, "yuva444p10le", self._reformatter)
            frame.pts, frame.time_base = first, Fraction(1, self._fps)
            (self._packet,) = self._stream.encode(frame)
            self._packet.duration, self._fresh = 0, False
        self._packet.duration += frames

    def _mux(self) -> None:
        if self._packet is not None:
            self._pictures.append((self._packet.size, self._packet.duration))
            self._container.mux(self._packet)

    def _finish(self) -> None:
        self._mux()
        self._container.close()
        ticks = int(1 / (self._fps * self._stream.time_base))
        self._path.write_bytes(indexed(self._path.read_bytes(), np.array(self._pictures), ticks))

    def _close(self) -> None:
        self._container.close()


def straight(pixels: np.ndarray) -> np.ndarray:
    """Colours as they are, from colours that were multiplied by their alpha (as cairo keeps them)."""
    alpha = pixels[..., 3:].astype(np.uint16)
    colours = (pixels[..., :3].astype(np.uint16) * 255 + alpha // 2) // np.maximum(alpha, 1)
    return np.concatenate([np.minimum(colours, 255), alpha], axis=-1).astype(np.uint8)


def indexed(film: bytes, pictures: np.ndarray, ticks: int) -> bytes:
    """A .mov of one track that holds each picture once, with an index of every frame; each takes `ticks`.

    pictures: m x 2, each one's size in bytes and its frames; they lie in the film one behind the other.
    """
    places = {kind: (start, end) for kind, start, end in _boxes(film, 0, len(film))}
    (moov, end), (data, _) = places[b"moov"], places[b"mdat"]
    sizes, frames = pictures.T
    starts = np.repeat(data + np.cumsum(sizes) - sizes, frames)
    sizes, count = np.repeat(sizes, frames), frames.sum()

    def index(shift: int) -> bytes:
        """The index for pictures that have moved on by `shift` bytes."""
        tables = {
            b"stts": struct.pack(">4I", 0, 1, count, ticks),
            b"stsz": struct.pack(">3I", 0, 0, count) + sizes.astype(">u4").tobytes(),
            b"stsc": struct.pack(">5I", 0, 1, 1, 1, 1),  # each frame by itself
            b"co64": struct.pack(">2I", 0, count) + (starts + shift).astype(">u8").tobytes(),
        }
        return _with(film[moov - 8 : end], tables)

    return film[: moov - 8] + index(len(index(0)) - (end - moov + 8)) + film[end:]


def _with(box: bytes, tables: Mapping[bytes, bytes]) -> bytes:
    """Boxes with other tables in them."""
    made = []
    for kind, start, end in _boxes(box, 0, len(box)):
        kind = {b"stco": b"co64"}.get(kind, kind)
        body = _with(box[start:end], tables) if kind in NESTED else tables.get(kind, box[start:end])
        made.append(struct.pack(">I", 8 + len(body)) + kind + body)
    return b"".join(made)


def _boxes(data: bytes, at: int, stop: int) -> Iterator[tuple[bytes, int, int]]:
    """The kind of each box, where its content starts and where it ends."""
    while at < stop:
        size, kind, head = *struct.unpack_from(">I4s", data, at), 8
        if size == 1:  # a large one
            size, head = struct.unpack_from(">Q", data, at + 8)[0], 16
        yield kind, at + head, at + size
        at += size
