"""step7_context: what the figure and the film say."""

from __future__ import annotations

from attn.core import numerals
from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    either,
    parted,
    perpendiculars,
    points,
    predicted_words,
    says,
    second_part,
    sentence_case,
    sides,
)


def texts(trace) -> Texts:
    """The context displacement is added, and the word crosses the plane."""
    word = trace.tokens[-1]
    before, after = (trace.distances[name] for name in ("positioned", "contextual"))
    origin, target = trace.model.story.origin, trace.model.story.target
    letters = {"h": "contextual", "x": "positioned", "c": "correction"}
    symbols = {letter: richtext.symbol(trace, row, word) for letter, row in letters.items()}
    does = rich("What attention gathered is added to the word: [h]~=~[x]~+~[c].", **symbols)
    outcome = rich(
        "**The tip crosses the plane**: [next] follows [word]."
        if trace.crosses
        else "The tip **does not cross the plane** from [from] to [to]; [word] is followed by [next].",
        word=richtext.word(trace, word), next=predicted_words(trace, "contextual"),
        **{"from": richtext.word(trace, origin), "to": richtext.word(trace, target)},
    )  # fmt: skip
    moved = (
        f"carries “{word}” across the decoder’s plane, from {numerals.number(abs(before))} on the “{origin}” side to "
        f"{numerals.number(after)} on the “{target}” side"
        if trace.crosses
        else f"takes “{word}” from a signed distance of {numerals.number(before)} to {numerals.number(after)} from the "
        f"decoder’s plane (positive on the “{target}” side), which is no crossing from “{origin}” to “{target}”"
    )
    caption = (
        f"The context displacement {moved}. {sentence_case(says(trace, 'positioned'))} before it is added, and "
        f"{says(trace, 'contextual')} after. Dotted: the embedding e; dashed: with its position, x; solid: with its "
        f"context, h.{perpendiculars(trace, 'positioned', 'contextual')} {ROUNDED}"
    )
    alt = (
        f"The 3-D word embedding space, {parted(trace)}. Three arrows for “{word}” start at the origin: dotted e and "
        f"dashed x {sides(trace, 'embedding', 'positioned')}, solid h {sides(trace, 'contextual')}. A pink arrow, plus "
        f"context, leads from the tip of x to the tip of h. {second_part()} the sum x + c = h in numbers, and the "
        f"three signed distances to the plane on a line."
        f"{points(trace.correction[trace.last], *map(trace.state, trace.decoder))}"
    )
    return Texts("Step 7: the context is added", does, caption, alt, "contextual", outcome)


# What the film says beat by beat

ADD = "Number by number: h = x + c."
ADD_UP = "h is the word in this sentence."
MEASURE = "The distances of e, x and h to the plane."


def displace(trace) -> str:
    return f"The residual connection adds the context of “{trace.tokens[-1]}” to x."


def cross(trace) -> str:
    if trace.crosses:
        return "The tip follows the displacement, across the plane."
    origin, target = trace.model.story.origin, trace.model.story.target
    return f"The tip follows the displacement, but does not cross from “{origin}” to “{target}”."


def predict(trace) -> str:
    return f"From h the decoder predicts {either(trace.decoder['contextual'].words)}."
