"""one_query: what the figure says."""

from __future__ import annotations

from attn.core import numerals
from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import ROUNDED, Texts, listening, predicted_words, says, vector, weights_listed

STAGES = {  # of each row: what it is called, and how it is computed
    "positioned": ("vector", "*x*"),
    "keys": ("key", "*k* = ~~*W*_{K}~~ *x*"),
    "scores": ("score", "*s* = *q* · *k* / [root]"),
    "attention": ("attention weight", "*α* = softmax(*s*)"),
    "values": ("value", "*v* = ~~*W*_{V}~~ *x*"),
    "weighted": ("weighted value", "*α v*"),
    "contextual": ("in context", "*h* = *x* + *c*"),
    "decoder": ("decoder", ""),
}


def texts(trace) -> Texts:
    """The way of the followed word through one head of self-attention."""
    word = trace.tokens[-1]
    does = rich(
        "The query of [word] meets every key; softmax turns the scores into weights; the weighted values, summed and "
        "brought back by *W*_{O}, move [word]. Matrices in frames are learned; all else is computed for this sentence.",
        word=richtext.word(trace, word),
    )
    outcome = (
        *listening(trace),
        *rich("; next comes [next].", next=predicted_words(trace, "contextual")),
    )
    a, c, h = (vector(getattr(trace, row)[trace.last]) for row in ("mixed", "correction", "contextual"))
    caption = (
        f"One query through self-attention: the attention of “{word}” is {weights_listed(trace)}. The output a = {a} "
        f"becomes the displacement c = W_O a = {c}; {says(trace, 'contextual')}. {ROUNDED}"
    )
    scores = ", ".join(
        f"{numerals.number(score)} with “{token}”"
        for score, token in zip(trace.scores[trace.last], trace.tokens, strict=True)
    )
    alt = (
        f"A column for each word, from top to bottom its vector x and its key. The query of “{word}” enters from "
        f"the right and meets every key. The scores: {scores}. Below them the weights share one bar of length "
        f"1: {weights_listed(trace)}. Each weight scales its word’s value; the sum is a = {a}. Through W_O it becomes "
        f"c = W_O a = {c}, which is added to x; the sum is h = {h}. At the end the decoder’s word: "
        f"{says(trace, 'contextual')}."
    )
    return Texts("One query, from vector to next word", does, caption, alt, "contextual", outcome)
