"""Single pictures out of a film."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import av

QUALITY = 90  # of JPEG


def frames(film: Path, moments: Sequence[float], width: int | None = None) -> list[bytes]:
    """The picture that is seen at each of `moments` (seconds), as JPEG, as wide as the film or `width` pixels."""
    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        found = []
        for moment in moments:
            container.seek(round(moment / stream.time_base), stream=stream)  # to the key frame before it
            shown = None
            for frame in container.decode(stream):
                if shown is not None and frame.time > moment:
                    break
                shown = frame
            found.append(_jpeg(shown, width or shown.width))
        return found


def _jpeg(frame: av.VideoFrame, width: int) -> bytes:
    data, image = io.BytesIO(), frame.to_image(width=width, height=round(width * frame.height / frame.width))
    image.save(data, "JPEG", quality=QUALITY)
    return data.getvalue()
