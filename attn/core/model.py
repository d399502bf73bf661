"""The content of a weights file, as frozen data: what the user wrote, checked, as 64-bit floats."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from attn.core.errors import WeightsError, nearest
from attn.core.spelling import same_word

FORMAT = "attn-weights/1"
LONGEST_SENTENCE = 200  # words; time and memory grow with its square


class size(property):
    """A property that tells a shape and none of the numbers in it: who reads it has not read those."""


@dataclass(frozen=True)
class Story:
    """The sentence the pictures follow, and the two words between which its last word's prediction turns."""

    sentence: tuple[str, ...]  # words; the last one is followed
    origin: str | None = None  # story.from: the prediction without context; None in a file without decoder
    target: str | None = None  # story.to: the prediction with context; None where origin is
    contrast: tuple[tuple[str, ...], ...] = ()  # sentences to compare it with, as listed; none where the file has none


@dataclass(frozen=True)
class Expect:
    """One [[expect]] entry: the word that must be predicted after a sentence, and the words that are to settle it."""

    sentence: tuple[str, ...]
    next: str
    attends: tuple[str, ...] = ()  # words of the sentence that the last one attends to most


@dataclass(frozen=True, eq=False)
class Model:
    """One weights file. Matrices act on column vectors from the left: q = W_Q x.

    Optional parts are None where the file leaves them out.
    """

    vocabulary: tuple[str, ...]  # V words
    embeddings: np.ndarray  # V x d_model
    W_Q: np.ndarray  # d_k x d_model
    W_K: np.ndarray  # d_k x d_model
    W_V: np.ndarray  # d_v x d_model
    positions: np.ndarray | None = None  # n_max x d_model
    W_O: np.ndarray | None = None  # d_model x d_v
    W_out: np.ndarray | None = None  # V x d_model
    b_out: np.ndarray | None = None  # V
    causal: bool = True
    title: str = ""
    story: Story | None = None
    expect: tuple[Expect, ...] = field(default=())
    azimuth: float | None = None  # degrees; pins the camera
    elevation: float | None = None  # degrees

    def __post_init__(self):
        for name in PARAMETERS:
            value = getattr(self, name)
            if value is not None:
                value = np.array(value, dtype=np.float64)
                value.flags.writeable = False
                object.__setattr__(self, name, value)

    @size
    def d_model(self) -> int:
        return self.embeddings.shape[1]

    @size
    def d_k(self) -> int:
        return self.W_Q.shape[0]

    @size
    def d_v(self) -> int:
        return self.W_V.shape[0]

    @size
    def n_max(self) -> int | None:
        """The longest sentence the file allows; None without position vectors."""
        return None if self.positions is None else len(self.positions)

    def index(self, word: str) -> int:
        """The row of `word` in the vocabulary (see `attn.core.spelling.same_word`).

        Raises ValueError for a word that is not in it.
        """
        return self.vocabulary.index(same_word(word, self.vocabulary) or word)

    def entry(self, word: str) -> str:
        """The word of the vocabulary that a word of a sentence, as written, stands for.

        Raises ValueError for a word that is not in it.
        """
        return self.vocabulary[self.index(word)]

    def words(self, sentence: str | tuple[str, ...], place: str = "sentence") -> tuple[str, ...]:
        """`sentence` split at blanks into words of the vocabulary, each as it was written.

        Raises WeightsError naming `place` for a sentence that is empty, too long or has an unknown word.
        """
        words = tuple(sentence.split()) if isinstance(sentence, str) else tuple(sentence)
        if not words:
            raise WeightsError(place, "is empty, expected words of the vocabulary")
        if len(words) > LONGEST_SENTENCE:
            raise WeightsError(place, f"has {len(words)} words, expected at most {LONGEST_SENTENCE}")
        for word in words:
            if same_word(word, self.vocabulary) is None:
                raise WeightsError(place, f'"{word}" is not in the vocabulary{nearest(word, self.vocabulary)}')
        if self.n_max is not None and len(words) > self.n_max:
            raise WeightsError(place, f"has {len(words)} words, but parameters.positions has {self.n_max} rows")
        return words


# The parameters of the format, in the order in which they are used.
PARAMETERS = ("embeddings", "positions", "W_Q", "W_K", "W_V", "W_O", "W_out", "b_out")
