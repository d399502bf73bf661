"""What a picture's file has to offer; where something is missing or of another kind, one line says so.

What goes wrong inside the file's own code is its author's to find, by one traceback that begins in that file.
"""

from __future__ import annotations

import traceback
from importlib import import_module
from types import ModuleType

from attn.build.assets import ROOT, Mistake, file_of

TEXTS = ("title", "caption", "alt")


class Crash(Exception):
    """Code of a picture raised something; str() is the picture's file, and below it the traceback."""


def module(name: str) -> ModuleType:
    """The module called `name`. Raises Mistake where something that it imports is not there."""
    try:
        return import_module(name)
    except ImportError as error:
        raise Mistake(f"{place(name)} cannot be imported: {error}") from None


def texts(name: str, trace):
    """What texts(trace) of a picture's module returns. Raises Mistake where it has no title, caption and alt text."""
    found = called(name, "texts", trace)
    if not all(isinstance(getattr(found, part, None), str) for part in TEXTS):
        raise Mistake(f"{place(name)}: texts(trace) returns {kind(found)}, expected an attn.texts.phrases.Texts")
    return found


def called(name: str, function: str, trace):
    """What a function of a picture's module returns. Raises Mistake where it has none of that name."""
    code = getattr(module(name), function, None)
    if not callable(code):
        raise Mistake(f"{place(name)} has no {function}(trace); expected draw(trace) in a figure, texts(trace) in any")
    return code(trace)


def place(name: str) -> str:
    """The file of a module, as one looks for it."""
    file = file_of(name)
    return file.relative_to(ROOT).as_posix() if file else name


def crash(name: str, error: Exception) -> Crash:
    """The traceback of `error`, without what called the code of the picture's module `name`."""
    frames, own = error.__traceback__, str(file_of(name))
    while frames is not None and frames.tb_frame.f_code.co_filename != own:
        frames = frames.tb_next
    lines = traceback.format_exception(type(error), error, frames or error.__traceback__)
    return Crash(f"{place(name)}: its own code failed\n{''.join(lines).rstrip()}")


def kind(found) -> str:
    """What something is, in a message."""
    if found is None:
        return "nothing"
    name = type(found).__name__
    return f"{'an' if name[0].lower() in 'aeio' else 'a'} {name}"
