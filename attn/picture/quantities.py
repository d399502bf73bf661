"""The kinds of vectors and numbers: what each is called, its letter, how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    """One kind of vector or number: its name, its letter, how it is drawn."""

    name: str
    symbol: str
    dash: tuple[float, ...]  # on, off, ... in line widths; () is solid
    head: str  # what ends the line: "arrow", "square" or "dot"
    row: str  # the field of the trace that holds it


QUANTITIES = {
    q.row: q
    for q in (
        Quantity("embedding", "e", (0.1, 2.0), "arrow", "embeddings"),
        Quantity("position vector", "p", (), "arrow", "positions"),
        Quantity("positioned embedding", "x", (4.0, 2.0), "arrow", "positioned"),
        Quantity("query", "q", (), "arrow", "queries"),
        Quantity("key", "k", (4.0, 2.0), "square", "keys"),
        Quantity("value", "v", (), "dot", "values"),
        Quantity("attention weight", "α", (), "dot", "attention"),
        Quantity("attention output", "a", (), "arrow", "mixed"),
        Quantity("context displacement", "c", (), "arrow", "correction"),
        Quantity("contextual representation", "h", (), "arrow", "contextual"),
    )
}
