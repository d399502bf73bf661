"""From scores to attention weights: exp, sum and quotient as stages, the weights as bars."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn import look
from attn.look import rich
from attn.story import step4_softmax as texts
from figures import _parts
from figures._parts import Stage
from figures._space import EmbeddingSpace

WIDTHS = ("page", "text", "column")


def draw(trace) -> Figure:
    """The words as they stand before attention, and the row of the followed word on its way through softmax."""
    step = _parts.step_page(trace, texts(trace), f"How much “{trace.tokens[-1]}” listens to each word")
    EmbeddingSpace(step.page, step.left, trace).show_sentence()
    left, bottom, width, height = step.right
    rows = [look.word(trace, token) for token in trace.tokens]
    _parts.bar_stages(step.page, (left, bottom + 2, width, height - 2), rows, stages(trace), (0.32, 0.30, 0.38))
    return step.page.figure


def stages(trace) -> list[Stage]:
    """Score, exponential and weight of every word for the followed word's query."""
    last, d_k = trace.last, look.cell(trace.model.d_k, "d_k", 0)
    scores, exponentials, weights = trace.scores[last], trace.exponentials[last], trace.attention[last]
    total, whole = look.cell(trace.sums[last], f"sums[{last}]"), look.cell(trace.totals[last], f"totals[{last}]")
    shift = trace.shift[last]
    exp = rich("exp(*s* − [m])", m=look.cell(shift, f"shift[{last}]")) if shift else rich("exp(*s*)")
    return [
        Stage(
            rich("**score**"), rich("*s* = *q* · *k* / √[d]", d=d_k),
            scores, look.cells(scores, f"scores[{last}]", 2),
        ),
        Stage(
            rich("**exp**"), exp,
            exponentials, look.cells(exponentials, f"exponentials[{last}]", 2), look.as_rich(total),
        ),
        Stage(
            rich("**weight**"), rich("*α* = exp / [sum]", sum=total),
            weights, look.weight_cells(weights, f"attention[{last}]"), look.as_rich(whole),
        ),
    ]  # fmt: skip
