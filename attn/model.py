"""The content of a weights file, as frozen data: what the user wrote, checked, as 64-bit floats."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from attn.spelling import invisible, same_word

FORMAT = "attn-weights/1"
LONGEST_SENTENCE = 200  # words; time and memory grow with its square


class WeightsError(ValueError):
    """A weights file that cannot be used; str() is one line: file, place, what was found, what is wanted."""

    def __init__(self, place: str, message: str, file: str | None = None):
        self.place, self.message, self.file = place, message, file
        super().__init__(place, message, file)

    def __str__(self) -> str:
        parts = [part for part in (self.file, _shortened(self.place)) if part]
        joint = " " if self.message.startswith(("is ", "has ")) else ": "
        message = _shortened(self.message)
        return _one_line(joint.join([": ".join(parts), message]) if parts else message)

    def within(self, file: str) -> WeightsError:
        """The same error, naming the file it came from."""
        return WeightsError(self.place, self.message, file)


def _shortened(text: str) -> str:
    """`text` with its very long words cut, as a file may have some."""
    return re.sub(r"\S{200,}", lambda word: f"{word[0][:60]}…", text)


def _one_line(text: str) -> str:
    """What breaks lines or cannot be seen written out, so that a message is one line and says what was in the file."""
    return "".join(c if c.isprintable() and not invisible(c) else c.encode("unicode_escape").decode() for c in text)


class size(property):
    """A property that tells a shape and none of the numbers in it: who reads it has not read those (attn.reading)."""


@dataclass(frozen=True)
class Story:
    """The sentence the pictures follow, and the two words between which its last word's prediction turns."""

    sentence: tuple[str, ...]  # words; the last one is followed
    origin: str | None = None  # story.from: the prediction without context; None in a file without decoder
    target: str | None = None  # story.to: the prediction with context; None where origin is


@dataclass(frozen=True)
class Expect:
    """One [[expect]] entry: the word that must be predicted after a sentence."""

    sentence: tuple[str, ...]
    next: str


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
        """The row of `word` in the vocabulary (see `attn.spelling.same_word`).

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


def nearest(name: str, known) -> str:
    """'; did you mean X?' with the known name most like `name`, or nothing if none is like it.

    The only one that begins with `name` is, and that failing one that differs little, or the only one it is a part of.
    """
    import difflib

    asked, lower = name.lower(), {word.lower(): word for word in reversed(list(known))}
    begun, parts = ([word for word in lower if test(word, asked)] for test in (str.startswith, str.__contains__))
    alike = difflib.get_close_matches(asked, lower, n=1, cutoff=0.6)
    match = next((found for found in (begun, alike, parts) if len(found) == 1), None)
    return f'; did you mean "{lower[match[0]]}"?' if match else ""
