"""The texts of a picture, and the parts of sentences they are made of: as true of a trace as what is drawn from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from attn import look
from attn.look import Rich, Run, rich

ROUNDED = "Numbers are rounded."


@dataclass(frozen=True)
class Texts:
    """The texts of one asset."""

    title: str
    does: Rich  # what this step does, a line or two
    caption: str  # could stand under the figure in a book
    alt: str  # says what is to be seen
    stage: str  # the checkpoint whose prediction the picture shows
    outcome: Rich = ()  # what comes of it with these weights: follows `does` in a figure, ends a film

    @property
    def told(self) -> Rich:
        """What the step does, and what comes of it."""
        return (*self.does, Run(" "), *self.outcome) if self.outcome else self.does


def first_part() -> str:
    """Where a picture has its first part; in a column it is above the second."""
    return "At the top" if look.width() == "column" else "On the left"


def second_part() -> str:
    """Where a picture has its second part."""
    return "Below it" if look.width() == "column" else "On the right"


def words_seen(trace) -> str:
    """What the first part shows in most steps."""
    return f"{first_part()}, the positioned vectors of {words_listed(trace.tokens)} in the 3-D word embedding space"


def sentence(trace) -> str:
    """The sentence, quoted."""
    return f"“{' '.join(trace.tokens)}”"


def predicted_words(trace, checkpoint: str, colours=None) -> Rich:
    """The word that is predicted at a checkpoint, in its colour (in the trace `colours`); every word of a tie."""
    words = trace.decoder[checkpoint].words
    runs: list[Run] = []
    for i, text in enumerate(words):
        if i:
            runs.append(Run(" or " if i == len(words) - 1 else ", "))
        runs.append(replace(look.word(colours or trace, text), answer=True))
    return tuple(runs) + ((Run(" (a tie)"),) if len(words) > 1 else ())


def says(trace, checkpoint: str) -> str:
    """What the decoder predicts at a checkpoint, as a clause with its probability; a tie is said to be one."""
    found = trace.decoder[checkpoint]
    words = found.words
    share = look.probability_cells(trace, checkpoint)[words[0]].text
    if len(words) > 1:
        return f"{words_listed(words)} tie for the next word (probability {share} each)"
    return f"the decoder predicts “{words[0]}” (probability {share})"


def unlisted(trace, checkpoint: str, shown: Sequence[int]) -> list[Rich]:
    """What is said of the vocabulary's rows that are not `shown`: how many, and what they score at most; or shorter."""
    words, scores = trace.model.vocabulary, trace.decoder[checkpoint].scores
    rest = [i for i in range(len(words)) if i not in shown]
    best = look.score_cells(trace, checkpoint)[words[max(rest, key=lambda i: scores[i])]]
    wordings = "[n] more words score [s] or less", "[n] more: [s] or less"
    return [rich(wording, n=str(len(rest)), s=best) for wording in wordings]


def sides(trace, *checkpoints: str) -> str:
    """On which side of the plane some states lie, as a phrase."""
    story = trace.model.story

    def side(distance: float) -> str:
        if not distance:
            return "on the plane itself"
        return f"on the “{story.origin if distance < 0 else story.target}” side"

    return ", then ".join(dict.fromkeys(side(trace.distances[name]) for name in checkpoints))


def words_listed(words: Sequence[str]) -> str:
    """“a”, “b” and “c”."""
    quoted = [f"“{w}”" for w in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def weights_listed(trace) -> str:
    """The followed word's attention weights, as printed in the pictures: 0.30 on “why”, 0.70 on “you”."""
    texts = look.weight_texts(trace.attention[trace.last])
    return ", ".join(f"{text} on “{word}”" for text, word in zip(texts, trace.tokens, strict=True))


def vector(values) -> str:
    """A vector as text, (1.00, −0.50), with as few decimals as show it exactly."""
    places = look.decimals(values)
    return f"({', '.join(look.number(v, places) for v in values)})"


def signed(value: float) -> str:
    """A number with its sign, + or −, unless it is printed as 0.00."""
    text = look.number(value)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def sentence_case(text: str) -> str:
    """The text with a capital letter at its start."""
    return text[:1].upper() + text[1:]
