"""What the pictures assert, each claim a function of its own: for `attn check`, and before anything is drawn.

A claim's margin is positive where it holds and negative where it fails, in the unit its text names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attn.core import numerals
from attn.core.compared import without_which
from attn.core.decoder import TIE, Prediction
from attn.core.forward import CHECKPOINTS, SYMBOLS, Trace, forward
from attn.core.model import Expect, Model
from attn.core.spelling import same_word

ROUNDING = 1e-9  # what sums may miss through rounding
AHEAD, ENOUGH = 1.5, 0.4  # a word that is attended to has so many times the weight of another; such words have so much
UNIFORM = 1.5  # over n: the least that the largest of n weights is where attention is more than an average


@dataclass(frozen=True)
class Claim:
    """One assertion about a trace."""

    name: str  # short and fixed, e.g. "crossing"
    holds: bool
    margin: float  # by how much; negative where it fails
    text: str  # one line with the numbers

    def line(self) -> str:
        """How `attn check` prints it."""
        return f"{'holds' if self.holds else 'FAILS'}  {_signed(self.margin):>6}  {self.name}: {self.text}"


def check(model: Model) -> list[Claim]:
    """Every claim of the pictures of `model`'s story, if it has one, and every [[expect]]."""
    told = [] if model.story is None else claims(forward(model))
    return told + expectations(model)


def claims(trace: Trace) -> list[Claim]:
    """What pictures of `trace` assert; [[expect]] entries are not among it (see `expectations`).

    Claims that need a decoder or a story are left out for a file that has none, those about the story's
    course for a sentence that is not the story's.
    """
    found = [claim for function in GENERAL for claim in function(trace)]
    story = trace.model.story
    if story is not None and trace.plane is not None and trace.tokens == story.sentence:
        found += [claim for function in OF_THE_STORY for claim in function(trace)]
    return found


def expectations(model: Model) -> list[Claim]:
    """Every [[expect]] entry of the file as a claim; the margin is a difference of scores."""
    found = []
    for entry in model.expect:
        prediction = _final(forward(model, entry.sentence))
        lead, rival = _lead(model, prediction, entry.next)
        text = f'after "{" ".join(entry.sentence)}", {_compared(model, prediction, entry.next, rival)}'
        found.append(Claim("expect", lead > TIE, lead, text))
        found += attends(model, entry)
    return found


def attends(model: Model, entry: Expect) -> list[Claim]:
    """That the words an [[expect]] entry names get the attention, and move the prediction most, if it names any."""
    if not entry.attends:
        return []
    trace = forward(model, entry.sentence)
    named = np.array([same_word(word, entry.attends) is not None for word in trace.tokens])
    weights, told = trace.attention[trace.last], _listed(entry.attends)
    least, rest = float(weights[named].min()), float(weights[~named].max(initial=0.0))
    margin = min(least - AHEAD * rest, float(weights[named].sum()) - ENOUGH)
    shown = " and ".join(numerals.number(weight) for weight in weights[named])
    get, move = ("gets", "moves") if len(entry.attends) == 1 else ("get", "move")
    text = f'in "{" ".join(trace.tokens)}", {told} {get} {shown} of the attention, another word at most '
    text += f"{numerals.number(rest)}; wanted: {AHEAD:g} times that, and {ENOUGH:g}"
    found = [Claim("attends", margin >= 0, margin, text)]
    if trace.shares is not None and entry.next == model.story.target:
        least, rest = float(trace.shares[named].min()), float(trace.shares[~named].max(initial=0.0))
        shown = " and ".join(numerals.number(share) for share in trace.shares[named])
        text = f'in "{" ".join(trace.tokens)}", {told} {move} it by {shown} towards "{entry.next}", '
        text += f"another word by {numerals.number(rest)} at most"
        found.append(Claim("moves most", least - rest > TIE, least - rest, text))
    return found


# Claims about any trace


def weights_add_up(trace: Trace):
    """Each row of attention weights adds up to 1, and none is negative."""
    missed = float(np.abs(trace.attention.sum(axis=1) - 1).max())
    lowest = float(trace.attention.min())
    holds = missed <= ROUNDING and lowest >= 0
    yield Claim(
        "weights add up",
        holds,
        ROUNDING - missed,
        f"each word's attention weights add up to 1, to within {missed:.0e}",
    )


def nothing_masked(trace: Trace):
    """No attention goes to words that are masked."""
    hidden = trace.attention[~trace.mask]
    if hidden.size:
        most = float(hidden.max())
        yield Claim(
            "mask", most == 0, -most, f"no attention to words that come later; the most is {numerals.number(most)}"
        )


def no_tie(trace: Trace):
    """At each checkpoint one word leads alone."""
    for name, prediction in (trace.decoder or {}).items():
        scores = np.sort(prediction.scores)
        lead = float(scores[-1] - scores[-2]) if len(scores) > 1 else float("inf")
        words = " and ".join(f'"{word}"' for word in prediction.tie)
        text = f"{words} score the same" if words else f'"{prediction.word}" leads alone by {numerals.number(lead)}'
        yield Claim(f"no tie at {SYMBOLS[name]}", not words, lead, f"at {SYMBOLS[name]}, {text}")


# Claims about the story


def focus(trace: Trace):
    """The followed word's attention is no mere average: its largest weight is well above 1 / n."""
    if trace.n < 2:
        return
    weights = trace.attention[trace.last]
    most, wanted = float(weights.max()), UNIFORM / trace.n
    text = f'"{trace.tokens[-1]}" attends to "{trace.tokens[int(weights.argmax())]}" most, {numerals.number(most)}; '
    text += f"below {numerals.number(wanted)} its attention is nearly uniform"
    yield Claim("focus", most >= wanted, most - wanted, text)


def needed(trace: Trace):
    """Without this word's share, h would stay on story.from's side; made of words of which it is true."""
    for place in without_which(trace):
        without = trace.distances["contextual"] - trace.shares[place]
        text = f'without what "{trace.tokens[place]}" adds, h would be at {numerals.number(without)}'
        yield Claim(f"needed {place + 1}", True, -float(without), text)


def alone(trace: Trace):
    """Without context, the followed word is followed by story.from."""
    word = trace.tokens[-1]
    yield _predicts("alone", forward(trace.model, (word,)), trace.model.story.origin)


def in_context(trace: Trace):
    """In its sentence it is followed by story.to."""
    yield _predicts("in context", trace, trace.model.story.target)


def sides(trace: Trace):
    """e and x lie on story.from's side of the plane, h on story.to's."""
    story = trace.model.story
    for name in trace.distances:
        wanted = story.target if name == "contextual" else story.origin
        margin = trace.distances[name] * (1 if wanted == story.target else -1)
        place = f'on the "{wanted}" side' if margin > TIE else f'not on the "{wanted}" side'
        off = abs(margin)
        place += f", {numerals.number(off)} from the plane" if off > TIE else ", but on the plane itself"
        yield Claim(f"side of {SYMBOLS[name]}", margin > TIE, margin, f"{SYMBOLS[name]} lies {place}")


def crossing(trace: Trace):
    """The displacement c, from x to h, crosses the plane from story.from's side to story.to's."""
    if trace.contextual is None:
        return
    before, after = trace.distances["positioned"], trace.distances["contextual"]
    margin = min(-before, after)
    text = f"x is at {numerals.number(before)}, h at {numerals.number(after)}: the displacement "
    text += "crosses the plane" if margin > TIE else "does not cross the plane"
    yield Claim("crossing", margin > TIE, margin, text)


def shares_add_up(trace: Trace):
    """What each word adds to the distance from the plane adds up to the whole change from x to h."""
    if trace.shares is None:
        return
    change = trace.distances["contextual"] - trace.distances["positioned"]
    size = max(1.0, float(np.abs(trace.shares).sum()), *map(abs, trace.distances.values()))
    missed = abs(float(trace.shares.sum()) - change)
    text = f"the words' shares add up to the change of distance, {numerals.number(change)}, to within {missed:.0e}"
    yield Claim("shares add up", missed <= ROUNDING * size, ROUNDING * size - missed, text)


def only_two_words(trace: Trace):
    """At e, x and h no other word scores above both words of the story: the space has two sides, not more."""
    model = trace.model
    pair = [model.index(model.story.origin), model.index(model.story.target)]
    others = [row for row in range(len(model.vocabulary)) if row not in pair]
    if not others:
        return
    for name, prediction in trace.decoder.items():
        best = max(others, key=lambda row: prediction.scores[row])
        margin = float(prediction.scores[pair].max() - prediction.scores[best])
        text = f'at {SYMBOLS[name]}, "{model.vocabulary[best]}" is the best of the other words, '
        text += f"{numerals.number(abs(margin))} {'below' if margin > 0 else 'above'} the higher of the story's two"
        yield Claim(f"two words at {SYMBOLS[name]}", margin > TIE, margin, text)


GENERAL: tuple[Callable, ...] = (weights_add_up, nothing_masked, no_tie)
OF_THE_STORY: tuple[Callable, ...] = (
    focus, alone, in_context, sides, crossing, needed, shares_add_up, only_two_words,
)  # fmt: skip


def _final(trace: Trace) -> Prediction:
    """The prediction at the last checkpoint the file allows."""
    return next(trace.decoder[name] for name in reversed(CHECKPOINTS) if name in trace.decoder)


def _predicts(name: str, trace: Trace, word: str) -> Claim:
    prediction = _final(trace)
    lead, rival = _lead(trace.model, prediction, word)
    text = f'after "{" ".join(trace.tokens)}", {_compared(trace.model, prediction, word, rival)}'
    return Claim(name, lead > TIE, lead, text)


def _listed(words: tuple[str, ...]) -> str:
    return " and ".join(f'"{word}"' for word in words)


def _lead(model: Model, prediction: Prediction, word: str) -> tuple[float, str]:
    """By how much `word` scores above the best other word, and that word (itself where there is no other)."""
    row = model.index(word)
    others = [i for i in range(len(model.vocabulary)) if i != row]
    if not others:
        return float("inf"), word
    best = max(others, key=lambda i: prediction.scores[i])
    return float(prediction.scores[row] - prediction.scores[best]), model.vocabulary[best]


def _compared(model: Model, prediction: Prediction, word: str, rival: str) -> str:
    ours, theirs = (numerals.number(prediction.scores[model.index(w)]) for w in (word, rival))
    return f'"{word}" scores {ours}, "{rival}" {theirs}'


def _signed(value: float) -> str:
    if value and abs(value) < 0.005:
        return f"{value:+.0e}".replace("-", numerals.MINUS, 1) if value < 0 else f"{value:+.0e}"
    return ("+" if round(value, 2) >= 0 else "") + numerals.number(value)
