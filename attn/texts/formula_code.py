"""formula_code: what the figure says."""

from __future__ import annotations

from attn.picture.richtext import rich
from attn.texts.phrases import Texts, sentence, texts_of


def texts(trace) -> Texts:
    """The four lines of the function beside the four steps."""
    m, n = trace.model, trace.n
    does = rich("**Four lines of code, four steps.** Rectangles are to scale: where two meet, their sides are equal.")
    caption = (
        "A head of self-attention as a function and as formulas, with the shapes that its matrices have for "
        f"{sentence(trace)}: {n} words, d_model = {m.d_model}, d_k = {m.d_k}, d_v = {m.d_v}. Vectors are "
        "written as rows. Firm outlines: learned; light ones: computed."
    )
    alt = (
        "Four rows. In each, a line of Python, the formula it computes, and rectangles to scale for the matrices in "
        "it: the three projections, the scores divided by the root of the key width, softmax along each row, and the "
        "blend of the values."
    )
    return texts_of("Four lines, four steps", does, caption, alt)
