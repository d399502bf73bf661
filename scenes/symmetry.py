"""Why queries and keys have a matrix each: with one for both, the scores are their own mirror image."""

from __future__ import annotations

import numpy as np
from manim import VGroup

from attn.core import numerals
from attn.core.model import WeightsError
from attn.core.numerals import Cell
from attn.picture import palette, richtext, rows
from attn.picture.richtext import Run, rich
from attn.texts import symmetry as told
from scenes._kit.bars import Bar, Become, Lay
from scenes._kit.matrix import Matrix
from scenes._kit.moves import FadeIn, FadeOut, turn
from scenes._kit.sentence_rows import FLOOR, Grid, Reflect, RowScene, Take, Turn
from scenes._kit.spaces import HEAD, LEAST, TITLE, Box, flat, line, shortened
from scenes._kit.text import Number, Text

SUBJECT = "sentence"
texts = told.film
TABLE = Box(FLOOR.left, FLOOR.bottom, 6.5, FLOOR.height)
SIDE = Box(0.95, FLOOR.bottom, FLOOR.left + FLOOR.width - 0.95, FLOOR.height)  # the matrices, and the pair
PAIR = 1.0  # from one line of the pair to the next
THICK = 0.3  # of a bar


class Symmetry(RowScene):
    """The table of scores, while W_k is tied to W_q, and when it is free again."""

    def construct(self):
        self.before()
        self.show_scores()
        self.tie()
        self.change("tied", told.CHANGE)
        self.mirror()
        self.compare()
        self.untie()
        self.rest()

    def before(self):
        """The table and the matrices have their places; the pair is the one whose scores differ most."""
        self.open_stage()
        trace = self.trace
        self.pair = rows.telling_pair(trace)
        self.a, self.b = (trace.tokens[k] for k in self.pair)
        words = rows.words(trace)
        both = np.concatenate([trace.scores, trace.tied])
        self.grid = Grid(TABLE, words, trace.scores, "scores", (float(both.min()), float(both.max())))
        if self.grid.em > min(0.75 * self.grid.step[1], self.grid.room + 1e-6):
            raise WeightsError("story.sentence", "too many words or too long numbers for this film; expected fewer")
        self.rings = VGroup(*(self.grid.ring(*cell) for cell in (self.pair, self.pair[::-1])))
        self.lay_out()

    def lay_out(self):
        """W_q and W_k side by side, as large as there is room; below, the formula."""
        trace, cells = self.trace, {name: rows.matrix_cells(self.trace, name) for name in ("W_Q", "W_K")}
        count = trace.model.d_model
        pitch = min(0.5, (FLOOR.height - 2 * PAIR - 1.55) / count)
        for size in np.arange(min(HEAD, pitch / 1.1), LEAST - 0.001, -0.01):
            self.W_q, self.W_k = (Matrix(cells[name], size, learned=True, pitch=pitch / size) for name in cells)
            room = SIDE.width - self.W_q.span[1] - self.W_k.span[1]
            if room >= 0.7:
                break
        else:
            raise WeightsError("parameters.W_Q", "is too large for this film; expected fewer or shorter numbers")
        middle = FLOOR.bottom + FLOOR.height - 0.5 - self.W_q.extent[1]
        gap = min(room, 1.0)
        self.W_q.put(SIDE.left + (room - gap) / 2, middle)
        self.W_k.put(self.W_q.span[1] + gap, middle)
        for matrix, name in ((self.W_q, "W_Q"), (self.W_k, "W_K")):
            matrix.titled(rows.symbol(name), richtext.shape(trace, "d_model", "d_k"))
        between = flat(((self.W_q.span[1] + self.W_k.span[0]) / 2, middle - 0.16))
        self.own_sign, self.tied_sign = (
            Text(Run(sign), 0.5).at(between, 0.5) for sign in (rows.likeness(trace.model), "=")
        )
        root = numerals.cell(trace.model.d_k, "d_k", 0)
        formula = Text(rich("*Q K*^{T} / √[d]", d=root), TITLE)
        self.formula = formula.at(flat((SIDE.left, self.W_q.extent[0] - 0.62)))

    def show_scores(self):
        """Two matrices make one table."""
        matrices = map(FadeIn, (self.W_q, self.W_k, self.own_sign))
        self.beat(told.SHOW_MATRICES, *self.headings(), *matrices, run_time=0.8)
        self.beat(told.SHOW_SCORES, FadeIn(self.grid), FadeIn(self.formula), run_time=1.0)

    def tie(self):
        """Copies of the numbers of W_q take the places of those of W_k."""
        self.own = [number for row in self.W_k.numbers for number in row]
        goers = [number.copy() for row in self.W_q.numbers for number in row]
        moves = Take(goers, self.own), turn(self.own_sign, self.tied_sign)
        self.beat(told.TIE, *moves, run_time=1.5)
        self.goers = goers

    def change(self, path: str, caption: str):
        """The scores become those with other keys."""
        before = {"tied": "scores", "scores": "tied"}[path]
        turned = Turn(self.grid, getattr(self.trace, before), getattr(self.trace, path), path)
        self.beat(caption, turned, run_time=1.5)

    def mirror(self):
        """What is above the diagonal moves across it, and meets its like."""
        self.fold, reflect = VGroup(*self.diagonal()), Reflect(self.grid)
        self.beat(told.MIRROR, FadeIn(self.fold), reflect, run_time=2.0)

    def diagonal(self):
        """Short pieces of the diagonal, where cells meet, so that they cross no number."""
        for i in range(1, self.grid.count):
            corner = self.grid.corner + self.grid.step * (i, -i)
            reach = 0.17 * self.grid.step * (1, -1)
            yield line([corner - reach, corner + reach], palette.theme().ink, 5.0)

    def compare(self):
        """The pair: a bar each, from one line, as long as its score."""
        trace, (i, j) = self.trace, self.pair
        self.cells = {
            path: [numerals.cell(values[p], f"{path}[{p[0]}][{p[1]}]") for p in ((i, j), (j, i))]
            for path, values in (("tied", trace.tied), ("scores", trace.scores))
        }
        self.values = {path: [getattr(trace, path)[p] for p in ((i, j), (j, i))] for path in self.cells}
        every = [0.0, *self.values["tied"], *self.values["scores"]]
        self.unit = SIDE.width / ((max(every) - min(every)) or 1.0)
        zero = SIDE.left - min(every) * self.unit
        foot = FLOOR.bottom + 0.17
        ys = [foot + PAIR * (1 - k) for k in range(2)]
        words = [rows.words(trace)[k] for k in self.pair]
        self.bars = [Bar((zero, y), 0.0, THICK, word.colour) for y, word in zip(ys, words, strict=True)]
        axis = VGroup(*(line([(zero, y + 0.2), (zero, y - 0.2)], palette.theme().rule, 4.0) for y in ys))
        self.says = VGroup()
        self.numbers = []
        for pair, y, cell in zip((words, words[::-1]), ys, self.cells["tied"], strict=True):
            number = Number(Cell(cell.text, cell.path), TITLE, style="b")
            number.shift(flat((SIDE.left + SIDE.width - number.digits.get_right()[0], y + 0.3 - number.baseline[1])))
            room = number.digits.get_left()[0] - SIDE.left - 0.3
            self.says.add(self.who(pair, room).at(flat((SIDE.left, y + 0.3))))
            self.numbers.append(number)
        self.add(*self.bars)
        self.beat(
            told.compare(self.a, self.b),
            FadeOut(self.formula), FadeIn(self.rings), FadeIn(self.says), FadeIn(axis), *map(FadeIn, self.numbers),
            *(Lay(bar, v * self.unit) for bar, v in zip(self.bars, self.values["tied"], strict=True)), run_time=1.2,
        )  # fmt: skip

    def who(self, pair, room: float) -> Text:
        """Who looks at whom, at most `room` wide."""
        for size in np.arange(TITLE, LEAST, -0.02):
            text = Text((pair[0], Run(" → "), pair[1]), size)
            if text.peg.width <= room:
                return text
        halves = [shortened((word,), room / 2 - 0.25, LEAST)[0] for word in pair]
        return Text((halves[0], Run(" → "), halves[1]), LEAST)

    def untie(self):
        """W_k has its own numbers again; where they differ enough, the scores and the bars of the pair part."""
        back = [number.digits.animate.set_opacity(1) for number in self.own]
        turned = Turn(self.grid, self.trace.tied, self.trace.scores, "scores")
        ends = zip(self.numbers, self.values["tied"], self.values["scores"], self.cells["scores"], strict=True)
        lengths = zip(self.bars, self.values["scores"], strict=True)
        sign = rows.compared(self.trace.scores, self.pair)
        self.beat(
            told.UNTIE[sign],
            *map(FadeOut, self.goers), *back, turn(self.tied_sign, self.own_sign), FadeOut(self.fold), turned,
            *(Become(*end) for end in ends), *(Lay(bar, v * self.unit) for bar, v in lengths), run_time=2.0,
        )  # fmt: skip

    def rest(self):
        """What comes of it."""
        self.beat(richtext.spoken(self.said.outcome), self.turn_out(), run_time=0.8, rests=2.0, poster=True)
