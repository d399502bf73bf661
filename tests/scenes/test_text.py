"""Text in films: words as they are, exact baselines, digits that stay in their columns."""

import json

import manim
import numpy as np
import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st

from attn.core.numerals import Cell
from attn.picture.richtext import Run, rich
from scenes._kit import text as kit
from scenes._kit.bars import Become
from scenes._kit.text import Number, Text, literal, set_text

WORDS = [
    "$x_1$",
    "50%",
    "a_b",
    "<b>&",
    "#1",
    r"\alpha",
    "{w}",
    '"',
    "'",
    "#let",
    "//",
    "*a*",
    "_",
    "`",
    "@x",
    "[",
    "=",
    "-",
]


@pytest.mark.parametrize("word", WORDS)
def test_words_are_drawn_as_they_are(word):
    """A word set at once is the glyphs of its characters set one by one, side by side."""
    whole = set_text((Run(word),), kerning=False).outlines[0]
    single = [set_text((Run(c), Run("|")), kerning=False) for c in word]
    starts = np.cumsum([0, *(layout.origins[1][0] for layout in single)])
    expected = np.concatenate([s.outlines[0] + [x, 0, 0] for s, x in zip(single, starts, strict=False)])
    assert whole.shape == expected.shape
    assert np.allclose(whole, expected, atol=1e-3)


@settings(max_examples=25)
@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_a_literal_holds_any_text(text):
    """Typst, asked for the literal's code points, gives those of the text."""
    source = f"#metadata({literal(text)}.codepoints().map(str.to-unicode)) <it>"
    found = typst.query(source.encode(), "<it>", field="value", one=True)
    assert json.loads(found) == [ord(character) for character in text]


def test_baselines_are_exact():
    low, high = Text("gyp", 0.8).at([-2, 1, 0]), Text("Hx", 0.4).at([3, 1, 0])
    assert high.runs[0].get_bottom()[1] == pytest.approx(1, abs=1e-6)  # H and x stand on the line
    assert low.runs[0].get_bottom()[1] < 0.9
    number = Number("1.4", 0.3).at([0, 1, 0])
    assert number.digits.get_bottom()[1] == pytest.approx(1, abs=0.02)


def test_baselines_survive_moving_and_scaling():
    text, number = Text("Hx", 0.4), Number("−2.25", 0.4)
    group = manim.VGroup(text, number).scale(2).shift([1, 2, 0])
    assert text.runs[0].get_bottom()[1] == pytest.approx(text.baseline[1], abs=1e-6)
    before = number.baseline.copy()
    assert np.allclose(number.say("11.50").baseline, before)
    assert number.digits.height == pytest.approx(0.8 * kit.DIGIT, rel=0.06)
    assert len(group) == 2


def test_subscripts_hang_and_superscripts_rise():
    layout = set_text(rich("x_{x}x^{x}x"))
    heights = [origin[1] for origin in layout.origins]
    assert heights == pytest.approx([0, -kit.SUBSCRIPT, 0, -kit.SUPERSCRIPT, 0], abs=1e-3)
    assert layout.lines == 1
    tall = [np.ptp(outline[:, 1]) for outline in layout.outlines]
    assert tall[1] == pytest.approx(kit.SCRIPT_SIZE * tall[0], rel=0.01)


def test_lines_break_at_the_width_and_keep_their_distance():
    text = Text("one two three four five six seven eight nine ten", 0.5, width=3)
    lines = set_text(text.rich, 6.0).lines
    assert lines > 1
    assert text.width <= 3.001
    assert text.height == pytest.approx((lines - 1) * 0.5 * kit.LINE + 0.5 * 0.9, abs=0.2)


def test_numbers_stand_in_columns():
    first, second = Number("−12.50", 0.4), Number("3.75", 0.4)
    assert np.allclose(first.baseline, second.baseline)
    assert first.digits.get_right()[0] == pytest.approx(second.digits.get_right()[0], abs=0.03)
    widths = {round(kit._advance(c, "")[1], 3) for c in "0123456789−"}
    assert len(widths) == 1


def test_counting_ends_at_the_text_and_calls_typst_no_more(monkeypatch):
    number = Number(Cell("0.00", "attention[2][0]"), 0.4)
    animation = Become(number, 0, 9.87, Cell("9.87", "attention[2][0]"))
    for c in "0123456789.":
        kit._advance(c, "")
    monkeypatch.setattr(kit, "_compiler", lambda: pytest.fail("Typst was called"))
    animation.begin()
    said = []
    for alpha in np.linspace(0, 1, 50):
        animation.interpolate(alpha)
        said.append(number.digits.text_run.text)
    animation.finish()
    assert said[0] == "0.00" and said[-1] == "9.87" and len(set(said)) > 30
    assert number.digits.text_run == Run("9.87", path="attention[2][0]")


def test_the_peg_is_never_seen():
    text = Text("word", 0.5).set_stroke(width=3).set_opacity(1)
    text.set_color(manim.RED)
    assert not text.peg.get_fill_rgbas()[:, 3].any()
    assert text.peg.get_stroke_width() == 0


def test_only_bundled_fonts_are_asked():
    assert kit._families().startswith('"Source Sans Pro", "DejaVu Sans"')
