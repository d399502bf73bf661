"""From clips to the files of a film that is joined from them, without drawing anything."""

from __future__ import annotations

import json
from collections.abc import Sequence

from attn import __version__
from attn.build import contract
from attn.build.assets import Asset
from attn.build.publish import record, sidecar
from attn.build.script import script, shifted
from attn.build.settings import JOINED, Settings
from scenes._kit.join import join


def joined(asset: Asset, clips: Sequence[dict[str, bytes]], trace, settings: Settings) -> dict[str, bytes]:
    """The files of `asset` by extension; clips: the files of each of its parts by extension.

    trace: an attn.core.reading.Reading that counts what the clips show as read.
    """
    texts, records = contract.texts(asset.module, trace), [json.loads(clip["json"]) for clip in clips]
    weights, titles = trace.digest(), [record["title"] for record in records]
    comment = f"attn {__version__}, weights sha256 {weights}"
    formats = [extension for extension in settings.formats if extension in JOINED]
    files, chapters = join(clips, titles, texts.title, comment, formats)
    values = {(value["text"], value["path"]): value for record in records for value in record["values"]}
    beats = [
        beat
        for chapter, clip in zip(chapters, records, strict=True)
        for beat in shifted(clip["beats"], chapter["start"])
    ]
    content = record(asset.name, texts, weights, list(values.values()), chapters=chapters, beats=beats)
    return files | {"md": script(content), "json": sidecar(content)}
