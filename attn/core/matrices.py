"""The parameters of a weights file as arrays: numbers checked one by one, rows and shapes against one another."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from attn.core.model import PARAMETERS, WeightsError
from attn.core.source import kind

Rows = list[list[float]]


def none(V: int) -> dict[str, np.ndarray]:
    """What every model has, of width 0."""
    return {"embeddings": np.zeros((V, 0))} | {name: np.zeros((0, 0)) for name in ("W_Q", "W_K", "W_V")}


def parameters(table: dict, V: int) -> dict[str, np.ndarray | None]:
    """Every parameter as an array of the right shape, or None where it is left out.

    Raises WeightsError for what is no number, for a row that is longer or shorter than it should be, and for a wrong
    shape.
    """
    rows = {name: _rows(table[name], name) for name in PARAMETERS if name in table and name != "b_out"}
    d_model = _columns(rows, V)
    for name, found in rows.items():
        _check_even(found, f"parameters.{name}", len(rows["W_V"]) if name == "W_O" else d_model)
    arrays = {name: np.array(rows[name]) if name in rows else None for name in PARAMETERS}
    for name, shape in _shapes(arrays, V, d_model).items():
        _check_shape(arrays[name], name, shape)
    if "b_out" in table:
        arrays["b_out"] = _biases(table["b_out"], V)
    if (arrays["W_out"] is None) != (arrays["b_out"] is None):
        missing, there = ("b_out", "W_out") if arrays["b_out"] is None else ("W_out", "b_out")
        raise WeightsError(f"parameters.{missing}", f"is missing, but {there} is there; the decoder needs both")
    return arrays


def _columns(rows: dict[str, Rows], V: int) -> int:
    """d_model: what most rows of the embeddings have, unless these look transposed; where they disagree, all others."""
    embeddings = [len(row) for row in rows["embeddings"]]
    others = Counter(len(row) for name in ("W_Q", "W_K", "W_V", "positions", "W_out") for row in rows.get(name, ()))
    if len(embeddings) != V and set(embeddings) == {V} and others[len(embeddings)]:
        return len(embeddings)
    counted = Counter(embeddings)
    return max(counted, key=lambda columns: (counted[columns], others[columns]))


def _check_even(rows: Rows, place: str, likely: int) -> None:
    """Raises WeightsError for the first row that is not as long as the others, `likely` or as most of them."""
    counted = Counter(map(len, rows))
    wanted = likely if likely in counted else max(counted, key=counted.get)
    like = next(i for i, row in enumerate(rows, start=1) if len(row) == wanted)
    for i, row in enumerate(rows, start=1):
        if len(row) != wanted:
            raise WeightsError(f"{place}, row {i}", f"{_count(len(row))}, expected {wanted} as in row {like}")


def _shapes(arrays: dict, V: int, d_model: int) -> dict[str, tuple[int, int]]:
    """The shape that each matrix should have."""
    d_k, d_v = _inner_width(arrays, ("W_Q", "W_K"), d_model), _inner_width(arrays, ("W_V",), d_model)
    shapes = {"embeddings": (V, d_model), "W_Q": (d_k, d_model), "W_K": (d_k, d_model), "W_V": (d_v, d_model),
              "W_O": (d_model, d_v), "W_out": (V, d_model)}  # fmt: skip
    if arrays["positions"] is not None:
        shapes["positions"] = (_inner_width(arrays, ("positions",), d_model), d_model)
    return shapes


def _inner_width(arrays: dict, names: tuple[str, ...], d_model: int) -> int:
    """The rows of the first of the matrices that has d_model columns; failing that, of the first's transpose."""
    for name in names:
        if arrays[name].shape[1] == d_model:
            return arrays[name].shape[0]
    return arrays[names[0]].shape[1 if arrays[names[0]].shape[0] == d_model else 0]


def _check_shape(array: np.ndarray | None, name: str, shape: tuple[int, int]) -> None:
    if array is None or array.shape == shape:
        return
    hint = ": looks transposed" if array.T.shape == shape else ""
    if name == "embeddings" and array.shape[1] == shape[1]:
        raise WeightsError("parameters.embeddings", f"{len(array)} rows, expected {shape[0]}: a row for each word")
    found, wanted = (f"{rows} x {columns}" for rows, columns in (array.shape, shape))
    raise WeightsError(f"parameters.{name}", f"is {found}, expected {wanted}{hint}")


def _biases(found, V: int) -> np.ndarray:
    if not isinstance(found, list) or not found:
        raise WeightsError("parameters.b_out", f"{kind(found)}, expected numbers")
    row = _row(found, "parameters.b_out")
    if len(row) != V:
        raise WeightsError("parameters.b_out", f"{_count(len(row))}, expected {V}: one for each word")
    return np.array(row)


def _rows(found, name: str) -> Rows:
    place = f"parameters.{name}"
    if not isinstance(found, list) or not found:
        raise WeightsError(place, f"{kind(found)}, expected rows of numbers")
    for i, row in enumerate(found, start=1):
        if not isinstance(row, list) or not row:
            raise WeightsError(f"{place}, row {i}", f"{kind(row)}, expected a row of numbers")
    return [_row(row, f"{place}, row {i}") for i, row in enumerate(found, start=1)]


def _row(found: list, place: str) -> list[float]:
    return [number(value, f"{place}, number {i}") for i, value in enumerate(found, start=1)]


def number(value, place: str) -> float:
    """A finite number as a 64-bit float. Raises WeightsError for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise WeightsError(place, f"{kind(value)}, expected a number")
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise WeightsError(place, f"{'nan' if math.isnan(found) else 'infinite'}, expected a finite number")
    return found


def _count(n: int) -> str:
    return f"{n} number" if n == 1 else f"{n} numbers"
