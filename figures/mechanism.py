"""Self-attention on one page: what is learned above a line, what is computed for each sentence below it."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, richtext, rows
from attn.picture.richtext import Run, rich
from attn.texts.mechanism import texts
from figures._kit import paint, sentence_rows
from figures._kit.paint import SMALL
from figures._kit.sentence_rows import Block

SUBJECT = "sentence"
STYLES = tuple(
    {"size": size, "leading": 1.4, "gap": gap, "room": room}
    for size, gap, room in ((7.5, 1.5, 18.0), (7.0, 1.4, 18.0), (7.0, 1.1, 18.0), (7.0, 1.1, 12.0), (7.0, 1.1, 8.0))
)
WIDTH = 1.1  # pt, of arrows
LANE = 10.5  # mm between two rows of matrices, for the arrows
LABEL = 5.0  # mm on the left for the lanes' names


def draw(trace) -> Figure:
    """Three rows of matrices on a grid of four columns; each computed one stands below what it is made with."""
    learned, made, mixed = _blocks(trace, sentence_rows.fitted_style(lambda style: _fits(trace, style), STYLES))
    heights = [max(b.height for b in row) for row in (learned, made, mixed)]
    page, (left, bottom, width, height) = sentence_rows.frame(
        texts(trace), paint.PAGE, sum(heights) + 2 * LANE + 32.0, trace, rows.convention()
    )
    left, width = left + LABEL, width - LABEL
    middles, y = [], bottom + height - 2.5
    for tall in heights:
        middles.append(y - 5.6 - (tall - 5.6) / 2)
        y -= tall + LANE
    border = middles[0] - (heights[0] - 5.6) / 2 - 0.28 * LANE
    _lanes(page, (bottom, border, bottom + height))
    first = left + max(b[0].named + b[0].inner / 2 for b in (learned, made))
    last = left + width - made[-1].inner / 2 - mixed[-1].named
    centres = _spread(learned, made, first, last)
    for row, middle in zip((learned, made), middles, strict=False):
        for block, centre in zip(row, centres, strict=True):
            block.draw(page, centre - block.inner / 2 - (block.named if block.names == "left" else 0), middle)
    _last_row(page, mixed, middles[2], (left, width))
    _arrows(page, learned, made, mixed)
    return page.figure


def _blocks(trace, style: dict) -> tuple[list[Block], list[Block], list[Block]]:
    words = rows.words(trace)
    vocabulary = [richtext.word(trace, word) for word in trace.model.vocabulary]
    table = Block(
        numerals.cells(trace.model.embeddings, "parameters.embeddings"), (Run("Embeddings", style="b"),),
        richtext.shape(trace, "V", "d_model"), learned=True, words=vocabulary, names="left", **style,
    )  # fmt: skip
    learned = [table, *(sentence_rows.learned_block(trace, name, **style) for name in ("W_Q", "W_K", "W_V"))]
    X = sentence_rows.sentence_block(trace, **style)
    made = [X, *(sentence_rows.made_block(trace, name, **(style | {"names": ""})) for name in ("W_Q", "W_K", "W_V"))]
    root = richtext.as_rich(numerals.cell(trace.model.d_k, "d_k", 0))
    square = richtext.shape(trace, "n", "n")
    name = (*rich("*Q K*^{T} / √"), *root)
    scores = Block(numerals.cells(trace.scores, "scores", 2), name, square, words=words, names="left", **style)
    weights = Block(
        [numerals.weight_cells(row, f"attention[{i}]") for i, row in enumerate(trace.attention)],
        rich("*A* = softmax by row"), square, words=words, **style,
    )  # fmt: skip
    narrow, cells = richtext.shape(trace, "n", "d_v"), numerals.cells(trace.mixed, "mixed", 2)
    output = Block(cells, rich("*A V*"), narrow, words=words, names="right", **style)
    return learned, made, [scores, weights, output]


def _spread(learned, made, first: float, last: float) -> list[float]:
    """The centres of the four columns: even gaps between what stands in them, a wider one after the first."""
    halves = [max(a.inner, b.inner) / 2 for a, b in zip(learned, made, strict=True)]
    spare = last - first - (halves[0] + 2 * halves[1] + 2 * halves[2] + halves[3])
    gaps = [0.46 * spare, 0.27 * spare, 0.27 * spare]
    centres = [first]
    for i, gap in enumerate(gaps):
        centres.append(centres[-1] + halves[i] + gap + halves[i + 1])
    return centres


def _fits(trace, style: dict) -> bool:
    room = paint.PAGE - 2 * sentence_rows.EDGE - LABEL
    return all(sum(block.width for block in row) + 8.0 * (len(row) - 1) <= room for row in _blocks(trace, style))


def _lanes(page, heights) -> None:
    """The line between what is learned and what is computed, and the two names on the left edge."""
    bottom, border, top = heights
    colours = palette.theme()
    page.polygon(paint.box(0, border, page.width, top + 1.0), palette.mix(colours.ink, 0.05))
    page.line([(0, border), (page.width, border)], colours.ink, 1.0)
    for low, high, said in ((border, top, "LEARNED"), (bottom, border, "COMPUTED FOR THIS SENTENCE")):
        run = Run(said, style="b", colour=colours.muted)
        paint.upward(page.ax, 2.6, (low + high - paint.text_width(run, SMALL)) / 2, run, SMALL)


def _last_row(page, blocks: list[Block], middle: float, span) -> None:
    left, width = span
    gap = (width - sum(b.width for b in blocks)) / (len(blocks) - 1)
    for block in blocks:
        block.draw(page, left, middle)
        left += block.width + gap


def _arrows(page, learned, made, mixed) -> None:
    """What goes where: X meets each learned matrix; Q and K meet in the scores; the weights meet V."""
    ink, (X, Q, K, V) = palette.theme().rule, made
    for above, below in zip(learned, made, strict=True):
        x = (below.left + below.right) / 2
        sentence_rows.flow(page, [(x, above.bottom - 1.0), (x, below.top + 5.6)], ink, WIDTH)
    meet = X.top + 9.8  # where X's line passes over the others, clear of the arrows' heads
    turn = X.right + 0.45 * (Q.left - X.right)
    page.line([(X.right + 1.0, X.middle), (turn, X.middle), (turn, meet), ((V.left + V.right) / 2, meet)], ink, WIDTH)
    for block in (Q, K, V):
        paint.disc(page.ax, ((block.left + block.right) / 2, meet), 0.75, ink)
    scores, weights, output = mixed
    under = min(b.bottom for b in made)
    join, to = under - 0.30 * LANE, (scores.left + scores.right) / 2
    q, k = ((b.left + b.right) / 2 for b in (Q, K))
    page.line([(k, under - 1.0), (k, join), (q, join)], ink, WIDTH)
    page.line([(q, under - 1.0), (q, join)], ink, WIDTH)
    paint.disc(page.ax, (q, join), 0.75, ink)
    sentence_rows.flow(page, [(q, join), (to, join), (to, scores.top + 6.4)], ink, WIDTH)
    v = (V.left + V.right) / 2
    sentence_rows.flow(page, [(v, under - 1.0), (v, output.top + 5.6)], ink, WIDTH)
    for a, b in ((scores, weights), (weights, output)):
        sentence_rows.flow(page, [(a.right + 1.0, a.middle), (b.left - 1.0, a.middle)], ink, WIDTH)
