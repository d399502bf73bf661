"""How long things take: `make bench`; less of it, and once: `make bench BENCH=--quick`.

Times of commands are the median and the best of several runs, in milliseconds; films and training have tables of their
own.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests import bench_films, bench_lookup
from tests.scenes import pace

ROOT = Path(__file__).resolve().parent.parent
YOU = "attn/weights/you.toml"


def measured(runs: int, **actions: Callable[[], object]) -> dict[str, list[float]]:
    """Milliseconds of `runs` runs of each action, taken in turn, so that a busy moment hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(runs):
        for name, action in actions.items():
            start = time.perf_counter()
            action()
            times[name].append(1000 * (time.perf_counter() - start))
    return times


def show(times: dict[str, list[float]]) -> None:
    for name, values in times.items():
        print(f"{name.replace('_', ' '):34} {statistics.median(values):9.1f} {min(values):9.1f}", flush=True)


def run(*command: str, cwd: Path = ROOT) -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "ATTN_"))}
    subprocess.run(command, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, check=True)


def attn(*arguments: str) -> None:
    run(sys.executable, "-m", "attn.cli", *arguments)


def main() -> None:
    """Prints the table; works in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        output = f"OUTPUT={folder}/output"
        print(f"{'':34} {'median':>9} {'best':>9}   ms")
        show(measured(1, every_figure_from_nothing=lambda: run("make", "figures", output)))
        show(measured(20, nothing_to_do=lambda: run("make", "figures", output)))
        print("  (wanted: below 600, films among it)")

        one = Path(folder, "output", "figures", "step7_context.json")
        show(
            measured(
                3,
                attn_trace=lambda: attn("trace", YOU),
                attn_check=lambda: attn("check", YOU),
                the_check_by_content=lambda: attn("figure", "--output", f"{folder}/output"),
                one_figure_anew=lambda: (one.unlink(), run("make", str(one), output)),
            )
        )
    print(*bench_lookup.lines(), sep="\n", flush=True)
    print(*pace.lines(pace.films()), sep="\n", flush=True)
    print(*bench_films.lines(*bench_films.chosen(sys.argv[1:])), sep="\n", flush=True)


if __name__ == "__main__":
    main()
