"""Making exactly the assets that a change calls for.

An asset is up to date when the values it showed, the settings that matter to it, its code and its files are what they
were when it was made (`attn.reading`, `attn.assets`). File times decide nothing here; make only uses them to save the
start of Python when nothing at all was touched.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import active_children, connection, get_context, parent_process
from pathlib import Path

from attn import captions, numbers, publish
from attn.assets import Asset, Code, source_files
from attn.core import Trace
from attn.model import WeightsError
from attn.publish import Settings
from attn.reading import Reading, digest
from attn.subjects import Subjects

Say = Callable[[str], None]


class Output:
    """The folder everything is made into, with the notes in .state/ on how each asset was made."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.state = folder / ".state"

    def note(self, asset: Asset) -> Path:
        return self.state / asset.kind / f"{asset.name}.json"

    def files(self, asset: Asset) -> list[Path]:
        """Every file of `asset` that is there."""
        return sorted((self.folder / asset.kind).glob(f"{asset.name}.*"))

    def write(self, name: str, data: bytes) -> bool:
        """Puts a file into the folder, as `publish.write` does."""
        return publish.write(self.folder / name, data)

    @contextmanager
    def locked(self, say: Say) -> Iterator[None]:
        """Holds the folder: another process that wants it waits. The lock goes with the process, however it ends."""
        import fcntl

        self.state.mkdir(parents=True, exist_ok=True)
        with (self.state / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(f"waiting for another run in {self.folder}")
                fcntl.flock(lock, fcntl.LOCK_EX)
            folders = (self.folder, *self.folder.iterdir(), *self.state.iterdir())
            publish.sweep(path for path in folders if path.is_dir())
            yield

    def stamp(self, kind: str, settings: str | None, source: bytes, started: float) -> None:
        """Notes for make that all assets of `kind` are up to date: with these settings, for this weights file.

        Not where code was saved after `started`, since it may have come too late.
        """
        if settings is None or any(file.stat().st_mtime >= started for file in source_files()):
            return
        stamp = self.state / f"{kind}.made"
        publish.write(stamp, settings.encode() + b"\n" + source)
        os.utime(stamp)


def build(assets: Sequence[Asset], trace: Trace, output: Output, settings: Settings, say: Say = print) -> list[str]:
    """Makes those of `assets` that are not up to date, on all cores. For one that holds `output.locked`.

    `trace` is that of the user's weights; an asset of another subject is drawn from that (attn.subjects).
    Returns a line for each asset that cannot be drawn from these weights; all others are made. A fault in one's code
    is raised after that.
    """
    code_notes = output.state / "code.json"
    code = Code(_read(code_notes))
    digests = {asset: code.digest(asset) for asset in assets}
    publish.write(code_notes, json.dumps(code.cache, indent=0).encode())
    subjects = Subjects(trace, output.folder, say)
    drawn = {asset: subjects.of(asset) for asset in assets}
    stale = [asset for asset in assets if not up_to_date(asset, drawn[asset], output, settings, digests[asset])]
    start, problems, faults = time.monotonic(), [], []
    for done, (asset, outcome) in enumerate(_made(stale, drawn, output, settings, digests), start=1):
        if isinstance(outcome, WeightsError):
            problems.append(f"{asset}: {outcome}")
        elif outcome is not None:
            faults.append(outcome)
        left = (time.monotonic() - start) / done * (len(stale) - done)
        say(f"{asset}  {done} of {len(stale)}" + (f", about {left:.0f} s left" if left >= 1 else ""))
    for fault in faults:
        raise fault
    return problems


def write_texts(figures: Sequence[Asset], trace: Trace, output: Output) -> None:
    """Writes the numbers and the captions for the author's running text; the figures are made already."""
    found = numbers.numbers(trace)
    output.write("numbers.tex", numbers.tex(found).encode())
    output.write("numbers.json", numbers.table(found).encode())
    records = [_read(output.folder / asset.kind / f"{asset.name}.json") for asset in figures]
    for extension, writer in captions.WRITERS.items():
        output.write(f"figures/captions.{extension}", writer(records).encode())


def up_to_date(asset: Asset, trace: Trace, output: Output, settings: Settings, code: str) -> bool:
    """Whether making `asset` again would give the files that are there."""
    note = _read(output.note(asset))
    if note.get("code") != code or note.get("settings") != settings.that_matter(asset.kind):
        return False
    try:
        same = digest(trace, note["names"]) == note["digest"]
    except (AttributeError, KeyError, TypeError):
        return False
    return same and note["files"] == {path.name: _sha256(path.read_bytes()) for path in output.files(asset)}


def make(asset: Asset, trace: Trace, output: Output, settings: Settings, code: str) -> None:
    """Makes one asset, whatever is there. Raises WeightsError where it cannot be drawn from these weights."""
    reading = Reading(trace)
    maker = publish.figure if asset.kind == "figures" else publish.film
    files = maker(asset.name, asset.module, reading, settings)
    paths = {output.folder / asset.kind / f"{asset.name}.{extension}": data for extension, data in files.items()}
    for path, data in paths.items():
        publish.write(path, data)
    for path in set(output.files(asset)) - set(paths):  # formats that are no longer wanted would go out of date
        path.unlink()
    note = {
        "code": code,
        "settings": settings.that_matter(asset.kind),
        "names": reading.names,
        "digest": reading.digest(),
        "files": {path.name: _sha256(data) for path, data in paths.items()},
    }
    publish.write(output.note(asset), json.dumps(note, indent=0).encode())


def _made(stale: Sequence[Asset], drawn: dict, output: Output, settings: Settings, digests: dict) -> Iterator:
    """Makes all of `stale`, giving (asset, None or the exception) for each as it is done."""
    tasks = {asset: (asset, drawn[asset], output, settings, digests[asset]) for asset in stale}
    jobs = min(len(stale), _cores())
    if jobs <= 1:
        for asset, task in tasks.items():
            yield asset, _attempt(task)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _start_worker) as pool:
        try:
            work = {pool.submit(_attempt, task): asset for asset, task in tasks.items()}
            for done in as_completed(work):
                yield work[done], done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                worker.kill()
            raise


def _attempt(task: tuple) -> Exception | None:
    try:
        make(*task)
    except WeightsError as error:
        return error
    except Exception as error:
        error.add_note(f"{task[0]}:\n{traceback.format_exc()}")  # which would stay behind in the worker
        return error
    return None


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start_worker() -> None:
    """A worker ends with the process that started it, at once and without a word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def watch():
        connection.wait([parent_process().sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def settle_environment(output: Output) -> None:
    """Lets matplotlib, here and in the workers, read its own settings and no user's; its notes go to .state/."""
    package = Path(find_spec("matplotlib").origin).parent
    os.environ["MATPLOTLIBRC"] = str(package / "mpl-data" / "matplotlibrc")
    os.environ["MPLCONFIGDIR"] = str((output.state / "matplotlib").resolve())
    os.environ["MPLBACKEND"] = "agg"


def _read(path: Path) -> dict:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def sha256_of(file: str) -> str:
    """sha256 of a file's content; nothing for no file."""
    return _sha256(Path(file).read_bytes()) if file else ""


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
