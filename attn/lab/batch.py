"""The forward pass of many sets of weights over many sentences at once, and measures on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attn.core.model import Expect, Model


@dataclass(frozen=True)
class Sentences:
    """Sentences as arrays: S sentences of up to N words."""

    words: np.ndarray  # S x N, rows of the vocabulary; 0 where a sentence has ended
    there: np.ndarray  # S x N, True where there is a word
    last: np.ndarray  # S, place of the last word

    @staticmethod
    def of(model: Model, wanted: tuple[Expect, ...]) -> Sentences:
        sentences = [entry.sentence for entry in wanted]
        longest = max(map(len, sentences))
        words = np.zeros((len(sentences), longest), dtype=int)
        for row, sentence in enumerate(sentences):
            words[row, : len(sentence)] = [model.index(word) for word in sentence]
        lengths = np.array([len(sentence) for sentence in sentences])
        return Sentences(words, np.arange(longest) < lengths[:, None], lengths - 1)


@dataclass(frozen=True)
class Pass:
    """The forward pass of B sets of weights over S sentences, for their last words."""

    parameters: dict[str, np.ndarray]  # B x the parameter's shape
    x: np.ndarray  # B x S x N x d_model
    q: np.ndarray  # B x S x N x d_k
    k: np.ndarray  # B x S x N x d_k
    v: np.ndarray  # B x S x N x d_v
    scores: np.ndarray  # B x S x N, scaled
    attention: np.ndarray  # B x S x N
    c: np.ndarray  # B x S x d_model
    h: np.ndarray  # B x S x d_model
    decoded: np.ndarray  # B x S x V


def run_pass(parameters: dict[str, np.ndarray], sentences: Sentences) -> Pass:
    """Every quantity of the pass for all sets of weights at once; the pass of `attn.core`, batched."""
    p = parameters
    batch, words, d_model = p["embeddings"].shape
    S, N = sentences.words.shape
    rows = np.arange(S)
    x = p["embeddings"][:, :, None] + p["positions"][:, None, :N]  # B x V x N x d_model, each word at each place
    x = x.reshape(batch, words * N, d_model)
    place = sentences.words * N + np.arange(N)  # S x N
    q, k, v = (np.matmul(x, p[name].transpose(0, 2, 1))[:, place] for name in ("W_Q", "W_K", "W_V"))
    x = x[:, place]
    asking = q[:, rows, sentences.last]  # B x S x d_k
    scores = (asking[:, :, None] * k).sum(axis=-1) / np.sqrt(k.shape[-1])
    hidden = np.where(sentences.there, scores, -np.inf)
    exponentials = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    attention = exponentials / exponentials.sum(axis=-1, keepdims=True)
    mixed = (attention[..., None] * v).sum(axis=-2)  # B x S x d_v
    c = np.matmul(mixed, p["W_O"].transpose(0, 2, 1))
    h = x[:, rows, sentences.last] + c
    decoded = np.matmul(h, p["W_out"].transpose(0, 2, 1)) + p["b_out"][:, None]
    return Pass(p, x, q, k, v, scores, attention, c, h, decoded)


def under(least: float, values: np.ndarray) -> np.ndarray:
    """By how much each value is under `least`, 0 where it is not."""
    return np.maximum(least - values, 0.0)


def next_rows(model: Model, wanted: tuple[Expect, ...]) -> np.ndarray:
    """The vocabulary's rows of the words that are wanted."""
    return np.array([model.index(entry.next) for entry in wanted])


def leads(scores: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """By how much word `rows[s]` leads over every other at `scores` (B x S x V): B x S."""
    each = np.arange(len(rows))
    own = scores[:, each, rows]
    others = scores.copy()
    others[:, each, rows] = -np.inf
    return own - others.max(axis=-1)
