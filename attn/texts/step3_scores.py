"""step3_scores: what the figure and the film say."""

from __future__ import annotations

from attn.core import numerals
from attn.core.numerals import Cell
from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    leading,
    points,
    says,
    second_part,
    words_listed,
    words_seen,
)


def texts(trace) -> Texts:
    """The followed word's query against the keys."""
    last, word = trace.last, trace.tokens[-1]
    pairs = zip(trace.scores[last], trace.tokens, strict=True)
    scores = ", ".join(f"{numerals.number(score)} with “{token}”" for score, token in pairs)
    query = richtext.symbol(trace, "queries", word)
    read = (
        "Each key throws a shadow on the line of the query: the farther it reaches in the query’s direction, the "
        "larger the product"
        if trace.queries[last].any()
        else "The query is 0, and so is every product"
    )
    does = rich(
        "The dot product of [q] with each key, **scaled by √*d*_{k}** so that wide vectors do not push softmax to "
        "extremes, is its score.",
        q=query,
    )
    caption = (
        f"The dot product of the query of “{word}” with the key of each word it may see, divided by the square root of "
        f"their dimension, {trace.model.d_k}. The scores: {scores}. {read}. {ROUNDED}"
    )
    alt = (
        f"{words_seen(trace)}. "
        f"{second_part()}, in the 2-D attention space, the query of “{word}” as an arrow and the keys as dashed lines "
        f"that end in squares; beside it, for each word, the product before and after division. The scores: {scores}. "
        f"At this stage {says(trace, 'positioned')}.{points(trace.positioned, trace.queries[last], trace.keys)}"
    )
    return Texts("Step 3: query meets keys", does, caption, alt, "positioned")


# What the film says beat by beat

MULTIPLY = "Their numbers are multiplied in pairs."
ADD_UP = "The products add up to the dot product."
ALL_KEYS = "The farther a key reaches along q, the larger the dot product."
ALL_KEYS_OF_NOTHING = "The same with every key. Here q is 0, and so is every product."
DRAW_BARS = "Each dot product becomes a bar."


def ask(trace) -> str:
    return f"The query of “{trace.tokens[-1]}” meets each word’s key."


def meet(trace) -> str:
    return f"First, the key of “{trace.tokens[0]}”."


def divide(width: Cell) -> str:
    return f"Longer keys would make larger products, so they are divided by √{width.text}."


def leave(trace) -> str:
    """Which words answer best so far."""
    scores = trace.scores[trace.last]
    leaders = leading(scores, list(map(numerals.number, scores)))
    words = list(dict.fromkeys(trace.tokens[j] for j in leaders))
    if len(leaders) == trace.n:
        return "So far no word answers clearly better."
    if len(words) > 1:
        return f"So far {words_listed(words)} answer best."
    return f"So far {words_listed(words)} answers best."
