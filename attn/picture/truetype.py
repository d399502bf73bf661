"""A user's font as what both toolkits draw and embed alike: a plain TrueType font with the glyphs that are needed.

Whatever the outlines were (TrueType, CFF, CFF2; variable or not; the first font of a collection, or compressed for the
web), they come out as static quadratic ones, so that a PDF, which calls every embedded font TrueType, is right.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Set
from contextlib import contextmanager
from io import BytesIO

from attn.core.model import WeightsError

OUTLINES = ("glyf", "CFF ", "CFF2")  # tables of a font's shapes; a font of coloured pixels has none
VARIATIONS = ("fvar", "avar", "gvar", "cvar", "HVAR", "MVAR", "STAT")
NEEDED = (*OUTLINES, *VARIATIONS, "loca", "head", "hhea", "hmtx", "maxp", "cmap", "name", "post", "OS/2", "GDEF",
          "GSUB", "GPOS", "kern")  # fmt: skip
REGULAR = 400  # the weight that is taken of a font that has many


class Font:
    """A font file that was read."""

    def __init__(self, data: bytes):
        """Raises WeightsError for what is no font with outlines."""
        from fontTools.ttLib import TTFont

        with _understood():
            self._font = TTFont(BytesIO(data), fontNumber=0, lazy=True, recalcBBoxes=False, recalcTimestamp=False)
            if not any(table in self._font for table in OUTLINES):
                raise WeightsError("", "is a font that has pictures for letters, expected outlines")
            self._shapes, self._names = self._font.getGlyphSet(), self._font.getBestCmap() or {}

    def draws(self, character: str) -> bool:
        """Whether it has a shape for `character`; in fonts of coloured letters a glyph may have no outline."""
        from fontTools.pens.boundsPen import ControlBoundsPen

        if ord(character) not in self._names:
            return False
        with _understood():
            pen = ControlBoundsPen(self._shapes)
            self._shapes[self._names[ord(character)]].draw(pen)
        return pen.bounds is not None or unicodedata.category(character)[0] in "CMZ"

    def plain(self, characters: Set[str], family: str) -> bytes:
        """It as plain TrueType called `family`, with what `characters` need; their glyphs keep their numbers."""
        with _understood():
            font = self._font
            for table in set(font.keys()) - {"GlyphOrder", *NEEDED}:
                del font[table]
            kept = _subset(font, characters)
            if "fvar" in font:
                _fix(font)
            if "glyf" not in font:
                _make_quadratic(font, kept)
            _rename(font, family)
            font.flavor = None
            font["post"].formatType = 3.0  # without names of glyphs
            file = BytesIO()
            font.save(file)
            return file.getvalue()


@contextmanager
def _understood():
    """Whatever a font's tables are broken in, fontTools stumbles over it somewhere, with any exception at all."""
    logging.getLogger("fontTools").setLevel(logging.CRITICAL)
    try:
        yield
    except (WeightsError, MemoryError):
        raise
    except Exception as error:
        known = type(error).__name__ in ("TTLibError", "TTLibFileIsCollectionError", "ImportError")
        reason = f" ({error})" if known else ", it is broken"
        raise WeightsError("", f"is not a font file that can be used{reason}; expected TrueType or OpenType") from None


def _subset(font, characters: Set[str]) -> Set[str]:
    """Empties all glyphs but those that `characters` need; gives the names of these."""
    from fontTools.subset import Options, Subsetter

    hinted = "glyf" not in font  # of cubic outlines the hints go anyway, and taking them out takes long
    subsetter = Subsetter(Options(retain_gids=True, hinting=hinted, layout_features=["*"], notdef_outline=True))
    first = font.getGlyphOrder()[:4]  # which matplotlib embeds always, as those of TrueType were once blank
    subsetter.populate(glyphs=first, unicodes={ord(character) for character in characters})
    subsetter.subset(font)
    return subsetter.glyphs_retained


def _fix(font) -> None:
    """A variable font at its regular weight, else as it is by default."""
    from fontTools.varLib.instancer import instantiateVariableFont

    limits = {axis.axisTag: (axis.minValue, axis.defaultValue, axis.maxValue) for axis in font["fvar"].axes}
    place = {tag: default for tag, (_, default, _) in limits.items()}
    if "wght" in limits:
        least, _, most = limits["wght"]
        place["wght"] = min(max(REGULAR, least), most)
    instantiateVariableFont(font, place, inplace=True)


def _make_quadratic(font, kept: Set[str]) -> None:
    """Puts TrueType outlines in the place of cubic ones, off by half a thousandth of the em at most."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import newTable
    from fontTools.ttLib.tables._g_l_y_f import Glyph

    shapes, order, head = font.getGlyphSet(), font.getGlyphOrder(), font["head"]
    font["glyf"], font["loca"] = newTable("glyf"), newTable("loca")
    glyphs = font["glyf"].glyphs = {name: Glyph() for name in order}
    font["glyf"].glyphOrder = order
    for name in kept:
        pen = TTGlyphPen(None)
        shapes[name].draw(Cu2QuPen(pen, head.unitsPerEm / 2000, reverse_direction=True))
        glyphs[name] = pen.glyph()
        glyphs[name].recalcBounds(font["glyf"])
        font["hmtx"][name] = font["hmtx"][name][0], getattr(glyphs[name], "xMin", 0)
    for table in ("CFF ", "CFF2"):
        if table in font:
            del font[table]
    font.sfntVersion = "\0\1\0\0"
    most = font["maxp"]
    most.tableVersion, most.maxZones = 0x00010000, 1
    for name in ("maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs", "maxStackElements",
                 "maxSizeOfInstructions"):  # fmt: skip
        setattr(most, name, 0)
    box = head.xMin, head.yMin, head.xMax, head.yMax  # the whole font's: what is embedded hangs on no other word
    most.recalc(font)
    head.xMin, head.yMin, head.xMax, head.yMax = box


def _rename(font, family: str) -> None:
    """A family of its own, so that none of the system or the project can take its place."""
    from fontTools.ttLib import newTable

    old = font["name"] if "name" in font else newTable("name")
    known = re.sub("[^A-Za-z0-9-]", "", old.getDebugName(6) or old.getDebugName(4) or "")
    font["name"] = newTable("name")
    font["name"].names = []
    number = family.rpartition(" ")[2]
    for identity, text in ((1, family), (2, "Regular"), (4, family), (6, f"{known[:50] or 'Font'}-{number}")):
        font["name"].setName(text, identity, 3, 1, 0x409)
