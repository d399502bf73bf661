"""Story B's way of writing: a word's vector is a row, Q = X W_q with W_q d_model x d_k.

The weights file and the pass hold matrices for columns, q = W_Q x. This is the one place where they are turned; the
paths of the numbers still lead to where they stand in the file.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from attn.core import numerals
from attn.core.decoder import TIE, softmax
from attn.core.numerals import Cell
from attn.picture import richtext
from attn.picture.richtext import Rich, Run, rich

NAMES = {"W_Q": "q", "W_K": "k", "W_V": "v"}  # the file's name of each matrix, and its letter in this story
WIDTHS = {"W_Q": "d_k", "W_K": "d_k", "W_V": "d_v"}
MADE = {"W_Q": "queries", "W_K": "keys", "W_V": "values"}  # the row of the trace that it makes of X


def convention() -> Rich:
    """How story B writes products, for the foot of a page."""
    return rich("Vectors are rows:  *q*_{i} = *x*_{i} *W*_{q}")


def words(trace) -> list[Run]:
    """The words at the heads of the rows: the sentence's, as written, in their colours."""
    return [richtext.word(trace, token) for token in trace.tokens]


def matrix(model, name: str) -> np.ndarray:
    """W_q, W_k or W_v by the file's name "W_Q", "W_K" or "W_V": d_model x its width."""
    return getattr(model, name).T


def matrix_cells(trace, name: str) -> list[list[Cell]]:
    """The finished numbers of such a matrix, d_model rows, each with its place in the file."""
    cells = numerals.cells(getattr(trace.model, name), f"parameters.{name}")
    return [list(row) for row in zip(*cells, strict=True)]


def symbol(name: str) -> Rich:
    """W with its letter below."""
    return rich(f"*W*_{{{NAMES[name]}}}")


# Drawn line by line in figures/formula_code.py, hence without a docstring: X is n x d_model, W_q and W_k d_model x d_k,
# W_v d_model x d_v; the result is n x d_v. `attn.core.attention` is the one to call.
def attention(X, W_q, W_k, W_v):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    S = Q @ K.T / sqrt(K.shape[-1])
    A = softmax(S)
    return A @ V


def telling_pair(trace) -> tuple[int, int]:
    """(query i, key j): the pair of words whose two scores differ most; i scores j higher than j scores i.

    In a sentence of one word, or where all scores are symmetric, the first pair there is.
    """
    apart = trace.scores - trace.scores.T
    i, j = np.unravel_index(int(np.argmax(np.round(apart, 9))), apart.shape)
    return (int(i), int(j)) if i != j else (0, trace.n - 1)


def compared(scores: np.ndarray, pair: tuple[int, int]) -> str:
    """The sign between the two scores of a pair of words in `scores` (n x n): =, ≠, or ≈ if they are printed alike.

    What is so of the telling pair is so of all: if its scores are equal, every score equals its mirror image.
    """
    here, there = scores[pair], scores[pair[::-1]]
    return _sign(abs(here - there) <= TIE, numerals.number(here) == numerals.number(there))


def likeness(model) -> str:
    """The sign between W_k and W_q."""
    pair = model.W_K, model.W_Q
    return _sign(np.array_equal(*pair), numerals.cells(pair[0], "") == numerals.cells(pair[1], ""))


def _sign(equal: bool, printed_alike: bool) -> str:
    return "=" if equal else "≈" if printed_alike else "≠"
