"""The decoder's figure: bars as long as scores and probabilities, the best word marked by more than its colour."""

import numpy as np
import pytest

from attn.core import record
from attn.picture import palette
from tests.figures.artists import FILES, bars, drawn, large, named, page, printed, texts, traced

MODELS = [*FILES, large()]


def shown(source):
    """Rows of the vocabulary that have a row in the figure."""
    trace, found = traced(source), printed(drawn("decoder", source))
    paths = [record.path("decoder", "contextual", "probabilities", word) for word in trace.model.vocabulary]
    return [i for i, path in enumerate(paths) if path in found]


def row_bars(source, row: int):
    """Left and right ends of all rectangles in a word's colour."""
    trace = traced(source)
    found = bars(drawn("decoder", source), palette.word_colour(trace, trace.model.vocabulary[row]))
    return [(left, right) for left, _, right, _ in found]


@pytest.mark.parametrize("source", FILES, ids=named)
def test_every_word_has_its_score_and_its_probability(source):
    trace, found = traced(source), printed(drawn("decoder", source))
    for word in trace.model.vocabulary:
        assert record.path("decoder", "contextual", "scores", word) in found
        assert record.path("decoder", "contextual", "probabilities", word) in found


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_bars_are_as_long_as_their_values(source):
    trace = traced(source)
    prediction = trace.decoder["contextual"]
    rows = shown(source)
    for values in (prediction.scores, prediction.probabilities):
        ratios = []
        for row in rows:
            if abs(values[row]) < 0.02 * np.abs(values[rows]).max():
                continue
            lengths = [right - left for left, right in row_bars(source, row)]
            ratios.append({round(length / abs(values[row]), 6) for length in lengths})
        assert set.intersection(*ratios), "no one scale fits the bars of all words"


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_leaders_stand_in_a_filled_frame(source):
    trace, figure = traced(source), drawn("decoder", source)
    for word in trace.decoder["contextual"].words:
        colour = palette.word_colour(trace, word)
        inks = [artist.get_color() for artist in page(figure).texts if artist.get_text() == word]
        assert palette.on(colour) in inks


def test_probabilities_add_up_to_one_as_printed():
    found = printed(drawn("decoder", FILES[0]))
    shares = {path: text[0] for path, text in found.items() if ".probabilities" in path}
    assert sum(map(float, shares.values())) == pytest.approx(1.0)


def test_a_large_vocabulary_is_cut_and_says_so():
    source = large()
    trace, rows = traced(source), shown(source)
    assert len(rows) < len(trace.model.vocabulary)
    story, best = trace.model.story, trace.decoder["contextual"].word
    assert {story.origin, story.target, best} <= {trace.model.vocabulary[i] for i in rows}
    words = " ".join(texts(drawn("decoder", source)))
    assert "the best of all other words scores" in words
