"""What is refused, in one line that says where and why, and the nearest known name where one was mistyped."""

from __future__ import annotations

import re

from attn.core.spelling import invisible


class WeightsError(ValueError):
    """A weights file that cannot be used; str() is one line: file, place, what was found, what is wanted."""

    def __init__(self, place: str, message: str, file: str | None = None):
        self.place, self.message, self.file = place, message, file
        super().__init__(place, message, file)

    def __str__(self) -> str:
        parts = [part for part in (self.file, _shortened(self.place)) if part]
        joint = " " if self.message.startswith(("is ", "has ")) else ": "
        message = _shortened(self.message)
        return _one_line(joint.join([": ".join(parts), message]) if parts else message)

    def within(self, file: str) -> WeightsError:
        """The same error, naming the file it came from."""
        return WeightsError(self.place, self.message, file)


def _shortened(text: str) -> str:
    """`text` with its very long words cut, as a file may have some."""
    return re.sub(r"\S{200,}", lambda word: f"{word[0][:60]}…", text)


def _one_line(text: str) -> str:
    """What breaks lines or cannot be seen written out, so that a message is one line and says what was in the file."""
    return "".join(c if c.isprintable() and not invisible(c) else c.encode("unicode_escape").decode() for c in text)


def nearest(name: str, known) -> str:
    """'; did you mean X?' with the known name most like `name`, or nothing if none is like it.

    The only one that begins with `name` is, and that failing one that differs little, or the only one it is a part of.
    """
    import difflib

    asked, lower = name.lower(), {word.lower(): word for word in reversed(list(known))}
    begun, parts = ([word for word in lower if test(word, asked)] for test in (str.startswith, str.__contains__))
    alike = difflib.get_close_matches(asked, lower, n=1, cutoff=0.6)
    match = next((found for found in (begun, alike, parts) if len(found) == 1), None)
    return f'; did you mean "{lower[match[0]]}"?' if match else ""
