"""film: what the whole film says."""

from __future__ import annotations

from attn.core.forward import SYMBOLS
from attn.texts.phrases import ROUNDED, Texts, says, sentence, sides


def texts(trace) -> Texts:
    """What the whole film shows, from the first state of the followed word to the last."""
    word = trace.tokens[-1]
    said = "; ".join(f"from {SYMBOLS[name]} {says(trace, name)}" for name in trace.decoder)
    where = "; ".join(f"{SYMBOLS[name]} {sides(trace, name)}" for name in trace.decoder)
    caption = (
        f"Self-attention, step by step, in the sentence {sentence(trace)}: how “{word}” gets its context in the word "
        f"embedding space while the decoder stays as it is. Read from the three states of “{word}”: {said}. {ROUNDED}"
    )
    alt = (
        f"All steps one after the other, a chapter each, with the 3-D word embedding space on the left throughout. "
        f"“{word}” is seen as three arrows: {where}. Below, the next word that the decoder predicts: {said}."
    )
    return Texts("Self-attention, step by step", (), caption, alt, "contextual")
