"""The widths of a book's figures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

WIDTHS = {"column": 84.0, "text": 130.0, "page": 174.0}  # mm, by the name of the arrangement that is made for it
NARROWEST, WIDEST = 60.0, 400.0  # mm, of what may be asked for


class Size(NamedTuple):
    """How wide a figure is, and how its parts are arranged."""

    millimetres: float
    arranged: str  # one of WIDTHS; in a column the parts of a picture stand below each other


def size(arranged: str) -> Size:
    """The size that an arrangement is made for. Raises KeyError for an unknown one."""
    return Size(WIDTHS[arranged], arranged)


_PAGE = size("page")
_size: ContextVar[Size] = ContextVar("size", default=_PAGE)


def width() -> float:
    """The width that is in force, in mm."""
    return _size.get().millimetres


def arranged() -> str:
    """The arrangement that is in force, one of WIDTHS."""
    return _size.get().arranged


@contextmanager
def sized(wanted: Size | str) -> Iterator[None]:
    """Puts a size in force for the block, or that of an arrangement. Raises KeyError for an unknown one."""
    token = _size.set(size(wanted) if isinstance(wanted, str) else wanted)
    try:
        yield
    finally:
        _size.reset(token)
