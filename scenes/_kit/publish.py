"""From a scene to its film's files; no files in between."""

from __future__ import annotations

from attn import __version__
from attn.build import contract
from attn.build.assets import Asset
from attn.build.progress import Progress
from attn.build.publish import chosen, sidecar
from attn.build.settings import Settings
from scenes._kit.render import render


def film(asset: Asset, trace, settings: Settings, progress: Progress | None = None) -> dict[str, bytes]:
    """The files of a film by extension, played on `trace`, an attn.build.reading.Reading."""
    with chosen(settings):
        files, values = render(asset.module, trace, settings.quality, __version__, settings.formats, progress)
        texts = contract.texts(asset.module, trace)
    return files | {"json": sidecar(asset.name, texts, trace.digest(), values)}
