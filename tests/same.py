"""Whether a change left the pictures as they were: keep them before it, compare after it.

    python -m tests.same keep FOLDER          every figure and film of the shipped weights and of tests/cases/good
    python -m tests.same compare FOLDER       the same again; what differs from what was kept, a line each
    python -m tests.same compare FOLDER NAME ...   only pictures so called

JSON records have to be equal; figures, and every tenth frame of films, may differ by MOST of 255 levels in SHARE of the
pixels.
"""

from __future__ import annotations

import filecmp
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
FILES = [ROOT / "attn/weights/you.toml", *sorted((ROOT / "tests/cases/good").glob("*.toml"))]
MOST, SHARE, EVERY = 8, 0.001, 10


def draw(folder: Path, names: list[str]) -> None:
    """Makes the pictures called `names`, all if there are none, of every weights file in a folder of its own."""
    for file in FILES:
        for kind, options in (("figure", ["--formats", "png"]), ("video", ["--quality", "low"])):
            known = {asset.stem for asset in (ROOT / {"figure": "figures", "video": "scenes"}[kind]).glob("[!_]*.py")}
            if wanted := sorted(known.intersection(names)) if names else [""]:
                command = [sys.executable, "-m", "attn.cli", kind, *filter(None, wanted), "--weights", str(file)]
                options += ["--output", str(folder / file.stem), "--claims", "warn", "--quiet"]
                subprocess.run([*command, *options], cwd=ROOT, stderr=subprocess.DEVNULL, check=False)


def differences(before: Path, after: Path, names: list[str]) -> Iterator[str]:
    """A line for each record or picture that is not the same in both folders."""
    for place in sorted(made(before)):
        old, new = before / place, after / place
        if names and place.stem not in names:
            continue
        if not new.is_file():
            yield f"{place}: is not made any more"
        else:
            yield from (f"{place}: {key} differs" for key in told(old, new))
            yield from different_pictures(old, new, place)
    if not names:
        yield from (f"{p}: is new" for p in sorted(made(after) - made(before)))


def made(folder: Path) -> set[Path]:
    """The records of a folder's assets."""
    found = (file.relative_to(folder) for file in folder.rglob("*.json"))
    return {place for place in found if place.parent.name in ("figures", "videos") and ".state" not in place.parts}


def told(old: Path, new: Path) -> list[str]:
    """What two records say differently; the order in which numbers came does not matter."""
    records = [json.loads(file.read_bytes()) for file in (old, new)]
    for record in records:
        record["values"] = sorted((value["text"], value["path"]) for value in record["values"])
    return [key for key in records[0] | records[1] if records[0].get(key) != records[1].get(key)]


def different_pictures(old: Path, new: Path, place: Path) -> Iterator[str]:
    """Where the pictures beside two records differ."""
    for extension, pictures in ((".png", still), (".mp4", frames)):
        file, pair = place.with_suffix(extension), [record.with_suffix(extension) for record in (old, new)]
        if not all(file.is_file() for file in pair) or filecmp.cmp(*pair, shallow=False):
            continue
        both = [list(pictures(file)) for file in pair]
        if len(both[0]) != len(both[1]):
            yield f"{file}: {len(both[0])} pictures, now {len(both[1])}"
            continue
        for number, (a, b) in enumerate(zip(*both, strict=True)):
            if a.shape != b.shape:
                yield f"{file}: {a.shape}, now {b.shape}"
                break
            share = (np.abs(a.astype(int) - b).max(axis=-1) > MOST).mean()
            if share > SHARE:
                yield f"{file}: {share:.2%} of the pixels differ, picture {number} of {len(both[0])}"
                break


def still(file: Path) -> Iterator[np.ndarray]:
    with Image.open(file) as picture:
        yield np.asarray(picture.convert("RGB"))


def frames(file: Path) -> Iterator[np.ndarray]:
    with av.open(str(file)) as film:
        for number, frame in enumerate(film.decode(video=0)):
            if number % EVERY == 0:
                yield frame.to_ndarray(format="rgb24")


def main() -> None:
    task, folder, *names = sys.argv[1:]
    if task == "keep":
        draw(Path(folder), names)
        return
    with tempfile.TemporaryDirectory() as new:
        draw(Path(new), names)
        found = list(differences(Path(folder), Path(new), names))
    print("\n".join(found) or "the same")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
