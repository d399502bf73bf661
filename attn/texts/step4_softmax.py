"""step4_softmax: what the figure and the film say."""

from __future__ import annotations

from attn.core import numerals
from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    listening,
    points,
    says,
    second_part,
    weights_listed,
    words_seen,
)

WHOLE = "one whole"


def texts(trace) -> Texts:
    """From scores to attention weights."""
    last, word = trace.last, trace.tokens[-1]
    weights = weights_listed(trace)
    you = richtext.word(trace, word)
    does = rich(
        "Softmax turns scores into positive weights, parts of one whole: **how much [you] listens to each word**.",
        you=you,
    )
    shifted = (
        f" Before exp the largest score, {numerals.number(trace.shift[last])}, is taken from each."
        if trace.shift[last]
        else ""
    )
    caption = (
        f"Softmax turns the scores of “{word}” into attention weights: {weights}. Each weight is exp(score) divided by "
        f"the sum of the row, {numerals.number(trace.sums[last])}.{shifted} The weights add up to 1. {ROUNDED}"
    )
    alt = (
        f"{words_seen(trace)}. {second_part()} a row for each word that “{word}” may see, from score to exp to weight "
        f"drawn as bars: {weights}. At this stage {says(trace, 'positioned')}.{points(trace.positioned)}"
    )
    return Texts("Step 4: scores become weights", does, caption, alt, "positioned")


# What the film says beat by beat

BRING_EXP = "exp makes every number positive, and keeps their order."
TAKE_LARGEST = "The largest score is taken from each; the weights stay the same."
ADD_UP = "Laid end to end, they give their sum."
TAKE_SUM = "The sum becomes the divisor."
DIVIDE = "Divided by it, each word’s part is its attention weight."


def ask(trace) -> str:
    return f"Softmax turns the scores of “{trace.tokens[-1]}” into attention weights."


def take_back(trace) -> str:
    return f"{richtext.spoken(listening(trace))}."
