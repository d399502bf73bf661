"""Contrast: landing points, weights and predictions of all sentences; expectations have no say."""

from dataclasses import replace

import numpy as np
import pytest

from attn.core import numerals, record, weights
from attn.core.compared import contrast_sentences
from attn.core.model import Story
from attn.core.reading import Reading, digest
from attn.picture import palette
from attn.picture.drawn import picture
from tests.figures.artists import (
    FILES,
    REFERENCE,
    bars,
    data,
    dots,
    drawn,
    has,
    large,
    named,
    panels,
    printed,
    tips,
    traced,
)

MODELS = [*FILES, large()]


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_every_sentence_lands_where_its_own_pass_says(source):
    trace = traced(source)
    space = panels(drawn("contrast", source))[0]
    colour, pink = palette.word_colour(trace, trace.tokens[-1]), palette.theme().context
    for other in trace.contrast:
        at = trace.view.project(other.contextual[-1])
        assert has(dots(space, colour), at) and has(np.concatenate([tips(space, pink), dots(space, pink)]), at)


@pytest.mark.parametrize("source", FILES, ids=named)
def test_bars_are_as_high_as_the_weights_and_have_their_words_colours(source):
    trace, figure = traced(source), drawn("contrast", source)
    for index, other in enumerate(trace.contrast):
        for j, token in enumerate(other.tokens):
            heights = [top - bottom for _, bottom, _, top in bars(figure, palette.word_colour(trace, token))]
            assert any(height == pytest.approx(9.0 * other.attention[-1][j]) for height in heights)
            assert f"contrast[{index}].attention[{other.last}][{j}]" in printed(figure)


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_paths_lead_into_the_json_of_the_trace(source):
    for path, found in printed(drawn("contrast", source)).items():
        value = record.lookup(data(source), path)
        assert all(abs(float(text.replace(numerals.MINUS, "-")) - value) <= 0.01 for text in found)


def test_the_sentences_are_those_that_tell_most():
    trace = traced(REFERENCE)
    assert tuple(other.tokens for other in trace.contrast) == contrast_sentences(trace.model)
    assert [other.decoder["contextual"].word for other in trace.contrast] == ["are", "here", "are"]


def test_expectations_have_no_say():
    model = weights.load(REFERENCE)
    plain = picture(replace(model, expect=()))
    assert [o.tokens for o in plain.contrast] == [o.tokens for o in traced(REFERENCE).contrast]


def test_a_story_of_one_word_is_drawn_alone():
    model = replace(weights.load(REFERENCE), story=Story(("you",), "are", "here"))
    assert [other.tokens for other in traced(model).contrast] == [("you",)]
    assert printed(drawn("contrast", model))["contrast[0].attention[0][0]"] == ["1.00"]


def test_what_is_read_of_other_sentences_is_recorded():
    trace = traced(REFERENCE)
    reading = Reading(trace)
    assert reading.contrast[2].attention is trace.contrast[2].attention
    assert "contrast.2.attention" in reading.names
    shorter = replace(trace, contrast=trace.contrast[:2])
    assert digest(shorter, reading.names) != reading.digest()


def test_a_change_that_only_another_sentence_sees_changes_the_digest():
    trace, reading = traced(REFERENCE), Reading(traced(REFERENCE))
    _ = reading.contrast[2].contextual
    other = replace(trace.contrast[2], contextual=trace.contrast[2].contextual + 1)
    assert digest(replace(trace, contrast=(*trace.contrast[:2], other)), reading.names) != reading.digest()
