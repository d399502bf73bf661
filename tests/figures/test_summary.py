"""The summary: one state a space, at the place the trace says; predicted words in filled frames."""

import numpy as np
import pytest

from attn.core import record
from attn.core.forward import CHECKPOINTS
from attn.picture import palette
from tests.figures.artists import FILES, bars, dots, drawn, has, large, named, panels, printed, tips, traced

MODELS = [*FILES, large()]


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_each_space_shows_one_state(source):
    trace = traced(source)
    colour = palette.word_colour(trace, trace.tokens[-1])
    spaces = panels(drawn("summary", source))
    assert len(spaces) == 3
    for name, space in zip(CHECKPOINTS, spaces, strict=True):
        tip = trace.view.project(trace.state(name))
        found = np.concatenate([tips(space, colour), dots(space, colour)])
        assert len(found) == 1 and has(found, tip)


def test_the_spaces_have_one_camera_and_range():
    first, *others = panels(drawn("summary", FILES[0]))
    for space in others:
        assert space.get_xlim() == first.get_xlim() and space.get_ylim() == first.get_ylim()
        assert space.get_position().size == pytest.approx(first.get_position().size)


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_predicted_words_are_filled_and_no_others(source):
    trace, figure = traced(source), drawn("summary", source)
    columns = [(i * 58.0, (i + 1) * 58.0) for i in range(3)]
    told = {trace.model.story.origin, trace.model.story.target}
    for word in told | {w for found in trace.decoder.values() for w in found.words}:
        frames = [b for b in bars(figure, palette.word_colour(trace, word)) if b[3] - b[1] == pytest.approx(4.8)]
        filled = [any(low <= left < high for left, *_ in frames) for low, high in columns]
        assert filled == [word in trace.decoder[name].words for name in CHECKPOINTS]


@pytest.mark.parametrize("source", MODELS, ids=named)
def test_every_checkpoint_prints_the_scores_and_probabilities_of_both_words(source):
    trace, found = traced(source), printed(drawn("summary", source))
    for name in CHECKPOINTS:
        for word in (trace.model.story.origin, trace.model.story.target):
            for what in ("scores", "probabilities"):
                assert record.path("decoder", name, what, word) in found
