"""What a text is measured against: a trace, its numbers computed anew with 60 digits (tests.attn.exact)."""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np

from attn.core import numerals
from attn.core.forward import Trace
from tests.attn import exact

NEAR = 1e-9
LETTERS = {"e": "embedding", "x": "positioned", "h": "contextual"}


def shown(text: str, value, units: float = 0.5) -> bool:
    """Whether `text` is what is printed of `value`: off by at most so many units of its last digit."""
    number, value = numerals.value_of(text), float(value)
    unit = 0.1 * abs(value) if "·" in text else 10.0 ** -numerals.places_of(text)
    return abs(number - value) <= units * unit + NEAR


def printed(values) -> list[str]:
    return [numerals.number(float(value)) for value in values]


class Told:
    """A trace, and the stage of the picture that speaks of it; words as in the vocabulary, or as written."""

    def __init__(self, trace: Trace, stage: str = "", names: list[str] | None = None):
        self.trace, self.model, self.stage, self.tokens = trace, trace.model, stage, trace.tokens
        others = getattr(trace, "contrast", ())
        sentences = [" ".join(one.tokens) for one in (trace, *others)]
        words = {*trace.model.vocabulary, *sentences, *" ".join(sentences).split()}
        self.names = names or sorted(words, key=lambda name: (-len(name), name))
        self.others = [Told(one, "contextual", self.names) for one in others]

    @cached_property
    def exact(self) -> dict:
        return exact.forward(self.model, [self.model.entry(token) for token in self.tokens])

    def __getitem__(self, row: str) -> list:
        """The followed word's row of a quantity."""
        return self.exact[row][-1]

    def masked(self, said: str) -> str:
        """`said` with <0>, <1>, ... for quoted names."""
        for i, name in enumerate(self.names):
            said = said.replace(f"“{name}”", f"<{i}>")
        return said

    def words(self, text: str | None) -> list[str]:
        """The names in a stretch of a masked text."""
        return [self.names[int(i)] for i in re.findall(r"<(\d+)>", text or "")]

    def sentence(self, text: str) -> Told:
        """The compared sentence that a masked text quotes."""
        return next(one for one in self.others if [" ".join(one.tokens)] == self.words(text))

    # the followed word in its states

    def state(self, name: str) -> list:
        return self["embeddings" if name == "embedding" else name]

    def scores(self, name: str) -> list[float]:
        return [float(score) for score in exact.scores(self.model, self.state(name))]

    def probability(self, name: str) -> float:
        scores = np.array(self.scores(name))
        return float(1 / np.exp(scores - scores.max()).sum())

    def best(self, name: str) -> list[str]:
        scores = self.scores(name)
        return [word for word, s in zip(self.model.vocabulary, scores, strict=True) if max(scores) - s <= NEAR]

    def _distance(self, point) -> float:
        rows = map(self.model.index, (self.model.story.origin, self.model.story.target))
        return float(exact.distance(self.model, *rows, point))

    def distance(self, name: str) -> float:
        return self._distance(self.state(name))

    def side(self, name: str) -> list[str]:
        """The word of the side; nothing on the plane itself."""
        d, story = self.distance(name), self.model.story
        return [] if abs(d) <= NEAR else [story.target if d > 0 else story.origin]

    @property
    def crosses(self) -> bool:
        return self.distance("positioned") < -NEAR and self.distance("contextual") > NEAR

    @property
    def moved(self) -> bool:
        """Whether what the decoder predicts is another word in one of the states."""
        return len({tuple(self.best(name)) for name in LETTERS.values()}) > 1

    @cached_property
    def pushes(self) -> list[float]:
        """By how much each word changes the signed distance."""
        start, W_O = self.state("positioned"), exact.numbers(self.model.W_O)
        ends = [self._distance(exact.plus(start, exact.times(W_O, part))) for part in self["weighted"]]
        return [end - self.distance("positioned") for end in ends]

    def largest(self, values, texts: list[str], said: list[str]) -> bool:
        """Whether `said` are the words with the largest values: others have smaller ones, which are printed so, too."""
        ends = list(zip(map(float, values), texts, strict=True))
        top, text = max(ends, key=lambda end: end[0])
        rest = [end for end, word in zip(ends, self.tokens, strict=True) if word not in said]
        led = any(end[0] == top for end, word in zip(ends, self.tokens, strict=True) if word in said)
        return led and all(top - value > NEAR and other != text for value, other in rest)

    # scores of pairs, story B

    def pair(self, first: str, second: str) -> tuple[int, int]:
        return self.tokens.index(first), self.tokens.index(second)

    def score(self, first: str, second: str, tied: bool = False) -> float:
        i, j = self.pair(first, second)
        queries, keys = self.exact["queries"], self.exact["queries" if tied else "keys"]
        return float(exact.dot(queries[i], keys[j])) / self.model.d_k**0.5

    def lopsided(self) -> float:
        """By how much two words' scores of each other differ at most."""
        words = dict.fromkeys(self.tokens)
        return max(self.score(a, b) - self.score(b, a) for a in words for b in words)
