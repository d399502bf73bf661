"""The command line. Each command imports what it needs when it runs, so that none waits for what it does not use."""

from __future__ import annotations

import signal

if __name__ == "__main__":  # until all is imported Ctrl-C just ends this; and again when all is done
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import codecs
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import click

from attn.build import assets, options, searching
from attn.build.assets import Asset, Mistake
from attn.build.contract import Crash
from attn.build.options import with_options
from attn.build.output import PREVIEW, Output
from attn.build.progress import Line, by_reason, summary
from attn.build.receipt import Receipt
from attn.build.settings import FORMATS, Settings, bundled, formats_in
from attn.build.stop import OVERTAKEN, Stopped, stoppable
from attn.core.errors import WeightsError, nearest

WATCHED = (("figure", "figures"), ("video", "videos"), ("page --live", "page"))  # commands and what they make
PLAINER = str.maketrans({"−": "-", "“": '"', "”": '"', "’": "'", "×": "x", "·": "."})


class Commands(click.Group):
    """Commands that end with one line and exit code 2 where their input, the command line or the disk is at fault."""

    def main(self, *args, **options):
        for name in ("stdout", "stderr"):  # closed, they are None, and what is said goes nowhere
            if getattr(sys, name) is None:
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        try:
            with stoppable():
                return super().main(*args, **options)
        except Stopped as stopped:
            self.end("" if stopped.signal == OVERTAKEN else f"stopped ({stopped.signal.name})", stopped.exit_code)

    def make_context(self, *args, **options):
        with self._in_a_line():
            return super().make_context(*args, **options)

    def invoke(self, ctx):
        with self._in_a_line():
            return super().invoke(ctx)

    @contextmanager
    def _in_a_line(self):
        try:
            yield
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "attn"
            odd_option = isinstance(error, click.NoSuchOption)
            said = self._no_option(error) if odd_option else error.format_message().rstrip(".")
            self.refuse(f"{said}{'' if said.endswith('?') else ';'} see {command} --help")
        except MemoryError:
            self.refuse("the weights need more memory than there is; expected fewer words or smaller matrices")
        except (WeightsError, Mistake) as error:
            self.refuse(str(error))
        except Crash as error:
            self.end(str(error), 1)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            place = error.filename2 or error.filename or "output"  # where a copy goes, not where it comes from
            self.refuse(f"{place}: {error.strerror or error}")

    def resolve_command(self, ctx, args):
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            ctx.fail(f'there is no command "{args[0]}"{nearest(args[0], self.commands)}')
        return super().resolve_command(ctx, args)

    def _no_option(self, error: click.NoSuchOption) -> str:
        """Which option is meant: one of the command's own, or else another command's."""
        own = error.ctx.command if error.ctx else self
        for command in (own, *self.commands.values()):
            names = [name for parameter in command.params for name in parameter.opts if name.startswith("-")]
            if hint := nearest(error.option_name, [*names, "--help"]):
                whose = "" if command is own else f" of {command.name}"
                return f'there is no option "{error.option_name}"{hint.removesuffix("?")}{whose}?'
        return f'there is no option "{error.option_name}"'

    def refuse(self, line: str):
        self.end(line, 2)

    def end(self, line: str, exit_code: int):
        try:
            if line:
                _say(line)
        except OSError:  # nobody listens; the exit code says it, too, if nothing is left to be written at the end
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        sys.exit(exit_code)

    def list_commands(self, ctx):
        return list(self.commands)  # in the order in which they stand below


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="attn")
@click.pass_context
def main(context):
    """Self-attention in figures and films, every number computed from one weights file."""
    codecs.register_error("plainer", _plainer)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="plainer")
    options.check_variables()
    if context.invoked_subcommand is None:
        print(context.get_help())


def _plainer(error: UnicodeError):
    """What a terminal's encoding lacks: a look-alike where there is one, an escape where there is none."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(PLAINER)
    return text.encode("ascii", "backslashreplace").decode(), error.end


FILE = click.argument("file", type=options.FILE)


@main.command(epilog='Example:  attn trace attn/weights/you.toml "hear why you"')
@FILE
@click.argument("sentence", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, all numbers at full precision.")
def trace(file, sentence, as_json):
    """Every value of the pass over SENTENCE.

    Left out, SENTENCE is the one of the file's story. Tables to follow with a pencil, or JSON.
    """
    import json

    from attn.core import tables, weights
    from attn.core.forward import forward
    from attn.picture.drawn import as_dict, seen
    from attn.picture.view import pinned

    model = weights.load(file)
    try:
        found = forward(model, sentence)
        view = seen(found)
    except WeightsError as error:
        raise error.within(str(file)) from None
    if as_json:
        exact = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        print(json.dumps(as_dict(found, view), ensure_ascii=not exact, indent=1), flush=True)
    else:
        print(tables.text(found))
        if view:
            print(f"\nthe camera of the pictures, as the file can pin it\n{pinned(view)}", flush=True)


@main.command(epilog="Example:  attn check attn/weights/you.toml")
@click.argument("file", type=options.FILE, envvar="ATTN_WEIGHTS")
def check(file):
    """Every claim and every [[expect]] of FILE, with its margin.

    A line each; the claims are what the pictures say of these weights. Exit code 1 if one does not hold. What looks
    like a slip of the pen in FILE is asked about, and changes nothing.
    """
    from attn.core import claims, weights

    found = claims.check(weights.load(file))
    for claim in found:
        print(claim.line(), flush=True)
    for doubt in weights.doubts(file):
        print(f"asks           {doubt}", flush=True)
    failed = sum(not claim.holds for claim in found)
    print(f"{len(found) - failed} of {len(found)} hold", flush=True)
    sys.exit(1 if failed else 0)


main.add_command(searching.fit)
main.add_command(searching.new)


@main.command(name="list", epilog="Example:  attn list")
def list_():
    """The figures and films there are, a line on each."""
    found = [asset for kind in assets.PACKAGES for asset in assets.assets(kind)]
    width = max((len(str(asset)) for asset in found), default=0)
    for asset in found:
        print(f"{asset!s:{width}}  {asset.summary}", flush=True)


@main.command(epilog="Example:  attn figure step7_context --theme dark --formats pdf,svg")
@options.names("figures")
@with_options(*options.MAKING, options.formats("figures"), options.WIDTH)
def figure(names, **choices):
    """Makes the figures that are not up to date.

    Those called NAME, or all.
    """
    _make("figures", names, **choices)


@main.command(epilog="Example:  attn video step7_context --quality low")
@options.names("videos")
@with_options(*options.MAKING, options.formats("videos"), options.TRANSPARENT, options.QUALITY)
def video(names, formats, transparent, **choices):
    """Makes the films that are not up to date.

    Those called NAME, or all.
    """
    _make("videos", names, formats=options.films(formats, transparent), **choices)


@main.command(epilog="Example:  attn preview --output output")
@with_options(*options.MAKING, options.formats("videos"), options.TRANSPARENT)
def preview(output, formats, transparent, **choices):
    """Makes the films small and fast, in OUTPUT/preview/videos."""
    choices |= {"output": output / PREVIEW, "quality": "low"}
    _make("videos", (), formats=options.films(formats, transparent), **choices)


@main.command(epilog="Example:  attn page --weights mine.toml --output mine")
@with_options(*options.MAKING, options.ALL_FORMATS, options.WIDTH, options.QUALITY)
@click.option("--live", is_flag=True, help="Puts figures on it before the films are made.")
def page(formats, **choices):
    """Makes a web page of all figures and films, in OUTPUT/page.

    Open its index.html, which needs no server, or put the folder on a course site.
    """
    _bundle("page", bundled(formats), **choices)


@main.command(epilog="Example:  attn slides --output output")
@with_options(*options.MAKING, options.ALL_FORMATS, options.WIDTH, options.QUALITY, options.SLIDES)
def slides(formats, quality, slides, **choices):
    """Makes a PowerPoint file for each story, in OUTPUT/slides.

    A slide for each step or beat, filled by its film, which starts by itself.
    """
    if quality == "4k":
        raise WeightsError("QUALITY", '"4k" makes slides too large to be opened; expected low, medium or high')
    _bundle("slides", bundled(formats), quality=quality, own={"slides": slides}, **choices)


@main.command(epilog="Example:  attn handout --paper letter")
@with_options(*options.MAKING, options.ALL_FORMATS, options.WIDTH, options.QUALITY, options.PAPER)
def handout(formats, paper, **choices):
    """Makes OUTPUT/handout.pdf and OUTPUT/storyboard.pdf.

    A step a half page, with lines to write on; and each film beat by beat, with its times and what is said.
    """
    _bundle("handout", bundled(formats), own={"paper": paper}, **choices)


@main.command(epilog="Example:  attn make output/figures/step7_context.pdf")
@click.argument("path", envvar="ATTN_GOAL")
@with_options(options.OUTPUT, options.ALL_FORMATS, options.TRANSPARENT)
def make(path, output, formats, transparent):
    """Makes what the file at PATH belongs to.

    Or all figures and films, where PATH is "all". Other settings are those of make's variables, in the environment:
    ATTN_THEME ...
    """
    from attn.build import goals

    chosen = {kind: formats_in(formats, kind) for kind in FORMATS}
    chosen["videos"] = options.films(chosen["videos"], transparent)
    for command in goals.commands_for(path, output, chosen):
        _run(*command)


@main.command(epilog="Example:  attn train")
@options.OUTPUT
@click.option("--json", "as_json", is_flag=True, help="All results as one JSON object.")
def train(output, as_json):
    """The lookup experiment: a head that learns to look up.

    Trains 20 seeds, or takes the results that are kept in the output folder while the experiment is the same, and
    prints what was measured.
    """
    import json

    from attn.build import trained
    from attn.lab import lookup

    found = trained.load(output, _say if sys.stderr.isatty() else lambda line: None)
    if as_json:
        print(json.dumps(json.loads(trained.file(output).read_bytes())["results"], indent=1), flush=True)
    else:
        print("\n".join(lookup.table(found)), flush=True)


@main.command(epilog="Example:  attn proof --output output")
@with_options(*options.MAKING, options.WIDTH)
def proof(**choices):
    """Makes OUTPUT/proof.pdf, a sheet to judge the figures by.

    Each at print size, in grey, and as colour-blind eyes see it.
    """
    with _begun(**choices) as run:
        from attn.build import sheets

        problems: sheets.Problems = {}
        run.output.write("proof.pdf", sheets.proof(run.subjects, run.settings, problems))
        run.line.say(f"{run.output.folder / 'proof.pdf'} made")
    _end(run.file, problems)


@main.command(epilog="Example:  attn worksheet --output output")
@with_options(*options.MAKING, options.WIDTH)
def worksheet(**choices):
    """Makes OUTPUT/worksheet.pdf and OUTPUT/answers.pdf.

    The figures without what is computed, to fill in with a pencil.
    """
    with _begun(**choices) as run:
        from attn.build import sheets

        problems: sheets.Problems = {}
        for name, data in sheets.worksheet(run.subjects, run.settings, problems).items():
            run.output.write(name, data)
            run.line.say(f"{run.output.folder / name} made")
    _end(run.file, problems)


@main.command(epilog="Example:  attn diff attn/weights/you.toml mine.toml")
@click.argument("old", type=options.FILE, envvar="ATTN_OLD")
@click.argument("new", type=options.FILE, envvar="ATTN_NEW")
@with_options(*options.DRAWING, options.WIDTH)
def diff(old, new, output, given_fonts, quiet, **choices):
    """Makes OUTPUT/diff.pdf and .png: what the weights NEW change.

    Claims gained and lost, the values that changed, and before and after of every figure that differs.
    """
    from attn.build.subjects import Subjects
    from attn.core import weights
    from attn.picture import fonts
    from attn.picture.drawn import beside

    models = {file: weights.load(file) for file in (old, new)}
    supply = fonts.supply(given_fonts, models)
    traces = beside(*(_picture(file, models[file]) for file in (old, new)))
    with _held(output, quiet) as (place, line):
        settings = Settings(font=supply.digest, font_files=place.font_files(supply.copies), **choices)
        from attn.build import sheets

        sides = tuple(Subjects(trace, output) for trace in traces)
        files, said = sheets.difference((str(old), str(new)), *traces, sides, settings, line)
        for name, data in files.items():
            place.write(name, data)
        line.say(f"{output / 'diff.pdf'}: {said}")


@main.command(epilog="Example:  attn stale --output output")
@options.OUTPUT
def stale(output):
    """Names files in OUTPUT that no figure or film makes any more.

    What was made once, `attn clean` removes.
    """
    for path in Output(output).left_over():
        print(path, flush=True)


@main.command(epilog="Example:  attn clean --output output")
@options.OUTPUT
def clean(output):
    """Removes from OUTPUT what was made, and nothing else."""
    Output(output).clean(Line(sys.stderr).remark)


@main.command(epilog="Example:  attn watch figures --weights mine.toml")
@click.argument("kinds", metavar="[figures] [videos] [page]", nargs=-1, envvar="ATTN_KINDS",
                type=options.Choice("figures", "videos", "page"))  # fmt: skip
@options.WEIGHTS
@options.FONT
def watch(kinds, weights, given_fonts):
    """Makes what each save of the weights file calls for.

    Until Ctrl-C. Settings are those of `attn figure` and `attn video`, as make hands them over: ATTN_OUTPUT ...
    """
    from attn.build import watch

    os.environ["ATTN_WEIGHTS"] = str(weights)
    os.environ["ATTN_FONT"] = os.pathsep.join(map(str, given_fonts))
    wanted = kinds or ("figures", "videos")
    commands = [command for command, kind in WATCHED if kind in wanted]
    if "page" in wanted:
        place = Path(os.environ.get("ATTN_OUTPUT") or "output", "page", "index.html").absolute().as_uri()
        _say(f"open {place}?watch in a browser; it shows what is made as it is made")
    watch.watch(weights, commands, _say)


def _run(name: str, *arguments: str):
    """Another command; what it is not told here make's variables say."""
    command = main.commands[name]
    with command.make_context(name, list(arguments), click.get_current_context().parent) as context:
        command.invoke(context)


def _make(kind: str, names: Sequence[str], strictness: str, quiet: bool, **choices):
    """Makes assets of a kind, those called `names` or all, and with all figures the texts."""
    wanted, receipt = assets.named(kind, names), Receipt(kind, **choices)
    if receipt.holds():
        Line(sys.stderr, quiet).say(summary([], len(wanted)))
        return
    with _begun(strictness=strictness, quiet=quiet, **choices) as run:
        problems = _made(kind, names, receipt, run)
    _end(run.file, problems)


def _made(kind: str, names: Sequence[str], receipt: Receipt, run: SimpleNamespace) -> dict[Asset, str]:
    """Makes assets in a run that has begun. Gives those that cannot be drawn, each with the reason."""
    from attn.build import making

    wanted, otherwise = assets.named(kind, names), receipt.tear()
    problems = making.build(wanted, run.trace, run.output, run.settings, run.line, otherwise)
    if kind == "figures" and not names:
        making.write_texts([asset for asset in wanted if asset not in problems], run.trace, run.output)
    if not (names or problems or run.false):
        receipt.sign()
    return problems


def _bundle(
    kind: str,
    formats: Mapping[str, Sequence[str]],
    width: float | None,
    quality: str,
    strictness: str,
    quiet: bool,
    live: bool = False,
    own: Mapping[str, str] | None = None,
    **choices,
):
    """Makes one of attn.build.output.BUNDLES with its `own` choices, and before it all that it is made of."""
    parts = {"figures": {"width": width, "formats": formats["figures"]},
             "videos": {"quality": quality, "formats": formats["videos"]}}  # fmt: skip
    own = own or {}
    asked = own | {"width": width, "quality": quality, "formats": [*formats["figures"], *formats["videos"]]}
    receipt = Receipt(kind, **choices, **asked)
    if receipt.holds():
        Line(sys.stderr, quiet).say(f"nothing to be done; {kind} up to date")
        return
    with _begun(strictness=strictness, quiet=quiet, **choices) as run:
        from attn.build.publish import chosen

        def put() -> int:
            with chosen(settings):
                return run.output.bundle(kind, make(run.output, run.subjects, problems, **own))

        receipt.tear()
        make, done, problems, settings = import_module(f"attn.build.{kind}").files, 0, {}, run.settings
        for part, more in parts.items():
            each = Receipt(part, **choices, **more)
            if not each.holds():
                run.settings = replace(settings, **more)
                problems |= _made(part, (), each, run)
                done += live and put()
        done += put()
        run.line.say(f"{kind} {'made' if done else 'up to date'}")
        if not (problems or run.false):
            receipt.sign()
    _end(run.file, problems)


def _end(file: Path, problems: Mapping[object, str]):
    """Says what could not be drawn from the weights in `file`, and if anything, ends here."""
    for problem in by_reason(problems):
        _say(f"{file}: {problem}")
    if problems:
        sys.exit(2)


@contextmanager
def _begun(weights, output, given_fonts, strictness, quiet, **choices):
    """A run that makes something: all that is given read, claims checked, the output folder locked, nothing drawn."""
    from attn.build.subjects import Subjects
    from attn.core.weights import load
    from attn.picture import fonts

    model = load(weights)
    supply = fonts.supply(given_fonts, {weights: model})
    trace = _picture(weights, model)
    false = _check_claims(weights, model, strictness)
    with _held(output, quiet) as (place, line):
        settings = Settings(font=supply.digest, font_files=place.font_files(supply.copies), **choices)
        yield SimpleNamespace(
            trace=trace,
            subjects=Subjects(trace, output, line.remark),
            file=weights,
            false=false,
            settings=settings,
            output=place,
            line=line,
        )


@contextmanager
def _held(output: Path, quiet: bool):
    """The output folder, locked, and what is said on the way."""
    from attn.build import making

    place = Output(output)
    with Line(sys.stderr, quiet) as line, place.locked(line.remark):
        making.settle_environment(place)
        yield place, line


def _say(line: str) -> None:
    print(f"attn: {line}", file=sys.stderr, flush=True)


def _check_claims(file: Path, model, strictness: str) -> list:
    """Says which claims are false, and ends here where there is one and claims are strict; gives these claims."""
    from attn.core import claims

    false = [claim for claim in claims.check(model) if not claim.holds]
    for claim in false:
        _say(f"{file}: {claim.line()}")
    if false and strictness == "strict":
        _say("nothing was drawn, since this does not hold; to draw what is true of these weights: CLAIMS=warn")
        sys.exit(1)
    return false


def _picture(file: Path, model):
    """The trace to draw, with its view."""
    from attn.picture import fonts
    from attn.picture.drawn import picture

    try:
        fonts.check_lengths(model)
        return picture(model)
    except WeightsError as error:
        raise error.within(str(file)) from None


if __name__ == "__main__":
    main(prog_name="attn")
