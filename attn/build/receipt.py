"""Whether all that is asked for is there, found out without numpy: by what went into the last run and what it left.

`attn.build` decides what is up to date, asset by asset. Where it found everything so, a receipt notes of what: the
bytes of weights, font and code, the settings, and the bytes of all that is there. As long as these are the same, so
would be the answer. Times decide nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from attn.build.assets import PINS, ROOT, source_files
from attn.build.output import Output, digest_of, read_note, write


class Receipt:
    """The one for all assets of a kind in an output folder, in .state/."""

    def __init__(self, kind: str, output: Path, weights: Path, given_fonts: Sequence[Path], **choices):
        """choices: of the settings, those that change what is made; none on claims, since none may be false."""
        self._output, self._kind, self._given = Output(output), kind, [weights, *given_fonts]
        self._file = self._output.state / f"{kind}.json"
        choices |= {"weights": os.path.relpath(weights), "font": given_fonts}
        self._asked = {name: _said(choice) for name, choice in sorted(choices.items())}
        self._made_of = self._ingredients()

    def holds(self) -> bool:
        """Whether nothing has changed since everything was up to date."""
        note = read_note(self._file)
        if self._made_of is None or note.get("made of") != self._made_of:
            return False
        return note.get("left") == self._output.everything(self._kind)

    def tear(self) -> list[str]:
        """Before anything is made. Gives what is asked otherwise than last time, in words."""
        last = read_note(self._file).get("asked")
        last = last if isinstance(last, dict) else {}
        write(self._file, json.dumps({"asked": self._asked}).encode())
        return [f"{name} {new}, not {last[name]}" for name, new in self._asked.items() if last.get(name, new) != new]

    def sign(self) -> None:
        """All is up to date; left unsaid where weights or code were saved meanwhile, as they may have come too late."""
        if self._made_of and self._made_of == self._ingredients():
            note = {"asked": self._asked, "made of": self._made_of, "left": self._output.everything(self._kind)}
            write(self._file, json.dumps(note, indent=0).encode())

    def _ingredients(self) -> str | None:
        """A digest of all that decides what is made; None where what is given is no file that can be read twice."""
        if not all(file.is_file() for file in self._given):
            return None
        files = [*sorted([*source_files(), *(ROOT / "attn" / "weights").glob("*.toml")]), PINS, *self._given]
        found = [self._asked, *((str(file), digest_of(file)) for file in files if file.is_file())]
        return hashlib.sha256(json.dumps(found).encode()).hexdigest()


def _said(choice) -> str:
    words = choice if isinstance(choice, (tuple, list)) else [choice or ""]
    return " ".join(map(str, words)) or "none"
