"""What x264 would say, again and again, of a picture that rests; said for it, at no cost.

A film of a lecture rests most of the time. Once x264 has coded such a picture, each further frame is the same slice,
"every block as before", with the next frame number. `Still` recognises it (two frames running with equal slices) and
repeats it. Where it put in frames, the slices that x264 makes later get their numbers moved on, up to the next key
frame.

ITU-T H.264, 7.3.3: a slice header begins with first_mb_in_slice, slice_type, pic_parameter_set_id and frame_num. x264
writes them, for a P slice of a whole picture, as 1 00110 1 and four bits. `Still` checks each slice against that and
against the number that must come; if anything else is seen, it repeats nothing.
"""

from __future__ import annotations

START = b"\0\0\0\1\x41"  # a start code, then a unit of type 1 (slice, not of a key frame) that others refer to
NUMBERS = 16  # frame numbers count modulo this


class Still:
    """Follows the slices of one film, coded by x264 with one reference and no B frames."""

    def __init__(self):
        self.works = True
        self._own = self._real = 0  # frame numbers: x264's, and the film's
        self._last: bytes | None = None  # the last slice of this picture, as number 0
        self._said = False  # whether x264 has said it twice

    def changed(self) -> None:
        """The picture is another one now."""
        self._last, self._said = None, False

    def coded(self, data: bytes, key: bool) -> bytes:
        """Takes a frame that x264 coded; returns it with its number in the film."""
        if key:
            self._own = self._real = 0
            self.changed()
            return data
        self._own, self._real = (self._own + 1) % NUMBERS, (self._real + 1) % NUMBERS
        if frame_number(data) != self._own:
            if self._own != self._real:
                raise RuntimeError("x264 codes slices in another way than before; frames were repeated that cannot be")
            self.works = False
        if not self.works:
            return data
        plain = numbered(data, 0)
        self._said = self._last is not None and plain[:-1] == self._last[:-1]  # x264 plays with the last byte's padding
        self._last = plain
        return numbered(data, self._real)

    def again(self) -> bytes | None:
        """The next frame of a picture that rests, or None if x264 is to code it."""
        if not (self._said and self.works):
            return None
        self._real = (self._real + 1) % NUMBERS
        return numbered(self._last, self._real)


def frame_number(data: bytes) -> int | None:
    """The frame number of a P slice as x264 codes it; None for anything else.

    The byte that the number ends in has other bits set, so that whatever number is put there, no two zero bytes come
    or go (7.4.1.1, emulation prevention).
    """
    if len(data) < 8 or data[:5] != START or data[5] >> 1 != 0b1001101 or not data[6] & 0b11111:
        return None
    return (data[5] & 1) << 3 | data[6] >> 5


def numbered(data: bytes, number: int) -> bytes:
    """The slice with another frame number."""
    return data[:5] + bytes([data[5] & 0b11111110 | number >> 3, data[6] & 0b11111 | (number & 7) << 5]) + data[7:]
