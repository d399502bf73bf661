"""Fonts of a few glyphs, of every kind of outline, made here: what a user's own font may be."""

from io import BytesIO

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont
from fontTools.ttLib.tables.TupleVariation import TupleVariation

WIDE = 700  # how wide the shape is at weight 400, and how high, in thousandths of the em


def tiny(characters: str, outlines: str = "glyf", name: str = "Tiny", variable: bool = False) -> TTFont:
    """A font with one shape for all of `characters`; outlines: glyf, CFF or CFF2, or none where all glyphs are empty.

    A variable one of glyf is thin at first, at weight 100, and as wide as the others at 400.
    """
    glyphs = [".notdef", *(f"u{ord(character):X}" for character in characters)]
    builder = FontBuilder(1000, isTTF=outlines in ("glyf", "none"))
    builder.setupGlyphOrder(glyphs)
    builder.setupCharacterMap(dict(zip(map(ord, characters), glyphs[1:], strict=True)))
    builder.setupNameTable({"familyName": name, "styleName": "Regular", "psName": name})
    if variable:
        builder.setupFvar([("wght", 100, 100, 900, "Weight")], [])
    drawn = {glyph: _drawn(outlines, WIDE / 4 if variable and outlines == "glyf" else WIDE) for glyph in glyphs}
    if outlines == "CFF":
        builder.setupCFF(name, {"FullName": name}, drawn, {})
    elif outlines == "CFF2":
        builder.setupCFF2(drawn)
    else:
        builder.setupGlyf(drawn)
        if variable:
            points = [(0, 0), (2 * WIDE, 0), (2 * WIDE, 0), *[(0, 0)] * 5]  # 3/8 of it at 400
            builder.setupGvar({glyph: [TupleVariation({"wght": (0, 1, 1)}, points)] for glyph in glyphs})
    builder.setupHorizontalMetrics({glyph: (1000, 100) for glyph in glyphs})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2(sTypoAscender=800)
    builder.setupPost()
    return builder.font


def _drawn(outlines: str, width: float):
    """The shape, a leaf with a curved side, as a glyph of one of these kinds."""
    if outlines in ("glyf", "none"):
        pen = TTGlyphPen(None)
    else:
        pen = T2CharStringPen(1000 if outlines == "CFF" else None, None, CFF2=outlines == "CFF2")
    if outlines != "none":
        pen.moveTo((100, 0))
        pen.lineTo((100 + width, 0))
        if outlines == "glyf":
            pen.qCurveTo((100 + width, WIDE), (100, WIDE))
        else:
            pen.curveTo((100 + width, WIDE * 2 / 3), (100 + width / 3, WIDE), (100, WIDE))
        pen.closePath()
    return pen.glyph() if outlines in ("glyf", "none") else pen.getCharString()


def written(font, flavor: str | None = None) -> bytes:
    """`font` as the bytes of a file."""
    file = BytesIO()
    if flavor:
        font.flavor = flavor
    font.save(file)
    return file.getvalue()


def collection(*fonts: TTFont) -> bytes:
    """Several fonts in one file."""
    whole = TTCollection()
    whole.fonts = list(fonts)
    return written(whole)


def without(font: TTFont, *tables: str) -> TTFont:
    """`font` with these tables missing, otherwise as it was."""
    kept = TTFont(BytesIO(written(font)), recalcBBoxes=False)
    for table in tables:
        del kept[table]
    return kept
