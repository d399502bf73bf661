"""The options of the commands that make something; make's variable NAME sets an option by ATTN_NAME."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from attn.build.assets import assets
from attn.build.output import check_folder
from attn.build.settings import DEFAULTS, FORMATS, formats_in
from attn.core.errors import WeightsError, nearest
from attn.picture.sizes import NARROWEST, WIDEST, WIDTHS


class Choice(click.ParamType):
    """One of a few words."""

    name = "choice"

    def __init__(self, *words: str):
        self.words = words

    def get_metavar(self, param, ctx):
        return f"[{'|'.join(self.words)}]"

    def shell_complete(self, ctx, param, incomplete):
        return [CompletionItem(word) for word in self.words if word.startswith(incomplete)]

    def convert(self, value, param, ctx):
        if value in self.words:
            return value
        return self.fail(f'"{value}" is none of {", ".join(self.words)}{nearest(value, self.words)}', param, ctx)


class Width(click.ParamType):
    """Millimetres, or the name of one of a book's widths."""

    name = "width"

    def get_metavar(self, param, ctx):
        return f"[{'|'.join(WIDTHS)}|MM]"

    def convert(self, value, param, ctx):
        if value in WIDTHS:
            return WIDTHS[value]
        with suppress(ValueError):
            if NARROWEST <= float(value) <= WIDEST:
                return float(value)
        named = ", ".join(f"{name} ({wide:g})" for name, wide in WIDTHS.items())
        wanted = f"neither {named} nor millimetres from {NARROWEST:g} to {WIDEST:g}"
        return self.fail(f'"{value}" is {wanted}{nearest(str(value), WIDTHS)}', param, ctx)


class Formats(click.ParamType):
    """Some of the formats of a kind of asset."""

    name = "formats"

    def __init__(self, kind: str):
        self.kind = kind

    def convert(self, value, param, ctx):
        return value if isinstance(value, tuple) else formats_in(value, self.kind)


class Folder(click.Path):
    """An output folder; none that holds sources."""

    def __init__(self):
        super().__init__(path_type=Path)

    def convert(self, value, param, ctx):
        folder = super().convert(value, param, ctx)
        check_folder(folder)
        return folder


FILE, FOLDER = click.Path(path_type=Path), Folder()
TYPES: dict[str, click.ParamType] = {
    "weights": FILE,
    "output": FOLDER,
    "theme": Choice("light", "dark"),
    "width": Width(),
    "quality": Choice("low", "medium", "high", "4k"),
    "claims": Choice("strict", "warn"),
    "transparent": Choice("1", "0"),
    "paper": Choice("a4", "letter"),
    "slides": Choice("steps", "beats"),
}


def option(name: str, text: str, default=None, *names: str, **more):
    """--NAME, which make's variable NAME sets."""
    more = {"type": TYPES.get(name), "default": default, "show_default": bool(default)} | more
    return click.option(f"--{name}", *names, envvar=f"ATTN_{name.upper()}", help=text, **more)


WEIGHTS = option("weights", "The weights file.", "attn/weights/you.toml")
OUTPUT = option("output", "The folder to make it in.", "output")
WIDTH = option("width", "In mm, or a book's 84, 130, 174, for figures that allow it; left out, each has its own.")
QUALITY = option("quality", "Size and frames a second.", "high")
CLAIMS = option("claims", "What a claim that does not hold does.", "strict", "strictness")
ALL_FORMATS = option("formats", "Which files.", "")  # of figures and films
SLIDES = option("slides", "A slide for each step, or for each beat of its film.", "steps")
PAPER = option("paper", "Of handouts.", "a4")
TRANSPARENT = option("transparent", "Also a .mov without the ground (ProRes 4444), to lay over other pictures.",
                     is_flag=True, type=click.BOOL)  # fmt: skip
FONT = option("font", "A font file for scripts the bundled fonts lack; several are asked in order.", None,
              "given_fonts", multiple=True, type=FILE)  # fmt: skip
DRAWING = (
    OUTPUT,
    option("theme", "For paper, or for dark slides.", "light"),
    FONT,
    click.option("--quiet", envvar="ATTN_QUIET", is_flag=True, help="No progress."),
)
MAKING = (*DRAWING, WEIGHTS, CLAIMS)


def names(kind: str):
    """NAME, of assets of a kind; a shell completes them."""

    def complete(ctx, param, incomplete):
        return [asset.name for asset in assets(kind) if asset.name.startswith(incomplete)]

    return click.argument("names", metavar="[NAME]...", nargs=-1, shell_complete=complete)


def formats(kind: str):
    """--formats, of a kind of asset."""
    help_text = {"figures": "Which files, besides the JSON.", "videos": f"Some of {', '.join(FORMATS['videos'])}."}
    return option("formats", help_text[kind], " ".join(DEFAULTS[kind]), type=Formats(kind))


def films(formats: tuple[str, ...], transparent: bool) -> tuple[str, ...]:
    """The formats of films, with what --transparent adds."""
    return (*formats, *(("mov",) if transparent and "mov" not in formats else ()))


def with_options(*options):
    """A command with options, in this order."""

    def decorate(command):
        for one in reversed(options):
            command = one(command)
        return command

    return decorate


def check_variables() -> None:
    """Raises WeightsError for a value of one of make's variables that is none, whichever command it is for."""
    for name, kind in {**TYPES, "formats": Formats("figures")}.items():
        value, place = os.environ.get(f"ATTN_{name.upper()}"), name.upper()
        if value is not None and not value.strip() and kind in (FILE, FOLDER):
            raise WeightsError(f"{place}=", "is empty; expected a path")
        try:
            if value:
                kind.convert(value, None, None)
        except click.BadParameter as error:
            raise WeightsError(place, error.message) from None
