"""What the films of the steps have in common: the frame, the prediction strip, columns of numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from manim import Animation, VGroup

from attn.core import numerals, record
from attn.core.decoder import Prediction, decode
from attn.core.forward import STATES
from attn.core.numerals import Cell
from attn.picture import labels, palette, richtext
from attn.picture.ranges import drawn_vectors
from attn.picture.richtext import Rich, Run, rich
from scenes._kit.moves import FadeIn, FadeOut, turn
from scenes._kit.past import played
from scenes._kit.spaces import (
    BODY,
    CAP,
    FIRM,
    HEAD,
    LEAST,
    SMALL,
    STRONG,
    THIN,
    TITLE,
    Box,
    EmbeddingSpace,
    Vector,
    disc,
    fitting,
    flat,
    least,
    line,
    rectangle,
    shortened,
)
from scenes._kit.stage import Stage
from scenes._kit.text import LINE, Number, Text, set_text

EDGE_X, EDGE_Y = 6.4, 3.6  # 5 % of the picture stay free all round
LEFT = Box(-EDGE_X, -2.15, 6.7, 4.95)  # the 3-D word embedding space
RIGHT = Box(0.75, -2.15, EDGE_X - 0.75, 4.95)  # the 2-D attention space, or the step's numbers
RIGHT_MIDDLE = RIGHT.left + RIGHT.width / 2
BAND = 1.4  # height of what stands over the 2-D space: a matrix, a formula
PLANE = Box(RIGHT.left, RIGHT.bottom, RIGHT.height - BAND, RIGHT.height - BAND)  # the 2-D space, in every film
FOOT = -2.62  # baseline of the lower texts' first line
LOWER_LINES = 3  # of text below the space
SENTENCE = 6.2  # how wide the sentence may be
SECOND = 0.28  # em of a sentence in two lines
A_TIE = rich("several words (a tie)"), rich("a tie")  # where there is no room for the words


class StepScene(Stage):
    """A film of one step: title and sentence on top, the space on the left, text and prediction below.

    `after` is the scene of the step before: the film opens with the very objects that scene ends with (`past` is that
    scene, played to its end), so that films join without a jump.
    """

    after: type[StepScene] | None = None

    def open_stage(self, checkpoint: str) -> None:
        """The picture the step before ends with; for a first step, what every step shows.

        `checkpoint` is the state whose prediction a first step opens with.
        """
        if self.after is not None:
            self.past = played(self.after, self.trace, type(self.renderer))
            self.take("space", "strip", "sentence", "rule")
            self.add(*self.past.mobjects)
        else:
            self.past = None
            self._set_up(checkpoint)
        self.seen()

    def take(self, *names: str) -> None:
        """Goes on with these of what the step before leaves behind, under the same names."""
        for name in names:
            setattr(self, name, getattr(self.past, name))

    def all_but(self, *stays) -> list:
        """Everything on the stage but these, which from now on stand there by themselves, out of any group.

        What lies on what stays as it is.
        """
        kept = set(map(id, stays))

        def apart(mobject):
            if id(mobject) in kept or kept.isdisjoint(map(id, mobject.get_family())):
                yield mobject
            else:
                for part in mobject.submobjects:
                    yield from apart(part)

        self.mobjects = [part for mobject in self.mobjects for part in apart(mobject)]
        return [part for part in self.mobjects if id(part) not in kept]

    def _set_up(self, checkpoint: str) -> None:
        paths = [(o.state("positioned"), o.state("contextual")) for o in self.trace.contrast]
        vectors = [*drawn_vectors(self.trace), *((np.zeros(3), start) for start, _ in paths), *paths]
        self.space = EmbeddingSpace(LEFT, self.trace, vectors=np.array(vectors))
        # Labels of the first steps keep off what later ones draw: the shifts from e to x, the displacement, h.
        for shift in zip(self.trace.embeddings, self.trace.positioned, strict=True):
            self.space.keep_off(*map(self.space.point, shift))
        if self.trace.contextual is not None:
            ends = np.zeros(3), self.trace.state("contextual"), self.trace.state("positioned")
            self.space.keep_off(*map(self.space.point, ends))
        self.strip = Strip(self.trace, checkpoint)
        self.sentence = sentence(self.trace)
        top = EDGE_Y - 0.72
        self.rule = VGroup(*(line([(-EDGE_X, y), (EDGE_X, y)], palette.theme().faint) for y in (top, FOOT + 0.42)))
        self.add(self.space.ground, self.rule, self.sentence, self.strip)

    def headings(self) -> list[Animation]:
        """The step's title and what it does come in, those of the step before go."""
        self.does = lower(self.said.does)
        old = [] if self.past is None else [FadeOut(part) for part in (self.past.title, self.past.does)]
        return [*old, FadeIn(self.headline()), FadeIn(self.does)]

    def headline(self) -> Text:
        """The step's title, in its place."""
        room = self.sentence.get_left()[0] + EDGE_X - 0.35
        self.title = shrunk(Run(self.said.title, style="b"), room, TITLE).at(flat((-EDGE_X, EDGE_Y - 0.45)))
        return self.title

    def turn_out(self) -> Animation:
        """What comes of it takes the place of what the step does."""
        does, self.does = self.does, lower(self.said.outcome)
        return turn(does, self.does)


def lower(said: Rich) -> Text:
    """What a step does or what comes of it, below the space: three lines, smaller if need be."""
    for size, width in ((BODY, 0.0), (SMALL, 0.0), (SMALL, 0.35), (max(least(said), 0.26), 0.35), (least(said), 0.35)):
        width += LEFT.width
        text = Text(said, size, width=width)
        if set_text(text.rich, round(width / size, 6)).lines <= LOWER_LINES and text.width <= width:
            break
    else:  # words so long that no line holds what belongs on one
        text = Text([replace(run, text=run.text.replace("\N{NO-BREAK SPACE}", " ")) for run in said], size, width=width)
    return text.at(flat((-EDGE_X, FOOT)))


def shrunk(runs: Run | Rich, width: float, size: float) -> Text:
    """A line without subscripts, as large as fits into `width`, down to the smallest that can be read."""
    return fitting([runs], width, size)


def sentence(trace) -> VGroup:
    """The sentence, each word in its colour, the followed one underlined; right on top, in two lines if need be.

    Of a sentence that is too long for them the last words are shown.
    """
    words = [richtext.word(trace, token) for token in trace.tokens]
    wide = [Text(word, 1.0).peg.width for word in words]
    for first in range(trace.n):
        dots = [Run("…")] if first else []
        text = Text(richtext.spaced([*dots, *words[first:]]), 1.0)
        size, drop = min(TITLE, SENTENCE / text.peg.width), 0.0
        if size < SECOND and first < trace.last:
            cut = min(range(first + 1, trace.n), key=lambda k: max(sum(wide[first:k]), sum(wide[k:])))
            upper, lower = (richtext.spaced(part) for part in ([*dots, *words[first:cut]], words[cut:]))
            text = Text((*upper, Run("\n"), *lower), 1.0)
            size, drop = min(SECOND, SENTENCE / text.peg.width), LINE
        if size >= LEAST:
            break
    size = max(size, LEAST)
    y = EDGE_Y - (0.72 * size if drop else 0.45)
    text = Text(text.rich, size)
    text.at(flat((EDGE_X - text.peg.width, y)))
    last, y = text.runs[-1], y - drop * size - 0.11
    ends = [(edge[0], y) for edge in (last.get_left(), last.get_right())]
    return VGroup(text, line(ends, palette.word_colour(trace, trace.tokens[-1]), 4.0))


class Strip(VGroup):
    """The prediction at a stage: a signed distance between two words with the plane in the middle, and who leads.

    `follow` moves it along with a point of the space: marker, leader and probability are the decoder's at that point.
    """

    def __init__(self, trace, checkpoint: str):
        super().__init__()
        self.trace = trace
        self.words = (trace.model.story.origin, trace.model.story.target)
        left, right, y = RIGHT.left + 0.02, EDGE_X - 0.02, FOOT - 0.46
        self.y = y
        self.chips = [self._chip(self.words[0], left, 0.0), self._chip(self.words[1], right, 1.0)]
        self.low = self.chips[0][0].get_right()[0] + 0.15
        self.high = self.chips[1][0].get_left()[0] - 0.15
        self.middle = (self.low + self.high) / 2
        half = self.high - self.middle
        self.unit = min(0.85 * half, half - 0.14) / trace.reach  # the mark stays on the strip
        shades = [
            rectangle(a, y - 0.12, b, y + 0.12, palette.shade(palette.word_colour(trace, word)))
            for a, b, word in ((self.low, self.middle, self.words[0]), (self.middle, self.high, self.words[1]))
        ]
        plane = line([(self.middle, y - 0.2), (self.middle, y + 0.2)], palette.theme().ink, 4.0)
        colour = palette.word_colour(trace, trace.tokens[-1])
        self.marker = disc((self.middle, y), 0.12, colour, palette.theme().paper, 2.0)
        self.label, self.result, self.named = VGroup(), VGroup(), VGroup()
        self.add(*shades, plane, *self.chips, self.marker, self.label, self.result, self.named)
        self.show(checkpoint)

    def _chip(self, word: str, edge: float, anchor: float) -> VGroup:
        text = fitting([Run(word, style="b")], 0.3 * RIGHT.width, HEAD, tall=0.55)
        width = text.peg.width + 0.3
        left = edge - anchor * width
        half = 0.21 + 0.5 * text.rise * text.em
        frame = rectangle(left, self.y - half, left + width, self.y + half, palette.theme().paper)
        text.middle(flat((left + width / 2, self.y)), 0.5)
        return VGroup(frame, text)

    def told(self) -> VGroup:
        """What of it depends on a prediction."""
        return VGroup(*self.chips, self.marker, self.label, self.result)

    def show(self, checkpoint: str) -> Strip:
        """The prediction at a checkpoint of the trace, as recorded there."""
        return self.put(self.trace, checkpoint)

    def put(self, trace, checkpoint: str, *place: str | int) -> Strip:
        """The prediction at a checkpoint of `trace`, which stands at this place in the one that is drawn."""
        row = STATES[checkpoint]
        self.states = richtext.symbol(self.trace, row, trace.tokens[-1]), richtext.symbol(self.trace, row)
        distance = numerals.cell(trace.distances[checkpoint], record.path(*place, "distances", checkpoint))
        shown = trace.distances[checkpoint], distance
        return self._tell(*shown, trace.decoder[checkpoint], *place, "decoder", checkpoint)

    def probe(self, index: int) -> Strip:
        """The prediction at one of the trace's probes, r."""
        found = self.trace.probes[index]
        self.states = (rich("*r*"),)
        distance = float(self.trace.plane.distance(found.point))
        shown = distance, numerals.cell(distance, record.path("probes", index, "distance"))
        return self._tell(*shown, found.said, "probes", index)

    def _tell(self, distance: float, shown: Cell, said: Prediction, *place: str | int) -> Strip:
        texts = numerals.weight_texts(said.probabilities)
        if said.tie:  # each has the same share, whatever makes all of them add up to 1
            texts = [numerals.number(probability) for probability in said.probabilities]
        shares = numerals.by_word(self.trace, texts, *place, "probabilities")
        self._place(distance, shown, said.words, shares[said.word])
        return self

    def ask(self, *states: Rich) -> Strip:
        """Says from what the next word is read: the first of `states` for which there is room, or from none."""
        self.states, room = states, RIGHT.width - self.result[0].peg.width - 0.2
        said = [rich("Next word, from [state]", state=state) for state in states] or [rich("Next word")]
        label = fitting(said, room, HEAD, palette.theme().muted)
        self.label.submobjects = [label.at(flat((RIGHT.left, FOOT)))]
        return self

    def follow(self, point: np.ndarray) -> Strip:
        """The prediction at any point of the space, decoded there."""
        m = self.trace.model
        found = decode(m.W_out, m.b_out, point, m.vocabulary)
        share = numerals.number(found.probabilities[m.index(found.word)])
        distance = float(self.trace.plane.distance(point))
        self._place(distance, numerals.cell(distance, None), found.words, Cell(share, None))
        return self

    def _place(self, distance: float, shown: Cell, leaders: tuple[str, ...], share: Cell) -> None:
        at = self.middle + self.unit * distance
        self.marker.move_to(flat((at, self.y)))
        name = Text(rich("signed distance to the plane  [d]", d=shown), LEAST, palette.theme().muted)
        half = name.peg.width / 2
        middle = min(max(at, RIGHT.left + half), EDGE_X - half)
        self.named.submobjects = [name.at(flat((middle, -EDGE_Y + 0.05)), 0.5)]
        for (frame, text), word in zip(self.chips, self.words, strict=True):
            leads, colour = word in leaders, palette.word_colour(self.trace, word)
            frame.set_fill(colour if leads else palette.theme().paper, 1).set_stroke(
                colour, FIRM / 2 if leads else THIN
            )
            text.runs[0].set_fill(palette.on(colour) if leads else colour, 1)
        self.result.submobjects = [self._leaders(leaders, share).at(flat((EDGE_X, FOOT)), 1.0)]
        self.ask(*self.states)

    def _leaders(self, words: tuple[str, ...], share: Cell) -> Text:
        """The words that lead, with their share; many are called a tie, a long one is set smaller, then cut."""
        room = 0.52 * RIGHT.width
        shares = (*richtext.as_rich(share), *([Run(" each")] if len(words) > 1 else []))

        def said(names) -> Rich:
            runs = [run for i, name in enumerate(names) for run in (Run(" or ") if i else Run(""), name)]
            return (*runs, Run("  "), *shares)

        names = [richtext.word(self.trace, word) for word in words]
        ties = [(*tie, Run("  "), *shares) for tie in A_TIE] if len(words) > 1 else []
        rest = Text(said([Run("")]), LEAST).peg.width
        whole = said([shortened((name,), room - rest, LEAST)[0] for name in names])
        return fitting([whole, *ties], room, HEAD)


class Column(VGroup):
    """Numbers under each other in brackets, aligned at the decimal point."""

    def __init__(self, cells: list[Cell], centre, colour: str):
        super().__init__()
        pitch = 1.35 * HEAD
        self.numbers = [Number(cell, HEAD, colour) for cell in cells]
        x, y = centre
        rows = [y + pitch * ((len(cells) - 1) / 2 - i) for i in range(len(cells))]
        for number, row in zip(self.numbers, rows, strict=True):
            number.at(flat((x, row - CAP * HEAD / 2)))
        drawn = VGroup(*self.numbers)
        left, right = drawn.get_left()[0], drawn.get_right()[0]
        for number in self.numbers:  # the block of numbers is centred, not its decimal points
            number.shift(flat((x - (left + right) / 2, 0)))
        half, reach, foot = (right - left) / 2 + 0.14, pitch * len(cells) / 2 + 0.05, 0.12
        self.brackets = VGroup()
        for side in (-1, 1):
            outer, inner = x + side * half, x + side * (half - foot)
            corners = [(inner, y + reach), (outer, y + reach), (outer, y - reach), (inner, y - reach)]
            self.brackets.add(line(corners, palette.theme().rule, 2.0))
        self.top = y + reach
        self.add(self.brackets, *self.numbers)


def vector_column(trace, row: str, centre, colour: str) -> VGroup:
    """The followed word's vector (`row`, a field of the trace) as a column of numbers (`column`) under its letter."""
    word, (x, _) = trace.tokens[-1], centre
    column = Column(numerals.cells(getattr(trace, row)[trace.last], f"{row}[{trace.last}]"), centre, colour)
    name = richtext.symbol(trace, row, word)
    group = VGroup(fitting([name, name[:1]], 1.7, TITLE).at(flat((x, column.top + 0.3)), 0.5), column)
    group.column = column
    return group


class DistanceLine:
    """The signed distances of the three states to the plane on one line, with the displacement as an arrow."""

    def __init__(self, trace, y: float = -1.15):
        colours, words = palette.theme(), (trace.model.story.origin, trace.model.story.target)
        reach = max(map(abs, trace.distances.values())) or 1.0
        middle, half = RIGHT_MIDDLE, (EDGE_X - RIGHT.left) / 2
        places = {name: middle + 0.84 * half * d / reach for name, d in trace.distances.items()}
        self.ground, self.marks = VGroup(), VGroup()
        for side, word in ((-1, words[0]), (1, words[1])):
            left, right = sorted((middle, middle + side * half))
            self.ground.add(rectangle(left, y - 0.28, right, y + 0.28, palette.shade(palette.word_colour(trace, word))))
            word_run = richtext.word(trace, word)
            name = fitting([(word_run, Run(" side")), (word_run,)], half - 0.6, BODY)
            self.ground.add(name.at(flat((middle + side * (half - 0.1), y - 0.66)), 0.0 if side < 0 else 1.0))
        self.ground.add(line([(middle, y - 0.36), (middle, y + 0.36)], colours.ink, 4.0))
        self.ground.add(Text(Run("plane"), BODY, colours.muted).at(flat((middle, y - 0.66)), 0.5))
        self.arrow = Vector((places["positioned"], y), (places["contextual"], y), colours.context, STRONG)
        self._marks(places, trace, y)

    def _marks(self, places: dict[str, float], trace, y: float) -> None:
        colour = palette.word_colour(trace, trace.tokens[-1])
        order = sorted(places, key=places.get)
        cells = {name: richtext.as_rich(numerals.cell(trace.distances[name], f"distances.{name}")) for name in order}
        texts = [Text((*richtext.symbol(trace, STATES[n]), Run("  "), *cells[n]), HEAD, colour) for n in order]
        wide = [t.peg.width + 0.2 for t in texts]
        spots = labels.parted([places[n] for n in order], wide, (RIGHT.left - 0.1, EDGE_X + 0.1))
        for name, spot, text in zip(order, spots, texts, strict=True):
            at = places[name]
            self.marks.add(line([(at, y - 0.18), (at, y + 0.18)], colour, FIRM))
            self.marks.add(line([(at, y + 0.2), (spot, y + 0.38)], colour, THIN))
            self.marks.add(text.at(flat((spot, y + 0.44)), 0.5))
