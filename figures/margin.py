"""The signed distance to the plane at the three checkpoints, and what each word adds on the way from x to h."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from attn.core import numerals
from attn.core.forward import STATES
from attn.picture import palette, richtext
from attn.picture.richtext import Rich, Run, rich
from attn.texts.margin import texts
from figures._kit import layout, paint
from figures._kit.paint import BODY, HEAD, MM, SMALL, Page
from figures._kit.spaces import EmbeddingSpace

WIDTHS = ("page", "text", "column")
MOST_WORDS = 12  # words that have room below each other
NAMED = 5.0  # mm, from which on a contribution is long enough for its word
NEAR = 1.0  # mm between a bar and its number


def draw(trace) -> Figure:
    """The words' contributions tip to tail in 3-D; the same as a waterfall along the distance to the plane."""
    step = layout.step_page(trace, texts(trace), "Signed distance to the plane", attends=True)
    _pushes(EmbeddingSpace(step.page, step.left, trace), trace)
    left, bottom, width, height = step.right
    _waterfall(step.page, (left, bottom + 1.0, width, height - 1.0), trace)
    return step.page.figure


def contributions(trace) -> np.ndarray:
    """What each word adds to the followed one's vector, alpha_j W_O v_j: n x d_model."""
    return trace.weighted[trace.last] @ trace.model.W_O.T


def _pushes(space: EmbeddingSpace, trace) -> None:
    """x, then what each word adds, tip to tail; they end at h."""
    space.state("positioned", width=1.1)
    space.state("contextual", width=1.1)
    at = trace.state("positioned")
    for token, part in zip(trace.tokens, contributions(trace), strict=True):
        colour = palette.word_colour(trace, token)
        seen = np.hypot(*(space.at(at + part) - space.at(at))) * paint.scale(space.ax)
        space.arrow(at, at + part, colour, width=2.2, clear=0.7)
        if seen > NAMED:
            word = richtext.word(trace, token)
            label, side = (Run("+ ", style="b"), word), _across(space, part)
            space.name(space.at(at + part / 2), label, colour, side, clear=0.7, spare=True)
        at = at + part
    space.finish()


def _across(space: EmbeddingSpace, part) -> np.ndarray:
    """The direction on the page at a right angle to a vector, upwards."""
    flat = space.at(part)
    return np.array([-flat[1], flat[0]]) * (1 if flat[0] >= 0 else -1) * paint.scale(space.ax)


@dataclass(frozen=True)
class Move:
    """One row of the waterfall: from where to where it goes, and what is written beside it."""

    name: Rich
    start: float
    end: float
    label: Rich
    colour: str
    state: bool = False  # a checkpoint: a mark instead of a bar


def moves(trace) -> list[Move]:
    """e, x, each word's share in the order of the sentence (of a long one the largest, then the others), h."""
    at = trace.distances["positioned"]
    rows = [_state(trace, name) for name in ("embedding", "positioned")]
    shown = sorted(sorted(range(trace.n), key=lambda j: (-abs(trace.shares[j]), j))[:MOST_WORDS])
    for j in range(trace.n) if trace.n == MOST_WORDS + 1 else shown:
        token, share = trace.tokens[j], trace.shares[j]
        cell = numerals.cell(share, f"shares[{j}]")
        label = rich("+[n]" if share > 0 and cell.text.strip("0.") and not paint.blank() else "[n]", n=cell)
        rows.append(Move((richtext.word(trace, token),), at, at + share, label, palette.word_colour(trace, token)))
        at += share
    if trace.n > MOST_WORDS + 1:
        name = (Run("the others", colour=palette.theme().muted),)
        rows.append(Move(name, at, trace.distances["contextual"], (), palette.theme().muted))
    return [*rows, _state(trace, "contextual")]


def _state(trace, name: str) -> Move:
    word, distance = trace.tokens[-1], trace.distances[name]
    symbol = richtext.symbol(trace, STATES[name], word)
    label = richtext.as_rich(numerals.cell(distance, f"distances.{name}"))
    return Move(symbol, distance, distance, label, palette.word_colour(trace, word), True)


def _waterfall(page: Page, box, trace) -> None:
    """Rows below each other on one scale, the plane as a line down through all of them."""
    left, bottom, width, height = box
    rows = moves(trace)
    pitch = min((height - 5.0) / len(rows), 9.0)
    size = max(SMALL, min(HEAD, pitch * MM / 1.25))
    names = [paint.first_that_fits([row.name, row.name[:1]], 20.0, SMALL) for row in rows]
    name_size = min(paint.fitted(name, 20.0, size) for name in names)
    edge = left + max(paint.text_width(name, name_size) for name in names) + 3.0
    labels = max(paint.text_width(row.label, size) for row in rows) + 3.0
    plane = paint.text_width("plane", BODY) / 2 + 2.0
    sides = _sides(trace, left + width - edge - 2 * plane)
    names_of_sides = tuple(paint.text_width(side, BODY) + plane for side in sides)
    if sum(names_of_sides) > left + width - edge:  # the plane's name stands a line further down
        names_of_sides, pitch = tuple(paint.text_width(side, BODY) + 0.5 for side in sides), pitch - 3.8 / len(rows)
        below = 7.8
    else:
        below = 4.0
    scale = _Scale(rows, edge, left + width, labels, names_of_sides)
    top = bottom + height - (height - 1.0 - below - pitch * len(rows)) / 2
    middles = [top - pitch * (i + 0.5) for i in range(len(rows))]
    _ground(page, scale, (top - pitch * len(rows), top), trace, sides, below)
    for i, (row, name, y) in enumerate(zip(rows, names, middles, strict=True)):
        page.text(edge - 3.0, y, name, name_size, ha="right", va="middle")
        _row(page, scale, row, y, pitch, size)
        if i + 1 < len(rows) and not (row.state and rows[i + 1].state) and not paint.blank():
            x = scale.at(row.end)
            page.line([(x, y - 0.3 * pitch), (x, middles[i + 1] + 0.3 * pitch)], palette.theme().rule)


class _Scale:
    """Distances as places along the page, with room for a number on either side and for the sides' names."""

    def __init__(self, rows: list[Move], left: float, right: float, label: float, names: tuple[float, float]):
        ends = [row.start for row in rows] + [row.end for row in rows] + [0.0]
        reach, self.left, self.right = (-min(ends), max(ends)), left, right

        def halves(unit: float) -> list[float]:
            return [max(label + far * unit, name) for far, name in zip(reach, names, strict=True)]

        low, high = 0.0, (right - left) / (max(reach) or 1.0)
        for _ in range(60):  # the largest unit that fits
            unit = (low + high) / 2
            low, high = (unit, high) if sum(halves(unit)) <= right - left else (low, unit)
        self.unit = low
        first, second = halves(low)
        self.zero = left + first + (right - left - first - second) / 2

    def at(self, distance: float) -> float:
        """Where a signed distance stands, in mm."""
        return self.zero + self.unit * distance


def _sides(trace, room: float) -> tuple[Rich, Rich]:
    """What the two sides are called: with the word "side" where that has `room` mm."""
    words = [richtext.word(trace, word) for word in (trace.model.story.origin, trace.model.story.target)]
    names = [(word, Run(" side")) for word in words]
    whole = sum(paint.text_width(name, BODY) for name in names) <= room
    return tuple(names if whole else [(word,) for word in words])


def _ground(page: Page, scale: _Scale, ends, trace, sides, below: float) -> None:
    """The two sides of the plane in their words' shades, their words below; the plane's name `below` mm down."""
    (down, up), zero, story = ends, scale.zero, trace.model.story
    for a, b, word in ((scale.left, zero, story.origin), (zero, scale.right, story.target)):
        page.polygon(paint.box(a, down, b, up), palette.shade(palette.word_colour(trace, word)))
    first, second = sides
    both = paint.text_width(first) + paint.text_width(second)
    size = max(SMALL, min(BODY, BODY * (scale.right - scale.left - 1.5) / both))
    page.text(scale.left, down - 4.0, first, size)
    page.text(scale.right, down - 4.0, second, size, ha="right")
    page.line([(zero, down - 0.8), (zero, up)], palette.theme().ink, 1.2)
    page.text(zero, down - below, "plane", BODY, ha="center", colour=palette.theme().muted)


def _row(page: Page, scale: _Scale, row: Move, y: float, pitch: float, size: float) -> None:
    """A bar from where it starts to where it ends, or a state's mark; the number beside it."""
    if paint.blank():
        page.text(scale.left + NEAR, y, row.label, size, va="middle")
        return
    start, end = scale.at(row.start), scale.at(row.end)
    half = min(0.3 * pitch, 2.4)
    if row.state:
        paint.disc(page.ax, (end, y), min(1.4, half), row.colour)
        start = end = scale.at(row.end)
    else:
        page.polygon(paint.box(min(start, end), y - half, max(start, end), y + half), row.colour)
    width = paint.text_width(row.label, size)
    page.text(_beside(scale, start, end, width, 1.4 if row.state else 0.0), y, row.label, size, va="middle")


def _beside(scale: _Scale, start: float, end: float, width: float, reach: float) -> float:
    """Where a number of this width begins: beyond the bar's end, or beyond its start where the plane is in the way."""
    left, right = min(start, end) - reach - NEAR - width, max(start, end) + reach + NEAR
    ahead = end > start if end != start else end >= scale.zero
    places = (right, left) if ahead else (left, right)
    free = [x for x in places if (x > scale.zero + 0.6 or x + width < scale.zero - 0.6) and x >= scale.left]
    return (free or places)[0]
