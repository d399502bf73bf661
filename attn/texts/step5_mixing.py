"""step5_mixing: what the figure and the film say."""

from __future__ import annotations

from attn.core import numerals
from attn.picture import richtext
from attn.picture.richtext import Run, rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    listening,
    points,
    says,
    second_part,
    vector,
    weights_listed,
    words_seen,
)


def texts(trace) -> Texts:
    """Each value scaled by its weight, then all of them added up."""
    last, word = trace.last, trace.tokens[-1]
    does = rich(
        "Each value is scaled by its weight; tip to tail they give [a].", a=richtext.symbol(trace, "mixed", word)
    )
    outcome = (*listening(trace), Run("."))
    result = vector(trace.mixed[last])
    caption = (
        f"Each value v is scaled by its attention weight ({weights_listed(trace)}) and the scaled values are added: "
        f"the attention output of “{word}” is a = {result}. Pale: the full values. {ROUNDED}"
    )
    parts = "; ".join(
        f"{text} times v of “{token}” is {vector(trace.weighted[last][j])}"
        for j, (text, token) in enumerate(zip(numerals.weight_texts(trace.attention[last]), trace.tokens, strict=True))
    )
    alt = (
        f"{words_seen(trace)}. "
        f"{second_part()} the 2-D attention space twice: first each value in pale with its scaled part in full colour, "
        f"then the scaled values laid tip to tail from the origin to the tip of a, {result}. In numbers: {parts}. At "
        f"this stage {says(trace, 'positioned')}."
        f"{points(trace.positioned, trace.values, trace.weighted[last], trace.mixed[last])}"
    )
    return Texts("Step 5: mixing the values", does, caption, alt, "positioned", outcome)


# What the film says beat by beat

NAME_VALUES = "These are the values."
SCALE_OTHERS = "The others shrink to their weights."
LAY_SECOND = "Laid tip to tail, they add up."
LAY_OTHERS = "Each starts where the one before it ends."
LEAVE_SUM = "This sum is what goes on."


def take(trace) -> str:
    return f"“{trace.tokens[-1]}” takes each word’s value, times its weight."


def scale(trace, j: int) -> str:
    share = numerals.weight_texts(trace.attention[trace.last])[j]
    return f"The weight of “{trace.tokens[j]}” is {share}: its value shrinks."


def draw_sum(trace) -> str:
    return f"Their sum is a, what “{trace.tokens[-1]}” has gathered."
