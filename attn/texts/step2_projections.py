"""step2_projections: what the figure and the film say."""

from __future__ import annotations

from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    points,
    says,
    second_part,
    vector,
    words_seen,
)


def texts(trace) -> Texts:
    """Three matrices take each word into the attention space."""
    last, word = trace.last, trace.tokens[-1]
    does = rich("Three learned matrices make a **query**, a **key** and a **value** of each *x*.")
    vectors = ", ".join(
        f"{name} {vector(getattr(trace, row)[last])}"
        for name, row in (("query", "queries"), ("key", "keys"), ("value", "values"))
    )
    caption = (
        "W_Q, W_K and W_V take every positioned vector x from the 3-D word embedding space into the 2-D attention "
        "space: as a query (what the word looks for), a key (what it offers) and a value (what it passes on). For "
        f"“{word}” they give: {vectors}. Queries end in an arrow, keys are dashed and end in a square, values end in a "
        f"dot. Nothing has been mixed yet: at this stage {says(trace, 'positioned')}. {ROUNDED}"
    )
    alt = (
        f"{words_seen(trace)}. "
        f"{second_part()} the 2-D attention space with a query (arrow), a key (square) and a value (dot) for each of "
        f"them, the three matrices with their entries, and a table of the vectors. For “{word}”: {vectors}."
        f"{points(trace.positioned, trace.queries, trace.keys, trace.values)}"
    )
    return Texts("Step 2: query, key and value", does, caption, alt, "positioned")


# What the film says beat by beat

MEET = "The matrix’s first row meets x, pair by pair."
ADD_UP = "The products add up to the first number of q."
SECOND_ROW = "The second row does the same."
NEXT_ROW = "So does the next."
DRAW_QUERY = "Two numbers: q belongs to the 2-D attention space."
PROJECT = {
    "keys": "A second matrix makes keys: what each word answers to.",
    "values": "A third makes values: what each word hands over.",
}
LOOK_BACK = "One query, and a key and a value for each word."


def bring_matrix(trace) -> str:
    return f"A query asks which words matter to “{trace.tokens[-1]}”. A matrix makes it."
