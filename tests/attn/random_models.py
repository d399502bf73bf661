"""Models of every shape for tests: hypothesis strategies, and files that tell a story."""

from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from attn.core.forward import CHECKPOINTS, forward
from attn.core.model import Model, Story

CASES = Path(__file__).parents[1] / "cases"
WORDS = ("we", "you", "are", "hear", "here", "why")


@st.composite
def models(draw, decoder: bool | None = None, story: bool = False) -> Model:
    """Models of random widths with numbers up to 3 in size, with or without their optional parts."""
    vocabulary = WORDS[: draw(st.integers(2, 6))]
    d_model, d_k, d_v, rows = (draw(st.integers(1, 4)) for _ in range(4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    digits = draw(st.sampled_from([0, 1, 17]))

    def array(*shape):
        return np.round(rng.uniform(-3, 3, shape), digits) + 0.0

    decoder = draw(st.booleans()) if decoder is None else decoder
    length = draw(st.integers(1, rows))
    model = Model(
        vocabulary,
        array(len(vocabulary), d_model),
        array(d_k, d_model),
        array(d_k, d_model),
        array(d_v, d_model),
        positions=array(rows, d_model) if draw(st.booleans()) else None,
        W_O=array(d_model, d_v) if draw(st.booleans()) else None,
        W_out=array(len(vocabulary), d_model) if decoder else None,
        b_out=array(len(vocabulary)) if decoder else None,
        causal=draw(st.booleans()),
    )
    sentence = tuple(draw(st.lists(st.sampled_from(vocabulary), min_size=length, max_size=length)))
    told = story and decoder and not np.array_equal(model.W_out[0], model.W_out[1])
    return _with(model, story=Story(sentence, *vocabulary[:2]) if told else Story(sentence))


def _with(model: Model, **changes) -> Model:
    from dataclasses import replace

    return replace(model, **changes)


def story_models(count: int, seed: int):
    """`count` models in which "you" is followed by "are" and "why are you" by "here", as the story wants it."""
    rng = np.random.default_rng(seed)
    while count:
        model = Model(
            WORDS,
            rng.normal(size=(6, 3)) * 1.2,
            rng.normal(size=(2, 3)),
            rng.normal(size=(2, 3)),
            rng.normal(size=(2, 3)),
            positions=rng.normal(size=(4, 3)) * 0.4,
            W_O=rng.normal(size=(3, 2)),
            W_out=rng.normal(size=(6, 3)) * 0.6,
            b_out=np.array([-10, -10, 0, -10, 0.5, -10.0]),
            story=Story(("why", "are", "you"), "are", "here"),
        )
        decoder, alone = forward(model).decoder, forward(model, "you").decoder["contextual"]
        said = [decoder[name].words for name in CHECKPOINTS] + [alone.words]
        if said == [("are",), ("are",), ("here",), ("are",)]:
            count -= 1
            yield model
