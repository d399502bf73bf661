"""The sentences that a story is compared with, and the words that its prediction turns on."""

from __future__ import annotations

from attn.core.decoder import TIE
from attn.core.forward import Trace, forward
from attn.core.model import Model

UNLISTED = 4  # sentences that a story is compared with, at most, where its file lists none


def contrast_of(trace: Trace) -> tuple[Trace, ...]:
    """The passes over the compared sentences, if the trace is the story's own; nothing in a file without decoder."""
    story = trace.model.story
    if story is None or trace.tokens != story.sentence or trace.plane is None or trace.contextual is None:
        return ()
    return tuple(forward(trace.model, sentence) for sentence in contrast_sentences(trace.model))


def contrast_sentences(model: Model) -> tuple[tuple[str, ...], ...]:
    """The sentences of story.contrast, as listed; where there is no list, the followed word alone, the story's
    sentence, and the first [[expect]] sentences that end in the followed word.
    """
    story = model.story
    if story.contrast:
        return story.contrast
    alike = [e.sentence for e in model.expect if model.entry(e.sentence[-1]) == model.entry(story.sentence[-1])]
    return tuple(dict.fromkeys((story.sentence[-1:], story.sentence, *alike)))[:UNLISTED]


def without_which(trace: Trace) -> list[int]:
    """The places of the words without whose share the displacement would not lead across the plane; [] if none does."""
    if trace.shares is None or not trace.crosses:
        return []
    end = trace.distances["contextual"]
    return [place for place, share in enumerate(trace.shares) if end - share < -TIE]
