"""Where labels go: beside what they name, never on an arrow or on another label; by rule, for any weights.

Purely numeric, so that figures (millimetres) and films (screen units) place their labels alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Box = tuple[float, float, float, float]  # left, bottom, right, top
DIRECTIONS = 32
SWEEPS = 4
AIR = 1.0, 0.7  # units between two labels beside, and above, each other
NEAR = 4.0  # how much nearer a region's name may stand to a faint line than to others
LED = 2.2  # units between a label and what it names, beyond which a line leads there
CROSSED = 3.0  # what it costs that a leader line crosses another line, or touches one at one of STOPS
STOPS = np.linspace(0.1, 0.9, 9)  # shares of a leader line's way
BESIDE = 0.7  # units that it keeps from other lines, but near what it names
CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0))


@dataclass(frozen=True)
class Label:
    """A label that wants a place."""

    anchor: tuple[float, float]  # what it names
    size: tuple[float, float]  # width and height of its box
    lean: tuple[float, float] = (0.0, 0.0)  # the side on which it would rather stand; any length
    clear: float = 0.0  # radius around the anchor that stays free: a thick line, a ring


@dataclass(frozen=True)
class Placed:
    """A label's place: the centre of its box, and the leader line where it had to move away (or None)."""

    centre: tuple[float, float]
    leader: tuple[tuple[float, float], tuple[float, float]] | None


def place(
    labels: Sequence[Label], segments, bounds: Box, boxes: Sequence[Box] = (), unit: float = 1.0, faint=()
) -> list[Placed]:
    """A place for every label: greedy, then improved in turn until nothing moves. The same input, the same places.

    `segments` is m x 2 x 2: lines that no label may cover; `faint` ones may be covered where it costs much to keep
    off them; `boxes` are areas that are taken; all labels stay within `bounds`. `unit` is the smallest gap between
    a label and what it names (1 mm in a figure).
    """
    lines = [(segment, 12.0) for segment in np.asarray(segments, dtype=float).reshape(-1, 2, 2)]
    lines += [(segment, 2.5) for segment in np.asarray(faint, dtype=float).reshape(-1, 2, 2)]
    placed: list[Placed | None] = [None] * len(labels)
    for _ in range(SWEEPS):
        before = list(placed)
        for i, label in enumerate(labels):
            others = [(p, labels[j]) for j, p in enumerate(placed) if p is not None and j != i]
            taken = [*boxes, *(_box(np.asarray(p.centre), other.size) for p, other in others)]
            leaders = [(np.asarray(p.leader), 6.0) for p, _ in others if p.leader]
            anchors = [other.anchor for j, other in enumerate(labels) if j != i]
            centre = _best(label, [*lines, *leaders], bounds, taken, anchors, unit)
            placed[i] = Placed((float(centre[0]), float(centre[1])), _leader(label, centre, unit))
        if placed == before:
            break
    return placed


def boxes(labels: Sequence[Label], places: Sequence[Placed]) -> list[Box]:
    """The boxes of labels at their places."""
    return [_box(np.asarray(place.centre), label.size) for label, place in zip(labels, places, strict=True)]


def clash(box: Box, segments, bounds: Box, taken: Sequence[Box] = (), slack: float = 0.0) -> bool:
    """Whether a box lies on one of `taken` or on a segment (m x 2 x 2), or leaves `bounds`, by more than `slack`."""
    low, high = np.reshape(box, (2, 2))
    if (low < np.asarray(bounds[:2]) - slack).any() or (high > np.asarray(bounds[2:]) + slack).any():
        return True
    if any((np.minimum(high, other[2:]) - np.maximum(low, other[:2])).min() > slack for other in taken):
        return True
    segments = np.asarray(segments, dtype=float).reshape(-1, 2, 2)
    return any(_covered(start, end, low[None], high[None])[0] > slack for start, end in segments)


def parted(places: list[float], widths: list[float], ends: tuple[float, float] | None = None) -> list[float]:
    """Sorted `places` moved apart as little as keeps things of these widths from touching, between two `ends`."""
    spots = np.array(places, dtype=float)
    for _ in range(200):
        gaps = spots[1:] - spots[:-1] - (np.array(widths[1:]) + np.array(widths[:-1])) / 2
        short = np.minimum(gaps, 0)
        if short.size == 0 or short.min() > -1e-3:
            break
        spots[:-1] += short / 2
        spots[1:] -= short / 2
    return spots.tolist() if ends is None else _between(spots, np.array(widths) / 2, *ends)


def _between(spots: np.ndarray, halves: np.ndarray, low: float, high: float) -> list[float]:
    """`spots` moved inwards so that none reaches beyond `low` or `high`, as long as there is room for all."""
    for i, half in enumerate(halves):
        spots[i] = max(spots[i], low + half)
        low = spots[i] + half
    for i in reversed(range(len(spots))):
        spots[i] = min(spots[i], high - halves[i])
        high = spots[i] - halves[i]
    return spots.tolist()


def roomy(
    polygon, size: tuple[float, float], segments, boxes: Sequence[Box] = (), covers=(), faint=()
) -> tuple[float, float]:
    """The centre of a box of `size` inside a convex `polygon` (m x 2) that keeps farthest from its sides, from
    `segments` (k x 2 x 2), from `boxes` and from convex polygons that cover it: where the name of a region stands,
    as on a map. Of `faint` segments it keeps clear, but need not keep far.
    """
    polygon = np.asarray(polygon, dtype=float)
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    axes = [np.linspace(a, b, 33)[1:-1] for a, b in zip(low, high, strict=True)]
    centres = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    half = np.asarray(size) / 2
    inside = np.min([_inside(centres + half * sign, polygon) for sign in CORNERS], axis=0)
    rooms = [np.where(inside < 0, 10 * inside, inside)]  # rather on another's shade than beyond its own
    for lines, far in ((segments, 1.0), (faint, NEAR)):
        lines = np.asarray(lines, dtype=float).reshape(-1, 2, 2)
        rooms += [far * _clearance(line, centres, half) for line in lines]
    for cover in covers:  # polygons, counter-clockwise
        inside = np.max([_inside(centres + half * sign, cover) for sign in CORNERS], axis=0)
        rooms.append(np.where(inside > 0, -inside, np.inf))
    for box in boxes:
        gap = np.maximum(np.maximum(box[:2] - (centres + half), (centres - half) - box[2:]), 0)
        overlap = np.all((centres + half > box[:2]) & (centres - half < box[2:]), axis=1)
        rooms.append(np.where(overlap, -10.0, np.hypot(*gap.T)))
    # The second least counts a little: in a narrow strip the least is the same all along.
    least = np.sort(np.clip(rooms, -1e6, 1e6), axis=0)[:2]
    x, y = centres[int(np.argmax(np.round(least[0] + 0.1 * least[-1], 6)))]
    return float(x), float(y)


def _inside(points: np.ndarray, polygon: np.ndarray) -> np.ndarray:
    """Signed distance of points (m x 2) from a counter-clockwise convex polygon's nearest side, positive inside.

    Corners may coincide; what is but a point has no inside.
    """
    sides = np.roll(polygon, -1, axis=0) - polygon
    lengths = np.linalg.norm(sides, axis=1)
    if not lengths.any():
        return np.full(len(points), -np.inf)
    polygon, sides, lengths = (array[lengths > 0] for array in (polygon, sides, lengths))
    normals = np.stack([-sides[:, 1], sides[:, 0]], axis=1) / lengths[:, None]
    x, y = (points[:, i, None] - polygon[:, i] for i in (0, 1))
    return (x * normals[:, 0] + y * normals[:, 1]).min(axis=1)


def _clearance(segment: np.ndarray, centres: np.ndarray, half: np.ndarray) -> np.ndarray:
    """How far the boxes around `centres` keep from a segment, sampled along it; negative where it runs inside."""
    points = segment[0] + np.linspace(0, 1, 25)[:, None] * (segment[1] - segment[0])  # 25 x 2
    x, y = (np.abs(points[:, i] - centres[:, i, None]) - half[i] for i in (0, 1))  # m x 25 each
    most = np.maximum(x, y)
    return np.where(most < 0, most, np.hypot(np.maximum(x, 0), np.maximum(y, 0))).min(axis=1)


def _best(label: Label, lines, bounds: Box, boxes: list[Box], anchors, unit: float) -> np.ndarray:
    centres, cost = _candidates(label, unit)
    half = np.asarray(label.size) / 2 + 0.35 * unit
    low, high = centres - half, centres + half
    out = np.maximum(np.asarray(bounds[:2]) - low, 0) + np.maximum(high - np.asarray(bounds[2:]), 0)
    cost = cost + 200 * out.sum(axis=1) / unit
    air = np.array(AIR) * unit + np.asarray(label.size) / 2
    for box in boxes:
        width = np.minimum(high, box[2:]) - np.maximum(low, box[:2])
        cost = cost + 40 * np.sqrt(np.clip(width, 0, None).prod(axis=1)) / unit
        short = (np.minimum(centres + air, box[2:]) - np.maximum(centres - air, box[:2])).min(axis=1)
        cost = cost + 2 * np.clip(short, 0, unit) / unit
    for (start, end), price in lines:
        cost = cost + price * _covered(start, end, low, high) / unit
    extent = np.asarray(label.size) / 2
    near = np.clip(label.anchor, centres - extent, centres + extent)
    led = np.hypot(*(near - label.anchor).T) > LED * unit + label.clear
    firm = np.array([segment for segment, price in lines if price >= 6.0]).reshape(-1, 2, 2)
    cost = cost + led * _tangled(near, np.asarray(label.anchor), firm, unit)
    for box in boxes:  # a leader line that crosses another label
        cost = cost + 12 * led * _covered(near, np.asarray(label.anchor), np.array(box[:2]), np.array(box[2:])) / unit
    for anchor in anchors:  # a label nearer to another tip than to its own misleads
        gap = np.linalg.norm(np.maximum(np.maximum(low - anchor, anchor - high), 0), axis=1)
        cost = cost + 3 * np.clip(1.5 - gap / unit, 0, None)
    return centres[int(np.argmin(np.round(cost, 6)))]


def _tangled(starts: np.ndarray, end: np.ndarray, lines: np.ndarray, unit: float) -> np.ndarray:
    """What it costs that leader lines from `starts` (m x 2) to `end` cross lines (k x 2 x 2) or run along them."""
    stops = starts[:, None] + STOPS[:, None] * (end - starts)[:, None]  # m x stops x 2
    far = np.linalg.norm(stops - end, axis=-1) > LED * unit
    side = lines[:, 1] - lines[:, 0]
    squares = np.maximum((side**2).sum(axis=1), np.finfo(float).tiny)
    away = stops[:, :, None] - lines[:, 0]  # m x stops x k x 2
    share = np.clip((away * side).sum(axis=-1) / squares, 0, 1)
    gaps = np.linalg.norm(away - share[..., None] * side, axis=-1)
    return CROSSED * ((gaps < BESIDE * unit) & far[..., None]).any(axis=-1).sum(axis=1)


def _candidates(label: Label, unit: float) -> tuple[np.ndarray, np.ndarray]:
    """Centres (m x 2) around the anchor and what each costs by itself: distance, and turning from the lean."""
    angles = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    reach = unit * np.array([1.0, 1.6, 2.5, 4.0, 6.0, 8.5, 11.5, 15.0])
    offset = np.clip(1.5 * directions, -1, 1) * np.asarray(label.size) / 2
    centres = label.anchor + (reach + label.clear)[:, None, None] * directions + offset  # reach x direction x 2
    cost = np.repeat(0.8 * (reach / unit - 1), DIRECTIONS)
    lean = np.asarray(label.lean, dtype=float)
    if (length := np.hypot(*lean)) > 0:
        cost = cost + np.tile(1 - directions @ lean / length, len(reach))
    return centres.reshape(-1, 2), cost


def _covered(start: np.ndarray, end: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """How much of segments lies inside boxes, as lengths (Liang and Barsky's clipping): 2 or m x 2 each."""
    step = end - start
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (low - start) / step, (high - start) / step
    inside = (low <= start) & (start <= high)
    enter = np.where(step == 0, np.where(inside, -np.inf, np.inf), np.minimum(a, b))
    leave = np.where(step == 0, np.where(inside, np.inf, -np.inf), np.maximum(a, b))
    last, first = np.minimum(leave[:, 0], leave[:, 1]), np.maximum(enter[:, 0], enter[:, 1])
    share = np.maximum(np.minimum(last, 1) - np.maximum(first, 0), 0)
    return share * np.hypot(*step.T)


def _box(centre: np.ndarray, size: tuple[float, float]) -> Box:
    half = np.asarray(size) / 2
    return (*(centre - half), *(centre + half))


def _leader(label: Label, centre: np.ndarray, unit: float):
    """From the label's box to its anchor, where they lie more than LED units apart."""
    half = np.asarray(label.size) / 2
    anchor = np.asarray(label.anchor)
    near = np.clip(anchor, centre - half, centre + half)
    gap = np.hypot(*(anchor - near))
    if gap <= LED * unit + label.clear:
        return None
    end = anchor + (near - anchor) * (0.6 * unit / gap)
    return tuple(map(float, near)), tuple(map(float, end))
