"""Reading drawn figures back: bars, arrows, dots and printed numbers of a matplotlib figure, in data coordinates."""

from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.text import Text

from attn.core import weights
from attn.core.model import Model, Story
from attn.core.reading import Reading
from attn.picture import palette
from attn.picture.drawn import as_dict, picture
from figures._kit import paint

CASES = Path(__file__).parents[1] / "cases"
FILES = [CASES / "reference.toml", *sorted((CASES / "good").glob("*.toml"))]
REFERENCE = FILES[0]


def large(words: int = 12, vocabulary: int = 40, mask: bool = True, names=(), alone: bool = False) -> Model:
    """A model with a long sentence and a large vocabulary; the same numbers every time."""
    rng = np.random.default_rng(7)
    names = names or tuple(f"word{i}" for i in range(vocabulary))
    sentence = tuple(names[(3 + i) % vocabulary] for i in range(words))

    def array(*shape):
        return np.round(rng.uniform(-2, 2, shape) * 2) / 2 + 0.0

    return Model(
        names, array(vocabulary, 3), array(2, 3), array(2, 3), array(2, 3), positions=array(words, 3), W_O=array(3, 2),
        W_out=array(vocabulary, 3), b_out=array(vocabulary), causal=mask,
        story=Story(sentence, *(() if alone else names[1:3])),
    )  # fmt: skip


def worded(model: Model, names) -> Model:
    """A model with other words, as many of `names` as it has."""
    named = dict(zip(model.vocabulary, names, strict=False))
    sentence = tuple(named[model.entry(word)] for word in model.story.sentence)
    story = Story(sentence, named.get(model.story.origin), named.get(model.story.target))
    return replace(model, vocabulary=tuple(named.values()), story=story, expect=(), title="")


def named(source) -> str:
    """What a test's case is called."""
    return source.stem if isinstance(source, Path) else f"{len(source.story.sentence)} words"


@cache
def traced(source):
    """The trace of a file or a model, ready to be drawn."""
    return picture(source if isinstance(source, Model) else weights.load(source))


@lru_cache(64)  # as many as a file of tests comes back to; figures are large
def drawn(name: str, source, theme: str = "light"):
    """The figure called `name`."""
    with paint.style(), palette.themed(theme):
        return import_module(f"figures.{name}").draw(Reading(traced(source)))


@cache
def data(source) -> dict:
    return as_dict(traced(source))


def printed(figure) -> dict[str, list[str]]:
    """Every printed number by its path."""
    found: dict[str, list[str]] = {}
    for entry in paint.record(figure):
        found.setdefault(entry["path"], []).append(entry["text"])
    return found


def texts(figure) -> list[str]:
    return [artist.get_text() for artist in figure.findobj(Text) if artist.get_text().strip()]


def page(figure):
    """The axes in millimetres that cover the whole page."""
    return figure.axes[0]


def panels(figure) -> list:
    return figure.axes[1:]


def bars(figure, colour: str) -> list[tuple[float, float, float, float]]:
    """Upright rectangles of one colour on the page: left, bottom, right, top in mm, in drawing order."""
    found = []
    for artist in page(figure).findobj(Polygon):
        corners = np.unique(artist.get_xy()[:-1].round(9), axis=0)
        low, high = corners.min(axis=0), corners.max(axis=0)
        if len(artist.get_xy()) == 5 and same(artist.get_facecolor(), colour) and upright(corners, low, high):
            found.append((*low, *high))
    return found


def upright(corners, low, high) -> bool:
    return bool(np.all((corners == low) | (corners == high)))


def tips(axes, colour: str) -> np.ndarray:
    """The tips of all arrow heads of one colour in a panel, m x 2; of those behind the plane, too."""
    heads = [p.get_xy() for p in axes.findobj(Polygon) if worn(p.get_facecolor(), colour) and len(p.get_xy()) == 5]
    return np.array([xy[0] for xy in heads]).reshape(-1, 2)


def dots(axes, colour: str) -> np.ndarray:
    """The centres of all discs of one colour in a panel, m x 2."""
    rings = [p.get_xy()[:-1] for p in axes.findobj(Polygon) if len(p.get_xy()) > 30]
    owners = [p for p in axes.findobj(Polygon) if len(p.get_xy()) > 30]
    centres = [ring.mean(axis=0) for ring, p in zip(rings, owners, strict=True) if worn(p.get_facecolor(), colour)]
    return np.array(centres).reshape(-1, 2)


def starts(axes, colour: str) -> np.ndarray:
    """The first points of all lines of one colour in a panel, m x 2."""
    lines = [a.get_xydata()[0] for a in axes.findobj(Line2D) if worn(a.get_color(), colour)]
    return np.array(lines).reshape(-1, 2)


def same(colour, other) -> bool:
    from matplotlib.colors import to_hex

    return to_hex(colour) == to_hex(other)


def worn(colour, own) -> bool:
    """Whether a colour is a word's own, or what is seen of that through the plane."""
    return same(colour, own) or same(colour, palette.behind(own))


def has(points, point, tolerance: float = 1e-6) -> bool:
    """Whether one of `points` (m x 2) is `point`."""
    return bool(len(points)) and bool(np.abs(np.asarray(points) - point).max(axis=1).min() < tolerance)
