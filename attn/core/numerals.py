"""Numbers as texts, decided once for all pictures: how many decimals, the minus sign, shares that add up to one.

A `Cell` is a finished number: its text and its place in the trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attn.core import record

MINUS = "\N{MINUS SIGN}"


RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")  # digits as superscripts


LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def decimals(values, most: int = 2) -> int:
    """As few decimals as show every one of `values` exactly, `most` where that is not enough."""
    flat = np.asarray(values, dtype=float).ravel()
    for d in range(most):
        if np.all(np.abs(flat - np.round(flat, d)) < 1e-9):
            return d
    return most


def number(value: float, places: int = 2) -> str:
    """`value` with a true minus sign, never a negative zero; beyond 99,999 in powers of ten, 1.8·10⁵; −∞ as such."""
    if np.isinf(value):
        text, power = "∞" if value > 0 else "-∞", ""
    elif abs(value) < 99_999.5:
        text, power = f"{value:.{places}f}", ""
    else:
        text, _, exponent = f"{value:.1e}".partition("e")
        power = f"·10{str(int(exponent)).translate(RAISED)}"
    if text.startswith("-"):
        text = text[1:] if not text.strip("-0.") else MINUS + text[1:]
    return text + power


def value_of(text: str) -> float:
    """The value that a text by `number` or `percent` shows, as rounded. Raises ValueError for any other text."""
    if text.endswith("%"):
        return value_of(text[:-1]) / 100
    digits, times, power = text.removeprefix("+").replace(MINUS, "-").partition("·10")
    return float(f"{digits}e{power.translate(LOWERED)}" if times else digits)


def percent(text: str) -> str:
    """A share as printed by `number`, in per cent: 0.62 as 62%, 0.625 as 62.5%."""
    return f"{number(100 * value_of(text), max(places_of(text) - 2, 0))}%"


def places_of(text: str) -> int:
    """How many decimals of its value a text by `number` or `percent` shows."""
    if text.endswith("%"):
        return places_of(text[:-1]) + 2
    return len(text.partition(".")[2].partition("·")[0])


def weight_texts(weights, places: int = 2) -> list[str]:
    """Weights that sum to 1, rounded so that what is printed adds up to 1, too (largest remainder).

    Hamilton's method: every weight is rounded down, then the largest remainders get the units that are missing.
    """
    units = np.asarray(weights, dtype=float) * 10**places
    whole = np.floor(units + 1e-9)
    missing = int(round(10**places - whole.sum()))
    for i in sorted(range(len(units)), key=lambda i: (whole[i] - units[i], i))[:missing]:
        whole[i] += 1
    return [number(w / 10**places, places) for w in whole]


@dataclass(frozen=True)
class Cell:
    """A finished number: its text and its place in the trace."""

    text: str
    path: str


def cell(value: float, path: str, places: int = 2) -> Cell:
    """The cell of one number."""
    return Cell(number(value, places), path)


def cells(values, path: str, places: int | None = None) -> list:
    """The cells of an array, nested like it, all with the same number of decimals (as few as show it exactly)."""
    values = np.asarray(values, dtype=float)
    places = decimals(values) if places is None else places
    if values.ndim == 1:
        return [cell(v, f"{path}[{i}]", places) for i, v in enumerate(values)]
    return [cells(row, f"{path}[{i}]", places) for i, row in enumerate(values)]


def size(trace, name: str) -> int:
    """A size by its name in the trace."""
    if name == "V":
        return len(trace.model.vocabulary)
    return getattr(trace if name == "n" else trace.model, name)


def weight_cells(weights, path: str) -> list[Cell]:
    """The cells of one row of attention weights; their texts add up to 1.00."""
    return [Cell(text, f"{path}[{i}]") for i, text in enumerate(weight_texts(weights))]


def probability_cells(trace, checkpoint: str, *place: str | int) -> dict[str, Cell]:
    """Each word's probability at one of the checkpoints; their texts add up to 1.00.

    place: where `trace` stands in the one that is drawn, if it is another: "contrast", 1.
    """
    texts = weight_texts(trace.decoder[checkpoint].probabilities)
    return by_word(trace, texts, *place, "decoder", checkpoint, "probabilities")


def score_cells(trace, checkpoint: str, places: int = 2) -> dict[str, Cell]:
    """Each word's score at one of the checkpoints."""
    texts = [number(score, places) for score in trace.decoder[checkpoint].scores]
    return by_word(trace, texts, "decoder", checkpoint, "scores")


def by_word(trace, texts: Sequence[str], *place: str | int) -> dict[str, Cell]:
    """A cell for each word of the vocabulary: its text, and its path, which goes on from `place` with the word."""
    words = zip(trace.model.vocabulary, texts, strict=True)
    return {word: Cell(text, record.path(*place, word)) for word, text in words}
