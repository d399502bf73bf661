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


def sidecar(name: str, texts: Texts, weights: str, values: list[dict], **more) -> bytes:
    """The JSON beside an asset: its texts, the digest of the weights' content it shows, and every number printed."""
    told = {"name": name, "title": texts.title, "does": as_data(texts.told), "stage": texts.stage,
            "caption": texts.caption, "alt": texts.alt}  # fmt: skip
    content = {"format": "attn-asset/1", "version": __version__, **told, "weights": weights, **more, "values": values}
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
