"""The output matrix turns what was gathered in 2-D into a displacement in 3-D, at the tip of the word's vector."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, richtext, sizes
from attn.picture.richtext import rich
from attn.texts.step6_output import texts
from figures._kit import layout, paint
from figures._kit.paint import BODY
from figures._kit.spaces import AttentionSpace, EmbeddingSpace
from figures._kit.tables import Sheet, Sign, Table

WIDTHS = ("page", "column")


def draw(trace) -> Figure:
    """The displacement on the left, the vector it comes from on the right, the product above."""
    step = layout.step_page(trace, texts(trace), "2-D attention space", attends=True)
    space = EmbeddingSpace(step.page, step.left, trace)
    space.state("positioned")
    space.context()
    space.finish()
    between, plot = step.plots
    _gathered(step.page, plot, trace)
    _way(step.page, between)
    product(trace, step.band).draw(step.page, step.band)
    return step.page.figure


def _gathered(page, box, trace) -> None:
    """The attention output in its own space."""
    space = AttentionSpace(page, box, trace, ticks=False)
    space.draw("mixed", trace.last, width=2.0)
    space.finish()


def _way(page, box) -> None:
    """An arrow from the 2-D space back to the 3-D space, with the matrix that leads there."""
    left, bottom, width, height = box
    if sizes.arranged() == "column":
        _way_up(page, box)
        return
    y, ink = bottom + height / 2, palette.theme().ink
    paint.arrow(page.ax, (left + width - 1.5, y), (left + 1.0, y), ink, 1.6)
    middle = left + width / 2
    layout.centred(page, middle, y + 4.2, rich("*W*_{O}"), paint.TITLE)
    muted = palette.theme().muted
    for x, content, ha in ((left + 1.0, "3-D", "left"), (left + width - 1.5, "2-D", "right")):
        page.text(x, y - 5.0, content, BODY, ha=ha, colour=muted)


def _way_up(page, box) -> None:
    """The same in a column, where the 3-D space is above."""
    left, bottom, width, height = box
    x, low, high = left + width / 2, bottom + 5.0, bottom + height - 3.0
    paint.arrow(page.ax, (x, low), (x, high), palette.theme().ink, 1.6)
    page.text(x - 3.0, (low + high) / 2, rich("*W*_{O}"), paint.TITLE, ha="right", va="middle")
    for y, content in ((low + 1.0, "2-D"), (high - 1.0, "3-D")):
        page.text(x + 2.5, y, content, BODY, va="middle", colour=palette.theme().muted)


def product(trace, box) -> Sheet:
    """W_O a = c in numbers, the displacement in its pink; with the word at its letters if `box` has room for it."""
    last, word = trace.last, trace.tokens[-1]
    matrix = numerals.cells(trace.model.W_O, "parameters.W_O")
    a = numerals.cells(trace.mixed[last], f"mixed[{last}]")
    c = numerals.cells(trace.correction[last], f"correction[{last}]")

    def sheet(named: bool) -> Sheet:
        part = slice(None) if named else slice(1)
        colour, pink = palette.word_colour(trace, word), palette.theme().context
        items = [
            Table(matrix, rich("*W*_{O}"), richtext.shape(trace, "d_model", "d_v"), learned=True),
            Sign("·"),
            Table([[x] for x in a], richtext.symbol(trace, "mixed", word)[part], colours=[colour] * len(a)),
            Sign("="),
            Table([[x] for x in c], richtext.symbol(trace, "correction", word)[part], colours=[pink] * len(c)),
        ]
        return Sheet(items, spread=5.0, level=False)

    return sheet(True) if sheet(True).fits(*box[2:]) else sheet(False)
