"""The two spaces as panels of a page: the 3-D word embedding space with its plane, the 2-D attention space.

Both draw vectors in data coordinates and leave the labels to the end, when all lines are known.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from matplotlib.patches import Polygon

from attn.core import numerals
from attn.core.forward import STATES
from attn.core.model import WeightsError
from attn.picture import labels, palette, quantities, richtext
from attn.picture.polygons import hull
from attn.picture.ranges import drawn_vectors, grid_lines
from attn.picture.richtext import Rich
from figures._kit import paint
from figures._kit.paint import Page

TICK_ROOM = 3.8  # mm around the attention space's square for the numbers at the ends of its axes
AIR = 0.4  # mm around it without these numbers
CLEAR = 0.6  # mm around the ink of a label that stay free
APART = 1.4  # mm more around the name of a side, so that no label reads as a part of it
THICK = 1.6  # pt, from which on a label keeps off both edges of a line
SIZES = (paint.HEAD, paint.BODY, paint.SMALL)  # pt, of such a name where there is less room


@dataclass(eq=False)
class Plot:
    """A panel with vectors and labels; `finish` places the labels once everything is drawn."""

    page: Page
    box: tuple[float, float, float, float]  # left, bottom, width, height in mm
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    segments: list = field(default_factory=list)  # in mm on the page: what labels keep off
    faint: list = field(default_factory=list)  # in mm: what labels keep off where they can
    taken: list = field(default_factory=list)  # boxes in mm that labels keep off
    wanted: list = field(default_factory=list)

    def __post_init__(self):
        self.ax = self.page.panel(self.box, self.xlim, self.ylim)

    def vector(
        self, start, end, colour, width=1.4, dash=(), head="arrow", label: Rich = (), at=1.0, lean=None, clear=0.0
    ):
        """A vector between two data points (2-D), its label beside the point `at` of the way."""
        shaft, tip = paint.arrow(self.ax, start, end, colour, width, dash, head)
        self.keep_off([start, end], width if width > THICK else 0.0)
        self.avoid(tip)
        if label:
            a, b = paint.to_page(self.ax, [start, end])
            side = (b - a) if lean is None else np.asarray(lean, dtype=float)
            self.name(np.asarray(start) + at * (np.asarray(end) - np.asarray(start)), label, colour, side, clear=clear)
        return shaft, tip

    def keep_off(self, points, width: float = 0.0) -> None:
        """Labels will not cover the line through `points` (data), `width` pt wide."""
        mm = paint.to_page(self.ax, points)
        for a, b in zip(mm[:-1], mm[1:], strict=True):
            side = np.array([a[1] - b[1], b[0] - a[0]]) / (np.hypot(*(b - a)) or 1.0) * width / 2 / paint.MM
            self.segments += [(a + side, b + side), (a - side, b - side)] if width else [(a, b)]

    def avoid(self, mark: Polygon) -> None:
        """Labels will not cover a mark; of a round one, the square around it."""
        corners = mark.get_xy()
        low, high = corners.min(axis=0), corners.max(axis=0)
        self.keep_off(corners if len(corners) < 10 else np.array(paint.box(*low, *high))[[0, 1, 2, 3, 0]])

    def name(self, point, label: Rich, colour, lean=(0, 0), size=paint.HEAD, clear=0.0, spare=False) -> None:
        """A label beside a data point: a quantity's letter with its word, which is left out where there is no room.

        All of one that can be `spare`d is left out there.
        """
        anchor = tuple(map(float, paint.to_page(self.ax, point)))
        self.wanted.append(Name(anchor, label, colour, tuple(lean), size, clear, spare))

    def finish(self) -> None:
        """Places and draws every label that was asked for, with a leader line where it had to move away."""
        left, bottom, width, height = self.box
        bounds = (left, bottom, left + width, bottom + height)
        names = self.wanted
        for last in (False, True):
            wanted = [name.label for name in names]
            places = labels.place(wanted, self.segments, bounds, self.taken, faint=self.faint)
            if last:
                break
            both = zip(names, self._free(places, labels.boxes(wanted, places), bounds), strict=True)
            names = [name if fits else name.shorter for name, fits in both if fits or not name.spare]
        for spot, name in zip(places, names, strict=True):
            if spot.leader:
                self.page.line(spot.leader, name.colour, paint.THIN)
            corner = np.array(spot.centre) - name.middle
            self.page.text(*corner, name.text, name.size, colour=name.colour)

    def _free(self, places, spots, bounds) -> list[bool]:
        """Whether each of the labels at these places lies on nothing, nor its leader line on another's box."""
        leaders = [[place.leader] if place.leader else [] for place in places]
        lines = [*self.segments, *(line for leader in leaders for line in leader)]
        free = []
        for i, spot in enumerate(spots):
            others = [*self.taken, *spots[:i], *spots[i + 1 :]]
            crossed = any(labels.clash(other, leaders[i], other) for other in others)
            free.append(not crossed and not labels.clash(spot, lines, bounds, others))
        return free


@dataclass(frozen=True)
class Name:
    """A label that was asked for: beside what point of the page (mm), what it says, and how."""

    anchor: tuple[float, float]
    text: Rich
    colour: str
    lean: tuple[float, float] = (0.0, 0.0)
    size: float = paint.HEAD
    clear: float = 0.0
    spare: bool = False

    @property
    def shorter(self) -> Name:
        """Without the word below a letter: its colour says it, too."""
        return replace(self, text=tuple(run for run in self.text if run.script >= 0))

    @property
    def label(self) -> labels.Label:
        left, bottom, right, top = paint.ink(self.text, self.size)
        size = right - left + 2 * CLEAR, top - bottom + 2 * CLEAR
        return labels.Label(self.anchor, size, self.lean, self.clear)

    @property
    def middle(self) -> np.ndarray:
        """From where the text begins to the middle of its ink."""
        left, bottom, right, top = paint.ink(self.text, self.size)
        return np.array([left + right, bottom + top]) / 2


class EmbeddingSpace(Plot):
    """The 3-D word embedding space as the trace's camera sees it: shaded sides, plane, axes."""

    def __init__(self, page: Page, box, trace):
        self.trace, self.view = trace, trace.view
        corners = self.view.project(self.view.corners())
        low, high = corners.min(axis=0), corners.max(axis=0)
        size = np.array(box[2:])
        unit = float(((high - low) / (size - 1.0)).max())  # data units a mm; half a mm of air all round
        middle, half = (low + high) / 2, unit * size / 2
        super().__init__(page, box, *zip(middle - half, middle + half, strict=True))
        self._cube()
        self._axes()

    def _cube(self) -> None:
        story, colours = self.trace.model.story, palette.theme()
        self.regions = []
        if self.trace.plane is not None:
            halves = self.view.halves(self.trace.plane)
            self._halves(halves, story)
        self.near = []  # the edges that nothing hides
        view = self.view
        corners = view.corners()
        flat = view.project(corners)
        far = int(np.argmin(view.depth(corners)))
        for edge in view.edges():
            hidden = far in edge
            paint.line(self.ax, flat[edge], palette.mix(colours.rule, 0.35 if hidden else 0.6), paint.THIN)
            (self.faint if hidden else self.near).append(paint.to_page(self.ax, flat[edge]))
        self.faint += self.near

    def _halves(self, halves, story) -> None:
        view, plane, colours = self.view, self.trace.plane, palette.theme()
        sides = [(halves.origin, story.origin), (halves.target, story.target)]
        if float(view.depth(plane.normal)) < 0:  # the from side is nearer to the viewer: drawn last
            sides.reverse()
        for outline, word in sides:
            if len(outline):
                tint = palette.shade(palette.word_colour(self.trace, word))
                paint.polygon(self.ax, outline, tint)
                self.regions.append((outline, word))
        if len(halves.section):
            section = view.project(halves.section)
            paint.polygon(self.ax, section, palette.mix(colours.ink, 0.13), palette.mix(colours.ink, 0.5), 0.6)
            self.section = section
            self.segments += self._section_lines()

    def _axes(self) -> None:
        view, colours = self.view, palette.theme()
        for i, letter in enumerate("xyz"):
            ends = np.zeros((2, 3))
            ends[:, i] = view.low[i], view.high[i]
            flat = view.project(ends)
            paint.line(self.ax, flat, colours.rule, paint.THIN)
            self.keep_off(flat)
            lean = flat[1] - flat[0]
            self.name(flat[1], (richtext.Run(letter),), colours.muted, lean, paint.SMALL)

    def at(self, point) -> np.ndarray:
        """A point of the 3-D space in the panel's data coordinates."""
        return self.view.project(point)

    def arrow(self, start, end, colour, **options):
        """A vector between two points of the 3-D space; options as for `vector`."""
        return self.vector(self.at(start), self.at(end), colour, **options)

    def state(self, checkpoint: str, width=1.6, label=True):
        """The followed word's vector at a checkpoint, from the origin: dotted e, dashed x or solid h."""
        row = STATES[checkpoint]
        word = self.trace.tokens[-1]
        return self.arrow(
            np.zeros(3), self.trace.state(checkpoint), palette.word_colour(self.trace, word), width=width,
            dash=quantities.QUANTITIES[row].dash, label=richtext.symbol(self.trace, row, word) if label else (),
        )  # fmt: skip

    def show_sentence(self) -> None:
        """The positioned embedding of every word of the sentence, dashed, and nothing else."""
        trace, dash = self.trace, quantities.QUANTITIES["positioned"].dash
        for row, (token, x) in enumerate(zip(trace.tokens, trace.positioned, strict=True)):
            self.arrow(
                np.zeros(3), x, palette.word_colour(trace, token), width=1.6 if row == trace.last else 1.2, dash=dash,
                label=richtext.symbol(trace, "positioned", token),
            )  # fmt: skip
        self.finish()

    def context(self, trace=None, width=2.2, label=True):
        """The pink "+ context" displacement, from the tip of x to the tip of h: of another `trace`, if given."""
        start, end = (self.at((trace or self.trace).state(name)) for name in ("positioned", "contextual"))
        normal = np.array([start[1] - end[1], end[0] - start[0]])
        said = (richtext.Run("+ context", style="b"),) if label else ()
        return self.vector(start, end, palette.theme().context, width=width, label=said, at=0.5, lean=normal, clear=0.7)

    def crossing(self) -> None:
        """A ring where the displacement meets the plane."""
        start, end = (self.trace.state(name) for name in ("positioned", "contextual"))
        share = self.trace.plane.crossing(start, end)
        if share is not None:
            point = self.at(start + share * (end - start))
            length = np.hypot(*(self.at(end) - self.at(start))) * paint.scale(self.ax)
            ring = paint.disc(
                self.ax, point, min(1.0, 0.22 * length), palette.theme().paper, palette.theme().context, 1.1
            )
            self.avoid(ring)

    def finish(self) -> None:
        """Names the two sides where there is room, then places the labels."""
        covers = [paint.to_page(self.ax, outline) for outline, _ in self.regions]  # a later one lies on an earlier one
        if hasattr(self, "section"):
            covers.append(paint.to_page(self.ax, hull(self.section)))
        lines = [*self.segments, *paint.to_page(self.ax, self.at(drawn_vectors(self.trace)))]
        for i, (_, word) in enumerate(self.regions):
            label, colour = (richtext.word(self.trace, word),), palette.word_colour(self.trace, word)
            largest = paint.fitted(label, 0.4 * self.box[2], paint.TITLE)
            for size in (largest, *(s for s in SIZES if s < largest)):
                name = Name((0.0, 0.0), label, colour, size=size)
                extent = np.array(name.label.size)
                centre = labels.roomy(covers[i], extent, lines, self.taken, covers[i + 1 :], self.near)
                spot = np.array((*(centre - extent / 2), *(centre + extent / 2)))
                if not labels.clash(spot, lines, (*self.box[:2], *np.add(self.box[:2], self.box[2:])), self.taken):
                    break
            else:
                self.wanted.append(replace(name, anchor=centre))  # beside its side, with a line to it
                continue
            self.page.text(*(centre - name.middle), label, size)
            self.taken.append((*(spot[:2] - APART), *(spot[2:] + APART)))
        super().finish()

    def _section_lines(self):
        if not hasattr(self, "section"):
            return []
        mm = paint.to_page(self.ax, self.section)
        return list(zip(mm, np.roll(mm, -1, axis=0), strict=True))


class AttentionSpace(Plot):
    """The 2-D attention space: a light grid, thin axes through the origin, the same ranges in every picture.

    The square takes as much of `box` as fits, at its foot; labels may use the rest of the box. Raises
    WeightsError where the file's attention space is not 2-D. Without `ticks` no numbers stand at the axes' ends.
    """

    def __init__(self, page: Page, box, trace, ticks: bool = True):
        if trace.view.attention_low is None:
            raise WeightsError("parameters.W_Q", "no 2-D attention space; expected 2 rows in W_Q, W_K and W_V")
        self.trace, self.ticks = trace, ticks
        self.low, self.high = trace.view.attention_low, trace.view.attention_high
        size, room = np.array(box[2:]), TICK_ROOM if ticks else AIR
        unit = float(((self.high - self.low) / (size - 2 * room)).max())  # data units a mm
        middle, half = (self.low + self.high) / 2, unit * size / 2
        middle[1] = self.low[1] - unit * room + half[1]
        super().__init__(page, box, *zip(middle - half, middle + half, strict=True))
        self._grid()
        self._axes()

    def _grid(self) -> None:
        colours = palette.theme()
        for i in (0, 1):
            for value in grid_lines(self.low[i], self.high[i]):
                ends = np.array([self.low, self.high])
                ends[:, i] = value
                paint.line(self.ax, ends, palette.mix(colours.faint, 0.6), paint.THIN)
        (a, b), (c, d) = self.low, self.high
        paint.line(self.ax, [(a, b), (c, b), (c, d), (a, d), (a, b)], colours.faint, paint.THIN)

    def _axes(self) -> None:
        """The axes, and where they end in numbers."""
        colours = palette.theme()
        ends = {"attention_low": (self.low, -1), "attention_high": (self.high, 1)}
        places = numerals.decimals([self.low, self.high], 6)
        for i in (0, 1):
            line = np.zeros((2, 2))
            line[:, i] = self.low[i], self.high[i]
            paint.line(self.ax, line, colours.rule, paint.THIN)
            self.keep_off(line)
            for name, (limit, sign) in ends.items():
                if limit[i] and self.ticks:
                    self._end(i, sign, numerals.cell(limit[i], f"view.{name}[{i}]", places), limit[i])

    def _end(self, axis: int, sign: int, label: numerals.Cell, value: float) -> None:
        """A number just beyond one end of an axis."""
        point = np.zeros(2)
        point[axis] = value
        width, height = paint.text_width(label, paint.SMALL), paint.cap_height(paint.SMALL)
        if axis == 0 and width > TICK_ROOM + 1.0:  # no room beside the square
            return
        centre = paint.to_page(self.ax, point)
        centre[axis] += sign * ((width if axis == 0 else height) / 2 + 0.9)
        self.page.text(*centre, label, paint.SMALL, ha="center", va="middle", colour=palette.theme().muted)
        half = np.array([width, height]) / 2
        self.taken.append((*(centre - half), *(centre + half)))

    def draw(self, what: str, row: int, width=None, label=True):
        """One word's query, key, value or output (`what`, a field of the trace): its line, mark and letter."""
        token, quantity = self.trace.tokens[row], quantities.QUANTITIES[what]
        return self.vector(
            np.zeros(2), getattr(self.trace, what)[row], palette.word_colour(self.trace, token),
            width=width or (1.6 if row == self.trace.last else 1.2), dash=quantity.dash, head=quantity.head,
            label=richtext.symbol(self.trace, what, token) if label else (),
        )  # fmt: skip
