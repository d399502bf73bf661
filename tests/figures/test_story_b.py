"""Story B's figures against the numbers they come from: printed numbers, bands, frames, and the laws they show."""

import json
import re
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.text import Text

from attn.build import assets, subjects, trained
from attn.core import numerals, record, weights
from attn.core.forward import forward
from attn.core.model import WeightsError
from attn.core.reading import Reading
from attn.lab import lookup
from attn.picture import palette, rows
from attn.picture.drawn import as_dict
from attn.texts import symmetry
from attn.texts.sentence_matrix import repeated
from figures._kit import paint, sentence_rows
from tests.figures.test_laws import ink

SENTENCE = ("sentence_matrix", "qkv", "row_wise", "mechanism", "symmetry", "formula_code")
EXPERIMENT = ("lookup_attention", "lookup_training", "lookup_split")
CHASED = subjects.SHIPPED / "chased.toml"
LONG = """
format = "attn-weights/1"
[model]
vocabulary = ["characteristically", "I", "misunderstood", "the", "incomprehensible", "$x_1$"]
mask = "none"
[parameters]
embeddings = [[1.05, -11.5, 0.25, 0.1], [0.1, 0.2, 0.3, 0.4], [-1.0, 2.0, 0.5, 0.0], [0.5, -0.5, 1.0, -1.0],
              [1.0, 1.0, 0.5, 1.0], [0.0, 1.0, 0.3, 1.0]]
W_Q = [[0.3, -0.1, -0.8, 1.0], [-0.1, -0.3, 0.9, 0.5]]
W_K = [[0.3, -0.1, -0.4, 1.0], [-0.1, -0.3, 0.1, -0.5]]
W_V = [[0.3, -0.1, -0.8, 1.0], [-0.1, -0.3, 0.9, 0.5], [1.0, 0.0, 0.0, 1.0]]
[story]
sentence = "characteristically I misunderstood THE incomprehensible $x_1$ the"
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """(the experiment with few seeds, its plain data)."""
    folder = tmp_path_factory.mktemp("lookup")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "SEEDS", (0, 1, 2))
        found = trained.load(folder)
    return found, json.loads(trained.file(folder).read_bytes())["results"]


@pytest.fixture(scope="module")
def chased():
    return forward(weights.load(CHASED))


def drawn(name, data, theme="light"):
    with palette.themed(theme), paint.style():
        return import_module(f"figures.{name}").draw(Reading(data))


def source(name, chased, results):
    """(what a figure is drawn from, the same as plain data)."""
    return results if name in EXPERIMENT else (chased, as_dict(chased))


def value_of(text: str) -> float:
    return float(text.replace(numerals.MINUS, "-"))


@pytest.mark.parametrize("name", SENTENCE + EXPERIMENT)
def test_every_number_leads_to_its_place(name, chased, results):
    data, plain = source(name, chased, results)
    values = paint.record(drawn(name, data))
    assert len(values) > 15
    for value in values:
        found = record.lookup(plain, value["path"])
        places = len(value["text"].partition(".")[2])
        assert abs(value_of(value["text"]) - found) <= 1.01 * 10**-places, value  # weights: largest remainder


@pytest.mark.parametrize("name", SENTENCE)
def test_long_words_have_room(name):
    figure = drawn(name, forward(weights.read(LONG)))
    artists = [t for t in figure.findobj(Text) if t.get_text().strip()]
    boxes = np.array([ink(t) for t in artists])
    assert (boxes[:, :2] > 0.5).all() and (boxes[:, 2:] < 25.4 * figure.get_size_inches() - 0.5).all()
    over = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:]) - np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    for i, j in np.argwhere(np.triu((over > 0.1).all(axis=2), 1)):
        first, second = artists[i], artists[j]
        assert getattr(first, "together", 0) is getattr(second, "together", 1), (first.get_text(), second.get_text())


def test_a_sentence_that_does_not_fit_is_said_to_be_too_long(chased):
    long = forward(chased.model, "the cat chased the mouse " * 5)
    with pytest.raises(WeightsError, match="too many words"):
        drawn("mechanism", long)


@pytest.mark.parametrize("name", SENTENCE + EXPERIMENT)
def test_texts_are_filled_and_their_numbers_are_the_traces(name, chased, results):
    data, plain = source(name, chased, results)
    texts = import_module(f"figures.{name}").texts(data)
    assert texts is not None and len(texts.caption) > 80 and len(texts.alt) > 80 and texts.title
    assert "{" not in texts.caption + texts.alt
    true = {numerals.number(value) for value in leaves(plain)}
    assert set(re.findall(r"−?\d+\.\d\d", texts.caption + texts.alt)) <= true


def leaves(value):
    """The numbers in nested data."""
    if isinstance(value, (dict, list, tuple)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from leaves(item)
    elif isinstance(value, (int, float)):
        yield value


def test_each_is_an_asset_with_its_subject():
    found = {asset.name: asset.subject for asset in assets.assets("figures")}
    assert {found[name] for name in SENTENCE} == {"sentence"}
    assert {found[name] for name in EXPERIMENT} == {"lookup"}


# Laws


def test_row_i_of_the_projections_depends_on_row_i_alone(chased):
    model = chased.model
    changed = model.embeddings.copy()
    changed[model.index("cat")] += 1.0
    other = forward(replace(model, embeddings=changed))
    for name in ("queries", "keys", "values"):
        before, after = getattr(chased, name), getattr(other, name)
        same = [np.array_equal(a, b) for a, b in zip(before, after, strict=True)]
        assert same == [True, False, True, True, True]
    assert not np.allclose(chased.mixed, other.mixed)  # but words meet in the output


def test_one_matrix_for_both_makes_the_scores_symmetric(chased):
    assert np.array_equal(chased.tied, chased.tied.T)
    assert not np.allclose(chased.scores, chased.scores.T)
    model = replace(chased.model, W_K=chased.model.W_Q)
    assert np.allclose(forward(model).scores, chased.tied)


@pytest.mark.parametrize("change", [1.0, -1.0])  # with either the scores are symmetric
def test_scores_that_are_their_own_mirror_are_said_to_be(chased, change):
    trace = forward(replace(chased.model, W_K=change * chased.model.W_Q))
    said = symmetry.texts(trace)
    assert "in the right one they are equal, too" in said.alt and "symmetric as well" in said.caption
    unlike = [text for text in drawn("symmetry", trace).findobj(Text) if "≠" in text.get_text()]
    assert len(unlike) == (change < 0)  # W_k and W_q differ then, no scores do


def test_the_rows_convention_gives_the_same_numbers(chased):
    X, m = chased.positioned, chased.model
    for name, field in rows.MADE.items():
        assert np.allclose(X @ rows.matrix(m, name), getattr(chased, field))
    output = rows.attention(X, *(rows.matrix(m, name) for name in rows.NAMES))
    assert np.allclose(output, chased.mixed)


def test_cells_of_the_turned_matrix_keep_their_place_in_the_file(chased):
    cells = rows.matrix_cells(chased, "W_Q")
    assert (len(cells), len(cells[0])) == (chased.model.d_model, chased.model.d_k)
    assert cells[3][0].path == "parameters.W_Q[0][3]" and cells[3][0].text == "1.0"


def test_the_pair_that_is_picked_out_differs_most(chased):
    i, j = rows.telling_pair(chased)
    assert (chased.tokens[i], chased.tokens[j]) == ("chased", "mouse")


# Artists


def test_both_copies_of_a_word_have_the_same_band_and_numbers(chased):
    block = sentence_rows.sentence_block(chased)
    assert [c.text for c in block.cells[0]] == [c.text for c in block.cells[3]]
    figure = drawn("sentence_matrix", chased)
    bands = [to_hex(p.get_facecolor()) for p in figure.findobj(Polygon)]
    with palette.themed("light"):
        band = palette.band(palette.word_colour(chased, "The"))
    assert bands.count(band) == 3  # its row in the table and two in the sentence


def test_the_framed_cells_are_each_others_mirror(chased):
    figure = drawn("symmetry", chased)
    frames = [line for line in figure.findobj(Line2D) if line.get_linewidth() == 1.8]
    assert len(frames) == 4
    centres = [np.mean(line.get_xydata()[:4], axis=0) for line in frames]
    numbers = [t for t in figure.findobj(Text) if getattr(t, "cell_path", None) and "tied[" in t.cell_path]
    at = {t.cell_path: np.array(t.get_position()) for t in reversed(numbers)}  # below the grid they are said again
    for path in ("tied[2][4]", "tied[4][2]"):
        assert min(np.hypot(*(at[path] - centre)) for centre in centres) < 6.0


def test_bars_are_as_high_as_the_weights(results):
    found, _ = results
    figure = drawn("lookup_attention", found)
    module = import_module("figures.lookup_attention")
    with palette.themed("light"):
        blue = palette.lookup_colour(True)
    bars = [p.get_xy() for p in figure.findobj(Polygon) if to_hex(p.get_facecolor()) == blue]
    heights = [np.ptp(xy[:, 1]) for xy in bars]
    wanted = [module.BARS * found.attention[step][found.example["entry"]] for step in found.steps]
    assert np.allclose(heights, wanted)


def test_the_curve_is_the_median_of_the_seeds(results):
    found, _ = results
    assert np.allclose(found.bands["right"][1], np.median(found.right, axis=0), atol=1e-8)
    curves = [line for line in drawn("lookup_training", found).findobj(Line2D) if line.get_linewidth() == 1.8]
    ys = curves[0].get_ydata()
    low, high = ys.min(), ys.max()
    median = found.bands["right"][1]
    expected = low + (median - median.min()) / np.ptp(median) * (high - low)
    assert np.allclose(ys, expected)


def test_the_code_that_is_shown_is_the_code_that_runs():
    lines = import_module("figures.formula_code").code_lines()
    assert len(lines) == 5 and lines[0].startswith("def attention(") and lines[-1].startswith("return ")


def test_a_word_said_twice_is_found(chased):
    assert repeated(chased) == "the"
    assert repeated(forward(chased.model, "cat chased the mouse")) is None
