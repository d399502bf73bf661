"""Reading what the user names: regular files of a sensible size, or one line that says what is in the way."""

from __future__ import annotations

import stat
from pathlib import Path

from attn.core.errors import WeightsError


def content(path: Path, wanted: str, largest: int) -> bytes:
    """The bytes of a file; `wanted` says what it should be, as "a weights file".

    Raises WeightsError for what is no regular file, cannot be read, or has more than `largest` bytes.
    """
    data = b""
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
        if regular:
            with path.open("rb") as file:
                data = file.read(largest + 1)
    except (OSError, ValueError) as error:  # a null character in a path is a ValueError
        raise WeightsError("", f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if not regular:
        raise WeightsError("", f"is {'a directory' if path.is_dir() else 'not a regular file'}, expected {wanted}")
    if len(data) > largest:
        raise WeightsError("", f"is larger than {largest:,} bytes, expected {wanted}")
    return data
