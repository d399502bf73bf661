"""Making exactly the assets that a change calls for.

An asset is up to date when the values it showed, the settings that matter to it, its code and its files are what they
were when it was made (`attn.core.reading`, `attn.build.assets`). File times decide nothing.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from attn.build import captions, contract, numbers
from attn.build.assets import Asset, Code, Mistake, file_of, steps
from attn.build.output import CAPTIONS, Output, read_note, write
from attn.build.progress import Course, Line, Progress, summary
from attn.build.settings import Settings
from attn.build.subjects import Subjects
from attn.build.workers import cores, spread
from attn.core.errors import WeightsError
from attn.core.reading import Reading, digest
from attn.lab.lookup import Lookup
from attn.picture.drawn import Drawn

Subject = Drawn | Lookup  # what a picture is drawn from


class Task(NamedTuple):
    """All that making one asset takes."""

    asset: Asset
    trace: Subject
    output: Output
    settings: Settings
    code: str  # its digest


def build(
    assets: Sequence[Asset],
    trace: Drawn,
    output: Output,
    settings: Settings,
    line: Line | None = None,
    otherwise: Sequence[str] = (),
) -> dict[Asset, str]:
    """Makes those of `assets` that are not up to date, on all cores. For one that holds `output.locked`.

    `trace` is that of the user's weights; an asset of another subject is drawn from that
    (attn.build.subjects). What an asset is joined from is made before it. Returns those that cannot be drawn from these
    weights, each with the reason; all others are made. A Mistake or a Crash of one's code is raised after that. `line`
    is told how it goes, and before anything is replaced, what is asked `otherwise` than last time.
    """
    line = line or Line(sys.stderr, quiet=True)
    assets = list(dict.fromkeys(one for asset in assets for one in (*asset.parts, asset)))
    code_notes = output.state / "code.json"
    code = Code(read_note(code_notes))
    digests = {asset: code.digest(asset) for asset in assets}
    write(code_notes, json.dumps(code.cache, indent=0).encode())
    subjects = Subjects(trace, output.folder, line.remark)
    made, problems, faults, tasks = [], {}, [], {}
    for asset in assets:
        try:
            tasks[asset] = Task(asset, subjects.of(asset), output, settings, digests[asset])
        except WeightsError as error:
            problems[asset] = str(error)
    drawn = [task for asset, task in tasks.items() if not asset.parts and not up_to_date(*task)]
    if otherwise and any(output.files(task.asset) for task in drawn):
        line.say(f"{output.folder}: {', '.join(otherwise)} from now on; another OUTPUT would keep both")
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
    let_be = len(assets) - len(made) - len(problems) - len(faults)
    if made or let_be:
        line.say(summary(made, let_be))
    for fault in faults:
        raise fault
    return problems


def write_texts(figures: Sequence[Asset], trace: Drawn, output: Output) -> None:
    """Writes the numbers and the captions for the author's running text; `figures` are made already."""
    found = numbers.numbers(trace)
    output.write("numbers.tex", numbers.tex(found).encode())
    output.write("numbers.json", numbers.table(found).encode())
    records = [read_note(output.folder / asset.kind / f"{asset.name}.json") for asset in figures]
    for extension, writer in captions.WRITERS.items():
        output.write(f"figures/{CAPTIONS}.{extension}", writer(records).encode())


def up_to_date(asset: Asset, trace: Subject, output: Output, settings: Settings, code: str) -> bool:
    """Whether making `asset` again would give the files that are there."""
    note = read_note(output.note(asset))
    try:
        return note == _note(asset, trace, note["names"], output.digests(asset), output, settings, code)
    except (AttributeError, KeyError, TypeError, ValueError):  # a torn note; these weights lack what was shown
        return False


def _note(
    asset: Asset, trace: Subject, names: Iterable[str], files: Mapping, output: Output, settings: Settings, code: str
) -> dict[str, object]:
    """What `files` of an asset, each with its digest, were made of. names: of the values that it shows."""
    return {
        "code": code,
        "settings": settings.that_matter(asset),
        "names": list(names),
        "digest": digest(trace, names),
        "files": files,
        "parts": {name: found for part in asset.parts for name, found in output.digests(part).items()},
    }


def make(
    asset: Asset, trace: Subject, output: Output, settings: Settings, code: str, progress: Progress | None = None
) -> None:
    """Makes one asset, whatever is there. Raises WeightsError where it cannot be drawn from these weights."""
    parts = asset.parts
    reading = Reading(trace, {name for part in parts for name in read_note(output.note(part))["names"]})
    files = _files(asset, list(map(output.content, parts)), reading, settings, progress)
    paths = {output.folder / asset.kind / f"{asset.name}.{extension}": data for extension, data in files.items()}
    for path, data in paths.items():
        write(path, data)
    for path in set(output.files(asset)) - set(paths):  # formats that are no longer wanted would go out of date
        path.unlink()
    digests = {path.name: hashlib.blake2b(data).hexdigest() for path, data in paths.items()}
    note = _note(asset, trace, reading.names, digests, output, settings, code)
    write(output.note(asset), json.dumps(note, indent=0).encode())


def _files(asset: Asset, parts: Sequence[dict], reading: Reading, settings: Settings, progress) -> dict[str, bytes]:
    """An asset's files by extension. Only here are the packages of pictures loaded, each where it is needed."""
    if parts:
        from attn.build.whole import joined

        return joined(asset, parts, reading, settings)
    if asset.kind == "figures":
        from attn.build.figure import figure

        return figure(asset, reading, settings)
    from attn.build.film import film

    return film(asset, reading, settings, progress)


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
    except OSError as error:  # a full disk does not say where
        ours = error.errno and Path(error.filename2 or error.filename or task.output.folder).resolve()
        if ours and ours.is_relative_to(task.output.folder.resolve()):
            return error
        return contract.crash(task.asset.module, error)
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
