"""Words of up to twelve letters are whole in every figure, at every width; longer ones and more of them keep apart."""

from functools import cache
from importlib import import_module

import pytest

from attn.build.assets import ROOT, assets
from attn.build.subjects import tells
from attn.core import weights
from attn.core.model import Model, WeightsError
from attn.picture import sizes
from attn.picture.drawn import picture
from figures._kit import paint
from tests.figures import artists
from tests.figures import test_laws as laws

TWELVE = (
    "Wissenschaft", "hereinbefore", "whyeverwheny", "Mannschaften", "questionable", "yourselveses",
    "indépendants", "understander", "Gesellschaft", "parlementair", "commentators", "zwischenruft",
)  # fmt: skip
FIGURES = [asset for asset in assets("figures") if asset.subject in ("story", "sentence")]
DRAWN = [
    pytest.param(
        asset,
        width,
        id=f"{asset.name}-{width}",
        marks=[] if width == asset.widths[-1] and not i % 2 else pytest.mark.slow,
    )
    for i, asset in enumerate(FIGURES)
    for width in asset.widths
]
each = pytest.mark.parametrize(("asset", "width"), DRAWN)


def story(count: int, letters: int = 12, vocabulary: int = 12, alone: bool = False) -> Model:
    """A sentence of `count` words of so many letters."""
    names = tuple((word * 2)[:letters] if i < 12 else f"{i}{word}"[:letters] for i, word in enumerate(2 * TWELVE))
    return artists.large(count, vocabulary, mask=not alone, names=names[:vocabulary], alone=alone)


@cache
def traced(asset, *options):
    model = story(*options, alone=asset.subject == "sentence")
    assert tells(model) == asset.subject
    return picture(model)


@cache
def shipped(asset):
    """The shipped weights, with words of twelve letters."""
    file = "you" if asset.subject == "story" else "chased"
    return picture(artists.worded(weights.load(ROOT / f"attn/weights/{file}.toml"), TWELVE))


def drawn(asset, width: str, trace):
    with paint.style(), sizes.sized(width):
        figure = import_module(asset.module).draw(trace)
        paint.check_room(figure)
    return figure


def check_whole(figure) -> None:
    assert [text.get_text() for text in laws.texts_of(figure) if "…" in text.get_text()] == []
    laws.check_distances(figure)


@each
def test_words_of_twelve_letters_are_whole(asset, width):
    check_whole(drawn(asset, width, shipped(asset)))


@pytest.mark.slow
@pytest.mark.parametrize("options", [(1, 12, 6), (2,), (6,), (8,)], ids=str)
@each
def test_they_are_whole_in_sentences_of_any_length(asset, width, options):
    check_whole(drawn(asset, width, traced(asset, *options)))


@pytest.mark.slow
@pytest.mark.parametrize("options", [(3, 18), (3, 24), (12, 13, 16), (20, 6, 24)], ids=str)
@each
def test_more_and_longer_words_keep_apart_or_are_refused_with_the_cause(asset, width, options):
    try:
        laws.check_distances(drawn(asset, width, traced(asset, *options)))
    except WeightsError as error:
        assert "\n" not in str(error) and ("words" in str(error) or "no room for it" in str(error)), error
