"""How well a set of weights would look: what the search for weights prefers among those that lack nothing.

Ugliness is a sum of wishes that are missed, each by its own measure; 0 would be a set of weights whose every
picture is clear: arrows that part, a crossing in the middle, bars of different lengths. Everything is computed
for many sets of weights at once (B), with the camera of `attn.picture.view` on a coarse grid.
"""

from __future__ import annotations

import numpy as np

from attn.core.compared import contrast_sentences
from attn.core.model import PARAMETERS, Expect, Model
from attn.lab.batch import Pass, Sentences, leads, next_rows, run_pass, under
from attn.lab.wishes import story_row, wishes
from attn.picture import view
from attn.picture.drawn import picture

SHARP = np.sin(np.radians(14))  # arrows that part by less than 14 degrees are hard to tell from each other


def ugliness_of(model: Model, parts: bool = False):
    """Ugliness of one model with its true camera; with `parts` as a dict by wish.

    The model needs a story, 3-D embeddings and a 2-D attention space.
    """
    wanted = wishes(model)
    looks = Beauty(model, wanted)
    run = run_pass({name: getattr(model, name)[None] for name in PARAMETERS}, looks.sentences)
    chosen = picture(model).view
    missed = looks.missed(run, view._frame(chosen.azimuth, chosen.elevation)[None])
    missed = {name: float(value[0]) for name, value in missed.items()}
    return missed if parts else sum(missed.values())


class Beauty:
    """Measures the looks of B sets of weights for one story."""

    def __init__(self, model: Model, wishes: tuple[Expect, ...]):
        wanted = Sentences.of(model, wishes)
        self.story, self.next = story_row(model, wishes), next_rows(model, wishes)
        self.n = int(wanted.last[self.story]) + 1
        self.words = wanted.words[self.story, : self.n]
        self.pair = model.index(model.story.origin), model.index(model.story.target)
        listed = [tuple(map(model.entry, one)) for one in contrast_sentences(model)]
        self.sentences = Sentences.of(model, (*wishes, *(Expect(one, "") for one in listed)))
        self.compared = slice(len(wishes), len(wishes) + len(listed))  # their rows
        azimuths, elevations = np.meshgrid(np.arange(-180, 180, 6.0), np.arange(5.5, 60, 5.4), indexing="ij")
        self.frames = view._frame(azimuths.ravel(), elevations.ravel())  # M x 3 x 3
        self.preferred = self.frames[:, 2] @ view._frame(*view.PREFERRED)[2]  # M

    def ugliness(self, run: Pass) -> np.ndarray:
        """How much B sets of weights leave to wish for (B)."""
        return sum(self.missed(run, self.cameras(run)).values())

    def cameras(self, run: Pass) -> np.ndarray:
        """The frames (B x 3 x 3) of the cameras that `attn.picture.view` would choose, on a coarse grid."""
        states, normal, _ = self._states(run)
        gaps = states[:, [1, 2, 2]] - states[:, [0, 0, 1]]  # B x 3 x 3
        viewer, right = self.frames[:, 2].T, self.frames[:, 0].T  # 3 x M
        squares = (gaps**2).sum(axis=-1, keepdims=True) - (gaps @ viewer) ** 2  # B x 3 x M
        tips = np.sqrt(np.maximum(squares, 0)).min(axis=1)  # B x M
        least = np.maximum(np.linalg.norm(gaps, axis=-1).min(axis=1), 1e-9)
        wishes = tips / least[:, None] + view.PULL * self.preferred + view.READING * (normal @ right)
        tilt, slant = np.abs(normal @ viewer), np.abs(_unit(gaps[:, 2]) @ viewer)  # sines
        least, most = np.sin(np.radians(view.TILT))
        outside = under(least, tilt) + under(-most, -tilt) + under(-np.sqrt(1 - view.SEEN**2), -slant)
        best = np.argmax(np.round(wishes - np.degrees(view.PENALTY) * outside, 9), axis=1)
        return self.frames[best]

    def _states(self, run: Pass):
        """e, x, h of the followed word (B x 3 x 3), the plane's normal (B x 3) and offset (B)."""
        p, s = run.parameters, self.story
        states = np.stack([p["embeddings"][:, self.words[-1]], run.x[:, s, self.n - 1], run.h[:, s]], axis=1)
        normal = p["W_out"][:, self.pair[1]] - p["W_out"][:, self.pair[0]]
        length = np.maximum(np.linalg.norm(normal, axis=-1), 1e-9)
        offset = (p["b_out"][:, self.pair[1]] - p["b_out"][:, self.pair[0]]) / length
        return states, normal / length[:, None], offset

    def missed(self, run: Pass, frames: np.ndarray) -> dict[str, np.ndarray]:
        """What is missed of every wish (each B), seen through `frames` (B x 3 x 3)."""
        states, normal, offset = self._states(run)
        seen, lands = _seen(states, frames), self._landings(run)  # B x 3 x 2, B x 3 x 3
        distances = (states @ normal[:, :, None])[..., 0] + offset[:, None]  # B x 3
        box = self._box(lands, run)
        return {
            "camera": self._camera(frames, normal),
            "states": _near(seen, 0.6) + 2 * _flat(seen) + _short(seen, 1.3),
            "displacement": self._displacement(seen),
            "plane": under(0.8, np.abs(distances)).sum(axis=-1) + self._middle(distances) + self._shift(distances),
            "clear": self._clear(box[1:], states, frames, normal, distances),
            "words": self._words(run, frames),
            "square": self._square(run),
            "mixing": self._mixing(run),
            "bars": self._bars(run),
            "contrast": self._contrast(lands, run, frames, normal, offset),
            "cube": self._cube(box, frames, normal, offset),
            "leads": 0.5 * under(3.4, leads(run.decoded[:, : len(self.next)], self.next)).sum(axis=-1),
            "numbers": self._numbers(run),
        }

    def _camera(self, frames: np.ndarray, normal: np.ndarray) -> np.ndarray:
        """A plane seen clearly from one side, from a little above and across a corner of the cube."""
        tilt = np.degrees(np.arcsin(np.clip(np.abs((normal * frames[:, 2]).sum(axis=-1)), 0, 1)))
        elevation = np.degrees(np.arcsin(frames[:, 2, 2]))
        missed = under(12, tilt) + under(-20, -tilt) + under(12, elevation) + under(-28, -elevation)
        corner = under(0.4, np.abs(frames[:, 0, :2])).sum(axis=-1)
        return 0.05 * missed + 2 * corner + under(0.75, (normal * frames[:, 0]).sum(axis=-1))

    def _displacement(self, seen: np.ndarray) -> np.ndarray:
        """Long, from left to right, and at an angle to the arrows of x and h, between which it is drawn."""
        c = seen[:, 2] - seen[:, 1]
        missed = under(2.4, np.linalg.norm(c, axis=-1)) + under(0.7, _unit(c)[:, 0])
        return missed + 2 * under(0.45, np.stack([_sine(c, seen[:, 2]), _sine(-c, seen[:, 1])])).sum(axis=0)

    def _middle(self, distances: np.ndarray) -> np.ndarray:
        """The displacement is cut near its middle."""
        span = np.maximum(distances[:, 2] - distances[:, 1], 1e-9)
        return 2 * under(-0.12, -np.abs(-distances[:, 1] / span - 0.5))

    def _shift(self, distances: np.ndarray) -> np.ndarray:
        """The position, too, can be seen on the line of the distances."""
        return 2 * under(0.3, np.abs(distances[:, 1] - distances[:, 0]))

    def _clear(self, box, states, frames: np.ndarray, normal: np.ndarray, distances: np.ndarray) -> np.ndarray:
        """The tips lie beside the plane as it is seen, not in front of it or behind it."""
        viewer, (low, high) = frames[:, 2], box
        sine = (normal * viewer).sum(axis=-1)  # B, of the angle at which the plane is seen
        cosine = np.sqrt(np.maximum(1 - sine**2, 1e-9))
        across = (viewer - sine[:, None] * normal) / cosine[:, None]  # in the plane, where its width is seen
        reach = 0.5 * (high - low).max(axis=1) * np.abs(across).sum(axis=-1)  # B, of the plane within the cube
        shift = ((states - ((low + high) / 2)[:, None]) @ across[:, :, None])[..., 0]  # B x 3
        beside = np.sign(distances) * (distances * cosine[:, None] - sine[:, None] * shift)
        return 2 * under(0.4, beside - (np.abs(sine) * reach)[:, None]).sum(axis=-1)

    def _words(self, run: Pass, frames: np.ndarray) -> np.ndarray:
        """The words' arrows part on the page, also after the positions are added, no two of which are alike."""
        embeddings = _seen(run.parameters["embeddings"], frames)
        shifted = _seen(run.x[:, self.story, : self.n], frames)
        shifts = np.linalg.norm(shifted - embeddings[:, self.words], axis=-1)
        axes = frames[:, :2].transpose(0, 2, 1)  # B x 3 x 2, the axes on the page
        axes = np.concatenate([axes, -axes], axis=1)
        missed = _flat(embeddings) + 0.5 * _near(embeddings, 0.8) + 0.5 * _short(embeddings, 1.0)
        missed += 0.3 * _hidden(embeddings, axes)
        missed += 0.5 * under(1.0, _sine(embeddings[:, self.words], shifted) / SHARP).sum(axis=-1)
        missed += _near(run.parameters["positions"], 0.7)
        return missed + _flat(shifted) + under(0.45, shifts).sum(axis=-1)

    def _square(self, run: Pass) -> np.ndarray:
        """In attention space the arrows that stand together part and are neither tiny nor huge; along the followed
        word's query one sees how far each key reaches.
        """
        q, k, v = (part[:, self.story, : self.n] for part in (run.q, run.k, run.v))
        together = np.concatenate([q[:, -1:], k], axis=1)
        everything = np.concatenate([q, k, v], axis=1)
        lengths = np.linalg.norm(everything, axis=-1)
        missed = _flat(together) + _flat(v) + 0.25 * _flat(everything) + 0.5 * _near(everything, 0.4)
        missed += under(0.7, lengths).sum(axis=-1) + 0.5 * under(-3.2, -lengths).sum(axis=-1)
        missed += 2 * under(1.4, lengths[:, self.n - 1])  # the followed word's query
        reach = (k @ _unit(q[:, -1])[:, :, None])[..., 0]  # B x n
        missed += 2 * under(0.4, np.abs(reach)).sum(axis=-1) + 2 * _alike(reach, 0.4) / 0.4
        extents = np.ptp(np.concatenate([everything, 0 * q[:, :1]], axis=1), axis=1)
        return missed + 2 * under(0.7, extents.min(axis=-1) / np.maximum(extents.max(axis=-1), 1e-9))

    def _mixing(self, run: Pass) -> np.ndarray:
        """The weighted values can be seen and turn from one to the next; their sum is long and stands apart."""
        weighted = run.attention[:, self.story, : self.n, None] * run.v[:, self.story, : self.n]
        lengths = np.linalg.norm(weighted, axis=-1)
        total = weighted.sum(axis=1, keepdims=True)
        turns = np.concatenate(
            [_turn(weighted[:, :-1], weighted[:, 1:]), _turn(total, weighted[:, :1]), _turn(total, weighted[:, -1:])],
            axis=1,
        )
        missed = 2 * under(0.35, lengths[:, :-1]).sum(axis=-1) + 2 * under(0.15, lengths[:, -1])
        missed += 2 * under(0.3, turns).sum(axis=-1)
        return missed + under(1.2, np.linalg.norm(total[:, 0], axis=-1))

    def _bars(self, run: Pass) -> np.ndarray:
        """No two weights are alike, none takes all; scores lie on both sides of 0, their exponentials on one scale."""
        scores, weights = run.scores[:, self.story, : self.n], run.attention[:, self.story, : self.n]
        missed = 4 * _alike(weights)
        missed += 3 * under(0.1, weights[:, -1]) if self.n > 1 else 0
        missed += 0.5 * under(-2.2, -np.abs(scores)).sum(axis=-1)
        missed += 2 * (under(0.4, scores.max(axis=-1)) + under(0.2, -scores.min(axis=-1))) if self.n > 1 else 0
        missed += 2 * under(0.15, np.abs(scores)).sum(axis=-1)
        final = run.decoded[:, self.story][:, list(self.pair)]
        missed += 0.3 * under(-4.0, -np.abs(final)).sum(axis=-1)
        return missed + 0.03 * under(-9.0, -np.abs(run.decoded[:, :, list(self.pair)])).sum(axis=(-1, -2))

    def _landings(self, run: Pass) -> np.ndarray:
        """h of the word in the compared sentences: B x m x 3."""
        return run.h[:, self.compared]

    def _contrast(self, lands: np.ndarray, run: Pass, frames, normal, offset) -> np.ndarray:
        """In each compared sentence the word moves, another way each time, and lands apart from the others and from
        the plane; no two of its weights there are alike.
        """
        sides = (lands @ normal[:, :, None])[..., 0] + offset[:, None]
        last = self.sentences.last[self.compared]
        starts = run.x[:, self.compared][:, np.arange(len(last)), last]
        paths = _seen(lands - starts, frames)
        missed = _near(_seen(lands, frames), 0.8) + 2 * under(0.6, np.abs(sides)).sum(axis=-1)
        missed += 2 * _short(paths, 1.2) + 2 * _flat(paths[:, last > 0])
        for row in np.flatnonzero(last):
            missed += 2 * _alike(run.attention[:, self.compared][:, row, : last[row] + 1])
        return missed

    def _box(self, lands: np.ndarray, run: Pass) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Everything that is drawn in the space (B x m x 3), and its corners (B x 3 each)."""
        p, x = run.parameters, run.x[:, self.story, : self.n]
        parts = run.attention[:, self.story, : self.n, None] * run.v[:, self.story, : self.n]
        way = x[:, -1:] + np.cumsum(parts @ p["W_O"].transpose(0, 2, 1), axis=1)  # from x to h, word by word
        points = np.concatenate([p["embeddings"], x, way, lands, 0 * lands[:, :1]], axis=1)
        return points, points.min(axis=1), points.max(axis=1)

    def _cube(self, box, frames, normal, offset) -> np.ndarray:
        """The data fill a cube of moderate size, and the plane cuts it near its middle."""
        points, low, high = box
        side = np.maximum((high - low).max(axis=1), 1e-9)
        off_centre = np.abs(((low + high) / 2 * normal).sum(axis=-1) + offset) / side
        page = np.abs(frames[:, :2]).sum(axis=-1) * side[:, None]  # B x 2, the cube on the page
        filled = np.ptp(_seen(points, frames), axis=1) / page
        missed = 0.5 * under(-4.5, -side) + 2 * under(-0.12, -off_centre)
        return missed + 2 * under(0.6, filled).sum(axis=-1)

    def _numbers(self, run: Pass) -> np.ndarray:
        """Small numbers, and zeros among them, but no row or column of zeros in a matrix that makes something."""
        arrays = [np.abs(run.parameters[name]) for name in PARAMETERS[:-1]]
        total = sum(array.sum(axis=tuple(range(1, array.ndim))) for array in arrays)
        missed = total / sum(array[0].size for array in arrays)
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            for axis in (1, 2):
                missed += under(0.5, np.abs(run.parameters[name]).max(axis=axis)).sum(axis=-1)
        return missed


# Measures on arrows (B x m x 2 or 3)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def _seen(points: np.ndarray, frames: np.ndarray) -> np.ndarray:
    return points @ frames[:, :2].transpose(0, 2, 1)


def _sine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How much the directions of plane vectors differ: 0 for the same, 1 from a right angle on."""
    a, b = _unit(a), _unit(b)
    turn = np.abs(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
    return np.where((a * b).sum(axis=-1) < 0, 1.0, turn)


def _turn(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How much the lines of plane vectors differ: 0 for the same or opposite directions, 1 at a right angle."""
    a, b = _unit(a), _unit(b)
    return np.abs(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _flat(arrows: np.ndarray) -> np.ndarray:
    """How many pairs of arrows from one point lie (nearly) on each other."""
    rows, columns = np.triu_indices(arrows.shape[1], 1)
    return under(1.0, _sine(arrows[:, rows], arrows[:, columns]) / SHARP).sum(axis=-1)


def _hidden(arrows: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """How many of the arrows lie (nearly) on one of the lines."""
    return under(1.0, _sine(arrows[:, :, None], lines[:, None]) * 2 / SHARP).sum(axis=(-1, -2))


def _alike(numbers: np.ndarray, least: float = 0.06) -> np.ndarray:
    """By how much pairs of numbers (B x n), say weights, miss the distance `least`."""
    rows, columns = np.triu_indices(numbers.shape[1], 1)
    return under(least, np.abs(numbers[:, rows] - numbers[:, columns])).sum(axis=-1)


def _near(points: np.ndarray, least: float) -> np.ndarray:
    """By how much pairs of points miss the distance `least`."""
    rows, columns = np.triu_indices(points.shape[1], 1)
    return under(1.0, np.linalg.norm(points[:, rows] - points[:, columns], axis=-1) / least).sum(axis=-1)


def _short(arrows: np.ndarray, least: float) -> np.ndarray:
    return under(1.0, np.linalg.norm(arrows, axis=-1) / least).sum(axis=-1)
