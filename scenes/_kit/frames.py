"""Single pictures out of a film."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import av

WIDTH = 640  # pixels: a third of a page at 300 dpi
QUALITY = 90  # of JPEG


def frames(film: Path, ends: Sequence[float]) -> list[bytes]:
    """The last picture before each of `ends` (seconds, in order), small, as JPEG."""
    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        found = []
        for end in ends:
            last = end - 0.5 / float(stream.average_rate)
            container.seek(round(last / stream.time_base), stream=stream)  # to the key frame before it
            shown = None
            for frame in container.decode(stream):
                if shown is not None and frame.time > last:
                    break
                shown = frame
            found.append(_jpeg(shown))
        return found


def _jpeg(frame: av.VideoFrame) -> bytes:
    data, image = io.BytesIO(), frame.to_image(width=WIDTH, height=round(WIDTH * frame.height / frame.width))
    image.save(data, "JPEG", quality=QUALITY)
    return data.getvalue()
