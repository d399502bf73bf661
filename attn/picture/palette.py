"""Colours, decided once for figures and films: themes, the colour of each word, tints and what can be read on them.

Colour says which word; the mark says which role.
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attn.core.spelling import same_word

READABLE = 4.6  # contrast that text keeps on any ground


BAND = 0.16  # share of a word's colour in its row's band
UNHEARD = 0.4  # share of its colour in the arrow of a word to which the followed one does not listen
BEHIND = 0.45  # share of its colour in what is seen through the plane


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


def heard(colour: str, share: float) -> str:
    """The colour of a word's arrow: the paler, the smaller its weight is as a share of the largest."""
    return mix(colour, UNHEARD + (1 - UNHEARD) * share)


def pane() -> str:
    """The tint of the plane itself."""
    return mix(theme().ink, 0.13)


def behind(colour: str) -> str:
    """The colour of what lies behind the plane."""
    return mix(colour, BEHIND, pane())


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
