"""The widths of a book's figures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

WIDTHS = {"column": 84.0, "text": 130.0, "page": 174.0}  # mm, of a book's figures


_width: ContextVar[str] = ContextVar("width", default="page")


def width() -> str:
    """The width that is in force, one of WIDTHS. In a column the parts of a picture stand below each other."""
    return _width.get()


@contextmanager
def sized(name: str) -> Iterator[float]:
    """Puts the width called `name` in force for the block; gives it in mm. Raises KeyError for an unknown one."""
    millimetres = WIDTHS[name]
    token = _width.set(name)
    try:
        yield millimetres
    finally:
        _width.reset(token)
