"""How things look, decided once for figures and films: colours, marks, number texts, rich text.

Colour says which word, the mark says which role. Nothing here draws; both toolkits take what is finished here.
"""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from attn import record
from attn.spelling import same_word

MINUS = "\N{MINUS SIGN}"
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")  # digits as superscripts
LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


# ---- colours ---------------------------------------------------------------------------------------------------

READABLE = 4.6  # contrast that text keeps on any ground
BAND = 0.16  # share of a word's colour in its row's band


@dataclass(frozen=True)
class Theme:
    """The colours of one edition. All are "#rrggbb"; text colours reach 4.5 to 1 on paper and on the shades."""

    name: str
    paper: str
    ink: str  # text
    muted: str  # headings of panels, what stands back
    rule: str  # axes, brackets, frames
    faint: str  # cube edges, grids
    context: str  # the "+ context" displacement and nothing else
    origin: str  # the word story.from
    target: str  # the word story.to
    followed: str  # the word that is followed
    others: tuple[str, ...]  # further words, in the order in which they appear
    shade: float  # share of a word's colour in the shade of its side


THEMES = {
    "light": Theme(
        name="light", paper="#ffffff", ink="#1b1f24", muted="#59636e", rule="#7c8691", faint="#c9ced4",
        context="#c0106f", origin="#0b5cad", target="#c0271d", followed="#00665a",
        others=("#8a5a00", "#5b6673", "#5d6600", "#7b4a38"), shade=0.12,
    ),
    "dark": Theme(
        name="dark", paper="#14181d", ink="#eceff2", muted="#a3adb8", rule="#84909c", faint="#404a55",
        context="#ff77c0", origin="#74b3f5", target="#ff8a7d", followed="#4fd1bd",
        others=("#e3b14c", "#b4bfca", "#c3cc5a", "#d9a48f"), shade=0.17,
    ),
}  # fmt: skip

_theme: ContextVar[Theme] = ContextVar("theme", default=THEMES["light"])


def theme() -> Theme:
    """The theme that is in force."""
    return _theme.get()


@contextmanager
def themed(name: str) -> Iterator[Theme]:
    """Puts the theme called `name` in force for the block. Raises KeyError for an unknown one."""
    token = _theme.set(THEMES[name])
    try:
        yield theme()
    finally:
        _theme.reset(token)


def word_colour(trace, word: str) -> str:
    """The one colour of `word`, however it is written: by its part in the story, else by the order of words.

    Without the story's two sides, their blue and red are free: they go to the last two words of the sentence.
    Raises ValueError for a word that is not in the vocabulary.
    """
    story = trace.model.story
    sides = None if story is None or story.origin is None else (story.origin, story.target)
    found = _word_colours(trace.model.vocabulary, trace.tokens, sides, theme())
    return found.get(word) or found[trace.model.entry(word)]


def word_colours(trace, words: Iterable[str]) -> list[str]:
    """The colours of several words: of rows that belong to them."""
    return [word_colour(trace, word) for word in words]


@lru_cache(64)  # every text of a picture asks for its word's colour
def _word_colours(vocabulary: tuple[str, ...], sentence: tuple[str, ...], sides, colours: Theme) -> dict[str, str]:
    """The colour of every word of the vocabulary."""
    tokens = [same_word(token, vocabulary) for token in sentence]
    if sides is None:
        roles = _plain_roles(tokens, colours)
    else:
        roles = dict(zip(sides, (colours.origin, colours.target), strict=True))
        roles.setdefault(tokens[-1], colours.followed)
    rest = [word for word in dict.fromkeys((*tokens, *vocabulary)) if word not in roles]
    free = [colour for colour in colours.others if colour not in roles.values()]
    free += [_further(i, colours) for i in range(len(colours.others), len(colours.others) + len(rest))]
    return roles | dict(zip(rest, free, strict=False))


def _plain_roles(tokens: Sequence[str], colours: Theme) -> dict[str, str]:
    """The colours of a sentence without sides: words that occur twice stand back, the others part well."""
    twice = [word for word in dict.fromkeys(tokens) if tokens.count(word) > 1]
    once = [word for word in tokens[::-1] if word not in twice]
    palette = (colours.target, colours.origin, colours.others[0], colours.followed)
    return dict(zip(twice, colours.others[1:2], strict=False)) | dict(zip(once, palette, strict=False))


# Round the wheel in steps that look alike, without the displacement's pink and the followed word's teal.
HUES = (0.07, 0.115, 0.165, 0.26, 0.33, 0.53, 0.56, 0.61, 0.68, 0.745, 0.8)


def _further(index: int, colours: Theme) -> str:
    """A colour for a word when the theme's are taken: hues that are far apart, some pale, some strong."""
    hue, strength = HUES[int(index * 0.618034 % 1 * len(HUES))], 0.38 + 0.3 * (index * 0.7549 % 1)
    lightness = 0.4 if colours.name == "light" else 0.6
    while True:
        colour = _hex(colorsys.hls_to_rgb(hue, lightness, strength))
        if contrast(colour, colours.paper) >= 5.5 or not 0 < lightness < 1:
            return colour
        lightness += -0.02 if colours.name == "light" else 0.02


def mix(colour: str, share: float, other: str | None = None) -> str:
    """`share` of a colour in the paper (or in `other`): a tint without transparency."""
    a, b = _rgb(colour), _rgb(other or theme().paper)
    return _hex(share * x + (1 - share) * y for x, y in zip(a, b, strict=True))


def band(colour: str, strength: float = 1.0) -> str:
    """The tint of a matrix's row that belongs to a word; the row that counts may have a stronger one."""
    return mix(colour, strength * BAND)


def shade(colour: str) -> str:
    """The tint of a word's side of the plane."""
    return mix(colour, theme().shade)


def contrast(first: str, second: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def on(fill: str) -> str:
    """The ink that reads better on `fill`: paper or ink of the theme."""
    return max((theme().paper, theme().ink), key=lambda ink: contrast(ink, fill))


def deepest(colours: Iterable[str], most: float = 0.9) -> float:
    """The largest share, at most `most`, of each of `colours` in the paper on which the theme's ink can be read."""
    share = most
    while share > 0 and min(contrast(theme().ink, mix(colour, share)) for colour in colours) < READABLE:
        share -= 0.02
    return share


def heat(share: float, colour: str = "") -> str:
    """The fill of a cell in a table whose number is `share` (0 to 1) of the way from the least to the largest.

    All numbers of a table are written in the theme's ink: on a deeper fill it could not be read.
    """
    colour = colour or mix(theme().ink, 0.55)
    return mix(colour, (0.05 + 0.95 * float(np.clip(share, 0, 1))) * deepest([colour]))


def lookup_colour(right: bool) -> str:
    """In the lookup experiment, the colour of the entry that holds the answer, or of all other tokens."""
    return theme().origin if right else theme().rule


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _rgb(colour)]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))


def _hex(rgb: Iterable[float]) -> str:
    return "#" + "".join(f"{round(255 * c):02x}" for c in rgb)


# ---- widths ----------------------------------------------------------------------------------------------------

WIDTHS = {"column": 84.0, "text": 130.0, "page": 174.0}  # mm, of a book's figures
_width: ContextVar[str] = ContextVar("width", default="page")


def width() -> str:
    """The width that is in force, one of WIDTHS. In a column the parts of a picture stand below each other."""
    return _width.get()


@contextmanager
def sized(name: str) -> Iterator[float]:
    """Puts the width called `name` in force for the block; gives it in mm. Raises KeyError for an unknown one."""
    millimetres = WIDTHS[name]
    token = _width.set(name)
    try:
        yield millimetres
    finally:
        _width.reset(token)


# ---- quantities ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Quantity:
    """One kind of vector or number: its name, its letter, how it is drawn."""

    name: str
    symbol: str
    dash: tuple[float, ...]  # on, off, ... in line widths; () is solid
    head: str  # what ends the line: "arrow", "square" or "dot"
    row: str  # the field of the trace that holds it


QUANTITIES = {
    q.row: q
    for q in (
        Quantity("embedding", "e", (0.1, 2.0), "arrow", "embeddings"),
        Quantity("position vector", "p", (), "arrow", "positions"),
        Quantity("positioned embedding", "x", (4.0, 2.0), "arrow", "positioned"),
        Quantity("query", "q", (), "arrow", "queries"),
        Quantity("key", "k", (4.0, 2.0), "square", "keys"),
        Quantity("value", "v", (), "dot", "values"),
        Quantity("attention weight", "α", (), "dot", "attention"),
        Quantity("attention output", "a", (), "arrow", "mixed"),
        Quantity("context displacement", "c", (), "arrow", "correction"),
        Quantity("contextual representation", "h", (), "arrow", "contextual"),
    )
}


# ---- numbers ---------------------------------------------------------------------------------------------------


def decimals(values, most: int = 2) -> int:
    """As few decimals as show every one of `values` exactly, `most` where that is not enough."""
    flat = np.asarray(values, dtype=float).ravel()
    for d in range(most):
        if np.all(np.abs(flat - np.round(flat, d)) < 1e-9):
            return d
    return most


def number(value: float, places: int = 2) -> str:
    """`value` with a true minus sign, never a negative zero; beyond 99,999 in powers of ten, 1.8·10⁵; −∞ as such."""
    if np.isinf(value):
        text, power = "∞" if value > 0 else "-∞", ""
    elif abs(value) < 99_999.5:
        text, power = f"{value:.{places}f}", ""
    else:
        text, _, exponent = f"{value:.1e}".partition("e")
        power = f"·10{str(int(exponent)).translate(RAISED)}"
    if text.startswith("-"):
        text = text[1:] if not text.strip("-0.") else MINUS + text[1:]
    return text + power


def value_of(text: str) -> float:
    """The value that a text by `number` shows, as rounded. Raises ValueError for any other text."""
    digits, times, power = text.removeprefix("+").replace(MINUS, "-").partition("·10")
    return float(f"{digits}e{power.translate(LOWERED)}" if times else digits)


def places_of(text: str) -> int:
    """How many decimals a text by `number` shows."""
    return len(text.partition(".")[2].partition("·")[0])


def weight_texts(weights, places: int = 2) -> list[str]:
    """Weights that sum to 1, rounded so that what is printed adds up to 1, too (largest remainder).

    Hamilton's method: every weight is rounded down, then the largest remainders get the units that are missing.
    """
    units = np.asarray(weights, dtype=float) * 10**places
    whole = np.floor(units + 1e-9)
    missing = int(round(10**places - whole.sum()))
    for i in sorted(range(len(units)), key=lambda i: (whole[i] - units[i], i))[:missing]:
        whole[i] += 1
    return [number(w / 10**places, places) for w in whole]


@dataclass(frozen=True)
class Cell:
    """A finished number: its text and its place in the trace."""

    text: str
    path: str


def cell(value: float, path: str, places: int = 2) -> Cell:
    """The cell of one number."""
    return Cell(number(value, places), path)


def cells(values, path: str, places: int | None = None) -> list:
    """The cells of an array, nested like it, all with the same number of decimals (as few as show it exactly)."""
    values = np.asarray(values, dtype=float)
    places = decimals(values) if places is None else places
    if values.ndim == 1:
        return [cell(v, f"{path}[{i}]", places) for i, v in enumerate(values)]
    return [cells(row, f"{path}[{i}]", places) for i, row in enumerate(values)]


def shape(trace, rows: str, columns: str = "") -> Rich:
    """A matrix's shape, 2 × 3, from the names of its sizes in the trace: V, n, n_max, d_model, d_k, d_v."""
    sizes = [as_rich(cell(size(trace, name), name, 0)) for name in (rows, columns) if name]
    return tuple(run for said in sizes for run in (Run(" × "), *said))[1:]


def size(trace, name: str) -> int:
    """A size by its name in the trace."""
    if name == "V":
        return len(trace.model.vocabulary)
    return getattr(trace if name == "n" else trace.model, name)


def weight_cells(weights, path: str) -> list[Cell]:
    """The cells of one row of attention weights; their texts add up to 1.00."""
    return [Cell(text, f"{path}[{i}]") for i, text in enumerate(weight_texts(weights))]


def probability_cells(trace, checkpoint: str, *place: str | int) -> dict[str, Cell]:
    """Each word's probability at one of the checkpoints; their texts add up to 1.00.

    place: where `trace` stands in the one that is drawn, if it is another: "contrast", 1.
    """
    texts = weight_texts(trace.decoder[checkpoint].probabilities)
    return by_word(trace, texts, *place, "decoder", checkpoint, "probabilities")


def score_cells(trace, checkpoint: str, places: int = 2) -> dict[str, Cell]:
    """Each word's score at one of the checkpoints."""
    texts = [number(score, places) for score in trace.decoder[checkpoint].scores]
    return by_word(trace, texts, "decoder", checkpoint, "scores")


def by_word(trace, texts: Sequence[str], *place: str | int) -> dict[str, Cell]:
    """A cell for each word of the vocabulary: its text, and its path, which goes on from `place` with the word."""
    words = zip(trace.model.vocabulary, texts, strict=True)
    return {word: Cell(text, record.path(*place, word)) for word, text in words}


# ---- rich text -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A piece of text in one style. Its text is drawn as it is: words are never markup."""

    text: str
    style: str = ""  # "", "i", "b" or "bi"
    script: int = 0  # -1 subscript, 0 on the line, 1 superscript
    colour: str | None = None  # None: the colour of the text around
    path: str | None = None  # where in the trace the number stands, for the record
    answer: bool = False  # a word that one finds out: left out on a worksheet


Rich = tuple[Run, ...]
_TOKEN = re.compile(r"(\*\*?|[_^]\{|\}|\[\w+\])")


def rich(template: str, **parts) -> Rich:
    """Text with marks of our own: *italic*, **bold**, _{below}, ^{above}, ~ for a blank at which no line ends, and
    [name] for one of `parts`.

    A part is a word (str), a Cell, a Run or Rich; it is put in after the marks are read, so that whatever it holds
    is drawn as it is. Raises KeyError for a name without a part.
    """
    runs: list[Run] = []
    style, script = set(), 0
    for token in _TOKEN.split(template):
        if token in ("*", "**"):
            style ^= {"i" if token == "*" else "b"}
        elif token in ("_{", "^{"):
            script = -1 if token == "_{" else 1
        elif token == "}":
            script = 0
        elif token:
            name = "".join(sorted(style))
            part = parts[token[1:-1]] if _TOKEN.fullmatch(token) else token.replace("~", "\N{NO-BREAK SPACE}")
            runs += [_styled(run, name, script) for run in as_rich(part)]
    return tuple(runs)


def as_rich(part) -> Rich:
    """A word, a Cell, a Run or Rich as Rich."""
    if isinstance(part, str):
        return (Run(part),)
    if isinstance(part, Cell):
        return (Run(part.text, path=part.path),)
    return (part,) if isinstance(part, Run) else tuple(part)


def _styled(run: Run, style: str, script: int) -> Run:
    return replace(run, style=run.style or style, script=run.script or script)


def word(trace, text: str, style: str = "b") -> Run:
    """A word in its colour."""
    return Run(text, style=style, colour=word_colour(trace, text))


def symbol(trace, row: str, text: str | None = None) -> Rich:
    """A quantity's letter with a word below it, both in the word's colour: e of "you".

    The letter of the "+ context" displacement has its own colour and nobody else's.
    """
    own = theme().context if row == "correction" else None
    colour = own or (word_colour(trace, text) if text else None)
    letter = Run(QUANTITIES[row].symbol, style="i", colour=colour)
    return (letter,) if text is None else (letter, Run(text, script=-1, colour=colour))


def spaced(runs: Sequence[Run], blank: str = "  ") -> Rich:
    """Runs with blanks between them."""
    return tuple(piece for run in runs for piece in (Run(blank), run))[1:]


def plain(runs: Rich) -> str:
    """The characters of rich text."""
    return "".join(run.text for run in runs)


def spoken(runs: Rich) -> str:
    """The characters of rich text as prose has them: words of the model in quotation marks."""
    return "".join(f"“{run.text}”" if run.colour and "b" in run.style else run.text for run in runs)
