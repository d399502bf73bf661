"""Weights that are hostile to sentences: what is usually so is not so of them."""

from dataclasses import replace

import numpy as np

from attn.build.assets import ROOT
from attn.build.subjects import FILES, SHIPPED
from attn.core import weights
from attn.core.model import Model
from tests.attn.random_models import story_models

YOU, CHASED = (weights.load(SHIPPED / FILES[name]) for name in ("story", "sentence"))


def _told(words: str, model: Model = YOU, **changes) -> Model:
    """The model with another sentence."""
    story = replace(model.story, sentence=tuple(words.split()))
    return replace(model, story=story, expect=(), **changes)


def _zero(*names: str, model: Model = YOU) -> Model:
    return replace(model, **{name: 0 * getattr(model, name) for name in names})


def _b_out(**scores: float) -> np.ndarray:
    return np.array([scores.get(word, b) for word, b in zip(YOU.vocabulary, YOU.b_out, strict=True)])


NOTHING = dict.fromkeys(YOU.vocabulary, 0.0)
STORIES = {
    "shipped": YOU,
    "one word": _told("you"),
    "two words": _told("are you"),
    "a word twice": _told("are are you"),
    "itself thrice": _told("you you you"),
    "no mask": replace(YOU, causal=False),
    "no positions": replace(YOU, positions=None),
    "nothing moves": replace(_zero("W_O"), positions=None),
    "positions that are 0": _zero("positions"),
    "one position that is 0": replace(YOU, positions=YOU.positions * [[0], [1], [1], [1]]),
    "uniform attention": _zero("W_Q"),
    "no values": _zero("W_V"),
    "no output": _zero("W_O"),
    "no embeddings": replace(_zero("embeddings"), positions=0 * YOU.positions),
    "the other way": replace(YOU, W_O=-YOU.W_O),
    "farther on the same side": replace(YOU, W_O=-2 * YOU.W_O),
    "to the other side and nearer": replace(YOU, W_O=0.55 * YOU.W_O),
    "far plane": replace(YOU, b_out=_b_out(are=99.0)),
    "from the other side": replace(YOU, b_out=_b_out(here=40.0)),
    "third words": replace(YOU, b_out=_b_out(we=30.0)),
    "a tie of all": replace(_zero("W_out", "b_out"), W_out=1e-12 * YOU.W_out),
    "a near tie": replace(YOU, W_out=1e-4 * YOU.W_out, b_out=_b_out(**NOTHING)),
    "weights alike as printed": replace(YOU, W_Q=1e-3 * YOU.W_Q),
    "large scores": replace(YOU, W_Q=30 * YOU.W_Q),
    "large negative scores": replace(_zero("W_Q"), W_Q=-40 * np.ones((2, 3)), W_K=40 * np.ones((2, 3))),
    "small numbers": replace(YOU, embeddings=1e-3 * YOU.embeddings, positions=1e-5 * YOU.positions),
    "large values": replace(YOU, W_V=1e6 * YOU.W_V),
}
STORIES |= {file.stem: weights.load(file) for file in sorted((ROOT / "tests/cases/good").glob("*.toml"))}
STORIES |= {f"random {i}": model for i, model in enumerate(story_models(3, seed=11))}
SENTENCES = {
    "shipped": CHASED,
    "one word": _told("cat", CHASED),
    "a word thrice": _told("the cat the mouse the", CHASED),
    "one matrix for both": replace(CHASED, W_K=CHASED.W_Q),
    "symmetric with two": replace(CHASED, W_K=-CHASED.W_Q),
    "symmetric as printed": replace(CHASED, W_K=CHASED.W_Q + 1e-3 * np.eye(3, 4)),
    "no queries": _zero("W_Q", model=CHASED),
    "positions": replace(CHASED, positions=np.arange(5)[:, None] * np.ones(4) / 10),
    "one number a query": replace(CHASED, W_Q=CHASED.W_Q[:1], W_K=CHASED.W_K[:1]),
    "large scores": replace(CHASED, W_Q=1e6 * CHASED.W_Q),
}
