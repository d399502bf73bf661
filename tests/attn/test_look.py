"""Numbers as texts: what is printed is the value, rounded, and can be read back."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn.core import numerals
from attn.core.forward import forward
from attn.core.model import Model, Story
from attn.picture import labels, palette

FINITE = st.floats(-1e300, 1e300)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.3, "0.30"), (-0.5, "−0.50"), (-0.001, "0.00"), (-0.0, "0.00"), (99_999.4, "99999.40"), (99_999.6, "1.0·10⁵"),
        (181_234, "1.8·10⁵"), (-2.54e12, "−2.5·10¹²"), (1e308, "1.0·10³⁰⁸"),
    ],
)  # fmt: skip
def test_numbers_read_as_in_a_book(value, text):
    assert numerals.number(value) == text


@given(FINITE, st.integers(0, 4))
def test_what_is_printed_is_the_value_rounded(value, places):
    text = numerals.number(value, places)
    back = numerals.value_of(text)
    assert "-" not in text and "e" not in text
    assert math.isclose(back, value, rel_tol=0.051) or abs(back - value) <= 0.5001 * 10.0**-places
    assert numerals.number(back, places) == text or "·" in text


@given(FINITE, st.integers(0, 4))
def test_the_decimals_of_a_text_are_those_it_shows(value, places):
    text = numerals.number(value, places)
    assert numerals.places_of(text) == (1 if "·" in text else places)


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=12))
def test_weights_add_up_as_printed(parts):
    weights = [part / sum(parts) for part in parts]
    assert round(sum(numerals.value_of(text) for text in numerals.weight_texts(weights)), 9) == 1


@pytest.mark.parametrize("text", ["", "…", "why", "1.8·10"])
def test_another_text_is_no_number(text):
    with pytest.raises(ValueError):
        numerals.value_of(text)


WORDS = ("the", "cat", "dog", "why", "are", "you", "here", "hear", "mouse", "we")


@given(st.integers(2, 10), st.lists(st.integers(0, 9), min_size=1, max_size=8), st.booleans())
def test_no_two_words_have_one_colour(size, sentence, sides):
    vocabulary = WORDS[:size]
    tokens = tuple(vocabulary[i % len(vocabulary)] for i in sentence)
    pair = vocabulary[:2] if sides else (None, None)
    model = Model(vocabulary, *[np.eye(len(vocabulary))] * 4, story=Story(tokens, *pair))
    for theme in palette.THEMES:
        with palette.themed(theme):
            assert len(set(palette.word_colours(forward(model), vocabulary))) == len(vocabulary)


@pytest.mark.filterwarnings("error")
def test_a_region_whose_corners_coincide_has_a_place_for_its_name():
    square = [(0, 0), (4, 0), (4, 4), (0, 4)]
    doubled = [corner for corner in square for _ in range(2)]
    assert labels.roomy(doubled, (1, 1), []) == labels.roomy(square, (1, 1), [])
    assert labels.roomy([(1, 1)] * 4, (1, 1), [], covers=[[(2, 2)] * 3]) == (1, 1)
