"""Making what a change calls for whenever a weights file is saved."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from attn.progress import clock

SETTLED = 0.15  # seconds without news after which a file counts as saved
GLANCE = 0.1  # seconds between looks at a run


class _Saves(FileSystemEventHandler):
    """Sets `news` when anything happens to a file of this name: editors write, rename or replace."""

    def __init__(self, name: str):
        self.name, self.news = name, threading.Event()

    def on_any_event(self, event: FileSystemEvent) -> None:
        if self.name in (Path(str(path)).name for path in (event.src_path, event.dest_path) if path):
            self.news.set()


def watch(file: Path, commands: Sequence[str], say: Callable[[str], None]) -> None:
    """Runs `attn` COMMAND for each of `commands` now and whenever the content of `file` changes, until Ctrl-C.

    A run that is overtaken by another change is broken off. Raises OSError where the file's folder cannot be watched.
    """
    saves, observer = _Saves(file.name), Observer()
    observer.schedule(saves, str(file.resolve().parent))
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
