"""Making exactly the assets that a change calls for.

An asset is up to date when the values it showed, the settings that matter to it, its code and its files are what they
were when it was made (`attn.reading`, `attn.assets`). File times decide nothing here; make only uses them to save the
start of Python when nothing at all was touched.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from attn import captions, contract, numbers, publish
from attn.assets import PACKAGES, Asset, Code, Mistake, file_of, source_files, steps
from attn.assets import assets as assets_of
from attn.core import Trace
from attn.model import WeightsError
from attn.progress import Course, Line, summary
from attn.publish import Progress, Settings
from attn.reading import Reading, digest
from attn.subjects import Subjects
from attn.workers import cores, spread

PREVIEW = "preview"  # the folder in an output folder that `make preview` makes another one in

Say = Callable[[str], None]


class Task(NamedTuple):
    """All that making one asset takes."""

    asset: Asset
    trace: Trace
    output: Output
    settings: Settings
    code: str  # its digest


class Output:
    """The folder everything is made into, with the notes in .state/ on how each asset was made."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.state = folder / ".state"

    def note(self, asset: Asset) -> Path:
        return self.state / asset.kind / f"{asset.name}.json"

    def files(self, asset: Asset) -> list[Path]:
        """Every file of `asset` that is there; files of other kinds beside them are the user's own."""
        paths = (self.folder / asset.kind / f"{asset.name}.{e}" for e in sorted(publish.EXTENSIONS[asset.kind]))
        return [path for path in paths if path.is_file()]

    def content(self, asset: Asset) -> dict[str, bytes]:
        """Its files by extension."""
        return {path.suffix[1:]: path.read_bytes() for path in self.files(asset)}

    def font_files(self, copies: Sequence[bytes]) -> tuple[Path, ...]:
        """Files with these fonts, each named by its content; those of earlier runs go. For one that holds `locked`."""
        folder = self.state.resolve() / "fonts"
        found = {folder / f"{_sha256(data)}.ttf": data for data in copies}
        for path in set(folder.glob("*.ttf")) - set(found):
            path.unlink()
        for path, data in found.items():
            publish.write(path, data)
        return tuple(found)

    def left_over(self) -> list[Path]:
        """Files among the assets' that none makes any more: those of a picture that was renamed or removed."""
        made = {kind: {asset.name for asset in assets_of(kind)} for kind in PACKAGES}
        made["figures"].add(captions.NAME)
        folders = [(kind, folder / kind) for folder in (self.folder, self.folder / PREVIEW) for kind in PACKAGES]
        return [
            path
            for kind, folder in folders
            for path in sorted(folder.glob("[!.]*"))
            if path.name.partition(".")[0] not in made[kind]
        ]

    def digests(self, asset: Asset) -> dict[str, str]:
        """sha256 of each of its files, by name."""
        return {path.name: _sha256(path.read_bytes()) for path in self.files(asset)}

    def write(self, name: str, data: bytes) -> bool:
        """Puts a file into the folder, as `publish.write` does."""
        return publish.write(self.folder / name, data)

    @contextmanager
    def locked(self, say: Say) -> Iterator[None]:
        """Holds the folder: another process that wants it waits. The lock goes with the process, however it ends.

        Raises WeightsError for a folder of sources.
        """
        import fcntl

        if any(next((self.folder / kind).glob("*.py"), None) for kind in PACKAGES):
            raise WeightsError("OUTPUT", f'"{self.folder}" is a folder of sources; expected one of its own')
        self.state.mkdir(parents=True, exist_ok=True)
        with (self.state / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(f"waiting for another run in {self.folder}")
                fcntl.flock(lock, fcntl.LOCK_EX)
            self._sweep()
            try:
                with publish.scratch(self.state / "tmp"):
                    yield
            finally:
                self._sweep()

    def _sweep(self) -> None:
        """Removes what runs left that were broken off."""
        folders = (self.folder, *self.folder.iterdir(), *self.state.iterdir())
        publish.sweep(path for path in folders if path.is_dir())

    def stamp(self, kind: str, settings: str | None, source: bytes, started: float) -> None:
        """Notes for make that all assets of `kind` are up to date: with these settings, for this weights file.

        Not where code was saved after `started`, since it may have come too late.
        """
        if settings is None or any(file.stat().st_mtime >= started for file in source_files()):
            return
        stamp = self.state / f"{kind}.made"
        publish.write(stamp, settings.encode() + b"\n" + source)
        os.utime(stamp)


def build(
    assets: Sequence[Asset], trace: Trace, output: Output, settings: Settings, line: Line | None = None
) -> dict[Asset, str]:
    """Makes those of `assets` that are not up to date, on all cores. For one that holds `output.locked`.

    `trace` is that of the user's weights; an asset of another subject is drawn from that (attn.subjects). What an asset
    is joined from is made before it. Returns those that cannot be drawn from these weights, each with the reason; all
    others are made. A Mistake or a Crash of one's code is raised after that. `line` is told how it goes.
    """
    line = line or Line(sys.stderr, quiet=True)
    assets = list(dict.fromkeys(one for asset in assets for one in (*asset.parts, asset)))
    code_notes = output.state / "code.json"
    code = Code(_read(code_notes))
    digests = {asset: code.digest(asset) for asset in assets}
    publish.write(code_notes, json.dumps(code.cache, indent=0).encode())
    subjects = Subjects(trace, output.folder, line.remark)
    made, problems, faults, tasks = [], {}, [], {}
    for asset in assets:
        try:
            tasks[asset] = Task(asset, subjects.of(asset), output, settings, digests[asset])
        except WeightsError as error:
            problems[asset] = str(error)
    drawn = [task for asset, task in tasks.items() if not asset.parts and not up_to_date(*task)]
    course = Course({task.asset: size for task, size in zip(drawn, _sizes(drawn), strict=True)})

    def settled(asset: Asset, outcome: Exception | None) -> None:
        if isinstance(outcome, WeightsError):
            problems[asset] = str(outcome)
        elif outcome is not None:
            faults.append(outcome)
        else:
            made.append(str(asset))
        course.done(asset)

    for asset, outcome in _made(drawn, course, line):
        settled(asset, outcome)
        line.remark(f"{asset}  {course.count()}")
    for asset in (asset for asset in assets if asset.parts and not faults):
        lacking = next((part for part in asset.parts if part in problems), None)
        if lacking:
            problems[asset] = f"is joined from {lacking}, which cannot be made"
        elif not up_to_date(*tasks[asset]):
            settled(asset, _attempt(tasks[asset]))
            line.remark(f"{asset}  joined")
    line.clear()
    if made:
        line.say(summary(made, len(assets) - len(made) - len(problems) - len(faults)))
    for fault in faults:
        raise fault
    return problems


def write_texts(figures: Sequence[Asset], trace: Trace, output: Output) -> None:
    """Writes the numbers and the captions for the author's running text; `figures` are made already."""
    found = numbers.numbers(trace)
    output.write("numbers.tex", numbers.tex(found).encode())
    output.write("numbers.json", numbers.table(found).encode())
    records = [_read(output.folder / asset.kind / f"{asset.name}.json") for asset in figures]
    for extension, writer in captions.WRITERS.items():
        output.write(f"figures/{captions.NAME}.{extension}", writer(records).encode())


def up_to_date(asset: Asset, trace: Trace, output: Output, settings: Settings, code: str) -> bool:
    """Whether making `asset` again would give the files that are there."""
    note = _read(output.note(asset))
    if note.get("code") != code or note.get("settings") != settings.that_matter(asset):
        return False
    try:
        same = digest(trace, note["names"]) == note["digest"]
    except (AttributeError, KeyError, TypeError):
        return False
    return same and note["files"] == output.digests(asset) and note.get("parts") == _parts(asset, output)


def make(
    asset: Asset, trace: Trace, output: Output, settings: Settings, code: str, progress: Progress | None = None
) -> None:
    """Makes one asset, whatever is there. Raises WeightsError where it cannot be drawn from these weights."""
    parts = asset.parts
    reading = Reading(trace, {name for part in parts for name in _read(output.note(part))["names"]})
    if parts:
        files = publish.joined(asset.name, asset.module, list(map(output.content, parts)), reading, settings)
    elif asset.kind == "figures":
        files = publish.figure(asset.name, asset.module, reading, settings)
    else:
        files = publish.film(asset.name, asset.module, reading, settings, progress)
    paths = {output.folder / asset.kind / f"{asset.name}.{extension}": data for extension, data in files.items()}
    for path, data in paths.items():
        publish.write(path, data)
    for path in set(output.files(asset)) - set(paths):  # formats that are no longer wanted would go out of date
        path.unlink()
    note = {
        "code": code,
        "settings": settings.that_matter(asset),
        "names": reading.names,
        "digest": reading.digest(),
        "files": {path.name: _sha256(data) for path, data in paths.items()},
        "parts": _parts(asset, output),
    }
    publish.write(output.note(asset), json.dumps(note, indent=0).encode())


def _parts(asset: Asset, output: Output) -> dict[str, str]:
    """sha256 of every file that an asset is joined from."""
    return {name: found for part in asset.parts for name, found in output.digests(part).items()}


def _sizes(tasks: Sequence[Task]) -> list[float]:
    """How much work each is, roughly: by the films that are there from before, or else by the length of the code."""
    films = [task.output.folder / task.asset.kind / f"{task.asset.name}.mp4" for task in tasks]
    if tasks and all(film.is_file() for film in films):
        return [film.stat().st_size for film in films]
    return [file_of(task.asset.module).stat().st_size for task in tasks]


def _in_order(tasks: Sequence[Task]) -> list[Task]:
    """The films that go on from one another in their order, since a process goes on from what it has just played; then
    the longest first, so that no core is left with one at the end.
    """
    row, sizes = steps(), dict(zip(tasks, _sizes(tasks), strict=True))
    return sorted(tasks, key=lambda task: (row.index(task.asset), 0) if task.asset in row else (len(row), -sizes[task]))


def _made(tasks: Sequence[Task], course: Course, line: Line) -> Iterator[tuple[Asset, Exception | None]]:
    """Does all of `tasks`, giving (asset, None or the exception) for each as it is done."""

    def heard(task: Task, beat: int, share: float) -> None:
        course.heard(task.asset, beat, share)
        line.tick(course.line())

    tasks, hears = _in_order(tasks), heard if line.live else None
    if min(len(tasks), cores()) > 1:
        for task, outcome in spread(_attempt, tasks, cores(), hears):
            yield task.asset, outcome
    else:
        for task in tasks:
            yield task.asset, _attempt(task, hears and partial(hears, task))


def _attempt(task: Task, progress: Progress | None = None) -> Exception | None:
    _hush()
    try:
        make(*task, progress)
    except (WeightsError, Mistake) as error:
        return error
    except Exception as error:
        return contract.crash(task.asset.module, error)
    return None


def settle_environment(output: Output) -> None:
    """Lets matplotlib, here and in the workers, read its own settings and no user's; its notes go to .state/."""
    package = Path(find_spec("matplotlib").origin).parent
    os.environ["MATPLOTLIBRC"] = str(package / "mpl-data" / "matplotlibrc")
    os.environ["MPLCONFIGDIR"] = str((output.state / "matplotlib").resolve())
    os.environ["MPLBACKEND"] = "agg"
    _hush()


def _hush() -> None:
    """Matplotlib says nothing about its notes: where they cannot be written, so can no figure, and that is said."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)


def _read(path: Path) -> dict:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
