"""Where Q, K and V come from: the same X goes three ways, a row at a time."""

from __future__ import annotations

import numpy as np
from manim import Succession, UpdateFromAlphaFunc, VGroup

from attn.core import numerals
from attn.core.model import WeightsError
from attn.picture import richtext, rows
from attn.picture.richtext import Run
from attn.picture.rows import MADE
from attn.texts import qkv as told
from scenes._kit.matrix import Matrix
from scenes._kit.moves import FadeIn, FadeOut
from scenes._kit.sentence_rows import FLOOR, Across, Banded, Ladder, RowScene, Through, named_rows
from scenes._kit.spaces import CAP, HEAD, LEAST, TITLE, flat
from scenes._kit.table import Resettle
from scenes._kit.text import Text

SUBJECT = "sentence"
texts = told.film
LARGE = 0.56  # of the formulas
TITLES = 0.52  # room over a matrix
WORDS = 1.5  # how wide the words of the rows may be


class Qkv(RowScene):
    """X below the working, each W above what it makes: a row of Q stands at the height of its row of X."""

    def construct(self):
        self.before()
        self.write_sentence()
        self.bring_matrices()
        self.multiply()
        self.finish_row()
        self.go_through("W_Q", range(1, self.trace.n))
        self.go_through("W_K", range(self.trace.n))
        self.go_through("W_V", range(self.trace.n))
        self.look_back()

    def before(self):
        """Everything has its place, as large as there is room."""
        self.open_stage()
        trace = self.trace
        self.words = rows.words(trace)
        self.colours = [word.colour for word in self.words]
        lines = trace.n + trace.model.d_model
        pitch = min((FLOOR.height - 2 * TITLES - 0.3) / lines, 0.5)
        for size in np.arange(TITLE, LEAST - 0.001, -0.01):
            room = self.lay_out(size, pitch)
            if room >= 0 and size * 1.05 <= pitch:
                return
        raise WeightsError("story.sentence", "too many words or too wide matrices for this film; expected fewer")

    def lay_out(self, size: float, pitch: float) -> float:
        """Puts all matrices in place with text of this size; gives the width that is left over."""
        trace, wide = self.trace, pitch / size
        self.X = Banded(numerals.cells(trace.positioned, "positioned"), size, self.colours, wide)
        self.W = {name: Matrix(rows.matrix_cells(trace, name), size, learned=True, pitch=wide) for name in MADE}
        cells = {name: numerals.cells(getattr(trace, field), field) for name, field in MADE.items()}
        self.made = {name: Banded(cells[name], size, self.colours, wide) for name in MADE}
        names = min(WORDS, max(Text(word, size).peg.width for word in self.words))
        self.write_titles()
        both = [(self.W[name], self.made[name]) for name in MADE]
        widths = [max(max(matrix.span[1], matrix.title.width) for matrix in pair) for pair in both]
        room = FLOOR.width - names - 0.15 - self.X.span[1] - sum(widths)
        gap = room / len(MADE)
        low = FLOOR.bottom + self.X.extent[1]
        high = FLOOR.bottom + FLOOR.height - TITLES - self.W["W_Q"].extent[1]
        x = FLOOR.left + names + 0.15
        self.X.put(x, low)
        self.names = named_rows(self.words, self.X, x - 0.15, names)
        x += self.X.span[1] - self.X.span[0] + gap
        for name, width in zip(MADE, widths, strict=True):
            for matrix, y in ((self.W[name], high), (self.made[name], low)):
                matrix.put(x + (width - matrix.span[1] + matrix.span[0]) / 2, y)
            x += width + gap
        self.high = high
        return room - 3 * 0.25

    def write_titles(self):
        """Names and shapes; the results also say what they are."""
        trace, width = self.trace, rows.WIDTHS
        self.X.titled((Run("X", style="i"),), richtext.shape(trace, "n", "d_model"))
        for name, kind in MADE.items():
            self.W[name].titled(rows.symbol(name), richtext.shape(trace, "d_model", width[name]))
            title = (Run(name[-1], style="i"), Run(f"  {kind}  ", style="b"))
            self.made[name].titled(title, richtext.shape(trace, "n", width[name]))

    def write_sentence(self):
        """The words of the sentence come to the heads of their rows."""
        runs = [run for run in self.sentence.runs if len(run.points)]
        names = [name.runs[0] for name in self.names]
        fly = FadeIn(VGroup(*self.names))
        if len(runs) == len(names):
            homes = [name.copy() for name in names]
            for name, run in zip(names, runs, strict=True):
                name.points = run.points.copy()
            fly = Resettle(names, homes)
        self.bands = self.X.ground()
        self.beat(
            told.SHOW_SENTENCE,
            *self.headings(), fly, FadeIn(self.bands), FadeIn(self.X), run_time=1.5,
        )  # fmt: skip
        self.remove(*names)
        self.add(*self.names)

    def bring_matrices(self):
        """The three learned matrices, with room for what they make."""
        grounds = VGroup(*(made.ground() for made in self.made.values())).set_fill(opacity=0)
        self.bring_to_back(grounds)
        blank = [VGroup(made.brackets, made.title) for made in self.made.values()]
        self.beat(
            told.SHOW_MATRICES,
            FadeIn(VGroup(*self.W.values())), FadeIn(VGroup(*blank)), run_time=1.0,
        )  # fmt: skip

    def multiply(self):
        """The first row meets the first column, pair by pair; the products add up to the first number of Q."""
        trace, X, W = self.trace, self.X, self.W["W_Q"]
        total = self.made["W_Q"].numbers[0][0]
        pitch = min(X.pitch, 0.44)
        centre = (FLOOR.left + X.span[1]) / 2, self.high
        size = min(HEAD, pitch / 1.1)
        row, column = trace.positioned[0], rows.matrix(trace.model, "W_Q")[:, 0]
        dot = Ladder(X.numbers[0], W.column(0), total, row, column, centre, size, drop=pitch)
        self.ring, self.column_frame = X.ring(0), W.column_frame(0)
        self.beat(
            told.meet(trace),
            FadeIn(self.ring), FadeIn(self.column_frame), dot.pairs(), run_time=1.8,
        )  # fmt: skip
        steps = Succession(dot.products(), dot.sum())
        self.beat(told.ADD_UP, steps, run_time=2.0)
        self.dot = dot

    def finish_row(self):
        """The other columns give the other numbers; the two rows are framed alike."""
        made, W = self.made["W_Q"], self.W["W_Q"]
        values = self.trace.queries[0]
        gone = self.dot.clear()
        self.made_ring = made.ring(0)
        band = UpdateFromAlphaFunc(made.bands[0], lambda band, share: band.set_fill(opacity=share))
        moves = [FadeIn(self.made_ring), band]
        if len(values) > 1:
            self.add(*made.numbers[0][1:])
            moves.append(Across(self.column_frame, W, made.numbers[0], values))
        self.beat(told.FINISH_ROW if len(values) > 1 else told.FINISH_ONLY, gone, *moves, run_time=2.0)
        self.remove(self.column_frame)

    def go_through(self, name: str, which):
        """The rows go through one matrix and come out as rows of what it makes."""
        if not len(which):
            return
        made = self.made[name]
        self.remove(self.made_ring)
        self.made_ring = made.ring(which[0])
        values = getattr(self.trace, MADE[name])
        formula = (Run(name[-1], style="i"), Run(" = "), Run("X ", style="i"), *rows.symbol(name))
        at = list(MADE).index(name)
        said = Text(formula, LARGE).at(flat((FLOOR.left + 0.5, self.high + 0.75 * (1 - at) - CAP * LARGE / 2)))
        through = Through(self.X, self.W[name], made, values, which, (self.ring, self.made_ring))
        self.beat(told.GO_THROUGH[name], FadeIn(said), through, run_time=2.0)

    def look_back(self):
        """What is learned and what is computed."""
        self.beat(
            told.LOOK_BACK,
            FadeOut(self.ring), FadeOut(self.made_ring), self.turn_out(), run_time=0.8, rests=2.0, poster=True,
        )  # fmt: skip
