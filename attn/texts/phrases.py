"""The texts of a picture, and the parts of sentences they are made of: as true of a trace as what is drawn from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from attn.core import numerals
from attn.core.decoder import TIE
from attn.core.forward import SYMBOLS
from attn.picture import depth, richtext, sizes
from attn.picture.richtext import Rich, Run, rich

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
    return "At the top" if sizes.arranged() == "column" else "On the left"


def second_part() -> str:
    """Where a picture has its second part."""
    return "Below it" if sizes.arranged() == "column" else "On the right"


def words_seen(trace) -> str:
    """What the first part shows in most steps."""
    return f"{first_part()}, the positioned vectors of {words_listed(trace.tokens)} in the 3-D word embedding space"


def compared(trace) -> tuple:
    """The sentences that end in the followed word; only the trace's own where it is not the story's."""
    return trace.contrast or (trace,)


def place_of(trace, index: int) -> tuple[str | int, ...]:
    """Where the `index`-th of them stands in the trace, as paths of numbers begin."""
    return ("contrast", index) if trace.contrast else ()


def sentence(trace) -> str:
    """The sentence, quoted."""
    return f"“{' '.join(trace.tokens)}”"


def predicted_words(trace, checkpoint: str, colours=None) -> Rich:
    """The word that is predicted at a checkpoint, in its colour (in the trace `colours`); every word of a tie."""
    words = trace.decoder[checkpoint].words
    runs = [replace(richtext.word(colours or trace, text), answer=True) for text in words]
    return joined(runs, " or ") + ((Run(" (a tie)"),) if len(words) > 1 else ())


def probability(trace, checkpoint: str) -> Rich:
    """The probability of the word that is predicted; of a tie what each of its words has."""
    found = trace.decoder[checkpoint]
    cell = numerals.probability_cells(trace, checkpoint)[found.word]
    if not found.tie:
        return richtext.as_rich(cell)
    return rich("[share] each", share=replace(cell, text=numerals.number(max(found.probabilities))))


def joined(runs: Sequence[Run], last: str) -> Rich:
    """Runs with commas between them, and `last` before the last one."""
    joints = [Run(", ")] * (len(runs) - 2) + [Run(last)] * (len(runs) > 1)
    return tuple(piece for pair in zip(runs, joints, strict=False) for piece in pair) + (runs[-1],)


def listening(trace) -> Rich:
    """To which words the followed word listens most, as a clause that begins with it."""
    weights, you = trace.attention[trace.last], richtext.word(trace, trace.tokens[-1])
    leaders = leading(weights, numerals.weight_texts(weights))
    if trace.n == 1:
        return rich("[you] can listen **only to itself**", you=you)
    if len(leaders) == trace.n:
        return rich("[you] listens **to all words about equally**", you=you)
    words = [richtext.word(trace, token) for token in dict.fromkeys(trace.tokens[j] for j in leaders)]
    if len(words) > 3:
        return rich("[you] **listens most** to several words", you=you)
    return rich("[you] **listens most** to [most]", you=you, most=joined(words, " and "))


def leading(values: Sequence[float], texts: Sequence[str]) -> list[int]:
    """The places of the largest of `values`, printed as `texts`: what cannot be told from one of them is one, too.

    So whatever else there is is smaller, in itself and as printed.
    """
    order = sorted(range(len(values)), key=lambda j: -values[j])
    count = 1
    for one, other in pairwise(order):
        if values[one] - values[other] > TIE and texts[one] != texts[other]:
            break
        count += 1
    return sorted(order[:count])


def says(trace, checkpoint: str) -> str:
    """What the decoder predicts at a checkpoint, as a clause with its probability; a tie is said to be one."""
    found = trace.decoder[checkpoint]
    words = found.words
    shares = {numerals.probability_cells(trace, checkpoint)[word].text for word in words}
    share = shares.pop() if len(shares) == 1 else f"about {numerals.number(max(found.probabilities))}"
    if len(words) > 1:
        return f"{words_listed(words)} tie for the next word (probability {share} each)"
    return f"the decoder predicts “{words[0]}” (probability {share})"


def unlisted(trace, checkpoint: str, shown: Sequence[int]) -> list[Rich]:
    """What is said of the vocabulary's rows that are not `shown`: their best score; or shorter."""
    words, scores = trace.model.vocabulary, trace.decoder[checkpoint].scores
    rest = [i for i in range(len(words)) if i not in shown]
    best = numerals.score_cells(trace, checkpoint)[words[max(rest, key=lambda i: scores[i])]]
    return [rich(wording, s=best) for wording in ("the best of all other words scores [s]", "best of the others: [s]")]


def sides(trace, *checkpoints: str) -> str:
    """On which side of the plane some states lie, as a phrase."""
    story = trace.model.story

    def side(distance: float) -> str:
        if abs(distance) <= TIE:
            return "on the plane itself"
        return f"on the “{story.origin if distance < 0 else story.target}” side"

    return ", then ".join(dict.fromkeys(side(trace.distances[name]) for name in checkpoints))


def meeting(trace) -> Rich:
    """What the ring marks at which the displacement meets the plane."""
    before, after = (trace.distances[name] for name in ("positioned", "contextual"))
    touches = min(abs(before), abs(after)) <= TIE
    return rich("ends on the plane" if abs(after) <= TIE else "starts on the plane" if touches else "crosses the plane")


def perpendiculars(trace, *checkpoints: str) -> str:
    """A sentence, after a blank, about the lines that drop from tips to the plane; nothing where none is seen."""
    letters = [SYMBOLS[name] for name in checkpoints if depth.drop(trace, trace.view, name)]
    if not letters:
        return ""
    one, more = "A thin line drops", "Thin lines drop"
    tips = " and ".join(f"the tip of {letter}" for letter in letters)
    return f" {one if len(letters) == 1 else more} from {tips} straight onto the plane: the distance from it."


def said_of_position(trace) -> str:
    """What stands between e and x."""
    return "+ position" if trace.model.positions is not None else "no position"


def points(*vectors) -> str:
    """A sentence, after a blank, about vectors (each ... x width) that have no length; nothing if all have some."""
    lengths = [np.abs(vector).max(axis=-1) for vector in vectors]
    return "" if all(np.all(length > 0) for length in lengths) else " An arrow of length 0 is a point."


def parted(trace) -> str:
    """How the plane parts the space that is drawn, or that it misses it, as a clause."""
    halves, story = trace.view.halves(trace.plane), trace.model.story
    if len(halves.section):
        return f"parted by a plane into a side shaded for “{story.origin}” and a side shaded for “{story.target}”"
    side = story.origin if len(halves.origin) else story.target
    return f"all of it on the “{side}” side of the plane, which is too far off to be seen"


def words_listed(words: Sequence[str]) -> str:
    """“a”, “b” and “c”."""
    quoted = [f"“{w}”" for w in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def weights_listed(trace) -> str:
    """The followed word's attention weights, as printed in the pictures: 0.30 on “why”, 0.70 on “you”."""
    texts = numerals.weight_texts(trace.attention[trace.last])
    return ", ".join(f"{text} on “{word}”" for text, word in zip(texts, trace.tokens, strict=True))


def vector(values) -> str:
    """A vector as text, (1.00, −0.50), with as few decimals as show it exactly."""
    places = numerals.decimals(values)
    return f"({', '.join(numerals.number(v, places) for v in values)})"


def signed(value: float) -> str:
    """A number with its sign, + or −, unless it is printed as 0.00."""
    text = numerals.number(value)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def range_of(texts: Iterable[str]) -> str:
    """Where printed numbers lie: "between 0.13 and 0.26", or "at 1.00" if all are printed alike."""
    ordered = sorted(texts, key=numerals.value_of)
    low, high = ordered[0], ordered[-1]
    return f"at {low}" if low == high else f"between {low} and {high}"


def sentence_case(text: str) -> str:
    """The text with a capital letter at its start."""
    return text[:1].upper() + text[1:]


def texts_of(title: str, does: Rich, caption: str, alt: str) -> Texts:
    """Texts of a picture that shows no prediction."""
    return Texts(title, does, caption, alt, stage="")


def either(words: Sequence[str]) -> str:
    """“a”, or “a” or “b”: one of these, for a caption."""
    return " or ".join(f"“{word}”" for word in words)
