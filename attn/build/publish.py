"""What making any asset takes: the choices in force while it is drawn, and the JSON beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from attn import __version__
from attn.build.settings import Settings
from attn.picture import fonts, palette
from attn.picture.richtext import as_data
from attn.texts.phrases import Texts


@contextmanager
def chosen(settings: Settings) -> Iterator[None]:
    """Puts the theme and the fonts that were chosen in force for the block."""
    with palette.themed(settings.theme), fonts.using(settings.font_files):
        yield


def record(name: str, texts: Texts, weights: str, values: list[dict], **more) -> dict:
    """What the JSON beside an asset holds: its texts, the digest of the weights' content it shows, every number."""
    told = {"name": name, "title": texts.title, "does": as_data(texts.told), "stage": texts.stage,
            "caption": texts.caption, "alt": texts.alt}  # fmt: skip
    return {"format": "attn-asset/1", "version": __version__, **told, "weights": weights, **more, "values": values}


def sidecar(content: dict) -> bytes:
    """A record as JSON."""
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
