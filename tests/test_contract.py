"""What a picture's file has to offer: where it does not, one line says so; where its own code raises, one traceback."""

import subprocess
import sys
from types import ModuleType, SimpleNamespace

import pytest
from matplotlib.figure import Figure

from attn.build import contract
from attn.build.assets import Mistake
from attn.build.figure import drawing
from attn.build.film import scene_of
from attn.build.settings import Settings
from figures._kit import paint
from scenes._kit.stage import Stage
from tests.building import FIGURE, Project

TEXTS = SimpleNamespace(title="t", caption="c", alt="a")


@pytest.fixture
def offering(monkeypatch):
    """A function that makes a picture's module of what it is given."""

    def made(**content) -> str:
        module = ModuleType("figures.mine")
        for name, value in content.items():
            setattr(module, name, value)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return module.__name__

    return made


def drawn(module: str):
    """The figure of a module, as it is made."""
    return drawing(SimpleNamespace(module=module, size=lambda wanted: "page"), None, Settings())


def said(of, *arguments) -> str:
    with pytest.raises(Mistake) as error:
        of(*arguments)
    line = str(error.value)
    assert "\n" not in line and line.startswith("figures.mine") and "expected" in line
    return line


@pytest.mark.parametrize("found", [None, Figure(), {}, "figure", paint.Page], ids=repr)
def test_what_draw_returns_is_the_figure_of_a_page(found, offering):
    line = said(drawn, offering(draw=lambda trace: found))
    assert "draw(trace) returns " in line and ("nothing" if found is None else type(found).__name__) in line
    page = paint.Page(84, 10)
    assert drawn(offering(draw=lambda trace: page.figure)) is page.figure


@pytest.mark.parametrize("found", [None, {"title": "t"}, ("t", "c", "a"), SimpleNamespace(title="t", caption="c")])
def test_texts_are_a_title_a_caption_and_an_alt_text(found, offering):
    assert "texts(trace) returns" in said(contract.texts, offering(texts=lambda trace: found), None)
    assert contract.texts(offering(texts=lambda trace: TEXTS), None) is TEXTS


@pytest.mark.parametrize("content", [{}, {"draw": None, "texts": 3}], ids=repr)
def test_what_is_not_there_is_named(content, offering):
    assert "has no draw(trace)" in said(drawn, offering(**content))
    assert "has no texts(trace)" in said(contract.texts, offering(**content), None)


def test_a_film_has_one_scene_that_is_a_stage(offering):
    one, two = (type(name, (Stage,), {"__module__": "figures.mine"}) for name in "AB")
    plain = type("C", (), {"__module__": "figures.mine"})
    for content, count in (({}, 0), ({"C": plain}, 0), ({"A": one, "B": two}, 2)):
        assert f"has {count} scenes, expected one class that extends" in said(scene_of, offering(**content))
    assert scene_of(offering(A=one, C=plain, Stage=Stage)) is one


def test_an_empty_page_has_room_for_all_that_is_on_it():
    paint.check_room(paint.Page(84, 10).figure)


FILES = {
    "figures/plain.py": (FIGURE.replace("return page.figure", "return page"), "figures/plain.py: draw(trace) returns"),
    "figures/lacks.py": (FIGURE.replace("from figures._kit.paint", "from nowhere"), "figures/lacks.py cannot be"),
    "figures/syntax.py": ('"""A figure."""\ndef draw(:\n', "figures/syntax.py, line 2: invalid syntax"),
    "figures/raises.py": (FIGURE.replace("return page.figure", "return 1 / 0"), "figures/raises.py: its own code"),
}  # fmt: skip


@pytest.mark.parametrize("file", FILES)
def test_the_command_says_it_in_a_line_or_shows_the_one_traceback_that_matters(file, tmp_path):
    source, line = FILES[file]
    name = file.partition("/")[2].removesuffix(".py")
    project = Project(tmp_path / "project", own={file: source})
    command = [sys.executable, "-E", "-m", "attn.cli", "figure", name]
    done = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, timeout=120)
    assert not done.stdout and done.stderr.startswith(f"attn: {line}")
    if "raises" in file:
        assert done.returncode == 1 and done.stderr.count("Traceback") == 1 == done.stderr.count('File "')
        assert f'{name}.py", line' in done.stderr and "ZeroDivisionError" in done.stderr
    else:
        assert done.returncode == 2 and done.stderr.count("\n") == 1
