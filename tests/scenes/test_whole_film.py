"""The whole film is made anew exactly when a clip changed; clips that are up to date are left alone. In a copy."""

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import av
import pytest

from attn.build.assets import ROOT

KEPT = ("one", "two", "film")  # two short clips are enough
CLIP = '''"""A square."""

import manim

from attn.core.numerals import Cell, number
from attn.texts.phrases import Texts
from scenes._kit.stage import Stage
from scenes._kit.text import Number
{imports}

def texts(trace):
    return Texts("Clip {name}", (), "A caption.", "A square.", "embedding")


class {Name}(Stage):
    after = {after}

    def construct(self):
        value = Number(Cell(number(self.trace.scores[2][{column}]), "scores[2][{column}]"), 0.5)
        self.beat("Clip {name} plays.", manim.FadeIn(manim.Square()), manim.FadeIn(value), run_time=0.7)
'''


class Copy:
    """A copy of the project with two steps and their film."""

    def __init__(self, folder: Path):
        self.folder, self.videos = folder, folder / "output" / "videos"
        for package in ("attn", "figures", "scenes"):
            shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        for scene in (folder / "scenes").glob("[!_]*.py"):
            if scene.stem not in KEPT:
                scene.unlink()
        for column, (name, imports, after) in enumerate(
            (("one", "", None), ("two", "from scenes.one import One", "One"))
        ):
            clip = CLIP.format(name=name, Name=name.title(), imports=imports, after=after, column=column)
            (folder / "scenes" / f"{name}.py").write_text(clip, encoding="utf-8")

    def video(self, *arguments: str) -> str:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "ATTN_"))}
        command = [sys.executable, "-m", "attn.cli", "video", *arguments, "--quality", "low", "--claims", "warn"]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stderr

    def times(self) -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in self.videos.iterdir()}

    def touched(self, before: dict[str, int]) -> set[str]:
        """The files that were made anew since, and those that came."""
        return {name for name, when in self.times().items() if before.get(name) != when}


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Copy:
    made = Copy(tmp_path_factory.mktemp("whole") / "a fôlder")
    made.video("film")
    return made


def test_asked_for_alone_it_makes_its_clips_first(copy):
    assert {path.stem for path in copy.videos.iterdir()} == set(KEPT)
    record = json.loads((copy.videos / "film.json").read_text())
    parts = [json.loads((copy.videos / f"{name}.json").read_text()) for name in KEPT[:2]]
    assert [chapter["title"] for chapter in record["chapters"]] == [part["title"] for part in parts]
    assert {str(value) for value in record["values"]} == {str(v) for part in parts for v in part["values"]}
    with av.open(io.BytesIO((copy.videos / "film.mp4").read_bytes())) as film:
        frames = film.streams.video[0].frames
        assert record["weights"] in film.metadata["comment"] and film.metadata["title"] == record["title"]
        assert [chapter["metadata"]["title"] for chapter in film.chapters()] == [part["title"] for part in parts]
    lengths = []
    for name in KEPT[:2]:
        with av.open(str(copy.videos / f"{name}.mp4")) as clip:
            lengths.append(clip.streams.video[0].frames)
    assert frames == sum(lengths)


def test_up_to_date_nothing_is_touched(copy):
    before = copy.times()
    copy.video("film")
    copy.video()
    assert not copy.touched(before)


def test_deleted_it_is_joined_again_from_the_same_clips(copy):
    before, film = copy.times(), (copy.videos / "film.mp4").read_bytes()
    (copy.videos / "film.mp4").unlink()
    copy.video("film")
    assert copy.touched(before) == {"film.mp4"} and (copy.videos / "film.mp4").read_bytes() == film


def test_a_clip_that_comes_out_the_same_does_not_change_it(copy):
    before = copy.times()
    (copy.videos / "two.mp4").write_bytes(b"damaged")
    copy.video("film")
    assert copy.touched(before) == {"two.mp4"}


def test_a_clip_that_changes_changes_it_and_no_other_clip(copy):
    before = copy.times()
    scene = copy.folder / "scenes" / "two.py"
    original = scene.read_text(encoding="utf-8")
    scene.write_text(original.replace("plays", "is played"), encoding="utf-8")
    copy.video("film")
    touched = {name.partition(".")[0] for name in copy.touched(before)}
    assert touched == {"two", "film"}
    scene.write_text(original, encoding="utf-8")
    copy.video("film")


def test_a_change_of_weights_goes_to_the_clips_that_show_it_and_to_the_film(copy):
    before = copy.times()
    weights = copy.folder / "attn" / "weights" / "you.toml"
    original = weights.read_text(encoding="utf-8")
    weights.write_text(f"# a comment\n{original}", encoding="utf-8")
    copy.video("film")
    assert not copy.touched(before)
    weights.write_text(original.replace('sentence = "', 'sentence = "hear ', 1), encoding="utf-8")
    copy.video("film")
    assert {name.partition(".")[0] for name in copy.touched(before)} == set(KEPT)
    weights.write_text(original, encoding="utf-8")
    copy.video("film")


def test_formats_there_and_back(copy):
    films = {path.name: path.read_bytes() for path in copy.videos.iterdir()}
    copy.video("film", "--formats", "gif")
    assert not list(copy.videos.glob("*.mp4")) and {path.stem for path in copy.videos.glob("*.gif")} == set(KEPT[:2])
    assert {p.name: p.read_bytes() for p in copy.videos.glob("*.srt")}.items() <= films.items()
    copy.video("film")
    assert {path.name: path.read_bytes() for path in copy.videos.iterdir()} == films
