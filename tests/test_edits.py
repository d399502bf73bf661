"""After an edit: exactly what shows it is made anew, and all is as a build from scratch makes it. Through make."""

import json
import os
import re
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from attn.build.assets import ROOT
from attn.picture import fonts
from tests.building import FILM, FILM_B, Project, bumped


def swap_keys(text: str) -> str:
    """The same content, two keys of [parameters] in the other order."""
    first, second = (re.search(rf"^{name} = \[.*?\]\]?\n(?=\w)", text, re.M | re.S)[0] for name in ("W_Q", "W_K"))
    return text.replace(first, "@").replace(second, first).replace("@", second)


def as_json(text: str) -> str:
    return json.dumps(tomllib.loads(text))


def renamed(text: str) -> str:
    return text.replace("hear ", "listen ").replace('"hear"', '"listen"')


def unused(text: str) -> str:
    return text + "\n\nUNUSED = 1\n"


def remarked(text: str) -> str:
    return text + "\n# a remark\n"


YOU, CHASED = "attn/weights/you.toml", "attn/weights/chased.toml"
STEP4, STEP7, SENTENCE, LOOKUP = (
    f"figures/{name}" for name in ("step4_softmax", "step7_context", "sentence_matrix", "lookup_split")
)
TINY, TINY_B = "videos/tiny", "videos/tiny_b"
STEPS, FIGURES, FILMS = {STEP4, STEP7}, {STEP4, STEP7, SENTENCE, LOOKUP}, {TINY, TINY_B}
ALL, STORY = FIGURES | FILMS, STEPS | {TINY}
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
    "W_Q": (YOU, bumped("W_Q"), STORY),
    "W_V": (YOU, bumped("W_V"), STEPS),
    "b_out": (YOU, bumped("b_out"), STORY),
    "the camera": (YOU, lambda text: f"{text}\n[view]\nazimuth = 40.0\nelevation = 20.0\n", STEPS),
    "the sentence": (YOU, lambda text: re.sub("(?m)^sentence = .*", 'sentence = "hear you"', text, count=1), STORY),
    "a word's name": (YOU, renamed, STORY),
    "W_V of story B": (CHASED, bumped("W_V"), set()),
    "an embedding of story B": (CHASED, bumped("embeddings"), {SENTENCE, TINY_B}),
    # code: what is made of it
    "one figure": ("figures/step4_softmax.py", unused, {STEP4}),
    "a remark in code": ("attn/picture/palette.py", remarked, set()),
    "what all use": ("attn/picture/palette.py", unused, ALL),
    "what figures use": ("figures/_kit/paint.py", unused, FIGURES),
    "what films use": ("scenes/_kit/render.py", unused, FILMS),
    "texts of story B": ("attn/texts/qkv.py", unused, {TINY_B}),
    "the experiment": (
        "attn/lab/lookup.py",
        lambda text: text.replace("tuple(range(20))", "tuple(range(3))"),
        {LOOKUP},
    ),
    "code of the experiment": ("attn/lab/lookup.py", unused, set()),  # it comes to the same
    "code of no picture": ("attn/lab/fit.py", unused, set()),
    "the pins": (".constraints.txt", lambda text: text + "# a new pin\n", ALL),
    # settings: what they are about
    "THEME": ("THEME", "dark", ALL),
    "FORMATS": ("FORMATS", "svg,png", FIGURES),
    "WIDTH": ("WIDTH", "column", STEPS),
    "QUALITY": ("QUALITY", "medium", FILMS),
    "WEIGHTS": ("WEIGHTS", str(ROOT / "tests/cases/good/near-equal.toml"), STORY),
    "WEIGHTS of story B": ("WEIGHTS", CHASED, set()),
    "FONT": ("FONT", str(fonts.fallback_file()), ALL),
}


OFTEN = {"W_V", "texts of story B"}  # in `make test`; the others in `make test-all`
TARGETS, WARN = ("figures", "videos"), {"CLAIMS": "warn"}


@pytest.fixture(scope="module")
def edited(tmp_path_factory) -> Project:
    """A project in which all is made, in a folder with a blank and an accent; beside it the output as it is then."""
    kept = [asset.rpartition("/")[2] for asset in FIGURES]
    films = {"scenes/tiny.py": FILM, "scenes/tiny_b.py": FILM_B}
    project = Project(tmp_path_factory.mktemp("a fôlder"), kept, films, cores=1)
    project.make(*TARGETS, **WARN)
    shutil.copytree(project.folder / "output", project.folder / "as it was")
    return project


@contextmanager
def edit(project: Project, what: str, change) -> Iterator[dict]:
    """In this block the file or variable `what` is changed, and output/ is as before; gives make's variables."""
    shutil.rmtree(project.folder / "output")
    shutil.copytree(project.folder / "as it was", project.folder / "output")
    if what.isupper():
        yield WARN | {what: change}
        return
    path = project.folder / what
    original, times = path.read_bytes(), path.stat()
    try:
        path.write_bytes(change(original.decode()).encode())
        yield WARN
    finally:
        path.write_bytes(original)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in OFTEN else pytest.mark.slow) for name in EDITS]
)
def test_an_edit_makes_anew_what_it_may_and_gives_what_a_build_from_scratch_gives(edited, name):
    what, change, may = EDITS[name]
    with edit(edited, what, change) as variables:
        before, made = edited.pictures(), edited.notes()
        assert {file.partition(".")[0] for file in before} == set(made) == ALL
        edited.make(*TARGETS, **variables)
        after = edited.pictures()
        remade = {asset for asset, moment in edited.notes().items() if made[asset] != moment}
        scratch = edited.from_scratch(*TARGETS, **variables) if may else contents(before)
    assert remade <= may
    assert what.startswith("attn/weights/") or remade == may, "code and settings say exactly what they concern"
    assert contents(after) == scratch
    changed = {file for file in {**before, **after} if contents(before).get(file) != contents(after).get(file)}
    assert {file for file in before if before[file] != after.get(file)} <= changed, "what is as before keeps its time"
    assert {file.partition(".")[0] for file in changed} <= may


def contents(pictures: dict[str, tuple[bytes, int]]) -> dict[str, bytes]:
    return {file: data for file, (data, _) in pictures.items()}


def test_the_table_of_edits_is_long_enough_and_every_asset_is_touched_and_spared():
    assert len(EDITS) >= 30
    for asset in ALL:
        assert {asset in may for _, _, may in EDITS.values()} == {True, False}
