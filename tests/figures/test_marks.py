"""What the steps share: arcs over the sentence, the prediction strip, the place of the 3-D space."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.lines import Line2D

from attn.core import numerals, weights
from attn.core.model import Model
from attn.picture import palette, richtext, sizes
from attn.texts.phrases import probability
from figures._kit import arcs, paint, strip
from tests.figures import artists
from tests.figures.artists import FILES, REFERENCE, dots, drawn, large, named, page, printed, same, traced

SOURCES = [REFERENCE, FILES[-1], large()]
STEPS = ["step0_embeddings", "step1_positions", "step2_projections", "step3_scores", "step4_softmax", "step5_mixing",
         "step6_output", "step7_context", "decoder"]  # fmt: skip
LISTENING = STEPS[4:]
every = pytest.mark.parametrize("source", SOURCES, ids=named)


def arcs_of(figure) -> list[Line2D]:
    return [line for line in page(figure).findobj(Line2D) if len(line.get_xdata()) == 41]


@every
@pytest.mark.parametrize("name", LISTENING)
def test_an_arc_leads_from_the_followed_word_to_each_as_thick_as_its_weight(name, source):
    trace, found = traced(source), arcs_of(drawn(name, source))
    row = trace.attention[trace.last]
    order = sorted(range(trace.n), key=lambda j: (-row[j], j))
    assert len(found) == trace.n
    starts, ends = ([line.get_xydata()[i] for line in found] for i in (0, -1))
    assert np.allclose(starts, starts[0]) and np.allclose([y for _, y in ends], starts[0][1])
    placed = sorted(range(trace.n), key=lambda i: ends[i][0])
    assert [order[i] for i in placed] == list(range(trace.n)), "in the order of the words"
    for j, line in zip(order, found, strict=True):
        assert line.get_linewidth() == pytest.approx(max(paint.THIN, arcs.THICK * row[j]))
    assert np.allclose(ends[order.index(trace.last)], starts[0]), "from the word to itself"


@every
@pytest.mark.parametrize("name", LISTENING)
def test_the_per_cent_over_the_words_are_their_weights(name, source):
    trace, found = traced(source), printed(drawn(name, source))
    texts = numerals.weight_texts(trace.attention[trace.last])
    for j, text in enumerate(texts):
        assert numerals.percent(text) in found[f"attention[{trace.last}][{j}]"]


@pytest.mark.parametrize("name", STEPS[:4])
def test_before_softmax_nobody_listens(name):
    figure = drawn(name, REFERENCE)
    assert not arcs_of(figure) and not [text for text in artists.texts(figure) if text.endswith("%")]


@pytest.mark.parametrize("width", [*sizes.WIDTHS])
@pytest.mark.parametrize("count", [1, 2, 6, 12])
def test_words_over_the_space_keep_apart_and_within_the_panel(width, count):
    trace = traced(large(count, 12, names=tuple(f"Wissenschaf{chr(97 + i)}" for i in range(12))))
    row = arcs.SentenceRow(trace, {"column": 81.0, "text": 57.6, "page": 84.5}[width])
    wide = paint.ROW if row.upward else max(paint.text_width(word, row.size) for word in row.words)
    assert (np.diff(row.middles) > wide).all()
    assert row.middles[0] - wide / 2 >= 0 and row.middles[-1] + wide / 2 <= row.width


@every
def test_the_mark_lies_on_one_scale_and_never_leaves_the_strip(source):
    trace = traced(source)
    colour, shares = palette.word_colour(trace, trace.tokens[-1]), []
    for name, stage in (("step0_embeddings", "embedding"), ("step3_scores", "positioned"), ("decoder", "contextual")):
        figure = drawn(name, source)
        sides = [artists.bars(figure, palette.shade(palette.word_colour(trace, w))) for w in
                 (trace.model.story.origin, trace.model.story.target)]  # fmt: skip
        (left, *_, middle), (_, _, right, _) = (sides[0][-1][0], sides[0][-1][2]), sides[1][-1]
        (mark,) = [x for x, y in dots(page(figure), colour) if y < 12.0]
        assert left + strip.MARK <= mark <= right - strip.MARK
        shares.append((mark - middle) / (right - middle) / (trace.distances[stage] or 1.0))
        assert numerals.number(trace.distances[stage]) in printed(figure)[f"distances.{stage}"]
    assert np.allclose([s for s in shares if s], strip.REACH / trace.reach)


def tied(count: int) -> Model:
    """So many words that tie wherever the followed word is."""
    model = weights.load(REFERENCE)
    row = model.index(model.story.origin)
    W_out, b_out = model.W_out.copy(), model.b_out.copy()
    for i in range(count - 1):
        W_out[row - 1 - i], b_out[row - 1 - i] = W_out[row], b_out[row]
    return replace(model, W_out=W_out, b_out=b_out)


def test_of_a_tie_each_word_has_the_share_that_is_printed():
    trace = traced(tied(3))
    assert len(trace.decoder["positioned"].words) == 3
    share = trace.decoder["positioned"].probabilities.max()
    assert richtext.plain(probability(trace, "positioned")) == f"{numerals.number(share)} each"
    assert "each" in "".join(artists.texts(drawn("step4_softmax", tied(3))))
    assert "each" not in richtext.plain(probability(traced(REFERENCE), "contextual"))


def test_arrows_are_the_paler_the_less_a_word_is_heard():
    trace = traced(REFERENCE)
    row, space = trace.attention[trace.last], artists.panels(drawn("step4_softmax", REFERENCE))[0]
    for j, token in enumerate(trace.tokens[:-1]):
        shade = palette.heard(palette.word_colour(trace, token), row[j] / row.max())
        assert any(
            same(line.get_color(), ink) for line in space.findobj(Line2D) for ink in (shade, palette.behind(shade))
        )


@pytest.mark.parametrize(
    "width", ["page", *(pytest.param(name, marks=pytest.mark.slow) for name in ("text", "column"))]
)
def test_the_space_has_one_place_on_the_page_in_all_steps(width):
    from importlib import import_module

    boxes = set()
    for name in STEPS[1:]:
        module = import_module(f"figures.{name}")
        if width in module.WIDTHS:
            with paint.style(), sizes.sized(width):
                figure = module.draw(traced(REFERENCE))
            box, size = artists.panels(figure)[0].get_position(), figure.get_size_inches() * 25.4
            boxes.add((round(box.x0 * size[0], 3), round((1 - box.y1) * size[1], 3), round(box.height * size[1], 3)))
    assert len(boxes) == 1
