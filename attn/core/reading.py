"""Which values an asset shows: a trace that remembers what was read of it.

A picture's drawing code is deterministic, so a picture is up to date as long as every value that was read while it
was drawn is still the same. `Reading` stands in for the trace while a picture is drawn and keeps that list.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np

from attn.core.model import size

COUNT = "#"  # as the last part of a name: how many members a tuple has
DIGITS = 12  # significant digits that count: the last bits of exp differ between processors


class Reading:
    """A view on a dataclass that records every leaf value read through it, by dotted name.

    Nested dataclasses, tuples of them and dictionaries are handed out wrapped; methods and properties run on the
    wrapper, so what they read is recorded, too; a size (attn.core.model.size) is a leaf. Raises AttributeError as the
    wrapped object does.
    """

    def __init__(self, target, names: set[str] | None = None, prefix: str = ""):
        self.__dict__.update(_target=target, _names=set() if names is None else names, _prefix=prefix, _along=[])

    def __getattr__(self, name: str):
        target = self._target
        kind: Any = type(target)
        if name in _fields(kind):
            return self._leaf(getattr(target, name), self._prefix + name)
        member = getattr(kind, name)
        if isinstance(member, size):
            return self._leaf(getattr(target, name), self._prefix + name)
        return member.__get__(self, type(self)) if hasattr(member, "__get__") else member

    def _leaf(self, value, path: str):
        if dataclasses.is_dataclass(value):
            return Reading(value, self._names, f"{path}.")
        if isinstance(value, dict):
            return _ReadingMap(value, self, f"{path}.")
        if isinstance(value, tuple) and value and all(map(dataclasses.is_dataclass, value)):
            self._names.add(f"{path}.{COUNT}")
            return tuple(Reading(item, self._names, f"{path}.{i}.") for i, item in enumerate(value))
        self._names.add(path)
        return value

    def __deepcopy__(self, memo) -> Reading:
        return self  # it is read only, and what is read of a copy counts as well

    def __setattr__(self, name, value):
        raise AttributeError("a trace is read only")

    def agrees(self, other: Reading) -> bool:
        """Whether all that was read of `other` has the same value here."""
        return digest(self._target, other.names) == other.digest()

    def along(self, other: Reading) -> None:
        """Counts what is read of `other`, before and from now on, as read here: a picture goes on with its parts."""
        self._along.append(other)

    @property
    def names(self) -> tuple[str, ...]:
        """What was read so far, sorted."""
        return tuple(sorted(self._names.union(*(other.names for other in self._along))))

    def digest(self) -> str:
        """sha256 over everything that was read so far: the names and their values to DIGITS digits."""
        return digest(self._target, self.names)


class _ReadingMap(Mapping):
    """A dictionary by fixed names (checkpoints), of which a picture may read only some entries."""

    def __init__(self, target: dict, reading: Reading, prefix: str):
        self._target, self._reading, self._prefix = target, reading, prefix

    def __getitem__(self, key):
        return self._reading._leaf(self._target[key], f"{self._prefix}{key}")

    def __iter__(self):
        return iter(self._target)

    def __len__(self):
        return len(self._target)


@cache  # asked at every reading
def _fields(kind: Any) -> frozenset[str]:
    """The names of a dataclass's fields."""
    return frozenset(field.name for field in dataclasses.fields(kind))


def digest(trace, names: Iterable[str]) -> str:
    """sha256, in hex, over the values that dotted `names` have in `trace`."""
    total = hashlib.sha256()
    for name in sorted(names):
        value = trace
        for part in name.split("."):
            value = _part(value, part)
        total.update(f"{name}={canonical(value)}\n".encode())
    return total.hexdigest()


def _part(value, part: str):
    """One step along a dotted name; where a tuple has become shorter since, nothing is found there."""
    if isinstance(value, dict):
        return value[part]
    if isinstance(value, tuple):
        return len(value) if part == COUNT else value[int(part)] if int(part) < len(value) else None
    return None if value is None else getattr(value, part)


def canonical(value) -> str:
    """One text for one value, the same on every machine."""
    if isinstance(value, np.ndarray):
        return f"{value.shape}{[canonical(item) for item in value.ravel().tolist()]}"
    if isinstance(value, float):
        return f"{value + 0.0:.{DIGITS}g}"
    if dataclasses.is_dataclass(value):
        return canonical({field.name: getattr(value, field.name) for field in dataclasses.fields(value)})
    if isinstance(value, dict):
        return "{" + ",".join(f"{key!r}:{canonical(item)}" for key, item in sorted(value.items())) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(canonical, value)) + "]"
    return repr(value)
