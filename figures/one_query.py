"""The way of one word through the whole mechanism on one page: from its vector to the next word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, richtext
from attn.picture.richtext import Rich, Run, rich
from attn.texts.one_query import STAGES, texts
from figures._kit import layout, paint
from figures._kit.layout import EDGE, Matrix, centred
from figures._kit.paint import BODY, HEAD, SMALL, THIN, Page
from figures._kit.shares import TALL, share_bar

NAMES = 31.0  # mm, the column of the stages' names
OWN = 40.0  # mm, the followed word's own column on the right
ROOM = paint.PAGE - 2 * EDGE - NAMES - OWN  # mm, for the words' columns
NARROWEST = 11.0  # mm, a word's column
LINE = 3.6  # mm, from line to line of the words where neighbours have no room in one
GAP = 6.0  # mm from stage to stage, room for an arrow
FINE, FIRM = 0.8, 1.6  # pt, of arrows; of those of the followed word


def draw(trace) -> Figure:
    """A column for each word, a stage a row; what the followed word alone has stands in a column of its own."""
    said = texts(trace)
    lines = len(paint.wrapped(paint.told(said), paint.PAGE - 2 * EDGE, layout.TOLD))
    foot = 5.0 + layout.LEADING * lines
    head = layout.header_height(trace, said)
    way = Way(trace, Page(paint.PAGE, foot + Way.height(trace) + head))
    top = layout.header(way.page, said, trace)
    way.draw(top)
    way.page.line([(EDGE, foot - 1.5), (paint.PAGE - EDGE, foot - 1.5)], palette.theme().faint)
    paint.paragraph(way.page, EDGE, foot - 6.0, paint.told(said), paint.PAGE - 2 * EDGE, layout.TOLD)
    return way.page.figure


@dataclass(eq=False)
class Way:
    """The stages below each other, each drawn from where the one before it ended."""

    trace: object
    page: Page

    @staticmethod
    def height(trace) -> float:
        """Millimetres that all stages take."""
        vector, short = (Matrix([[numerals.Cell("0", "")]] * n).height for n in (3, 2))
        return 6.0 + LINE + vector + GAP + short + 2 * GAP + TALL + GAP + 2 * short + 2 * GAP + vector + 6.0

    @cached_property
    def word(self) -> str:
        return self.trace.tokens[-1]

    @cached_property
    def shown(self) -> list[int]:
        """The words that have a column: of a long sentence those that weigh most, the followed one among them."""
        weights, last = self.trace.attention[self.trace.last], self.trace.last
        most = int(ROOM / NARROWEST)
        order = sorted(range(self.trace.n), key=lambda j: (j != last, -weights[j], j))
        return sorted(order if self.trace.n <= most else order[: most - 1])

    @cached_property
    def pitch(self) -> float:
        """A column's width, in mm; words that are left out have one together, the first."""
        return ROOM / (len(self.shown) + self.some_left_out)

    @property
    def some_left_out(self) -> bool:
        return len(self.shown) < self.trace.n

    @property
    def own(self) -> float:
        """The middle of the followed word's own column."""
        return paint.PAGE - EDGE - OWN / 2 + 4.0

    def middle(self, j: int) -> float:
        """The middle of a word's column."""
        return EDGE + NAMES + self.pitch * (self.shown.index(j) + self.some_left_out + 0.5)

    def colour(self, j: int) -> str:
        return palette.word_colour(self.trace, self.trace.tokens[j])

    def draw(self, top: float) -> None:
        x = self._row("positioned", top - 6.0 - LINE)
        self._words(top - 3.4 - LINE)
        keys = self._row("keys", x.low - GAP)
        for j in self.shown:
            self._arrow((self.middle(j), x.low - 0.8), (self.middle(j), keys.high + 0.8), self.colour(j))
        scores = keys.low - GAP
        self._scores(keys, scores, x)
        bar = scores - GAP - 1.5
        self._shares(scores, bar)
        values = self._row("values", bar - TALL - 3.0)
        weighted = self._row("weighted", values.low - 2.6)
        self._mix(weighted)
        self._back(weighted)

    def _words(self, y: float) -> None:
        """Each column's word on top of it."""
        runs = [richtext.word(self.trace, self.trace.tokens[j]) for j in self.shown]
        wide = max(paint.text_width(run, SMALL) for run in runs) > self.pitch - 1.0
        room = (2 if wide else 1) * self.pitch - 1.0
        for i, (j, run) in enumerate(zip(self.shown, runs, strict=True)):
            lifted = LINE if wide and i % 2 == 0 else 0.0
            self.page.text(self.middle(j), y + lifted, run, paint.fitted(run, room, HEAD), ha="center")

    def _row(self, name: str, top: float) -> Row:
        """A vector for each word, its name on the left; `weighted` is that of the followed word's row."""
        last, rows = self.trace.last, getattr(self.trace, name)
        rows, path = (rows[last], f"{name}[{last}]") if name == "weighted" else (rows, name)
        cells = numerals.cells(rows, path, min(2, numerals.decimals(rows)))
        vectors = self._vectors(cells, HEAD)
        widest = max(vector.width for vector in vectors.values())
        if widest > self.pitch - 1.0:
            vectors = self._vectors(cells, max(SMALL, HEAD * (self.pitch - 1.0) / widest))
        row = Row(top, top - vectors[self.trace.last].height, vectors[self.trace.last].width)
        for j, vector in vectors.items():
            vector.draw(self.page, self.middle(j) - vector.width / 2, row.middle)
        if self.some_left_out:
            centred(self.page, EDGE + NAMES + self.pitch / 2, row.middle, (Run("…"),), HEAD)
        self._stage(name, row.middle)
        return row

    def _vectors(self, cells, size: float) -> dict[int, Matrix]:
        return {j: Matrix([[c] for c in cells[j]], colour=self.colour(j), size=size) for j in self.shown}

    def _stage(self, name: str, y: float) -> None:
        """What a row is called and how it is computed; a learned matrix in a firm frame."""
        title, formula = STAGES[name]
        self.page.text(EDGE, y + 1.2, (Run(title, style="b"),), BODY)
        runs = rich(formula, root=rich("√[d]", d=numerals.cell(self.trace.model.d_k, "d_k", 0)))
        for i in (i for i, run in enumerate(runs) if run.text == "W"):
            left = EDGE + paint.text_width(runs[:i], BODY)
            right = left + paint.text_width(runs[i : i + 2], BODY)
            self.page.polygon(paint.box(left - 0.9, y - 4.8, right + 0.9, y - 0.4), *self._frame(), 1.0)
        self.page.text(EDGE, y - 3.4, runs, BODY)

    def _arrow(self, start, end, colour: str, width: float = FINE) -> None:
        paint.arrow(self.page.ax, start, end, colour, width)

    def _scores(self, keys: Row, y: float, x: Row) -> None:
        """The followed word's query meets every key: a rail from q, under each key its score."""
        trace, last, own, mine = self.trace, self.trace.last, self.own, self.colour(self.trace.last)
        query = layout.column(trace.queries[last], f"queries[{last}]", colour=mine)
        edge = self.middle(last) + x.width / 2 + 1.5
        high = y + query.height / 2
        self.page.line([(edge, x.middle), (own, x.middle)], mine, FIRM)
        self._arrow((own, x.middle), (own, high + 0.8), mine, FIRM)
        self._learned(own, (x.middle + high) / 2 + 2.0, "Q")
        query.draw(self.page, own - query.width / 2, y)
        self._symbol("queries", own + query.width / 2 + 1.5, y)
        every = numerals.cells(trace.scores[last], f"scores[{last}]", 2)
        cells = {j: every[j] for j in self.shown}
        half = max(paint.text_width(cell, HEAD) for cell in cells.values()) / 2 + 1.2
        stops = [(self.middle(j) - half, self.middle(j) + half) for j in self.shown]
        ends = [own - query.width / 2 - 1.2, *(edge for stop in reversed(stops) for edge in reversed(stop))]
        for a, b in zip(ends[::2], ends[1::2], strict=False):
            self._arrow((a, y), (b, y), mine, FIRM if a == ends[0] else FINE)
        for j, cell in cells.items():
            self._arrow((self.middle(j), keys.low - 0.8), (self.middle(j), y + 2.2), self.colour(j))
            centred(self.page, self.middle(j), y, richtext.as_rich(cell), HEAD)
        self._stage("scores", y)

    def _symbol(self, row: str, x: float, y: float) -> None:
        """The letter of a vector in the own column, with the word where it has room."""
        name = richtext.symbol(self.trace, row, self.word)
        name = paint.first_that_fits([name, name[:1]], paint.PAGE - EDGE - x, HEAD)
        self.page.text(x, y, name, HEAD, va="middle")

    def _learned(self, x: float, y: float, letter: str) -> None:
        """A learned matrix on an arrow: its name in a firm frame."""
        name = rich(f"*W*_{{{letter}}}")
        half = paint.text_width(name, HEAD) / 2 + 1.3
        self.page.polygon(paint.box(x - half, y - 2.4, x + half, y + 2.4), *self._frame(), 1.2)
        centred(self.page, x, y + 0.2, name, HEAD)

    @staticmethod
    def _frame() -> tuple[str, str]:
        return palette.theme().paper, palette.theme().ink

    def _shares(self, scores: float, top: float) -> None:
        """The weights as shares of one bar, which is as wide as all columns."""
        columns = {j: self.middle(j) for j in self.shown}
        middles = share_bar(self.page, EDGE + NAMES + 3.0, top, ROOM - 6.0, self.trace, columns)
        for j, column in columns.items():
            self._arrow((column, scores - 2.2), (middles[j], top + 0.6), self.colour(j))
        self._stage("attention", top - TALL / 2)

    def _mix(self, weighted: Row) -> None:
        """Each weight scales its value; their sum, in the followed word's own column, is a."""
        trace, last, y = self.trace, self.trace.last, weighted.middle
        for j in self.shown if self.some_left_out else self.shown[1:]:
            centred(self.page, self.middle(j) - self.pitch / 2, y, (Run("+"),), HEAD)
        mixed = layout.column(trace.mixed[last], f"mixed[{last}]", colour=self.colour(last))
        between = self.middle(last) + self.pitch / 2
        centred(self.page, (between + self.own - mixed.width / 2) / 2, y, (Run("="),), HEAD)
        mixed.draw(self.page, self.own - mixed.width / 2, y)
        self._symbol("mixed", self.own + mixed.width / 2 + 1.5, y)

    def _back(self, weighted: Row) -> None:
        """a becomes the displacement c; with x it is h, and from h the decoder predicts."""
        trace, last, mine = self.trace, self.trace.last, self.colour(self.trace.last)
        pink = palette.theme().context
        vectors = {
            "positioned": layout.column(trace.positioned[last], f"positioned[{last}]", colour=mine),
            "correction": layout.column(trace.correction[last], f"correction[{last}]", colour=pink),
            "contextual": layout.column(trace.contextual[last], f"contextual[{last}]", colour=mine),
        }
        y = weighted.low - 2 * GAP - vectors["positioned"].height / 2
        x, middles = EDGE + NAMES + 3.0, {}
        for name, sign in zip(vectors, "+= ", strict=True):
            symbol = richtext.symbol(trace, name, self.word)
            symbol = paint.first_that_fits([symbol, symbol[:1]], 10.0, HEAD)
            self.page.text(x, y, symbol, HEAD, va="middle")
            x += paint.text_width(symbol, HEAD) + 1.5
            middles[name] = x + vectors[name].width / 2
            x = vectors[name].draw(self.page, x, y) + 3.5
            if sign.strip():
                centred(self.page, x, y, (Run(sign),), paint.TITLE)
                x += 4.0
        turn = weighted.low - GAP
        self.page.line([(self.own, weighted.low - 0.8), (self.own, turn), (middles["correction"], turn)], pink, FIRM)
        high = y + vectors["correction"].height / 2
        self._arrow((middles["correction"], turn), (middles["correction"], high + 0.8), pink, FIRM)
        self._learned((self.own + middles["correction"]) / 2, turn, "O")
        self._stage("contextual", y)
        self._next(x - 2.0, y)

    def _next(self, x: float, y: float) -> None:
        """The decoder reads h: the next word in a filled frame, and its probability."""
        trace, last = self.trace, self.trace.last
        found = trace.decoder["contextual"]
        cell = numerals.probability_cells(trace, "contextual")[found.word]
        right, room = paint.PAGE - EDGE, 28.0
        name = paint.text_width(STAGES["decoder"][0], BODY)
        at = right - room
        self.page.line([(x, y), (at - 3.0 - name - 6.0, y)], self.colour(last), FIRM)
        self.page.polygon(paint.box(at - 8.0 - name, y - 2.6, at - 4.0, y + 2.6), *self._frame(), 1.2)
        centred(self.page, at - 6.0 - name / 2, y, (Run(STAGES["decoder"][0]),), BODY)
        self._arrow((at - 4.0, y), (at + 1.0, y), self.colour(last), FIRM)
        self._chip(at + 2.0, y, room - 2.0, found, cell)

    def _chip(self, x: float, y: float, room: float, found, cell) -> None:
        words: Rich = tuple(
            Run(word, style="b", colour=palette.word_colour(self.trace, word), answer=True) for word in found.words
        )
        if len(words) > 1 or paint.blank():
            size = paint.fitted(richtext.spaced(words, " = "), room, HEAD)
            self.page.text(x, y, richtext.spaced(words, " = "), size, va="middle")
        else:
            colour = words[0].colour
            size = paint.fitted(words, room - 4.0, paint.TITLE)
            wide = paint.text_width(words, size) + 4.0
            self.page.polygon(paint.box(x, y - 3.2, x + wide, y + 3.2), colour, colour, THIN)
            centred(self.page, x + wide / 2, y, (Run(words[0].text, style="b", colour=palette.on(colour)),), size)
        self.page.text(x, y + 4.6, rich("probability [p]", p=cell), BODY)


@dataclass(frozen=True)
class Row:
    """Where a row of vectors stands, and how wide the followed word's is, in mm."""

    high: float
    low: float
    width: float

    @property
    def middle(self) -> float:
        return (self.high + self.low) / 2
