"""attention_matrix: what the figure says."""

from __future__ import annotations

from attn.core import numerals
from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    sentence,
    weights_listed,
)


def texts(trace, tables: int = 2) -> Texts:
    """Who looks at whom: the scores and weights of all queries; with one of the `tables`, the weights alone."""
    word, causal, hidden = trace.tokens[-1], trace.model.causal, not trace.mask.all()
    seen = "each word sees itself and the words before it" if causal else "each word sees all words"
    does = rich(
        f"A row is what one word’s query makes of the keys: {seen}. Softmax turns each row into weights that **add up "
        "to one**; framed, the row of [word].",
        word=richtext.word(trace, word),
    )
    masked = (
        " Where a key comes later than the query, the score is masked (it counts as minus infinity) and the weight "
        "is 0."
        if hidden
        else ""
    )
    caption = (
        f"Attention {'scores and weights' if tables > 1 else 'weights'} of every word in {sentence(trace)}; "
        f"rows are queries, columns keys. Each row of weights adds up to 1.{masked} The last row, of “{word}”: "
        f"{weights_listed(trace)}. {ROUNDED}"
    )
    shown = "a row for each query and a column for each key: "
    shown = (
        f"Two square tables with {shown}scaled scores, and after softmax the attention weights"
        if tables > 1
        else f"A square table with {shown}the attention weights"
    )
    rows = "; ".join(
        f"“{token}” gives "
        + ", ".join(f"{text} to “{key}”" for text, key, see in zip(texts, trace.tokens, seen, strict=True) if see)
        for token, texts, seen in zip(
            trace.tokens, map(numerals.weight_texts, trace.attention), trace.mask, strict=True
        )
    )
    alt = (
        f"{shown}, shaded the stronger the larger they are. {rows}. Each row adds up to 1; the row of “{word}” is "
        "framed." + (" Masked cells are hatched and hold no number." if hidden else "")
    )
    return Texts("Attention: every query against every key", does, caption, alt, "positioned")
