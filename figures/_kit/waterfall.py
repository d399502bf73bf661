"""Waterfalls: how each word's share moves the followed one along the signed distance to the plane."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from attn.core import numerals
from attn.core.forward import STATES, Trace
from attn.picture import palette, richtext
from attn.picture.richtext import Rich, Run, rich
from figures._kit import paint
from figures._kit.paint import BODY, HEAD, MM, SMALL, Page

Box = tuple[float, float, float, float]  # left, bottom, width, height in mm
NEAR = 1.0  # mm between an arrow and its number
GAP = 3.0  # mm between a name and the ground
LONGEST = 20.0  # mm, of a name that is written out
FOOT = 4.0  # mm that the sides' names take below the ground
MARK = 1.4  # mm, the radius of a state's mark


@dataclass(frozen=True)
class Move:
    """One row of a waterfall: from where to where it goes, and what is written beside it."""

    name: Rich
    start: float
    end: float
    label: Rich
    colour: str
    state: bool = False  # a checkpoint: a mark instead of an arrow
    weight: numerals.Cell | None = None  # the attention that a word gets


def state(trace: Trace, name: str, picture, path: str = "") -> Move:
    """The row of a checkpoint of `trace`, drawn in the colours of `picture`."""
    word, distance = trace.tokens[trace.last], trace.distances[name]
    label = richtext.as_rich(numerals.cell(distance, f"{path}distances.{name}"))
    colour = palette.word_colour(picture, word)
    return Move(richtext.symbol(picture, STATES[name], word), distance, distance, label, colour, True)


def pushes(trace: Trace, picture, most: int, path: str = "") -> list[Move]:
    """A row for each word's share, in the order of the sentence; of a long one the `most` largest, then the others."""
    at, muted = trace.distances["positioned"], palette.theme().muted
    largest = sorted(range(trace.n), key=lambda j: (-abs(trace.shares[j]), j))
    shown = range(trace.n) if trace.n <= most + 1 else sorted(largest[:most])
    weights = numerals.weight_cells(trace.attention[trace.last], f"{path}attention[{trace.last}]")
    rows = []
    for j in shown:
        token, share = trace.tokens[j], trace.shares[j]
        cell = numerals.cell(share, f"{path}shares[{j}]")
        label = rich("+[n]" if share > 0 and cell.text.strip("0.") and not paint.blank() else "[n]", n=cell)
        name, colour = (richtext.word(picture, token),), palette.word_colour(picture, token)
        rows.append(Move(name, at, at + share, label, colour, weight=weights[j]))
        at += share
    if len(shown) < trace.n:
        rows.append(Move((Run("the others", colour=muted),), at, trace.distances["contextual"], (), muted))
    return rows


class Scale:
    """Distances as places along the page, with room for a number on either side and for the sides' names."""

    def __init__(self, rows: Iterable[Move], left: float, right: float, size: float, trace):
        """The largest scale on which `rows`, their numbers in `size` pt, stand between left and right, in mm."""
        rows = list(rows)
        self.left, self.right = left, right
        label = max(paint.text_width(row.label, size) for row in rows) + 3.0
        plane = paint.text_width("plane", BODY) / 2 + 2.0
        self.sides = _sides(trace, right - left - 2 * plane)
        names = tuple(paint.text_width(side, BODY) + plane for side in self.sides)
        self.low_plane = sum(names) > right - left  # the plane's name stands a line further down
        if self.low_plane:
            names = tuple(paint.text_width(side, BODY) + 0.5 for side in self.sides)
        self.stacked = sum(names) > right - left  # and so does the second side's
        if self.stacked:
            names = (0.0, 0.0)
        self.unit, self.zero = self._unit_and_zero(rows, label, names)

    def _unit_and_zero(self, rows: Sequence[Move], label: float, names: tuple[float, ...]) -> tuple[float, float]:
        ends, room = [row.start for row in rows] + [row.end for row in rows] + [0.0], self.right - self.left
        reach = (-min(ends), max(ends))

        def halves(unit: float) -> list[float]:
            return [max(label + far * unit, name) for far, name in zip(reach, names, strict=True)]

        low, high = 0.0, room / (max(reach) or 1.0)
        for _ in range(60):  # the largest unit that fits
            unit = (low + high) / 2
            low, high = (unit, high) if sum(halves(unit)) <= room else (low, unit)
        first, second = halves(low)
        return low, self.left + first + (room - first - second) / 2

    @property
    def foot(self) -> float:
        """Millimetres that the names below the ground take."""
        return FOOT + (3.8 if self.low_plane else 0.0)

    def at(self, distance: float) -> float:
        """Where a signed distance stands, in mm."""
        return self.zero + self.unit * distance


def _sides(trace, room: float) -> tuple[Rich, Rich]:
    """What the two sides are called: with the word "side" where that has `room` mm."""
    first, second = (richtext.word(trace, word) for word in (trace.model.story.origin, trace.model.story.target))
    if sum(paint.text_width((word, Run(" side")), BODY) for word in (first, second)) <= room:
        return (first, Run(" side")), (second, Run(" side"))
    return (first,), (second,)


def names_of(rows: Iterable[Move], size: float) -> tuple[list[Rich], float]:
    """The rows' names, those that are too long without their second part, and the size in pt that all of them fit."""
    names = [paint.first_that_fits([row.name, row.name[:1]], LONGEST, SMALL) for row in rows]
    return names, min(paint.fitted(name, LONGEST, size) for name in names)


def ground(page: Page, scale: Scale, down: float, up: float, trace) -> None:
    """The two sides of the plane in their words' shades between two heights in mm, the plane between them."""
    story = trace.model.story
    for a, b, word in ((scale.left, scale.zero, story.origin), (scale.zero, scale.right, story.target)):
        page.polygon(paint.box(a, down, b, up), palette.shade(palette.word_colour(trace, word)))
    page.line([(scale.zero, down - 0.8), (scale.zero, up)], palette.theme().ink, 1.2)


def foot(page: Page, scale: Scale, down: float) -> None:
    """Below the ground: what the sides and the line between them are."""
    first, second = scale.sides
    size = min(paint.fitted(side, scale.right - scale.left, BODY) for side in scale.sides) if scale.stacked else BODY
    page.text(scale.left, down - FOOT, first, size)
    page.text(scale.right, down - (scale.foot if scale.stacked else FOOT), second, size, ha="right")
    if not scale.stacked:
        page.text(scale.zero, down - scale.foot, "plane", BODY, ha="center", colour=palette.theme().muted)


def fall(page: Page, scale: Scale, rows: Sequence[Move], top: float, pitch: float) -> list[float]:
    """Rows below each other from `top` on, `pitch` mm apart, steps between them; gives the heights of their middles."""
    size = text_size(pitch)
    middles = [top - pitch * (i + 0.5) for i in range(len(rows))]
    for i, (row, y) in enumerate(zip(rows, middles, strict=True)):
        _row(page, scale, row, y, pitch, size)
        if i + 1 < len(rows) and not (row.state and rows[i + 1].state) and not paint.blank():
            x = scale.at(row.end)
            page.line([(x, y - 0.3 * pitch), (x, middles[i + 1] + 0.3 * pitch)], palette.theme().rule)
    return middles


def text_size(pitch: float) -> float:
    """The size in pt of texts in rows that are `pitch` mm apart."""
    return max(SMALL, min(HEAD, pitch * MM / 1.25))


def _row(page: Page, scale: Scale, row: Move, y: float, pitch: float, size: float) -> None:
    """An arrow from where it starts to where it ends, or a state's mark; the number beside it."""
    if paint.blank():
        page.text(scale.left + NEAR, y, row.label, size, va="middle")
        return
    start, end = scale.at(row.start), scale.at(row.end)
    reach = min(MARK, 0.3 * pitch) if row.state else 0.0
    if row.state:
        paint.disc(page.ax, (end, y), reach, row.colour)
    else:
        paint.arrow(page.ax, (start, y), (end, y), row.colour, min(3.0, 0.55 * pitch))
    width = paint.text_width(row.label, size)
    page.text(_beside(scale, start, end, width, reach), y, row.label, size, va="middle")


def _beside(scale: Scale, start: float, end: float, width: float, reach: float) -> float:
    """Where a number of this width begins: beyond the tip, or beyond the start where the plane is in the way."""
    left, right = min(start, end) - reach - NEAR - width, max(start, end) + reach + NEAR
    ahead = end > start if end != start else end >= scale.zero
    places = (right, left) if ahead else (left, right)
    free = [x for x in places if (x > scale.zero + 0.6 or x + width < scale.zero - 0.6) and x >= scale.left]
    return (free or places)[0]
