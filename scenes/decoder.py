"""The decoder scores every word at h; softmax turns the scores into probabilities."""

from __future__ import annotations

from dataclasses import replace

from manim import VGroup

from attn import look, story
from attn.decoder import rows_shown
from attn.look import Cell, Run, rich
from scenes._bars import GAP, Bar, Become, Fly, Lay, Rows, extent, turn
from scenes._captions import either
from scenes._moves import FadeIn, FadeOut
from scenes._parts import EDGE_X, RIGHT, StepScene
from scenes._space import BODY, HEAD, SMALL, TITLE, Box, fitting, flat, line, rectangle
from scenes._text import Text
from scenes.step7_context import Step7Context

texts = story.decoder
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
        past = self.past
        self.e, self.x, self.c, self.h, self.labels = past.e, past.x, past.c, past.h, past.labels
        trace, found = self.trace, self.trace.decoder["contextual"]
        words, story, path = trace.model.vocabulary, trace.model.story, "decoder.contextual"
        self.shown = rows_shown(words, found.scores, (story.origin, story.target, *found.words), MOST)
        self.biases, self.scores = trace.model.b_out[self.shown], found.scores[self.shown]
        self.shares, rounded = found.probabilities[self.shown], look.weight_texts(found.probabilities)
        places = look.decimals([self.biases, self.scores])
        self.bias_cells = [look.cell(trace.model.b_out[i], f"parameters.b_out[{i}]", places) for i in self.shown]
        self.score_cells, self.share_cells = [], []
        for i in self.shown:
            self.score_cells.append(look.cell(found.scores[i], look.member(f"{path}.scores", words[i]), places))
            self.share_cells.append(Cell(rounded[i], look.member(f"{path}.probabilities", words[i])))
        self.lay_out()

    def lay_out(self):
        """Where the two columns' numbers and zeros stand, and how long their bars are."""
        words = self.trace.model.vocabulary
        runs = [look.word(self.trace, words[i]) for i in self.shown]
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
        formula = fitting([formula], room, BODY, look.theme().muted)
        return VGroup(name.at(flat((left, HEADS[0]))), formula.at(flat((left, HEADS[1]))))

    def start_from_biases(self):
        """What this step does; the words that may come next, each with its bias."""
        past = self.past
        mark = [past.mark] if past.mark else []
        stays = [self.space.ground, self.rule, self.sentence, self.strip, past.title, past.does]
        stays += [self.e, self.x, self.c, self.h, *mark, *self.labels.values()]
        self.add(*stays)  # each by itself, out of whatever group it came in
        gone = [part for part in self.mobjects if not any(part is other for other in stays)]
        self.past.h_column[0].remove(self.past.h_column[0].runs[0])
        self.letter = self.past.h_column[0].runs[0]
        self.add(self.letter)  # on its own, it stays when the rest of the column goes
        ys = self.rows.ys
        self.bars = [Bar((self.zeros[0], y), 0.0, self.rows.thick, c) for y, c in zip(ys, self.colours, strict=True)]
        self.numbers = [self.rows.number(c, self.points[0], y) for c, y in zip(self.bias_cells, ys, strict=True)]
        self.axes = [line([(x, self.rows.top), (x, self.rows.foot)], look.theme().rule, 2.0) for x in self.zeros]
        self.head = self.heading(0, ("bias",), rich("*b*_{out}"))
        self.add(*self.bars)
        self.beat(
            "Which word comes next? Each word of the vocabulary starts from its own bias.",
            *self.headings(), *map(FadeOut, gone), FadeIn(VGroup(*self.names, self.head, self.axes[0], *self.numbers)),
            *self.stretch(self.biases * self.unit), run_time=1.5,
        )  # fmt: skip

    def stretch(self, lengths):
        return [Lay(bar, length) for bar, length in zip(self.bars, lengths, strict=True)]

    def score(self):
        """h goes into the score of every word."""
        old, self.head = self.head, self.heading(
            0, ("score",), rich("*W*_{out} [h] + *b*_{out}", h=look.symbol(self.trace, "contextual"))
        )
        formula = self.head[1]
        place = formula.runs[[run.text for run in formula.rich].index("h")]
        counts = zip(self.numbers, self.biases, self.scores, self.score_cells, strict=True)
        self.beat(
            "What its own row of the decoder makes of h is added. The sum is its score.",
            turn(old, self.head),
            Fly(self.letter, place.get_center()[:2], BODY / TITLE, remover=True),
            *self.stretch(self.scores * self.unit),
            *(Become(*each) for each in counts),
            run_time=2.0,
        )

    def share(self):
        """The scores go through softmax: copies of the bars become the probabilities."""
        rises = [bar.copy() for bar in self.bars]
        self.share_head = self.heading(1, ("probability", "prob."), rich("softmax"))
        self.share_numbers = [
            self.rows.number(Cell(c.text, None), self.points[1], y)
            for c, y in zip(self.share_cells, self.rows.ys, strict=True)
        ]
        self.share_bars = rises
        self.add(*rises, *self.share_numbers)
        moves = [
            Lay(bar, p * self.whole, (self.zeros[1], y))
            for bar, p, y in zip(rises, self.shares, self.rows.ys, strict=True)
        ]
        counts = zip(self.share_numbers, [0.0] * len(moves), self.shares, self.share_cells, strict=True)
        self.beat(
            "Scores are not probabilities yet. Softmax makes them positive, with the sum 1.",
            FadeIn(self.share_head),
            FadeIn(self.axes[1]),
            *moves,
            *(Become(*each, comes=0.6) for each in counts),
            run_time=2.0,
        )

    def frame_leader(self):
        """The word with the highest score is what the strip has said since the crossing; a tie has several."""
        words, found = self.trace.model.vocabulary, self.trace.decoder["contextual"]
        framed, names = [], []
        for name, i, y in zip(self.names, self.shown, self.rows.ys, strict=True):
            if words[i] in found.words:
                framed.append(self.chip(name, y))
                names.append(name)
        last, said = self.trace.tokens[-1], either(found.words)
        caption = f"The highest score wins: after “{last}”, in this sentence, comes {said}."
        moves = *map(FadeIn, framed), *map(FadeOut, names), *self.rest()
        self.beat(caption, *moves, run_time=0.8, rests=1.5, poster=True)

    def chip(self, name: Text, y: float) -> VGroup:
        """The word in a filled frame."""
        left, right, half = name.get_left()[0] - 0.1, name.get_right()[0] + 0.1, 0.48 * self.rows.pitch
        run = name.rich[0]
        half = min(half, 0.21)
        size = name.peg.width / Text(run, 1.0).peg.width
        text = Text(replace(run, colour=look.on(run.colour)), size).at(name.baseline)
        return VGroup(rectangle(left, y - half, right, y + half, run.colour), text)

    def rest(self) -> list[FadeIn]:
        """A line about the words that are left out, if any are."""
        words, found = self.trace.model.vocabulary, self.trace.decoder["contextual"]
        hidden = [i for i in range(len(words)) if i not in self.shown]
        if not hidden:
            return []
        best = max(hidden, key=lambda i: found.scores[i])
        score = look.cell(found.scores[best], look.member("decoder.contextual.scores", words[best]))
        count = Run(str(len(hidden)))
        said = "[n] more words score [s] or less", "[n] more: [s] or less"
        text = fitting([rich(wording, n=count, s=score) for wording in said], RIGHT.width, SMALL, look.theme().muted)
        return [FadeIn(text.at(flat((RIGHT.left, TABLE.bottom + 0.08))))]
