"""Why the head works: its keys read the tag of an entry, its values the value, shown from the trained weights."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, rows
from attn.picture.richtext import Run, rich
from attn.texts.lookup_split import texts
from figures._kit import paint, sentence_rows
from figures._kit.paint import BODY, HEAD

SUBJECT = "lookup"
CELL = 6.6  # mm


def draw(found) -> Figure:
    """Two rows (the score of an entry, the answer it gives) by two columns (its tag's part, its value's part)."""
    tags, values = int(found.settings["tags"]), int(found.settings["values"])
    high, wide = CELL * max(tags, values), CELL * max(tags, values) * 1.25
    page, (left, bottom, width, height) = sentence_rows.frame(texts(found), paint.PAGE, 2 * high + 63.0)
    x = (left + 58.0, left + width - wide - 2.0)
    y = (bottom + high + 23.0, bottom + 4.0)
    for column, half in enumerate(("tag", "value")):
        heading = (Run(f"what its {half} adds", style="b"),)
        page.text(x[column] + wide / 2, y[0] + high + 12.0, heading, HEAD + 1, ha="center")
        for row, (name, axis) in enumerate((("score", "query’s tag"), ("answer", "answer"))):
            _grid(page, (x[column], y[row], wide, high), found, f"{name}_by_{half}", axis, f"entry’s {half}")
    _side(page, left, y[0] + high / 2, found, "W_K", 0, "What decides how well an entry scores", "tag")
    _side(page, left, y[1] + high / 2, found, "W_V", 1, "What decides the answer it gives", "value")
    return page.figure


def _grid(page, place, found, name: str, down: str, across: str) -> None:
    """What an entry's tag or value changes: tinted where positive, one scale for a row of the figure."""
    left, bottom, width, height = place
    muted, values = palette.theme().muted, found.split[name]
    most = max(float(found.split[f"{name.split('_')[0]}_by_{half}"].max()) for half in ("tag", "value"))
    kinds = "tags" if name.startswith("score") else "values", "tags" if name.endswith("tag") else "values"
    names, heads = (
        [Run(c.text, colour=muted, path=c.path) for c in numerals.cells(getattr(found, k), k)] for k in kinds
    )
    cells = numerals.cells(values, f"split.{name}", 1)
    sentence_rows.heat(page, place, cells, values / most, names, heads, BODY, palette.theme().origin)
    page.text(left + width / 2, bottom + height + 6.0, across, BODY, colour=muted, ha="center")
    name = Run(down, colour=muted)
    paint.upward(page.ax, left - 6.6, bottom + (height - paint.text_width(name)) / 2, name)


def _side(page, left: float, y: float, found, name: str, half: int, heading: str, part: str) -> None:
    """What a row of the figure is about, and how much of the projection's variance its half makes."""
    key = name.replace("W_K", "W_k").replace("W_V", "W_v")
    share = numerals.cell(found.reads[key][half], f"reads.{key}[{half}]")
    lines = paint.wrapped((Run(heading, style="b"),), 42.0, HEAD + 1)
    for i, line in enumerate(lines):
        page.text(left, y + 9.0 - 4.6 * i, line, HEAD + 1)
    said = rich(
        "[w] reads the **[part]**, which makes **[share]** of its output’s variance.",
        w=rows.symbol(name), part=part, share=share,
    )  # fmt: skip
    for i, line in enumerate(paint.wrapped(said, 42.0, BODY + 0.5)):
        page.text(left, y - 2.5 - 4.3 * i, line, BODY + 0.5)
