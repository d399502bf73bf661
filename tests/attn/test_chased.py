"""The shipped weights of story B: what the pictures rest on, and where the numbers come from."""

from pathlib import Path

import numpy as np
import pytest

import attn
from attn.core import numerals, weights
from attn.core.forward import forward
from attn.lab import chased

FILE = Path(attn.__file__).parent / "weights" / "chased.toml"
THE, CAT, CHASED, THE_TOO, MOUSE = range(5)


@pytest.fixture(scope="module")
def trace():
    return forward(weights.load(FILE))


def test_the_search_gives_the_file_to_the_byte():
    assert weights.dumps(chased.model(chased.search()), chased.COMMENT) == FILE.read_text(encoding="utf-8")


def test_every_entry_has_one_decimal(trace):
    for name in ("embeddings", "W_Q", "W_K", "W_V"):
        assert numerals.decimals(getattr(trace.model, name)) == 1
    for rows in (trace.queries, trace.keys, trace.values):  # so products of two can be followed exactly
        assert np.allclose(rows, rows.round(2), atol=1e-12)


def test_widths_and_words(trace):
    assert (trace.n, trace.model.d_model, trace.model.d_k, trace.model.d_v) == (5, 4, 3, 3)
    assert trace.tokens == ("The", "cat", "chased", "the", "mouse")
    assert not trace.model.causal and trace.model.positions is None and trace.decoder is None


def test_the_verb_looks_at_who_and_most_at_whom(trace):
    row = trace.attention[CHASED]
    assert row[MOUSE] > row[CAT] > 2 * max(row[THE], row[THE_TOO])
    assert row[MOUSE] > 2 * trace.attention[MOUSE, CHASED]
    assert trace.scores[CHASED, MOUSE] > trace.scores[MOUSE, CHASED] + 0.5


def test_both_copies_of_the_have_the_same_rows(trace):
    for name in ("embeddings", "queries", "keys", "values", "scores", "attention", "mixed"):
        rows = getattr(trace, name)
        assert np.array_equal(rows[THE], rows[THE_TOO])
