"""Words are compared as they are seen, those of a sentence without case, and shown as they were written."""

import unicodedata

import numpy as np
import pytest

from attn.core import weights
from attn.core.forward import forward
from attn.core.model import WeightsError
from attn.core.spelling import same_word, seen
from attn.picture import palette
from tests.attn.random_models import CASES

NFC, NFD = "caf\u00e9", "cafe\u0301"
PLAIN = """
format = "attn-weights/1"
[model]
vocabulary = ["the", "cat", "The-End"]
mask = "none"
[parameters]
embeddings = [[1.0, 0.5], [0.0, 2.0], [1.0, 1.0]]
W_Q = [[1.0, 0.0]]
W_K = [[0.5, 0.5]]
W_V = [[1.0, 1.0]]
[story]
sentence = "The cat THE the-end"
"""


@pytest.mark.parametrize(
    ("written", "vocabulary", "meant"),
    [
        ("the", ("The", "the"), "the"),
        ("The", ("The", "the"), "The"),
        ("THE", ("The", "the"), None),  # either could be meant
        ("THE", ("cat", "the"), "the"),
        ("STRASSE", ("straße",), "straße"),
        ("they", ("the",), None),
        (NFD, (NFC, "the"), NFC),
        (NFC, ("the", NFD), NFD),
        (NFD.upper(), (NFC, "the"), NFC),
        (NFD, (NFC, NFC.upper()), NFC),
    ],
)
def test_an_exact_match_first_then_the_only_one_that_differs_in_case(written, vocabulary, meant):
    assert same_word(written, vocabulary) == meant


def test_tokens_keep_what_was_written_and_share_the_row():
    trace = forward(weights.read(PLAIN))
    assert trace.tokens == ("The", "cat", "THE", "the-end")
    assert np.array_equal(trace.embeddings[0], trace.embeddings[2])
    assert np.array_equal(trace.attention[0], trace.attention[2])


def test_a_word_has_one_colour_however_it_is_written():
    trace = forward(weights.read(PLAIN))
    assert palette.word_colour(trace, "The") == palette.word_colour(trace, "the") == palette.word_colour(trace, "THE")
    assert len({palette.word_colour(trace, word) for word in trace.model.vocabulary}) == 3


def test_a_story_without_decoder_is_a_sentence_alone():
    model = weights.read(PLAIN)
    assert model.story.origin is model.story.target is None
    assert forward(model).plane is None
    again = weights.read(weights.dumps(model))
    assert again.story == model.story and "from" not in weights.dumps(model)


def test_half_a_pair_of_words_is_refused():
    with pytest.raises(WeightsError, match="story.to is missing"):
        weights.read(PLAIN + 'from = "the"\n')


# Words that look alike


@pytest.mark.parametrize("form", [NFC, NFD])
def test_an_accent_may_be_encoded_either_way_and_is_shown_as_it_is_written(form):
    other = NFD if form == NFC else NFC
    text = (CASES / "reference.toml").read_text(encoding="utf-8")
    before, place, after = text.partition("vocabulary = ")
    words, mask, after = after.partition("mask = ")
    model = weights.read(before + place + words.replace("here", form) + mask + after.replace("here", other))
    assert model.story.target == form and form in model.vocabulary
    assert {entry.next for entry in model.expect} >= {form}
    assert forward(model, f"{other} {form}").tokens == (other, form)


UNSEEN = ["\u200b", "\u200c", "\u200d", "\u00ad", "\ufeff", "\u2060", "\ufe0f", "\u200e", "\u061c", "\U000e0061",
          "\u034f", "\U000e0100", "\u3164", "\u202a"]  # fmt: skip


@pytest.mark.parametrize("place", [0, 2, 4])
@pytest.mark.parametrize("hidden", UNSEEN, ids=unicodedata.name)
def test_words_that_differ_in_nothing_to_be_seen_are_refused_by_name(hidden, place):
    word = "here"[:place] + hidden + "here"[place:]
    with pytest.raises(WeightsError) as error:
        weights.read(PLAIN.replace('"cat"', f'"here", "{word}"'))
    line = str(error.value)
    assert line.startswith("model.vocabulary, word 3: ") and "looks like word 2" in line
    assert f"U+{ord(hidden):04X} ({unicodedata.name(hidden)})" in line and line.isprintable()


def test_one_word_in_two_encodings_is_refused():
    with pytest.raises(WeightsError, match=r"word 3: .* looks like word 2, but for .*U\+0301 \(COMBINING ACUTE ACCENT"):
        weights.read(PLAIN.replace('"cat"', f'"{NFC}", "{NFD}"'))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("می\u200cخواهم", "میخواهم"),
        ("क्\u200dष", "क्ष"),
        ("क्\u200cष", "क्ष"),
        ("👩\u200d💻", "👩💻"),
        ("cafe", NFC),
        ("a", "а"),
    ],
)
def test_words_that_can_be_told_apart_are_two(one, other):
    assert seen(one) != seen(other)
    assert weights.read(PLAIN.replace('["the", "cat", "The-End"]', f'["the", "{one}", "{other}"]').replace(
        "The cat THE the-end", f"{one} {other}")).story.sentence == (one, other)  # fmt: skip


def test_a_word_with_something_unseen_is_named_so_that_it_is_seen():
    with pytest.raises(WeightsError, match=r'"c\\u200bat" is not in the vocabulary; did you mean "cat"'):
        weights.read(PLAIN.replace("The cat", "The c\u200bat"))
