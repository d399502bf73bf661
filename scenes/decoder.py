"""The decoder scores every word at h; softmax turns the scores into probabilities."""

from __future__ import annotations

from manim import DL, UR, VGroup

from attn.core import numerals
from attn.core.decoder import rows_shown
from attn.core.numerals import Cell
from attn.picture import palette, richtext
from attn.picture.richtext import Run, rich
from attn.texts import decoder as told
from attn.texts.phrases import unlisted
from scenes._kit.bars import GAP, Lay, Rows, count, extent, stretch
from scenes._kit.moves import FadeIn, FadeOut, Fly, during, turn
from scenes._kit.parts import EDGE_X, RIGHT, StepScene
from scenes._kit.spaces import BODY, HEAD, SMALL, TITLE, Box, fitting, flat, rectangle
from scenes._kit.text import Text
from scenes.step7_context import Step7Context

texts = told.texts
CHECKPOINT = "contextual"
MOST = 10  # words that are shown of a large vocabulary
HEADS = (2.4, 1.98)  # baselines of the columns' two lines of headings
TABLE = Box(RIGHT.left + 0.1, -2.05, RIGHT.width - 0.1, 3.8)
REST = 0.42  # room for a line about the words that are left out


class Decoder(StepScene):
    """Bias, score, probability: every word of the vocabulary in a row."""

    after = Step7Context

    def construct(self):
        self.before()
        self.start_from_biases()
        self.score()
        self.share()
        self.frame_leader()

    def before(self):
        """The stage as the crossing leaves it; the numbers of the rows, and where they will stand."""
        self.open_stage("contextual")
        self.take("e", "x", "c", "h", "labels")
        trace, found = self.trace, self.trace.decoder[CHECKPOINT]
        words, story = trace.model.vocabulary, trace.model.story
        self.shown = rows_shown(words, found.scores, (story.origin, story.target, *found.words), MOST)
        self.biases, self.scores = trace.model.b_out[self.shown], found.scores[self.shown]
        self.shares = found.probabilities[self.shown]
        places = numerals.decimals([self.biases, self.scores])
        self.bias_cells = [numerals.cell(trace.model.b_out[i], f"parameters.b_out[{i}]", places) for i in self.shown]
        cells = numerals.score_cells(trace, CHECKPOINT, places), numerals.probability_cells(trace, CHECKPOINT)
        self.score_cells, self.share_cells = ([column[words[i]] for i in self.shown] for column in cells)
        self.lay_out()

    def lay_out(self):
        """Where the two columns' numbers and zeros stand, and how long their bars are."""
        words = self.trace.model.vocabulary
        runs = [richtext.word(self.trace, words[i]) for i in self.shown]
        self.colours = [run.colour for run in runs]
        self.rows = Rows(TABLE, len(runs), most=0.62, below=REST if len(runs) < len(words) else 0.0)
        self.names = self.rows.names(runs, 1.9)
        columns = [*self.score_cells, *self.bias_cells], self.share_cells
        reaches = [extent([cell.text for cell in cells], self.rows.size) for cells in columns]
        left = self.rows.names_end + 0.3
        room = EDGE_X - left - sum(map(sum, reaches)) - 2 * GAP - 0.35
        (before, after), (before2, after2) = reaches
        low, high = min(0.0, self.scores.min(), self.biases.min()), max(0.0, self.scores.max(), self.biases.max())
        self.unit, self.whole = 0.45 * room / ((high - low) or 1.0), 0.55 * room
        second = left + before + after + GAP + 0.45 * room + 0.35
        self.lefts, self.points = (left, second), (left + before, second + before2)
        self.zeros = left + before + after + GAP - low * self.unit, second + before2 + after2 + GAP

    def heading(self, column: int, names: tuple[str, ...], formula) -> VGroup:
        """Two lines over a column: what it holds, and how that comes about."""
        left, room = self.lefts[column], (self.lefts[1] - self.lefts[0] - 0.2, EDGE_X - self.lefts[1])[column]
        name = fitting([Run(wording, style="b") for wording in names], room, HEAD)
        formula = fitting([formula], room, BODY, palette.theme().muted)
        return VGroup(name.at(flat((left, HEADS[0]))), formula.at(flat((left, HEADS[1]))))

    def start_from_biases(self):
        """What this step does; the words that may come next, each with its bias."""
        past = self.past
        mark = [past.mark] if past.mark else []
        stays = [self.space.ground, self.rule, self.sentence, self.strip, past.title, past.does]
        stays += [self.e, self.x, self.c, self.h, *mark, *self.labels.values()]
        gone = self.all_but(*stays)
        self.past.h_column[0].remove(self.past.h_column[0].runs[0])
        self.letter = self.past.h_column[0].runs[0]
        self.add(self.letter)  # on its own, it stays when the rest of the column goes
        self.bars = self.rows.bars(self.zeros[0], self.colours)
        self.numbers = self.rows.numbers(self.bias_cells, self.points[0])
        self.axes = [self.rows.axis(zero) for zero in self.zeros]
        self.head = self.heading(0, ("bias",), rich("*b*_{out}"))
        self.add(*self.bars)
        self.beat(
            told.ASK,
            *self.headings(), *map(FadeOut, gone), FadeIn(VGroup(*self.names, self.head, self.axes[0], *self.numbers)),
            *stretch(self.bars, self.biases * self.unit, rate_func=during(0.6, 1.0)), run_time=1.5,
        )  # fmt: skip

    def score(self):
        """h goes into the score of every word."""
        formula = rich("*W*_{out} [h] + *b*_{out}", h=richtext.symbol(self.trace, "contextual"))
        old, self.head = self.head, self.heading(0, ("score",), formula)
        place = self.head[1].runs[[run.text for run in formula].index("h")]
        self.beat(
            told.ADD,
            turn(old, self.head),
            Fly(self.letter, place.get_center()[:2], BODY / TITLE, remover=True),
            *stretch(self.bars, self.scores * self.unit),
            *count(self.numbers, self.biases, self.scores, self.score_cells),
            run_time=2.0,
        )

    def share(self):
        """The scores go through softmax: copies of the bars become the probabilities."""
        self.share_bars = [bar.copy() for bar in self.bars]
        self.share_head = self.heading(1, ("probability", "prob."), rich("softmax"))
        self.share_numbers = self.rows.numbers([Cell(c.text, None) for c in self.share_cells], self.points[1])
        self.add(*self.share_bars, *self.share_numbers)
        places = zip(self.share_bars, self.shares * self.whole, self.rows.ys, strict=True)
        moves = [Lay(bar, length, (self.zeros[1], y), rate_func=during(0.0, 0.6)) for bar, length, y in places]
        self.beat(
            told.SHARE,
            FadeIn(self.share_head),
            FadeIn(self.axes[1]),
            *moves,
            *count(self.share_numbers, 0 * self.shares, self.shares, self.share_cells, comes=0.6),
            run_time=2.0,
        )

    def frame_leader(self):
        """The word with the highest score is what the strip has said since the crossing; a tie has several."""
        words, found = self.trace.model.vocabulary, self.trace.decoder[CHECKPOINT]
        framed, names = [], []
        for name, i, y in zip(self.names, self.shown, self.rows.ys, strict=True):
            if words[i] in found.words:
                framed.append(self.chip(name, y))
                names.append(name)
        moves = *map(FadeIn, framed), *map(FadeOut, names), *self.rest()
        self.beat(told.win(self.trace, found.words), *moves, run_time=0.8, rests=1.5, poster=True)

    def chip(self, name: Text, y: float) -> VGroup:
        """The word in a filled frame."""
        colour, half, text = name.rich[0].colour, min(0.48 * self.rows.pitch, 0.21), name.copy()
        for part in text.runs:
            part.set_fill(palette.on(colour), 1)
        (left, low, _), (right, high, _) = name.get_corner(DL), name.get_corner(UR)
        low, high = min(y - half, low - 0.05), max(y + half, high + 0.05)  # a long name has several lines
        return VGroup(rectangle(left - 0.1, low, right + 0.1, high, colour), text)

    def rest(self) -> list[FadeIn]:
        """A line about the words that are left out, if any are."""
        if len(self.shown) == len(self.trace.model.vocabulary):
            return []
        said = unlisted(self.trace, CHECKPOINT, self.shown)
        text = fitting(said, RIGHT.width, SMALL, palette.theme().muted)
        return [FadeIn(text.at(flat((RIGHT.left, TABLE.bottom + 0.08))))]
