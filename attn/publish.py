"""From a drawing to the files of an asset.

Attn imports no drawing toolkit: figures and scenes are imported by name, when one of theirs is made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

import attn
from attn import contract, fonts, look
from attn.assets import Asset
from attn.settings import JOINED, Settings

Progress = Callable[[int, float], None]  # a film's beat, from 1, and how much of the film is done, 0 to 1


@contextmanager
def chosen(settings: Settings) -> Iterator[None]:
    """Puts the theme and the fonts that were chosen in force for the block."""
    with look.themed(settings.theme), fonts.using(settings.font_files):
        yield


def figure(name: str, module: str, trace, settings: Settings) -> dict[str, bytes]:
    """The files of a figure by extension: draws `module` from `trace`, an attn.reading.Reading.

    Raises WeightsError where it cannot be drawn from these weights, or has no room for their words.
    """
    toolkit = import_module("figures._draw")
    width = Asset("figures", name).width(settings.width)
    with chosen(settings), look.sized(width), toolkit.style():
        drawing, texts = contract.drawing(module, trace), contract.texts(module, trace)
        toolkit.check_room(drawing)
        weights = trace.digest()
        files = toolkit.save(drawing, name, texts.title, texts.alt, weights, attn.__version__)
        values = toolkit.record(drawing)
    record = sidecar(name, texts.title, texts.caption, texts.alt, weights, values, attn.__version__)
    return {extension: files[extension] for extension in settings.formats} | {"json": record}


def film(name: str, module: str, trace, settings: Settings, progress: Progress | None = None) -> dict[str, bytes]:
    """The files of a film by extension: plays `module` on `trace`, an attn.reading.Reading."""
    toolkit = import_module("scenes._film")
    with chosen(settings):
        files, values = toolkit.render(module, trace, settings.quality, attn.__version__, settings.formats, progress)
        texts = contract.texts(module, trace)
    record = sidecar(name, texts.title, texts.caption, texts.alt, trace.digest(), values, attn.__version__)
    return files | {"json": record}


def joined(name: str, module: str, clips: Sequence[dict[str, bytes]], trace, settings: Settings) -> dict[str, bytes]:
    """The files of a film that is joined from `clips`, each one's files by extension, without drawing anything.

    trace: an attn.reading.Reading that counts what the clips show as read.
    """
    texts, records = contract.texts(module, trace), [json.loads(clip["json"]) for clip in clips]
    weights, titles = trace.digest(), [record["title"] for record in records]
    comment = f"attn {attn.__version__}, weights sha256 {weights}"
    formats = [extension for extension in settings.formats if extension in JOINED]
    files, chapters = import_module("scenes._join").join(clips, titles, texts.title, comment, formats)
    values = {(value["text"], value["path"]): value for record in records for value in record["values"]}
    record = sidecar(
        name, texts.title, texts.caption, texts.alt, weights, list(values.values()), attn.__version__, chapters=chapters
    )
    return files | {"json": record}


def sidecar(
    name: str, title: str, caption: str, alt: str, weights: str, values: list[dict], version: str, **more
) -> bytes:
    """The JSON beside an asset: its texts, the digest of the weights' content it shows, and every number printed."""
    content = {
        "format": "attn-asset/1",
        "version": version,
        "name": name,
        "title": title,
        "caption": caption,
        "alt": alt,
        "weights": weights,
        **more,
        "values": values,
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
