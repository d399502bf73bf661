"""The bundled fonts: found inside installed packages, never on the system, and asked which characters they have."""

from __future__ import annotations

import os
import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from attn.model import Model, WeightsError

FAMILY = "Source Sans Pro"
FALLBACK = "DejaVu Sans"
LONGEST_WORD = 24  # letters; no picture has room for more, many for less
TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")  # what turns the direction of other text
OUTLINES = ("glyf", "CFF ", "CFF2")  # tables of a font's shapes; a font of coloured pixels has none
STYLES = {"": "Regular", "i": "It", "b": "Semibold", "bi": "SemiboldIt"}
FALLBACK_STYLES = {"": "", "i": "-Oblique", "b": "-Bold", "bi": "-BoldOblique"}


def font_file(style: str = "") -> Path:
    """The TrueType file of the typeface in one of STYLES: "" regular, "i" italic, "b" bold, "bi" both."""
    return _package("font_source_sans_pro") / "files" / f"SourceSansPro-{STYLES[style]}.ttf"


def fallback_file(style: str = "") -> Path:
    """The font with wide coverage that stands in for characters the typeface lacks, in one of STYLES."""
    folder = _package("matplotlib") / "mpl-data" / "fonts" / "ttf"
    return folder / f"DejaVuSans{FALLBACK_STYLES[style]}.ttf"


def user_file() -> Path | None:
    """The user's own font file for scripts that the bundled fonts lack (environment variable ATTN_FONT)."""
    name = os.environ.get("ATTN_FONT")
    return Path(name) if name else None


def font_files() -> list[Path]:
    """Every font text may be drawn in, in the order in which they are asked for a character."""
    return [f for f in (font_file(), fallback_file(), user_file()) if f is not None]


@cache
def _package(name: str) -> Path:
    return Path(find_spec(name).origin).parent


@cache
def characters(file: Path) -> frozenset[int]:
    """The code points `file` has a glyph for.

    Raises WeightsError where it is not a font that can be read.
    """
    from fontTools.ttLib import TTFont, TTLibError

    try:
        with TTFont(file, lazy=True, fontNumber=0) as font:
            if not any(table in font for table in OUTLINES):
                raise WeightsError("FONT", f'"{file}" has pictures for letters, expected outlines')
            return frozenset(font.getBestCmap() or ())
    except (OSError, TTLibError) as error:
        raise WeightsError("FONT", f'"{file}" is not a font file that can be read ({error})') from None


def check_characters(text: str, place: str) -> None:
    """Raises WeightsError naming the first character of `text` that none of the fonts can draw."""
    for character in dict.fromkeys(text):  # each once: a text may be long
        if not _drawable(character):
            name = unicodedata.name(character, "a character without a name")
            shown = f'"{character}" ' if character.isprintable() else ""
            raise WeightsError(
                place,
                f"no bundled font has the character {shown}U+{ord(character):04X} ({name}); "
                "expected characters of the bundled fonts, or FONT=a font file that has it",
            )


def _drawable(character: str) -> bool:
    if unicodedata.category(character) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp"):
        return False
    if unicodedata.bidirectional(character) in TURNS:
        return False
    return any(ord(character) in characters(file) for file in font_files())


def check_glyphs(model: Model) -> None:
    """Raises WeightsError for the first word or title of `model` that the fonts cannot draw."""
    for row, word in enumerate(model.vocabulary, start=1):
        check_characters(word, f"model.vocabulary, word {row}")
    check_characters(model.title, "title")


def check_lengths(model: Model) -> None:
    """Raises WeightsError for the first word of `model` that is too long for any picture."""
    for row, word in enumerate(model.vocabulary, start=1):
        letters = sum(not unicodedata.combining(character) for character in word)
        if letters > LONGEST_WORD:
            raise WeightsError(
                f"model.vocabulary, word {row}",
                f'"{word[:12]}…" has {letters} letters, too long to be drawn; expected at most {LONGEST_WORD}',
            )
