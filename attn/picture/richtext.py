"""Text in runs, each of one style: words are never markup, numbers carry their place in the trace."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from attn.core.numerals import Cell, cell, size
from attn.picture.palette import theme, word_colour
from attn.picture.quantities import QUANTITIES


def shape(trace, rows: str, columns: str = "") -> Rich:
    """A matrix's shape, 2 × 3, from the names of its sizes in the trace: V, n, n_max, d_model, d_k, d_v."""
    sizes = [as_rich(cell(size(trace, name), name, 0)) for name in (rows, columns) if name]
    return tuple(run for said in sizes for run in (Run(" × "), *said))[1:]


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
    style: set[str] = set()
    script = 0
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


def as_data(runs: Rich) -> list[dict]:
    """Rich text for a JSON file: each run's text, its style and script where it has one, and whether it is a word."""
    return [
        {"text": run.text}
        | ({"style": run.style} if run.style else {})
        | ({"script": run.script} if run.script else {})
        | ({"word": True} if _is_word(run) else {})
        for run in runs
    ]


def from_data(found: list[dict]) -> Rich:
    """What `as_data` wrote, for `spoken`: a word has some colour."""
    return tuple(
        Run(one["text"], one.get("style", ""), one.get("script", 0), one.get("word") and "word") for one in found
    )


def spoken(runs: Rich) -> str:
    """The characters of rich text as prose has them: words of the model in quotation marks."""
    return "".join(f"“{run.text}”" if _is_word(run) else run.text for run in runs)


def _is_word(run: Run) -> bool:
    """Whether a run is a word of the model, in its colour."""
    return bool(run.colour) and "b" in run.style
