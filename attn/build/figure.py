"""From a figure's drawing to its files."""

from __future__ import annotations

from attn import __version__
from attn.build import contract
from attn.build.assets import Asset, Mistake
from attn.build.publish import chosen, record, sidecar
from attn.build.settings import Settings
from attn.picture import sizes
from figures._kit import paint


def drawing(asset: Asset, trace, settings: Settings):
    """The figure itself, in the width that was chosen. Raises Mistake for anything that is not the figure of a Page."""
    with sizes.sized(asset.size(settings.width)):
        found = contract.called(asset.module, "draw", trace)
    if not paint.is_page(found):
        wanted = "expected the .figure of a figures._kit.paint.Page"
        raise Mistake(f"{contract.place(asset.module)}: draw(trace) returns {contract.kind(found)}, {wanted}")
    return found


def figure(asset: Asset, trace, settings: Settings) -> dict[str, bytes]:
    """The files of a figure by extension, drawn from `trace`, an attn.core.reading.Reading.

    Raises WeightsError where it cannot be drawn from these weights, or has no room for their words.
    """
    with chosen(settings), sizes.sized(asset.size(settings.width)), paint.style():
        page, texts = drawing(asset, trace, settings), contract.texts(asset.module, trace)
        paint.check_room(page)
        weights = trace.digest()
        files = paint.save(page, asset.name, texts.title, texts.alt, weights, __version__, settings.formats)
    return files | {"json": sidecar(record(asset.name, texts, weights, paint.record(page)))}
