"""Text in films: set by Typst in the bundled fonts, read back as outlines, exact on the baseline.

Typst shapes and places the glyphs; what comes back is parsed here into one object a run, so that a line of text costs
manim a handful of objects instead of one a letter. Words reach Typst as string literals: they are never markup. Results
are kept for the process; `Number` places kept digits itself and never calls Typst while it counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import typst
from manim import RIGHT, UP, VGroup, VMobject

from attn.core.numerals import Cell
from attn.picture import fonts
from attn.picture.palette import theme
from attn.picture.richtext import Rich, Run, as_rich

EM = 100  # points to the em in Typst: its SVG rounds to thousandths of a point
SCRIPT_SIZE, SUBSCRIPT, SUPERSCRIPT = 0.72, 0.19, -0.36  # in em; how far down their baselines lie
LINE, TIGHT = 1.28, 1.0  # line distance in em: of lines, and of the parts of a word that is broken
DIGIT = 0.65  # height of digits in em
CAP = 0.66  # of capitals
_FACE = '#text(font: %s, style: "%s", weight: %d, stretch: %g%%)[x]\n'
_SVG, _LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
_TOKEN = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")


class Layout(NamedTuple):
    """Text as it was set, in em: x to the right from the start of the first line, y up from its baseline."""

    outlines: tuple[np.ndarray, ...]  # one for each run: 4n x 3, control points of n cubic curves
    origins: tuple[tuple[float, float], ...]  # where each run's first glyph sits on its baseline; nan if it has none
    width: float
    lines: int


class Text(VGroup):
    """Rich text. One submobject a run (`runs`), and an invisible peg along the first line's baseline.

    size: of the em, in scene units (capitals are two thirds of it); colour: for runs without their own, default the
    theme's ink; width: in scene units, where lines are broken, None for a single line; parts: into how many, one below
    the other, its longest run is broken.
    """

    def __init__(self, text, size: float, colour: str | None = None, width: float | None = None, parts: int = 1):
        super().__init__()
        self.rich: Rich = as_rich(text)
        layout = set_text(self.rich, None if width is None else round(width / size, 6), parts=parts)
        self.rise = TIGHT * (parts - 1) / 2  # in em, from the middle of its parts to the middle of the first
        self.wide = layout.width  # in em
        self.peg = _Peg(layout.width * size)
        self.runs = [
            _shape(outline * size, run.colour or colour or theme().ink, run)
            for run, outline in zip(self.rich, layout.outlines, strict=True)
        ]
        self.add(self.peg, *self.runs)

    @property
    def em(self) -> float:
        """Its size as it is now: of the em, in scene units."""
        return float(np.linalg.norm(self.peg.points[-1] - self.peg.points[0])) / self.wide if self.wide else 0.0

    @property
    def baseline(self) -> np.ndarray:
        """Where the first line starts, on its baseline."""
        return self.peg.points[0]

    def at(self, point, anchor: float = 0.0) -> Text:
        """Puts the baseline on `point`: its start (anchor 0), middle (0.5) or end (1)."""
        start, end = self.peg.points[0], self.peg.points[-1]
        return self.shift(np.asarray(point) - start - anchor * (end - start))

    def middle(self, point, anchor: float = 0.0) -> Text:
        """Puts it beside `point`, on which the middle of its capitals lies, or of the parts it is broken into."""
        return self.at(np.asarray(point) + (self.rise - CAP / 2) * self.em * UP, anchor)

    def says(self, other: Text) -> None:
        """It has come to look like `other`, a text of as many runs: from now on it says so, too."""
        self.rich, self.wide, self.rise = other.rich, other.wide, other.rise
        for run, like in zip(self.runs, other.runs, strict=True):
            run.text_run = like.text_run


class Number(VGroup):
    """A number that can change every frame: digits of one width, placed by their advances.

    It stays put at its decimal point (or, without one, where the last digit ends). Its peg
    stands on the baseline at that point, as high as a digit, so that moving and scaling need no bookkeeping.
    """

    def __init__(self, text: str | Cell, size: float, colour: str | None = None, style: str = ""):
        super().__init__()
        number = text if isinstance(text, Cell) else Cell(text, None)
        self.peg = _Peg(DIGIT * size, upright=True)
        self.digits = _shape(np.zeros((0, 3)), colour or theme().ink, Run("", style, path=number.path))
        self.add(self.peg, self.digits)
        self.say(number.text)

    def say(self, text: str) -> Number:
        """Shows `text`, with the decimal point where it was."""
        run = self.digits.text_run
        outline, before = number_outline(text, run.style)
        self.digits.text_run = replace(run, text=text)
        self.digits.points = outline * self.em + (self.baseline - before * self.em * RIGHT)
        return self

    @property
    def em(self) -> float:
        """Its size as it is now: of the em, in scene units."""
        return (self.peg.points[-1, 1] - self.peg.points[0, 1]) / DIGIT

    @property
    def cell(self) -> Cell:
        """What it shows, and its place in the trace."""
        return Cell(self.digits.text_run.text, self.digits.text_run.path)

    def like(self, size: float) -> Number:
        """Another one that shows the same, in its colour, in this size."""
        return Number(self.cell, size, self.digits.get_fill_color().to_hex())

    def show(self, cell: Cell) -> Number:
        """Shows a finished number, which from then on is recorded with its place in the trace."""
        self.say(cell.text)
        self.digits.text_run = replace(self.digits.text_run, path=cell.path)
        return self

    @property
    def baseline(self) -> np.ndarray:
        """The decimal point's place on the baseline."""
        return self.peg.points[0]

    def at(self, point) -> Number:
        """Puts the decimal point's place on the baseline on `point`."""
        return self.shift(np.asarray(point) - self.baseline)


# ---- setting -----------------------------------------------------------------------------------------------------


@fonts.cached
def set_text(runs: Rich, width: float | None = None, kerning: bool = True, parts: int = 1) -> Layout:
    """Sets runs with Typst; width in em. Their colours and paths do not matter. Kept for the process."""
    source = _PREAMBLE % (
        "auto" if width is None else f"{width * EM}pt", _families(), "true" if kerning else "false",
        (LINE if parts == 1 else TIGHT) - 1,
    )  # fmt: skip
    root = ElementTree.fromstring(_compiler().compile((source + _markup(runs, parts)).encode(), format="svg"))
    symbols = {symbol.get("id"): symbol.find(f"{_SVG}path").get("d") for symbol in root.iter(f"{_SVG}symbol")}
    pieces: list[list[np.ndarray]] = [[] for _ in runs]
    origins = [(np.nan, np.nan)] * len(runs)
    heights = []
    for run, identity, matrix in _glyphs(root, np.eye(3)):
        x, y = matrix[0, 2] / EM, -matrix[1, 2] / EM
        if not pieces[run]:
            origins[run] = (x, y)
        pieces[run].append(_outline(symbols[identity]) / EM + [x, y, 0])
        heights.append(y - _drop(runs[run]))
    top = max(heights, default=0.0)
    down = np.array([0, top, 0])
    return Layout(
        tuple(np.concatenate(piece) - down if piece else np.zeros((0, 3)) for piece in pieces),
        tuple((x, y - top) for x, y in origins),
        float(root.get("viewBox").split()[2]) / EM,
        len({round(height, 2) for height in heights}),
    )


_PREAMBLE = f"""\
#set page(width: %s, height: auto, margin: 0pt, fill: none)
#set text(size: {EM}pt, font: (%s), fallback: false, hyphenate: false, lang: "en",
  top-edge: 0.75em, bottom-edge: -0.25em, kerning: %s)
#set par(leading: %sem, justify: false, linebreaks: "simple")
"""


def _markup(runs: Sequence[Run], parts: int = 1) -> str:
    """One text call a run; the fill is the run's number, by which its glyphs are known again."""
    calls, longest = [], max((len(run.text) for run in runs), default=0)
    for number, run in enumerate(runs):
        size = f"{SCRIPT_SIZE}em" if run.script else "1em"
        weight = "semibold" if "b" in run.style else "regular"
        slant = "italic" if "i" in run.style else "normal"
        down = -_drop(run) / (SCRIPT_SIZE if run.script else 1)
        text = literal(broken(run.text, parts) if len(run.text) == longest else run.text)
        calls.append(
            f'#text(size: {size}, weight: "{weight}", style: "{slant}", baseline: {down}em, '
            f'fill: rgb("#{number:06x}"), {text})'
        )
    return "".join(calls)


def broken(word: str, parts: int) -> str:
    """A word in so many lines, as even as can be, with hyphens at their ends; no mark is parted from its letter."""
    ends = [round(len(word) * k / parts) for k in range(1, parts)]
    for k, end in enumerate(ends):
        while end < len(word) and unicodedata.combining(word[end]):
            end += 1
        ends[k] = end
    return "-\n".join(word[a:b] for a, b in zip([0, *ends], [*ends, len(word)], strict=True))


def _drop(run: Run) -> float:
    """How far above the line a run's baseline lies, in em of the text."""
    return {0: 0.0, -1: -SUBSCRIPT, 1: -SUPERSCRIPT}[run.script]


def literal(text: str) -> str:
    """`text` as a string literal of Typst."""
    escaped = {"\\": "\\\\", '"': '\\"'}
    return '"' + "".join(escaped.get(c, c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in text) + '"'


def _glyphs(element, matrix: np.ndarray):
    """(run, symbol, matrix) of every glyph below `element`, in drawing order."""
    for child in element:
        if child.tag == f"{_SVG}use":
            place = np.array([[1, 0, float(child.get("x", 0))], [0, 1, float(child.get("y", 0))], [0, 0, 1]])
            yield int(child.get("fill")[1:], 16), child.get(_LINK)[1:], matrix @ place
        elif child.tag == f"{_SVG}g":
            yield from _glyphs(child, matrix @ _matrix(child.get("transform")))


def _matrix(transform: str | None) -> np.ndarray:
    if not transform:
        return np.eye(3)
    name, numbers = transform.rstrip(")").split("(")
    values = [float(number) for number in numbers.replace(",", " ").split()]
    if name == "translate":
        values = [1, 0, 0, 1, *values]
    a, b, c, d, e, f = values
    return np.array([[a, c, e], [b, d, f], [0, 0, 1]])


@cache
def _outline(path: str) -> np.ndarray:
    """An SVG path as cubic curves, 4n x 3, y up, as manim keeps them; contours are closed."""
    curves: list[list[complex]] = []
    here = start = 0j
    tokens = _TOKEN.findall(path)
    position, command = 0, ""

    def numbers(count: int) -> list[float]:
        nonlocal position
        position += count
        return [float(token) for token in tokens[position - count : position]]

    def line(to: complex) -> None:
        nonlocal here
        curves.append([here, here + (to - here) / 3, here + (to - here) * 2 / 3, to])
        here = to

    while position < len(tokens):
        if tokens[position].isalpha():
            command, position = tokens[position], position + 1
        base = here if command.islower() else 0j
        match command.upper():
            case "M":
                here = start = base + complex(*numbers(2))
            case "L":
                line(base + complex(*numbers(2)))
            case "H":
                line(complex(base.real + numbers(1)[0], here.imag))
            case "V":
                line(complex(here.real, base.imag + numbers(1)[0]))
            case "Q":
                x1, y1, x, y = numbers(4)
                middle, to = base + complex(x1, y1), base + complex(x, y)
                curves.append([here, here + (middle - here) * 2 / 3, to + (middle - to) * 2 / 3, to])
                here = to
            case "C":
                x1, y1, x2, y2, x, y = numbers(6)
                curves.append([here, base + complex(x1, y1), base + complex(x2, y2), base + complex(x, y)])
                here = curves[-1][-1]
            case "Z":
                if abs(here - start) > 1e-6:
                    line(start)
                here = start
            case _:
                raise ValueError(f"an outline with a path command that is not known here: {command}")
    flat = np.array(curves, dtype=complex).ravel()
    return np.column_stack((flat.real, flat.imag, np.zeros(len(flat))))


@fonts.cached
def _advance(character: str, style: str) -> tuple[np.ndarray, float]:
    """A character's outline and width, in em."""
    layout = set_text((Run(character, style=style), Run("|")), kerning=False)
    return layout.outlines[0], layout.origins[1][0]


@fonts.cached
def number_outline(text: str, style: str = "") -> tuple[np.ndarray, float]:
    """The outline of `text` set with equal digits and no kerning, in em, and how much of it is before the point."""
    pieces, x, before = [], 0.0, None
    for character in text:
        outline, width = _advance(character, style)
        if character == "." and before is None:
            before = x
        pieces.append(outline + [x, 0, 0])
        x += width
    return np.concatenate(pieces) if pieces else np.zeros((0, 3)), x if before is None else before


# ---- objects -----------------------------------------------------------------------------------------------------


def _shape(points: np.ndarray, colour: str, run: Run) -> VMobject:
    """A run of text as one object, which knows its text: scenes._kit.stage counts words and records numbers by it."""
    shape = VMobject(fill_color=colour, fill_opacity=1, stroke_width=0)
    shape.set_points(points.copy())
    shape.text_run = run
    return shape


class _Peg(VMobject):
    """An invisible line that moves along with a text and so remembers its baseline; it cannot be made visible."""

    def __init__(self, length: float, upright: bool = False):
        super().__init__(stroke_width=0, stroke_opacity=0, fill_opacity=0)
        self.set_points(np.array([k * length / 3 * (UP if upright else RIGHT) for k in range(4)]))

    def set_fill(self, color=None, opacity=None, family=True):
        return super().set_fill(color, 0, family)

    def set_stroke(self, color=None, width=None, opacity=None, background=False, family=True):
        return super().set_stroke(color, 0, 0, background, family)


# ---- fonts -------------------------------------------------------------------------------------------------------


@fonts.cached
def _families() -> str:
    """The families in the order in which they are asked for a glyph, as Typst strings."""
    own = [fonts.family(number) for number, _ in enumerate(fonts.own_files(), 1)]
    return ", ".join(map(literal, (fonts.FAMILY, fonts.FALLBACK, *own)))


@fonts.cached
def _compiler() -> typst.Compiler:
    """Typst with exactly the fonts that films use.

    Their folder is gone as soon as all have been read: when something has been set in them.
    """
    with fonts.in_a_folder() as folder:
        found = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder])
        compiler = typst.Compiler(root=folder, font_paths=found, ignore_system_fonts=True)
        faces = (_FACE % (literal(face.family), face.style, face.weight, 100 * face.stretch) for face in found.fonts())
        compiler.compile("".join(faces).encode(), format="svg")
    return compiler
