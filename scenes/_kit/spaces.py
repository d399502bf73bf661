"""Vectors and the two spaces on the stage. Everything is flat: the trace's view projects once, and nothing turns.

What stands still (shades, plane, axes) is added first and drawn once; vectors are rebuilt in place while they move.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import manim
import numpy as np
from manim import VGroup, VMobject
from manim.constants import CapStyleType

from attn.core import numerals
from attn.core.forward import STATES
from attn.core.model import WeightsError
from attn.picture import depth, labels, palette, quantities, richtext
from attn.picture.polygons import hull
from attn.picture.ranges import drawn_vectors, grid_lines
from attn.picture.richtext import Rich, Run, as_rich
from attn.picture.view import AXES
from scenes._kit.moves import Direct
from scenes._kit.text import CAP, Text

SMALL, BODY, HEAD, TITLE = 0.31, 0.33, 0.36, 0.46  # em in scene units; a 36th of the picture's height is 0.222
LEAST = 0.2223  # em of the smallest text without subscripts; with them it is SMALL
LONGEST = 1.6  # how wide a label may be before its word is cut, if that has more than WHOLE letters
AIR = 0.08  # above a word that is broken into lines
WHOLE = 12  # letters, up to which no word is ever cut

RIGHT_ANGLE = 0.17  # the sides of the sign where a perpendicular meets the plane
UNIT = 0.13  # smallest gap between a label and what it names
THIN, FIRM, STRONG = 1.5, 6.0, 8.0  # line widths in manim's hundredths of a unit


class Box(NamedTuple):
    """A part of the picture in scene units."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def bounds(self) -> labels.Box:
        return (self.left, self.bottom, self.left + self.width, self.bottom + self.height)


def flat(points) -> np.ndarray:
    """m x 2 as manim's m x 3."""
    points = np.asarray(points, dtype=float)
    return np.concatenate([points, np.zeros((*points.shape[:-1], 1))], axis=-1)


def segments(pairs) -> np.ndarray:
    """Straight lines (m x 2 x 2, start and end) as cubic curves, 4m x 3."""
    start, end = np.moveaxis(flat(np.asarray(pairs, dtype=float).reshape(-1, 2, 2)), 1, 0)
    thirds = np.array([0, 1 / 3, 2 / 3, 1])[:, None]
    return (start[:, None] + thirds * (end - start)[:, None]).reshape(-1, 3)


def line(points, colour: str, width: float = THIN) -> VMobject:
    """A line through `points` (m x 2)."""
    points = np.asarray(points, dtype=float)
    shape = VMobject(stroke_color=colour, stroke_width=width, fill_opacity=0)
    return shape.set_points(segments(np.stack([points[:-1], points[1:]], axis=1)))


def area(points, fill: str, edge: str | None = None, width: float = 0.0) -> VMobject:
    """A filled polygon (m x 2)."""
    points = np.asarray(points, dtype=float)
    shape = VMobject(fill_color=fill, fill_opacity=1, stroke_color=edge or fill, stroke_width=width if edge else 0)
    return shape.set_points(segments(np.stack([points, np.roll(points, -1, axis=0)], axis=1)))


def rectangle(left: float, bottom: float, right: float, top: float, fill: str, edge=None, width=0.0) -> VMobject:
    """A filled rectangle."""
    return area([(left, bottom), (right, bottom), (right, top), (left, top)], fill, edge, width)


def disc(centre, radius: float, fill: str, edge: str | None = None, width: float = 0.0) -> VMobject:
    """A filled circle around a point (2)."""
    shape = manim.Circle(radius, stroke_color=edge or fill, stroke_width=width if edge else 0)
    return shape.set_fill(fill, 1).shift(flat(centre))


class Vector(VGroup):
    """A vector in the plane of the picture: a shaft and a head whose tip is exactly the end point."""

    def __init__(self, start, end, colour: str, width: float = FIRM, dash=(), head: str = "arrow"):
        super().__init__()
        self.shaft = VMobject(stroke_color=colour, stroke_width=width, fill_opacity=0)
        self.tip = VMobject(fill_color=colour, fill_opacity=1, stroke_width=0)
        self.thick, self.dash, self.kind = width, dash, head
        if dash and dash[0] < 0.5:
            self.shaft.cap_style = CapStyleType.ROUND
        self.add(self.shaft, self.tip)
        self.span(start, end)

    def span(self, start, end) -> Vector:
        """Lets it run from `start` to `end` (2 each)."""
        self.start, self.end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        step = self.end - self.start
        length = float(np.hypot(*step))
        along = step / length if length > 1e-9 else np.array([1.0, 0.0])
        size = 0.11 + 0.026 * self.thick if self.kind == "arrow" else 0.05 + 0.008 * self.thick
        reach = min(size, length) if self.kind == "arrow" else 0.0
        self.shaft.set_points(self._dashes(self.start, along, length - 0.8 * reach))
        self.tip.set_points(self._head(along, size, reach))
        return self

    def _dashes(self, start, along, length: float) -> np.ndarray:
        if length <= 1e-6:
            return np.zeros((0, 3))
        if not self.dash:
            return segments([(start, start + length * along)])
        on, off = (part * self.thick / 100 for part in self.dash[:2])
        begins = np.arange(0.0, length, on + off)
        ends = np.minimum(begins + on, length)
        return segments(start + np.stack([begins, ends], axis=1)[..., None] * along)

    def _head(self, along, size: float, reach: float) -> np.ndarray:
        across = np.array([-along[1], along[0]])
        if self.kind == "dot":
            return disc(self.end, size, "#000000").points
        if self.kind == "square":
            corners = [
                self.end + 0.85 * size * (a * along + b * across) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
        elif reach <= 1e-6:
            return np.zeros((0, 3))
        else:
            back, wing = self.end - reach * along, 0.36 * reach * across
            corners = [self.end, back + wing, self.end - 0.8 * reach * along, back - wing]
        points = np.array(corners)
        return segments(np.stack([points, np.roll(points, -1, axis=0)], axis=1))


def least(runs: Rich) -> float:
    """The em of the smallest text that can be read of these runs."""
    return SMALL if any(run.script for run in runs) else LEAST


def fitting(wordings, width: float, size: float, colour: str | None = None, tall: float = 0.0) -> Text:
    """The first of several wordings that is at most `width` wide: in one line, smaller if need be, or its longest run
    broken into as many lines as `tall` has room for. If none is, the last one, as small as can be; a long word at its
    end is cut.
    """
    lines = lines_in(tall)
    for runs in map(as_rich, wordings):
        for parts in range(1, lines + 1):
            most = size if parts == 1 else min(size, (tall - AIR) / (CAP + parts - 1))
            text = Text(runs, most, colour, parts=parts)
            smaller = most * min(1.0, width / max(text.peg.width, 1e-9))
            if smaller >= least(runs):
                return text if smaller == most else Text(runs, smaller, colour, parts=parts)
    return Text(shortened(runs, width, least(runs), lines), least(runs), colour, parts=lines)


def lines_in(tall: float) -> int:
    """Into how many lines a word may be broken in a row that is so high."""
    return 1 + max(0, int((tall - AIR) / LEAST - CAP + 1e-6))


def shortened(runs: Rich, width: float, size: float, parts: int = 1) -> Rich:
    """Text whose last run, a word of more than WHOLE letters, is cut with an ellipsis so that all of it is at most
    `width` wide at `size`.
    """
    *before, run = runs
    text = run.text
    while len(text) > (WHOLE if text == run.text else 0) and Text((*before, run), size, parts=parts).peg.width > width:
        text = text[:-1]
        run = replace(run, text=f"{text}…")
    return (*before, run)


class Draw(Direct):
    """A vector grows from its start to its end."""

    def __init__(self, vector: Vector, **options):
        self.start, self.end = vector.start.copy(), vector.end.copy()
        super().__init__(vector, introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self.mobject.span(self.start, self.start + share * (self.end - self.start))
        self.mobject.tip.scale(min(4 * share, 1.0), about_point=flat(self.mobject.end))


class Travel(Direct):
    """A vector moves to another start and end."""

    def __init__(self, vector: Vector, start, end, **options):
        self.before = np.array([vector.start, vector.end])
        self.after = np.array([start, end], dtype=float)
        super().__init__(vector, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self.mobject.span(*(self.before + share * (self.after - self.before)))


class Name(VGroup):
    """A label, and the leader line to what it names where it had to move away.

    wordings: what it may say, each with its size; it says a later one where there is no room for those before.
    """

    def __init__(self, wordings: list[tuple[Rich, float]], colour: str, anchor, lean, clear: float):
        super().__init__()
        self.wordings, self.colour, self.anchor, self.lean, self.clear = wordings, colour, anchor, lean, clear
        self.say()

    def say(self) -> None:
        """Says the first of what it may say."""
        label, size = self.wordings.pop(0)
        self.text = Text(label, size, self.colour)
        self.submobjects = [self.text]
        extent = (self.text.peg.width, CAP * size * (1.3 if _deep(self.text) else 1.0))
        self.label = labels.Label(tuple(self.anchor), extent, tuple(self.lean), self.clear)

    def put(self, spot: labels.Placed) -> None:
        """Stands at its place."""
        (x, y), (width, height) = spot.centre, self.label.size
        self.text.at(flat((x - width / 2, y - height / 2 + (0.3 / 1.3 * height if _deep(self.text) else 0.0))))
        self.spot = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        if spot.leader:
            self.add(line(spot.leader, self.text.runs[0].get_fill_color().to_hex(), THIN))


class Plot:
    """A panel with a scale: data coordinates to the stage, and labels placed by rule.

    Ask for every label of the step with `name`, then `place` them all; show each when its beat comes.
    """

    def __init__(self, box: Box, low, high):
        self.box = box
        size = np.array([box.width, box.height])
        low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        self.scale = float((size / (high - low)).min())
        self.centre = np.array([box.left, box.bottom]) + size / 2
        self.middle = (low + high) / 2
        self.lines: list = []  # pairs of stage points that labels keep off
        self.faint: list = []  # the same, where they can
        self.taken: list[labels.Box] = []
        self.wanted: list[Name] = []

    def at(self, points) -> np.ndarray:
        """Data points (... x 2) on the stage."""
        return self.centre + self.scale * (np.asarray(points, dtype=float) - self.middle)

    def keep_off(self, *points) -> None:
        """Labels will not cover the line through these stage points."""
        self.lines += list(zip(points[:-1], points[1:], strict=True))

    def vector(self, start, end, colour: str, width: float = FIRM, dash=(), head: str = "arrow") -> Vector:
        """A vector between two data points, which labels keep off."""
        found = Vector(self.at(start), self.at(end), colour, width, dash, head)
        self.keep_off(found.start, found.end)
        return found

    def name(self, anchor, label: Rich, colour: str, lean=(0.0, 0.0), size: float = HEAD, clear: float = 0.0) -> Name:
        """A label beside a stage point; it gets its place when `place` is called.

        Where it has no room it is set smaller, cut if its word is long, and at last its letter stands alone, in the
        word's colour.
        """
        small = least(label)
        wordings = [(label, size), (label, (size + small) / 2), (label, small)]
        wordings.append((shortened(label, LONGEST, small), small))
        if len(label) > 1:
            wordings.append((label[:1], size))
        self.wanted.append(Name(wordings, colour, anchor, lean, clear))
        return self.wanted[-1]

    def place(self) -> None:
        """Puts all labels that were asked for in place; a later step adds its own around those that stand."""
        crowded = self.wanted
        while crowded:
            wanted = [name.label for name in self.wanted]
            places = labels.place(wanted, self.lines, self.box.bounds, self.taken, UNIT, self.faint)
            spots = labels.boxes(wanted, places)
            crowded = [
                name
                for i, name in enumerate(self.wanted)
                if name.wordings and self.clash(spots[i], [*self.taken, *spots[:i], *spots[i + 1 :]])
            ]
            for name in crowded:
                name.say()
        for name, spot in zip(self.wanted, places if self.wanted else [], strict=True):
            name.put(spot)
            self.taken.append(name.spot)
        self.wanted = []

    def clash(self, spot: labels.Box, taken) -> bool:
        """Whether a text there would lie on a line or on what is taken, or reach out of the panel."""
        return labels.clash(spot, self.lines, self.box.bounds, taken, 0.5 * UNIT)

    def forget(self, *parts) -> None:
        """These vectors and labels are gone: others may take their room."""
        spots = [part.spot for part in parts if isinstance(part, Name)]
        gone = [np.array([part.start, part.end]) for part in parts if isinstance(part, Vector)]
        self.taken = [box for box in self.taken if box not in spots]
        self.lines = [ends for ends in self.lines if not any(np.array_equal(np.array(ends), line) for line in gone)]


def _deep(text: Text) -> bool:
    return any(run.script < 0 for run in text.rich)


class EmbeddingSpace(Plot):
    """The 3-D word embedding space as the trace's camera sees it.

    names: size of the sides' words. vectors: m x 2 x 3, what they keep off; all that the steps draw, if not given.
    """

    def __init__(self, box: Box, trace, names: float = TITLE, vectors: np.ndarray | None = None):
        self.trace, self.view, self.names = trace, trace.view, names
        self.vectors = drawn_vectors(trace) if vectors is None else vectors
        corners = self.view.project(self.view.corners())
        super().__init__(box, corners.min(axis=0), corners.max(axis=0))
        self.section = None
        self.shades = list(self._shades())
        self.edges, axes = list(self._edges()), list(self._axes())
        self.axes, self.axis_names = axes[::2], axes[1::2]
        self.frame = [*self.edges, *axes]
        self.words = list(self._regions())
        self.ground = VGroup(*self.shades, *self.frame, *self.words)  # stands still in every film

    def point(self, point3) -> np.ndarray:
        """A point of the 3-D space on the stage."""
        return self.at(self.view.project(point3))

    def arrow(self, start, end, colour: str, **options) -> Vector:
        """A vector between two points of the 3-D space."""
        return self.vector(self.view.project(start), self.view.project(end), colour, **options)

    def state(self, checkpoint: str, width: float = FIRM) -> Vector:
        """The followed word's vector at a checkpoint: dotted e, dashed x or solid h."""
        row = STATES[checkpoint]
        colour = palette.word_colour(self.trace, self.trace.tokens[-1])
        return self.arrow(
            np.zeros(3), self.trace.state(checkpoint), colour, width=width, dash=quantities.QUANTITIES[row].dash
        )

    def context(self) -> Vector:
        """The pink "+ context" displacement, from the tip of x to the tip of h."""
        start, end = (self.trace.state(name) for name in ("positioned", "contextual"))
        return self.arrow(start, end, palette.theme().context, width=STRONG)

    def drop(self, checkpoint: str) -> VGroup:
        """The perpendicular from the followed word's tip to the plane, with its foot; empty where none is seen."""
        found = depth.drop(self.trace, self.view, checkpoint)
        if found is None:
            return VGroup()
        colour, ends = palette.word_colour(self.trace, self.trace.tokens[-1]), self.point([found.point, found.foot])
        marks = VGroup(line(ends, colour, 2.0), disc(ends[1], 0.05, colour))
        if np.hypot(*(ends[1] - ends[0])) > 2 * RIGHT_ANGLE:
            back, along = RIGHT_ANGLE * found.sides
            marks.add(line(ends[1] + np.array([back, back + along, along]), colour))
        return marks

    def state_label(self, checkpoint: str) -> Name:
        """The letter of a state beside its tip."""
        row, word = STATES[checkpoint], self.trace.tokens[-1]
        tip = self.point(self.trace.state(checkpoint))
        return self.name(
            tip,
            richtext.symbol(self.trace, row, word),
            palette.word_colour(self.trace, word),
            tip - self.point(np.zeros(3)),
        )

    def _regions(self):
        """The words of the two sides, each where it keeps off every vector of every step: they never move."""
        vectors = self.at(self.view.project(self.vectors))
        covers = [self.at(outline) for outline, _ in self.outlines]  # a later one lies on an earlier one
        covers += [] if self.section is None else [hull(self.section)]
        lines = [*self.lines, *vectors]
        for i, (_, word) in enumerate(self.outlines):
            for size, parts, most in self._sizes():
                run = richtext.word(self.trace, word)
                text = Text(shortened((run,), most, size, parts), size, parts=parts)
                tall = (1.3 * CAP + 2 * text.rise) * size
                extent = (text.peg.width + 2 * UNIT, tall)  # air beside it: it is no part of a label
                centre = np.array(labels.roomy(covers[i], extent, lines, self.taken, covers[i + 1 :], self.faint))
                spot = (*(centre - np.array(extent) / 2), *(centre + np.array(extent) / 2))
                if not labels.clash(spot, lines, self.box.bounds, self.taken):
                    break
            self.taken.append(spot)
            yield text.middle(flat(centre), 0.5)

    def _sizes(self):
        """How a side's word may be set, the best first: em, lines, and how wide, where one that is long is cut."""
        yield from ((size, 1, np.inf) for size in (self.names, (self.names + LEAST) / 2, LEAST))
        yield from ((LEAST, 2, most) for most in (np.inf, 1.4, 1.0, 0.6))

    def _shades(self):
        self.outlines = []
        if self.trace.plane is None:
            return
        halves, story, ink = self.view.halves(self.trace.plane), self.trace.model.story, palette.theme().ink
        sides = [(halves.origin, story.origin), (halves.target, story.target)]
        if float(self.view.depth(self.trace.plane.normal)) < 0:  # the from side is nearer to the viewer: drawn last
            sides.reverse()
        for outline, word in sides:
            if len(outline):
                self.outlines.append((outline, word))
                yield area(self.at(outline), palette.shade(palette.word_colour(self.trace, word)))
        if len(halves.section):
            self.section = self.at(self.view.project(halves.section))
            self.keep_off(*self.section, self.section[0])
            yield area(self.section, palette.pane(), palette.mix(ink, 0.5), 2.0)

    def _edges(self):
        corners = self.view.corners()
        seen, far = self.at(self.view.project(corners)), int(np.argmin(self.view.depth(corners)))
        self.faint = [seen[edge] for edge in self.view.edges() if far not in edge]  # the edges that nothing hides
        for edge in self.view.edges():
            yield line(seen[edge], palette.mix(palette.theme().rule, 0.35 if far in edge else 0.6), THIN)

    def _axes(self):
        """The axes, and their names where they keep off every vector of every step."""
        for i, name in enumerate(AXES):
            ends = np.zeros((2, 3))
            ends[:, i] = self.view.low[i], self.view.high[i]
            start, end = self.point(ends)
            self.keep_off(start, end)
            yield line([start, end], palette.theme().rule, THIN)
            yield self.name(end, (Run(name),), palette.theme().muted, end - start, SMALL)
        axes, self.lines = self.lines, [*self.lines, *self.at(self.view.project(self.vectors))]
        self.place()
        self.lines = axes


class AttentionSpace(Plot):
    """The 2-D attention space: a light grid and axes through the origin, the same ranges in every film.

    The square takes as much of `box` as fits, at its left and foot. Raises WeightsError where the file's attention
    space is not 2-D.
    """

    def __init__(self, box: Box, trace):
        self.trace, self.view = trace, trace.view
        low, high = self.view.attention_low, self.view.attention_high
        if low is None:
            raise WeightsError("parameters.W_Q", "no 2-D attention space; expected 2 rows in W_Q, W_K and W_V")
        side = min(box.width, box.height)
        super().__init__(Box(box.left, box.bottom, side, side), low, high)
        self.low, self.high = low, high
        self.ground = VGroup(*self._grid(), *self._axes())  # stands still in every film

    def arrow(self, what: str, row: int, colour: str | None = None, width: float = FIRM) -> Vector:
        """One word's query, key, value or output (`what`, a field of the trace) from the origin."""
        quantity, colour = (
            quantities.QUANTITIES[what],
            colour or palette.word_colour(self.trace, self.trace.tokens[row]),
        )
        return self.vector((0.0, 0.0), getattr(self.trace, what)[row], colour, width, quantity.dash, quantity.head)

    def feet(self, row: int) -> list[np.ndarray] | None:
        """Where lines dropped from the keys meet the line of a query, a point each; None for a query of 0."""
        query = self.trace.queries[row]
        length = float(np.hypot(*query))
        return [query * float(query @ key) / length**2 for key in self.trace.keys] if length > 1e-9 else None

    def label(self, what: str, row: int) -> Name:
        """Its letter with the word beside its tip; it gets its place with `place`."""
        token = self.trace.tokens[row]
        tip, colour = self.at(getattr(self.trace, what)[row]), palette.word_colour(self.trace, token)
        return self.name(tip, richtext.symbol(self.trace, what, token), colour, tip - self.at((0, 0)), BODY)

    def _grid(self):
        colours = palette.theme()
        for i in (0, 1):
            for value in grid_lines(self.low[i], self.high[i]):
                ends = np.array([self.low, self.high])
                ends[:, i] = value
                yield line(self.at(ends), palette.mix(colours.faint, 0.6), THIN)
        (a, b), (c, d) = self.low, self.high
        yield line(self.at([(a, b), (c, b), (c, d), (a, d), (a, b)]), colours.faint, THIN)

    def _axes(self):
        """The axes through the origin, each with a number at one end, where it covers no vector of any step."""
        places, vectors = numerals.decimals([self.low, self.high], 6), self._vectors()
        for i in (0, 1):
            ends = np.zeros((2, 2))
            ends[:, i] = self.low[i], self.high[i]
            ends = self.at(ends)
            self.keep_off(*ends)
            yield line(ends, palette.theme().rule, 2.0)
            spots = [spot for k in (1, 0) for spot in self._spots(i, k, ends[k], places)]
            text, x, y = max(spots, key=lambda spot: round(_clear(*spot, vectors), 2))
            self.taken.append((x, y, x + text.peg.width, y + CAP * SMALL))
            yield text.at(flat((x, y)))

    def _spots(self, axis: int, high: int, end, places: int):
        """The number at one end of an axis and where it may stand beside it: (text, left, baseline)."""
        name, limit = ("high", self.high) if high else ("low", self.low)
        if not limit[axis]:
            return
        text = Text(numerals.cell(limit[axis], f"view.attention_{name}[{axis}]", places), SMALL, palette.theme().muted)
        wide, tall, away = text.peg.width, CAP * SMALL, 0.08
        along = end[axis] - (0.06 + (wide, tall)[axis] if high else -0.06)
        for across in (-away - (tall, wide)[axis], away):
            yield (text, along, end[1] + across) if axis == 0 else (text, end[0] + across, along)

    def _vectors(self) -> np.ndarray:
        """Points along every vector that any step draws in this space, m x 2 on the stage."""
        trace, last = self.trace, self.trace.last
        sums = np.cumsum(trace.weighted[last], axis=0)
        tips = np.concatenate([trace.queries[last:], trace.keys, trace.values, sums])
        starts = np.concatenate([np.zeros((len(tips) - len(sums), 2)), sums - trace.weighted[last]])
        return self.at((starts[:, None] + np.linspace(0, 1, 33)[:, None] * (tips - starts)[:, None]).reshape(-1, 2))


def _clear(text: Text, x: float, y: float, points: np.ndarray) -> float:
    """How far a text keeps from points; half a label's height is enough."""
    low, high = np.array([x, y]), np.array([x + text.peg.width, y + CAP * SMALL])
    return min(float(np.linalg.norm(np.maximum(np.maximum(low - points, points - high), 0), axis=1).min()), 0.25)
