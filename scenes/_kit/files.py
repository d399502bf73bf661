"""What the files of films have in common, drawn or joined: containers, tags, times, posters."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

# The index in front, so that a film plays while it is still being loaded; neither time nor version, nothing random.
OPTIONS = {
    "mp4": {"movflags": "+faststart"},
    "mov": {"movflags": "+faststart"},
    "webm": {"cues_to_front": "1", "write_crc32": "0"},
    "gif": {"loop": "0"},
}
WEBM_CLOCK = bytes.fromhex("2ad7b1 83")  # of a WebM: how long a tick is, in three bytes
MILLISECOND = 10**6  # nanoseconds, which is what ffmpeg writes there
WEBM_LENGTH = re.compile(rb"(?<=DURATION\x44\x87\x93)(\d\d):(\d\d):(\d\d)\.(\d{9})")


def open_film(path: Path, metadata: Mapping[str, str]):
    """A container to write, of the format that the file's name ends in, with tags (title, comment, ...)."""
    extension = path.suffix[1:]
    container = av.open(str(path), "w", format=extension, options=OPTIONS[extension] | {"fflags": "+bitexact"})
    container.metadata.update(metadata)
    return container


def step(extension: str, fps: int) -> Fraction:
    """What ffmpeg is told that a frame takes, in seconds, so that in the file all take equally long.

    A WebM counts milliseconds as it comes from ffmpeg, of which a frame takes no whole number. It is told of some all
    the same, and `clocked` sets right how long they are.
    """
    return Fraction(-(-(10**9) // (fps * 0xFFFFFF)), 1000) if extension == "webm" else Fraction(1, fps)


def clocked(film: bytes, extension: str, fps: int) -> bytes:
    """The film with a clock that says how long `step` really is."""
    if extension != "webm":
        return film
    tick = round(MILLISECOND / (fps * step(extension, fps)))

    def longer(found: re.Match) -> bytes:
        hours, minutes, seconds, rest = map(int, found.groups())
        length = (((hours * 60 + minutes) * 60 + seconds) * 10**9 + rest) * tick // MILLISECOND
        seconds, rest = divmod(length, 10**9)
        return b"%02d:%02d:%02d.%09d" % (seconds // 3600, seconds // 60 % 60, seconds % 60, rest)

    film = film.replace(WEBM_CLOCK + MILLISECOND.to_bytes(3), WEBM_CLOCK + tick.to_bytes(3), 1)
    return WEBM_LENGTH.sub(longer, film, count=1)


def png(picture: np.ndarray | bytes, title: str, comment: str) -> bytes:
    """A poster: a picture (height x width x 3 or 4, uint8, or a PNG) as a PNG with its tags."""
    image = Image.open(io.BytesIO(picture)) if isinstance(picture, bytes) else Image.fromarray(picture)
    info = PngInfo()
    info.add_itxt("Title", title)
    info.add_itxt("Comment", comment)
    data = io.BytesIO()
    image.convert("RGB").save(data, "png", pnginfo=info)
    return data.getvalue()
