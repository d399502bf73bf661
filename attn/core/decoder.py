"""The linear decoder: a score for every vocabulary word at every point, and the plane between two words.

A score is W_out(w) . r + b_out(w); probabilities are the softmax of the scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

TIE = 1e-9  # scores closer than this count as equal, and distances from a plane as none


def most(values: Iterable[float], words: Sequence[str]) -> tuple[str, ...]:
    """The words with the largest of `values`, one for each word: all within TIE of it, in their order, each once."""
    values = list(values)
    best = max(values)
    return tuple(dict.fromkeys(word for word, value in zip(words, values, strict=True) if best - value <= TIE))


def softmax(scores: np.ndarray) -> np.ndarray:
    """Softmax along the last axis, shifted by the maximum so that it cannot overflow.

    `scores` may hold -inf (weight 0), but not a whole row of it. Same shape in and out; rows sum to 1.
    """
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@dataclass(frozen=True)
class Plane:
    """The points r where two words score the same: normal . r + offset = 0, the normal of length 1."""

    normal: np.ndarray  # d_model, unit length, towards the side of the second word
    offset: float

    def distance(self, point: np.ndarray) -> np.ndarray:
        """Signed distance of `point` (... x d_model), positive on the second word's side, in embedding units."""
        return np.asarray(point) @ self.normal + self.offset

    def foot(self, point: np.ndarray) -> np.ndarray:
        """The point of the plane that is nearest to `point` (d_model)."""
        return point - self.distance(point) * self.normal

    def crossing(self, start: np.ndarray, end: np.ndarray) -> float | None:
        """The share t in [0, 1] of the way from `start` to `end` at which the plane is met; None if it is not."""
        a, b = float(self.distance(start)), float(self.distance(end))
        return a / (a - b) if a * b <= 0 and a != b else None


def plane_between(W_out: np.ndarray, b_out: np.ndarray, first: int, second: int) -> Plane | None:
    """The plane where the words in rows `first` and `second` score the same; None if their rows are equal.

    W_out is V x d_model, b_out V. Signed distances are positive where `second` scores higher. Its numbers are not
    finite where the rows or biases differ by more than floats can say.
    """
    normal = W_out[second] - W_out[first]
    size = np.abs(normal).max()  # taken out, so that no square overflows or vanishes
    if size == 0:
        return None
    length = np.linalg.norm(normal / size)
    return Plane(normal / size / length, float(b_out[second] - b_out[first]) / float(size) / float(length))


@dataclass(frozen=True)
class Prediction:
    """What the decoder says at one point."""

    scores: np.ndarray  # V, before softmax
    probabilities: np.ndarray  # V, sum to 1
    words: tuple[str, ...]  # every word within TIE of the best score, in vocabulary order

    @property
    def word(self) -> str:
        """The word with the highest score; the first in the vocabulary where several tie (see `tie`)."""
        return self.words[0]

    @property
    def tie(self) -> tuple[str, ...]:
        """The words that share the highest score, or nothing where one word leads alone."""
        return self.words if len(self.words) > 1 else ()


def decode(W_out: np.ndarray, b_out: np.ndarray, point: np.ndarray, vocabulary: tuple[str, ...]) -> Prediction:
    """Scores, probabilities and prediction at `point` (d_model)."""
    scores = W_out @ point + b_out
    return Prediction(scores, softmax(scores), most(scores, vocabulary))


def rows_shown(words: tuple[str, ...], scores: np.ndarray, always: tuple[str, ...], most: int) -> list[int]:
    """The rows of the vocabulary that a picture with room for `most` shows, in their order: `always`, then the best."""
    best = sorted(range(len(words)), key=lambda i: (words[i] not in always, -scores[i], i))
    return sorted(best[:most])
