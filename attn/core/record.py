"""A trace as plain data, exact, and the paths that name a place in it: `attention[2][1]`, `parameters.W_Q[0][2]`.

It is what `attn trace --json` prints and what the number records beside the pictures point into. What a picture makes
of two numbers has a path, too, with a sign between theirs: `queries[2][0]*keys[1][0]`, `scores[2][0]-shift[2]`.
"""

from __future__ import annotations

import dataclasses
import json
import math
import operator
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from attn.core.decoder import Prediction
from attn.core.forward import Trace
from attn.core.model import PARAMETERS

NAME = re.compile(r"[^\W\d]\w*")  # what may stand in a path without quotes
PART = re.compile(rf'\.?(?P<name>{NAME.pattern})|\[(?P<row>\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]')
SIGNS = {"*": operator.mul, "-": operator.sub}
OWN_WAY = ("model", "mask", "decoder", "plane")  # fields that are not arrays as they are
SIZES = ("n_max", "d_model", "d_k", "d_v")  # of a model's matrices


def as_dict(trace: Trace) -> dict:
    """Everything in `trace` as numbers, texts, lists and objects; what the file leaves out is None.

    Masked scores are None. Numbers are the trace's own 64-bit floats. Results of an experiment are given field by
    field.
    """
    if not isinstance(trace, Trace):
        return fields(trace)
    model = trace.model
    arrays = [field.name for field in dataclasses.fields(Trace) if field.name not in OWN_WAY]
    parameters = {name: getattr(model, name) for name in PARAMETERS if getattr(model, name) is not None}
    return {
        "title": model.title,
        "vocabulary": list(model.vocabulary),
        **{name: getattr(model, name) for name in SIZES},
        "V": len(model.vocabulary),
        "n": trace.n,
        **{name: _plain(getattr(trace, name)) for name in arrays},
        "decoder": trace.decoder and {name: said(p, model.vocabulary) for name, p in trace.decoder.items()},
        "plane": trace.plane and fields(trace.plane),
        "parameters": {name: _plain(value) for name, value in parameters.items()},
    }


def said(prediction: Prediction, vocabulary: tuple[str, ...]) -> dict:
    def by_word(values):
        return dict(zip(vocabulary, _plain(values), strict=True))

    return {
        "scores": by_word(prediction.scores),
        "probabilities": by_word(prediction.probabilities),
        "prediction": prediction.word,
        "tie": list(prediction.tie),
    }


def fields(value: Any) -> dict:
    """A dataclass as plain data, field by field."""
    return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}


def _plain(value):
    """Arrays as lists, -inf (masked) as None, -0.0 as 0.0."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else None
    return value


def path(*parts: str | int) -> str:
    """The path through `parts`, names and rows: path("decoder", "embedding", "scores", "a.b", 2)."""
    return "".join(map(_step, parts)).removeprefix(".")


def joined(first: str | None, sign: str, second: str | None) -> str | None:
    """The path of two numbers' product ("*") or difference ("-"); None where one of them has no path."""
    return first and second and f"{first}{sign}{second}"


def _step(part: str | int) -> str:
    """One part of a path: a name, quoted where it is no plain one, or a row."""
    if isinstance(part, str):
        return f".{part}" if NAME.fullmatch(part) else f"[{json.dumps(part, ensure_ascii=False)}]"
    return f"[{part}]"


def terms(where: str) -> Iterator[tuple[str, list[str | int]]]:
    """The places on the path `where`, each as its names and rows, with the sign before it; before the first, none.

    Raises KeyError for a path that is no path.
    """
    sign, at = "", 0
    while True:
        parts = []
        while found := PART.match(where, at):
            at = found.end()
            parts.append(int(found["row"]) if found["row"] else found["name"] or _unquoted(found["quoted"]))
        if not parts or where[at : at + 1] not in ("", *SIGNS):
            raise KeyError(where)
        yield sign, parts
        if at == len(where):
            return
        sign, at = where[at], at + 1


def _unquoted(name: str) -> str:
    try:
        return json.loads(name)
    except ValueError:
        raise KeyError(name) from None


def lookup(data: dict, where: str):
    """The value at the path `where` in what `as_dict` gave; signs are followed from left to right.

    Raises KeyError for a path that is no path or leads nowhere.
    """
    value = None
    for sign, parts in terms(where):
        found = data
        try:
            for part in parts:
                found = found[part]
        except (TypeError, IndexError, KeyError):
            raise KeyError(where) from None
        if sign and not all(isinstance(one, (int, float)) for one in (value, found)):
            raise KeyError(where)
        value = SIGNS[sign](value, found) if sign else found
    return value
