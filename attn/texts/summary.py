"""summary: what the figure and the film say."""

from __future__ import annotations

from dataclasses import replace

from attn.core.forward import SYMBOLS
from attn.picture import richtext, sizes
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    either,
    points,
    predicted_words,
    says,
    sides,
)


def texts(trace) -> Texts:
    """The prediction from e, x and h, side by side."""
    word = trace.tokens[-1]
    names = list(trace.decoder)
    read = ", ".join(f"[{name}] from *{SYMBOLS[name]}*" for name in names)
    does = rich("**The same decoder** reads three states of [word].", word=richtext.word(trace, word))
    outcome = rich(f"Predicted next: {read}.", **{name: predicted_words(trace, name) for name in names})
    said = "; ".join(f"from {SYMBOLS[name]} {says(trace, name)}" for name in names)
    added = "Between e and x the position is added, between x and h the context."
    if trace.model.positions is None:
        added = "There are no position vectors, so x is e; between x and h the context is added."
    caption = f"The same decoder reads the next word from three states of “{word}”: {said}. {added} {ROUNDED}"
    where = "; ".join(f"{SYMBOLS[name]} {sides(trace, name)}" for name in names)
    row, each = ("side by side", "Below each") if sizes.arranged() == "page" else ("one below the other", "Beside each")
    alt = (
        f"Three views of the 3-D word embedding space {row}, with the same camera and plane, each with one state of "
        f"“{word}” as an arrow: {where}. {each} the scores and the probabilities of the words that matter, with the "
        f"predicted word in a filled frame: {said}.{points(*map(trace.state, trace.decoder))}"
    )
    return Texts("Summary: one word, three states", does, caption, alt, "contextual", outcome)


def film(trace) -> Texts:
    """The same, a state after the other."""
    where = "; ".join(f"{SYMBOLS[name]} {sides(trace, name)}" for name in trace.decoder)
    said = "; ".join(f"from {SYMBOLS[name]} {says(trace, name)}" for name in trace.decoder)
    alt = (
        "The 3-D word embedding space becomes three side by side, with the same camera and plane, each with one state "
        f"of “{trace.tokens[-1]}” as an arrow: {where}. One after the other the decoder reads them, and the word that "
        f"it predicts goes to stand below with its probability, in a filled frame unless words tie: {said}."
        f"{points(*map(trace.state, trace.decoder))}"
    )
    return replace(texts(trace), alt=alt)


# What the film says beat by beat


def part(trace) -> str:
    return f"One decoder, three states of “{trace.tokens[-1]}”: what follows?"


def read(trace, name: str) -> str:
    """What follows from one of the states."""
    words = either(trace.decoder[name].words)
    if name == "embedding":
        return f"From the embedding alone: {words}."
    if name == "contextual":
        return f"With its context: {words}."
    return f"There are no positions: {words}." if trace.model.positions is None else f"With its position: {words}."


def rest(trace) -> str:
    word = trace.tokens[-1]
    if len({found.words for found in trace.decoder.values()}) > 1:
        return f"The decoder stayed. “{word}” moved, and the prediction with it."
    return f"The decoder stayed, and predicts the same from each state of “{word}”."
