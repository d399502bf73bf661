"""The followed word's query meets the key of each word: products, which are divided to be scores."""

from __future__ import annotations

from functools import partial

import numpy as np
from manim import VGroup

from attn.core import numerals, record
from attn.core.numerals import Cell
from attn.picture import palette, quantities, richtext
from attn.picture.richtext import Run, rich
from attn.texts import step3_scores as told
from scenes._kit.bars import Rows, ScoreRows, count, extent, stretch
from scenes._kit.matrix import Matrix
from scenes._kit.moves import EARLY, LATE, FadeIn, FadeOut, Land, during
from scenes._kit.parts import EDGE_X, PLANE, RIGHT, StepScene
from scenes._kit.products import Count, Sum
from scenes._kit.spaces import BODY, CAP, HEAD, TITLE, Box, disc, flat, line
from scenes._kit.table import Resettle
from scenes._kit.text import Number, Text
from scenes.step2_projections import BAND, SIDE, Step2Projections

texts = told.texts


class Step3Scores(StepScene):
    """One dot product in full, the others at once; then all are divided and their bars shrink."""

    after = Step2Projections

    def construct(self):
        self.before()
        self.say_what()
        self.meet_first_key()
        self.multiply()
        self.meet_all()
        self.draw_bars()
        self.divide()
        self.leave()

    def before(self):
        """Query, keys and values in the 2-D space."""
        self.open_stage("positioned")
        self.take("e", "e_names", "x", "x_names", "plane", "q", "k", "v", "q_name", "k_names", "v_names")
        trace = self.trace
        self.word, self.last = trace.tokens[-1], trace.last
        self.products, self.values = trace.products[self.last], trace.scores[self.last]
        self.cells = numerals.cells(self.products, f"products[{self.last}]", 2)
        self.rows = ScoreRows(trace)
        self.put_beside()

    def put_beside(self):
        """A word and its product a row, beside the 2-D space."""
        self.beside = rows = Rows(Box(SIDE, PLANE.bottom, EDGE_X - SIDE, PLANE.height - 0.45), self.trace.n, most=0.6)
        before, after = extent([cell.text for cell in self.cells], rows.size)
        room = EDGE_X - SIDE - before - after - 0.15
        words = [richtext.word(self.trace, token) for token in self.trace.tokens]
        self.side_names = rows.names(words, room, quantities.QUANTITIES["keys"].symbol)
        self.numbers = rows.numbers(self.cells, EDGE_X - after)

    def say_what(self):
        """What this step does; the values wait."""
        gone = [*self.v, *self.v_names, self.past.key]
        self.beat(
            told.ask(self.trace),
            *self.headings(), *map(FadeOut, gone), run_time=0.8,
        )  # fmt: skip

    def meet_first_key(self):
        """The numbers of the query and of the first word's key come out of their arrows, side by side."""
        trace = self.trace
        self.columns, x = [], RIGHT.left
        for what, row in (("queries", self.last), ("keys", 0)):
            token = trace.tokens[row]
            cells = [[cell] for cell in numerals.cells(getattr(trace, what)[row], f"{what}[{row}]")]
            column = Matrix(cells, BODY, palette.word_colour(trace, token)).put(x, BAND)
            column.titled(richtext.symbol(trace, what, token), room=1.1)
            self.columns.append(column)
            x = column.span[1] + 0.35
        self.dot = Text(Run("·"), TITLE).at(flat((x - column.span[1] + column.span[0] - 0.525, BAND - 0.14)), 0.5)
        come = [Land(c, v, out=True) for c, v in zip(self.columns, (self.q, self.k[0]), strict=True)]
        self.beat(told.meet(trace), *come, FadeIn(self.dot), run_time=1.5)

    def multiply(self):
        """The products of the numbers that stand side by side, and their sum, which goes to the word."""
        trace, k = self.trace, self.columns[1]
        values = trace.queries[self.last] * trace.keys[0]
        write = partial(numerals.number, places=numerals.decimals(values, 4))  # so that what is added can be checked
        factors = zip(*(column.column() for column in self.columns), strict=True)
        paths = [record.joined(a.cell.path, "*", b.cell.path) for a, b in factors]
        self.parts = [Number(Cell(write(value), path), BODY) for value, path in zip(values, paths, strict=True)]
        left = max(p.baseline[0] - p.digits.get_left()[0] for p in self.parts)
        x = k.span[1] + 0.8 + left
        for i, part in enumerate(self.parts):
            part.at(flat((x, BAND + k.row_y(i) - CAP * BODY / 2)))
        self.signs = VGroup(Text(Run("="), TITLE).at(flat((k.span[1] + 0.3, BAND - 0.14)), 0.5))
        for i in range(1, len(self.parts)):
            plus = Text(Run("+"), BODY, palette.theme().muted)
            self.signs.add(plus.at(flat((k.span[1] + 0.65, BAND + k.row_y(i) - CAP * BODY / 2)), 0.5))
        each = Count(self.parts, values, write)
        self.beat(told.MULTIPLY, FadeIn(self.signs), each, run_time=1.2)
        self.head = Text(rich("*q* · *k*"), HEAD).at(flat((EDGE_X, self.beside.top + 0.12)), 1.0)
        come = [FadeIn(self.head), FadeIn(self.side_names[0])]
        total = Sum(self.parts, self.numbers[0], values, self.cells[0].text)
        self.beat(told.ADD_UP, *come, total, run_time=1.5)

    def meet_all(self):
        """The other words' products count up; in the space a line drops from each key to the line of the query."""
        trace = self.trace
        self.drops = VGroup()
        feet = self.plane.feet(self.last)
        if feet is not None:
            along = self.plane.at(np.stack([*feet, trace.queries[self.last], (0.0, 0.0)]))
            direction = along[trace.n] - along[-1]
            order = np.argsort((along - along[-1]) @ direction)
            colour = palette.mix(palette.word_colour(trace, self.word), 0.6)
            self.drops.add(line(along[order[[0, -1]]], colour, 2.0))
            for token, key, foot in zip(trace.tokens, self.k, along, strict=False):
                colour = palette.word_colour(trace, token)
                self.drops.add(line([key.end, foot], colour, 3.0), disc(foot, 0.06, colour))
        band = [*self.columns, self.dot, self.signs, *self.parts]
        others = self.numbers[1:]
        moves = [Count(others, self.products[1:], numerals.number), *map(FadeIn, self.side_names[1:])] if others else []
        caption = told.ALL_KEYS if feet is not None else told.ALL_KEYS_OF_NOTHING
        self.beat(caption, *map(FadeOut, band), FadeIn(self.drops), *moves, run_time=2.0)

    def draw_bars(self):
        """The products get a row each, and a bar as long as they are."""
        rows = self.rows
        words, numbers = rows.word_texts(), rows.score_numbers(self.cells)
        gone = [self.plane.ground, self.q, self.q_name, *self.k, *self.k_names, self.drops, self.head]
        both = self.products, self.values
        low, high = (limit(0.0, *(side(v) for v in both)) for limit, side in ((min, np.min), (max, np.max)))
        left = rows.point + rows.after_point + 0.22
        self.unit = (EDGE_X - left) / ((high - low) or 1.0)
        zero = left - low * self.unit
        self.axis, self.bars = rows.axis(zero), rows.bars(zero, [word.rich[0].colour for word in words])
        self.formula = Text(rich("*q* · *k*"), TITLE).at(flat((RIGHT.left, rows.heading)))
        moving = [*self.side_names, *self.numbers]
        go = [FadeOut(part, rate_func=EARLY) for part in gone]
        come = [FadeIn(part, rate_func=LATE) for part in (self.axis, self.formula)]
        self.add(*self.bars)
        settle = Resettle(moving, [*words, *numbers], rate_func=during(0.3, 0.7))
        grow = stretch(self.bars, self.products * self.unit, rate_func=during(0.65, 1.0))
        self.beat(told.DRAW_BARS, *go, settle, *come, *grow, run_time=2.0)
        self.remove(*moving)
        self.words, self.scores = words, numbers
        self.add(*words, *numbers)

    def divide(self):
        """One scale for all: every bar and every number shrinks by the root of the width."""
        trace = self.trace
        root = numerals.cell(trace.model.d_k, "d_k", 0)
        self.ghosts = [bar.ghost() for bar in self.bars]
        self.remove(*self.bars)
        self.add(*self.ghosts, self.axis, *self.bars)
        old = self.formula
        self.formula = Text(rich("*s* = *q* · *k* / √[d]", d=root), TITLE).at(flat((RIGHT.left, self.rows.heading)))
        counts = count(self.scores, self.products, self.values, self.rows.cells["scores"])
        self.beat(
            told.divide(root),
            FadeOut(old), FadeIn(self.formula), *stretch(self.bars, self.values * self.unit), *counts,
            run_time=2.0, rests=1.5, poster=True,
        )  # fmt: skip

    def leave(self):
        """What can be said so far; then the scores stay."""
        gone = [*self.bars, *self.ghosts, self.axis, self.formula]
        self.beat(told.leave(self.trace), *map(FadeOut, gone), run_time=0.8)
