"""The attention weights of the followed word as shares of one bar of length 1."""

from __future__ import annotations

from collections.abc import Mapping

from attn.core import numerals
from attn.picture import palette
from attn.picture.richtext import Run
from figures._kit import paint
from figures._kit.paint import HEAD, SMALL, THIN, Page

TALL = 6.0  # mm
INSIDE = 7.0  # mm, from which on a share holds its number
BELOW = 2.6  # mm from the bar to a number that it has no room for


def share_bar(
    page: Page, left: float, top: float, width: float, trace, below: Mapping[int, float] | None = None
) -> list[float]:
    """Draws the bar, `width` mm long, in the words' colours; gives where the middles of the shares are.

    Numbers that have no room in their share stand below the bar, each centred on its place in `below`, if anywhere.
    """
    weights, at, middles = trace.attention[trace.last], left, []
    for j, cell in enumerate(numerals.weight_cells(weights, f"attention[{trace.last}]")):
        wide = width * (1 / trace.n if paint.blank() else weights[j])
        colour = palette.word_colour(trace, trace.tokens[j])
        page.polygon(paint.box(at, top - TALL, at + wide, top), paint.measured(colour), palette.theme().paper)
        middles.append(at + wide / 2)
        if wide >= INSIDE and not paint.blank():
            number = (Run(cell.text, style="b", colour=palette.on(colour), path=cell.path),)
            page.text(middles[-1], top - TALL / 2, number, HEAD, ha="center", va="middle")
        elif below and j in below:
            page.text(below[j], top - TALL - BELOW, cell, SMALL, ha="center", colour=colour)
        at += wide
    page.polygon(paint.box(left, top - TALL, left + width, top), "none", palette.theme().ink, THIN)
    return middles
