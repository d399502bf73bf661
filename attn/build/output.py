"""The folder everything is made into. Files come into it whole or not at all, and are left alone where they are right.

Nothing here needs numpy, so that it is found out fast that there is nothing to do.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from attn.build.assets import PACKAGES, ROOT, Asset, assets
from attn.build.settings import EXTENSIONS
from attn.core.errors import WeightsError

PREVIEW = "preview"  # the folder in an output folder that `make preview` makes another one in
CAPTIONS = "captions"
TEXTS = ("numbers.tex", "numbers.json", *(f"figures/{CAPTIONS}.{extension}" for extension in ("tex", "typ", "md")))
TRAINED = "lookup.json"
# What is in the folder beside figures and films, with the command that makes it.
OTHERS = dict.fromkeys(TEXTS, "figure") | {TRAINED: "train", "proof.pdf": "proof", "worksheet.pdf": "worksheet",
          "answers.pdf": "worksheet", "diff.pdf": "diff", "diff.png": "diff",
          "handout.pdf": "handout", "storyboard.pdf": "handout"}  # fmt: skip
BUNDLES = ("page", "slides", "handout")  # what is made of figures and films, each by the command of that name
SOURCES = ("attn", *PACKAGES.values(), "tests", ".ci", ".docs", ".git", ".venv")

TEMPORARY = ".*.part"  # what a broken-off run may leave behind; no finished file is called so
LOCKED = "*.matplotlib-lock"  # and what makes matplotlib wait for seconds, each time

Say = Callable[[str], None]


class Output:
    """The folder, with the notes in .state/ on how each asset was made."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.state = folder / ".state"

    def note(self, asset: Asset) -> Path:
        return self.state / asset.kind / f"{asset.name}.json"

    def files(self, asset: Asset) -> list[Path]:
        """Every file of `asset` that is there; files of other kinds beside them are the user's own."""
        paths = (self.folder / asset.kind / f"{asset.name}.{e}" for e in sorted(EXTENSIONS[asset.kind]))
        return [path for path in paths if path.is_file()]

    def content(self, asset: Asset) -> dict[str, bytes]:
        """Its files by extension."""
        return {path.suffix[1:]: path.read_bytes() for path in self.files(asset)}

    def digests(self, asset: Asset) -> dict[str, str]:
        """The digest of each of its files, by name."""
        return {path.name: digest_of(path) for path in self.files(asset)}

    def everything(self, kind: str) -> dict[str, str]:
        """The digest of each file of all assets of a kind, and of what is made or used with them, by path.

        kind: figures, videos, or one of BUNDLES, whose files are made of both.
        """
        kinds = PACKAGES if kind in BUNDLES else (kind,)
        others = [TRAINED, *(TEXTS if "figures" in kinds else ()), *self.bundled(kind)]
        paths = [path for one in kinds for asset in assets(one) for path in self.files(asset)]
        paths += [path for path in (self.folder / name for name in others) if path.is_file()]
        return {path.relative_to(self.folder).as_posix(): digest_of(path) for path in paths}

    def bundled(self, bundle: str) -> list[str]:
        """The files that were made for one of BUNDLES, by path in the folder, whether they are there or not."""
        return read_note(self._bundle(bundle)).get("files", [])

    def bundle(self, bundle: str, files: Mapping[str, bytes]) -> int:
        """Puts the files of one of BUNDLES into the folder, by path, and takes those away that are no longer of it.

        How many were put there or taken away. For one that holds `locked`.
        """
        note, before = self._bundle(bundle), self.bundled(bundle)
        write(note, _names([*files, *before]))  # all that there may be, if this is ended in between
        done = sum(self.write(name, data) for name, data in files.items())
        done += _remove([self.folder / name for name in before if name not in files], self.folder)
        write(note, _names(files))
        return done

    def _bundle(self, bundle: str) -> Path:
        return self.state / "bundles" / f"{bundle}.json"

    def font_files(self, copies: Sequence[bytes]) -> tuple[Path, ...]:
        """Files with these fonts, each named by its content; those of earlier runs go. For one that holds `locked`."""
        folder = self.state.resolve() / "fonts"
        found = {folder / f"{hashlib.sha256(data).hexdigest()}.ttf": data for data in copies}
        for path in set(folder.glob("*.ttf")) - set(found):
            path.unlink()
        for path, data in found.items():
            write(path, data)
        return tuple(found)

    def left_over(self) -> list[Path]:
        """Files among the assets' that none makes any more: those of a picture that was renamed or removed."""
        made = {kind: {asset.name for asset in assets(kind)} for kind in PACKAGES}
        made["figures"].add(CAPTIONS)
        folders = [(kind, folder / kind) for folder in (self.folder, self.folder / PREVIEW) for kind in PACKAGES]
        found = [
            path
            for kind, folder in folders
            for path in sorted(folder.glob("[!.]*"))
            if path.name.partition(".")[0] not in made[kind]
        ]
        bundled = {self.folder / name for bundle in BUNDLES for name in self.bundled(bundle)}
        files = (path for bundle in BUNDLES for path in sorted((self.folder / bundle).rglob("[!.]*")) if path.is_file())
        return found + [path for path in files if path not in bundled]

    def write(self, name: str, data: bytes) -> bool:
        """Puts a file into the folder, as `write` does."""
        return write(self.folder / name, data)

    def clean(self, say: Say) -> None:
        """Removes what was made here and in the preview's folder, and nothing else."""
        if (self.folder / PREVIEW).is_dir():
            Output(self.folder / PREVIEW).clean(say)
        if not self.state.is_dir():
            return
        with self.locked(say):
            notes = [note for kind in PACKAGES for note in (self.state / kind).glob("*.json")]
            made = [path for note in notes for path in self.files(Asset(note.parent.name, note.stem))]
            others = {*OTHERS, *(name for bundle in BUNDLES for name in self.bundled(bundle))}
            _remove([*made, *(self.folder / name for name in others)], self.folder)
            shutil.rmtree(self.state)
        for folder in (*(self.folder / kind for kind in PACKAGES), self.folder / PREVIEW):
            with suppress(OSError):
                folder.rmdir()

    @contextmanager
    def locked(self, say: Say) -> Iterator[None]:
        """Holds the folder: another process that wants it waits. The lock goes with the process, however it ends."""
        with self._lock(say):
            self._sweep()
            try:
                with scratch(self.state / "tmp"):
                    yield
            finally:
                self._sweep()

    def _sweep(self) -> None:
        """Removes what runs left that were broken off."""
        bundles = [self.folder / bundle for bundle in BUNDLES]
        folders = [folder for folder in (self.folder, self.state, *bundles) if folder.is_dir()]
        sweep(path for folder in folders for path in (folder, *folder.iterdir()) if path.is_dir())

    def _lock(self, say: Say) -> BinaryIO:
        """The file .state/lock, held; another one if it was cleaned away meanwhile."""
        import fcntl

        path = self.state / "lock"
        while True:
            self.state.mkdir(parents=True, exist_ok=True)
            lock = path.open("ab")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(f"waiting for another run in {self.folder}")
                fcntl.flock(lock, fcntl.LOCK_EX)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(lock.fileno()), path.stat()):
                    return lock
            lock.close()


def _remove(paths: Iterable[Path], inside: Path) -> int:
    """Removes those of the files that are there, and the folders `inside` one that are empty then. How many files."""
    there = [path for path in paths if path.is_file() or path.is_symlink()]
    for path in there:
        path.unlink()
    for folder in sorted({above for path in there for above in path.parents if inside in above.parents}, reverse=True):
        with suppress(OSError):
            folder.rmdir()
    return len(there)


def _names(files: Iterable[str]) -> bytes:
    """The note on which files there are."""
    return json.dumps({"files": sorted(set(files))}).encode()


def check_folder(folder: Path) -> None:
    """Raises WeightsError where pictures would come among sources: this project's, or those of a copy of it."""
    place = folder.resolve()
    ours = ROOT.is_relative_to(place) or any(place.is_relative_to(ROOT / name) for name in SOURCES)
    if ours or any(next((place / kind).glob("*.py"), None) for kind in PACKAGES):
        raise WeightsError("OUTPUT", f'"{folder}" is a folder of sources; expected one of its own')


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


def read_note(path: Path) -> dict:
    """A JSON object from a file; an empty one where there is none that can be read."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def digest_of(file: Path) -> str:
    """What tells a file's content from any other, in hex."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, hashlib.blake2b).hexdigest()  # twice as fast as sha256, and films are large
