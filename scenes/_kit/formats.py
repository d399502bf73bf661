"""Films in other formats than MP4: WebM for browsers, GIF for pages that take nothing else (and scenes._kit.mov).

Each is a sink of pictures like scenes._kit.encoder.Encoder. Bytes depend on the pictures only: one thread each.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import count, islice
from pathlib import Path

import av
import numpy as np
from av.video.frame import PictureType

from scenes._kit.encoder import KEYFRAME_SECONDS, Picture, Writer, tag_colours
from scenes._kit.files import clocked, open_film, step

VP9 = {  # one quality throughout, no frame looks ahead (clips join without a shift in time)
    "deadline": "realtime",
    "cpu-used": "6",
    "crf": "20",
    "b": "0",
    "lag-in-frames": "0",
    "auto-alt-ref": "0",
    "row-mt": "0",
    "tune-content": "screen",
}
COLOURS = 255  # of a GIF; the last of 256 says "as before"
CENTISECONDS = 100  # a GIF's clock


class Webm(Writer):
    """Writes VP9, yuv420p, BT.709, at a constant frame rate, to `path`."""

    def __init__(self, path: Path, width: int, height: int, fps: int, metadata: Mapping[str, str] | None = None):
        self._path, self._fps, self._step = path, fps, step("webm", fps)
        self._container = open_film(path, metadata or {})
        self._stream = self._container.add_stream("libvpx-vp9", rate=fps, options=VP9)
        self._stream.width, self._stream.height, self._stream.pix_fmt = width, height, "yuv420p"
        self._stream.bit_rate = 0
        context = self._stream.codec_context
        context.thread_count, context.gop_size = 1, KEYFRAME_SECONDS * fps
        context.time_base = self._step
        tag_colours(context)
        self._picture = Picture(width, height)
        super().__init__(width, height)

    def _paint(self, parts) -> None:
        self._picture.paint(parts)

    def _encode(self, first: int, frames: int) -> None:
        frame = self._picture.frame
        for number in range(first, first + frames):
            frame.pts, frame.time_base = number, self._step
            frame.pict_type = PictureType.I if number in self._keys else PictureType.NONE
            self._mux(self._stream.encode(frame))

    def _mux(self, packets: Sequence[av.Packet]) -> None:
        for packet in packets:
            packet.duration = 1
            self._container.mux(packet)

    def _finish(self) -> None:
        self._mux(self._stream.encode(None))
        self._container.close()
        self._path.write_bytes(clocked(self._path.read_bytes(), "webm", self._fps))

    def _close(self) -> None:
        self._container.close()


class Gif(Writer):
    """Writes a GIF to `path`: one palette for the whole film, no dithering, only what changed, at a constant rate.

    fps must divide 100. The pictures are kept (packed) until the end, when all colours are known.
    """

    def __init__(self, path: Path, width: int, height: int, fps: int, metadata: Mapping[str, str] | None = None):
        if CENTISECONDS % fps:
            raise ValueError(f"a GIF's frames take whole hundredths of a second; {fps} do not divide {CENTISECONDS}")
        self._path, self._delay, self._comment = path, CENTISECONDS // fps, (metadata or {}).get("comment", "")
        self._pictures: list[tuple[list, int]] = []  # (what changed in it, how many frames it stays)
        self._fresh: list = []
        self._seen: dict[int, int] = {}  # colours, and how often each was painted
        super().__init__(width, height)

    def _paint(self, parts) -> None:
        for box, wide, pixels in parts:
            colours = packed(inside(box, wide, pixels))
            found, counts = np.unique(colours, return_counts=True)
            for colour, times in zip(found.tolist(), counts.tolist(), strict=True):
                self._seen[colour] = self._seen.get(colour, 0) + times
            self._fresh.append((box, zlib.compress(colours.tobytes(), 1)))

    def _encode(self, first: int, frames: int) -> None:
        self._pictures.append((self._fresh, frames))
        self._fresh = []

    def _finish(self) -> None:
        known = np.array(sorted(self._seen), np.uint32)
        colours = palette(known, np.array([self._seen[colour] for colour in known.tolist()]))
        nearest = _nearest(known, colours)
        canvas = np.zeros((self.height, self.width), np.uint8)
        options = {"loop": "0", "final_delay": str(self._delay)}
        with av.open(str(self._path), "w", format="gif", options=options) as container:
            stream = container.add_stream("gif", rate=CENTISECONDS)
            stream.width, stream.height, stream.pix_fmt = self.width, self.height, "pal8"
            stream.time_base = stream.codec_context.time_base = Fraction(1, CENTISECONDS)
            now = count(step=self._delay)
            for boxes, frames in self._pictures:
                for box, data in boxes:
                    left, top, right, bottom = box
                    part = np.frombuffer(zlib.decompress(data), np.uint32).reshape(bottom - top, right - left)
                    put(canvas, box, nearest[np.searchsorted(known, part)])
                frame = av.VideoFrame.from_ndarray((canvas, _argb(colours)), format="pal8")
                for frame.pts in islice(now, frames):
                    frame.time_base = stream.time_base
                    container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        self._path.write_bytes(commented(self._path.read_bytes(), self._comment))


def inside(box, wide, pixels: np.ndarray) -> np.ndarray:
    """What `scenes._kit.encoder.cut` cut out, without its margin."""
    left, top, right, bottom = box
    return pixels[top - wide[1] : bottom - wide[1], left - wide[0] : right - wide[0]]


def put(canvas: np.ndarray, box, pixels: np.ndarray) -> None:
    """Puts pixels into their box."""
    left, top, right, bottom = box
    canvas[top:bottom, left:right] = pixels


def packed(pixels: np.ndarray) -> np.ndarray:
    """RGBA (m x n x 4, uint8) as one number a pixel, 0xRRGGBB."""
    red, green, blue = (pixels[..., k].astype(np.uint32) for k in range(3))
    return red << 16 | green << 8 | blue


def _rgb(colours: np.ndarray) -> np.ndarray:
    return np.stack([colours >> 16 & 255, colours >> 8 & 255, colours & 255], axis=-1).astype(np.int64)


def palette(colours: np.ndarray, counts: np.ndarray, size: int = COLOURS) -> np.ndarray:
    """The at most `size` of `colours` (0xRRGGBB) that serve best in place of all: what is frequent stays exact.

    One after the other, always the colour whose stand-in so far is worst (squared distance, times the root of how
    often it was painted).
    """
    rgb, weight = _rgb(colours), np.sqrt(counts)
    chosen = [int(np.argmax(counts))]
    distance = ((rgb - rgb[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < min(size, len(colours)):
        worst = int(np.argmax(distance * weight))
        chosen.append(worst)
        distance = np.minimum(distance, ((rgb - rgb[worst]) ** 2).sum(axis=1))
    return colours[chosen]


def _nearest(known: np.ndarray, colours: np.ndarray) -> np.ndarray:
    """For each known colour the place of the nearest one in the palette."""
    targets = _rgb(colours)
    places = [np.argmin(((targets - rgb) ** 2).sum(axis=1)) for rgb in _rgb(known)]
    return np.array(places, np.uint8)


def _argb(colours: np.ndarray) -> np.ndarray:
    """The palette as 256 x 4 bytes (alpha, red, green, blue); what is left over is see-through."""
    table = np.zeros((256, 4), np.uint8)
    table[: len(colours), 0] = 255
    table[: len(colours), 1:] = _rgb(colours)
    return table


def commented(gif: bytes, text: str) -> bytes:
    """The GIF with a comment behind its global palette (GIF89a, 24)."""
    data = text.encode()[:255]
    start = 13 + (3 << (gif[10] & 7) + 1 if gif[10] & 128 else 0)
    return gif[:start] + b"\x21\xfe" + bytes([len(data)]) + data + b"\0" + gif[start:] if data else gif
