"""Nothing half made, nothing lost: builds that are killed, side by side, on a full disk. Through make, in a copy."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from attn.build.output import TEMPORARY
from tests.building import FIGURE, FILM, QUICK, Project, bumped

slow = partial(pytest.param, marks=pytest.mark.slow)
MOMENTS = int(os.environ.get("ATTN_TEST_MOMENTS", 3))  # at which builds are killed; more on a long evening
NAMES = [f"small{i}" for i in range(5)]
TARGETS = "figures", "videos"
THEMES = "light", "dark"


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """A project of small pictures, so that a build is short and writes much."""
    figures = {f"figures/{name}.py": FIGURE for name in NAMES}
    return Project(tmp_path_factory.mktemp("small"), own=figures | {"scenes/tiny.py": FILM})


@pytest.fixture(scope="module")
def whole(project) -> dict[str, dict[str, bytes]]:
    """What an undisturbed build makes, by theme."""
    return {theme: project.from_scratch(*TARGETS, THEME=theme) for theme in THEMES}


def contents(project: Project) -> dict[str, bytes]:
    """What stands in output/, but for what a broken-off run has not renamed yet."""
    return {name: data for name, (data, _) in project.pictures().items() if not Path(name).match(TEMPORARY)}


def written(folder: Path) -> set[tuple[str, int]]:
    """Every file below a folder with its number on the disk: a file that is replaced is another one."""
    found = set()
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                found.add((name, os.stat(os.path.join(place, name)).st_ino))
            except OSError:
                continue
    return found


def broken_off(project: Project, process: subprocess.Popen, end: Callable[[], object], files: int) -> str:
    """Ends a build when it has written so many files, if it has not ended by then; gives what was said."""
    output = project.folder / "output"
    before = written(output)
    while process.poll() is None and len(written(output) - before) < files:
        time.sleep(0)  # others may work
    if process.poll() is None:
        end()
    out, err = process.communicate()  # which ends when nobody is left who could say something: no worker either
    return out + err


def temporary(project: Project) -> list[Path]:
    """What lies in output/ and is to be gone after a run."""
    return [path for path in (project.folder / "output").rglob("*") if path.match(TEMPORARY) or path.name == "tmp"]


def check(project: Project, whole) -> None:
    """Every file in output/ is one of those that undisturbed builds make, every note can be read."""
    for name, data in contents(project).items():
        assert data in [files[name] for files in whole.values()], name
    for note in (project.folder / "output" / ".state").glob("*/*.json"):
        assert note.parent.name == "matplotlib" or json.loads(note.read_bytes())


def test_killed_at_many_moments_in_a_row_every_file_is_whole_and_the_next_build_undisturbed(project, whole):
    """What is left of one build is where the next begins. Most make figures, which are more files."""
    films = max(1, MOMENTS // 5)
    for target, count in (("figures", MOMENTS - films), ("videos", films)):
        shutil.rmtree(project.folder / "output", ignore_errors=True)
        project.make(target)
        files = len(written(project.folder / "output"))
        for i in range(count):
            theme = THEMES[(i + 1) % 2]  # another each time, so that all is to be made anew
            process = project.start(target, THEME=theme)
            broken_off(project, process, partial(os.killpg, process.pid, signal.SIGKILL), round(1 + files * i / count))
            check(project, whole)
        project.make(*TARGETS, THEME=theme)
        assert contents(project) == whole[theme] and not temporary(project)


@pytest.mark.parametrize(
    "how", [slow("terminate make"), slow("interrupt the group"), slow("interrupt the group under tee")]
)
def test_broken_off_otherwise(project, whole, how):
    for i, files in enumerate((1, 2, 9, 18)):
        theme = THEMES[i % 2]
        if how.endswith("tee"):
            command = f"{shlex.join(project.command(*TARGETS, THEME=theme))} 2>&1 | tee said"
            process = project.run(["sh", "-c", command])
        else:
            process = project.start(*TARGETS, THEME=theme)
        group = partial(os.killpg, process.pid, signal.SIGINT)
        said = broken_off(project, process, process.terminate if how == "terminate make" else group, files)
        assert "Traceback" not in said and not temporary(project)
        check(project, whole)
    project.make(*TARGETS)
    assert contents(project) == whole["light"]


@pytest.mark.parametrize("number", [slow(signal.SIGINT), signal.SIGTERM, slow(signal.SIGHUP)])
@pytest.mark.parametrize("command", ["figure", "video"])
def test_a_signal_ends_a_run_with_one_line_and_nothing_left(project, whole, command, number):
    shutil.rmtree(project.folder / "output", ignore_errors=True)
    surroundings = {f"ATTN_{name}": value for name, value in QUICK.items()}
    process = project.run([sys.executable, "-E", "-m", "attn.cli", command], surroundings=surroundings)
    said = broken_off(project, process, partial(process.send_signal, number), 3)
    assert said == f"attn: stopped ({number.name})\n" and process.returncode == 128 + number
    assert not temporary(project)
    check(project, whole)


@pytest.mark.slow
def test_a_signal_that_is_ignored_stays_so(project):
    """As nohup wants it."""
    process = project.run(["sh", "-c", f'trap "" HUP; exec {shlex.join(project.command("figures", THEME="dark"))}'])
    said = broken_off(project, process, partial(os.killpg, process.pid, signal.SIGHUP), 2)
    assert process.returncode == 0, said


@pytest.mark.slow
def test_a_torn_note_or_lock_of_matplotlib_costs_nothing(project, whole):
    project.make(*TARGETS)
    notes = next((project.folder / "output" / ".state" / "matplotlib").glob("fontlist*.json"))
    notes.write_bytes(notes.read_bytes()[:1000])
    lock = notes.with_name(f"{notes.name}.matplotlib-lock")
    lock.touch()
    assert project.make("figures", THEME="dark").count("\n") == 2, "what is asked otherwise, and what was made"
    assert not lock.exists() and json.loads(notes.read_bytes())
    check(project, whole)


@pytest.mark.slow
@pytest.mark.parametrize("nth", range(5))
def test_many_jobs_from_cold_make_each_asset_once(project, whole, nth):
    shutil.rmtree(project.folder / "output", ignore_errors=True)
    single = [f"output/figures/{name}.{extension}" for name in NAMES[:1] for extension in ("pdf", "json")]
    said = project.make(*TARGETS, *single, jobs=8)
    assert sum(map(int, re.findall(r"(\d+) made", said))) == len(NAMES) + 1, said
    assert contents(project) == whole["light"]


@pytest.mark.slow
def test_two_makes_at_a_time_in_one_folder(project, whole):
    shutil.rmtree(project.folder / "output", ignore_errors=True)
    runs = [project.start(*TARGETS) for _ in range(2)]
    said = [run.communicate() for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    assert sum(map(int, re.findall(r"(\d+) made", str(said)))) == len(NAMES) + 1, said
    assert contents(project) == whole["light"]


@pytest.mark.slow
def test_two_makes_that_want_different_things_leave_all_of_one_kind_or_the_other(project, whole):
    runs = [project.start(*TARGETS, THEME=theme) for theme in THEMES]
    for run in runs:
        run.communicate()
        assert run.returncode == 0
    check(project, whole)
    project.make(*TARGETS)
    assert contents(project) == whole["light"]


@pytest.mark.parametrize("blocks", [slow(2), slow(12), 20])
def test_a_disk_that_takes_no_more_is_one_line_and_leaves_what_was_there(project, whole, blocks):
    """By a limit on the size of files, which everybody can set; a write past it fails as on a full disk."""
    project.make(*TARGETS)
    before = contents(project)
    command = shlex.join(project.command(*TARGETS, THEME="dark"))
    process = project.run(["sh", "-c", f"ulimit -f {blocks}; exec {command}"])
    _, err = process.communicate()
    lines = [line for line in err.splitlines() if not line.startswith(("make", "attn: 5 made", "attn: output: theme"))]
    assert process.returncode == 2 and len(lines) == 1, "\n".join(lines)
    assert re.match(r"attn: .*: File too large$", lines[0]) and "site-packages" not in lines[0]
    check(project, whole)
    assert set(contents(project)) == set(before)
    project.make(*TARGETS)
    assert contents(project) == whole["light"]


def test_an_output_folder_that_cannot_be_written_is_one_line(project, tmp_path):
    (tmp_path / "file").write_text("in the way")
    process = project.start(OUTPUT=tmp_path / "file" / "output")
    _, err = process.communicate()
    assert process.returncode == 2 and "Traceback" not in err
    assert len([line for line in err.splitlines() if line.startswith("attn: ")]) == 1


def test_a_refused_weights_file_changes_nothing(project):
    project.make(*TARGETS)
    before, original = project.pictures(), project.weights.read_text()
    try:
        for bad in ("", "format = 1\n", original.replace("causal", "casual", 1), bumped("W_Q")(original)[:700]):
            project.weights.write_text(bad)
            process = project.start(*TARGETS)
            _, err = process.communicate()
            assert process.returncode == 2
            assert len([line for line in err.splitlines() if line.startswith("attn: ")]) == 1, err
            assert project.pictures() == before
    finally:
        project.weights.write_text(original)
