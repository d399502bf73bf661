"""Tables on the stage: a word a row, its numbers in one or more brackets beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import VGroup

from attn.core import numerals
from attn.core.numerals import Cell
from attn.picture import palette, quantities, richtext
from attn.picture.richtext import Rich, Run, rich
from scenes._kit.matrix import Matrix
from scenes._kit.moves import Direct
from scenes._kit.parts import RIGHT
from scenes._kit.spaces import HEAD, LEAST, SMALL, Box, Name, Vector, fitting, flat
from scenes._kit.text import Text

SIZES = (HEAD, 0.33, SMALL, 0.28, LEAST)
NAMES = 1.5  # how wide the words of the rows may be
TITLE_ROOM = 0.5  # over the brackets
TABLE = Box(RIGHT.left, RIGHT.bottom + 0.1, RIGHT.width, RIGHT.height - 0.2)
REST = "…"  # stands for rows that are left out


@dataclass(frozen=True)
class Block:
    """One matrix of a table: its rows of cells, what stands over it, and the widest texts it will ever show.

    `plain`: its numbers belong to no word.
    """

    cells: Sequence[Sequence[Cell]]
    name: Rich
    shape: Rich = ()
    learned: bool = False
    widest: Sequence[Sequence[Cell]] | None = None
    plain: bool = False


class Table(VGroup):
    """Blocks side by side with a word before each row, as large as fits into `box`.

    words: names of the rows, in their colours. colours: of the rows' numbers. `rest` says that rows were left out.
    """

    def __init__(self, words: Sequence[Run], blocks: Sequence[Block], colours, box: Box = TABLE, rest: bool = False):
        super().__init__()
        lines = len(words) + rest
        self.pitch = min((box.height - TITLE_ROOM) / lines, 0.62)
        sizes = [size for size in SIZES if size * 1.12 <= self.pitch] or [LEAST]
        for size in sizes:
            self.blocks = [_matrix(block, size, colours, self.pitch) for block in blocks]
            widths = [block.span[1] - block.span[0] for block in self.blocks]
            room = box.width - sum(widths)
            if room >= min(NAMES, _widest(words, size)) + 0.15 + 0.25 * (len(blocks) - 1):
                break
        self.em = size
        most = room - 0.15 - 0.12 * (len(blocks) - 1)
        self.names = [fitting([word], most, size, tall=self.pitch) for word in words]
        names = max(name.peg.width for name in self.names)
        gap = float(np.clip((room - names - 0.15) / max(len(blocks) - 1, 1), 0.12, 0.5))
        self._arrange(box, blocks, names, gap, rest)

    def _arrange(self, box: Box, blocks, names: float, gap: float, rest: bool) -> None:
        lines = len(self.names)
        middle = box.bottom + (box.height - TITLE_ROOM) / 2 + (self.pitch / 2 if rest else 0)
        widths = [block.span[1] - block.span[0] for block in self.blocks]
        x = box.left + max((box.width - names - 0.15 - sum(widths) - gap * (len(widths) - 1)) / 2, 0)
        self.names_end = x + names
        self.ys = [middle + self.pitch * ((lines - 1) / 2 - i) for i in range(lines)]
        for name, y in zip(self.names, self.ys, strict=True):
            name.middle(flat((self.names_end, y)), 1.0)
        x += names + 0.15
        for block, matrix, width in zip(blocks, self.blocks, widths, strict=True):
            matrix.put(x, middle).titled(block.name, block.shape)
            x += width + gap
        self.rest = VGroup()
        if rest:
            y = self.ys[-1] - self.pitch
            self.rest.add(Text(Run(REST), self.em, palette.theme().muted).at(flat((self.names_end, y)), 1.0))
        self.top = self.blocks[0].extent[1]
        self.add(*self.names, *self.blocks, self.rest)

    def row(self, i: int) -> VGroup:
        """A row's name and numbers."""
        return VGroup(self.names[i], *(number for block in self.blocks for number in block.numbers[i]))


def _matrix(block: Block, size: float, colours, pitch: float) -> Matrix:
    matrix = Matrix(block.widest or block.cells, size, None if block.plain else colours, block.learned, pitch / size)
    for numbers, cells in zip(matrix.numbers, block.cells, strict=True):
        for number, cell in zip(numbers, cells, strict=True):
            number.show(cell)
    return matrix


def _widest(words: Sequence[Run], size: float) -> float:
    return max(Text(word, size).peg.width for word in words)


def longer(*cells):
    """Of cells nested alike, in each place the one with the longest text: what a matrix has room for."""
    if isinstance(cells[0], Cell):
        return max(cells, key=lambda cell: len(cell.text))
    return [longer(*parts) for parts in zip(*cells, strict=True)]


def listed(trace, limit: int = 9) -> tuple[list[int], bool]:
    """The rows of the vocabulary that a table of at most `limit` lines shows, and whether some are left out.

    The sentence's words and the two words of the plane come first; what is shown keeps its order.
    """
    words, story = trace.model.vocabulary, trace.model.story
    if len(words) <= limit:
        return list(range(len(words))), False
    wanted = dict.fromkeys(map(trace.model.index, (story.origin, story.target, *reversed(trace.tokens), *words)))
    return sorted(list(wanted)[: limit - 1]), True


def sentence_table(trace, place: bool = False) -> Table:
    """e of every word of the sentence, with room for x; and beside it p, if `place` and if there are positions.

    All have the same decimals, as few as show all three exactly.
    """
    places = numerals.decimals(np.concatenate([trace.embeddings, trace.positions, trace.positioned]))
    e, x = (numerals.cells(getattr(trace, row), row, places) for row in ("embeddings", "positioned"))
    blocks = [Block(e, rich("*e*"), richtext.shape(trace, "n", "d_model"), widest=longer(e, x))]
    if place and trace.model.positions is not None:
        p = numerals.cells(trace.model.positions, "parameters.positions", places)[: trace.n]
        blocks.append(Block(p, rich("*p*"), richtext.shape(trace, "n", "d_model"), learned=True, plain=True))
    words = [richtext.word(trace, token) for token in trace.tokens]
    return Table(words, blocks, palette.word_colours(trace, trace.tokens))


class Resettle(Direct):
    """Drawn things go where their like stand, and take on their sizes: a part each, in the same order.

    crossing: they go pale on the way, where they cross each other.
    """

    def __init__(self, parts, targets, crossing: bool = False, **options):
        self.pairs, self.texts, self.crossing = [], [], crossing
        for part, target in zip(parts, targets, strict=True):
            both = zip(part.get_family(), target.get_family(), strict=False)
            self.texts += [(m, t) for m, t in both if isinstance(m, Text)]
            old, new = ([m for m in thing.get_family() if len(m.points)] for thing in (part, target))
            self.pairs += [(m, m.points.copy(), t.points.copy()) for m, t in zip(old, new, strict=False)]
        super().__init__(VGroup(*parts), introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        for part, start, end in self.pairs:
            if start.shape == end.shape:
                part.points = start + share * (end - start)
            elif share > 0.5:  # a name that is cut differently
                part.points = end.copy()
            if self.crossing:
                part.set_fill(opacity=1 - 0.85 * float(np.sin(np.pi * share)))
        for text, target in self.texts if alpha >= 1 else ():
            text.says(target)


def vector_of(space, what: str, token: str, point) -> Vector:
    """A word's vector from the origin of the 3-D space to `point`."""
    return space.arrow(
        np.zeros(3), point, palette.word_colour(space.trace, token), dash=quantities.QUANTITIES[what].dash
    )


def name_of(space, what: str, token: str, arrow: Vector) -> Name:
    """The label of a word's vector; `place` puts it beside the tip."""
    label = richtext.symbol(space.trace, what, token)
    return space.name(arrow.end, label, palette.word_colour(space.trace, token), arrow.end - arrow.start)
