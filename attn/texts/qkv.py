"""qkv: what the figure and the film say."""

from __future__ import annotations

from attn.picture.richtext import rich
from attn.texts.phrases import ROUNDED, Texts, sentence, texts_of


def texts(trace) -> Texts:
    """The same X goes three ways."""
    m = trace.model
    does = rich(
        "**One sentence, three matrices, three readings of it.** Queries and keys have the same width, so that "
        "*q* · *k* exists" + ("; that of a word is larger." if m.d_k < m.d_model else "."),
    )
    caption = (
        f"Where the queries, keys and values of {sentence(trace)} come from. The same X ({trace.n} × "
        f"{m.d_model}) is multiplied by three learned matrices: Q = X W_q and K = X W_k ({trace.n} × {m.d_k} each), V "
        f"= X W_v ({trace.n} × {m.d_v}). Vectors are written as rows; the weights file holds the transposes. Firm "
        f"brackets: learned; light brackets: computed for this sentence. {ROUNDED}"
    )
    alt = (
        f"The matrix X of {sentence(trace)} on the left. Three paths lead from it through the learned "
        "matrices W_q, W_k and W_v to the matrices Q, K and V on the right, all with their numbers and shapes."
    )
    return texts_of("Where Q, K and V come from", does, caption, alt)


def film(trace) -> Texts:
    """The same X goes three ways, a row at a time."""
    m, still = trace.model, texts(trace)
    does = rich("**One sentence, three readings.**")
    outcome = rich("**Firm: learned. Light: computed.** *Q* and *K* have the same width: *q* · *k* exists.")
    alt = (
        f"The matrix X of {sentence(trace)} at the lower left, the learned matrices W_q, W_k and W_v above, "
        "Q, K and V below them. The numbers of the first row of X meet those of a column of W_q; their products add "
        "up to the first number of Q. Then X goes row by row through each of the three matrices; what comes out are "
        f"rows of {m.d_k}, {m.d_k} and {m.d_v} numbers, each at the height of the row it is made from."
    )
    return Texts(still.title, does, still.caption, alt, stage="", outcome=outcome)


# What the film says beat by beat

SHOW_SENTENCE = "The sentence as a matrix X: a row of numbers for each word."
SHOW_MATRICES = "Three learned matrices, the same for every sentence."
ADD_UP = "The products add up: the first number of its query."
FINISH_ROW = "The other columns give the rest. No other row has a part in it."
FINISH_ONLY = "No other row has a part in it."
GO_THROUGH = {
    "W_Q": "Row by row the same happens to every word.",
    "W_K": "The same X, another matrix: a key for every word.",
    "W_V": "And once more: a value for every word.",
}
LOOK_BACK = "Firm brackets are learned. Light ones are computed for this sentence."


def meet(trace) -> str:
    return f"The row of “{trace.tokens[0]}” meets the first column."
