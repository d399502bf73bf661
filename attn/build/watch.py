"""Making what a change calls for whenever a weights file is saved."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

from attn.build.progress import clock
from attn.build.stop import OVERTAKEN, Stopped
from attn.core.weights import LARGEST_FILE

GLANCE = 0.2  # seconds between looks at the file
AGAIN = "saved again"
_UNMADE = object()  # differs from every content


def watch(file: Path, commands: Sequence[str], say: Callable[[str], None]) -> None:
    """Runs `attn` COMMAND for each of `commands` now and whenever the content of `file` changes, until Ctrl-C.

    A run that is overtaken by another change is broken off.
    """

    def run(overtaken: Callable[[], bool]) -> bool:
        said = _run(commands, overtaken)
        say(f"{file}: {said}")
        return said != AGAIN

    try:
        follow(file, run, lambda: time.sleep(GLANCE))
    except Stopped as stopped:
        if stopped.signal != signal.SIGINT:
            raise


def follow(file: Path, run: Callable[[Callable[[], bool]], bool], pause: Callable[[], None]) -> NoReturn:
    """Calls `run` now and whenever `file` has another content than when it was last called, or it did not finish.

    run(overtaken) may ask whether there is another content again; it returns whether it finished. The file is looked
    at, again and again, with a `pause` in between: that holds on every disk, local or not, and however a file is
    saved: written, renamed, gone with its folder for a while, a link to another one. What two looks find is saved.
    """
    seen, made = _content(file), _UNMADE
    while True:
        found = _content(file)
        if found == seen and found != made:
            made = found if run(partial(_differs, file, found)) else _UNMADE
        seen = found
        pause()


def _differs(file: Path, found: bytes | None) -> bool:
    return _content(file) != found


def _content(file: Path) -> bytes | None:
    """What is in the file, as far as it is ever read; None where there is none."""
    if not file.is_file():
        return None
    try:
        with file.open("rb") as opened:
            return opened.read(LARGEST_FILE + 1)
    except OSError:
        return None


def _run(commands: Sequence[str], overtaken: Callable[[], bool]) -> str:
    """Runs the commands, each in a session of its own, so that Ctrl-C is ours. What came of it."""
    start = time.monotonic()
    for command in commands:
        process = subprocess.Popen([sys.executable, "-E", "-m", "attn.cli", *command.split()], start_new_session=True)
        try:
            while process.poll() is None:
                if overtaken():
                    return AGAIN
                time.sleep(GLANCE)
        finally:
            if process.poll() is None:
                process.send_signal(OVERTAKEN)
                process.wait()
        if process.returncode:
            return "waiting for the next change"
    return f"up to date after {clock(time.monotonic() - start)}"
