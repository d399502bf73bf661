"""The user's own fonts: of every kind of outlines, drawn and embedded as they are, or refused in one line by name."""

import gzip
import io
import os
import unicodedata
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pymupdf
import pytest
from click.testing import CliRunner
from fontTools.ttLib import TTFont

from attn.build.assets import ROOT
from attn.build.making import Output
from attn.cli import main
from attn.core import weights
from attn.core.model import WeightsError
from attn.picture import fonts
from attn.picture.richtext import Run
from scenes._kit.text import set_text
from tests.test_words import saved, worded
from tests.tiny_fonts import WIDE, collection, tiny, without, written

PARROT, LETTER = "🦜", "\u1d81"  # no bundled font has either
UNKNOWN = ROOT / "tests/cases/bad/unknown-glyph.toml"
CJK = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")

KINDS = {
    "TrueType": lambda: written(tiny(PARROT)),
    "CFF": lambda: written(tiny(PARROT, "CFF")),
    "CFF2": lambda: written(tiny(PARROT, "CFF2")),
    "variable TrueType": lambda: written(tiny(PARROT, variable=True)),
    "variable CFF2": lambda: written(tiny(PARROT, "CFF2", variable=True)),
    "WOFF": lambda: written(tiny(PARROT), "woff"),
    "CFF in WOFF": lambda: written(tiny(PARROT, "CFF"), "woff"),
    "collection": lambda: collection(tiny(PARROT), tiny("a")),
    "collection of CFF": lambda: collection(tiny(PARROT, "CFF"), tiny("a", "CFF")),
    "no names": lambda: written(without(tiny(PARROT), "name")),
    "no OS/2": lambda: written(without(tiny(PARROT), "OS/2")),
}  # fmt: skip
TINY = KINDS["TrueType"]()
NO_FONTS = {
    "a text": b"# readme\n",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "nothing": b"",
    "cut in its head": TINY[:20],
    "cut in its list of tables": TINY[:100],
    "cut in half": TINY[: len(TINY) // 2],
    "cut at its end": TINY[:-8],
    "packed": gzip.compress(TINY),
    "Type 1": b"%!PS-AdobeFont-1.0: Tiny 1.0\n",
    "Type 1, binary": b"\x80\x01\x20\0\0\0%!PS-AdobeFont-1.0: Tiny 1.0\n",
    "bitmaps, BDF": b"STARTFONT 2.1\nFONT tiny\n",
    "bitmaps, PCF": b"\x01fcp\x01\0\0\0",
    "letters of pixels": written(without(tiny(PARROT), "glyf", "loca")),
    "WOFF2, cut": b"wOF2" + TINY[4:200],
    "an empty collection": b"ttcf\0\1\0\0\0\0\0\0",
    **{f"no {table.strip()}": written(without(tiny(PARROT), table)) for table in ("head", "hhea", "hmtx", "cmap")},
}  # fmt: skip


@contextmanager
def given(folder: Path, words, *contents: bytes):
    """In this block these fonts are in force, as for a file with these words."""
    files = [folder / f"font {i}.otf" for i, _ in enumerate(contents)]
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(content)
    supply = fonts.supply(files, {folder / "weights.toml": worded(*words, *"abcdef"[len(words) :])})
    with fonts.using(Output(folder).font_files(supply.copies)):
        yield


def embedded(pdf: bytes) -> dict[str, tuple[str, TTFont]]:
    """Every font in a PDF by its name: the key its program stands under, and the program."""
    with pymupdf.open(stream=pdf) as document:
        found = {}
        for xref in range(1, document.xref_length()):
            for key in ("FontFile", "FontFile2", "FontFile3"):
                kind, value = document.xref_get_key(xref, key)
                if kind == "xref":
                    name = document.xref_get_key(xref, "FontName")[1]
                    program = document.xref_stream(int(value.split()[0]))
                    found[name.rpartition("+")[2]] = key, TTFont(io.BytesIO(program))
    return found


# ---- drawn -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_character_is_drawn_from_outlines_of_any_kind(kind, tmp_path):
    with given(tmp_path, [PARROT], KINDS[kind]()):
        pdf = saved(PARROT)["pdf"]
        film = set_text((Run(PARROT),)).outlines[0]
    with pymupdf.open(stream=pdf) as document:
        assert PARROT in document[0].get_text()
    ((key, font),) = embedded(pdf).values()
    assert key == "FontFile2" and font.sfntVersion == "\0\1\0\0" and "glyf" in font and "fvar" not in font
    glyphs = [font["glyf"][name] for name in font.getGlyphOrder()[1:]]
    assert [(g.xMin, g.yMin, g.xMax, g.yMax) for g in glyphs] == [(100, 0, 100 + WIDE, WIDE)]
    assert np.ptp(film, axis=0)[:2] == pytest.approx([WIDE / 1000] * 2, abs=2e-3), "in films, too"


def test_of_several_fonts_the_first_that_has_a_character_draws_it(tmp_path):
    both = [written(tiny(PARROT, name="First")), written(tiny(PARROT + LETTER, "CFF", name="Second"))]
    with given(tmp_path, [PARROT, LETTER], *both):
        names = [name for name in embedded(saved(PARROT)["pdf"])], [name for name in embedded(saved(LETTER)["pdf"])]
        assert names == (["First-1"], ["Second-2"])
        assert len(set_text((Run(PARROT),)).outlines[0]) < len(set_text((Run(LETTER),)).outlines[0]), "more curves"


def test_what_is_drawn_of_a_word_hangs_on_no_other_word(tmp_path):
    content = written(tiny("🦚" + PARROT, "CFF"))
    with given(tmp_path, [PARROT], content):
        alone = saved(PARROT)
    with given(tmp_path, [PARROT, "🦚"], content):
        assert saved(PARROT) == alone


@pytest.mark.slow
def test_a_large_collection_of_cff_outlines_is_embedded_as_what_it_is(tmp_path):
    if not CJK.is_file():
        pytest.skip("needs the fonts fonts-noto-cjk")
    with given(tmp_path, ["苹果", "吃"], CJK.read_bytes()):
        files = saved("苹果", "吃")
    with pymupdf.open(stream=files["pdf"]) as document:
        assert document[0].get_text().split() == ["苹果", "吃"]
    assert {key for key, _ in embedded(files["pdf"]).values()} == {"FontFile2"}


# ---- refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "name"),
    [
        (PARROT, "PARROT"), (f"a{PARROT}", "PARROT"), (LETTER, unicodedata.name(LETTER)),
        ("a\u202eb", "RIGHT-TO-LEFT OVERRIDE"), ("\u2067a", "RIGHT-TO-LEFT ISOLATE"),
    ],
)  # fmt: skip
def test_a_character_no_font_has_is_refused_by_name(word, name, tmp_path):
    with pytest.raises(WeightsError, match=f"word 1: no bundled font has the character .*{name}.*FONT=") as e:  # noqa: SIM117
        with given(tmp_path, [word]):
            pass
    assert "\n" not in str(e.value) and str(e.value).startswith(str(tmp_path / "weights.toml"))


@pytest.mark.parametrize("content", [written(tiny("🦚")), written(tiny(PARROT, "none"))], ids=["another", "empty"])
def test_a_character_the_own_font_lacks_is_refused_with_the_fonts_name(content, tmp_path):
    with pytest.raises(WeightsError, match=r"PARROT\), nor has .*font 0\.otf; expected"):  # noqa: SIM117
        with given(tmp_path, [PARROT], content):
            pass


def attn(folder: Path, *arguments, **environment):
    output = folder / "output"
    done = CliRunner().invoke(main, [*map(str, arguments), "--output", str(output)], env=environment)
    assert not output.exists(), "output stays untouched"
    return done


DRAWING = {"figure": ["--weights"], "video": ["--weights"], "proof": ["--weights"], "worksheet": ["--weights"],
           "diff": [ROOT / "attn/weights/you.toml"]}  # fmt: skip


@pytest.mark.parametrize("command", DRAWING)
def test_what_draws_refuses_an_unknown_character_before_anything_is_drawn(command, tmp_path):
    done = attn(tmp_path, command, *DRAWING[command], UNKNOWN)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"attn: {UNKNOWN}: model.vocabulary, word 4: no bundled font has the character")
    assert "U+13080 (EGYPTIAN HIEROGLYPH D010)" in done.stderr and "--font FILE or make FONT=FILE" in done.stderr


def test_what_draws_nothing_needs_no_font(tmp_path):
    for command in (["trace", UNKNOWN], ["check", UNKNOWN], ["fit", UNKNOWN, "--out", tmp_path / "found.toml"]):
        done = CliRunner().invoke(main, list(map(str, command)))
        assert done.exit_code == 0, done.stderr
    assert weights.load(tmp_path / "found.toml").vocabulary == weights.load(UNKNOWN).vocabulary


@pytest.mark.parametrize("what", NO_FONTS)
def test_what_is_no_font_is_refused_in_one_line_before_anything_is_drawn(what, tmp_path):
    file = tmp_path / "not a font.ttf"
    file.write_bytes(NO_FONTS[what])
    for way in ({"arguments": ["--font", file]}, {"environment": {"ATTN_FONT": str(file)}}):
        done = attn(tmp_path, "figure", *way.get("arguments", ()), **way.get("environment", {}))
        assert done.exit_code == 2 and done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"attn: {file} is ") and "expected" in done.stderr


def test_what_is_no_file_is_refused_as_a_font(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in ("/dev/null", tmp_path, tmp_path / "pipe", tmp_path / "nowhere.ttf"):
        done = attn(tmp_path, "figure", "--font", place)
        assert done.exit_code == 2 and done.stderr.count("\n") == 1 and done.stderr.startswith(f"attn: {place}")


def test_fonts_in_the_environment_are_parted_by_colons(tmp_path):
    (tmp_path / "a font.ttf").write_bytes(TINY)
    (tmp_path / "b.ttf").write_bytes(b"")
    done = attn(tmp_path, "figure", ATTN_FONT=f"{tmp_path}/a font.ttf:{tmp_path}/b.ttf")
    assert done.stderr.startswith(f"attn: {tmp_path}/b.ttf is ")
