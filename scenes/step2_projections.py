"""Three matrices take each word from the 3-D space into the 2-D attention space: as query, key and value."""

from __future__ import annotations

import numpy as np
from manim import AnimationGroup, Succession, VGroup

from attn.core import numerals
from attn.core.numerals import Cell
from attn.picture import palette, quantities, richtext
from attn.picture.richtext import Rich, Run, rich
from attn.texts import step2_projections as told
from scenes._kit.matrix import Matrix
from scenes._kit.moves import FadeIn, FadeOut, Land
from scenes._kit.parts import EDGE_X, PLANE, RIGHT, RIGHT_MIDDLE, StepScene
from scenes._kit.products import Product, Sweep
from scenes._kit.spaces import BODY, CAP, HEAD, TITLE, AttentionSpace, Draw, Travel, Vector, fitting, flat
from scenes._kit.table import Resettle
from scenes._kit.text import Number, Text
from scenes.step1_positions import Step1Positions

texts = told.texts
PRODUCT = 1.42  # the middle of the first product
LINE = -0.3  # where its pairs stand
BAND = 1.93  # the middle of a matrix over the 2-D space
SIDE = PLANE.left + PLANE.width + 0.22  # left edge of the numbers beside the 2-D space
MATRICES = {"queries": ("W_Q", "d_k"), "keys": ("W_K", "d_k"), "values": ("W_V", "d_v")}  # and their widths
FEW = 4  # words, up to which all have their numbers beside the 2-D space and their labels in it


class Step2Projections(StepScene):
    """One product in full, the query of the followed word; then all keys and all values at once."""

    after = Step1Positions

    def construct(self):
        self.before()
        self.bring_query_matrix()
        self.multiply()
        self.draw_query()
        self.project("keys")
        self.project("values")
        self.look_back()

    def before(self):
        """The positioned words, as arrows and as rows."""
        self.open_stage("positioned")
        self.take("e", "e_names", "x", "x_names")
        trace = self.trace
        self.word, self.last = trace.tokens[-1], trace.last
        self.plane = AttentionSpace(PLANE, trace)
        rows = range(trace.n)
        self.vectors = {what: [self.plane.arrow(what, j) for j in rows] for what in ("keys", "values")}
        self.q, self.k, self.v = self.plane.arrow("queries", self.last), self.vectors["keys"], self.vectors["values"]
        named = rows if trace.n <= FEW else [self.last]
        for key, foot in zip(trace.keys, self.plane.feet(self.last) or [], strict=False):
            self.plane.keep_off(*self.plane.at([key, foot, (0.0, 0.0)]))  # step 3 draws these lines
        self.q_name = self.plane.label("queries", self.last)
        self.names = {what: [self.plane.label(what, j) for j in named] for what in ("keys", "values")}
        self.k_names, self.v_names = self.names["keys"], self.names["values"]
        self.plane.place()

    def bring_query_matrix(self):
        """What this step does; W_Q comes in, and x of the followed word goes where it is multiplied."""
        self.lay_out()
        block, rest = self.past.both.blocks[0], VGroup(self.column.brackets, self.column.title)
        x_row = block.numbers[self.last]
        block.remove(*x_row)
        self.beat(
            told.bring_matrix(self.trace),
            *self.headings(), FadeOut(self.past.both), FadeIn(self.W), FadeIn(rest),
            Resettle(x_row, self.column.column()), run_time=1.5,
        )  # fmt: skip
        self.remove(*x_row, rest)
        self.add(self.column)

    def lay_out(self):
        """Matrix, column and result of the first product, as large as there is room."""
        trace, rows = self.trace, ("positioned", "queries")
        columns = [numerals.cells(getattr(trace, what)[self.last], f"{what}[{self.last}]") for what in rows]
        colour = palette.word_colour(trace, self.word)
        self.product = Product([self.cells("queries"), *columns], colour, (RIGHT_MIDDLE, PRODUCT), RIGHT.width)
        self.W, self.column, self.result = self.product.matrix, self.product.column, self.product.result
        self.equals = self.product.equals
        self.W.titled(*self.heading("queries"))
        for matrix, what in ((self.column, "positioned"), (self.result, "queries")):
            room = min(1.2, 2 * (EDGE_X - sum(matrix.span) / 2))
            matrix.titled(richtext.symbol(trace, what, self.word), room=room)

    def cells(self, what: str) -> list[list[Cell]]:
        """The numbers of the matrix that makes the queries, keys or values."""
        name, _ = MATRICES[what]
        return numerals.cells(getattr(self.trace.model, name), f"parameters.{name}")

    def heading(self, what: str) -> tuple[Rich, Rich]:
        """Its name and its shape."""
        name, width = MATRICES[what]
        return rich(f"*W*_{{{name[-1]}}}"), richtext.shape(self.trace, width, "d_model")

    def multiply(self):
        """Row by row: the first pair by pair, the others quickly."""
        factors = self.trace.model.W_Q, self.trace.positioned[self.last]
        self.frame = self.W.frame(0)
        numbers = self.result.column()
        dots = [self.product.dot(i, *factors, (RIGHT_MIDDLE, LINE)) for i in range(len(numbers))]
        rest = VGroup(self.result.brackets, self.result.title, self.equals)
        come = FadeIn(self.frame), FadeIn(rest)
        self.beat(told.MEET, *come, dots[0].pairs(), run_time=1.5)
        steps = Succession(dots[0].products(), dots[0].sum())
        self.beat(told.ADD_UP, steps, run_time=2.0)
        for i, dot in enumerate(dots[1:], start=1):
            go_on = AnimationGroup(dots[i - 1].clear(), self.frame.animate.set_y(PRODUCT + self.W.row_y(i)))
            steps = Succession(go_on, dot.pairs(), dot.products(), dot.sum())
            self.beat(told.SECOND_ROW if i == 1 else told.NEXT_ROW, steps, run_time=2.0)
        self.line = dots[-1]
        self.remove(rest, *numbers)
        self.add(self.result, self.equals)

    def draw_query(self):
        """The column goes into the 2-D space, where it is an arrow."""
        gone = [self.line.clear(), *map(FadeOut, (self.frame, self.column, self.equals, self.W))]
        self.beat(
            told.DRAW_QUERY,
            *gone, FadeIn(self.plane.ground), Land(self.result, self.q), Draw(self.q), run_time=2.0,
        )  # fmt: skip
        self.remove(self.result)
        self.shown = []
        self.labels = [self.q_name]

    def project(self, what: str):
        """One matrix for all words at once: the frame goes down its rows, numbers and arrows grow with it."""
        trace, symbol = self.trace, quantities.QUANTITIES[what].symbol
        matrix = Matrix(self.cells(what), BODY, learned=True).put(RIGHT.left, BAND).titled(*self.heading(what))
        formula = Text(rich(f"*{symbol}* = [W] *x*", W=self.heading(what)[0]), TITLE)
        formula.at(flat((min(matrix.span[1] + 0.4, EDGE_X - formula.peg.width), BAND - 0.14)))
        rows = range(trace.n)[-FEW:]
        names, numbers = self.side(what, rows)
        door = np.array([sum(matrix.span) / 2, matrix.middle])
        travel = [Travel(x.copy(), door, door + 0.01, introducer=True) for x in self.x]
        self.beat(
            told.PROJECT[what],
            *map(FadeOut, self.shown), *map(FadeIn, [*self.labels, matrix, formula, names]), *travel, run_time=1.5,
        )  # fmt: skip
        self.remove(*(one.mobject for one in travel))
        values = getattr(trace, what)
        results = [[(numbers[j][i], values[j][i]) for j in rows] for i in range(values.shape[1])]
        frame = matrix.frame(0)

        def grow(shares: np.ndarray) -> None:
            for vector, value in zip(self.vectors[what], values, strict=True):
                vector.span(*map(self.plane.at, ((0, 0), shares * value)))

        self.beat(None, Sweep(matrix, frame, results, grow, self.vectors[what]), run_time=2.0)
        self.shown = [matrix, formula, frame, names, *(n for row in numbers.values() for n in row)]
        self.labels = self.names[what]

    def side(self, what: str, rows) -> tuple[VGroup, dict[int, list[Number]]]:
        """The words and, below each, room for its two numbers, beside the 2-D space."""
        trace, pitch, width = self.trace, 0.86, EDGE_X - SIDE
        top = PLANE.bottom + PLANE.height / 2 + pitch * len(rows) / 2
        cells = numerals.cells(getattr(trace, what), what)
        names, numbers = VGroup(), {}
        for i, j in enumerate(rows):
            colour, y = palette.word_colour(trace, trace.tokens[j]), top - pitch * i
            name = fitting([richtext.word(trace, trace.tokens[j])], width, HEAD, tall=0.5)
            names.add(name.at(flat((SIDE, y - CAP * (name.em if name.rise else HEAD)))))
            below = y - (CAP * name.em + 2 * name.rise * name.em + 0.36 if name.rise else CAP * HEAD + 0.42)
            numbers[j] = [
                Number(cell, BODY, colour).at(flat((SIDE + width * (0.28 + 0.5 * c), below)))
                for c, cell in enumerate(cells[j])
            ]
        return names, numbers

    def look_back(self):
        """What the marks in the 2-D space mean."""
        ink, key = palette.theme().ink, VGroup()
        for i, what in enumerate(("queries", "keys", "values")):
            quantity, y = quantities.QUANTITIES[what], RIGHT.bottom + RIGHT.height - 0.25 - 0.44 * i
            key.add(Vector((RIGHT.left, y), (RIGHT.left + 0.75, y), ink, 6.0, quantity.dash, quantity.head))
            key.add(Text(Run(quantity.name), HEAD).at(flat((RIGHT.left + 0.95, y - CAP * HEAD / 2))))
        self.key = key
        self.beat(
            told.LOOK_BACK,
            *map(FadeOut, self.shown), *map(FadeIn, self.labels), FadeIn(key), run_time=0.8, rests=1.5, poster=True,
        )  # fmt: skip
