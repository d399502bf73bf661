"""Parts of the pictures of the lookup experiment: tokens as cards, and curves over the steps of training."""

from __future__ import annotations

import numpy as np

from attn.core import numerals
from attn.picture import palette
from attn.picture.richtext import Run, rich
from figures._kit import paint
from figures._kit.paint import HEAD, SMALL, Page, text_width

ENTRIES = 4


def card(page: Page, centre: float, top: float, found, index: int, width: float = 7.0) -> float:
    """A token as a card, tag above value; the query has no value. Gives its lower end in mm."""
    colours, e = palette.theme(), found.example
    right, query = index == e["entry"], index == ENTRIES
    edge = palette.lookup_colour(True) if right else colours.rule
    height = 5.2
    for row, key in enumerate(("tags", "values")):
        y = top - height * (row + 1)
        value, path = (e["query"], "query") if query else (e[key][index], f"{key}[{index}]")
        cell = numerals.cell(value, f"example.{path}", 0)
        matching = right or query
        fill = palette.mix(palette.lookup_colour(True), 0.18) if row == 0 and matching else colours.paper
        if query and row == 1:
            unknown = Run("?", style="b", colour=colours.muted)
            page.text(centre, y + height / 2, unknown, HEAD, ha="center", va="middle")
            continue
        corners = paint.box(centre - width / 2, y, centre + width / 2, y + height)
        page.polygon(corners, fill, edge, 1.2 if right else 0.6)
        run = Run(cell.text, style="b" if matching else "", path=cell.path)
        page.text(centre, y + height / 2, run, HEAD, ha="center", va="middle")
    return top - 2 * height


class Steps:
    """A panel with training steps from left to right, the first ones wider: the axis grows with log(1 + step / 5)."""

    def __init__(self, page: Page, box, last: int, top: float, low: float = 0.0):
        self.page, self.box, self.last, self.top, self.low = page, box, last, top, low

    def x(self, step) -> np.ndarray:
        """Where steps stand, in mm."""
        left, _, width, _ = self.box
        return left + width * np.log1p(np.asarray(step) / 5) / np.log1p(self.last / 5)

    def y(self, value) -> np.ndarray:
        """Where values stand, in mm."""
        _, bottom, _, height = self.box
        return bottom + height * (np.asarray(value) - self.low) / (self.top - self.low)

    def frame(self, steps, levels, path: str) -> None:
        """Thin lines at some values and steps, their numbers beside and below; `path` is the place of the values."""
        colours, (left, bottom, width, height) = palette.theme(), self.box
        for level, tick in zip(levels, numerals.cells(levels, path), strict=True):
            y = float(self.y(level))
            self.page.line([(left, y), (left + width, y)], colours.rule if level == self.low else colours.faint)
            self.page.text(left - 1.2, y, tick, SMALL + 0.5, ha="right", va="middle", colour=colours.muted)
        for i, step in enumerate(steps):
            x = float(self.x(step))
            self.page.line([(x, bottom), (x, bottom + height)], colours.faint)
            tick = numerals.cell(step, f"steps[{i}]", 0)
            self.page.text(x, bottom - 4.0, tick, SMALL + 0.5, ha="center", colour=colours.muted)

    def chance(self, value: float, path: str) -> tuple[float, float, float, float]:
        """A dashed line at what chance would give, said below its right end; gives the box down from the line."""
        left, _, width, _ = self.box
        y, said = float(self.y(value)), rich("chance [value]", value=numerals.cell(value, path))
        self.page.line([(left, y), (left + width, y)], palette.theme().muted, 0.75, (4.0, 3.0))
        self.page.text(left + width, y - 3.2, said, SMALL + 0.5, ha="right", colour=palette.theme().muted)
        return left + width - text_width(said, SMALL + 0.5), y - 3.6, left + width, y

    def curve(self, values, colour: str, width: float = 1.6) -> None:
        """A line through the values of all steps; `width` in pt."""
        steps = np.arange(len(values))
        self.page.line(np.stack([self.x(steps), self.y(values)], axis=1), colour, width)

    def band(self, low, high, colour: str) -> None:
        """The area between two values at each step."""
        steps = np.arange(len(low))
        there = np.stack([self.x(steps), self.y(low)], axis=1)
        back = np.stack([self.x(steps), self.y(high)], axis=1)[::-1]
        self.page.polygon(np.concatenate([there, back]), palette.mix(colour, 0.22))

    def diamond(self, step: int, value: float) -> tuple[float, float]:
        """The mark of a published number, hollow, so that what lies under it is seen; gives its place."""
        x, y, size = float(self.x(step)), float(self.y(value)), 1.6
        corners = [(x - size, y), (x, y - size), (x + size, y), (x, y + size)]
        self.page.line([*corners, *corners[:2]], palette.theme().ink, 1.0)
        return x, y
