"""After a change: exactly what shows it is made anew, and nothing is ever half made. Through make, in a copy."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from attn import fonts
from attn.assets import ROOT, Asset, Code, assets
from attn.publish import TEMPORARY

KEPT = ("step4_softmax", "step7_context")  # two figures and one short film are enough, and quick
STEP4, STEP7, FILM = "figures/step4_softmax", "figures/step7_context", "videos/tiny"
FIGURES = {STEP4, STEP7}
ALL = {*FIGURES, FILM}
QUICK = {"FORMATS": "pdf", "QUALITY": "low"}
MOMENTS = int(os.environ.get("ATTN_TEST_MOMENTS", 3))  # at which builds are broken off; more take longer

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="make is not there")


TINY = '''"""A short film that shows one attention weight."""

import manim

from attn import look
from attn.story import step4_softmax as texts
from scenes._stage import Stage
from scenes._text import Number, text_mobject


class Tiny(Stage):
    def construct(self):
        trace = self.trace
        place = trace.last, 0
        self.add(text_mobject(look.word(trace, trace.tokens[-1]), 0.8))
        number = Number(look.cell(trace.attention[place], "attention[%d][%d]" % place), 0.8).at([2, 0, 0])
        self.beat("A number comes.", manim.FadeIn(number), run_time=0.7, poster=True)
'''


class Project:
    """A copy of the project with two figures and a film, and make in it."""

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
        for scene in (folder / "scenes").glob("[!_]*.py"):
            scene.unlink()
        (folder / "scenes" / "tiny.py").write_text(TINY, encoding="utf-8")
        setup = folder / ".ci" / "setup"  # all is set up already
        setup.parent.mkdir()
        setup.write_text("#!/bin/sh\ntouch .ready\n")
        setup.chmod(0o755)

    def start(
        self, *targets, jobs=1, stderr=subprocess.PIPE, surroundings: dict | None = None, **variables
    ) -> subprocess.Popen:
        settings = QUICK | {"READY": ".ready", "RUN": f'"{sys.executable}" -E -m'} | variables
        command = ["make", f"-j{jobs}", *(targets or ["figures"]), *(f"{k}={v}" for k, v in settings.items())]
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "ATTN_"))}
        environment = {k: v for k, v in (environment | (surroundings or {})).items() if v is not None}
        return subprocess.Popen(command, cwd=self.folder, env=environment, text=True, start_new_session=True,
                                stdout=subprocess.PIPE, stderr=stderr)  # fmt: skip

    def make(self, *targets, **variables) -> str:
        process = self.start(*targets, **variables)
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, out + err
        return out + err

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.figures.iterdir())}

    def times(self) -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in sorted(self.figures.iterdir())}

    def pictures(self, output: str = "output") -> dict[str, tuple[bytes, int]]:
        """Content and time of every file of figures and films: figures/step7_context.pdf and so on."""
        folder = self.folder / output
        paths = [path for kind in ("figures", "videos") for path in sorted((folder / kind).glob("*"))]
        return {
            path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in paths
            if path.stem != "captions"
        }

    def notes(self) -> dict[str, int]:
        """When each asset was made."""
        state = self.folder / "output" / ".state"
        return {f"{path.parent.name}/{path.stem}": path.stat().st_mtime_ns for path in state.glob("*/*.json")}

    def from_scratch(self, *targets, **variables) -> dict[str, bytes]:
        """What a build with nothing to go on makes of the targets, by name in its folder."""
        shutil.rmtree(self.folder / "scratch", ignore_errors=True)
        self.make(*targets, OUTPUT="scratch", **variables)
        return {name: data for name, (data, _) in self.pictures("scratch").items()}


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


def as_json(text: str) -> str:
    return json.dumps(tomllib.loads(text))


def renamed(text: str) -> str:
    return text.replace("hear ", "listen ").replace('"hear"', '"listen"')


def unused(text: str) -> str:
    return text + "\n\nUNUSED = 1\n"


def remarked(text: str) -> str:
    return text + "\n# a remark\n"


YOU = "attn/weights/you.toml"
# What is edited: the file and how, or a variable and its value; and the assets it may make anew
EDITS = {
    # the weights file: only what shows a value that changed
    "a remark": (YOU, lambda text: f"# a remark\n{text}", set()),
    "the order of keys": (YOU, swap_keys, set()),
    "line ends": (YOU, lambda text: text.replace("\n", "\r\n"), set()),
    "a byte-order mark": (YOU, lambda text: f"\ufeff{text}", set()),
    "JSON": (YOU, as_json, set()),
    "the file's time": (YOU, lambda text: text, set()),
    "an [[expect]]": (YOU, lambda text: text[: text.rindex("[[expect]]")], set()),
    "the title": (YOU, lambda text: re.sub("(?m)^title = .*$", 'title = "another"', text), set()),
    "W_Q": (YOU, bumped("W_Q"), ALL),
    "W_K": (YOU, bumped("W_K"), ALL),
    "W_V": (YOU, bumped("W_V"), FIGURES),
    "W_O": (YOU, bumped("W_O"), FIGURES),
    "b_out": (YOU, bumped("b_out"), ALL),
    "an embedding": (YOU, bumped("embeddings"), FIGURES),
    "a position": (YOU, bumped("positions"), ALL),
    "the camera": (YOU, lambda text: f"{text}\n[view]\nazimuth = 40.0\nelevation = 20.0\n", FIGURES),
    "the sentence": (YOU, lambda text: re.sub('(?m)^sentence = .*', 'sentence = "hear you"', text, count=1), ALL),
    "a word's name": (YOU, renamed, ALL),
    # code: what is made of it
    "one figure": ("figures/step4_softmax.py", unused, {STEP4}),
    "a remark in code": ("attn/look.py", remarked, set()),
    "what all use": ("attn/look.py", unused, ALL),
    "what figures use": ("figures/_draw.py", unused, FIGURES),
    "what films use": ("scenes/_film.py", unused, {FILM}),
    "code of no picture": ("attn/fit.py", unused, set()),
    "the pins": (".constraints.txt", lambda text: text + "# a new pin\n", ALL),
    # settings: what they are about
    "THEME": ("THEME", "dark", ALL),
    "FORMATS": ("FORMATS", "svg,png", FIGURES),
    "WIDTH": ("WIDTH", "column", FIGURES),
    "QUALITY": ("QUALITY", "medium", {FILM}),
    "FONT": ("FONT", str(fonts.fallback_file()), ALL),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_makes_anew_what_it_may_and_gives_what_a_build_from_scratch_gives(built, name):
    what, change, may = EDITS[name]
    variables = {"CLAIMS": "warn"}
    targets = "figures", "videos"
    built.make(*targets, **variables)
    before, made = built.pictures(), built.notes()
    if what.isupper():
        variables[what] = change
        after, remade, scratch = made_again(built, targets, variables, made)
    else:
        path = built.folder / what
        original = path.read_bytes()
        try:
            path.write_bytes(change(original.decode()).encode())
            after, remade, scratch = made_again(built, targets, variables, made, scratch=bool(may))
        finally:
            path.write_bytes(original)
    assert remade <= may
    assert what == YOU or remade == may, "code and settings say exactly what they concern"
    if scratch is not None:
        assert {file: data for file, (data, _) in after.items()} == scratch
    changed = {file for file in {**before, **after} if before.get(file, (b"",))[0] != after.get(file, (b"",))[0]}
    assert {file for file in before if before[file] != after.get(file)} <= changed, "what is as before keeps its time"
    assert {file.partition(".")[0] for file in changed} <= may


def made_again(project, targets, variables, made, scratch=True):
    """After an edit: the files, which assets were made anew, and the files of a build from scratch, if wanted."""
    project.make(*targets, **variables)
    remade = {asset for asset, moment in project.notes().items() if made.get(asset) != moment}
    return project.pictures(), remade, project.from_scratch(*targets, **variables) if scratch else None


def test_the_table_of_edits_is_long_enough():
    assert len(EDITS) >= 30


def test_settings_there_and_back(built):
    built.make()
    before, times = built.files(), built.times()
    for settings in ({"THEME": "dark"}, {"FORMATS": "svg,png"}, {"WIDTH": "column"}):
        built.make(**settings)
        assert built.files() != before
    built.make()
    assert built.files() == before
    times = built.times()
    for settings in ({"QUALITY": "medium"}, {"CLAIMS": "warn"}):
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


def test_what_nothing_makes_any_more_is_named_and_cleaned_away(built):
    built.make()
    assert built.make("stale") == ""
    (built.folder / "figures" / "old_name.py").write_bytes((built.folder / "figures" / "step4_softmax.py").read_bytes())
    built.make("output/figures/old_name.pdf")
    (built.folder / "figures" / "old_name.py").unlink()
    built.make()
    (built.folder / "output" / "mine.txt").write_text("not made by us")
    assert built.make("stale").split() == ["output/figures/old_name.json", "output/figures/old_name.pdf"]
    built.make("clean")
    assert [path.name for path in (built.folder / "output").iterdir()] == ["mine.txt"]
    (built.folder / "output" / "mine.txt").unlink()


def test_watching_makes_what_a_save_calls_for_and_survives_what_is_refused(built, tmp_path):
    built.make()
    original, file = built.weights.read_text(encoding="utf-8"), built.figures / "step4_softmax.json"
    before = file.read_bytes()
    with (tmp_path / "said").open("w") as said:
        process = built.start("watch", CLAIMS="warn", KINDS="figures", stderr=said)

        def heard(text: str, times: int = 1) -> bool:
            return until(lambda: (tmp_path / "said").read_text().count(text) >= times)

        try:
            assert heard("up to date after")
            built.weights.write_text("format = 1\n", encoding="utf-8")
            assert heard("waiting for the next change")
            beside = built.weights.with_suffix(".new")  # as editors save: written beside and renamed
            beside.write_text(bumped("W_Q")(original), encoding="utf-8")
            beside.replace(built.weights)
            assert heard("2 made: figures/step4_softmax, figures/step7_context") and heard("up to date after", 2)
            assert file.read_bytes() != before
            os.killpg(process.pid, signal.SIGINT)
            process.wait(timeout=20)
        finally:
            process.kill()
            built.weights.write_text(original, encoding="utf-8")
    lines = (tmp_path / "said").read_text().splitlines()
    assert len([line for line in lines if "not known" in line]) == 1
    assert all(line.startswith(("attn: ", "make")) for line in lines), lines
    built.make()
    assert file.read_bytes() == before


def until(is_so, seconds: float = 60) -> bool:
    """Waits until something is so; False if it takes too long."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


RC = "font.size: 30\nsavefig.dpi: 30\nlines.linewidth: 9\ntext.usetex: True\naxes.formatter.use_locale: True\n"
CFG = "[CLI]\nframe_rate = 5\nbackground_color = RED\npixel_width = 100\nplugins = nowhere\nquality = none such\n"


def test_nothing_in_the_surroundings_changes_a_byte(built, tmp_path):
    targets = "figures", "videos"
    built.make(*targets)
    before = {name: data for name, (data, _) in built.pictures().items()}
    for folder in ("matplotlib", "manim"):
        (tmp_path / ".config" / folder).mkdir(parents=True)
    strange = [tmp_path / ".config/matplotlib/matplotlibrc", built.folder / "matplotlibrc", tmp_path / "matplotlibrc"]
    strange_films = [tmp_path / ".config/manim/manim.cfg", built.folder / "manim.cfg"]
    surroundings = {
        "TZ": "Asia/Kathmandu", "LANG": "de_DE.UTF-8", "LC_ALL": comma_locale(tmp_path), "LOCPATH": str(tmp_path),
        "PYTHONHASHSEED": "77", "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / ".config"),
        "MPLCONFIGDIR": str(tmp_path), "MATPLOTLIBRC": str(tmp_path), "MPLBACKEND": "svg", "OMP_NUM_THREADS": "3",
        "SOURCE_DATE_EPOCH": "1", "COLUMNS": "20", "NO_COLOR": "1",
    }  # fmt: skip
    try:
        for path in strange:
            path.write_text(RC)
        for path in strange_films:
            path.write_text(CFG)
        shutil.rmtree(built.folder / "scratch", ignore_errors=True)
        process = built.start(*targets, surroundings=surroundings, OUTPUT="scratch")
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, out + err
        assert {name: data for name, (data, _) in built.pictures("scratch").items()} == before
        assert err.count("\n") == 2 and not out, "a line a run"
    finally:
        for path in (*strange, *strange_films):
            path.unlink()


def comma_locale(folder: Path) -> str:
    """A locale whose decimals have commas, made in `folder` where the system can; else a name."""
    if shutil.which("localedef"):
        command = ["localedef", "-f", "UTF-8", "-i", "de_DE", folder / "de_DE.UTF-8"]
        subprocess.run(command, capture_output=True, check=False)
    return "de_DE.UTF-8"


@pytest.mark.parametrize("home", [None, "/nowhere/at/all"])
def test_no_home_is_needed(built, home):
    built.make()
    before = built.files()
    shutil.rmtree(built.folder / "scratch", ignore_errors=True)
    process = built.start(surroundings={"HOME": home}, OUTPUT="scratch")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, out + err
    assert {p.name: p.read_bytes() for p in (built.folder / "scratch" / "figures").iterdir()} == before


def test_a_silent_make_is_silent(built):
    shutil.rmtree(built.folder / "scratch", ignore_errors=True)
    process = built.start("figures", "-s", OUTPUT="scratch")
    assert process.communicate(timeout=120) == ("", "") and process.returncode == 0
