"""What pictures show in their spaces, and the ranges that hold it: one cube and one square for all of a trace's."""

from __future__ import annotations

import numpy as np

from attn.core.forward import CHECKPOINTS, Trace

MANY_WORDS = 12  # with a larger vocabulary only the sentence's words are drawn as arrows


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


def drawn_points(trace: Trace, contrast: tuple[Trace, ...]) -> np.ndarray:
    """Everything that is drawn in word embedding space, m x 3, the origin among it."""
    model = trace.model
    words = [model.index(word) for word in drawn_words(trace)]
    points = [np.zeros((1, 3)), model.embeddings[words], trace.positioned]
    if trace.contextual is not None:
        points += [trace.contextual[-1:], _steps_of_context(trace), *_landings(contrast)]
    if trace.plane is not None:
        points += _feet_in_reach(trace, np.concatenate(points))
    return np.concatenate(points)


def _steps_of_context(trace: Trace) -> np.ndarray:
    """The sums on the way from x to h, where the words' contributions are laid tip to tail, n x 3."""
    parts = trace.weighted[-1] @ trace.model.W_O.T
    return trace.positioned[-1] + np.cumsum(parts, axis=0)


def _landings(others: tuple[Trace, ...]) -> list[np.ndarray]:
    """Where the followed word stands and lands in the contrast sentences."""
    return [other.contextual[-1:] for other in others] + [other.positioned[-1:] for other in others]


def _feet_in_reach(trace: Trace, points: np.ndarray) -> list[np.ndarray]:
    """Where the perpendiculars from the followed word's states meet the plane, if that is not far off."""
    feet = [trace.plane.foot(trace.state(name)) for name in CHECKPOINTS if name in trace.distances]
    return [foot[None] for foot in feet if np.abs(foot).max() <= 1.5 * np.ptp(points, axis=0).max()]


def attention_points(trace: Trace) -> np.ndarray:
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
