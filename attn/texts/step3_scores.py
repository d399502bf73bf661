"""step3_scores: what the figure and the film say."""

from __future__ import annotations

from attn.core import numerals
from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    points,
    says,
    second_part,
    words_seen,
)


def texts(trace) -> Texts:
    """The followed word's query against the keys."""
    last, word = trace.last, trace.tokens[-1]
    pairs = zip(trace.scores[last], trace.tokens, strict=True)
    scores = ", ".join(f"{numerals.number(score)} with “{token}”" for score, token in pairs)
    query = richtext.symbol(trace, "queries", word)
    read = (
        "Thin lines drop from each key to the line of the query: the farther out in its direction they meet it, the "
        "larger the product"
        if trace.queries[last].any()
        else "The query is 0, and so is every product"
    )
    does = rich("[q] times each key, **divided by the root of the keys’ width**: the scores.", q=query)
    caption = (
        f"The query of “{word}” is multiplied with the key of each word it may see, and the product is divided by the "
        f"square root of their width, {trace.model.d_k}. The scores: {scores}. {read}. {ROUNDED}"
    )
    alt = (
        f"{words_seen(trace)}. "
        f"{second_part()}, in the 2-D attention space, the query of “{word}” as an arrow and the keys as dashed lines "
        f"that end in squares; beside it, for each word, the product before and after division. The scores: {scores}. "
        f"At this stage {says(trace, 'positioned')}.{points(trace.positioned, trace.queries[last], trace.keys)}"
    )
    return Texts("Step 3: query meets keys", does, caption, alt, "positioned")
