"""What is asked for is there and whole after make, or make fails; only content counts. Through make, in a copy."""

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from attn.build import trained
from attn.build.assets import ROOT
from attn.build.goals import commands_for
from attn.build.options import TYPES
from attn.build.output import OTHERS, TEXTS, TRAINED
from attn.build.settings import DEFAULTS
from attn.build.variables import refusal
from attn.cli import main
from attn.core.errors import WeightsError
from tests.building import FIGURE, FILM, Project

ASKED = ("figures", "videos")


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """A project with two figures and a film, all made; beside it its output as it is then."""
    own = {"figures/small.py": FIGURE, "figures/other.py": FIGURE, "scenes/tiny.py": FILM}
    project = Project(tmp_path_factory.mktemp("content"), own=own, cores=1)
    project.make(*ASKED)
    shutil.copytree(project.folder / "output", project.folder / "as it was")
    return project


@pytest.fixture
def output(project):
    """Its output folder, as it was at first."""
    shutil.rmtree(project.folder / "output")
    shutil.copytree(project.folder / "as it was", project.folder / "output")
    return project.folder / "output"


def contents(folder) -> dict[str, bytes]:
    """Every file in a folder by its path; none of the notes."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in paths if ".state" not in p.parts}


def gone(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


def altered(path):
    """One bit, and neither size nor time."""
    times, data = path.stat(), bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def leading_nowhere(path):
    path.unlink()
    path.symlink_to("nowhere")


HARM = {"": gone, "cut short": cut, "altered": altered, "a link to nothing": leading_nowhere}


def test_whatever_happens_to_any_file_make_puts_it_right(project, output):
    """To all files at once, twice, another harm to each; to the film's, which takes long to make, once."""
    whole, harms = contents(output), list(HARM.values())
    assert set(TEXTS) < set(whole) and len(whole) > 10
    for first in (0, 2):
        for i, name in enumerate(name for name in whole if not first or "videos" not in name):
            harms[(first + i) % len(harms)](output / name)
        project.make(*ASKED)
        assert contents(output) == whole
    for name in ("figures", "numbers.tex", "figures/captions.md", "figures/small.json"):
        gone(output / name)
        project.make()
        assert contents(output) == whole


@pytest.mark.slow
def test_notes_may_be_lost_or_torn(project, output):
    whole, state = contents(output), output / ".state"
    torn = b'{"names": 1, "made of": null}', b"[]", state.joinpath("figures.json").read_bytes()[:-20]
    for content, note in itertools.product(torn, ("figures.json", "figures/small.json", "code.json")):
        (state / note).write_bytes(content)
    for path in (state / "figures.json", state / "lock", state / "figures", state):
        altered(output / "figures" / "small.pdf")
        project.make()
        assert contents(output) == whole
        gone(path)
    project.make()
    assert contents(output) == whole


@pytest.mark.parametrize("name", ["figures/small.pdf", "numbers.tex"])
def test_a_folder_in_a_files_place_is_said_in_a_line(project, output, name):
    gone(output / name)
    (output / name).mkdir()
    process = project.start()
    _, err = process.communicate()
    said = [line for line in err.splitlines() if f"output/{name}: Is a directory" in line]
    assert process.returncode == 2 and len(said) == 1 and "Traceback" not in err


@pytest.mark.parametrize("file", ["figures/small.py", "attn/weights/you.toml", "attn/weights/chased.toml"])
def test_what_is_older_but_different_is_seen_and_what_is_newer_but_the_same_is_not(project, output, file):
    path = project.folder / file
    source, times = path.read_bytes(), path.stat()
    try:
        path.write_bytes(source + b"# a remark\n")
        os.utime(path, (1e9, 1e9))
        receipt = (output / ".state" / "figures.json").read_bytes()
        project.make()
        assert (output / ".state" / "figures.json").read_bytes() != receipt, "it was looked into"
        path.write_bytes(source)
        before = project.notes()
        project.make()
        assert project.notes() == before
    finally:
        path.write_bytes(source)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_that_nothing_is_to_be_done_is_found_out_without_numpy(project, output):
    run = "import sys, runpy; sys.argv = ['attn', 'figure', '--formats', 'pdf']; "
    code = f"{run}\ntry: runpy.run_module('attn.cli', run_name='__main__')\nfinally: print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=project.folder, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "attn: nothing to be done; 2 up to date\n")


@pytest.mark.slow
def test_all_at_once_is_what_figures_and_films_one_by_one_are(project, output):
    whole = contents(output)
    gone(output)
    project.make("all")
    assert contents(output) == whole
    assert project.make("all").count("nothing to be done") == 2


@pytest.mark.slow
def test_what_is_replaced_by_something_else_is_said_before(project, output):
    for variables, said in (
        ({"THEME": "dark"}, "theme dark, not light"),
        ({"THEME": "dark", "WEIGHTS": ROOT / "tests/cases/good/near-equal.toml", "CLAIMS": "warn"}, "not attn/weights"),
        ({"FORMATS": "svg png"}, "formats svg png, not pdf"),
    ):
        lines = project.make(**variables).splitlines()
        (first,) = [i for i, line in enumerate(lines) if said in line and "OUTPUT" in line]
        assert any("2 made" in line for line in lines[first + 1 :])
        assert "OUTPUT" not in project.make(**variables)


def test_results_of_the_experiment_that_were_altered_are_not_believed(tmp_path, monkeypatch):
    from attn.lab import lookup

    monkeypatch.setattr(lookup, "SEEDS", (0,))
    trained.load(tmp_path)
    kept = (tmp_path / TRAINED).read_bytes()
    (tmp_path / TRAINED).write_bytes(kept.replace(b"0.1", b"0.2", 1))
    trained.load(tmp_path)
    assert (tmp_path / TRAINED).read_bytes() == kept


REFUSED = {
    "output/figures/step7_contxt.pdf": 'did you mean "step7_context"?',
    "output/figures/step7_context.eps": "expected one of pdf, svg, png",
    "output/figures/step7_context": "is no format of figures",
    "output/videos/margin.mp4": 'there is no "margin"',
    "output/videos/step7_context.gif": "make output/videos/step7_context.gif FORMATS='mp4 gif'",
    "output/videos/film.mov": "made of mp4, webm alone",
    "other/videos/step7_context.mp4": "make other/videos/step7_context.mp4 OUTPUT=other",
    "/else where/preview/videos/film.png": "where/preview/videos/film.png' OUTPUT=",
    "other/videos/step7_contxt.mp4": "did you mean",
    "figures/margin.pdf": "make output/figures/margin.pdf",
    "output/number.tex": 'did you mean "numbers.tex"?',
    "output": "nothing makes this",
    "output/figures/step7_context.pdf/more": "nothing makes this",
}


@pytest.mark.parametrize("path", REFUSED)
def test_a_path_that_is_not_made_is_refused_with_what_to_type(path):
    with pytest.raises(WeightsError) as refused:
        commands_for(path, Path("output"), DEFAULTS)
    assert REFUSED[path] in str(refused.value)


def test_a_path_is_made_by_the_command_for_it():
    def commands(path):
        return commands_for(str(path), Path("output"), DEFAULTS)

    assert commands("output/figures/margin.svg") == commands(Path("output/figures/margin.json").absolute())
    assert commands("output/figures/margin.svg") == [["figure", "margin"]]
    assert commands("output/videos/") == [["video"]] and commands("all") == [["figure"], ["video"]]
    assert commands("output/preview/videos/film.vtt")[0][:2] == ["video", "film"]
    for name, command in OTHERS.items():
        assert commands(f"output/{name}") == [[command]] and command in main.commands


def test_make_makes_a_path_and_refuses_one_in_a_line(project, output):
    for path in ("./output/figures/small.pdf", "output/figures/captions.typ"):
        gone(project.folder / path)
        project.make(path)
        assert (project.folder / path).is_file()
    process = project.start("output/videos/tiny.mp4", OUTPUT="other")  # which is there
    _, err = process.communicate()
    assert process.returncode == 2 and "make output/videos/tiny.mp4 OUTPUT=output\n" in err and "other" in err


VALUES = {
    "THEME=drak": '"dark"', "QUALITY=hgih": '"high"', "WIDTH=colum": "column (84)", "CLAIMS=none": "strict, warn",
    "FORMATS=pfd": '"pdf"', "TRANSPARENT=maybe": "1, 0", "WEIGHTS=": "is empty", "OUTPUT=": "is empty",
    "OUTPUT=.": "sources", "OUTPUT=..": "sources", "OUTPUT=figures": "sources", "OUTPUT=attn/weights": "sources",
    "OUTPUT=scenes/new": "sources", "OUTPUT=tests": "sources", "OUTPUT=/": "sources",
}  # fmt: skip


@pytest.mark.parametrize("given", VALUES)
def test_a_value_that_is_none_is_refused_whatever_is_asked(monkeypatch, given):
    monkeypatch.chdir(ROOT)
    name, _, value = given.partition("=")
    for command in ("figure", "video", "preview", "clean", "check", "watch"):
        done = CliRunner().invoke(main, [command], env={f"ATTN_{name}": value})
        assert done.exit_code == 2 and done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"attn: {name}") and VALUES[given] in done.stderr


def test_make_hands_values_on_before_anything_is_made(project, output):
    before = contents(project.folder)
    for target, given in (("all", {"QUALITY": "hgih"}), ("figures", {"THEME": "drak"}), ("clean", {"OUTPUT": ""})):
        process = project.start(target, **given)
        _, err = process.communicate()
        assert process.returncode == 2 and err.count("attn: ") == 1, err
    assert contents(project.folder) == before


INTO = [name for name, command in main.commands.items() if "output" in {param.name for param in command.params}]


@pytest.mark.parametrize("command", INTO)
def test_commands_refuse_a_folder_of_sources_as_make_does(monkeypatch, command):
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(main, [command, "--output", "attn"])
    assert done.exit_code == 2
    assert done.stderr == 'attn: OUTPUT: "attn" is a folder of sources; expected one of its own\n'


KNOWN = [*map(str.upper, TYPES), "FORMATS", "FONT", "PYTHON", "OLD", "NEW", "KINDS", "CASES", "PYTEST", "BENCH"]


def test_a_name_that_is_nearly_a_variables_is_refused_with_it():
    for name in ("THEMES", "WIDHT", "theme", "OUT", "QUALTIY", "FNOT", "WEIGHT", "FORMAT", "OUTPTU", "CLAIM", "Output"):
        assert "did you mean" in refusal(["V", name], KNOWN), name
    assert refusal(["WIDHT"], KNOWN) == 'WIDHT is no variable of this Makefile; did you mean "WIDTH"?'
    assert not refusal(["CFLAGS", "PYTHONPATH", "PYTEST_ADDOPTS", "V", "CC", "DESTDIR", "PREFIX", *KNOWN], KNOWN)


def test_make_refuses_a_mistyped_variable_before_all_else(project, output):
    process = project.start("clean", OUTPTU="other")
    _, err = process.communicate()
    assert process.returncode == 2 and err.count("\n") == 1 and output.is_dir()
    assert 'OUTPTU is no variable of this Makefile; did you mean "OUTPUT"?' in err


@pytest.mark.parametrize(("name", "said"), [("figurs", 'did you mean "figures"?'), ("a'b", "make help names them all")])
def test_a_target_that_there_is_not_is_refused_with_the_nearest(project, name, said):
    process = project.start(name)
    _, err = process.communicate()
    assert process.returncode == 2 and [line for line in err.splitlines() if line.startswith("attn: ")] == [
        f'attn: make has no target "{name}"; {said}'
    ]


def test_somebodys_own_variables_are_let_be(project):
    own = {name: "1" for name in ("PYTEST", "BENCH", "CFLAGS", "PYTHONPATH", "V", "DESTDIR", "a'b")}
    assert "WEIGHTS" in project.make("help", **own)
