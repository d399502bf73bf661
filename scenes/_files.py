"""What the files of films have in common, drawn or joined: containers, tags, posters."""

from __future__ import annotations

import io
from collections.abc import Mapping
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


def open_film(path: Path, metadata: Mapping[str, str]):
    """A container to write, of the format that the file's name ends in, with tags (title, comment, ...)."""
    extension = path.suffix[1:]
    container = av.open(str(path), "w", format=extension, options=OPTIONS[extension] | {"fflags": "+bitexact"})
    container.metadata.update(metadata)
    return container


def png(picture: np.ndarray | bytes, title: str, comment: str) -> bytes:
    """A poster: a picture (height x width x 3 or 4, uint8, or a PNG) as a PNG with its tags."""
    image = Image.open(io.BytesIO(picture)) if isinstance(picture, bytes) else Image.fromarray(picture)
    info = PngInfo()
    info.add_itxt("Title", title)
    info.add_itxt("Comment", comment)
    data = io.BytesIO()
    image.convert("RGB").save(data, "png", pnginfo=info)
    return data.getvalue()
