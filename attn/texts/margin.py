"""margin: what the figure says."""

from __future__ import annotations

from attn.core import numerals
from attn.core.compared import without_which
from attn.core.forward import SYMBOLS
from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    first_part,
    joined,
    leading,
    points,
    says,
    second_part,
    sentence_case,
    sides,
    signed,
    words_listed,
)


def texts(trace) -> Texts:
    """Which word pushed the followed one across the plane."""
    word, shares, story = trace.tokens[-1], trace.shares, trace.model.story
    before, after = (trace.distances[name] for name in ("positioned", "contextual"))
    leaders = leading(shares, [numerals.number(share) for share in shares])
    best = [richtext.word(trace, token) for token in dict.fromkeys(trace.tokens[j] for j in leaders)]
    does = rich("Each word adds its share to the distance: its weight times *W*_{O} *v*, along the plane’s normal.")
    alone = (shares > -before) & (shares.sum() - shares <= -before)  # it is enough, and without it there is no crossing
    needed = [richtext.word(trace, token) for token in dict.fromkeys(trace.tokens[j] for j in without_which(trace))]
    outcome = rich(
        ("**They do not carry [word] from [from] to [to].**" if not trace.crosses else
           "**It is [best] that carries [word] across.**" if alone.sum() == 1 and alone[leaders].all() else
           "**It takes [needed] together** to carry [word] across." if len(needed) > 1 else
           "**Together they carry [word] across**, [best] most of all." if len(leaders) < trace.n else
           "**Together they carry [word] across.**"),
        best=joined(best, " and "), needed=joined(needed or best, " and "), word=richtext.word(trace, word),
        **{"from": richtext.word(trace, story.origin), "to": richtext.word(trace, story.target)},
    )  # fmt: skip
    listed = ", ".join(f"{signed(share)} from “{token}”" for share, token in zip(shares, trace.tokens, strict=True))
    states = ", ".join(f"{numerals.number(d)} at {SYMBOLS[name]}" for name, d in trace.distances.items())
    caption = (
        f"The signed distance of “{word}” to the decoder’s plane (positive on the “{story.target}” side) is {states}. "
        "The way from x to h is the sum of what each word adds, its attention weight times W_O v along the plane’s "
        f"normal: {listed}. {ROUNDED}"
    )
    alt = (
        f"{first_part()}, in the 3-D word embedding space, the contributions of {words_listed(trace.tokens)} laid tip "
        f"to tail from the tip of x to the tip of h. {second_part()} a waterfall over the signed distance to the "
        f"plane: it starts at x, {numerals.number(before)}, goes by {listed}, and ends at h, {numerals.number(after)}, "
        f"{sides(trace, 'contextual')}. {sentence_case(says(trace, 'contextual'))}."
        f"{points(trace.state('positioned'), trace.weighted[trace.last] @ trace.model.W_O.T)}"
    )
    return Texts("Margin: what each word adds", does, caption, alt, "contextual", outcome)
