"""Frames that were repeated without x264 decode to the very pictures that x264 would have made."""

import io
from itertools import pairwise

import av
import numpy as np

from scenes._kit import encoder
from scenes._kit.encoder import KEYFRAME_SECONDS, Encoder
from scenes._kit.still import START, Still, frame_number, numbered

FPS = 30


def film(path, monkeypatch, repeats: bool):
    """A film that moves and rests in turn, over several key frames; returns its packets' sizes and its pictures."""
    if not repeats:
        monkeypatch.setattr(encoder.Still, "again", lambda self: None)
    canvas = np.full((144, 256, 4), 255, np.uint8)
    random = np.random.default_rng(5)
    with Encoder(path, 256, 144, FPS) as film:
        film.show(canvas)
        for rest in (1, 20, 2, 300, 3, 1, 1, 90, 40):
            for _ in range(6):
                left, top = 2 * random.integers(0, 100), 2 * random.integers(0, 50)
                box = (int(left), int(top), int(left) + 40, int(top) + 30)
                canvas[box[1] : box[3], box[0] : box[2], :3] = random.integers(0, 256, 3)
                canvas[box[1] + 5 : box[3] - 5, box[0] + 5, :3] = 0
                film.show(canvas, [box])
                film.hold()
            film.hold(rest)
    data = io.BytesIO(path.read_bytes())
    with av.open(data, options={"err_detect": "explode"}) as container:
        pictures = [frame.to_ndarray() for frame in container.decode(video=0)]
    data.seek(0)
    with av.open(data) as container:
        packets = [(packet.size, packet.is_keyframe) for packet in container.demux(video=0) if packet.size]
    return packets, pictures, film._coded


def test_repeated_frames_are_what_x264_would_have_made(tmp_path, monkeypatch):
    packets, pictures, coded = film(tmp_path / "a.mp4", monkeypatch, repeats=True)
    with monkeypatch.context() as patch:
        plain_packets, plain_pictures, plain_coded = film(tmp_path / "b.mp4", patch, repeats=False)
    assert plain_coded == len(plain_packets) == len(packets)
    assert coded < 0.35 * plain_coded
    assert [key for _, key in packets] == [key for _, key in plain_packets]
    keys = [number for number, (_, key) in enumerate(packets) if key]
    assert all(other - one <= KEYFRAME_SECONDS * FPS for one, other in pairwise([*keys, len(packets)]))
    assert len(pictures) == len(plain_pictures)
    assert all(np.array_equal(a, b) for a, b in zip(pictures, plain_pictures, strict=True))


def slice_of(number, rest=b"\x3d\x7f\xfe"):
    return numbered(START + b"\x9a\x02" + rest, number)


def test_numbers_are_read_and_written():
    for number in range(16):
        data = slice_of(number)
        assert frame_number(data) == number
        assert b"\0\0" not in data[4:]
    assert frame_number(b"\0\0\0\1\x65\x9a\x02\x3d") is None  # a key frame
    assert frame_number(START + b"\x9a\x00\x3d") is None  # a number next to zeros is not touched


def test_a_rest_is_repeated_once_it_was_said_twice():
    still = Still()
    still.coded(b"key", key=True)
    assert still.again() is None
    assert still.coded(slice_of(1), key=False) == slice_of(1)
    assert still.again() is None
    still.coded(slice_of(2), key=False)
    assert [frame_number(still.again()) for _ in range(20)] == [(3 + k) % 16 for k in range(20)]
    still.changed()
    assert still.again() is None
    assert frame_number(still.coded(slice_of(3, b"\1\2\3"), key=False)) == (2 + 20 + 1) % 16
    still.coded(b"key", key=True)
    assert still.coded(slice_of(1), key=False) == slice_of(1)


def test_slices_of_another_kind_are_left_alone():
    still = Still()
    still.coded(b"key", key=True)
    strange = START + b"\xff\xff\xff\xff"
    assert [still.coded(strange, key=False) for _ in range(3)] == [strange] * 3
    assert still.again() is None
