"""Proof, worksheet, answers, before and after: a page a figure, what is to be seen on it, the same bytes again."""

import io
import re
from collections import Counter
from dataclasses import replace
from importlib import import_module

import numpy as np
import pymupdf
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from matplotlib.text import Text
from PIL import Image

from attn.build import sheets
from attn.build.assets import ROOT, Asset, in_order
from attn.build.assets import assets as every_asset
from attn.build.progress import Line
from attn.build.publish import Settings
from attn.build.subjects import Subjects
from attn.core import numerals, weights
from attn.picture import compare, palette, richtext, sizes
from attn.picture.drawn import beside, picture
from figures._kit import differing, paint, paper
from tests.figures.artists import same
from tests.often import some

NARROW = [84.0]  # the text width is between it and the page
FIGURES = [Asset("figures", "step4_softmax"), Asset("figures", "step6_output")]


@pytest.fixture
def subjects(monkeypatch, tmp_path):
    monkeypatch.setattr(sheets, "in_order", lambda kind: FIGURES)
    trace = picture(weights.load(ROOT / "attn/weights/you.toml"))
    return Subjects(trace, tmp_path)


def texts(data: bytes) -> list[str]:
    with pymupdf.open(stream=data) as pdf:
        return [page.get_text() for page in pdf]


@pytest.mark.slow
def test_the_worksheet_leaves_out_what_is_computed_and_the_answers_have_it(subjects):
    found = sheets.worksheet(subjects, Settings(), {})
    blank, answers = texts(found["worksheet.pdf"]), texts(found["answers.pdf"])
    assert len(blank) == len(answers) == len(FIGURES)
    trace = subjects.story
    computed = numerals.number(trace.sums[trace.last])  # what the weights are divided by
    assert computed in answers[0] and computed not in blank[0]
    given = re.findall(r"−?\d\.\d", blank[1])  # the entries of W_O are given
    assert len(given) == 6 and len(re.findall(r"−?\d\.\d", answers[1])) > 6
    check_paper(found)
    assert found == sheets.worksheet(subjects, Settings(), {})


@pytest.mark.parametrize("width", NARROW)
def test_a_worksheet_is_paper_to_write_on(width, subjects):
    check_paper(sheets.worksheet(subjects, Settings(width=width), {}))


def check_paper(found: dict[str, bytes]) -> None:
    for name, head in (("worksheet.pdf", "Name"), ("answers.pdf", "Answers")):
        with pymupdf.open(stream=found[name]) as pdf:
            for i, page in enumerate(pdf, 1):
                assert np.allclose(np.array(page.rect)[2:] / 72 * 25.4, (297, 210), atol=0.01), "A4 across"
                words = page.get_text("words")
                assert head in page.get_text() and f"Sheet {i} of {len(FIGURES)}" in page.get_text()
                assert all(page.rect.contains(pymupdf.Rect(word[:4])) for word in words)


@pytest.fixture(scope="module")
def all_subjects(tmp_path_factory):
    trace = picture(weights.load(ROOT / "attn/weights/you.toml"))
    return Subjects(trace, tmp_path_factory.mktemp("lookup"))


ASKED = [asset for asset in in_order("figures") if asset.subject != "lookup"]


@pytest.mark.parametrize("asset", some(ASKED), ids=lambda asset: asset.name)
def test_a_worksheet_gives_no_answer_away(asset, all_subjects):
    module, trace = import_module(asset.module), all_subjects.of(asset)
    with paint.style():
        full = module.draw(trace)
        with paint.blanked():
            blank = module.draw(trace)
    assert all(paint.GIVEN.match(entry["path"]) for entry in paint.record(blank))
    asked = Counter(entry["path"] for entry in paint.record(full) if not paint.GIVEN.match(entry["path"]))
    assert not asked - Counter(paint.asks(blank)), "a line to write on for each"
    assert not paint.asks(full)
    assert [figure.get_size_inches()[0] for figure in (blank, full)] == [pytest.approx(full.get_figwidth())] * 2
    outcome = richtext.plain(module.texts(trace).outcome) if asset.subject == "story" else ""
    shown = "".join(artist.get_text() for artist in blank.findobj(Text))
    assert not outcome or outcome.replace(" ", "") not in shown.replace(" ", "")


@pytest.mark.parametrize("name", some(["step4_softmax", "step3_scores", "decoder", "summary", "contrast", "margin"], 6))
def test_no_bar_on_a_worksheet_tells_its_number(name, all_subjects):
    trace = all_subjects.story
    colours = {palette.word_colour(trace, word) for word in trace.model.vocabulary}
    with paint.style():
        full = import_module(f"figures.{name}").draw(trace)
        with paint.blanked():
            blank = import_module(f"figures.{name}").draw(trace)
    assert bars(full, colours) and not bars(blank, colours)


def bars(figure: Figure, colours: set[str]) -> list[Polygon]:
    """Upright rectangles in the colour of a word, on the page itself."""
    found = [patch for patch in figure.axes[0].patches if to_hex(patch.get_facecolor()) in colours]
    return [p for p in found if len(p.get_xy()) == 5 and all(len(set(axis)) == 2 for axis in p.get_xy().round(6).T)]


@pytest.mark.parametrize("name", some(["summary", "step7_context", "decoder", "contrast", "margin"], 5))
def test_the_next_word_is_to_be_found_out(name, all_subjects):
    trace = all_subjects.story
    colour, words = palette.word_colour(trace, trace.decoder["contextual"].word), trace.model.vocabulary
    with paint.style():
        drawn = {False: import_module(f"figures.{name}").draw(trace)}
        with paint.blanked():
            drawn[True] = import_module(f"figures.{name}").draw(trace)
    inks = {
        blank: [t for t in figure.findobj(Text) if t.get_text() in words and same(t.get_color(), palette.on(colour))]
        for blank, figure in drawn.items()
    }
    assert inks[False] and not inks[True], "no word stands in a filled frame"


def test_sheets_are_in_the_order_in_which_one_tells(all_subjects):
    names = [asset.name for asset in in_order("figures")]
    assert names[0] == "decoder_regions" and names[1:9] == sorted(n for n in names if n.startswith("step"))
    assert names.index("sentence_matrix") < names.index("qkv") < names.index("mechanism")
    assert sorted(names) == [asset.name for asset in every_asset("figures")]


def test_on_a_worksheet_everything_grows_alike():
    with paint.style():
        page = paint.Page(100.0, 50.0)
        text, line = page.text(10, 10, "word", 8.0)[0], page.line([(10, 30), (90, 30)], "#000000", 0.5)
        figure = paper._on_paper(page.figure, (1, 1), True)
    ends = figure.transFigure.inverted().transform(line.get_transform().transform(line.get_xydata())) * (297, 210)
    times = (ends[1] - ends[0])[0] / 80
    assert times > 1.2 and text.get_fontsize() == pytest.approx(8 * times)
    assert line.get_linewidth() == pytest.approx(0.5 * times)


@pytest.mark.slow
def test_what_asks_nothing_is_no_sheet(monkeypatch, subjects):
    monkeypatch.setattr(sheets, "in_order", lambda kind: [*FIGURES, Asset("figures", "formula_code")])
    assert len(texts(sheets.worksheet(subjects, Settings(), {})["worksheet.pdf"])) == len(FIGURES)


@pytest.mark.slow
def test_the_proof_shows_each_figure_at_print_size_and_for_other_eyes(subjects):
    data = sheets.proof(subjects, Settings(), {})
    with pymupdf.open(stream=data) as pdf:
        assert len(pdf) == len(FIGURES)
        for page, asset in zip(pdf, FIGURES, strict=True):
            assert asset.name in page.get_text() and "protanopia" in page.get_text()
            widths = sorted(round(image["bbox"][2] - image["bbox"][0]) for image in page.get_image_info())
            assert len(widths) == 5 and widths[-1] == round(174 / 25.4 * 72)
    check_places(data)
    assert data == sheets.proof(subjects, Settings(), {})


def test_what_cannot_be_drawn_is_left_out_of_a_sheet_and_named(monkeypatch, tmp_path):
    monkeypatch.setattr(sheets, "in_order", lambda kind: [*FIGURES, Asset("figures", "attention_matrix")])
    m = weights.load(ROOT / "attn/weights/you.toml")
    subjects = Subjects(picture(replace(m, W_O=None)), tmp_path)
    problems = {}
    assert len(texts(sheets.worksheet(subjects, Settings(), problems)["answers.pdf"])) == 1
    assert list(problems) == FIGURES and all("parameters.W_O is missing" in why for why in problems.values())


@pytest.mark.slow
@pytest.mark.parametrize("width", NARROW)
def test_no_picture_of_the_proof_leaves_the_page_or_covers_another(width, subjects):
    check_places(sheets.proof(subjects, Settings(width=width), {}))


def check_places(data: bytes) -> None:
    with pymupdf.open(stream=data) as pdf:
        for page in pdf:
            boxes = [pymupdf.Rect(image["bbox"]) for image in page.get_image_info()]
            assert all(page.rect.contains(box) for box in boxes)
            for i, box in enumerate(boxes):
                assert not any(box.intersects(other) for other in boxes[:i])


# Before and after


def before_and_after(subjects, tmp_path, width=None, **change):
    old = subjects.story
    old, new = beside(old, picture(replace(old.model, **change)))
    sides = Subjects(old, tmp_path), Subjects(new, tmp_path)
    line = Line(io.StringIO())
    return sheets.difference(("old.toml", "new.toml"), old, new, sides, Settings(width=width), line)


def raised(matrix: np.ndarray) -> np.ndarray:
    changed = matrix.copy()
    changed[0, 0] += 1.0
    return changed


@pytest.mark.parametrize("width", some([84.0, None]))
def test_the_difference_shows_each_figure_that_differs_at_print_size_before_and_after(width, subjects, tmp_path):
    changed = raised(subjects.story.model.W_O)
    files, said = before_and_after(subjects, tmp_path, width, W_O=changed)
    assert said.endswith("figures differ") or said.endswith("1 figure differs")
    with pymupdf.open(stream=files["diff.pdf"]) as pdf:
        first, last = pdf[0].get_text(), pdf[-1]
        assert "parameters.W_O" in first and first.count("old.toml") == first.count("new.toml") == 1
        assert all(not page.get_images() for page in pdf), "lines and text, no pixels"
        titles = last.search_for("Step 6")
        assert len(titles) == 2 and titles[0].y0 == titles[1].y0, "side by side"
        apart = (titles[1].x0 - titles[0].x0) / 72 * 25.4
        assert apart == pytest.approx((width or sizes.WIDTHS["page"]) + differing.GAP, abs=0.1)
    assert width or files == before_and_after(subjects, tmp_path, width, W_O=changed)[0], "the same bytes again"


@pytest.mark.slow
def test_the_whole_sheet_is_one_png_too(subjects, tmp_path):
    files, _ = before_and_after(subjects, tmp_path, W_O=raised(subjects.story.model.W_O))
    with pymupdf.open(stream=files["diff.pdf"]) as pdf:
        width = round(pdf[0].rect.width / 72 * differing.SCREEN)
        height = round(sum(page.rect.height for page in pdf) / 72 * differing.SCREEN)
    size = Image.open(io.BytesIO(files["diff.png"])).size
    assert abs(size[0] - width) <= 1 and height / 2 < size[1] <= height


def test_claims_that_turned_come_first_then_the_file_then_what_is_computed(subjects, tmp_path):
    files, said = before_and_after(subjects, tmp_path, W_O=np.zeros_like(subjects.story.model.W_O), title="another")
    first = texts(files["diff.pdf"])[0]
    assert re.match(r"\d+ claims lost, (\d+ claims dropped, )?\d+ values changed", said) and said in first
    places = [first.index(text) for text in ("lost", "crossing: ", "another", "parameters.W_O", "correction")]
    assert places == sorted(places)


def test_nothing_differs_where_nothing_changed(subjects, tmp_path):
    files, said = before_and_after(subjects, tmp_path)
    assert said == "nothing changed" and len(texts(files["diff.pdf"])) == 1


@pytest.mark.slow
def test_a_camera_that_the_new_file_pins_is_spoken_of(subjects, tmp_path):
    _, said = before_and_after(subjects, tmp_path, azimuth=subjects.story.view.azimuth)
    assert said == "nothing changed"
    _, said = before_and_after(subjects, tmp_path, azimuth=subjects.story.view.azimuth + 9)
    assert "differ" in said and said.endswith("; new.toml pins another camera")


@pytest.mark.slow
def test_a_figure_that_cannot_be_drawn_is_there_in_words(subjects, tmp_path):
    model = subjects.story.model
    deeper = {"W_V": np.pad(model.W_V, ((0, 1), (0, 0))), "W_O": np.pad(model.W_O, ((0, 0), (0, 1)))}  # d_v is 3
    files, said = before_and_after(subjects, tmp_path, **deeper)
    *_, last = texts(files["diff.pdf"])
    assert said.endswith("1 figure differs") and last.count("Step 6") == 1 and "no 2-D attention space" in last


def test_a_mark_is_behind_its_number_and_nowhere_else():
    def drawn(chosen=()) -> np.ndarray:
        figure = Figure(figsize=(2, 1), dpi=300)
        for i, text in enumerate(("1.00", "2.00")):
            ax = figure.add_axes((i / 2, 0, 0.5, 1), frameon=False)
            ax.text(0.5, 0.5, text).cell_path = f"value[{i}]"
        differing._mark(figure, chosen)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :3].copy()

    plain, marked = drawn(), drawn({1})
    differs = (plain != marked).any(axis=2)
    half = differs.shape[1] // 2
    assert not differs[:, :half].any() and 500 < differs[:, half:].sum() < differs.size / 4
    assert ((plain == 0).all(axis=2) <= (marked < 130).all(axis=2)).all(), "the number stays to be read"


def test_a_figure_placed_on_a_page_is_the_same_figure_elsewhere(subjects):
    with paint.style():
        page, figure = paint.Page(300, 200), import_module("figures.step6_output").draw(subjects.story)
        canvas = FigureCanvasAgg(figure)
        page.figure.set_dpi(127)  # 5 pixels a mm
        figure.set_dpi(127)
        canvas.draw()
        alone = np.asarray(canvas.buffer_rgba())[..., :3].copy()
        page.figure.add_artist(differing._Placed(figure, 20, 30))
        around = FigureCanvasAgg(page.figure)
        around.draw()
        whole = np.asarray(around.buffer_rgba())[..., :3]
    rows, columns = alone.shape[:2]
    differs = (whole[1000 - 150 - rows : 1000 - 150, 100 : 100 + columns] != alone).any(axis=2)
    assert differs.mean() < 0.002  # a text that falls between two pixels may be put into the other one


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 7, 40, 400])
def test_every_value_stands_on_the_sheet_once_under_its_heading(count):
    changes = [compare.Change("", f"{i}.25", f"{i}.75", f"group{i // 9}", f"[{i}]") for i in range(count)]
    with paint.style():
        pages = texts(differing.difference(("a", "b"), "all", [], changes, {})["diff.pdf"])
    words = " ".join(pages).split()
    for i in range(count):
        assert words.count(f"{i}.75") == 1 and f"group{i // 9}" in words
    assert not any(re.search(r"group\d+\n*$", page) for page in pages)
