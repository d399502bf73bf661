"""Work on all cores: processes that each do many tasks, since starting one takes long, and that end with this one."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import active_children, connection, get_context, parent_process, resource_tracker
from typing import TypeVar, cast

from attn.build.stop import held_back

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")
Tell = Callable[..., None]


def spread(
    work: Callable[[Task, Tell | None], Outcome], tasks: Sequence[Task], jobs: int, heard: Tell | None
) -> Iterator[tuple[Task, Outcome]]:
    """Does work(task, tell) for all of `tasks` in `jobs` processes; gives (task, what it returned) as each is done.

    What it tells on the way is handed to heard(task, ...), if somebody is to hear it. Raises ChildProcessError where
    one of the processes is ended from outside. None is left when this ends, however it does.
    """
    waiting = iter(tasks)
    busy: dict[connection.Connection, Task] = {}
    try:
        for pipe in _started(work, min(jobs, len(tasks)), heard is not None):
            _hand_out(waiting, pipe, busy)
        while busy:
            for pipe in cast("list[connection.Connection]", connection.wait(list(busy))):
                task, (done, *news) = busy[pipe], _received(pipe)
                if done:
                    del busy[pipe]
                    _hand_out(waiting, pipe, busy)
                    yield task, *news
                else:
                    heard(task, *news)
    finally:
        for process in active_children():
            process.kill()
            process.join()


def cores() -> int:
    """How many processes can work at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _started(work: Callable, jobs: int, tells: bool) -> list[connection.Connection]:
    """Starts `jobs` processes; a pipe to each."""
    context, pipes = get_context("spawn"), []
    resource_tracker.ensure_running()  # not below: starting it lets signals through
    with held_back():
        for _ in range(jobs):
            here, there = context.Pipe()
            context.Process(target=_serve, args=(there, work, tells), daemon=True).start()
            there.close()
            pipes.append(here)
    return pipes


def _hand_out(waiting: Iterator[Task], pipe: connection.Connection, busy: dict[connection.Connection, Task]) -> None:
    """Gives the process at the other end of the pipe its next task, if there is one."""
    for task in waiting:
        busy[pipe] = task
        with suppress(BrokenPipeError):  # its end is noticed where it is listened to
            pipe.send(task)
        return


def _received(pipe: connection.Connection) -> tuple:
    try:
        return pipe.recv()
    except (EOFError, ConnectionError):
        raise ChildProcessError(errno.ECHILD, "a process was ended from outside, maybe for want of memory") from None


def _serve(pipe: connection.Connection, work: Callable, tells: bool) -> None:
    """What a process does: task after task, until the one that started it ends; then at once, without a word."""

    def watch():
        connection.wait([parent_process().sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    tell = (lambda *news: pipe.send((False, *news))) if tells else None
    with suppress(EOFError, ConnectionError):
        while True:
            pipe.send((True, work(pipe.recv(), tell)))
