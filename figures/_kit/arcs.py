"""The sentence of a step, and over it arcs from the followed word to every word it sees, as thick as the weight."""

from __future__ import annotations

import numpy as np

from attn.core import numerals
from attn.core.numerals import Cell
from attn.picture import palette, richtext
from figures._kit import paint
from figures._kit.paint import BODY, HEAD, SMALL, THIN, TITLE, Page

HIGH, LEAST = 8.0, 3.4  # mm, the highest arc, and one from a word to itself or to its neighbour
ITSELF = 1.5  # mm, half the width of the arc from a word to itself
THICK = 3.6  # pt, the arc of a weight of 1
LINE = 3.2  # mm that the per cent take above the words
WORD = 5.2  # mm that the words take, the mark below the followed one among it
GAP, WIDE = 4.0, 7.5  # mm between two words, and from one to the next at least
UPWARD = 3.05  # mm from one to the next at least, where they are written upwards
ROOMY = 22.0  # mm, beyond which short sentences are not drawn apart
SIZES = (TITLE - 1, HEAD, BODY, SMALL)  # pt of the words, the largest that has room


class SentenceRow:
    """The words of the sentence in a row of at most `width` mm, written upwards where there is no room for them."""

    def __init__(self, trace, width: float):
        self.trace, self.width = trace, width
        self.words = [richtext.word(trace, token) for token in trace.tokens]
        self.size, pitch = self._fitting()
        self.upward = not pitch
        if self.upward:
            paint.check_rows(trace.n, width, UPWARD)
            self.size, pitch = SMALL, [min(width / trace.n, WIDE)] * trace.n
        spare = max(0.0, min(width - sum(pitch), ROOMY * trace.n - sum(pitch))) / (trace.n + 1)
        ends = np.cumsum([step + spare for step in pitch])
        self.middles = ends - np.array(pitch) / 2 + (width - ends[-1] - spare) / 2

    def _fitting(self) -> tuple[float, list[float]]:
        """The size at which the words have room beside each other, and how wide each is; none where they have not."""
        for size in SIZES:
            pitch = [max(paint.text_width(word, size) + GAP, WIDE) for word in self.words]
            if sum(pitch) <= self.width:
                return size, pitch
        return SMALL, []

    @property
    def _tall(self) -> tuple[float, float]:
        """Millimetres that the words take, and the per cent above them."""
        if not self.upward:
            return WORD, LINE
        return max(paint.text_width(word, SMALL) for word in self.words) + 1.6, paint.text_width("100%", SMALL) + 1.2

    @property
    def height(self) -> float:
        """In mm, with the arcs."""
        return sum(self._tall) + HIGH + 1.2

    def draw(self, page: Page, left: float, bottom: float, attends: bool) -> None:
        """The sentence with its lower left corner there; with arcs over it where the followed word `attends`."""
        last, (words, shares) = self.trace.last, self._tall
        places = left + self.middles
        for x, word in zip(places, self.words, strict=True):
            if self.upward:
                paint.upward(page.ax, x, bottom + 1.2, word, SMALL)
            else:
                page.text(x, bottom + 2.0, word, self.size, ha="center")
        half = (WIDE if self.upward else paint.text_width(self.words[last], self.size)) / 2
        half = min(half, np.diff(places).min() / 2 - 0.4) if self.upward and len(places) > 1 else half
        under = bottom + (0.5 if self.upward else 0.4)
        page.line([(places[last] - half, under), (places[last] + half, under)], self.words[last].colour, 1.0)
        if attends:
            self._shares(page, places, bottom + words)
            self._arcs(page, places, bottom + words + shares)

    def _shares(self, page: Page, places: np.ndarray, bottom: float) -> None:
        """The weights in per cent, each over its word."""
        last = self.trace.last
        for cell, x in zip(
            numerals.weight_cells(self.trace.attention[last], f"attention[{last}]"), places, strict=True
        ):
            share = Cell(numerals.percent(cell.text), cell.path)
            if self.upward:
                paint.upward(page.ax, x, bottom + 0.4, richtext.as_rich(share)[0], SMALL)
            else:
                page.text(x, bottom + 0.4, share, SMALL, ha="center")

    def _arcs(self, page: Page, places: np.ndarray, bottom: float) -> None:
        """From the followed word to each, higher the farther it is; the thin ones on top."""
        weights, last = self.trace.attention[self.trace.last], self.trace.last
        spans = np.abs(places - places[last])
        for j in sorted(range(self.trace.n), key=lambda j: (-weights[j], j)):
            colour = palette.heard(self.words[j].colour, weights[j] / weights.max())
            width = 1.0 if paint.blank() else max(THIN, THICK * weights[j])
            high = LEAST + (HIGH - LEAST) * (spans[j] / (spans.max() or 1.0))
            page.line(_arc((places[last], bottom), (places[j], bottom), high), colour, width)


def _arc(start, end, high: float, count: int = 41) -> np.ndarray:
    """Points of half an ellipse that rises from `start` and comes down at `end`; a loop where they are the same."""
    turn = np.linspace(0, np.pi, count)
    middle, half = (start[0] + end[0]) / 2, (end[0] - start[0]) / 2
    if half == 0:
        across = ITSELF * np.sin(2 * turn)
        return np.stack([middle + across, start[1] + high * np.sin(turn) ** 2], axis=1)
    return np.stack([middle - half * np.cos(turn), start[1] + high * np.sin(turn)], axis=1)
