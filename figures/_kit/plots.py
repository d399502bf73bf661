"""A panel of a page with vectors and labels; the labels are placed at the end, when all lines are known."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from matplotlib.patches import Polygon

from attn.picture import labels
from attn.picture.richtext import Rich
from figures._kit import paint
from figures._kit.paint import Page

CLEAR = 0.6  # mm around the ink of a label that stay free
THICK = 1.6  # pt, from which on a label keeps off both edges of a line


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
        self, start, end, colour, width=1.4, dash=(), head="arrow", label: Rich = (), at=1.0, lean=None, clear=0.0,
        covered=None,
    ) -> None:  # fmt: skip
        """A vector between two data points (2-D), its label beside the point `at` of the way; see paint.arrow."""
        tip = paint.arrow(self.ax, start, end, colour, width, dash, head, covered)
        self.keep_off([start, end], width if width > THICK else 0.0)
        self.avoid(tip)
        if label:
            a, b = paint.to_page(self.ax, [start, end])
            side = (b - a) if lean is None else np.asarray(lean, dtype=float)
            self.name(np.asarray(start) + at * (np.asarray(end) - np.asarray(start)), label, colour, side, clear=clear)

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
        names: list[Name] = self.wanted
        before: list[Name] | None = None
        while names != before:
            before, wanted = names, [name.label for name in names]
            places = labels.place(wanted, self.segments, bounds, self.taken, faint=self.faint)
            free = self._free(places, labels.boxes(wanted, places), bounds)
            both = zip(names, [name.shorter for name in names], free, strict=True)
            names = [name if fits else shorter for name, shorter, fits in both if fits or shorter]
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
    def shorter(self) -> Name | None:
        """Without the word below a letter, whose colour says it, too; or smaller; None where it is left out."""
        whole = tuple(run for run in self.text if run.script >= 0)
        if whole == self.text and self.size == paint.SMALL and self.spare:
            return None
        return replace(self, text=whole, size=self.size if whole != self.text else paint.SMALL)

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
