"""Matrices on the stage: numbers in brackets, aligned at the decimal point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup

from attn.core.numerals import Cell
from attn.picture import palette
from attn.picture.richtext import Rich
from scenes._kit.spaces import CAP, HEAD, SMALL, fitting, flat, line
from scenes._kit.text import Number, Text

PITCH = 1.35  # line to line, in sizes
GAP = 0.6  # between two columns of numbers, in sizes


class Matrix(VGroup):
    """Numbers in brackets, aligned at the decimal point: firm brackets for learned ones, light ones for computed ones.

    cells: rows of finished numbers. colours: one for all numbers, or one a row. Stands with its left edge and middle
    at (0, 0) until `put` somewhere.
    """

    def __init__(
        self,
        cells: Sequence[Sequence[Cell]],
        size: float = HEAD,
        colours: str | Sequence[str] | None = None,
        learned: bool = False,
        pitch: float = PITCH,
    ):
        super().__init__()
        self.em, self.pitch = size, pitch * size
        shades = list(colours) if isinstance(colours, (list, tuple)) else [colours] * len(cells)
        self.numbers = [[Number(cell, size, ink) for cell in row] for row, ink in zip(cells, shades, strict=True)]
        edge = 0.07 + 0.1 * size
        x = edge + 0.06
        for column in zip(*self.numbers, strict=True):
            before = max(-reach_of(number)[0] for number in column)
            after = max(reach_of(number)[1] for number in column)
            for i, number in enumerate(column):
                number.at(flat((x + before, self.row_y(i) - CAP * size / 2)))
            x += before + after + GAP * size
        right = x - GAP * size + 0.06 + edge
        half, foot = self.pitch * len(cells) / 2 + 0.04, 0.12
        ink, weight = (palette.theme().ink, 4.0) if learned else (palette.theme().rule, 2.0)
        self.brackets = VGroup(
            *(
                line([(end + inward, half), (end, half), (end, -half), (end + inward, -half)], ink, weight)
                for end, inward in ((0.0, foot), (right, -foot))
            )
        )
        self.title = VGroup()
        self.add(self.brackets, *(number for row in self.numbers for number in row), self.title)

    def row_y(self, row: int) -> float:
        """The middle of a row, seen from the matrix's middle."""
        return self.pitch * ((len(self.numbers) - 1) / 2 - row)

    def column(self, j: int = 0) -> list[Number]:
        """The numbers of a column."""
        return [row[j] for row in self.numbers]

    @property
    def span(self) -> tuple[float, float]:
        """Left and right edge."""
        return self.brackets.get_left()[0], self.brackets.get_right()[0]

    @property
    def extent(self) -> tuple[float, float]:
        """Lower and upper edge."""
        return self.brackets.get_bottom()[1], self.brackets.get_top()[1]

    @property
    def middle(self) -> float:
        """The height of its middle."""
        return sum(self.extent) / 2

    def put(self, left: float, middle: float) -> Matrix:
        """Moves it: its left edge and its middle."""
        return self.shift(flat((left - self.span[0], middle - self.middle)))

    def titled(self, name: Rich, shape: Rich = (), room: float = np.inf) -> Matrix:
        """Its name over the brackets, and its shape, smaller, beside it. In less than `room` its letter is enough."""
        parts = [fitting([name, name[:1]], room, max(self.em, SMALL))]
        parts += [Text(shape, SMALL, palette.theme().muted)] if shape else []
        gap = 0.12
        left = sum(self.span) / 2 - (sum(part.peg.width for part in parts) + gap * (len(parts) - 1)) / 2
        for part in parts:
            part.at(flat((left, self.extent[1] + 0.14)))
            left += part.peg.width + gap
        self.title.add(*parts)
        return self

    def frame(self, row: int) -> VGroup:
        """A frame around one row, for `Sweep` or to be moved by hand."""
        (left, right), y, half = self.span, self.middle + self.row_y(row), self.pitch / 2 - 0.03
        corners = [(left - 0.08, y + half), (right + 0.08, y + half), (right + 0.08, y - half), (left - 0.08, y - half)]
        return VGroup(line([*corners, corners[0]], palette.theme().muted, 3.0))

    def column_frame(self, j: int) -> VGroup:
        """A frame around one column."""
        column = VGroup(*(number.digits for number in self.column(j)))
        left, right, (low, high) = column.get_left()[0] - 0.07, column.get_right()[0] + 0.07, self.extent
        corners = [(left, low + 0.02), (right, low + 0.02), (right, high - 0.02), (left, high - 0.02)]
        return VGroup(line([*corners, corners[0]], palette.theme().muted, 3.0))


def reach_of(number: Number) -> tuple[float, float]:
    """How far a number's digits go to the left (negative) and right of its decimal point."""
    x = number.baseline[0]
    return min(number.digits.get_left()[0] - x, 0.0), max(number.digits.get_right()[0] - x, 0.0)
