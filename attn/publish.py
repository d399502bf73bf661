"""Putting files into output/: whole or not at all, and left alone where nothing changed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

TEMPORARY = ".*.part"  # what a broken-off run may leave behind; no finished file is called so


def write(path: Path, data: bytes) -> bool:
    """Makes `path` hold `data`, by a temporary file in the same folder that is then renamed.

    True if it did; False if the file held `data` already and was left alone. Raises OSError, old content intact.
    """
    if _holds(path, data):
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    part = temporary(path)
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return True


def temporary(path: Path) -> Path:
    """A name for a file that is being written and will be renamed to `path`."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def sweep(folders: Iterable[Path]) -> None:
    """Removes what broken-off runs left in `folders`. Only for one that holds the folders' lock."""
    for folder in folders:
        for part in folder.glob(TEMPORARY):
            part.unlink(missing_ok=True)


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def sidecar(name: str, title: str, caption: str, alt: str, weights: str, values: list[dict], version: str) -> bytes:
    """The JSON beside an asset: its texts, the digest of the weights' content it shows, and every number printed."""
    content = {
        "format": "attn-asset/1",
        "version": version,
        "name": name,
        "title": title,
        "caption": caption,
        "alt": alt,
        "weights": weights,
        "values": values,
    }
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
