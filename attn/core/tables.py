"""A trace as tables for people: every step's numbers, aligned, with what was multiplied by what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attn.core.forward import SYMBOLS, Trace

MOST = 4  # decimals, where no smaller number of them shows the numbers exactly


def text(trace: Trace) -> str:
    """All steps of `trace`, in the order in which one computes them with a pencil."""
    return "\n\n".join(block for block in _blocks(trace) if block)


def _blocks(t: Trace):
    m, words = t.model, t.tokens
    yield f'{" ".join(words)}\nfollowed: "{words[-1]}"; a row for each word, in the order of the sentence'
    yield table("e: embeddings", t.embeddings, words)
    if m.positions is not None:
        yield table("p: positions", t.positions, words)
    yield table(f"x = {'e' if m.positions is None else 'e + p'}: positioned", t.positioned, words)
    for letter, name, found in (("q", "W_Q", t.queries), ("k", "W_K", t.keys), ("v", "W_V", t.values)):
        yield matrix(name, getattr(m, name))
        yield table(f"{letter} = {name} x", found, words)
    yield table("q . k: products, a row for each query, a column for each key", t.products, words, words)
    yield table(f"q . k / sqrt({m.d_k}): scores", t.scores, words, words)
    shifted = " - the row's largest score" if t.shift.any() else ""
    sums = np.column_stack([t.exponentials, t.sums])
    yield table(f"exp(score{shifted}), and the row's sum", sums, words, (*words, "sum"))
    yield table("alpha = exp / sum: attention", t.attention, words, words)
    yield table("a = sum of alpha v: mixed", t.mixed, words)
    if t.correction is not None:
        yield matrix("W_O", m.W_O)
        yield table("c = W_O a: correction", t.correction, words)
        yield table("h = x + c: contextual", t.contextual, words)
    if t.decoder is not None:
        yield from _decoder(t)


def _decoder(t: Trace):
    m, words = t.model, t.model.vocabulary
    yield table("W_out, and b_out", np.column_stack([m.W_out, m.b_out]), words)
    scores = np.column_stack([p.scores for p in t.decoder.values()])
    shares = np.column_stack([p.probabilities for p in t.decoder.values()])
    heads = [SYMBOLS[name] for name in t.decoder]
    yield table(f'W_out r + b_out: scores at r = {", ".join(heads)} of "{t.tokens[-1]}"', scores, words, heads)
    yield table("softmax of these: probabilities", shares, words, heads)
    lines = []
    for name, prediction in t.decoder.items():
        tie = f"a tie of {' and '.join(prediction.tie)}" if prediction.tie else prediction.word
        lines.append(f"  {SYMBOLS[name]}: {tie}")
    yield "\n".join(["predictions", *lines])
    if t.distances is not None:
        story, places = m.story, np.array([list(t.distances.values())])
        title = f'distance to the plane, positive on the "{story.target}" side, negative on the "{story.origin}" side'
        yield table(title, places, [t.tokens[-1]], heads)
    if t.shares is not None:
        yield table("what each word adds to the distance of h", t.shares[None, :], [t.tokens[-1]], t.tokens)


def matrix(name: str, values: np.ndarray) -> str:
    """A matrix (rows x columns) under its name and shape."""
    return table(f"{name} ({values.shape[0]} x {values.shape[1]})", values, [""] * len(values))


def table(title: str, values: np.ndarray, labels: Sequence[str], heads: Sequence[str] = ()) -> str:
    """`values` (rows x columns) under `title`, a label before each row, a head above each column."""
    shown = _shown(values)
    rows = [["", *heads]] if heads else []
    rows += [[label, *row] for label, row in zip(labels, shown, strict=True)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [title]
    for label, *cells in rows:
        right = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join(["", label.ljust(widths[0]), *right]).rstrip())
    return "\n".join(lines)


def _shown(values: np.ndarray) -> list[list[str]]:
    """Each number with as few decimals as show all of them exactly, at most MOST; `masked` for -inf."""
    finite = values[np.isfinite(values)]
    places = next((n for n in range(MOST) if np.allclose(finite, np.round(finite, n), rtol=0, atol=1e-12)), MOST)
    return [[_number(x, places) for x in row] for row in values.tolist()]


def _number(x: float, places: int) -> str:
    return f"{round(x, places) + 0.0:.{places}f}" if np.isfinite(x) else "masked"
