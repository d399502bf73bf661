"""question: what the film says that the whole film begins with."""

from __future__ import annotations

from attn.picture.richtext import rich
from attn.texts.phrases import ROUNDED, Texts, compared, either, says, sentence

FINAL = "contextual"  # the state from which what follows is read


def texts(trace) -> Texts:
    """One word, and what follows it in each sentence."""
    word, others = trace.tokens[-1], compared(trace)
    said = "; ".join(f"in {sentence(other)} {says(other, FINAL)}" for other in others)
    asks = ask(trace)
    caption = f"What follows “{word}” in each sentence: {said}. {ROUNDED}"
    alt = f"Sentences that end in “{word}”, a line each, and beside each the word that follows: {said}. Below: {asks}"
    return Texts("The question", rich(f"**{asks}**"), caption, alt, FINAL)


def differ(trace) -> bool:
    """Whether not the same follows in every sentence."""
    return len({other.decoder[FINAL].words for other in compared(trace)}) > 1


# What the film says beat by beat


def follow(other) -> str:
    return f"{sentence(other)} is followed by {either(other.decoder[FINAL].words)}."


def ask(trace) -> str:
    return "How can one word lead to different words?" if differ(trace) else "How does a word lead to the next?"
