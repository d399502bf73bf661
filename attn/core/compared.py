"""The sentences that a story is compared with, chosen from its numbers."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np

from attn.core.errors import WeightsError
from attn.core.forward import Trace, forward
from attn.core.model import Model


def contrast_of(trace: Trace) -> tuple[Trace, ...]:
    """The passes over the contrast sentences, if the trace is the story's own; without views.

    Where there is no third sentence, the followed word alone and the story's; nothing in a file without decoder.
    """
    story = trace.model.story
    if story is None or trace.tokens != story.sentence or trace.plane is None or trace.contextual is None:
        return ()
    sentences = contrast_sentences(trace.model) or dict.fromkeys((story.sentence[-1:], story.sentence))
    return tuple(forward(trace.model, sentence) for sentence in sentences)


def contrast_sentences(model: Model) -> tuple[tuple[str, ...], ...] | None:
    """Three sentences with one last word: it alone, the story's, and one with like keys in another order.

    The third is as long as the story's and is not followed by story.to. Tried in turn: the context moved on
    by one word, with a new word in front; the context in another order; one word of the context replaced. New
    words come in the order in which their keys are like that of the word they stand in for. None where there
    is no such sentence. [[expect]] has no say in it.
    """
    complete = model.story is not None and model.story.origin is not None
    if not complete or model.W_out is None or model.W_O is None or len(model.story.sentence) < 2:
        return None
    story = model.story.sentence
    for sentence in _other_orders(model):
        try:
            predicted = forward(model, sentence).decoder["contextual"].words
        except WeightsError:  # this one overflows
            continue
        if model.story.target not in predicted:
            return story[-1:], story, sentence
    return None


def _other_orders(model: Model):
    """Sentences like the story's, the most telling first."""
    *context, last = story = model.story.sentence
    dropped = len(context) - 1
    for word in _like(model, dropped):
        yield (word, *context[:-1], last)
    if len(context) <= 5:
        yield from ((*order, last) for order in permutations(context) if order != story[:-1])
    for place in range(len(context)):
        yield from ((*context[:place], word, *context[place + 1 :], last) for word in _like(model, place))


def _like(model: Model, place: int) -> list[str]:
    """Words outside the story, those with a key most like that of the story's word at `place` first."""
    story = model.story
    told = {model.entry(word) for word in story.sentence} | {story.origin, story.target}
    words = [word for word in model.vocabulary if word not in told]
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is far away
        keys = model.embeddings @ model.W_K.T  # V x d_k
        key = keys[model.index(story.sentence[place])]
        apart = {w: np.nan_to_num(math.dist(keys[model.index(w)], key), nan=np.inf) for w in words}
    return sorted(words, key=lambda w: (round(float(apart[w]), 9), model.index(w)))
