"""The signed distance to the plane at the three checkpoints, and what each word adds on the way from x to h."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from attn.picture import palette, richtext
from attn.picture.richtext import Run
from attn.texts.margin import texts
from figures._kit import layout, paint, waterfall
from figures._kit.paint import Page
from figures._kit.spaces import EmbeddingSpace

WIDTHS = ("page", "text", "column")
MOST_WORDS = 12  # words that have room below each other
NAMED = 5.0  # mm, from which on a contribution is long enough for its word
PITCH = 9.0  # mm from row to row, at most


def draw(trace) -> Figure:
    """The words' contributions tip to tail in 3-D; the same as a waterfall along the distance to the plane."""
    step = layout.step_page(trace, texts(trace), "Signed distance to the plane", attends=True)
    _pushes(EmbeddingSpace(step.page, step.left, trace), trace)
    left, bottom, width, height = step.right
    _waterfall(step.page, (left, bottom + 1.0, width, height - 1.0), trace)
    return step.page.figure


def contributions(trace) -> np.ndarray:
    """What each word adds to the followed one's vector, alpha_j W_O v_j: n x d_model."""
    return trace.weighted[trace.last] @ trace.model.W_O.T


def _pushes(space: EmbeddingSpace, trace) -> None:
    """x, then what each word adds, tip to tail; they end at h."""
    space.state("positioned", width=1.1)
    space.state("contextual", width=1.1)
    at = trace.state("positioned")
    for token, part in zip(trace.tokens, contributions(trace), strict=True):
        colour = palette.word_colour(trace, token)
        seen = np.hypot(*(space.at(at + part) - space.at(at))) * paint.scale(space.ax)
        space.arrow(at, at + part, colour, width=2.2, clear=0.7)
        if seen > NAMED:
            word = richtext.word(trace, token)
            label, side = (Run("+ ", style="b"), word), _across(space, part)
            space.name(space.at(at + part / 2), label, colour, side, clear=0.7, spare=True)
        at = at + part
    space.finish()


def _across(space: EmbeddingSpace, part) -> np.ndarray:
    """The direction on the page at a right angle to a vector, upwards."""
    flat = space.at(part)
    return np.array([-flat[1], flat[0]]) * (1 if flat[0] >= 0 else -1) * paint.scale(space.ax)


def moves(trace) -> list[waterfall.Move]:
    """e, x, what each word adds, h."""
    before = [waterfall.state(trace, name, trace) for name in ("embedding", "positioned")]
    return [*before, *waterfall.pushes(trace, trace, MOST_WORDS), waterfall.state(trace, "contextual", trace)]


def _waterfall(page: Page, box: waterfall.Box, trace) -> None:
    """Rows below each other on one scale, the plane as a line down through all of them."""
    left, bottom, width, height = box
    rows = moves(trace)
    pitch = min((height - 5.0) / len(rows), PITCH)
    names, size = waterfall.names_of(rows, waterfall.text_size(pitch))
    edge = left + max(paint.text_width(name, size) for name in names) + waterfall.GAP
    scale = waterfall.Scale(rows, edge, left + width, waterfall.text_size(pitch), trace)
    pitch -= (scale.foot - waterfall.FOOT) / len(rows)
    top = bottom + height - (height - 1.0 - scale.foot - pitch * len(rows)) / 2
    down = top - pitch * len(rows)
    waterfall.ground(page, scale, down, top, trace)
    waterfall.foot(page, scale, down)
    for name, y in zip(names, waterfall.fall(page, scale, rows, top, pitch), strict=True):
        page.text(edge - waterfall.GAP, y, name, size, ha="right", va="middle")
