"""The fonts text is drawn in: the bundled ones, found inside installed packages, and the user's own behind them.

Fonts of the system are never looked for. The user's are those given with --font (make: FONT=), read and checked before
anything is drawn; which of them are in force is said once (`using`), as a theme is.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import NamedTuple

from attn.core import files
from attn.core.model import Model, WeightsError
from attn.picture import truetype

FAMILY = "Source Sans Pro"
FALLBACK = "DejaVu Sans"
LARGEST_FILE = 400_000_000  # bytes; collections for Chinese have a tenth of it
LONGEST_WORD = 24  # letters; no picture has room for more, many for less
TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")  # what turns the direction of other text
STYLES = {"": "Regular", "i": "It", "b": "Semibold", "bi": "SemiboldIt"}
FALLBACK_STYLES = {"": "", "i": "-Oblique", "b": "-Bold", "bi": "-BoldOblique"}


def font_file(style: str = "") -> Path:
    """The TrueType file of the typeface in one of STYLES: "" regular, "i" italic, "b" bold, "bi" both."""
    return _package("font_source_sans_pro") / "files" / f"SourceSansPro-{STYLES[style]}.ttf"


def fallback_file(style: str = "") -> Path:
    """The font with wide coverage that stands in for characters the typeface lacks, in one of STYLES."""
    folder = _package("matplotlib") / "mpl-data" / "fonts" / "ttf"
    return folder / f"DejaVuSans{FALLBACK_STYLES[style]}.ttf"


@cache
def _package(name: str) -> Path:
    return Path(find_spec(name).origin).parent


@cache
def characters(file: Path) -> frozenset[int]:
    """The code points that a bundled font has a glyph for."""
    from fontTools.ttLib import TTFont

    with TTFont(file, lazy=True) as font:
        return frozenset(font.getBestCmap())


# ---- the user's own fonts --------------------------------------------------------------------------------------

_own: ContextVar[tuple[Path, ...]] = ContextVar("own", default=())


def own_files() -> tuple[Path, ...]:
    """Plain copies of the user's fonts that are in force, in the order in which they are asked for a character."""
    return _own.get()


@contextmanager
def in_a_folder() -> Iterator[Path]:
    """A folder with exactly the fonts that are in force, for Typst, which takes folders only; gone after the block."""
    files = [*(font_file(style) for style in STYLES), fallback_file(), *own_files()]
    with TemporaryDirectory(prefix="attn-fonts-") as folder:
        for number, file in enumerate(files):
            copyfile(file, Path(folder) / f"{number}{file.suffix}")
        yield Path(folder)


@contextmanager
def using(copies: Sequence[Path]) -> Iterator[None]:
    """Puts plain copies of the user's fonts (see `Supply`) in force for the block."""
    token = _own.set(tuple(copies))
    try:
        yield
    finally:
        _own.reset(token)


def cached(function):
    """`function`, whose results are kept for the fonts in force."""
    kept = cache(lambda own, *arguments, **options: function(*arguments, **options))

    @wraps(function)
    def found(*arguments, **options):
        return kept(own_files(), *arguments, **options)

    return found


def family(number: int) -> str:
    """What the user's font of that number, from 1, calls itself in its plain copy."""
    return f"attn own {number}"


class Supply(NamedTuple):
    """What the user's fonts give to some pictures."""

    copies: tuple[bytes, ...]  # plain TrueType files with the glyphs that are needed, one for each font
    digest: str  # sha256 of the files they come from; nothing for none


def supply(given: Sequence[Path], models: Mapping[Path, Model]) -> Supply:
    """The fonts `given`, ready to draw the words of `models` (each by its weights file) that no bundled font can.

    Raises WeightsError for a file that is no font with outlines, and for the first character that no font has, naming
    it and the weights file.
    """
    contents, own = [], []
    for file in given:
        with _naming(file):
            contents.append(files.content(file, "a font file", LARGEST_FILE))
            own.append(truetype.Font(contents[-1]))
    wanted: list[set[str]] = [set() for _ in given]
    for file, model in models.items():
        with _naming(file):
            for place, text in _texts(model):
                for character in dict.fromkeys(text):  # each once: a title may be long
                    if not _bundled(character):
                        wanted[_first_that_draws(character, own, given, place)].add(character)
    copies = []
    for number, (file, font) in enumerate(zip(given, own, strict=True), 1):
        with _naming(file):
            copies.append(font.plain(wanted[number - 1], family(number)))
    digests = [hashlib.sha256(data).digest() for data in contents]
    return Supply(tuple(copies), hashlib.sha256(b"".join(digests)).hexdigest() if digests else "")


@contextmanager
def _naming(file: Path) -> Iterator[None]:
    try:
        yield
    except WeightsError as error:
        raise error.within(str(file)) from None


def _texts(model: Model) -> Iterable[tuple[str, str]]:
    """Everything of `model` that is drawn as it is written, each with its place."""
    for row, word in enumerate(model.vocabulary, start=1):
        yield f"model.vocabulary, word {row}", word
    yield "title", model.title
    if model.story is not None:
        yield "story.sentence", " ".join(model.story.sentence)
    for row, entry in enumerate(model.expect, start=1):
        yield f"expect.sentence, entry {row}", " ".join(entry.sentence)


def _bundled(character: str) -> bool:
    return _printable(character) and any(ord(character) in characters(f) for f in (font_file(), fallback_file()))


def _printable(character: str) -> bool:
    """Whether a font could have it: no control or half a character, and nothing that turns the text around it."""
    return (
        unicodedata.category(character) not in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
        and unicodedata.bidirectional(character) not in TURNS
    )


def _first_that_draws(character: str, own: Sequence[truetype.Font], given: Sequence[Path], place: str) -> int:
    """Which of the user's fonts draws `character`. Raises WeightsError where none does."""
    if _printable(character):
        for i, font in enumerate(own):
            if font.draws(character):
                return i
    name = unicodedata.name(character, "a character without a name")
    shown = f'"{character}" ' if character.isprintable() else ""
    others = f", nor has {', '.join(map(str, given))}" if given else ""
    raise WeightsError(
        place,
        f"no bundled font has the character {shown}U+{ord(character):04X} ({name}){others}; expected a font file that "
        "has it, --font FILE or make FONT=FILE (Noto fonts cover most scripts: fonts-noto-core, fonts-noto-cjk)",
    )


def check_lengths(model: Model) -> None:
    """Raises WeightsError for the first word of `model` that is too long for any picture."""
    for row, word in enumerate(model.vocabulary, start=1):
        letters = sum(not unicodedata.combining(character) for character in word)
        if letters > LONGEST_WORD:
            raise WeightsError(
                f"model.vocabulary, word {row}",
                f'"{word[:12]}…" has {letters} letters, too long to be drawn; expected at most {LONGEST_WORD}',
            )
