"""step6_output: what the figure and the film say."""

from __future__ import annotations

from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    first_part,
    points,
    says,
    second_part,
    vector,
)


def texts(trace) -> Texts:
    """The gathered vector becomes a displacement in the word embedding space."""
    last, word = trace.last, trace.tokens[-1]
    does = rich(
        "[W] turns [a], in 2-D, into **a displacement in 3-D**, [c].",
        W=rich("*W*_{O}"), a=richtext.symbol(trace, "mixed", word), c=richtext.symbol(trace, "correction", word),
    )  # fmt: skip
    outcome = rich("It starts where the word stands: at the tip of [x].", x=richtext.symbol(trace, "positioned", word))
    before, after = vector(trace.mixed[last]), vector(trace.correction[last])
    caption = (
        f"The output matrix W_O, {trace.model.d_model} × {trace.model.d_v}, turns the attention output a = {before} of "
        f"“{word}” into the context displacement c = W_O a = {after}, drawn from the tip of x. {ROUNDED}"
    )
    alt = (
        f"{first_part()}, in the 3-D word embedding space, a dashed arrow x for “{word}” from the origin and a pink "
        f"arrow, plus context, from the tip of x. {second_part()} the arrow a, {before}, in the "
        f"2-D attention space, and the product in numbers: c = W_O a = {after}. At this stage, before c is added, "
        f"{says(trace, 'positioned')}."
        f"{points(trace.positioned[last], trace.mixed[last], trace.correction[last])}"
    )
    return Texts("Step 6: back to three dimensions", does, caption, alt, "positioned", outcome)


# What the film says beat by beat

LEAD_BACK = "The output matrix leads back to three dimensions."
MEET = "The first row meets a, number by number."
ADD_UP = "They add up to the first number of c."
OTHER_ROWS = "The other rows do the same."
LEAVE = "It is what the context adds."


def lift(trace) -> str:
    return "So a becomes c, a displacement at the tip of x."
