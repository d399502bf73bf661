"""Python: every name has an example that runs, figures and films show themselves, faults are one line."""

import doctest
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import attn
from attn import api
from attn.build.assets import ROOT
from tests.building import FILM, Project

YOU = ROOT / "attn" / "weights" / "you.toml"
EYE = {name: np.eye(2) for name in ("embeddings", "W_Q", "W_K", "W_V")}


def test_the_examples_run_and_every_name_has_one(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    for name in attn.__all__:
        assert callable(getattr(attn, name)) and (name == "Weights" or ">>> " in getattr(attn, name).__doc__), name
    done = doctest.testmod(api, extraglobs={"attn": attn, "folder": tmp_path})
    assert done.attempted > 8 and not done.failed


def test_importing_costs_nothing_and_no_other_name_is_there():
    code = "import sys, attn; print(sorted({'numpy', 'matplotlib', 'manim', 'click'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert set(attn.__all__) <= set(dir(attn))
    with pytest.raises(AttributeError, match="traec"):
        attn.traec  # noqa: B018


def test_weights_of_arrays_are_checked_as_files_are():
    mine = attn.Weights(vocabulary=("a", "b"), **EYE)
    assert np.allclose(attn.trace(mine, "a b").attention.sum(axis=1), 1)
    for wrong in (
        {"W_V": np.eye(3)},
        {"W_Q": np.zeros(2)},
        {"W_K": np.full((2, 2), np.nan)},
        {"vocabulary": ("a", "a")},
    ):
        with pytest.raises(ValueError) as fault:
            attn.trace(attn.Weights(**{"vocabulary": ("a", "b"), **EYE, **wrong}), "a b")
        assert str(fault.value).count("\n") == 0


def test_what_load_would_refuse_is_not_saved(tmp_path):
    with pytest.raises(ValueError):
        attn.save(attn.Weights(vocabulary=("a", "b"), **EYE | {"W_V": np.eye(3)}), tmp_path / "a.toml")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("sentence", [None, "hear why you"])
def test_a_figure_is_that_of_the_trace_and_shows_itself(sentence):
    trace = attn.trace(YOU, sentence)
    drawn = attn.figure("step4_softmax", trace, width=84)
    assert round(drawn.get_figwidth() * 25.4) == 84
    assert drawn._repr_png_().startswith(b"\x89PNG")
    texts = {text.get_text() for text in drawn.findobj(lambda artist: hasattr(artist, "get_text"))}
    assert {f"{weight:.2f}" for weight in trace.attention[-1]} & texts


def test_names_that_are_none_and_films_that_are_joined_are_one_line():
    for call in (lambda: attn.figure("step4"), lambda: attn.film("step4"), lambda: attn.film("film")):
        with pytest.raises(ValueError) as fault:
            call()
        assert "\n" not in str(fault.value)


@pytest.mark.slow
def test_a_notebook_shows_a_figure_and_a_film(tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    project = Project(tmp_path / "project", ["step4_softmax"], {"scenes/tiny.py": FILM})
    cells = ["import attn\ntrace = attn.trace('attn/weights/you.toml')", "attn.figure('step4_softmax', trace)",
             "attn.film('tiny', trace)", "trace.attention[-1].sum()"]  # fmt: skip
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(project.folder)}}).execute()
    shown = [cell.outputs[0].data if cell.outputs else {} for cell in notebook.cells]
    assert "image/png" in shown[1] and "<video" in shown[2]["text/html"] and "1.0" in shown[3]["text/plain"]


def test_the_page_on_python_names_all_of_it():
    text = Path(ROOT / "attn" / "README.md").read_text("utf-8")
    assert all(f"attn.{name}" in text for name in attn.__all__)
