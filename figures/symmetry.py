"""Why queries and keys have a matrix each: with one for both, the scores are their own mirror image."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, rows
from attn.picture.richtext import Rich, Run
from attn.texts.symmetry import texts
from figures._kit import paint, sentence_rows
from figures._kit.paint import HEAD, SMALL

SUBJECT = "sentence"


def draw(trace) -> Figure:
    """The scores with W_k = W_q beside those with two matrices, one scale of tint; the telling pair framed in both."""
    side = min(60.0, 11.0 * trace.n)
    deep = sentence_rows.turned(rows.words(trace), side / trace.n)
    page, (left, bottom, width, height) = sentence_rows.frame(
        texts(trace), paint.PAGE, side + deep + 50.0, trace, rows.convention()
    )
    pair = rows.telling_pair(trace)
    tint = sentence_rows.tints(trace.tied, trace.scores)
    names = min(22.0, max(paint.text_width((w,), HEAD) for w in rows.words(trace)))
    for centre, values, path, heading in (
        (0.25, trace.tied, "tied", _heading("one matrix for both:", "=")),
        (0.75, trace.scores, "scores", _heading("two matrices:", rows.likeness(trace.model))),
    ):
        middle = left + width * centre
        page.text(middle, bottom + height - 3.5, heading, HEAD + 1, ha="center")
        corner = (middle - (side - names) / 2, bottom + 11.0)
        cell = sentence_rows.heat(
            page, (*corner, side, side), numerals.cells(values, path, 2), tint(values), rows.words(trace)
        )
        _mirror(page, cell, trace.n, pair)
        _said(page, middle, bottom + 3.6, trace, pair, values, path)
    return page.figure


def _heading(said: str, sign: str) -> Rich:
    return (Run(f"{said}  ", style="b"), *rows.symbol("W_K"), Run(f" {sign} "), *rows.symbol("W_Q"))


def _mirror(page, cell, n: int, pair) -> None:
    """The diagonal as the mirror, and the pair's two cells in frames joined across it."""
    colours = palette.theme()
    for i in range(n + 1):  # short pieces where cells meet, so that no number is crossed
        corner = np.array([cell(i, i, (-0.5, 0.5))])
        reach = np.array([cell(i, i, (-0.33, 0.33))]) - corner
        page.line(np.concatenate([corner - reach, corner + reach]), colours.ink, 1.0)
    for a, b in (pair, pair[::-1]):
        corners = [cell(a, b, at) for at in ((-0.47, -0.47), (0.47, -0.47), (0.47, 0.47), (-0.47, 0.47))]
        page.line([*corners, corners[0], corners[1]], colours.ink, 1.8)


def _said(page, middle: float, y: float, trace, pair, values, path: str) -> None:
    """What the two framed cells say to each other."""
    i, j = pair
    here, there = (numerals.cell(values[p], f"{path}[{p[0]}][{p[1]}]") for p in ((i, j), (j, i)))
    sign = Run(f"   {rows.compared(values, pair)}   ")
    words, here, there = rows.words(trace), *(Run(c.text, style="b", path=c.path) for c in (here, there))
    for limit in (30.0, 20.0, 15.0, 12.0, 9.0):
        a, b = (sentence_rows.fitted_word(words[k], limit, HEAD + 1)[0] for k in pair)
        there_and_back = (a, Run(" → "), b, Run("  "), here, sign, there, Run("  "), b, Run(" → "), a)
        wordings = there_and_back, (a, Run(" ⇄ "), b, Run("   "), here, sign, there)
        room = page.width / 2 - 5.0
        runs = paint.first_that_fits(wordings, room, SMALL + 0.1)
        if paint.text_width(runs, SMALL) <= room:
            break
    page.text(middle, y, runs, paint.fitted(runs, room, HEAD + 1), ha="center")
