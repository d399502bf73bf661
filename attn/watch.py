"""Making what a change calls for whenever a weights file is saved."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from watchdog.events import (
    EVENT_TYPE_CLOSED_NO_WRITE,
    EVENT_TYPE_OPENED,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

from attn.progress import clock

SETTLED = 0.15  # seconds without news after which a file counts as saved
GLANCE = 0.1  # seconds between looks at a run


class _Saves(FileSystemEventHandler):
    """Sets `news` when anything happens to a file but that it is read: editors write, rename or replace.

    Where the file is a link, the file that it leads to counts as well.
    """

    def __init__(self, file: Path, observer: BaseObserver):
        self.news, places = threading.Event(), {file.absolute(), file.resolve()}
        self.names = {place.name for place in places}
        for folder in {place.parent for place in places}:
            observer.schedule(self, str(folder))

    def on_any_event(self, event: FileSystemEvent) -> None:
        names = {Path(str(path)).name for path in (event.src_path, event.dest_path) if path}
        if event.event_type not in (EVENT_TYPE_OPENED, EVENT_TYPE_CLOSED_NO_WRITE) and names & self.names:
            self.news.set()


def watch(file: Path, commands: Sequence[str], say: Callable[[str], None]) -> None:
    """Runs `attn` COMMAND for each of `commands` now and whenever the content of `file` changes, until Ctrl-C.

    A run that is overtaken by another change is broken off. Raises OSError where the file's folder cannot be watched.
    """
    observer = Observer()
    saves = _Saves(file, observer)
    observer.start()
    try:
        made = None
        while True:
            content = _content(file)
            if content != made or made is None:
                made = content
                say(f"{file}: {_run(commands, lambda made=made: saves.news.is_set() and _content(file) != made)}")
            saves.news.wait()
            while saves.news.is_set():
                saves.news.clear()
                time.sleep(SETTLED)
    except KeyboardInterrupt:
        pass
    finally:
        observer.stop()


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _run(commands: Sequence[str], overtaken: Callable[[], bool]) -> str:
    """Runs the commands, each in a session of its own, so that Ctrl-C is ours. What came of it."""
    start = time.monotonic()
    for command in commands:
        process = subprocess.Popen([sys.executable, "-E", "-m", "attn.cli", command], start_new_session=True)
        try:
            while process.poll() is None:
                if overtaken():
                    return "saved again"
                time.sleep(GLANCE)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
        if process.returncode:
            return "waiting for the next change"
    return f"up to date after {clock(time.monotonic() - start)}"
