"""After a change: exactly what shows it is made anew. Through make, in a copy."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from attn.build.assets import ROOT, Asset, Code, assets
from tests.building import FILM, Project, bumped, heard
from tests.often import some
from tests.tiny_fonts import tiny, written

KEPT = ("step4_softmax", "step7_context")  # two figures and one short film are enough, and quick


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Project:
    """A project whose figures are made, in a folder with a blank and an accent. Tests put back what they change."""
    project = Project(tmp_path_factory.mktemp("a fôlder"), KEPT, {"scenes/tiny.py": FILM}, cores=1)
    project.make()
    return project


@pytest.mark.slow
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
    assert built.make() == built.make() == "attn: nothing to be done; 2 up to date\n"


@pytest.mark.slow
def test_every_font_is_looked_at_whatever_its_path(built):
    first, second = built.folder / "my fonts" / "a first.ttf", built.folder / "b.otf"
    first.parent.mkdir()
    first.write_bytes(written(tiny("🦚")))
    second.write_bytes(written(tiny("🦜", "CFF")))
    parrot = built.weights.read_text(encoding="utf-8").replace("why", "🦜")
    (built.folder / "parrot.toml").write_text(parrot, encoding="utf-8")
    settings = {"WEIGHTS": "parrot.toml", "FONT": "my fonts/a first.ttf:b.otf", "OUTPUT": "parrot"}
    built.make(**settings)
    assert "nothing to be done" in built.make(**settings)
    for file, data in ((first, written(tiny("🦚", "CFF"))), (second, written(tiny("🦜")))):
        file.write_bytes(data)
        assert "2 made" in built.make(**settings)


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


@pytest.mark.slow
def test_one_asset_by_its_path(built):
    shutil.rmtree(built.folder / "one", ignore_errors=True)
    built.make("one/figures/step7_context.pdf", OUTPUT="one")
    assert {p.name for p in (built.folder / "one" / "figures").iterdir()} == {"step7_context.pdf", "step7_context.json"}
    before = (built.folder / "one" / "figures" / "step7_context.pdf").stat().st_mtime_ns
    built.make("one/figures/step7_context.pdf", OUTPUT="one", FORMATS="mp4", THEME="dark")  # of figures all are meant
    assert (built.folder / "one" / "figures" / "step7_context.pdf").stat().st_mtime_ns > before
    missing = built.start("one/figures/step7_contxt.pdf", OUTPUT="one")
    assert missing.wait() == 2 and 'did you mean "step7_context"?' in missing.stderr.read()


def test_what_these_weights_cannot_show_is_said_in_a_line_a_reason_and_the_rest_is_made(built, tmp_path):
    shutil.rmtree(built.folder / "one", ignore_errors=True)
    text = built.weights.read_text(encoding="utf-8")
    file = tmp_path / "no-output.toml"
    file.write_text(re.sub(r"W_O = \[.*?\n\]", "", text, flags=re.S), encoding="utf-8")
    done = built.start(WEIGHTS=file, OUTPUT="one", CLAIMS="warn")
    _, err = done.communicate()
    reasons = [line for line in err.splitlines() if "is missing" in line]
    assert done.returncode == 2 and "Traceback" not in err
    assert len(reasons) == 1 and all(f"figures/{name}" in reasons[0] for name in KEPT)
    assert reasons[0].startswith(f"attn: {file}: figures/")
    assert "attnWeight" in (built.folder / "one" / "numbers.tex").read_text(encoding="utf-8")
    captions = (built.folder / "one" / "figures" / "captions.md").read_text(encoding="utf-8")
    assert not any(name in captions for name in KEPT)


def test_a_folder_of_sources_is_no_output_and_what_stands_beside_the_pictures_is_left_alone(built):
    sources = sorted(built.folder.glob("figures/*"))
    run = [sys.executable, "-m", "attn.cli", "figure", "step4_softmax", "--output"]
    done = subprocess.run([*run, ""], cwd=built.folder, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr == 'attn: OUTPUT: "." is a folder of sources; expected one of its own\n'
    assert sorted(built.folder.glob("figures/*")) == sources
    own = built.figures / "step4_softmax.tex"
    built.make()
    own.write_text("the author's")
    built.make(FORMATS="svg")
    built.make("clean")
    assert own.read_text() == "the author's"
    own.unlink()


ODD = ("$(shell touch run)`touch run` $(touch run)$x", """a'; touch run; '"; touch run; "#b=(c)""")


@pytest.mark.parametrize("name", some(ODD, 2))
def test_what_is_set_on_the_command_line_is_a_name_and_nothing_else(built, name):
    shutil.copy(built.weights, built.folder / name)
    (built.folder / "run").unlink(missing_ok=True)
    told = built.make("check", WEIGHTS=name), built.make("check", "stale", WEIGHTS=built.weights, PYTHON=name)
    assert all(re.search(r"\b(\d+) of \1 hold", said) for said in told)
    built.make(WEIGHTS=name)
    elsewhere = {"OUTPUT": name, "WEIGHTS": name + "?"}
    for target, variables in {"diff": {"OLD": name}, "watch": {"KINDS": name}, "figures": {"THEME": name},
                              "preview": elsewhere, "clean": elsewhere}.items():  # fmt: skip
        _, err = built.start(target, **variables).communicate()
        assert "Traceback" not in err and "Syntax" not in err
    (built.folder / name).unlink()
    assert not (built.folder / "run").exists()


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


def test_help_names_every_target_and_variable():
    text = (ROOT / "Makefile").read_text()
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = re.search(r"^TARGETS := (.*)$", text, re.M)[1].split()
    variables = re.findall(r"^([A-Z]+) =", text, re.M)
    assert len(targets) > 8 and len(variables) > 6
    for name in (*targets, *variables):
        assert re.search(rf"^{name} ", shown, re.M), name


def test_code_is_found_through_imports():
    code = Code()
    used = code.modules("figures.step7_context")
    assert {"figures._kit.paint", "attn.picture.palette", "attn"} <= used
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


def test_watching_makes_what_a_save_calls_for_and_survives_what_is_refused(built):
    built.make()
    original, file = built.weights.read_text(encoding="utf-8"), built.figures / "step4_softmax.json"
    before, said = file.read_bytes(), []
    process = built.start("watch", CLAIMS="warn", KINDS="figures")
    try:
        assert heard(process, "up to date after", said)
        built.weights.write_text("format = 1\n", encoding="utf-8")
        assert heard(process, "waiting for the next change", said)
        built.weights.write_text(bumped("W_Q")(original), encoding="utf-8")
        assert heard(process, "2 made: figures/step4_softmax, figures/step7_context", said)
        assert heard(process, "up to date after", said)
        assert file.read_bytes() != before
        os.killpg(process.pid, signal.SIGINT)
        said += process.communicate()[1].splitlines()
    finally:
        process.kill()
        built.weights.write_text(original, encoding="utf-8")
    assert len([line for line in said if "not known" in line]) == 1
    assert all(line.startswith(("attn: ", "make")) for line in said), said
    built.make()
    assert file.read_bytes() == before


RC = "font.size: 30\nsavefig.dpi: 30\nlines.linewidth: 9\ntext.usetex: True\naxes.formatter.use_locale: True\n"
CFG = "[CLI]\nframe_rate = 5\nbackground_color = RED\npixel_width = 100\nplugins = nowhere\nquality = none such\n"


@pytest.mark.slow
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
        out, err = process.communicate()
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


@pytest.mark.slow
@pytest.mark.parametrize("home", [None, "/nowhere/at/all"])
def test_no_home_is_needed(built, home):
    built.make()
    before = built.files()
    shutil.rmtree(built.folder / "scratch", ignore_errors=True)
    process = built.start(surroundings={"HOME": home}, OUTPUT="scratch")
    out, err = process.communicate()
    assert process.returncode == 0, out + err
    assert {p.name: p.read_bytes() for p in (built.folder / "scratch" / "figures").iterdir()} == before


@pytest.mark.slow
def test_a_silent_make_is_silent(built):
    shutil.rmtree(built.folder / "scratch", ignore_errors=True)
    process = built.start("figures", "-s", OUTPUT="scratch")
    assert process.communicate() == ("", "") and process.returncode == 0
