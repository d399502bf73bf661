"""From a scene to its film's files; no files in between."""

from __future__ import annotations

import inspect
from functools import partial

from attn import __version__
from attn.build import contract
from attn.build.assets import Asset, Mistake
from attn.build.publish import chosen, record, sidecar
from attn.build.script import beats, script
from attn.build.settings import Settings
from scenes._kit.render import NothingPlayed, Progress, shoot
from scenes._kit.stage import Stage


def film(asset: Asset, trace, settings: Settings, progress: Progress | None = None) -> dict[str, bytes]:
    """The files of a film by extension, played on `trace`, an attn.core.reading.Reading.

    Raises Mistake where the asset's module defines no scene, or one that plays nothing.
    """
    with chosen(settings):
        scene, texts = scene_of(asset.module), contract.texts(asset.module, trace)
        make, how = partial(scene, trace), (settings.quality, texts.title, __version__, trace.digest, settings.formats)
        try:
            found = shoot(make, *how, progress)
        except NothingPlayed:
            raise Mistake(f"{contract.place(asset.module)} plays nothing, expected a beat at least") from None
    content = record(asset.name, texts, trace.digest(), found.stage.record, beats=beats(found.told, found.fps))
    return found.files | {"md": script(content), "json": sidecar(content)}


def scene_of(module: str) -> type[Stage]:
    """The one scene that `module` defines. Raises Mistake if it defines none or several."""
    found = [
        member
        for member in vars(contract.module(module)).values()
        if inspect.isclass(member) and issubclass(member, Stage) and member.__module__ == module
    ]
    if len(found) != 1:
        wanted = "expected one class that extends scenes._kit.stage.Stage"
        raise Mistake(f"{contract.place(module)} has {len(found)} scenes, {wanted}")
    return found[0]
