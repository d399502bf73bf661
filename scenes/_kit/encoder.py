"""Pictures in, an MP4 out: H.264 High, yuv420p, BT.709, constant frame rate, index in front, no audio.

One picture is kept in YUV. `show` repaints the parts of it that changed, `hold` puts it into the film once or many
times; while it rests, frames cost next to nothing (scenes._kit.still). The work is done by a thread of its own behind a
short queue; PyAV releases the interpreter's lock, so drawing goes on meanwhile.

The bytes depend on the pictures only: x264 runs with one thread (its choices depend on the number), colours are
converted with exact rounding (not with the processor's favourite), and the muxer writes neither time nor version.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from queue import Queue
from threading import Thread

import av
import numpy as np
from av.video.frame import PictureType
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter

from scenes._kit.files import open_film
from scenes._kit.still import Still

BT709 = 1  # the number of BT.709 in all three of H.264's tables: primaries, transfer, matrix
KEYFRAME_SECONDS = 4  # after so many at the latest comes another, for players to seek to; resting, it costs little
# Flat graphics need none of x264's searching: what moves is repainted, and nearly all the rest stands still. High
# profile's tools are on; no frame looks ahead (bframes=0: clips join without a shift in time); one thread; one
# quantizer throughout, at which text stays clean and a resting picture is settled at once (scenes._kit.still); small
# differences count, too, so that no shade keeps a trace of what moved over it (no-dct-decimate).
X264 = {
    "preset": "ultrafast",
    "profile": "high",
    "qp": "18",
    "forced-idr": "1",
    "x264-params": "threads=1:lookahead-threads=1:force-cfr=1:8x8dct=1:cabac=1:bframes=0:scenecut=0:keyint=infinite:"
    "no-dct-decimate=1",
}
EXACT = Interpolation.BICUBIC | Interpolation.ACCURATE_RND | Interpolation.BITEXACT | Interpolation.FULL_CHR_H_INP
QUEUE = 8  # messages; at 1920x1080 a whole picture is 8 MB
MARGIN = 16  # pixels around a box that the chroma filter may look at

Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels, all even; the last two are outside


class Writer:
    """A film that is written by a thread of its own: takes pictures, and leaves what becomes of them to its subclass.

    Use as a context manager, so that the file is finished or, on an error, left alone. width, height: in pixels. Errors
    in the thread are raised again by `show`, `hold` and on leaving the context.
    """

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self.frames = 0
        self._keys: set[int] = set()  # frames that must be key frames
        self._queue: Queue = Queue(QUEUE)
        self._error: BaseException | None = None
        self._thread = Thread(target=self._work, name="encoder", daemon=True)
        self._thread.start()

    def show(self, canvas: np.ndarray, boxes: list[Box] | None = None) -> None:
        """Takes over `canvas` (height x width x 4, RGBA, uint8), or what changed in it: `boxes`. Copies them."""
        parts = [cut(canvas, box) for box in (boxes if boxes is not None else [(0, 0, self.width, self.height)])]
        self._put(lambda: self._paint(parts))

    def hold(self, frames: int = 1) -> None:
        """Puts the picture as it is into the film, for `frames` frames."""
        first, self.frames = self.frames, self.frames + frames
        self._put(lambda: self._encode(first, frames))

    def cut(self) -> None:
        """The next frame becomes a key frame, so that the film can be cut there without encoding again."""
        self._keys.add(self.frames)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace) -> None:
        self._queue.put(None)
        self._thread.join()
        try:
            if kind is None and self._error is None:
                self._finish()
        finally:
            self._close()
        if kind is None and self._error is not None:
            raise self._error

    def _put(self, job) -> None:
        if self._error is not None:
            raise self._error
        self._queue.put(job)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            if self._error is None:
                try:
                    job()
                except BaseException as error:  # handed over to the drawing thread
                    self._error = error

    def _paint(self, parts) -> None:
        """Brings the kept picture up to date with what `cut` cut out."""
        raise NotImplementedError

    def _encode(self, first: int, frames: int) -> None:
        """Writes the kept picture as the frames from number `first` on."""
        raise NotImplementedError

    def _finish(self) -> None:
        """Writes what is still to be written, after the last picture."""

    def _close(self) -> None:
        """Closes the file."""


class Encoder(Writer):
    """Writes one MP4 to `path`.

    width, height: even, in pixels; fps: frames a second; metadata: MP4 tags (title, comment, ...), in this order.
    """

    def __init__(self, path: Path, width: int, height: int, fps: int, metadata: Mapping[str, str] | None = None):
        if width % 2 or height % 2:
            raise ValueError(f"a film's width and height are even numbers, not {width} x {height}")
        self.fps = fps
        self._container = open_film(path, metadata or {})
        self._stream = _stream(self._container, width, height, fps)
        self._picture = Picture(width, height)
        self._still = Still()
        self._key = 0  # the last key frame
        self._coded = 0  # frames that x264 coded; the others were repeated
        super().__init__(width, height)

    def _close(self) -> None:
        self._container.close()

    def _paint(self, parts) -> None:
        self._picture.paint(parts)
        self._still.changed()

    def _encode(self, first: int, frames: int) -> None:
        for number in range(first, first + frames):
            key = number in self._keys or (number - self._key) % (KEYFRAME_SECONDS * self.fps) == 0
            key |= number == first and frames > 1  # where it comes to rest, no trace is left of what faded
            self._key = number if key else self._key
            data = None if key else self._still.again()
            self._mux(number, key, self._code(key) if data is None else data)

    def _code(self, key: bool) -> bytes:
        """The picture, coded by x264, which sees only these and is told which are to be key frames."""
        frame = self._picture.frame
        frame.pts, self._coded = self._coded, self._coded + 1
        frame.pict_type = PictureType.I if key else PictureType.NONE
        (packet,) = self._stream.encode(frame)
        return self._still.coded(bytes(packet), key)

    def _mux(self, number: int, key: bool, data: bytes) -> None:
        packet = av.Packet(data)
        packet.stream, packet.time_base = self._stream, Fraction(1, self.fps)
        packet.pts = packet.dts = number
        packet.duration, packet.is_keyframe = 1, key
        self._container.mux(packet)


def _stream(container, width: int, height: int, fps: int):
    stream = container.add_stream("libx264", rate=fps, options=X264)
    stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
    stream.time_base = Fraction(1, fps)
    stream.codec_context.thread_count = 1
    stream.codec_context.time_base = Fraction(1, fps)
    tag_colours(stream.codec_context)
    return stream


def tag_colours(context) -> None:
    """Says that a codec's pictures are BT.709 in limited range."""
    context.color_primaries = context.color_trc = context.colorspace = BT709
    context.color_range = ColorRange.MPEG


def cut(canvas: np.ndarray, box: Box) -> tuple[Box, Box, np.ndarray]:
    """A copy of one box of the canvas with a margin for the chroma filter: box, its place with the margin, pixels."""
    height, width = canvas.shape[:2]
    left, top, right, bottom = box
    wide = (max(left - MARGIN, 0), max(top - MARGIN, 0), min(right + MARGIN, width), min(bottom + MARGIN, height))
    return box, wide, canvas[wide[1] : wide[3], wide[0] : wide[2]].copy()


class Picture:
    """One picture in YUV 4:2:0 that can be repainted in parts; the result is the same as converting it whole."""

    def __init__(self, width: int, height: int):
        self.frame = av.VideoFrame(width, height, "yuv420p")
        self._planes = [_view(plane) for plane in self.frame.planes]
        self._reformatter = VideoReformatter()

    def paint(self, parts: list[tuple[Box, Box, np.ndarray]]) -> None:
        """Converts what `cut` cut out and puts it in its place."""
        for box, wide, pixels in parts:
            planes = converted(pixels, "yuv420p", self._reformatter).planes
            for target, plane, size in zip(self._planes, planes, (1, 2, 2), strict=True):
                left, top, right, bottom = (edge // size for edge in box)
                x, y = wide[0] // size, wide[1] // size
                target[top:bottom, left:right] = _view(plane)[top - y : bottom - y, left - x : right - x]


def converted(pixels: np.ndarray, to: str, reformatter: VideoReformatter) -> av.VideoFrame:
    """RGBA (height x width x 4, uint8) as a frame in a YUV format: BT.709, limited range, exact rounding."""
    return reformatter.reformat(
        av.VideoFrame.from_numpy_buffer(pixels, format="rgba"),
        format=to,
        src_color_range=ColorRange.JPEG,
        dst_color_range=ColorRange.MPEG,
        dst_colorspace=Colorspace.ITU709,
        dst_color_primaries=BT709,
        dst_color_trc=BT709,
        interpolation=EXACT,
        threads=1,
    )


def _view(plane) -> np.ndarray:
    """The plane's samples, height x width, without the padding at the end of its lines; writing to it writes to it."""
    return np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)[:, : plane.width]
