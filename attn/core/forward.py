"""One forward pass of a tiny self-attention, every value kept.

Scaled dot-product attention as in Vaswani et al., "Attention Is All You Need" (2017), equation 1, with one head.
Everything is 64-bit; nothing here draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from attn.core.decoder import TIE, Plane, Prediction, decode, plane_between, softmax
from attn.core.model import Model, WeightsError

SYMBOLS = {"embedding": "e", "positioned": "x", "contextual": "h"}  # the letters of the followed word's three states
CHECKPOINTS = tuple(SYMBOLS)
STATES = {"embedding": "embeddings", "positioned": "positioned", "contextual": "contextual"}  # fields of their vectors
PLAIN_EXP = 20.0  # scores up to this size are shown as exp(s); larger ones shifted by their row's maximum


def causal_mask(n: int) -> np.ndarray:
    """n x n, True where query i may see key j: itself and what came before."""
    return np.tril(np.ones((n, n), dtype=bool))


def attention(X, W_q, W_k, W_v, mask=None):
    """One head of self-attention over the rows of X. Returns (output, weights).

    X is n x d_model, W_q and W_k d_model x d_k, W_v d_model x d_v (row convention, Q = X W_q); mask is n x n, True
    where query i may see key j, or None for all. Output is n x d_v; weights n x n, 0 where masked, rows sum to 1.

    Raises ValueError for shapes that do not fit and for a query that may see nothing.
    """
    X, W_q, W_k, W_v = (np.asarray(a, dtype=np.float64) for a in (X, W_q, W_k, W_v))
    if W_q.shape != W_k.shape:
        raise ValueError(f"W_q is {W_q.shape} and W_k {W_k.shape}: queries and keys must be of one width")
    scores = (X @ W_q) @ (X @ W_k).T / sqrt(W_q.shape[1])  # n x n
    if mask is not None:
        if not np.asarray(mask, dtype=bool).any(axis=1).all():
            raise ValueError("a query that may see no key has no attention weights")
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)  # n x n
    return weights @ (X @ W_v), weights


@dataclass(frozen=True, eq=False)
class Trace:
    """Every value of one forward pass. n words; the last one is the one followed.

    Fields that need a part the file leaves out (W_O, decoder, story) are None.
    """

    model: Model
    tokens: tuple[str, ...]  # n
    embeddings: np.ndarray  # n x d_model, e
    positions: np.ndarray  # n x d_model, p; zeros where the file has none
    positioned: np.ndarray  # n x d_model, x = e + p
    queries: np.ndarray  # n x d_k, q = W_Q x
    keys: np.ndarray  # n x d_k, k = W_K x
    values: np.ndarray  # n x d_v, v = W_V x
    mask: np.ndarray  # n x n, True where query i may see key j
    products: np.ndarray  # n x n, q_i . k_j, -inf where masked
    scores: np.ndarray  # n x n, products / sqrt(d_k), -inf where masked
    tied: np.ndarray  # n x n, the scores if W_K were W_Q, q_i . q_j / sqrt(d_k): for comparison, nothing uses them
    shift: np.ndarray  # n, taken from a row's scores before exp; 0 unless a score is larger than PLAIN_EXP
    exponentials: np.ndarray  # n x n, exp(scores - shift), 0 where masked
    sums: np.ndarray  # n, of the exponentials of a row
    attention: np.ndarray  # n x n, alpha, 0 where masked, rows sum to 1
    totals: np.ndarray  # n, of the attention weights of a row: 1
    weighted: np.ndarray  # n x n x d_v, alpha_ij v_j
    mixed: np.ndarray  # n x d_v, a_i = sum_j alpha_ij v_j
    correction: np.ndarray | None  # n x d_model, c = W_O a
    contextual: np.ndarray | None  # n x d_model, h = x + c
    decoder: dict[str, Prediction] | None  # by checkpoint, for the last word
    plane: Plane | None  # between story.from and story.to
    distances: dict[str, float] | None  # by checkpoint, signed, positive on the story.to side
    shares: np.ndarray | None  # n, alpha_lj (normal . W_O v_j): what word j adds to the last word's distance

    @property
    def n(self) -> int:
        return len(self.tokens)

    @property
    def last(self) -> int:
        """The row of the word that is followed."""
        return self.n - 1

    @property
    def crosses(self) -> bool:
        """Whether the displacement leads from story.from's side of the plane to story.to's."""
        return self.distances["positioned"] < -TIE and self.distances["contextual"] > TIE

    def state(self, checkpoint: str) -> np.ndarray:
        """The last word's vector (d_model) at one of CHECKPOINTS."""
        return getattr(self, STATES[checkpoint])[self.last]


def forward(model: Model, sentence: str | tuple[str, ...] | None = None) -> Trace:
    """The pass over `sentence` (words split at blanks; the story's sentence when left out).

    Raises WeightsError for a sentence that does not fit the model and where a number grows beyond 64-bit floats,
    naming the step at which it does.
    """
    if sentence is None:
        if model.story is None:
            raise WeightsError("story.sentence", "is missing, and no sentence was given")
        sentence = model.story.sentence
    tokens = model.words(sentence)
    with np.errstate(over="ignore", invalid="ignore"):
        return _forward(model, tokens)


def _forward(m: Model, tokens: tuple[str, ...]) -> Trace:
    n, last = len(tokens), len(tokens) - 1
    e = m.embeddings[[m.index(word) for word in tokens]]  # n x d_model
    p = np.zeros_like(e) if m.positions is None else m.positions[:n]  # n x d_model
    x = _finite("the positioned embeddings", e + p)
    q, k, v = (_finite(f"the {what}", _apply(W, x)) for what, W in _projections(m))
    mask = causal_mask(n) if m.causal else np.ones((n, n), dtype=bool)
    products = _finite("the scores", q @ k.T)
    scores = products / sqrt(m.d_k)
    tied = q @ q.T / sqrt(m.d_k)
    products, scores, tied = (np.where(mask, s, -np.inf) for s in (products, scores, tied))
    shift = np.where(np.abs(np.where(mask, scores, 0)).max(axis=1) > PLAIN_EXP, scores.max(axis=1), 0.0)
    exponentials = np.exp(scores - shift[:, None])
    alpha = softmax(scores)
    weighted = alpha[:, :, None] * v[None, :, :]  # n x n x d_v
    a = _finite("the mixed values", alpha @ v)
    c = h = None
    if m.W_O is not None:
        c = _finite("the corrections", _apply(m.W_O, a))
        h = _finite("the contextual vectors", x + c)
    decoder = _decode(m, e[last], x[last], None if h is None else h[last])
    plane = story_plane(m)
    distances = shares = None
    if plane is not None:
        states = zip(CHECKPOINTS, (e, x, h), strict=True)
        distances = {name: float(plane.distance(s[last])) for name, s in states if s is not None}
        if h is not None:
            shares = alpha[last] * (_apply(m.W_O, v) @ plane.normal)  # n
    return Trace(
        model=m, tokens=tokens, embeddings=e, positions=p, positioned=x, queries=q, keys=k, values=v, mask=mask,
        products=products, scores=scores, tied=tied, shift=shift,
        exponentials=exponentials, sums=exponentials.sum(axis=1), attention=alpha, totals=alpha.sum(axis=1),
        weighted=weighted, mixed=a, correction=c, contextual=h,
        decoder=decoder, plane=plane, distances=distances, shares=shares,
    )  # fmt: skip


def _projections(m: Model):
    return (("queries", m.W_Q), ("keys", m.W_K), ("values", m.W_V))


def _apply(W: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """W x for every row x: the file's matrices act on columns, the pass keeps a word a row (n x width)."""
    return rows @ W.T


def _finite(what: str, values: np.ndarray) -> np.ndarray:
    if not np.isfinite(values).all():
        raise WeightsError("parameters", f"the pass overflows at {what}; expected numbers that stay finite")
    return values


def _decode(m: Model, *points: np.ndarray | None) -> dict[str, Prediction] | None:
    if m.W_out is None:
        return None
    decoder = {
        name: decode(m.W_out, m.b_out, point, m.vocabulary)
        for name, point in zip(CHECKPOINTS, points, strict=True)
        if point is not None
    }
    for prediction in decoder.values():
        _finite("the decoder's scores", prediction.scores)
    return decoder


def story_plane(m: Model) -> Plane | None:
    """The plane between story.from and story.to; None in a file without story or decoder.

    Raises WeightsError where the two words' decoder rows are equal, or differ by more than floats can say.
    """
    if m.story is None or m.story.origin is None or m.W_out is None:
        return None
    words = m.story.origin, m.story.target
    with np.errstate(over="ignore", invalid="ignore"):
        plane = plane_between(m.W_out, m.b_out, *(m.index(word) for word in words))
    if plane is None:
        raise WeightsError(
            "parameters.W_out",
            f'"{words[0]}" and "{words[1]}" have the same decoder row, so no plane parts them; expected two rows',
        )
    _finite("the decoder's plane", np.append(plane.normal, plane.offset))
    return plane
