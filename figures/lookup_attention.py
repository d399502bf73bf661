"""A head learns to look up: one example's attention at four steps of training, with loss and accuracy."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette
from attn.picture.richtext import Run
from attn.texts.lookup_attention import texts
from figures._kit import lookup, paint, sentence_rows
from figures._kit.paint import BODY, HEAD, SMALL

SUBJECT = "lookup"
BARS = 30.0  # mm, a weight of 1


def draw(found) -> Figure:
    """Four groups of bars side by side; below each the tokens as cards, loss and accuracy."""
    page, (left, bottom, width, height) = sentence_rows.frame(texts(found), paint.PAGE, 91.0)
    names = 15.0
    group = (width - names) / len(found.steps)
    base = bottom + 25.5
    _names(page, left, base)
    for k, step in enumerate(found.steps):
        _group(page, (left + names + k * group, base, group - 5.0), found, k, step)
    return page.figure


def _names(page, left: float, base: float) -> None:
    """What stands in the rows below the bars."""
    muted = palette.theme().muted
    places = {"attention": BARS / 2, "tag": -4.6, "value": -9.8, "loss": -18.2, "accuracy": -23.0}
    for text, y in places.items():
        page.text(left, base + y, text, BODY, va="middle", colour=muted)


def _group(page, place, found, k: int, step: int) -> None:
    """One step: bars for the four entries and the query itself."""
    left, base, width = place
    colours, pitch = palette.theme(), width / (lookup.ENTRIES + 1)
    heading = (Run("step ", style="b"), Run(str(step), style="b", path=f"steps[{k}]"))
    page.text(left + width / 2, base + BARS + 6.2, heading, HEAD + 1, ha="center")
    page.line([(left, base), (left + width, base)], colours.rule, 0.6)
    for i, cell in enumerate(numerals.weight_cells(found.attention[step], f"attention[{step}]")):
        x, value = left + pitch * (i + 0.5), float(found.attention[step][i])
        right = i == found.example["entry"]
        colour = palette.lookup_colour(right)
        page.polygon(paint.box(x - 0.32 * pitch, base, x + 0.32 * pitch, base + max(BARS * value, 0.15)), colour)
        run = Run(cell.text, style="b" if right else "", path=cell.path)
        page.text(x, base + BARS * value + 1.2, run, BODY if right else SMALL, ha="center")
        lookup.card(page, x, base - 2.0, found, i, 0.8 * pitch)
    last = left + pitch * (lookup.ENTRIES + 0.5)
    page.text(last, base - 15.4, "query", SMALL, ha="center", colour=colours.muted)
    for row, name in enumerate(("loss", "accuracy")):
        value = numerals.cell(getattr(found, name)[step], f"{name}[{step}]")
        run, y = Run(value.text, style="b", path=value.path), base - 18.2 - 4.8 * row
        page.text(left + width / 2, y, run, HEAD, ha="center", va="middle")
