"""What ends a run before its time: Ctrl-C, another process, a terminal that is closed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

OVERTAKEN = signal.SIGUSR1  # from `attn watch`, which says itself why; the others are worth a line
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, OVERTAKEN)


class Stopped(BaseException):
    """One of SIGNALS came. No Exception, so that nobody takes it for a fault of a picture."""

    def __init__(self, number: int):
        super().__init__(number)
        self.signal = signal.Signals(number)

    @property
    def exit_code(self) -> int:
        """What shells give for a command that a signal ended."""
        return 128 + self.signal


@contextmanager
def stoppable() -> Iterator[None]:
    """In this block a signal raises Stopped; a second one, then or later, ends the process there and then.

    What is ignored already, by the wish of whoever started this (nohup), stays so.
    """
    before = {number: signal.getsignal(number) for number in SIGNALS}
    taken = [number for number, handler in before.items() if handler != signal.SIG_IGN]

    def stop(number, _):
        for each in taken:
            signal.signal(each, lambda number, _: os._exit(128 + number))
        raise Stopped(number)

    for number in taken:
        signal.signal(number, stop)
    try:
        yield
    except Stopped:
        raise
    except BaseException:
        _restore(before)
        raise
    else:
        _restore(before)


def _restore(handlers: dict) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)


@contextmanager
def held_back() -> Iterator[None]:
    """In this block signals wait; in processes started in it, for ever: they end with this one, if it does."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
