"""Weights files that were tampered with, by the hundred thousand: `make fuzz`, or `make fuzz CASES=1000`.

Each goes through the command `attn figure` up to the moment at which drawing would begin, and through what `attn fit`
reads. It must be refused in one line or be read; without a traceback, within two seconds, and where it is refused
nothing in the output folder may change. Where atheris is installed (pip install '.[fuzz]'), as many cases again are
led by which code they reach.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from unittest import mock

import click
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, seed, settings

from attn.build import making
from attn.build.progress import Line, clock
from attn.cli import main as attn
from attn.core import weights
from attn.core.model import WeightsError
from tests.attn import tampered

CASES = 100_000
BATCH = 1_000  # cases that one seed of hypothesis makes
LONGEST = 2.0  # seconds of computing
LONG = 4_096  # bytes that lead hypothesis to a file, where atheris gives them
OUTCOMES = {0: "read", 1: "read, but a claim is false", 2: "refused"}


class Trial:
    """A folder with a weights file and an output folder, in which one file after the other is tried."""

    def __init__(self, folder: Path):
        self.file, self.output = folder / "weights.toml", folder / "output"
        (self.output / "figures").mkdir(parents=True)
        (self.output / "figures" / "kept.pdf").write_bytes(b"as it was")
        self.outcomes: Counter[str] = Counter()
        self.longest = 0.0
        self.file.write_bytes(tampered.ORIGINAL)
        assert self._run().exit_code == 0  # and everything is imported

    def __call__(self, data: bytes) -> str:
        """Tries a file that holds `data`; AssertionError where it is not treated as promised. What came of it."""
        self.file.write_bytes(data)
        before, start = self._content(), time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            done = self._run()
            with suppress(WeightsError):
                weights.load(self.file, parameters_required=False)
        taken = time.process_time() - start
        self.longest = max(self.longest, taken)
        assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
        assert taken < LONGEST, f"{taken:.1f} s"
        outcome = OUTCOMES[done.exit_code]
        if done.exit_code:
            assert self._content() == before, "a file in output/ was changed"
            assert not done.stdout and done.stderr.startswith(f"attn: {self.file}")
        if outcome == "refused":
            assert done.stderr.count("\n") == 1 and done.stderr.strip().isprintable(), done.stderr
        self.outcomes[outcome] += 1
        return outcome

    def _run(self):
        options = ["--weights", str(self.file), "--output", str(self.output), "--quiet"]
        with mock.patch.object(making, "build", return_value={}), mock.patch.object(making, "write_texts"):
            return CliRunner().invoke(attn, ["figure", *options], env={"ATTN_CLAIMS": "strict"})

    def _content(self) -> dict[str, tuple[bytes, int]]:
        files = (path for path in self.output.rglob("*") if path.is_file())
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def tampering(trial: Callable[[bytes], object], cases: int, number: int = 0):
    """A hypothesis test that tries `cases` files; another `number` tries others."""

    @seed(number)
    @settings(
        max_examples=cases, deadline=None, database=None, print_blob=False,
        phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(tampered.FILES)
    def test(data):
        trial(data)

    return test


def batch(number: int, cases: int) -> tuple[Counter, float, str]:
    """Tries `cases` files. How often there was which outcome, the longest time, and the fault found, if any."""
    with tempfile.TemporaryDirectory(prefix="attn-fuzz-") as folder:
        trial, fault = Trial(Path(folder)), ""
        try:
            tampering(trial, cases, number)()
        except Exception as error:
            fault = "\n".join([repr(error), *getattr(error, "__notes__", [])])
        return trial.outcomes, trial.longest, fault


@click.command()
@click.argument("cases", type=click.IntRange(min=1), default=CASES)
def main(cases: int) -> None:
    """Tries that many files on all cores, and says what came of them. Exit code 1 where there was a fault."""
    total, longest, faults, start = Counter(), 0.0, [], time.monotonic()
    sizes = [BATCH] * (cases // BATCH) + [cases % BATCH] * (cases % BATCH > 0)
    line = Line(sys.stderr)
    with ProcessPoolExecutor() as pool:
        for outcomes, seconds, fault in pool.map(batch, range(len(sizes)), sizes):
            total, longest = total + outcomes, max(longest, seconds)
            faults += [fault] * bool(fault)
            line.tick(f"{total.total():,} of {cases:,} files, {len(faults)} faults")
    line.clear()
    said = ", ".join(f"{count:,} {outcome}" for outcome, count in total.most_common())
    print(f"{total.total():,} cases in {clock(time.monotonic() - start)}: {said}; longest {longest:.2f} s", flush=True)
    if faults:
        sys.exit("\n\n".join(faults))
    with suppress(ImportError):
        led(cases)


def led(cases: int) -> None:
    """The same, led by which code of ours is reached. Raises ImportError without atheris; else ends the process."""
    import atheris

    for function in [found for found in gc.get_objects() if isinstance(found, FunctionType)]:
        if (function.__module__ or "").partition(".")[0] in ("attn", "tomllib"):
            atheris.instrument_func(function)
    folder = tempfile.TemporaryDirectory(prefix="attn-fuzz-")
    test = tampering(Trial(Path(folder.name)), cases)
    options = f"-runs={cases} -max_len={LONG} -len_control=0 -verbosity=0 -print_final_stats=1"
    atheris.Setup([sys.argv[0], *options.split()], test.hypothesis.fuzz_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
