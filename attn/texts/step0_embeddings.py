"""step0_embeddings: what the figure and the film say."""

from __future__ import annotations

from attn.picture.ranges import drawn_words
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    either,
    first_part,
    points,
    says,
    second_part,
    sentence,
    sides,
    vector,
    words_listed,
)


def texts(trace) -> Texts:
    """Each word begins as a fixed vector."""
    word, words = trace.tokens[-1], trace.model.vocabulary
    does = rich("Each word starts at **one fixed vector**: no position and no context yet.")
    start = vector(trace.embeddings[trace.last])
    caption = (
        f"Each of the {len(words)} words of the vocabulary has a row in the embedding table: its vector e in the word "
        f"embedding space. The sentence {sentence(trace)} takes its rows from there; “{word}” starts at "
        f"{start}. From the embedding alone, {says(trace, 'embedding')}. {ROUNDED}"
    )
    alt = (
        f"{first_part()}, dotted arrows from the origin of the 3-D word embedding space, one for each of "
        f"{words_listed(drawn_words(trace))}. {second_part()} the embedding table with a row of numbers for each word "
        f"shown; lines lead from it to the rows of {words_listed(trace.tokens)}. The embedding of “{word}”, {start}, "
        f"lies {sides(trace, 'embedding')}; {says(trace, 'embedding')}.{points(trace.model.embeddings)}"
    )
    return Texts("Step 0: one vector per word", does, caption, alt, "embedding")


# What the film says beat by beat

SHOW_TABLE = "Each word is a vector in this space: a row of this table."
DRAW = "Its vector, e, leads there."
DRAW_OTHERS = "Each word has one vector, the same in every sentence."
TAKE_SENTENCE = "The sentence takes its rows, in order."


def walk(trace) -> str:
    return f"The row of “{trace.tokens[-1]}” says how far to go on each axis."


def predict(trace) -> str:
    return f"From the embedding alone, the decoder predicts {either(trace.decoder['embedding'].words)}."
