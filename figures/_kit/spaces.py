"""The two spaces as panels of a page: the 3-D word embedding space with its plane, the 2-D attention space."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attn.core import numerals
from attn.core.forward import STATES
from attn.core.model import WeightsError
from attn.picture import depth, labels, palette, quantities, richtext
from attn.picture.polygons import hull
from attn.picture.ranges import drawn_vectors, grid_lines
from attn.picture.view import AXES
from attn.texts.phrases import meeting
from figures._kit import paint
from figures._kit.paint import Page
from figures._kit.plots import Name, Plot

TICK_ROOM = 3.8  # mm around the attention space's square for the numbers at the ends of its axes
AIR = 0.4  # mm around it without these numbers
APART = 1.4  # mm more around the name of a side, so that no label reads as a part of it
DROP, DOT = 0.7, 0.5  # pt, the line of a perpendicular, and mm, the radius of its foot
FOOT = 1.7  # mm, the sides of the right angle where a perpendicular meets the plane
SIZES = (paint.HEAD, paint.BODY, paint.SMALL)  # pt, of such a name where there is less room


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
        self.section = None
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
            self.section = view.project(halves.section)
            paint.polygon(self.ax, self.section, palette.pane(), palette.mix(colours.ink, 0.5), 0.6)
            self.keep_off([*self.section, self.section[0]])

    def _axes(self) -> None:
        view, colours = self.view, palette.theme()
        for i, name in enumerate(AXES):
            ends = np.zeros((2, 3))
            ends[:, i] = view.low[i], view.high[i]
            flat = view.project(ends)
            paint.line(self.ax, flat, colours.rule, paint.THIN)
            self.keep_off(flat)
            lean = flat[1] - flat[0]
            self.name(flat[1], (richtext.Run(name),), colours.muted, lean, paint.SMALL)

    def at(self, point) -> np.ndarray:
        """A point of the 3-D space in the panel's data coordinates."""
        return self.view.project(point)

    def arrow(self, start, end, colour, **options) -> None:
        """A vector between two points of the 3-D space; options as for `vector`. Behind the plane it is paler."""
        covered = self._covered(start, end, colour)
        self.vector(self.at(start), self.at(end), colour, covered=covered, **options)

    def _covered(self, start, end, colour) -> paint.Covered | None:
        if self.section is None:
            return None
        between = depth.covered(self.view, self.trace.plane, self.section, start, end)
        return paint.Covered(*between, palette.behind(colour))

    def state(self, checkpoint: str, width=1.6, label=True) -> None:
        """The followed word's vector at a checkpoint, from the origin: dotted e, dashed x or solid h."""
        row = STATES[checkpoint]
        word = self.trace.tokens[-1]
        self.arrow(
            np.zeros(3), self.trace.state(checkpoint), palette.word_colour(self.trace, word), width=width,
            dash=quantities.QUANTITIES[row].dash, label=richtext.symbol(self.trace, row, word) if label else (),
        )  # fmt: skip

    def show_sentence(self, attends: bool = False) -> None:
        """The positioned embedding of every word, dashed, and nothing else; the less it is heard the paler."""
        trace, dash = self.trace, quantities.QUANTITIES["positioned"].dash
        weights = trace.attention[trace.last]
        for row, (token, x) in enumerate(zip(trace.tokens, trace.positioned, strict=True)):
            colour, own = palette.word_colour(trace, token), row == trace.last
            share = weights[row] / weights.max() if attends and not own and not paint.blank() else 1.0
            self.arrow(np.zeros(3), x, palette.heard(colour, share), width=1.6 if own else 1.2, dash=dash)
            self.name(self.at(x), richtext.symbol(trace, "positioned", token), colour, self.at(x) - self.at(0 * x))
        self.drop("positioned")
        self.finish()

    def drop(self, checkpoint: str) -> None:
        """The perpendicular from the followed word's tip to the plane: the distance that the page prints."""
        found = depth.drop(self.trace, self.view, checkpoint)
        if found is None:
            return
        colour, mm = palette.word_colour(self.trace, self.trace.tokens[-1]), paint.scale(self.ax)
        ends = self.at(found.point), self.at(found.foot)
        covered = self._covered(found.point, found.foot, colour) or paint.Covered(0.0, 0.0, colour)
        for a, b, shade in covered.parts(1.0, colour):
            paint.line(self.ax, [ends[0] + share * (ends[1] - ends[0]) for share in (a, b)], shade, DROP)
        self.keep_off(ends)
        if np.hypot(*(ends[1] - ends[0])) * mm > 2 * FOOT:
            back, along = found.sides * FOOT / mm
            angle = ends[1] + np.array([back, back + along, along])
            paint.line(self.ax, angle, colour, paint.THIN)
            self.keep_off(angle)
        self.avoid(paint.disc(self.ax, ends[1], DOT, colour))

    def context(self, trace=None, width=2.2, label=True) -> None:
        """The pink "+ context" displacement, from the tip of x to the tip of h: of another `trace`, if given."""
        ends = [(trace or self.trace).state(name) for name in ("positioned", "contextual")]
        start, end = self.at(ends)
        normal = np.array([start[1] - end[1], end[0] - start[0]])
        said = (richtext.Run("+ context", style="b"),) if label else ()
        self.arrow(
            *ends, palette.theme().context, width=width, label=said, at=self._longer(*ends), lean=normal, clear=0.7
        )

    def _longer(self, start, end) -> float:
        """The middle of the longer part of a way, as a share: before the plane or behind it."""
        met = self.trace.plane.crossing(start, end) if self.trace.plane is not None else None
        return 0.5 if met is None else (met + (met < 0.5)) / 2

    def crossing(self) -> None:
        """A ring where the displacement meets the plane, which says so."""
        start, end = (self.trace.state(name) for name in ("positioned", "contextual"))
        share = self.trace.plane.crossing(start, end)
        if share is None:
            return
        point, pink = self.at(start + share * (end - start)), palette.theme().context
        step = self.at(end) - self.at(start)
        radius = min(1.0, 0.22 * np.hypot(*step) * paint.scale(self.ax))
        self.avoid(paint.disc(self.ax, point, radius, palette.theme().paper, pink, 1.1))
        side = np.array([step[1], -step[0]])
        self.name(point, meeting(self.trace), pink, side, paint.BODY, clear=radius, spare=True)

    def finish(self) -> None:
        """Names the two sides where there is room, then places the labels."""
        covers = [paint.to_page(self.ax, outline) for outline, _ in self.regions]  # a later one lies on an earlier one
        if self.section is not None:
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

    def draw(self, what: str, row: int, width=None, label=True) -> None:
        """One word's query, key, value or output (`what`, a field of the trace): its line, mark and letter."""
        token, quantity = self.trace.tokens[row], quantities.QUANTITIES[what]
        self.vector(
            np.zeros(2), getattr(self.trace, what)[row], palette.word_colour(self.trace, token),
            width=width or (1.6 if row == self.trace.last else 1.2), dash=quantity.dash, head=quantity.head,
            label=richtext.symbol(self.trace, what, token) if label else (),
        )  # fmt: skip
