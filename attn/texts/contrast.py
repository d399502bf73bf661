"""contrast: what the figure and the film say."""

from __future__ import annotations

from string import ascii_uppercase

from attn.core import numerals
from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    either,
    first_part,
    listening,
    points,
    predicted_words,
    says,
    second_part,
    sentence,
    sides,
    weights_listed,
)


def texts(trace) -> Texts:
    """The same word, decoder and camera in several sentences."""
    word, others = trace.tokens[-1], trace.contrast
    parts = {f"said{i}": predicted_words(other, "contextual", trace) for i, other in enumerate(others)}
    for i, other in enumerate(others):
        parts[f"words{i}"] = richtext.spaced([richtext.word(trace, token) for token in other.tokens], " ")
    follow = "; ".join(f"after [words{i}] comes [said{i}]" for i in range(len(others)))
    spoken = [token for other in others for token in other.tokens]
    if len(spoken) > 10 or sum(map(len, spoken)) > 54:  # long sentences are called by their letters
        follow = "; ".join(f"in sentence {'ABC'[i]} [said{i}] follows" for i in range(len(others)))
    does = rich(f"One word, one decoder, {'other company' if len(others) > 1 else 'one sentence'}: {follow}.", **parts)
    said = "; ".join(
        f"in {sentence(o)} {says(o, 'contextual')}, at a signed distance of "
        f"{numerals.number(o.distances['contextual'])} from the plane"
        for o in others
    )
    where = trace.model.story.target
    caption = (
        f"Where “{word}” lands{' in different sentences' if len(others) > 1 else ''}; decoder and camera are the same: "
        f"{said} (positive on the “{where}” side). {ROUNDED}"
    )
    heard = "; ".join(f"in {sentence(o)}: {weights_listed(o)}" for o in others)
    alt = (
        f"{first_part()} the 3-D word embedding space with one pink arrow, plus context, for each sentence, from where "
        f"“{word}” stands to a lettered point where it lands: {said}. {second_part()} each sentence under bars for the "
        f"attention that “{word}” pays to its words ({heard}), and the predicted word."
        f"{points(*(o.correction[o.last] for o in others), *(o.state('positioned') for o in others))}"
    )
    title = "Contrast: the same word in other company" if len(others) > 1 else "Contrast: the word in its sentence"
    return Texts(title, does, caption, alt, "contextual")


# What the film says beat by beat

FINAL = "contextual"  # the state from which what follows is read


def listen(other, index: int) -> str:
    heard = richtext.spoken(listening(other))
    caption = f"Alone, {heard}." if other.n == 1 else f"In “{' '.join(other.tokens)}”, {heard}."
    return caption if len(caption) <= 60 else f"In sentence {ascii_uppercase[index]}, {heard}."


def go(other) -> str:
    story, where = other.model.story, sides(other, "positioned", FINAL)
    if other.crosses:
        return f"The context carries it across the plane, to the “{story.target}” side."
    if where == f"on the “{story.origin}” side":
        return f"With the context added, it stays {where}."
    return "The context moves it." if other.correction[other.last].any() else "The context adds nothing."


def predict(other) -> str:
    return f"Next comes {either(other.decoder[FINAL].words)}."


def rest(trace) -> str:
    if len({other.decoder[FINAL].words for other in trace.contrast}) > 1:
        return "One word, one decoder: the sentence decides."
    return "One word, one decoder: the same follows."
