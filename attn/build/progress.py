"""Long work says how it goes: on a terminal as it goes along, elsewhere by one line at its end, or not at all."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

Progress = Callable[[int, float], None]  # a film's beat, from 1, and how much of the film is done, 0 to 1

FEW = 6  # assets that a summary names


def by_reason(problems: Mapping[object, str]) -> list[str]:
    """A line for each reason, with all that it holds for; few reasons often hold for many."""
    reasons: dict[str, list[str]] = {}
    for thing, reason in problems.items():
        reasons.setdefault(reason, []).append(str(thing))
    return [f"{', '.join(things)}: {reason}" for reason, things in reasons.items()]


class Line:
    """What is said on a stream. On a terminal the last line may be one that changes in place; `with` takes it away."""

    def __init__(self, stream: TextIO, quiet: bool = False, width: int | None = None):
        self._stream, self._quiet, self._width = stream, quiet, width
        self.live = stream.isatty() and not quiet
        self._shown = 0  # characters of the changing line

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_) -> None:
        self.clear()

    def say(self, text: str) -> None:
        """A line that stays."""
        if not self._quiet:
            self.clear()
            print(f"attn: {text}", file=self._stream, flush=True)

    def remark(self, text: str) -> None:
        """A line that stays, for somebody who watches: only on a terminal."""
        if self.live:
            self.say(text)

    def tick(self, text: str) -> None:
        """The line that changes; only on a terminal."""
        if self.live:
            text = f"attn: {text}"[: (self._width or shutil.get_terminal_size().columns) - 1]
            print(f"\r{text:{self._shown}}", end="", file=self._stream, flush=True)
            self._shown = len(text)

    def clear(self) -> None:
        """Takes the changing line away."""
        if self._shown:
            print("\r" + " " * self._shown + "\r", end="", file=self._stream, flush=True)
            self._shown = 0


class Course:
    """How far work on several assets has come; `sizes` says how much each is, in any unit."""

    def __init__(self, sizes: Mapping[object, float], clock: Callable[[], float] = time.monotonic):
        self._sizes, self._clock, self._start = dict(sizes), clock, clock()
        self._shares: dict[object, float] = {}
        self._beats: dict[object, int] = {}
        self._done: set[object] = set()

    def heard(self, asset, beat: int, share: float) -> None:
        """`asset` is in its beat number `beat`, and `share` (0 to 1) of it is done."""
        if asset not in self._done:
            self._shares[asset] = share
            self._beats[asset] = beat

    def done(self, asset) -> None:
        """`asset` is made, or cannot be."""
        if asset not in self._sizes:
            return
        self._done.add(asset)
        self._shares[asset] = 1.0
        self._beats.pop(asset, None)

    @property
    def share(self) -> float:
        """How much of all is done, 0 to 1."""
        total = sum(self._sizes.values())
        return sum(self._sizes[asset] * share for asset, share in self._shares.items()) / total if total else 1.0

    def count(self) -> str:
        """How many are done, and how long it will take."""
        done, share = len(self._done), self.share
        left = (self._clock() - self._start) * (1 - share) / share if share > 0.02 else 0
        return f"{done} of {len(self._sizes)}" + (f", about {clock(left)} left" if left >= 1 else "")

    def line(self) -> str:
        """All of it in one line: each film that is being made, its beat, its share; how many are done; time left."""
        films = [f"{asset} beat {beat}, {100 * self._shares[asset]:.0f} %" for asset, beat in self._beats.items()]
        return "; ".join([self.count(), *films])


def summary(made: Sequence[str], others: int) -> str:
    """What a run did, in one line: the names if they are few, how many there are, and how many it let be."""
    if not made:
        return f"nothing to be done; {others} up to date"
    names = f": {', '.join(sorted(made))}" if len(made) <= FEW else ""
    left = f"; {others} up to date" if others else ""
    return f"{len(made)} made{left}{names}"


def clock(seconds: float) -> str:
    """A length of time as one says it: 12 s, 3 min 20 s."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
