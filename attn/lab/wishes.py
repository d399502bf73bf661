"""What is asked of weights: that every sentence gets its word, that attention does the work, and what pictures need."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from attn.core.claims import attends
from attn.core.forward import CHECKPOINTS, Trace, forward
from attn.core.model import PARAMETERS, Expect, Model
from attn.picture.drawn import picture

# What is asked of the weights; lengths in embedding units, leads in scores
LEAD = 2.5  # of every expected word over every other word
MOVES = 0.1  # by more than any other word, along the plane's normal, words that are attended to
LEAD_BEFORE = 1.0  # of story.from at e and at x
SELF = (0.05, 0.30)  # attention of the followed word on itself
CONTEXT = 0.5  # on each of n context words: at least this, shared by n, where no entry says what it attends to
SHARE, SHORT = 0.8, 0.3  # of words that a story turns on together: towards story.to, and without which it stays short
ALIKE = 0.3  # towards story.to, by such a word, in a compared sentence that all the same ends on the other side
OFF = 0.3  # distance of each word of the story from the plane, before and after its position is added
APART, LONG = 1.0, 0.9  # embeddings: distance of any two, and length
SHIFT = (0.3, 1.0)  # length of position vectors
DISPLACED = 1.5  # length of the displacement c
TIPS = 0.3  # distance of any two of the tips of e, x and h on the page
LARGEST = 2.5  # size of every number apart from b_out


class FitError(ValueError):
    """No weights were found; str() says in one line which demands are not met."""


def wishes(model: Model) -> tuple[Expect, ...]:
    """The [[expect]] entries and, of the story, the sentence and its last word alone, each once.

    Raises FitError for a sentence that is to be followed by two words, and where there is none.
    """
    entries = list(model.expect)
    if told(model):
        story = model.story
        entries.append(Expect(story.sentence, story.target))
        if len(story.sentence) > 1:
            entries.append(Expect(story.sentence[-1:], story.origin))
    found: dict[tuple[str, ...], Expect] = {}
    for entry in entries:
        words, attended = (tuple(map(model.entry, part)) for part in (entry.sentence, entry.attends))
        first = found.setdefault(words, Expect(words, entry.next, attended))
        if first.next != entry.next:
            both = f'"{first.next}" and by "{entry.next}"'
            raise FitError(f'"{" ".join(entry.sentence)}" is to be followed by {both}: no weights do both')
    if not found:
        raise FitError("the file has neither [[expect]] entries nor a story: nothing to fit")
    return tuple(found.values())


def story_row(model: Model, wanted: tuple[Expect, ...]) -> int | None:
    """The place of the story's sentence among the `wishes`; None without a story."""
    if not told(model):
        return None
    return [e.sentence for e in wanted].index(tuple(model.entry(word) for word in model.story.sentence))


def told(model: Model) -> bool:
    return model.story is not None and model.story.origin is not None


# What a set of weights lacks


def shortfalls(model: Model, wanted: tuple[Expect, ...] | None = None) -> list[str]:
    """What `model` lacks of everything that is asked of it, a short text each; empty if it lacks nothing."""
    found = []
    for entry in wishes(model) if wanted is None else wanted:
        scores = forward(model, entry.sentence).decoder["contextual"].scores
        row = model.index(entry.next)
        lead = scores[row] - max(np.delete(scores, row), default=-np.inf)
        found += _least(f'lead of "{entry.next}" after "{" ".join(entry.sentence)}"', lead, LEAD)
        found += [claim.text for claim in attends(model, entry) if not claim.holds]
    found += _lengths(model)
    return found + _of_the_story(model) if told(model) else found


def _least(what: str, value: float, least: float) -> list[str]:
    return [] if value >= least - 1e-9 else [f"{what} is {value:.2f}, wanted at least {least:g}"]


def _most(what: str, value: float, most: float) -> list[str]:
    return [] if value <= most + 1e-9 else [f"{what} is {value:.2f}, wanted at most {most:g}"]


def _lengths(model: Model) -> list[str]:
    found = []
    for name in PARAMETERS[:-1]:
        found += _most(f"largest number of {name}", np.abs(getattr(model, name)).max(), LARGEST)
    for word, e in zip(model.vocabulary, model.embeddings, strict=True):
        found += _least(f'length of "{word}"', np.linalg.norm(e), LONG)
    for (a, e), (b, f) in combinations(zip(model.vocabulary, model.embeddings, strict=True), 2):
        found += _least(f'distance of "{a}" and "{b}"', np.linalg.norm(e - f), APART)
    for row, p in enumerate(model.positions, start=1):
        found += _least(f"length of position {row}", np.linalg.norm(p), SHIFT[0])
        found += _most(f"length of position {row}", np.linalg.norm(p), SHIFT[1])
    return found


def _of_the_story(model: Model) -> list[str]:
    trace = picture(model)
    context, found = trace.n - 1, []
    pair = [model.index(word) for word in (model.story.origin, model.story.target)]
    for name in CHECKPOINTS[:2]:
        scores = trace.decoder[name].scores
        lead = scores[pair[0]] - max(np.delete(scores, pair[0]), default=-np.inf)
        found += _least(f'lead of "{model.story.origin}" at the {name} checkpoint', lead, LEAD_BEFORE)
    if context:
        for word, weight in zip(trace.tokens[:-1], trace.attention[-1], strict=False):
            if not any(entry.attends for entry in model.expect):
                found += _least(f'attention on "{word}"', weight, CONTEXT / context)
        found += _least("attention on itself", trace.attention[-1, -1], SELF[0])
        found += _most("attention on itself", trace.attention[-1, -1], SELF[1])
    found += _turning(trace)
    found += _least("length of the displacement", np.linalg.norm(trace.correction[-1]), DISPLACED)
    if model.d_model == 3:
        tips = trace.view.project([trace.state(name) for name in CHECKPOINTS])
        for (a, p), (b, q) in combinations(zip("exh", tips, strict=True), 2):
            found += _least(f"distance of the tips of {a} and {b} on the page", np.linalg.norm(p - q), TIPS)
    return found


def _turning(trace: Trace) -> list[str]:
    """What is lacking of a story that turns on several words together; nothing where its entry names but one."""
    names, model, found = turning(trace.model, trace.model.expect), trace.model, []
    if len(names) < 2:
        return found
    for word, share in zip(map(model.entry, trace.tokens), trace.shares, strict=True):
        if word in names:
            found += _least(f'share of "{word}"', share, SHARE)
            found += _most(f'distance of h without "{word}"', trace.distances["contextual"] - share, -SHORT)
        elif word == model.entry(trace.tokens[-1]):
            found += _most(f'share of "{word}"', abs(share), SHORT)
    for one in (one for one in trace.contrast if not one.distances["contextual"] > 0):
        pushed = [
            (word, share) for word, share in zip(one.tokens, one.shares, strict=True) if model.entry(word) in names
        ]
        if len(pushed) == 1:
            (word, share), said = pushed[0], " ".join(one.tokens)
            found += _least(f'share of "{word}" in "{said}"', share, ALIKE)
    for name, states in (("e", trace.embeddings), ("x", trace.positioned)):
        for word, distance in zip(trace.tokens, trace.plane.distance(states), strict=True):
            found += _least(f'distance of {name} of "{word}" from the plane', abs(distance), OFF)
    return found


def turning(model: Model, wanted: tuple[Expect, ...]) -> tuple[str, ...]:
    """The words of the vocabulary that the story's entry says its last word attends to."""
    entries = [
        e for e in wanted if tuple(map(model.entry, e.sentence)) == tuple(map(model.entry, model.story.sentence))
    ]
    return tuple(model.entry(word) for entry in entries for word in entry.attends)
