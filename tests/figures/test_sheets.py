"""Proof, worksheet and answers: a page a figure, what is computed left out or not, the same bytes again."""

import re

import pymupdf
import pytest

from attn import sheets, weights
from attn.assets import ROOT, Asset
from attn.publish import Settings
from attn.subjects import Subjects
from attn.view import picture

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
