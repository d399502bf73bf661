"""The view: one camera, one cube and one square for all pictures of a trace, chosen from its numbers.

The camera is orthographic and shared by figures and films. Its rule: the plane between story.from and
story.to is seen nearly edge-on, the "+ context" displacement at nearly its true length, and the tips of the followed
word's three states as far apart as that allows. Among views that do this about equally well a standing
preference decides, which keeps the camera still under small changes of the weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product

import numpy as np

from attn.core import CHECKPOINTS, Trace, forward
from attn.decoder import Plane
from attn.model import Model, WeightsError
from attn.probe import probes

TILT = (8.5, 24.5)  # degrees between the plane and the line of sight; promised are 8 to 25
ELEVATION = (5.5, 59.5)  # degrees; promised are 5 to 60
SEEN = 0.905  # share of the displacement's true length; promised are 0.9
PREFERRED = (35.0, 16.0)  # azimuth and elevation of the standing preference, degrees
PULL = 0.05  # what a right angle away from the preference costs, as a share of the tips' distance
READING = 0.05  # what it is worth that the crossing runs from left to right
PENALTY = 10.0  # for each degree outside the limits above: more than any of the wishes can win
MANY_WORDS = 12  # with a larger vocabulary only the sentence's words are drawn as arrows
NEGLIGIBLE = 1e-9  # lengths below this share of the whole count as nothing


@dataclass(frozen=True, eq=False)
class View:
    """Camera and ranges. Degrees: azimuth from +x towards +y, elevation upwards; z is up on the page.

    Cube and square have equal sides and round corners and hold the origin and all that is drawn; they are
    None where the file's widths do not allow the picture.
    """

    azimuth: float
    elevation: float
    low: np.ndarray | None  # 3, the cube in word embedding space
    high: np.ndarray | None  # 3
    attention_low: np.ndarray | None  # 2, the square in attention space
    attention_high: np.ndarray | None  # 2

    def project(self, points) -> np.ndarray:
        """`points` (... x 3) as seen on the page: ... x 2, to the right and up, in embedding units."""
        return np.asarray(points, dtype=np.float64) @ _frame(self.azimuth, self.elevation)[:2].T

    def depth(self, points) -> np.ndarray:
        """How near `points` (... x 3) are to the viewer: larger is nearer, in embedding units."""
        return np.asarray(points, dtype=np.float64) @ _frame(self.azimuth, self.elevation)[2]

    def corners(self) -> np.ndarray:
        """The cube's corners, 8 x 3; the last coordinate changes fastest."""
        return np.array(list(product(*zip(self.low, self.high, strict=True))))

    def edges(self) -> np.ndarray:
        """The cube's edges as pairs of rows of `corners`, 12 x 2."""
        return np.array([(i, i | bit) for bit in (4, 2, 1) for i in range(8) if not i & bit])

    def halves(self, plane: Plane) -> Halves:
        """The cube cut by `plane`, as it is seen."""
        corners, edges = self.corners(), self.edges()
        side = np.asarray(plane.distance(corners))  # 8
        start, end = side[edges[:, 0]], side[edges[:, 1]]
        cut = start * end < 0
        share = (start / np.where(cut, start - end, 1.0))[cut, None]
        a, b = corners[edges[cut, 0]], corners[edges[cut, 1]]
        on_plane = np.concatenate([a + share * (b - a), corners[side == 0]])  # m x 3
        parts = [np.concatenate([corners[inside], on_plane[: inside.any() * len(on_plane)]])
                 for inside in (side < 0, side > 0)]  # fmt: skip
        outlines = [hull(self.project(part)) for part in parts]
        return Halves(*outlines, section=_around(on_plane, plane.normal))


@dataclass(frozen=True, eq=False)
class Halves:
    """The two parts of a cube that a plane cuts. Empty where the plane misses the cube."""

    origin: np.ndarray  # m x 2, seen outline of the part on the story.from side, counter-clockwise
    target: np.ndarray  # m x 2, of the part on the story.to side
    section: np.ndarray  # m x 3, the plane's polygon inside the cube, corners in order


def picture(model: Model, sentence: str | tuple[str, ...] | None = None) -> Trace:
    """The forward pass over `sentence` (the story's when left out) with its view and contrast sentences.

    Raises WeightsError as attn.core.forward does, and for numbers that are too large to be measured in a picture.
    """
    trace = forward(model, sentence)
    try:
        with np.errstate(over="raise"):
            trace = replace(trace, contrast=contrast_of(trace))
            trace = replace(trace, view=view_of(trace))
            return replace(trace, probes=probes(trace))
    except FloatingPointError:
        raise WeightsError("parameters", "the numbers are too large to be measured in a picture") from None


def contrast_of(trace: Trace) -> tuple[Trace, ...]:
    """The passes over the contrast sentences, if the trace is the story's own; without views.

    Where there is no third sentence, the followed word alone and the story's; nothing in a file without decoder.
    """
    story = trace.model.story
    if story is None or trace.tokens != story.sentence or trace.plane is None or trace.contextual is None:
        return ()
    sentences = contrast_sentences(trace.model) or dict.fromkeys((story.sentence[-1:], story.sentence))
    return tuple(forward(trace.model, sentence) for sentence in sentences)


def view_of(trace: Trace) -> View:
    """Camera and ranges for every picture of `trace`."""
    low = high = square_low = square_high = None
    azimuth, elevation = (
        preferred if pinned is None else pinned
        for preferred, pinned in zip(PREFERRED, (trace.model.azimuth, trace.model.elevation), strict=True)
    )
    if trace.model.d_model == 3:
        azimuth, elevation = _camera(trace)
        low, high = cube(_drawn_points(trace))
    if trace.model.d_k == trace.model.d_v == 2:
        square_low, square_high = cube(_attention_points(trace))
    return View(azimuth, elevation, low, high, square_low, square_high)


def seen(trace: Trace) -> Trace:
    """`trace` with its view where pictures show it in space: the story's sentence, numbers that can be measured."""
    story = trace.model.story
    if trace.model.d_model != 3 or (story is not None and trace.tokens != story.sentence):
        return trace
    try:
        with np.errstate(over="raise"):
            return replace(trace, view=view_of(trace))
    except FloatingPointError:
        return trace


def beside(old: Trace, new: Trace) -> tuple[Trace, Trace]:
    """Both pictures with one camera and one range, those of `old`, so that what moved is what changed.

    What the file of `new` pins of the camera stays; where it does not fit into the ranges, they are made to hold both.
    """
    chosen = {name: getattr(old.view, name) for name in ("azimuth", "elevation") if getattr(new.model, name) is None}
    ranges = _range(old, new, "", _drawn_points) | _range(old, new, "attention_", _attention_points)
    return replace(old, view=replace(old.view, **ranges)), replace(new, view=replace(new.view, **ranges, **chosen))


def _range(old: Trace, new: Trace, kind: str, points: Callable[[Trace], np.ndarray]) -> dict[str, np.ndarray]:
    """The cube or the square of both, by the names of a view's fields; nothing where one of them has none."""
    names = f"{kind}low", f"{kind}high"
    low, high = (getattr(old.view, name) for name in names)
    if low is None or getattr(new.view, names[0]) is None:
        return {}
    found = points(new)
    if (found < low).any() or (found > high).any():
        low, high = cube(np.concatenate([points(old), found]))
    return dict(zip(names, (low, high), strict=True))


# The camera


def _frame(azimuth, elevation) -> np.ndarray:
    """The page's directions in space, as rows: right, up, towards the viewer. ... x 3 x 3."""
    a, e = np.radians(azimuth), np.radians(elevation)
    zero = np.zeros(np.broadcast(a, e).shape)
    right = [-np.sin(a) + zero, np.cos(a) + zero, zero]
    up = [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e) + zero]
    viewer = [np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e) + zero]
    return np.stack([np.stack(row, axis=-1) for row in (right, up, viewer)], axis=-2)


def _camera(trace: Trace) -> tuple[float, float]:
    """Azimuth and elevation of the best view, to a tenth of a degree; what the file pins stays."""
    pinned = trace.model.azimuth, trace.model.elevation
    steps = [2.0, 1.5]
    azimuths = np.arange(-180.0, 180.0, steps[0])
    elevations = np.arange(ELEVATION[0], ELEVATION[1] + 0.01, steps[1])
    merit = _Merit(trace)
    best = merit.best(*_pin(pinned, azimuths, elevations))
    for _ in range(5):  # ever finer around the best so far
        around = [centre + step * np.linspace(-1, 1, 9) for centre, step in zip(best, steps, strict=True)]
        best = merit.best(*_pin(pinned, around[0], np.clip(around[1], *ELEVATION)))
        steps = [step / 4 for step in steps]
    found = round((best[0] + 180.0) % 360.0 - 180.0, 1) + 0.0, round(best[1], 1)
    return tuple(angle if pin is None else pin for angle, pin in zip(found, pinned, strict=True))


def _pin(pinned, azimuths, elevations):
    pairs = zip(pinned, (azimuths, elevations), strict=True)
    return tuple(searched if pin is None else np.array([pin]) for pin, searched in pairs)


class _Merit:
    """How good a view of a trace is: the smallest distance between two tips, less what the wishes miss."""

    def __init__(self, trace: Trace):
        names = CHECKPOINTS if trace.contextual is not None else CHECKPOINTS[:2]
        states = [trace.state(name) for name in names]
        size = max(float(np.abs(states).max()), np.finfo(float).tiny)
        gaps = [b / size - a / size for a, b in combinations(states, 2)]
        self.gaps = np.array([g for g in gaps if np.linalg.norm(g) > NEGLIGIBLE]).reshape(-1, 3)
        self.normal = None if trace.plane is None else trace.plane.normal
        self.along = None  # direction of the displacement
        if trace.correction is not None:
            along = trace.correction[-1] / size
            length = np.linalg.norm(along)
            self.along = along / length if length > NEGLIGIBLE else None
        self.preferred = _frame(*PREFERRED)[2]

    def best(self, azimuths: np.ndarray, elevations: np.ndarray) -> tuple[float, float]:
        """The best of all pairs of `azimuths` and `elevations`."""
        azimuth, elevation = (grid.ravel() for grid in np.meshgrid(azimuths, elevations, indexing="ij"))
        frames = _frame(azimuth, elevation)  # m x 3 x 3
        index = int(np.argmax(np.round(self._wishes(frames) - PENALTY * self._outside(frames), 12)))
        return float(azimuth[index]), float(elevation[index])

    def _wishes(self, frames: np.ndarray) -> np.ndarray:
        total = PULL * (frames[:, 2] @ self.preferred)
        if len(self.gaps):
            tips = np.linalg.norm(frames[:, :2] @ self.gaps.T, axis=1).min(axis=1)  # m
            total = total + tips / np.linalg.norm(self.gaps, axis=1).min()
        direction = self.normal if self.normal is not None else self.along
        return total if direction is None else total + READING * (frames[:, 0] @ direction)

    def _outside(self, frames: np.ndarray) -> np.ndarray:
        """Degrees by which the views miss the limits on the plane's tilt and the displacement's length."""
        missed = np.zeros(len(frames))
        if self.normal is not None:
            tilt = np.degrees(np.arcsin(np.clip(np.abs(frames[:, 2] @ self.normal), 0, 1)))
            missed += np.maximum(TILT[0] - tilt, 0) + np.maximum(tilt - TILT[1], 0)
        if self.along is not None:
            slant = np.degrees(np.arcsin(np.clip(np.abs(frames[:, 2] @ self.along), 0, 1)))
            missed += np.maximum(slant - np.degrees(np.arccos(SEEN)), 0)
        return missed


# The ranges


def drawn_words(trace: Trace) -> tuple[str, ...]:
    """The words drawn as arrows at the start: the vocabulary, or of a large one the sentence's words."""
    words = trace.model.vocabulary
    spoken = {trace.model.entry(token) for token in trace.tokens}
    return words if len(words) <= MANY_WORDS else tuple(word for word in words if word in spoken)


def drawn_vectors(trace: Trace) -> np.ndarray:
    """Every vector that any step draws in word embedding space, m x 2 x 3: what the sides' names keep off."""
    zero = np.zeros(3)
    tips = [trace.model.embeddings[trace.model.index(word)] for word in drawn_words(trace)] + list(trace.positioned)
    pairs = [(zero, tip) for tip in tips]
    if trace.contextual is not None:
        pairs += [(zero, trace.state("contextual")), (trace.state("positioned"), trace.state("contextual"))]
    return np.array(pairs)


def _drawn_points(trace: Trace) -> np.ndarray:
    """Everything that is drawn in word embedding space, m x 3, the origin among it."""
    model = trace.model
    words = [model.index(word) for word in drawn_words(trace)]
    points = [np.zeros((1, 3)), model.embeddings[words], trace.positioned]
    if trace.contextual is not None:
        points += [trace.contextual[-1:], _steps_of_context(trace), *_landings(trace)]
    if trace.plane is not None:
        points += _plane_in_reach(trace, np.concatenate(points))
    return np.concatenate(points)


def _steps_of_context(trace: Trace) -> np.ndarray:
    """The sums on the way from x to h, where the words' contributions are laid tip to tail, n x 3."""
    parts = trace.weighted[-1] @ trace.model.W_O.T
    return trace.positioned[-1] + np.cumsum(parts, axis=0)


def _landings(trace: Trace) -> list[np.ndarray]:
    """Where the followed word stands and lands in the contrast sentences."""
    others = trace.contrast or contrast_of(trace)
    return [other.contextual[-1:] for other in others] + [other.positioned[-1:] for other in others]


def _plane_in_reach(trace: Trace, points: np.ndarray) -> list[np.ndarray]:
    """The plane's point nearest to the followed word, if the plane misses the data but is not far off."""
    distances = trace.plane.distance(points)
    if distances.min() < 0 < distances.max():
        return []
    states = [trace.state(name) for name in CHECKPOINTS if name in trace.distances]
    nearest = min(states, key=lambda state: abs(float(trace.plane.distance(state))))
    foot = nearest - trace.plane.distance(nearest) * trace.plane.normal
    return [foot[None]] if np.abs(foot).max() <= 1.5 * np.ptp(points, axis=0).max() else []


def _attention_points(trace: Trace) -> np.ndarray:
    """All that is drawn in attention space, m x 2: queries, keys, values, and the sums on the way to a."""
    weighted = trace.weighted[-1]  # n x 2
    return np.concatenate(
        [np.zeros((1, 2)), trace.queries, trace.keys, trace.values, weighted, np.cumsum(weighted, axis=0)]
    )


def cube(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Low and high corner of a small cube with round corners around `points` (m x d, with the origin)."""
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max())
    if extent <= 0:
        return -np.ones(points.shape[1]), np.ones(points.shape[1])
    step = _round_step(extent)
    margin = 0.04 * extent  # a tip does not touch the wall
    first = np.floor(np.round((low - margin) / step, 9))
    last = np.ceil(np.round((high + margin) / step, 9))
    count = (last - first).max()
    first -= np.floor((count - (last - first)) / 2)  # the data in the middle of the shorter sides
    return first * step + 0.0, (first + count) * step + 0.0


def _round_step(extent: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that goes into `extent` at least five times."""
    power = 10.0 ** np.floor(np.log10(extent / 5))
    return float(power * max(f for f in (1, 2, 5) if f * power * 5 <= extent * (1 + 1e-9) or f == 1))


def grid_lines(low: float, high: float) -> np.ndarray:
    """Round numbers from `low` to `high` at which grid lines stand, equally far apart, 0 among them.

    At least four steps; steps that go into both ends where there are any.
    """
    power = 10.0 ** np.floor(np.log10(high - low))
    steps = [f * power for f in (2, 1, 0.5, 0.2, 0.1) if 4 * f * power <= (high - low) * (1 + 1e-9)]
    even = [s for s in steps if abs(low / s - round(low / s)) + abs(high / s - round(high / s)) < 1e-6]
    step = (even or steps)[0]
    return step * np.arange(np.ceil(round(low / step, 9)), np.floor(round(high / step, 9)) + 1)


# Polygons


def hull(points: np.ndarray) -> np.ndarray:
    """The convex hull of `points` (m x 2), counter-clockwise, without points on its sides; of no points, none."""
    if not len(points):
        return np.zeros((0, 2))
    size = max(float(np.ptp(points, axis=0).max()), np.finfo(float).tiny)
    ordered = sorted({(float(x), float(y)) for x, y in points})

    def chain(row):
        found = []
        for point in row:
            while len(found) > 1 and _turn(found[-2], found[-1], point) <= 1e-12 * size * size:
                found.pop()
            found.append(point)
        return found[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1])).reshape(-1, 2)


def _turn(a, b, c) -> float:
    """Twice the area of the triangle a, b, c; positive if it runs counter-clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _around(points: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Coplanar `points` (m x 3) in order around their centre; empty if they span no polygon."""
    if len(points) < 3:
        return np.zeros((0, 3))
    axis = np.eye(3)[np.argmin(np.abs(normal))]
    first = np.cross(normal, axis)
    second = np.cross(normal, first)
    offsets = points - points.mean(axis=0)
    return points[np.argsort(np.arctan2(offsets @ second, offsets @ first), kind="stable")]


# Sentences to compare the story with


def contrast_sentences(model: Model) -> tuple[tuple[str, ...], ...] | None:
    """Three sentences with one last word: it alone, the story's, and one with like keys in another order.

    The third is as long as the story's and is not followed by story.to. Tried in turn: the context moved on
    by one word, with a new word in front; the context in another order; one word of the context replaced. New
    words come in the order in which their keys are like that of the word they stand in for. None where there
    is no such sentence. [[expect]] has no say in it.
    """
    complete = model.story is not None and model.story.origin is not None
    if not complete or model.W_out is None or model.W_O is None or len(model.story.sentence) < 2:
        return None
    story = model.story.sentence
    for sentence in _other_orders(model):
        try:
            predicted = forward(model, sentence).decoder["contextual"].words
        except WeightsError:  # this one overflows
            continue
        if model.story.target not in predicted:
            return story[-1:], story, sentence
    return None


def _other_orders(model: Model):
    """Sentences like the story's, the most telling first."""
    *context, last = story = model.story.sentence
    dropped = len(context) - 1
    for word in _like(model, dropped):
        yield (word, *context[:-1], last)
    if len(context) <= 5:
        yield from ((*order, last) for order in permutations(context) if order != story[:-1])
    for place in range(len(context)):
        yield from ((*context[:place], word, *context[place + 1 :], last) for word in _like(model, place))


def _like(model: Model, place: int) -> list[str]:
    """Words outside the story, those with a key most like that of the story's word at `place` first."""
    story = model.story
    told = {model.entry(word) for word in story.sentence} | {story.origin, story.target}
    words = [word for word in model.vocabulary if word not in told]
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is far away
        keys = model.embeddings @ model.W_K.T  # V x d_k
        key = keys[model.index(story.sentence[place])]
        apart = {w: np.nan_to_num(math.dist(keys[model.index(w)], key), nan=np.inf) for w in words}
    return sorted(words, key=lambda w: (round(float(apart[w]), 9), model.index(w)))
