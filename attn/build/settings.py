"""What the user may choose about all pictures, apart from the weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from attn.build.assets import Asset
from attn.core.errors import WeightsError, nearest

FORMATS = {"figures": ("pdf", "svg", "png"), "videos": ("mp4", "gif", "webm", "mov")}
JOINED = ("mp4", "webm")  # of the whole film: the others are for showing a single step, and large
EXTENSIONS = {
    "figures": (*FORMATS["figures"], "json"),
    "videos": (*FORMATS["videos"], "png", "srt", "vtt", "md", "json"),
}
BUNDLED = {"figures": ("svg", "png"), "videos": ("mp4",)}
DEFAULTS = {"figures": FORMATS["figures"], "videos": ("mp4",)}


@dataclass(frozen=True)
class Settings:
    """A choice of each."""

    theme: str = "light"
    formats: tuple[str, ...] = DEFAULTS["figures"]  # of the kind that is made
    width: float | None = None  # mm, of figures that allow it; each its own where none is chosen
    quality: str = "high"  # of films
    font: str = ""  # digest of the user's own fonts
    font_files: tuple[Path, ...] = ()  # plain copies of them (attn.picture.fonts)

    def that_matter(self, asset: Asset) -> dict:
        """Those that change the files of an asset."""
        own = {"width": list(asset.size(self.width))} if asset.kind == "figures" else {"quality": self.quality}
        return {"theme": self.theme, "font": self.font, "formats": list(self.formats), **own}


def formats_in(text: str, kind: str) -> tuple[str, ...]:
    """Some of the formats of a kind of asset, parted by blanks or commas; those of the other kind do not matter.

    Where none of the kind's own is named, its usual ones are meant; json alone means no other file. Raises WeightsError
    for what is no format.
    """
    asked, known = text.replace(",", " ").split(), [name for names in FORMATS.values() for name in names]
    for extension in asked:
        if extension not in (*known, "json"):
            raise WeightsError("FORMATS", f'"{extension}" is none of {", ".join(known)}{nearest(extension, known)}')
    found = tuple(extension for extension in FORMATS[kind] if extension in asked)
    return found or (() if asked == ["json"] and kind == "figures" else DEFAULTS[kind])


def bundled(text: str) -> dict[str, tuple[str, ...]]:
    """What `formats_in` finds for each kind, and the formats that a page, slides and handouts are made of."""
    return {
        kind: tuple(one for one in FORMATS[kind] if one in (*formats_in(text, kind), *needed))
        for kind, needed in BUNDLED.items()
    }
