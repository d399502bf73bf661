"""A head learns to look things up: its attention, loss and accuracy at every step of training."""

from __future__ import annotations

from manim import VGroup

from attn.core import numerals
from attn.picture import palette, richtext
from attn.picture.richtext import Run
from attn.texts import lookup as told
from scenes._kit.bars import Bar, Lay
from scenes._kit.lookup import Curve, Hop, Train, final_answer
from scenes._kit.moves import FadeIn, FadeOut, during
from scenes._kit.sentence_rows import FLOOR, RowScene
from scenes._kit.spaces import CAP, HEAD, TITLE, Box, flat, line, rectangle
from scenes._kit.text import Number, Text

SUBJECT = "lookup"
texts = told.film
LEFT, PITCH = -4.85, 1.14  # where the bars begin, and from bar to bar
BASE, TALL = -1.0, 2.95  # the bars' foot, and the length of a weight of 1
CARD = 0.56  # height of a tag or a value
RIGHT = Box(1.75, FLOOR.bottom, FLOOR.left + FLOOR.width - 1.75, FLOOR.height)
COUNTER = 2.08  # baseline of the step counter
PANELS = {"loss": (-0.2, 1.3), "accuracy": (-2.6, 1.3)}  # foot and height of each curve's panel


class Lookup(RowScene):
    """Bars over the five tokens of one store, while training runs."""

    def construct(self):
        self.before()
        self.show_store()
        self.ask()
        self.start()
        for k, caption in enumerate(told.TRAIN, start=1):
            self.train(k, caption)
        self.answer()

    def before(self):
        """Bars, their numbers and the curves have their places."""
        self.open_stage(words=False)
        found, e = self.trace, self.trace.example
        self.entries, self.entry = len(e["tags"]), e["entry"]
        self.xs = [LEFT + PITCH * (i + 0.5) for i in range(self.entries + 1)]
        colours = [palette.lookup_colour(i == self.entry) for i in range(self.entries + 1)]
        pairs = zip(self.xs, colours, strict=True)
        self.bars = [Bar((x, BASE), 0.0, 0.64 * PITCH, colour, upright=True) for x, colour in pairs]
        self.weights = [Number("0.00", TITLE if i == self.entry else HEAD) for i in range(self.entries + 1)]
        self.curves = {
            name: Curve(Box(RIGHT.left, foot, RIGHT.width, height), found, name)
            for name, (foot, height) in PANELS.items()
        }

    def tile(self, i: int, row: int, text, size: float = TITLE) -> VGroup:
        """One half of a card: the tag (row 0) or the value (row 1)."""
        x, top, half = self.xs[i], BASE - 0.14 - CARD * row, 0.39 * PITCH
        colours = palette.theme()
        frame = rectangle(x - half, top - CARD, x + half, top, colours.paper, colours.rule, 3.0)
        return VGroup(frame, Text(text, size).at(flat((x, top - CARD / 2 - CAP * size / 2)), 0.5))

    def show_store(self):
        """Four entries, tag over value."""
        e = self.trace.example
        self.tags, self.values = (
            [self.tile(i, row, numerals.cell(e[key][i], f"example.{key}[{i}]", 0)) for i in range(self.entries)]
            for row, key in enumerate(("tags", "values"))
        )
        edge, middle = FLOOR.left, BASE - 0.14 - CARD / 2
        names = VGroup(
            *(
                Text(Run(name), HEAD, palette.theme().muted).at(flat((edge, middle - CARD * row - CAP * HEAD / 2)))
                for row, name in enumerate(("tag", "value"))
            )
        )
        right = LEFT + PITCH * (self.entries + 1)
        axis = line([(LEFT, BASE), (right, BASE)], palette.theme().rule, 3.0)
        name = Text(Run("attention"), HEAD, palette.theme().muted).at(flat((FLOOR.left, BASE + 0.2)))
        weights = self.trace.attention[0]
        grow = [Lay(bar, TALL * w, rate_func=during(0.3, 0.7)) for bar, w in zip(self.bars, weights, strict=True)]
        self.start_training()
        self.add(*self.bars)
        come = [*self.tags, *self.values, axis, name, *self.weights, names]
        self.beat(told.SHOW_STORE, *self.headings(), *map(FadeIn, come), *grow, run_time=1.0)

    def ask(self):
        """The query has a tag alone; the entry with the same tag holds the answer."""
        e, last, colour = self.trace.example, self.entries, palette.lookup_colour(True)
        tag = self.tile(last, 0, numerals.cell(e["query"], "example.query", 0))
        self.blank = self.tile(last, 1, Run("?", style="b"))
        said = Text(Run("query", style="b"), HEAD).at(flat((self.xs[last], BASE - 0.14 - 2 * CARD - 0.36)), 0.5)
        come = map(FadeIn, (tag, self.blank, said))
        self.beat(told.ASK, *come, run_time=0.8)
        tint = palette.mix(colour, 0.2)
        both = self.tags[self.entry][0], tag[0]
        marked = [frame.animate.set_fill(tint, 1).set_stroke(colour, 6.0) for frame in both]
        answer = self.values[self.entry][0].animate.set_stroke(colour, 6.0)
        self.beat(told.ANSWER, *marked, answer, run_time=0.8)

    def start_training(self):
        """The step counter, and all as it is before the first step."""
        found = self.trace
        self.step = Number(numerals.cell(found.steps[0], "steps[0]", 0), 0.8, style="b")
        self.step.at(flat((RIGHT.left + RIGHT.width, COUNTER)))
        self.grow = Train(found, self.bars, self.weights, TALL, self.step, self.curves.values(), 0, 0)
        self.grow.settle()

    def start(self):
        """Loss and accuracy of a head that knows nothing."""
        heading = Text(Run("training step"), TITLE, palette.theme().muted).at(flat((RIGHT.left, COUNTER)))
        self.beat(told.START, *map(FadeIn, (heading, self.step, *self.curves.values())), run_time=1.0)

    def train(self, k: int, caption: str):
        """Training runs on to the k-th of the steps at which pictures stop."""
        found = self.trace
        run = Train(found, self.bars, self.weights, TALL, self.step, self.curves.values(), k - 1, k)
        self.beat(caption, run, run_time=2.0)

    def answer(self):
        """The value that was found goes where it was asked for, if it is what the head answers."""
        found, e = self.trace, self.trace.example
        moves = []
        if final_answer(found) == e["answer"]:
            value = self.values[self.entry][1].copy()
            self.find = Hop(value, self.blank[0].get_center()[:2], 1.7)
            moves = [self.find, FadeOut(self.blank[1])]
        said = richtext.spoken(self.said.outcome)
        self.beat(said, *moves, self.turn_out(), run_time=1.8, rests=2.0, poster=True)
