"""From scores to attention weights: exp, sum and quotient as stages, the weights as bars."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, richtext
from attn.picture.richtext import rich
from attn.texts.step4_softmax import WHOLE, texts
from figures._kit import layout, paint
from figures._kit.layout import Stage
from figures._kit.paint import BODY, Page
from figures._kit.shares import TALL, share_bar
from figures._kit.spaces import EmbeddingSpace

WIDTHS = ("page", "text", "column")
FEW = 6  # words, up to which the shares are shown as one bar, too
BAR = 6.0  # mm around it


def draw(trace) -> Figure:
    """The words as they stand before attention, and the row of the followed word on its way through softmax."""
    step = layout.step_page(trace, texts(trace), f"How much “{trace.tokens[-1]}” listens to each word", attends=True)
    EmbeddingSpace(step.page, step.left, trace).show_sentence(attends=True)
    left, bottom, width, height = step.right
    rows = [richtext.word(trace, token) for token in trace.tokens]
    under = TALL + BAR if trace.n <= FEW else 0.0
    box = (left, bottom + 2 + under, width, height - 2 - under)
    layout.bar_stages(step.page, box, rows, stages(trace), (0.32, 0.30, 0.38))
    if under:
        _whole(step.page, (left, bottom + TALL + 4.5, width), trace)
    return step.page.figure


def _whole(page: Page, place: tuple[float, float, float], trace) -> None:
    """The weights once more, as parts of one whole."""
    left, top, width = place
    name = paint.text_width(WHOLE, BODY) + 2.5
    page.text(left, top - TALL / 2, WHOLE, BODY, va="middle", colour=palette.theme().muted)
    share_bar(page, left + name, top, width - name, trace)


def stages(trace) -> list[Stage]:
    """Score, exponential and weight of every word for the followed word's query."""
    last, d_k = trace.last, numerals.cell(trace.model.d_k, "d_k", 0)
    scores, exponentials, weights = trace.scores[last], trace.exponentials[last], trace.attention[last]
    total, whole = (
        numerals.cell(trace.sums[last], f"sums[{last}]"),
        numerals.cell(trace.totals[last], f"totals[{last}]"),
    )
    shift = trace.shift[last]
    exp = rich("exp(*s* − [m])", m=numerals.cell(shift, f"shift[{last}]")) if shift else rich("exp(*s*)")
    return [
        Stage(
            rich("**score**"), rich("*s* = *q* · *k* / √[d]", d=d_k),
            scores, numerals.cells(scores, f"scores[{last}]", 2),
        ),
        Stage(
            rich("**exp**"), exp,
            exponentials, numerals.cells(exponentials, f"exponentials[{last}]", 2), richtext.as_rich(total),
        ),
        Stage(
            rich("**weight**"), rich("*α* = exp / [sum]", sum=total),
            weights, numerals.weight_cells(weights, f"attention[{last}]"), richtext.as_rich(whole),
        ),
    ]  # fmt: skip
