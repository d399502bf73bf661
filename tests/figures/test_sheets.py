"""Proof, worksheet, answers, before and after: a page a figure, what is to be seen on it, the same bytes again."""

import io
import re
from dataclasses import replace

import numpy as np
import pymupdf
import pytest
from matplotlib.figure import Figure
from PIL import Image

from attn import sheets, weights
from attn.assets import ROOT, Asset
from attn.publish import Settings
from attn.subjects import Subjects
from attn.view import picture
from figures import _sheets

FIGURES = [Asset("figures", "step4_softmax"), Asset("figures", "step6_output")]


@pytest.fixture
def subjects(monkeypatch, tmp_path):
    monkeypatch.setattr(sheets, "assets", lambda kind: FIGURES)
    trace = picture(weights.load(ROOT / "attn/weights/you.toml"))
    return Subjects(trace, tmp_path)


def texts(data: bytes) -> list[str]:
    with pymupdf.open(stream=data) as pdf:
        return [page.get_text() for page in pdf]


def test_the_worksheet_leaves_out_what_is_computed_and_the_answers_have_it(subjects):
    found = sheets.worksheet(subjects, Settings())
    blank, answers = texts(found["worksheet.pdf"]), texts(found["answers.pdf"])
    assert len(blank) == len(answers) == len(FIGURES)
    computed = "3.67"  # of the shipped weights: what the weights are divided by
    assert computed in answers[0] and computed not in blank[0]
    given = re.findall(r"−?\d\.\d", blank[1])  # the entries of W_O are given
    assert len(given) == 6 and len(re.findall(r"−?\d\.\d", answers[1])) > 6
    assert found == sheets.worksheet(subjects, Settings())


def test_the_proof_shows_each_figure_at_print_size_and_for_other_eyes(subjects):
    data = sheets.proof(subjects, Settings())
    with pymupdf.open(stream=data) as pdf:
        assert len(pdf) == len(FIGURES)
        for page, asset in zip(pdf, FIGURES, strict=True):
            assert asset.name in page.get_text() and "protanopia" in page.get_text()
            widths = sorted(round(image["bbox"][2] - image["bbox"][0]) for image in page.get_image_info())
            assert len(widths) == 5 and widths[-1] == round(174 / 25.4 * 72)
    assert data == sheets.proof(subjects, Settings())


def before_and_after(subjects, tmp_path, **change):
    old = subjects.story
    new = picture(replace(old.model, **change))
    sides = subjects, Subjects(new, tmp_path)
    return sheets.difference(("old.toml", "new.toml"), old, new, sides, Settings())


def test_the_difference_shows_the_figures_that_differ_and_what_changed(subjects, tmp_path):
    changed = subjects.story.model.W_O.copy()
    changed[0, 0] += 1.0
    files, said = before_and_after(subjects, tmp_path, W_O=changed)
    first, *pages = texts(files["diff.pdf"])
    assert "old.toml → new.toml" in first and "parameters.W_O[0][0]" in first
    assert [page.split()[0] for page in pages][-1] == "step6_output" and "old.toml" in pages[-1]
    assert said.startswith(f"{len(pages)} figures differ, ")
    assert Image.open(io.BytesIO(files["diff.png"])).size[0] > 800
    assert files == before_and_after(subjects, tmp_path, W_O=changed)[0]


def test_claims_that_turned_come_before_the_values(subjects, tmp_path):
    files, said = before_and_after(subjects, tmp_path, W_O=np.zeros_like(subjects.story.model.W_O))
    first = texts(files["diff.pdf"])[0]
    assert "0 claims lost" not in said
    assert first.index("lost") < first.index("crossing: ") < first.index("values changed")


def test_nothing_differs_where_nothing_changed(subjects, tmp_path):
    files, said = before_and_after(subjects, tmp_path, expect=())
    assert len(texts(files["diff.pdf"])) == 1 and said.startswith("0 figures differ, 0 values changed")


def test_a_mark_is_behind_its_number_and_nowhere_else():
    def drawing() -> Figure:
        figure = Figure(figsize=(2, 1))
        for i, text in enumerate(("1.00", "2.00")):
            figure.add_axes((i / 2, 0, 0.5, 1), frameon=False).text(0.5, 0.5, text).cell_path = f"value[{i}]"
        return figure

    plain, marked = _sheets._drawn(drawing()), _sheets._drawn(drawing(), {1})
    differs = (plain != marked).any(axis=2)
    half = differs.shape[1] // 2
    assert not differs[:, :half].any() and 500 < differs[:, half:].sum() < differs.size / 4
    assert ((plain == 0).all(axis=2) <= (marked < 130).all(axis=2)).all(), "the number stays to be read"
