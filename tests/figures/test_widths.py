"""Figures at the widths they allow: their parts below each other in a column, and texts that say so."""

import re
from importlib import import_module

import numpy as np
import pytest
from click.testing import CliRunner

from attn.build.assets import Asset, assets
from attn.cli import main
from attn.core import weights
from attn.core.forward import CHECKPOINTS
from attn.picture import palette, sizes
from attn.picture.drawn import picture
from figures._kit import paint
from tests.figures.artists import CASES, REFERENCE, dots, has, panels, printed, tips
from tests.often import some

STORY = [asset for asset in assets("figures") if asset.subject == "story"]
NARROW = [asset for asset in STORY if "column" in asset.widths]
STEPS = [asset for asset in NARROW if asset.name not in ("summary", "attention_matrix", "contrast")]


def drawn(asset, width, file=REFERENCE):
    trace = picture(weights.load(file))
    with paint.style(), sizes.sized(width):
        module = import_module(asset.module)
        return module.draw(trace), module.texts(trace), trace


def test_nearly_every_figure_of_the_story_can_be_set_in_a_column():
    """But for a whole way on one page."""
    assert len(NARROW) >= len(STORY) - 1 and sum("text" in asset.widths for asset in STORY) >= 9


@pytest.mark.parametrize("asset", some(NARROW), ids=lambda asset: asset.name)
def test_texts_say_where_the_parts_are(asset):
    for width in asset.widths:
        alt = drawn(asset, width)[1].alt
        beside, below = re.search("[Oo]n the (left|right)|side by side", alt), re.search("At the top|Below it", alt)
        assert not (below if width == "page" else beside if width == "column" else None), alt


@pytest.mark.parametrize("asset", some(STEPS), ids=lambda asset: asset.name)
def test_in_a_column_the_second_part_is_below_the_space(asset):
    figure, _, _ = drawn(asset, "column")
    height = figure.get_figheight() * 25.4
    space, *others = [axes.get_position() for axes in panels(figure)]
    assert space.width * 84.0 == pytest.approx(81.0)
    assert all(other.y1 < space.y0 for other in others)
    page = figure.axes[0]
    numbers = [t for t in page.texts if getattr(t, "cell_path", None)]
    numbers = [t.get_position()[1] for t in numbers if not t.get_text().endswith("%")]  # nor those over the sentence
    assert max(numbers) < space.y0 * height


@pytest.mark.parametrize("width", sizes.WIDTHS)
def test_arrows_end_where_the_trace_says_at_every_width(width):
    figure, _, trace = drawn(Asset("figures", "step7_context"), width)
    colour, space = palette.word_colour(trace, trace.tokens[-1]), panels(figure)[0]
    ends = np.concatenate([tips(space, colour), dots(space, colour)])
    for name in CHECKPOINTS:
        assert has(ends, trace.view.project(trace.state(name)))
    assert has(tips(space, palette.theme().context), trace.view.project(trace.state("contextual")))


def test_a_column_has_room_for_the_weights_alone_and_says_so():
    matrix = Asset("figures", "attention_matrix")
    for width, both in (("page", True), ("text", True), ("column", False)):
        figure, texts, _ = drawn(matrix, width)
        assert any(path.startswith("scores") for path in printed(figure)) == both
        assert texts.alt.startswith("Two square tables" if both else "A square table")
        assert ("scores" in texts.caption.partition(".")[0]) == both


@pytest.mark.parametrize("width", some(["text", "column"]))
@pytest.mark.parametrize("name", ["long-words", "symbols"])
def test_the_same_numbers_stand_in_a_narrow_decoder_margin_and_summary(width, name):
    file = REFERENCE if name == "you" else CASES / "good" / f"{name}.toml"
    for figure in ("decoder", "margin", "summary", "step7_context", "step4_softmax"):
        asset = Asset("figures", figure)
        assert printed(drawn(asset, width, file)[0]) == printed(drawn(asset, "page", file)[0])


@pytest.mark.parametrize("asset", some(NARROW), ids=lambda asset: asset.name)
@pytest.mark.parametrize("wanted", some([150.0, 97.5, 210.0]))
def test_a_figure_is_as_wide_as_is_wanted(asset, wanted):
    figure = drawn(asset, asset.size(wanted))[0]
    paint.check_room(figure)
    assert figure.get_figwidth() * 25.4 == pytest.approx(wanted)


def test_an_arrangement_is_never_squeezed_but_the_narrowest():
    for asset in NARROW:
        for wanted in (60.0, 84.0, 129.9, 130.0, 400.0):
            size = asset.size(wanted)
            assert size.millimetres == wanted and size.arranged in asset.widths
            assert size.arranged == "column" or sizes.WIDTHS[size.arranged] <= wanted


@pytest.mark.parametrize("wanted", ["narrow", "59", "nan", "84mm", "0x60", ""])
def test_an_unknown_width_is_refused(wanted):
    done = CliRunner().invoke(main, ["figure", "step7_context", "--width", wanted])
    assert done.exit_code == 2 and wanted in done.stderr and len(done.stderr.splitlines()) == 1
