"""step1_positions: what the figure and the film say."""

from __future__ import annotations

from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    either,
    first_part,
    points,
    says,
    second_part,
    sides,
    vector,
    words_listed,
)


def texts(trace) -> Texts:
    """Each word's place in the sentence is added to its vector."""
    word, last = trace.tokens[-1], trace.last
    symbols = {"e": richtext.symbol(trace, "embeddings", word), "x": richtext.symbol(trace, "positioned", word)}
    shifted = (trace.embeddings != trace.positioned).any(axis=1)
    start, end = vector(trace.embeddings[last]), vector(trace.positioned[last])
    if trace.model.positions is None:
        does = rich(
            "These weights have **no position vectors**: a word is the same in every place, [x]~=~[e].", **symbols
        )
        said = "These weights have no position vectors, so the positioned vector x of each word is its embedding e"
        seen = "There are no position vectors, so dotted e and dashed x of each word coincide"
    else:
        does = rich("A vector for its **place in the sentence** is added to each word: [x]~=~[e]~+~*p*.", **symbols)
        said = "The position vector p of its place is added to the embedding e of each word, which gives x"
        seen = "An arrow, the position vector, leads from the tip of dotted e to the tip of dashed x for each word"
        seen += "" if shifted.all() else " that it moves"
    moved = f"“{word}” goes from {start} to {end}"
    if start == end:
        moved = f"“{word}” hardly moves from {start}" if shifted[last] else f"“{word}” stays at {start}"
    caption = f"{said}: {moved}. Now {says(trace, 'positioned')}. Dotted: e; dashed: x. {ROUNDED}"
    alt = (
        f"{first_part()}, {words_listed(trace.tokens)} in the 3-D word embedding space. {seen}. {second_part()} tables "
        f"of the vectors with a row for each word: {moved}. It lies {sides(trace, 'positioned')}; "
        f"{says(trace, 'positioned')}.{points(trace.embeddings, trace.positioned)}"
    )
    return Texts("Step 1: the position adds a second vector", does, caption, alt, "positioned")


# What the film says beat by beat

PLACES = "Each position in the sentence has a vector of its own, p."
NO_PLACES = "These weights have no vectors for places: a word is the same wherever it stands."
ADD = "Added to e, number by number, it gives x."
ADD_NOTHING = "So x is e."
SHOW_SHIFTS = "In the space, p starts at the tip of e."
SHIFT = "Each word moves by its position vector."
STAY = "Every word stays where it is."


def read(trace) -> str:
    return f"From x the decoder predicts {either(trace.decoder['positioned'].words)}."
