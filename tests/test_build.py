"""After a change: exactly what shows it is made anew, and nothing is ever half made. Through make, in a copy."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from attn.assets import ROOT, Asset, Code, assets
from attn.publish import TEMPORARY

KEPT = ("step4_softmax", "step7_context")  # two figures are enough, and quick
BOTH = set(KEPT)
QUICK = {"FORMATS": "pdf"}
MOMENTS = int(os.environ.get("ATTN_TEST_MOMENTS", 3))  # at which builds are broken off; more take longer

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="make is not there")


class Project:
    """A copy of the project with two figures, and make in it."""

    def __init__(self, folder: Path):
        self.folder, self.figures = folder, folder / "output" / "figures"
        self.weights = folder / "attn" / "weights" / "you.toml"
        hidden = shutil.ignore_patterns("__pycache__")
        for package in ("attn", "figures", "scenes"):
            shutil.copytree(ROOT / package, folder / package, ignore=hidden)
        for name in ("Makefile", ".constraints.txt", "pyproject.toml"):
            shutil.copy2(ROOT / name, folder / name)
        for figure in (folder / "figures").glob("[!_]*.py"):
            if figure.stem not in KEPT:
                figure.unlink()
        setup = folder / ".ci" / "setup"  # all is set up already
        setup.parent.mkdir()
        setup.write_text("#!/bin/sh\ntouch .ready\n")
        setup.chmod(0o755)

    def start(self, *targets, jobs=1, **variables) -> subprocess.Popen:
        settings = QUICK | {"READY": ".ready", "RUN": f'"{sys.executable}" -E -m'} | variables
        command = ["make", f"-j{jobs}", *(targets or ["figures"]), *(f"{k}={v}" for k, v in settings.items())]
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "ATTN_"))}
        return subprocess.Popen(command, cwd=self.folder, env=environment, text=True, start_new_session=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip

    def make(self, *targets, **variables) -> str:
        process = self.start(*targets, **variables)
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, out + err
        return out + err

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.figures.iterdir())}

    def times(self) -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in sorted(self.figures.iterdir())}

    def edit(self, file: str, old: str, new: str, count: int = 1) -> None:
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new, count), encoding="utf-8")

    def from_scratch(self, **variables) -> dict[str, bytes]:
        other = self.folder / "scratch"
        shutil.rmtree(other, ignore_errors=True)
        self.make(OUTPUT="scratch", **variables)
        return {path.name: path.read_bytes() for path in sorted((other / "figures").iterdir())}


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Project:
    """A project whose figures are made, in a folder with a blank and an accent. Tests put back what they change."""
    project = Project(tmp_path_factory.mktemp("a fôlder"))
    project.make()
    return project


def swap_keys(text: str) -> str:
    """The same content, two keys of [parameters] in the other order."""
    first, second = (re.search(rf"^{name} = \[.*?\]\]?\n(?=\w)", text, re.M | re.S)[0] for name in ("W_Q", "W_K"))
    return text.replace(first, "@").replace(second, first).replace("@", second)


def bumped(name: str):
    """An edit of the weights: the first number of a parameter becomes 0.25 more."""

    def edit(text: str) -> str:
        return re.sub(rf"(?m)^({name} = [\[\s]*)([-\d.]+)", lambda m: f"{m[1]}{float(m[2]) + 0.25}", text, count=1)

    return edit


WEIGHTS = {
    "a comment": (lambda text: f"# a comment\n{text}", set()),
    "the order of keys": (swap_keys, set()),
    "CRLF": (lambda text: text.replace("\n", "\r\n"), set()),
    "an [[expect]]": (lambda text: text[: text.rindex("[[expect]]")], set()),
    "the title": (lambda text: re.sub("(?m)^title = .*$", 'title = "another"', text), set()),
    "one entry of W_O": (bumped("W_O"), None),
    "one entry of W_Q": (bumped("W_Q"), BOTH),
    "one embedding": (bumped("embeddings"), None),
    "the camera": (lambda text: f"{text}\n[view]\nazimuth = 40.0\nelevation = 20.0\n", BOTH),
}


@pytest.mark.parametrize("name", WEIGHTS)
def test_an_edit_of_the_weights_makes_what_shows_it(built, name):
    change, expected = WEIGHTS[name]
    check_edit(built, built.weights, change, expected, CLAIMS="warn")


CODE = {
    "one figure": ("figures/step4_softmax.py", lambda text: text + "\n\nUNUSED = 1\n", {"step4_softmax"}),
    "what both use": ("attn/look.py", lambda text: text + "\n\nUNUSED = 1\n", BOTH),
    "a comment": ("attn/look.py", lambda text: text + "\n# a comment\n", set()),
    "code of no figure": ("attn/fit.py", lambda text: text + "\n\nUNUSED = 1\n", set()),
    "a film": ("scenes/_film.py", lambda text: text + "\n\nUNUSED = 1\n", set()),
    "the pins": (".constraints.txt", lambda text: text + "# a new pin\n", BOTH),
}


@pytest.mark.parametrize("name", CODE)
def test_an_edit_of_code_makes_what_uses_it(built, name):
    file, change, expected = CODE[name]
    remade = check_edit(built, built.folder / file, change, set())
    assert remade == expected


def check_edit(project, file, change, expected, **variables) -> set[str]:
    """Edits a file, makes, compares with a build from scratch, undoes the edit. Gives the assets that were made anew.

    `expected`: the assets whose files may change, or None for any.
    """
    project.make(**variables)
    original, before = file.read_bytes(), (project.files(), project.times(), notes(project))
    text = change(original.decode())
    assert text.encode() != original
    try:
        file.write_bytes(text.encode())
        project.make(**variables)
        after = project.files(), project.times(), notes(project)
        if expected is None or expected:
            assert after[0] == project.from_scratch(**variables)
        touched = {name for name in before[1] if before[1][name] != after[1][name]}
        assert touched == {name for name in before[0] if before[0][name] != after[0][name]}
        assert expected is None or {name.partition(".")[0] for name in touched} - {"captions"} == expected
    finally:
        file.write_bytes(original)
    project.make(**variables)
    assert project.files() == before[0], "undone, the edit leaves no trace"
    return {name for name in before[2] if before[2][name] != after[2][name]}


def notes(project) -> dict[str, int]:
    folder = project.folder / "output" / ".state" / "figures"
    return {path.stem: path.stat().st_mtime_ns for path in folder.glob("*.json")}


def test_settings_there_and_back(built):
    built.make()
    before, times = built.files(), built.times()
    for settings in ({"THEME": "dark"}, {"FORMATS": "svg,png"}):
        built.make(**settings)
        assert built.files() == built.from_scratch(**settings) != before
    built.make()
    assert built.files() == before
    times = built.times()
    for settings in ({"QUALITY": "low"}, {"CLAIMS": "warn"}):
        built.make(**settings)
        assert built.times() == times


def test_a_second_make_starts_nothing(built):
    built.make()
    assert "Nothing to be done" in built.make()
    assert "Nothing to be done" in built.make()


def test_a_file_that_is_older_but_different_is_seen(built):
    built.make(CLAIMS="warn")
    before, original = built.files(), built.weights.read_text(encoding="utf-8")
    built.weights.write_text(bumped("W_Q")(original), encoding="utf-8")
    os.utime(built.weights, (1e9, 1e9))
    built.make(CLAIMS="warn")
    assert built.files() != before
    built.weights.write_text(original, encoding="utf-8")
    built.make()


def test_what_was_deleted_or_damaged_comes_back(built):
    built.make()
    before = built.files()
    (built.figures / "step7_context.pdf").unlink()
    (built.figures / "step4_softmax.json").write_text("{}")
    (built.figures / ".step4_softmax.pdf.123.part").write_text("left by a killed run")
    built.make()
    assert built.files() == before


def test_one_asset_by_its_path(built):
    shutil.rmtree(built.folder / "one", ignore_errors=True)
    built.make("one/figures/step7_context.pdf", OUTPUT="one")
    assert {p.name for p in (built.folder / "one" / "figures").iterdir()} == {"step7_context.pdf", "step7_context.json"}
    missing = built.start("one/figures/step7_contxt.pdf", OUTPUT="one")
    assert missing.wait() == 2 and 'did you mean "step7_context"?' in missing.stderr.read()


def test_false_claims_stop_the_build_before_it_draws(built, tmp_path):
    built.make()
    before, times = built.files(), built.times()
    file = tmp_path / "false.toml"
    text = built.weights.read_text(encoding="utf-8")
    file.write_text(text.replace('next = "here"', 'next = "are"', 1), encoding="utf-8")
    stopped = built.start(WEIGHTS=file)
    _, err = stopped.communicate()
    assert stopped.returncode == 2 and "expect" in err and "CLAIMS=warn" in err
    assert (built.files(), built.times()) == (before, times)
    assert "expect" in built.make(WEIGHTS=file, CLAIMS="warn")
    assert built.files() == before, "an [[expect]] is in no picture"
    built.make()


def test_two_runs_at_a_time_and_many_jobs_give_whole_files(built):
    built.make()
    before = built.files()
    for jobs in (1, 8):
        shutil.rmtree(built.folder / "output")
        targets = ("figures", *(f"output/figures/{name}.{e}" for name in KEPT for e in ("pdf", "json")))
        runs = [built.start(*targets[: 1 if jobs == 1 else None], jobs=jobs) for _ in range(2)]
        for process in runs:
            out, err = process.communicate(timeout=120)
            assert process.returncode == 0, out + err
        assert built.files() == before


@pytest.mark.parametrize("how", ["kill the group", "terminate make", "interrupt the group"])
def test_a_broken_off_build_leaves_whole_files_and_is_made_up_for(built, how):
    built.make()
    before = built.files()
    start = time.monotonic()
    shutil.rmtree(built.folder / "output")
    built.make()
    length = time.monotonic() - start
    for moment in (0.1 + 0.9 * i / MOMENTS for i in range(MOMENTS, 0, -1)):
        shutil.rmtree(built.folder / "output", ignore_errors=True)
        process = built.start()
        time.sleep(moment * length)
        if how == "terminate make":
            process.terminate()
        elif process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL if how.startswith("kill") else signal.SIGINT)
        process.communicate(timeout=60)
        if built.figures.is_dir():
            finished = {p.name: p.read_bytes() for p in built.figures.iterdir() if not p.match(TEMPORARY)}
            assert finished.items() <= before.items()
        built.make()
        assert built.files() == before


def test_an_output_folder_that_cannot_be_written_is_one_line(built, tmp_path):
    (tmp_path / "file").write_text("in the way")
    process = built.start(OUTPUT=tmp_path / "file" / "output")
    _, err = process.communicate()
    assert process.returncode == 2 and "Traceback" not in err
    assert len([line for line in err.splitlines() if line.startswith("attn: ")]) == 1


def test_help_names_every_target_and_variable():
    text = (ROOT / "Makefile").read_text()
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = re.search(r"^\.PHONY: (.*) FORCE$", text, re.M)[1].split()
    variables = re.findall(r"^([A-Z]+) =", text, re.M)
    assert len(targets) > 8 and len(variables) > 6
    for name in (*targets, *variables):
        assert re.search(rf"^{name} ", shown, re.M), name


def test_code_is_found_through_imports():
    code = Code()
    used = code.modules("figures.step7_context")
    assert {"figures._draw", "attn.look", "attn"} <= used
    assert not any(module.startswith("scenes") or module == "attn.cli" for module in used)
    assert all(code.digest(asset) for kind in ("figures", "videos") for asset in assets(kind))
    assert code.digest(Asset("figures", "step4_softmax")) != code.digest(Asset("figures", "step7_context"))
