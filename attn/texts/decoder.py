"""decoder: what the figure and the film say."""

from __future__ import annotations

from attn.core import numerals
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    either,
    first_part,
    points,
    predicted_words,
    says,
    second_part,
    sentence_case,
    sides,
)


def texts(trace) -> Texts:
    """What the decoder makes of the contextual representation: scores, then probabilities."""
    word, found = trace.tokens[-1], trace.decoder["contextual"]
    does = rich("The decoder scores every word; softmax makes the scores **probabilities**.")
    outcome = rich("**Next comes [next].**", next=predicted_words(trace, "contextual"))
    scores = ", ".join(
        f"{numerals.number(found.scores[trace.model.vocabulary.index(w)])} for “{w}”"
        for w in dict.fromkeys((trace.model.story.origin, trace.model.story.target, *found.words))
    )
    caption = (
        f"The decoder scores every word of the vocabulary at h of “{word}”: {scores}. After softmax "
        f"{says(trace, 'contextual')}. Raw scores are not probabilities: they may be negative and need not add up to "
        f"1. {ROUNDED}"
    )
    alt = (
        f"{first_part()}, the solid arrow h of “{word}” {sides(trace, 'contextual')} of the 3-D word embedding space. "
        f"{second_part()} two columns of bars with a row for each word shown: its score before softmax ({scores}) and "
        f"its probability after. {sentence_case(says(trace, 'contextual'))}, marked by a filled frame."
        f"{points(trace.state('contextual'))}"
    )
    return Texts("Decoder: the next word", does, caption, alt, "contextual", outcome)


# What the film says beat by beat

ASK = "Each word of the vocabulary starts from its bias."
ADD = "Its row of the decoder times h is added: its score."
SHARE = "Softmax turns the scores into probabilities."


def win(trace, words: tuple[str, ...]) -> str:
    return f"The highest score wins: after “{trace.tokens[-1]}” comes {either(words)}."
