"""The prediction at three checkpoints side by side: from the embedding, with its position, with its context."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.core import numerals
from attn.core.forward import STATES
from attn.picture import palette, richtext, sizes
from attn.picture.richtext import Rich, Run
from attn.texts.phrases import said_of_position
from attn.texts.summary import texts
from figures._kit import layout, paint
from figures._kit.layout import EDGE
from figures._kit.paint import BODY, HEAD, THIN, Page
from figures._kit.spaces import EmbeddingSpace

WIDTHS = ("page", "text", "column")
GAP = 4.0  # mm between the columns
CUBE = 43.0  # mm, the height of a space
ROW = 6.4  # mm, a word of the table
SHORTEST = 4.0  # mm for a bar of a probability of 1; with less room there are none


def draw(trace) -> Figure:
    """Three spaces with one state each; with each what the decoder makes of it, below, or beside on a narrow page."""
    said, words = texts(trace), words_shown(trace)
    return (_columns if sizes.arranged() == "page" else _rows)(trace, said, words)


def _columns(trace, said, words: list[str]) -> Figure:
    table = 6.0 + ROW * len(words)
    inner = paint.width() - 2 * EDGE
    size = paint.fitted(paint.told(said), inner, layout.TOLD)
    size = size if size > paint.SMALLEST else layout.TOLD  # a line in smaller letters, or several
    foot = 9.0 + layout.LEADING * (len(paint.wrapped(paint.told(said), inner + 0.1, size)) - 1)
    page = Page(paint.width(), layout.header_height(trace, said) + 9.0 + CUBE + table + 2.0 + foot)
    top = layout.header(page, said, trace)
    pitch = (page.width - 2 * EDGE + GAP) / len(trace.decoder)
    boxes = [(EDGE + pitch * i, top - 9.0 - CUBE, pitch - GAP, CUBE) for i in range(len(trace.decoder))]
    _course(page, boxes, top - 4.5, trace)
    for name, box in zip(trace.decoder, boxes, strict=True):
        _space(page, box, trace, name)
        _table(page, (box[0], box[1] - 3.0, box[2]), trace, name, words)
    page.line([(EDGE, foot), (page.width - EDGE, foot)], palette.theme().faint)
    paint.paragraph(page, EDGE, foot - 5.6, paint.told(said), inner + 0.1, size)
    return page.figure


def _rows(trace, said, words: list[str]) -> Figure:
    """The checkpoints below each other, what is added in between as an arrow downwards."""
    inner = paint.width() - 2 * EDGE
    tall = max(CUBE - 5.0, 16.0 + ROW * len(words))
    foot = 9.5 + layout.LEADING * (len(paint.wrapped(paint.told(said), inner, layout.TOLD)) - 1)
    page = Page(paint.width(), foot + (tall + GAP) * len(trace.decoder) + layout.header_height(trace, said))
    y = layout.header(page, said, trace)
    left = EDGE + (0.44 if sizes.arranged() == "column" else 0.5) * inner
    middles = []
    for name in trace.decoder:
        _space(page, (EDGE, y - tall, left - EDGE - 2.0, tall), trace, name)
        middle = y - (tall - 10.0 - ROW * len(words)) / 2
        _table(page, (left, middle - 4.0, page.width - EDGE - left), trace, name, words)
        middles.append(middle)
        y -= tall + GAP
    _course_down(page, left, middles, ROW * len(words) + 8.0, trace)
    page.line([(EDGE, foot - 1.5), (page.width - EDGE, foot - 1.5)], palette.theme().faint)
    paint.paragraph(page, EDGE, foot - 6.0, paint.told(said), inner, layout.TOLD)
    return page.figure


def _space(page: Page, box, trace, name: str) -> None:
    space = EmbeddingSpace(page, box, trace)
    space.state(name, label=False)
    space.finish()


def words_shown(trace) -> list[str]:
    """The two words of the plane, and any other word that is predicted at a checkpoint."""
    told = trace.model.story.origin, trace.model.story.target
    return list(dict.fromkeys((*told, *(word for found in trace.decoder.values() for word in found.words))))


def _symbols(trace) -> list[Rich]:
    """The states' letters, with the word where there is room."""
    rows, word = [STATES[name] for name in trace.decoder], trace.tokens[-1]
    return [
        paint.first_that_fits([richtext.symbol(trace, row, word), richtext.symbol(trace, row)], 22.0, paint.TITLE)
        for row in rows
    ]


def _added(trace) -> list[tuple[Rich, str, float]]:
    """What is added between the states: its name, colour and line width."""
    return [
        ((Run(said_of_position(trace)),), palette.word_colour(trace, trace.tokens[-1]), 1.0),
        ((Run("+ context", style="b"),), palette.theme().context, 2.0),
    ]


def _course(page: Page, boxes, y: float, trace) -> None:
    """The three states' symbols above their spaces, and arrows that say what is added in between."""
    middles = [left + width / 2 for left, _, width, _ in boxes]
    room, symbols = middles[1] - middles[0], _symbols(trace)
    halves = [paint.text_width(symbol, paint.TITLE) / 2 + 2.5 for symbol in symbols]
    for x, symbol in zip(middles, symbols, strict=True):
        layout.centred(page, x, y, symbol, paint.TITLE)
    for i, (label, colour, width) in enumerate(_added(trace)[: len(middles) - 1]):
        start, end = middles[i] + halves[i], middles[i] + room - halves[i + 1]
        paint.arrow(page.ax, (start, y), (end, y), colour, width)
        page.text((start + end) / 2, y + 1.5, label, BODY, ha="center", colour=colour)


def _course_down(page: Page, left: float, tops: list[float], table: float, trace) -> None:
    """The states' symbols over their tables, and arrows down from one table to the next symbol."""
    for top, symbol in zip(tops, _symbols(trace), strict=True):
        page.text(left, top, symbol, paint.TITLE)
    for i, (label, colour, width) in enumerate(_added(trace)[: len(tops) - 1]):
        start, end = tops[i] - table - 1.0, tops[i + 1] + 5.0
        paint.arrow(page.ax, (left + 2.0, start), (left + 2.0, end), colour, width)
        page.text(left + 5.0, (start + end) / 2, label, BODY, va="middle", colour=colour)


def _table(page: Page, place, trace, name: str, words: list[str]) -> None:
    """Score and probability of each word at a checkpoint, the probability as a bar; leaders in a filled frame."""
    left, top, width = place
    found, vocabulary, muted = trace.decoder[name], trace.model.vocabulary, palette.theme().muted
    rows = [vocabulary.index(word) for word in words]
    places = numerals.decimals([every.scores[rows] for every in trace.decoder.values()])
    columns = numerals.score_cells(trace, name, places), numerals.probability_cells(trace, name)
    size = min(paint.fitted(richtext.word(trace, word), 16.0, HEAD) for word in words)
    chips = max(paint.text_width(richtext.word(trace, word), size) for word in words) + 3.0
    ends = left + chips + 14.0, left + chips + 25.0
    for x, heading in zip(ends, ("score", "prob."), strict=True):
        page.text(x, top - 1.0, heading, BODY, ha="right", colour=muted)
    zero, span = ends[1] + 2.0, left + width - ends[1] - 2.0
    for i, (word, row) in enumerate(zip(words, rows, strict=True)):
        y = top - 5.0 - ROW * i
        _chip(page, (left, y, chips), richtext.word(trace, word), size, word in found.words and not paint.blank())
        for x, cells in zip(ends, columns, strict=True):
            page.text(x, y, cells[word], HEAD, ha="right", va="middle")
        if span >= SHORTEST and not paint.blank():
            end = zero + span * found.probabilities[row]
            page.polygon(paint.box(zero, y - 1.6, end, y + 1.6), palette.word_colour(trace, word))
    if span >= SHORTEST:
        page.line([(zero, top - 5.0 + ROW / 2), (zero, top - 5.0 - ROW * (len(rows) - 0.5))], palette.theme().rule, 0.6)


def _chip(page: Page, place, run: Run, size: float, leads: bool) -> None:
    left, y, width = place
    fill = run.colour if leads else palette.theme().paper
    page.polygon(paint.box(left, y - 2.4, left + width, y + 2.4), fill, run.colour, 1.0 if leads else THIN)
    ink = palette.on(fill) if leads else run.colour
    page.text(left + width / 2, y, (Run(run.text, style="b", colour=ink),), size, ha="center", va="middle")
