"""Contrast: landing points, weights and predictions of all sentences; expectations have no say."""

from dataclasses import replace

import numpy as np
import pytest

from attn.core import numerals, record, weights
from attn.core.model import Story
from attn.core.reading import Reading, digest
from attn.picture import palette
from tests.figures.artists import (
    FILES,
    REFERENCE,
    data,
    dots,
    drawn,
    has,
    large,
    named,
    page,
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
def test_each_sentence_falls_from_x_to_h_on_the_one_scale(source):
    """Arrows end where the shares say, on a scale that is read off the marks of x and h."""
    trace, figure = traced(source), drawn("contrast", source)
    marks = dots(page(figure), palette.word_colour(trace, trace.tokens[-1])).reshape(len(trace.contrast), 3, 2)
    ends = [other.distances[name] for other in trace.contrast for name in ("positioned", "contextual")]
    scale = fitted_line(ends, marks[:, 1:, 0].ravel())  # each sentence has its letter, then x and h
    for index, other in enumerate(trace.contrast):
        place = other.distances["positioned"]
        for j, token in enumerate(other.tokens):
            assert f"contrast[{index}].attention[{other.last}][{j}]" in printed(figure)
            place += other.shares[j]
            found = tips(page(figure), palette.word_colour(trace, token))
            assert np.abs(found[:, 0] - scale(place)).min() < 1e-6


def fitted_line(values, places):
    """The line from values to places, which has to be one."""
    values, places = np.asarray(values), np.asarray(places)
    slope, start = np.polyfit(values, places, 1)
    assert slope > 0 and np.allclose(slope * values + start, places, atol=1e-6)
    return lambda value: slope * value + start


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_paths_lead_into_the_json_of_the_trace(source):
    for path, found in printed(drawn("contrast", source)).items():
        value = record.lookup(data(source), path)
        assert all(abs(float(text.replace(numerals.MINUS, "-")) - value) <= 0.01 for text in found)


def test_a_story_of_one_word_is_drawn_alone():
    model = replace(weights.load(REFERENCE), story=Story(("you",), "are", "here"), expect=())
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
