"""decoder_regions: what the figure and the film say."""

from __future__ import annotations

from dataclasses import replace

from attn.core import numerals
from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    either,
    parted,
    points,
    says,
    second_part,
    sides,
)


def texts(trace) -> Texts:
    """The decoder's two sides and the plane between them."""
    word, model = trace.tokens[-1], trace.model
    origin, target = model.story.origin, model.story.target
    both = {"from": richtext.word(trace, origin), "to": richtext.word(trace, target)}
    does = rich("**On the plane** [from] and [to] score the same. The plane is the same in every step.", **both)
    scores = trace.decoder["embedding"].scores
    both = tuple(numerals.number(scores[model.index(w)]) for w in (origin, target))
    where = f"At the embedding of “{word}” “{origin}” scores {both[0]} and “{target}” {both[1]}"
    caption = (
        "The decoder gives each word w the score W_out(w) · r + b_out(w) at every point r of the word embedding "
        f"space. The plane holds the points where “{origin}” and “{target}” score the same; it parts the space into a "
        f"side where “{origin}” is ahead and one where “{target}” is. {where}; {says(trace, 'embedding')}. {ROUNDED}"
    )
    alt = (
        f"The 3-D word embedding space as a cube, {parted(trace)}. A dotted arrow, the embedding of “{word}”, ends "
        f"{sides(trace, 'embedding')}. {second_part()} the formula of the score, the decoder’s weights and biases with "
        f"a row for each word shown, and the scores they give at this embedding. {where}. Underneath: on the plane the "
        f"two scores are equal.{points(trace.state('embedding'))}"
    )
    return Texts("The decoder parts the space", does, caption, alt, "embedding")


def film(trace) -> Texts:
    """The same, met by a point that moves."""
    still, (origin, target) = texts(trace), (trace.model.story.origin, trace.model.story.target)
    alt = (
        "The 3-D word embedding space as a cube, in it a point r; beside it the formula of the score, the decoder’s "
        "weights and biases, and each word’s score at r. As r moves, its scores change. Then one sees the space "
        f"{parted(trace)}; on the plane “{origin}” and “{target}” score the same. At last r comes to where the "
        f"embedding of “{trace.tokens[-1]}” ends, {sides(trace, 'embedding')}: {says(trace, 'embedding')}."
    )
    return replace(still, alt=alt)


# What the film says beat by beat

ASK = "The output decoder, a linear layer, scores each word at every point r."
LEARNED = "Each word has learned weights and a bias."
SCORE = "They give the score of each word at r."
GO_TO_TIE = "As r moves, the scores change. Here two are equal."
LEAVE = "The plane stays as it is."


def part_space(trace, seen: bool, met: bool) -> str:
    """seen: the plane lies in the cube; met: r has stood on it."""
    origin, target = trace.model.story.origin, trace.model.story.target
    if not seen:
        return f"The plane where “{origin}” and “{target}” tie is far off: one is ahead everywhere here."
    if met:
        return f"Such points form a plane: “{origin}” leads on one side, “{target}” on the other."
    return f"All ties form a plane: “{origin}” leads on one side, “{target}” on the other."


def go_to_word(trace) -> str:
    return f"Now r goes to where “{trace.tokens[-1]}” starts."


def predict(trace) -> str:
    return f"From there the decoder predicts {either(trace.decoder['embedding'].words)}."
