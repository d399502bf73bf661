"""The commands that search weights: `attn fit` for a file's sentences, `attn new` for a sentence of one's own."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import click

from attn.build import options
from attn.build.output import write
from attn.build.progress import Line
from attn.core.errors import WeightsError

OUT = click.Path(path_type=Path)
GRID = click.option(
    "--grid", default=0.5, show_default=True, type=click.FloatRange(0.01, 1), help="Every number is a multiple of this."
)
SEED = click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(min=0),
    help="Another seed finds other weights; the same finds the same.",
)  # fmt: skip
FORCE = click.option("--force", is_flag=True, help="Also over a file that is there.")


@click.command(epilog="Example:  attn fit attn/weights/you.toml --out mine.toml --grid 0.5 --seed 1")
@click.argument("file", type=options.FILE)
@click.option("--out", required=True, type=OUT, help="The weights file to write.")
@GRID
@SEED
@click.option("--fresh", is_flag=True, help="Not from the parameters of FILE, but from random ones.")
@FORCE
def fit(file: Path, out: Path, grid: float, seed: int, fresh: bool, force: bool) -> None:
    """Searches weights that meet every [[expect]] of FILE.

    And its story. The parameters of FILE, if it has any, are the start. A file without parameters, and --fresh,
    mean 3-D embeddings and a 2-D attention space.
    """
    from attn.core import weights

    _check_place(out, force)
    _say(_found(weights.load(file, parameters_required=False), file, out, (grid, seed, fresh)))


@click.command(epilog='Example:  attn new bank.toml "open the bank" --alone of --after account --like "the bank = of"')
@click.argument("file", type=OUT)
@click.argument("sentence", required=False)
@click.option("--alone", help="What follows its last word where that stands alone.")
@click.option("--after", help="What follows the sentence.")
@click.option("--like", multiple=True, help='A sentence to compare it with, and what follows: "the bank = of".')
@click.option("--because", multiple=True, help="A word of the sentence that is to settle it.")
@GRID
@SEED
@FORCE
def new(
    file: Path, sentence: str | None, alone: str | None, after: str | None, like: tuple[str, ...],
    because: tuple[str, ...], grid: float, seed: int, force: bool,
) -> None:  # fmt: skip
    """Writes FILE, the weights of a story of one's own.

    SENTENCE is the one to follow; asked for, like the rest, on a terminal where it is left out.
    """
    from attn.core import claims, weights
    from attn.lab import new as lab

    _check_place(file, force)
    if sentence is None or alone is None or after is None:
        sentence, alone, after, like, because = _asked(sentence, alone, after, like, because)
    model = lab.model(lab.wish(sentence, alone, after, like, because))
    for line in lab.understood(model):
        _say(line)
    said = _found(model, file, file, (grid, seed, True))
    for claim in claims.expectations(weights.load(file)):
        print(claim.line(), flush=True)
    _say(said)
    _say(f"next: make figures WEIGHTS={file}")


def _asked(sentence, alone, after, like, because):
    """What was not given, asked for on a terminal; elsewhere an error names it."""
    given = {"SENTENCE": sentence, "--alone": alone, "--after": after}
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        missing = next(name for name, value in given.items() if value is None)
        raise WeightsError(missing, f"is missing; expected {', '.join(given)}, or a terminal on which to ask")

    def ask(question: str, found: str | None) -> str:
        return found if found is not None else click.prompt(question, err=True)

    sentence = ask("The sentence to follow", sentence)
    last = sentence.split()[-1] if sentence.split() else ""
    alone = ask(f"What follows “{last}” alone", alone)
    after = ask(f"What follows “{last}” in the sentence", after)
    if not because:
        words = click.prompt("Because of which word of it (or none)", default="", show_default=False, err=True)
        because = tuple(words.split())
    while not like or like[-1]:
        line = "A sentence to compare, = and what follows (or none)"
        like = (*like, click.prompt(line, default="", show_default=False, err=True))
    return sentence, alone, after, tuple(filter(None, like)), because


def _check_place(out: Path, force: bool) -> None:
    """Raises OSError or WeightsError where `out` cannot be written, before the search, which takes long."""
    if out.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(out))
    if not out.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(out.parent))
    if out.exists() and not force:
        raise WeightsError(str(out), "is there already; name another file, or add --force")


def _found(model, file: Path, out: Path, how: tuple[float, int, bool]) -> str:
    """Searches weights for `model` and writes them; gives a line on what was found. Ends here where none are."""
    from attn.core import weights
    from attn.lab.fit import fit as search
    from attn.lab.fit import heading
    from attn.lab.wishes import FitError

    try:
        with Line(sys.stderr) as line:
            found = search(model, *how, progress=lambda share: line.tick(f"{file}: {share:.0%}"))
    except FitError as error:
        _say(f"{file}: {error}")
        sys.exit(1)
    said = heading(found, *how)
    write(out, weights.dumps(found, said).encode())
    return f"{out}: {said.splitlines()[-1]}"


def _say(line: str) -> None:
    print(f"attn: {line}", file=sys.stderr, flush=True)
