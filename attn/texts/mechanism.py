"""mechanism: what the figure says."""

from __future__ import annotations

from attn.picture.richtext import rich
from attn.texts.phrases import ROUNDED, Texts, sentence, texts_of


def texts(trace) -> Texts:
    """The whole mechanism on one page; learned against recomputed."""
    m, n = trace.model, trace.n
    does = rich(
        "**Above the line, what training has learned**: the same for every sentence. **Below it, what is computed "
        "anew** for each one."
    )
    caption = (
        f"All of self-attention for {sentence(trace)}. Learned, and the same for every sentence: the "
        f"embeddings, W_q, W_k and W_v. Computed anew: X, Q, K and V, the scores Q K^T / √{m.d_k}, the weights A, "
        f"whose rows add up to 1, and the output A V, a new row of {m.d_v} numbers for each of the {n} words. Vectors "
        f"are written as rows. {ROUNDED}"
    )
    alt = (
        "Three rows of matrices with their numbers. The top row, set in firm frames and labelled learned: embeddings, "
        "W_q, W_k, W_v. Below a line, labelled computed for this sentence: X, Q, K and V, each under the matrix it is "
        "made with; then scores, attention weights and output."
    )
    return texts_of("Self-attention on one page", does, caption, alt)
