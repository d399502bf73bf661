"""Words of a sentence are compared with the vocabulary without case, and shown as they were written."""

import numpy as np
import pytest

from attn import core, look, weights
from attn.model import WeightsError, same_word

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
    ],
)
def test_an_exact_match_first_then_the_only_one_that_differs_in_case(written, vocabulary, meant):
    assert same_word(written, vocabulary) == meant


def test_tokens_keep_what_was_written_and_share_the_row():
    trace = core.forward(weights.read(PLAIN))
    assert trace.tokens == ("The", "cat", "THE", "the-end")
    assert np.array_equal(trace.embeddings[0], trace.embeddings[2])
    assert np.array_equal(trace.attention[0], trace.attention[2])


def test_a_word_has_one_colour_however_it_is_written():
    trace = core.forward(weights.read(PLAIN))
    assert look.word_colour(trace, "The") == look.word_colour(trace, "the") == look.word_colour(trace, "THE")
    assert len({look.word_colour(trace, word) for word in trace.model.vocabulary}) == 3


def test_a_story_without_decoder_is_a_sentence_alone():
    model = weights.read(PLAIN)
    assert model.story.origin is model.story.target is None
    assert core.forward(model).plane is None
    again = weights.read(weights.dumps(model))
    assert again.story == model.story and "from" not in weights.dumps(model)


def test_half_a_pair_of_words_is_refused():
    with pytest.raises(WeightsError, match="story.to is missing"):
        weights.read(PLAIN + 'from = "the"\n')
