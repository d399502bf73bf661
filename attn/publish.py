"""From a drawing to files, and files into output/: whole or not at all, and left alone where nothing changed.

Attn imports no drawing toolkit: figures and scenes are imported by name, when one of theirs is made.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import attn
from attn import contract, fonts, look
from attn.assets import Asset

JOINED = ("mp4", "gif", "webm")  # a .mov is for laying single steps over something, and large
FORMATS = {"figures": ("pdf", "svg", "png"), "videos": ("mp4", "gif", "webm", "mov")}
EXTENSIONS = {"figures": (*FORMATS["figures"], "json"), "videos": (*FORMATS["videos"], "png", "srt", "vtt", "json")}
DEFAULTS = {"figures": FORMATS["figures"], "videos": ("mp4",)}

Progress = Callable[[int, float], None]  # a film's beat, from 1, and how much of the film is done, 0 to 1

TEMPORARY = ".*.part"  # what a broken-off run may leave behind; no finished file is called so
LOCKED = "*.matplotlib-lock"  # and what makes matplotlib wait for seconds, each time


@dataclass(frozen=True)
class Settings:
    """What the user may choose about all pictures, apart from the weights."""

    theme: str = "light"
    formats: tuple[str, ...] = DEFAULTS["figures"]  # of the kind that is made
    width: str | None = None  # of figures that allow it; each its own where none is chosen
    quality: str = "high"  # of films
    font: str = ""  # digest of the user's own fonts
    font_files: tuple[Path, ...] = ()  # plain copies of them (attn.fonts)

    def that_matter(self, asset: Asset) -> dict:
        """Those that change the files of an asset."""
        own = {"width": asset.width(self.width)} if asset.kind == "figures" else {"quality": self.quality}
        return {"theme": self.theme, "font": self.font, "formats": list(self.formats), **own}


@contextmanager
def chosen(settings: Settings) -> Iterator[None]:
    """Puts the theme and the fonts that were chosen in force for the block."""
    with look.themed(settings.theme), fonts.using(settings.font_files):
        yield


def figure(name: str, module: str, trace, settings: Settings) -> dict[str, bytes]:
    """The files of a figure by extension: draws `module` from `trace`, an attn.reading.Reading.

    Raises WeightsError where it cannot be drawn from these weights, or has no room for their words.
    """
    toolkit = import_module("figures._draw")
    width = Asset("figures", name).width(settings.width)
    with chosen(settings), look.sized(width), toolkit.style():
        drawing, texts = contract.drawing(module, trace), contract.texts(module, trace)
        toolkit.check_room(drawing)
        weights = trace.digest()
        files = toolkit.save(drawing, name, texts.title, texts.alt, weights, attn.__version__)
        values = toolkit.record(drawing)
    record = sidecar(name, texts.title, texts.caption, texts.alt, weights, values, attn.__version__)
    return {extension: files[extension] for extension in settings.formats} | {"json": record}


def film(name: str, module: str, trace, settings: Settings, progress: Progress | None = None) -> dict[str, bytes]:
    """The files of a film by extension: plays `module` on `trace`, an attn.reading.Reading."""
    toolkit = import_module("scenes._film")
    with chosen(settings):
        files, values = toolkit.render(module, trace, settings.quality, attn.__version__, settings.formats, progress)
        texts = contract.texts(module, trace)
    record = sidecar(name, texts.title, texts.caption, texts.alt, trace.digest(), values, attn.__version__)
    return files | {"json": record}


def joined(name: str, module: str, clips: Sequence[dict[str, bytes]], trace, settings: Settings) -> dict[str, bytes]:
    """The files of a film that is joined from `clips`, each one's files by extension, without drawing anything.

    trace: an attn.reading.Reading that counts what the clips show as read.
    """
    texts, records = contract.texts(module, trace), [json.loads(clip["json"]) for clip in clips]
    weights, titles = trace.digest(), [record["title"] for record in records]
    comment = f"attn {attn.__version__}, weights sha256 {weights}"
    formats = [extension for extension in settings.formats if extension in JOINED]
    files, chapters = import_module("scenes._join").join(clips, titles, texts.title, comment, formats)
    values = {(value["text"], value["path"]): value for record in records for value in record["values"]}
    record = sidecar(
        name, texts.title, texts.caption, texts.alt, weights, list(values.values()), attn.__version__, chapters=chapters
    )
    return files | {"json": record}


def write(path: Path, data: bytes) -> bool:
    """Makes `path` hold `data`, by a temporary file in the same folder that is then renamed.

    True if it did; False if the file held `data` already and was left alone. Raises OSError, old content intact.
    """
    if _holds(path, data):
        return False
    part = temporary(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # a full disk does not say where
    finally:
        with suppress(OSError):
            part.unlink()
    return True


def temporary(path: Path) -> Path:
    """A name for a file that is being written and will be renamed to `path`."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def sweep(folders: Iterable[Path]) -> None:
    """Removes what broken-off runs left in `folders`. Only for one that holds the folders' lock."""
    for folder in folders:
        for part in (*folder.glob(TEMPORARY), *folder.glob(LOCKED)):
            part.unlink(missing_ok=True)


@contextmanager
def scratch(folder: Path) -> Iterator[None]:
    """In this block temporary files, of this process and of those it starts, go into `folder`, which is gone after it.

    What is in it before, a run left that was ended by force. Only for one that holds a lock on it.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    before, own = tempfile.tempdir, os.environ.get("TMPDIR")
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder.resolve())
    try:
        yield
    finally:
        tempfile.tempdir = before
        os.environ.pop("TMPDIR") if own is None else os.environ.update(TMPDIR=own)
        shutil.rmtree(folder, ignore_errors=True)


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def sidecar(
    name: str, title: str, caption: str, alt: str, weights: str, values: list[dict], version: str, **more
) -> bytes:
    """The JSON beside an asset: its texts, the digest of the weights' content it shows, and every number printed."""
    content = {
        "format": "attn-asset/1",
        "version": version,
        "name": name,
        "title": title,
        "caption": caption,
        "alt": alt,
        "weights": weights,
        **more,
        "values": values,
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
