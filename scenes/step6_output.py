"""The output matrix lifts what was gathered out of the 2-D space: it becomes a displacement at the tip of x."""

from __future__ import annotations

import numpy as np

from attn.core import numerals
from attn.picture import palette, richtext
from attn.picture.richtext import Run, rich
from attn.texts import step6_output as told
from scenes._kit.matrix import Matrix
from scenes._kit.moves import Direct, FadeIn, FadeOut, Fly, during, steadily
from scenes._kit.parts import EDGE_X, PLANE, RIGHT, RIGHT_MIDDLE, StepScene, vector_column
from scenes._kit.products import Dot, Sweep
from scenes._kit.spaces import BODY, HEAD, SMALL, STRONG, Vector
from scenes.step5_mixing import Step5Mixing

texts = told.texts
SIDE = PLANE.left + PLANE.width + 0.25  # left edge of what stands beside the 2-D space
SIDE_MIDDLE = (SIDE + EDGE_X) / 2
NAME = 0.5  # for a letter above a column
SIZES = (HEAD, BODY, SMALL, 0.28, 0.25)


class Step6Output(StepScene):
    """W_O times a in numbers, then as one arrow that leaves its space for the other."""

    after = Step5Mixing

    def construct(self):
        self.before()
        self.bring_matrix()
        self.first_row()
        self.other_rows()
        self.lift()
        self.leave_displacement()

    def before(self):
        """The stage as the mixing leaves it; the displacement and its name are given their places."""
        self.open_stage("positioned")
        past, space = self.past, self.space
        self.e, self.x, self.plane, self.a = past.e[-1], past.x[-1], past.plane, past.a
        self.labels = {"embedding": past.e_names[-1], "positioned": past.x_names[-1]}
        self.others = [*past.x[:-1], *past.x_names[:-1]]
        space.forget(*self.others)
        self.c = space.context()
        across = np.array([[0, -1], [1, 0]]) @ (self.c.end - self.c.start)
        pink, middle = palette.theme().context, (self.c.start + self.c.end) / 2
        self.labels["context"] = space.name(middle, (Run("+ context", style="b"),), pink, across, clear=0.09)
        space.place()

    def bring_matrix(self):
        """What this step does; W_O comes in, a shows its two numbers, and the other words make way."""
        trace, last = self.trace, self.trace.last
        self.matrix = self.fitted(
            lambda size: Matrix(numerals.cells(trace.model.W_O, "parameters.W_O"), size, learned=True)
        )
        left, right = self.matrix.span
        self.matrix.put(SIDE_MIDDLE - (right - left) / 2, 1.5).titled(
            rich("*W*_{O}"), richtext.shape(trace, "d_model", "d_v")
        )
        colour = palette.word_colour(trace, trace.tokens[-1])
        cells = [[cell] for cell in numerals.cells(trace.mixed[last], f"mixed[{last}]")]
        self.vector = Matrix(cells, SMALL, colour)
        self.vector.put(*self.corner()).titled(richtext.symbol(trace, "mixed"))
        self.beat(
            told.LEAD_BACK,
            *self.headings(), *map(FadeOut, self.others), FadeIn(self.matrix), FadeIn(self.vector), run_time=0.8,
        )  # fmt: skip

    def fitted(self, make):
        """The largest matrix that is no wider than the room beside the 2-D space."""
        for size in SIZES:
            matrix = make(size)
            if matrix.span[1] - matrix.span[0] <= EDGE_X - SIDE - 0.2:
                break
        return matrix

    def corner(self) -> tuple[float, float]:
        """Left edge and middle of the numbers of a: the corner of the 2-D space that lies farthest from its arrow.

        A corner where something else is written is the last choice.
        """
        (left, right), (low, high) = self.vector.span, self.vector.extent
        xs = PLANE.left + 0.12, PLANE.left + PLANE.width - 0.12 - (right - left)
        ys = PLANE.bottom + 0.12 + (high - low) / 2, PLANE.bottom + PLANE.height - NAME - (high - low) / 2
        tall, wide = (high - low) / 2, right - left

        def free(x, y) -> bool:
            taken = self.plane.taken
            return not any(a < x + wide and x < c and b < y + tall + NAME and y - tall < d for a, b, c, d in taken)

        return max(
            ((x, y) for x in xs for y in ys),
            key=lambda at: (free(*at), round(float(np.hypot(*(np.array(at) - self.a.end))), 6)),
        )

    def first_row(self):
        """The first row times a, with its products in sight; their sum is the first number of c."""
        trace, last, pink = self.trace, self.trace.last, palette.theme().context
        self.c_column = vector_column(trace, "correction", (SIDE_MIDDLE, -1.3), pink)
        numbers, values = self.matrix.numbers, (trace.model.W_O[0], trace.mixed[last])
        centre = (PLANE.left + PLANE.width / 2, RIGHT.bottom + RIGHT.height - 0.45)
        for size in SIZES:
            dot = Dot(numbers[0], self.vector.column(), self.c_column.column.numbers[0], *values, centre, size)
            if dot.reach <= PLANE.width:
                break
        self.frame = self.matrix.frame(0)
        self.beat(told.MEET, FadeIn(self.frame), dot.pairs(), run_time=1.2)
        self.beat(None, dot.products(), run_time=1.2)
        self.add(self.c_column[0], self.c_column.column.brackets)
        self.beat(told.ADD_UP, dot.sum(), run_time=1.2)
        self.line = dot

    def other_rows(self):
        """The other rows, quickly."""
        values, numbers = self.trace.correction[self.trace.last], self.c_column.column.numbers
        results = [[], *([pair] for pair in zip(numbers[1:], values[1:], strict=True))]
        self.beat(told.OTHER_ROWS, self.line.clear(), Sweep(self.matrix, self.frame, results), run_time=2.0)
        self.remove(*numbers, self.frame)
        self.add(self.c_column)

    def lift(self):
        """The arrow a leaves the plane and becomes the displacement."""
        word = self.trace.tokens[-1]
        self.ghost = Vector(self.a.start, self.a.end, palette.mix(palette.word_colour(self.trace, word), 0.3), STRONG)
        self.remove(self.a)
        self.add(self.ghost, self.c)
        self.beat(
            told.lift(self.trace),
            Lift(self.c, self.a, rate_func=during(0.0, 0.8)),
            FadeIn(self.labels["context"], rate_func=steadily(0.75, 1.0)),
            run_time=2.5,
            poster=True,
        )

    def leave_displacement(self):
        """What stays for the next step: the displacement, and its numbers."""
        gone = [self.plane.ground, *self.past.values, self.past.a_name, self.ghost, self.matrix, self.vector]
        middle = self.c_column.get_center()[:2] + (RIGHT_MIDDLE - SIDE_MIDDLE, 1.0 - -1.3)
        self.beat(told.LEAVE, *map(FadeOut, gone), Fly(self.c_column, middle), run_time=1.2)


class Lift(Direct):
    """An arrow leaves its place in one space for that of `vector` in another, and takes its colour on the way."""

    def __init__(self, vector: Vector, source: Vector, **options):
        self.before, self.after = (np.array([v.start, v.end]) for v in (source, vector))
        self.colours = [v.tip.get_fill_color().to_hex().lower() for v in (source, vector)]
        self.thick = source.thick, vector.thick
        super().__init__(vector, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        rise = np.array([0.0, 1.1 * np.sin(np.pi * share)])
        colour = palette.mix(self.colours[1], share, self.colours[0])
        self.mobject.shaft.set_stroke(colour)
        self.mobject.tip.set_fill(colour)
        self.mobject.span(*(self.before + share * (self.after - self.before) + rise))
