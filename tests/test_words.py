"""Words are text, drawn in their order, in figures and films alike; what cannot be drawn is refused in one line."""

import io
import re
import unicodedata
from dataclasses import replace
from functools import partial
from importlib import import_module
from xml.etree import ElementTree

import av
import numpy as np
import pymupdf
import pytest
from click.testing import CliRunner
from fontTools.ttLib import TTFont

from attn.build.assets import ROOT, Asset, assets
from attn.build.figure import figure as published
from attn.build.film import scene_of
from attn.build.settings import Settings
from attn.cli import main
from attn.core import weights
from attn.core.model import Model, Story, WeightsError
from attn.core.reading import Reading
from attn.picture import fonts, palette, sizes
from attn.picture.drawn import picture
from attn.picture.richtext import Run
from figures._kit import paint
from scenes._kit.captions import cues, srt, vtt
from scenes._kit.render import rehearse
from scenes._kit.text import number_outline, set_text
from tests.scenes.played import played

slow = partial(pytest.param, marks=pytest.mark.slow)
YOU = weights.load(ROOT / "attn/weights/you.toml")
CASES = {name: ROOT / f"tests/cases/good/{name}.toml" for name in ("symbols", "scripts")}
FIGURES = [asset for asset in assets("figures") if asset.subject == "story"]
HEBREW, ARABIC = "שלום", "سلام"  # one in letters that stand alone, one in letters that join
MARKED = "e\u0301te\u0302s"  # letters and marks, a character each
each_case = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))


def worded(*words: str) -> Model:
    """The shipped weights for other words."""
    named = dict(zip(YOU.vocabulary, words, strict=True))
    story = Story(tuple(named[w] for w in YOU.story.sentence), named[YOU.story.origin], named[YOU.story.target])
    return replace(YOU, vocabulary=words, story=story, expect=(), title="")


def long_words(letters: int) -> Model:
    """The shipped weights for six words of that many letters."""
    return worded(*((first + "estraumno" * 5)[:letters] for first in "abcdef"))


def made(words: int, letters: int, vocabulary: int = 40) -> Model:
    """A sentence of `words` words of `letters` letters from a large vocabulary; the same numbers every time."""
    rng = np.random.default_rng(7)
    names = tuple(f"{i:02}{'estraumno' * 2}"[:letters] for i in range(vocabulary))

    def array(*shape):
        return np.round(2 * rng.uniform(-2, 2, shape)) / 2 + 0.0

    return Model(
        names, array(vocabulary, 3), array(2, 3), array(2, 3), array(2, 3), positions=array(words, 3), W_O=array(3, 2),
        W_out=array(vocabulary, 3), b_out=array(vocabulary), causal=True,
        story=Story(names[3 : 3 + words], *names[1:3]),
    )  # fmt: skip


def saved(*words: str) -> dict[str, bytes]:
    """A page with these words, as files."""
    page = paint.Page(84, 60)
    for row, word in enumerate(words):
        page.text(5, 50 - 10 * row, word, 10)
    with paint.style():
        return paint.save(page.figure, "words", "title", "alt", "0" * 64, "0")


# ---- order -----------------------------------------------------------------------------------------------------


def test_a_word_from_right_to_left_is_written_so_in_print():
    files = saved(HEBREW)
    with pymupdf.open(stream=files["pdf"]) as pdf:
        letters = [(x, chr(code)) for span in pdf[0].get_texttrace() for code, _, (x, _), _ in span["chars"]]
    assert [letter for _, letter in sorted(letters)] == list(reversed(HEBREW))
    glyphs = re.findall(rb'href="#[\w-]*DejaVuSans-(\w+)"(?: transform="translate\(([\d.]+))?', files["svg"])
    with TTFont(fonts.fallback_file()) as font:
        wanted = [font.getGlyphID(font.getBestCmap()[ord(letter)]) for letter in reversed(HEBREW)]
    assert [int(glyph, 16) for glyph, _ in sorted(glyphs, key=lambda one: float(one[1] or 0))] == wanted


def test_a_word_from_right_to_left_is_written_so_in_films():
    whole = set_text((Run(HEBREW),)).outlines[0]
    single = [number_outline(letter)[0] for letter in reversed(HEBREW)]
    pieces = np.split(whole, np.cumsum([len(outline) for outline in single])[:-1])
    for piece, outline in zip(pieces, single, strict=True):
        assert np.allclose(piece - piece.min(axis=0), outline - outline.min(axis=0), atol=1e-3)
    ends = [piece[:, 0].max() for piece in pieces]
    assert ends == sorted(ends)


def test_marks_sit_on_their_letters_and_letters_join():
    whole = unicodedata.normalize("NFC", MARKED)
    assert whole != MARKED
    for width in (paint.text_width, lambda word: set_text((Run(word),)).width):
        assert width(MARKED) == pytest.approx(width(whole), abs=0.03)
        assert width(ARABIC) < sum(map(width, ARABIC)) - 0.1


# ---- words are no markup ---------------------------------------------------------------------------------------


@each_case
def test_a_figure_shows_every_word_as_it_is(case):
    model = weights.load(case)
    for name in ("decoder", "decoder_regions"):  # which show the whole vocabulary
        files = published(Asset("figures", name), Reading(picture(model)), Settings())
        with pymupdf.open(stream=files["pdf"]) as pdf:
            lines = unicodedata.normalize("NFC", pdf[0].get_text()).splitlines()
        read = [sorted(line) for line in lines]  # letters that join into one shape may be read in either order
        assert all(sorted(unicodedata.normalize("NFC", word)) in read for word in model.vocabulary)
        described = ElementTree.fromstring(files["svg"])[1].text
        assert all(f"“{word}”" in described for word in (model.story.origin, model.story.target))


@each_case
def test_a_film_shows_every_word_as_it_is(case):
    """Each as the glyphs of its letters: tests/scenes/test_text.py."""
    film = played(case)["decoder_regions"]
    assert set(weights.load(case).vocabulary) <= {piece.text for rest in film.rests for piece in rest.pieces}


@each_case
def test_captions_show_every_word_as_it_is(case):
    """Cues as players read them: those of FFmpeg, from both formats."""
    for film in played(case).values():
        told = cues(film.stage.beats, film.stage.frames, 30)
        wanted = ["\n".join(cue.lines) for cue in told]
        assert list(cues_of(srt(told), "srt")) == list(cues_of(vtt(told), "webvtt")) == wanted


def cues_of(text: str, form: str):
    """The texts of captions as FFmpeg reads them, without joiners; what it takes for a mark stands in braces."""
    with av.open(io.BytesIO(text.encode()), format=form) as captions:
        for packet in captions.demux(subtitles=0):
            for subtitle in packet.decode():
                yield subtitle.ass.decode().split(",", 8)[-1].replace("\\N", "\n").replace("\u2060", "")


# ---- length and number -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["figure", "video"])
def test_a_word_of_forty_letters_is_refused_before_anything_is_drawn(tmp_path, command):
    file = tmp_path / "long.toml"
    file.write_text(weights.dumps(long_words(40)), encoding="utf-8")
    done = CliRunner().invoke(main, [command, "--weights", str(file), "--output", str(tmp_path / "output")])
    assert done.exit_code == 2 and not (tmp_path / "output").exists()
    assert done.stderr.startswith(f"attn: {file}: model.vocabulary, word 1: ") and done.stderr.count("\n") == 1
    assert "40 letters" in done.stderr and "at most 24" in done.stderr
    assert CliRunner().invoke(main, ["trace", str(file)]).exit_code == 0, "tables have room for it"


@pytest.mark.parametrize(
    ("model", "widths"),
    [
        slow(long_words(24), ("column",), id="24 letters"), pytest.param(made(1, 2), ("text",), id="1 word"),
        slow(made(2, 12), ("text",), id="2 words"), slow(made(7, 12), ("page",), id="7 words"),
        slow(made(12, 2), ("text",), id="12 words"), slow(made(12, 12), ("page", "column"), id="12 long words"),
    ],
)  # fmt: skip
def test_every_figure_keeps_its_rules_or_says_what_has_no_room(model, widths):
    trace, refused = picture(model), []
    for asset, width in ((asset, width) for asset in FIGURES for width in widths if width in asset.widths):
        try:
            with palette.themed("light"), sizes.sized(width), paint.style():
                figure = import_module(asset.module).draw(Reading(trace))
                paint.check_room(figure)
            keeps_its_rules(figure)
        except WeightsError as error:
            refused.append(asset.name)
            assert re.fullmatch(r".*(no room|too long|too many).*", str(error)) and len(str(error)) < 200
    longest = max(map(len, model.vocabulary))
    assert longest > 12 or set(refused) <= {"attention_matrix"}, refused


def keeps_its_rules(figure) -> None:
    from tests.figures import test_laws as laws

    boxes, (width, height) = np.array([laws.ink(text) for text in laws.texts_of(figure)]), figure.get_size_inches()
    assert boxes[:, :2].min() >= 0.5 and boxes[:, 2].max() <= 25.4 * width - 0.5
    assert boxes[:, 3].max() <= 25.4 * height - 0.5
    assert min(text.get_fontsize() for text in laws.texts_of(figure)) >= paint.SMALLEST


@pytest.mark.slow
@pytest.mark.parametrize(("film", "letters"), [("contrast", 60), ("summary", 40)])
def test_a_film_without_room_for_a_word_says_so(film, letters):
    trace = picture(long_words(letters))
    with pytest.raises(WeightsError, match=r'^"\w+": there is no room for it in this film; expected shorter') as e:
        rehearse(partial(scene_of(f"scenes.{film}"), trace))
    assert "\n" not in str(e.value)


# ---- characters -----------------------------------------------------------------------------------------------


def test_a_letter_that_the_bold_font_lacks_is_drawn_from_the_plain_one():
    bold, plain = (fonts.characters(fonts.fallback_file(style)) for style in ("b", ""))
    letter = chr(min(plain - bold - fonts.characters(fonts.font_file())))
    page = paint.Page(84, 60)
    page.text(5, 50, Run(letter, "b"), 10)
    with paint.style(), pymupdf.open(stream=paint.save(page.figure, "word", "t", "a", "0" * 64, "0")["pdf"]) as pdf:
        assert not any("LastResort" in font[3] for font in pdf[0].get_fonts())
    assert len(set_text((Run(letter, "b"),)).outlines[0])
