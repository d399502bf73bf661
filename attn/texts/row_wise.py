"""row_wise: what the figure says."""

from __future__ import annotations

from attn.core import numerals
from attn.picture import richtext, rows
from attn.picture.richtext import rich
from attn.texts.phrases import ROUNDED, Texts, sentence, texts_of


def texts(trace) -> Texts:
    """Row i of Q comes from row i of X alone."""
    i, _ = rows.telling_pair(trace)
    word = trace.tokens[i]
    query = ", ".join(numerals.number(value) for value in trace.queries[i])
    does = rich(
        "The query of [word] is made from the row of [word] and *W*_{q}, and **from no other word**. Words meet only "
        "later, in *Q K*^{T}.",
        word=richtext.word(trace, word),
    )
    caption = (
        f"{sentence(trace)}: the projections work row by row. Row {i + 1} of Q, the query ({query}) of "
        f"“{word}”, is row {i + 1} of X times W_q. The other rows of X have no part in it. Vectors are written as "
        f"rows. {ROUNDED}"
    )
    alt = (
        f"X times W_q equals Q. The row of “{word}” is picked out in X and in Q, the other rows stand back. Below, "
        "each entry of the query is written out as a sum of products of one row of X and one column of W_q."
    )
    return texts_of("One row in, one row out", does, caption, alt)
