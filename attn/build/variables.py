"""What was mistyped on make's command line. It needs nothing installed, since make asks before all else.

`python -m attn.build.variables "KNOWN ..." NAME ...` prints a line for the first name that was set, is no variable but
looks like one, or nothing: other names are somebody's own. `... "TARGETS ..." --target NAME` says that there is no such
target, and ends with 2.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

ALIKE = 0.75  # of 1; CFLAGS is no mistyped CLAIMS
LONGER = 2  # letters, at most; PYTHONPATH is no mistyped PYTHON


def refusal(names: Iterable[str], known: Sequence[str]) -> str:
    """A line that names the first of `names` that is mistyped or cut off, and what is meant; or nothing."""
    for name in names:
        close = [one for one in known if abs(len(one) - len(name)) <= LONGER]
        begun = [one for one in known if len(name) > LONGER and one.startswith(name.upper())]
        meant = get_close_matches(name.upper(), close, 1, ALIKE) or begun
        if meant and name not in known:
            return f'{name} is no variable of this Makefile; did you mean "{meant[0]}"?'
    return ""


def no_target(name: str, known: Sequence[str]) -> str:
    """A line that says that there is no target `name`, and which may be meant."""
    meant = get_close_matches(name, known, 1)
    return f'make has no target "{name}"; ' + (f'did you mean "{meant[0]}"?' if meant else "make help names them all")


if __name__ == "__main__":
    names = sys.argv[1].split()
    if sys.argv[2] == "--target":
        print(f"attn: {no_target(sys.argv[3], names)}", file=sys.stderr)
        sys.exit(2)
    print(refusal(sys.argv[2:], names))
