"""Four lines of code beside the four steps they compute, with the shapes of all matrices drawn to scale."""

from __future__ import annotations

import inspect

from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import palette, richtext, rows
from attn.picture.richtext import Rich, Run, rich
from attn.texts.formula_code import texts
from figures._kit import paint, sentence_rows
from figures._kit.paint import BODY, HEAD, SMALL

SUBJECT = "sentence"
CODE = 10.0  # pt
LINE = 20.0  # mm from step to step
SIGNS = ("·", "=", "→")
SHAPES = {
    "X": ("n", "d_model"), "W_Q": ("d_model", "d_k"), "W_K": ("d_model", "d_k"), "W_V": ("d_model", "d_v"),
    "Q": ("n", "d_k"), "K": ("n", "d_k"), "V": ("n", "d_v"), "KT": ("d_k", "n"), "S": ("n", "n"), "A": ("n", "n"),
    "out": ("n", "d_v"),
}  # fmt: skip
SHOWN = (
    ("X", "·", "W_Q", "W_K", "W_V", "=", "Q", "K", "V"),
    ("Q", "·", "KT", "=", "S"),
    ("S", "→", "A"),
    ("A", "·", "V", "=", "out"),
)
TITLES = ("Project", "Score, and scale", "Softmax, row by row", "Blend the values")


def draw(trace) -> Figure:
    """A row a line: the code on the left, its formula in the middle, the shapes on the right."""
    lines = code_lines()
    page, (left, bottom, width, height) = sentence_rows.frame(
        texts(trace), paint.PAGE, 4 * LINE + 36.5, trace, rows.convention()
    )
    colours, top = palette.theme(), bottom + height - 8.5
    columns = (left, left + 60.0, left + 100.0)
    size = min(paint.fitted(_code(line), columns[1] - left - 14.0, CODE) for line in lines)
    page.polygon(paint.box(left, bottom + 1.0, columns[1] - 4.0, bottom + height), palette.mix(colours.ink, 0.05))
    page.text(left + 2.5, top + 2.0, _code(lines[0]), size)
    unit = min(1.9, (LINE - 9.0) / max(trace.n, trace.model.d_model))
    for i, line in enumerate(lines[1:]):
        y = top - LINE * (i + 0.5)
        page.text(left + 6.5, y, _code(line), size, va="middle")
        page.text(columns[1], y + 2.6, (Run(TITLES[i], style="b"),), HEAD, va="middle")
        formula = _formulas()[i]
        fitted = paint.fitted(formula, columns[2] - columns[1] - 2.0, HEAD + 1)
        page.text(columns[1], y - 3.2, formula, fitted, va="middle")
        if i:
            page.line([(columns[1], y + LINE / 2), (left + width, y + LINE / 2)], colours.faint)
        _shapes(page, columns[2], y, trace, SHOWN[i], unit)
    return page.figure


def code_lines() -> list[str]:
    """The function that is shown, `attn.picture.rows.attention`, line by line as it stands in its file, indents cut."""
    lines = inspect.getsource(rows.attention).splitlines()
    return [line.strip() for line in lines if line.strip()]


def _code(line: str) -> Rich:
    """A line of code, its keywords bold."""
    runs, colours = [], palette.theme()
    for piece in line.split(" "):
        runs += [Run(" ")] if runs else []
        runs.append(Run(piece, style="b" if piece in ("def", "return") else "", colour=colours.ink))
    return tuple(runs)


def _formulas() -> tuple[Rich, ...]:
    return (
        tuple(run for name in rows.NAMES for run in (*rich(f"*{name[-1]}* = *X* "), *rows.symbol(name), Run("  "))),
        (*rich("*S* = *Q K*^{T} / √"), *rich("*d*_{k}")),
        rich("*A*_{ij} = exp *S*_{ij} / Σ_{m} exp *S*_{im}"),
        rich("*out* = *A V*"),
    )


def _shapes(page, x: float, y: float, trace, parts, unit: float) -> None:
    """The matrices of a step as rectangles to scale, their shapes below."""
    for part in parts:
        if part in SIGNS:
            sentence_rows.sign(page, x + 2.0, y + 0.8, part)
            x += 5.0
            continue
        high, wide = SHAPES[part]
        width, height = numerals.size(trace, wide) * unit, numerals.size(trace, high) * unit
        room = max(width, 7.4)
        _rectangle(page, (x + (room - width) / 2, y + 0.8 - height / 2, width, height), trace, part)
        label = richtext.shape(trace, high, wide)
        page.text(x + room / 2, y - LINE / 2 + 1.8, label, SMALL, ha="center", colour=palette.theme().muted)
        x += room + 1.2


def _rectangle(page, place, trace, name: str) -> None:
    """A matrix without its numbers: rows that belong to words as bands in their colours."""
    x, y, width, height = place
    colours = palette.theme()
    words, learned = rows.words(trace), name in rows.NAMES
    if not learned:
        across = name == "KT"  # its columns belong to words
        step = (width if across else height) / len(words)
        for i, run in enumerate(words):
            fill = palette.mix(run.colour, 0.3)
            down = paint.box(x, y + height - (i + 1) * step, x + width, y + height - i * step)
            band = paint.box(x + i * step, y, x + (i + 1) * step, y + height) if across else down
            page.polygon(band, fill, colours.paper, 0.5)
    corners = paint.box(x, y, x + width, y + height)
    page.line([*corners, corners[0], corners[1]], colours.ink if learned else colours.rule, 1.5 if learned else 0.6)
    letter = rows.symbol(name) if learned else rich("*K*^{T}") if name == "KT" else (Run(name, style="i"),)
    page.text(x + width / 2, y + height + 1.7, letter, BODY, ha="center")
