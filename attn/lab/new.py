"""A story of one's own, from the sentences that a teacher has in mind to a file that the search can meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attn.core import weights
from attn.core.model import Expect, Model, Story, WeightsError

SHARE = "="  # between a sentence and the word that follows it


@dataclass(frozen=True)
class Wish:
    """What is asked of the weights, as it was said."""

    sentence: tuple[str, ...]  # its last word is followed
    alone: str  # what follows that word alone
    after: str  # what follows it in the sentence
    like: tuple[tuple[tuple[str, ...], str], ...] = ()  # sentences to compare, and what follows each
    because: tuple[str, ...] = ()  # words of the sentence that are to settle it


def likeness(text: str) -> tuple[tuple[str, ...], str]:
    """A sentence and what follows it, from "the river bank = of". Raises WeightsError for any other text."""
    sentence, sign, word = text.rpartition(SHARE)
    if not sign or not sentence.split() or len(word.split()) != 1:
        raise WeightsError("--like", f'"{text}", expected a sentence, "=" and the word that follows it')
    return tuple(sentence.split()), word.strip()


def model(wish: Wish) -> Model:
    """The file without its parameters, checked as any other. Raises WeightsError for what does not fit together."""
    followed = wish.sentence[-1:]
    told = [(followed, wish.alone), (wish.sentence, wish.after), *wish.like]
    words = dict.fromkeys(word for sentence, following in told for word in (*sentence, following))
    compared = tuple(dict.fromkeys(sentence for sentence, _ in told if sentence[-1:] == followed))
    expect = tuple(Expect(s, word, wish.because if s == wish.sentence else ()) for s, word in told)
    nothing = np.zeros((len(words), 0)), *[np.zeros((0, 0))] * 3
    found = Model(
        tuple(words), *nothing, title=" ".join(wish.sentence), expect=expect,
        story=Story(wish.sentence, wish.alone, wish.after, compared[: weights.MOST_COMPARED]),
    )  # fmt: skip
    return weights.read(weights.dumps(found), parameters_required=False)


def understood(found: Model) -> list[str]:
    """What is asked, a line for each sentence."""
    lines = []
    for entry in found.expect:
        because = f", because of {' and '.join(_quoted(word) for word in entry.attends)}" if entry.attends else ""
        lines.append(f"{_quoted(' '.join(entry.sentence))} is followed by {_quoted(entry.next)}{because}")
    return lines


def _quoted(words: str) -> str:
    return f'"{words}"'


def wish(sentence: str, alone: str, after: str, like: Sequence[str], because: Sequence[str]) -> Wish:
    """A wish from texts. Raises WeightsError for an empty sentence and for one of `like` that cannot be read."""
    if not sentence.split():
        raise WeightsError("SENTENCE", "is empty, expected words parted by blanks")
    return Wish(tuple(sentence.split()), alone.strip(), after.strip(), tuple(map(likeness, like)), tuple(because))
