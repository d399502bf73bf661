"""A copy of the project with few pictures, and make in it: for tests of what make does."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from attn.build.assets import ROOT

QUICK = {"FORMATS": "pdf", "QUALITY": "low"}

_FILM = '''"""A short film that shows one attention weight."""

import manim

from attn.core.numerals import cell
from attn.picture.richtext import word
from {story} import {name} as texts
from scenes._kit.stage import Stage
from scenes._kit.text import Number, Text

SUBJECT = "{subject}"


class Tiny(Stage):
    def construct(self):
        trace = self.trace
        place = trace.last, 0
        self.add(Text(word(trace, trace.tokens[-1]), 0.6).shift([-2, 0, 0]))
        number = Number(cell(trace.attention[place], "attention[%d][%d]" % place), 0.8).at([2, 0, 0])
        self.beat("A number comes.", manim.FadeIn(number), run_time=0.7, poster=True)
'''
FILM = _FILM.format(story="attn.texts.step4_softmax", name="texts", subject="story")
FILM_B = _FILM.format(story="attn.texts.qkv", name="film", subject="sentence")
FIGURE = '''"""A small figure that shows one attention weight."""

from attn.core.numerals import cell
from attn.texts.step4_softmax import texts
from figures._kit.paint import Page


def draw(trace):
    page, place = Page(84, 10), (trace.last, 0)
    page.text(5, 4, cell(trace.attention[place], "attention[%d][%d]" % place))
    return page.figure
'''


class Project:
    """A copy of the project with some of its figures and some of one's own, and make in it."""

    def __init__(self, folder: Path, kept=(), own: dict[str, str] | None = None, cores: int | None = None):
        """kept: names of figures; own: source by file, as "scenes/tiny.py".

        cores: how many make may use, where the system can say; one is cheaper, since no process is started for each.
        """
        self.folder, self.figures, self.cores = folder, folder / "output" / "figures", cores
        self.weights = folder / "attn" / "weights" / "you.toml"
        hidden = shutil.ignore_patterns("__pycache__")
        for package in ("attn", "figures", "scenes"):
            shutil.copytree(ROOT / package, folder / package, ignore=hidden)
        for name in ("Makefile", ".constraints.txt", "pyproject.toml"):
            shutil.copy2(ROOT / name, folder / name)
        for figure in (folder / "figures").glob("[!_]*.py"):
            if figure.stem not in kept:
                figure.unlink()
        for scene in (folder / "scenes").glob("[!_]*.py"):
            scene.unlink()
        for file, source in (own or {}).items():
            (folder / file).write_text(source, encoding="utf-8")
        setup = folder / ".ci" / "setup"  # all is set up already
        setup.parent.mkdir()
        setup.write_text("#!/bin/sh\ntouch .ready\n")
        setup.chmod(0o755)

    def command(self, *targets, jobs=1, **variables) -> list[str]:
        settings = QUICK | {"VENV": sys.prefix, "READY": ".ready", "RUN": f'exec "{sys.executable}" -E -m'} | variables
        return ["make", f"-j{jobs}", *(targets or ["figures"]), *(f"{k}={v}" for k, v in settings.items())]

    def start(self, *targets, stderr=subprocess.PIPE, surroundings: dict | None = None, **options) -> subprocess.Popen:
        """Make in a session of its own. `surroundings` go into its environment; None takes a variable out."""
        return self.run(self.command(*targets, **options), stderr, surroundings)

    def run(self, command: list[str], stderr=subprocess.PIPE, surroundings: dict | None = None) -> subprocess.Popen:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "ATTN_"))}
        environment = {k: v for k, v in (environment | (surroundings or {})).items() if v is not None}
        return subprocess.Popen(command, cwd=self.folder, env=environment, text=True, start_new_session=True,
                                stdout=subprocess.PIPE, stderr=stderr, preexec_fn=self._bind)  # fmt: skip

    def _bind(self) -> None:
        if self.cores and hasattr(os, "sched_setaffinity"):
            there, worker = sorted(os.sched_getaffinity(0)), os.environ.get("PYTEST_XDIST_WORKER", "gw0")
            first = int(worker[2:]) * self.cores  # tests that run at the same time each have cores of their own
            os.sched_setaffinity(0, {there[(first + i) % len(there)] for i in range(self.cores)})

    def make(self, *targets, **variables) -> str:
        process = self.start(*targets, **variables)
        out, err = process.communicate()
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
        notes = (note for kind in ("figures", "videos") for note in (state / kind).glob("*.json"))
        return {f"{note.parent.name}/{note.stem}": note.stat().st_mtime_ns for note in notes}

    def from_scratch(self, *targets, **variables) -> dict[str, bytes]:
        """What a build with nothing to go on makes of the targets, by name in its folder."""
        shutil.rmtree(self.folder / "scratch", ignore_errors=True)
        if (trained := self.folder / "output" / "lookup.json").is_file():  # which is made anew if its code is another
            (self.folder / "scratch").mkdir()
            shutil.copy(trained, self.folder / "scratch")
        self.make(*targets, OUTPUT="scratch", **variables)
        return {name: data for name, (data, _) in self.pictures("scratch").items()}


def heard(process: subprocess.Popen, text: str, said: list[str]) -> bool:
    """Listens to a process until it says a line with `text`; False if it ends before. All lines go to `said`."""
    for line in process.stderr:
        said.append(line)
        if text in line:
            return True
    return False


def bumped(name: str):
    """An edit of the weights: the first number of a parameter becomes 0.25 more."""

    def edit(text: str) -> str:
        return re.sub(rf"(?m)^({name} = [\[\s]*)([-\d.]+)", lambda m: f"{m[1]}{float(m[2]) + 0.25}", text, count=1)

    return edit
