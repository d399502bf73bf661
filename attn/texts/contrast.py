"""contrast: what the figure and the film say."""

from __future__ import annotations

from attn.core import numerals
from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    first_part,
    points,
    predicted_words,
    says,
    second_part,
    sentence,
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
