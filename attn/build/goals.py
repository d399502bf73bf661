"""Which commands make what make is asked for; or, in one line, why none does."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from attn.build.assets import PACKAGES, named
from attn.build.output import BUNDLES, OTHERS, PREVIEW, check_folder
from attn.build.settings import EXTENSIONS, FORMATS, JOINED
from attn.core.errors import WeightsError, nearest

COMMANDS = {"figures": "figure", "videos": "video"}


ALL = "all"


def commands_for(goal: str, output: Path, formats: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The commands that make `goal`: ALL, or the path of a file or of a folder of figures or films.

    Each is the words after `attn`. formats: those chosen of each kind of asset. Raises WeightsError for a path that
    nothing makes, and, saying which, for one that other variables make.
    """
    return [[command] for command in COMMANDS.values()] if goal == ALL else [_command(goal, output, formats)]


def _command(path: str, output: Path, formats: Mapping[str, Sequence[str]]) -> list[str]:
    place, folder = (Path(os.path.abspath(one)) for one in (path, output))
    if not place.is_relative_to(folder):
        raise _elsewhere(path, place, output, formats)
    inside, settings = place.relative_to(folder), []
    if inside.parts[:1] == (PREVIEW,):
        inside, settings = inside.relative_to(PREVIEW), ["--output", str(output / PREVIEW), "--quality", "low"]
    elif inside.as_posix() in OTHERS:
        return [OTHERS[inside.as_posix()]]
    if inside.parts[:1] and inside.parts[0] in BUNDLES and not settings:
        return [inside.parts[0]]
    if inside.as_posix() in COMMANDS:
        return [COMMANDS[inside.as_posix()], *settings]
    kind, *file = inside.parts or ("",)
    if kind not in COMMANDS or len(file) != 1:
        raise WeightsError(path, f"nothing makes this{nearest(inside.as_posix(), (*OTHERS, *COMMANDS, *BUNDLES))}")
    return [COMMANDS[kind], _asset(path, kind, file[0], formats[kind]), *settings]


def _asset(path: str, kind: str, file: str, chosen: Sequence[str]) -> str:
    """The name of the asset that a file belongs to, if it is made of it in the `chosen` formats."""
    name, _, extension = file.partition(".")
    if extension not in EXTENSIONS[kind]:
        raise WeightsError(path, f'"{extension}" is no format of {kind}; expected one of {", ".join(EXTENSIONS[kind])}')
    (asset,) = named(kind, [name])
    possible = JOINED if asset.parts else FORMATS[kind]
    if extension in FORMATS[kind] and extension not in possible:
        raise WeightsError(path, f"{asset} is made of {', '.join(possible)} alone")
    if extension in FORMATS[kind] and extension not in chosen:
        now, wanted = (shlex.quote(" ".join(some)) for some in (chosen, (*chosen, extension)))
        raise WeightsError(path, f"is not among FORMATS={now}; to have it: make {shlex.quote(path)} FORMATS={wanted}")
    return name


def _elsewhere(path: str, place: Path, output: Path, formats: Mapping[str, Sequence[str]]) -> WeightsError:
    """Says that a path is not in the output folder, and in which it would be, if in any."""
    above = place.parents[1 if place.parent.name in PACKAGES else 0]
    other = Path(os.path.relpath(above.parent if above.name == PREVIEW else above))
    wanted = path
    try:
        check_folder(other)
    except WeightsError:  # figures/NAME.pdf is where nothing is made
        other, wanted = output, str(output / place.relative_to(above))
    _command(wanted, other, formats)
    goal, folder = shlex.quote(wanted), shlex.quote(str(other))
    return WeightsError(path, f"is not in OUTPUT={output}; to have it: make {goal} OUTPUT={folder}")
