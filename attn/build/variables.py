"""Names that were set on make's command line and are none of its variables, but look like one.

`python -m attn.build.variables "KNOWN ..." NAME ...` prints a line for the first, or nothing. Other names are
somebody's own. It needs nothing installed, since make asks before all else.
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


if __name__ == "__main__":
    print(refusal(sys.argv[2:], sys.argv[1].split()))
