"""A made film, probed: what is in it, how it is tagged, that it is what was drawn, and the same bytes every time."""

import hashlib
import io
import json
import os
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import av
import manim
import numpy as np
import pytest
from PIL import Image

from attn.build.assets import Mistake
from attn.build.film import film as made_film
from attn.build.film import scene_of
from attn.build.settings import EXTENSIONS, Settings
from attn.core.model import WeightsError
from scenes._kit import encoder
from scenes._kit.encoder import Encoder, Picture, cut
from scenes._kit.render import QUALITY, rehearse, shoot
from scenes._kit.renderer import Renderer, settings
from scenes._kit.stage import Stage
from scenes._kit.text import Text
from tests.scenes.samples import Frames, Sample

DIGEST = "0123456789abcdef" * 4
ONE = manim.Square()


@pytest.fixture(scope="module")
def film():
    return shoot(Sample, "low", "A title", "9.8.7", lambda: DIGEST)


@pytest.fixture(scope="module")
def decoded(film):
    with av.open(io.BytesIO(film.files["mp4"])) as container:
        return list(container.decode(video=0))


def test_streams_and_tags(film):
    with av.open(io.BytesIO(film.files["mp4"])) as container:
        assert [stream.type for stream in container.streams] == ["video"]
        stream = container.streams.video[0]
        context = stream.codec_context
        assert (context.name, context.profile, context.pix_fmt) == ("h264", "High", "yuv420p")
        assert (context.width, context.height, stream.average_rate) == (854, 480, 30)
        tags = (context.color_primaries, context.color_trc, context.colorspace, context.color_range)
        assert tags == (1, 1, 1, 1)  # BT.709 thrice, limited range
        assert container.metadata["title"] == "A title"
        assert container.metadata["comment"] == f"attn 9.8.7, weights sha256 {DIGEST}"
        assert "creation_time" not in container.metadata and "encoder" not in container.metadata
    assert b"colr" in film.files["mp4"]


def test_the_index_is_in_front(film):
    data = film.files["mp4"]
    names, position = [], 0
    while position < len(data):
        names.append(data[position + 4 : position + 8].decode())
        position += int.from_bytes(data[position : position + 4])
    assert names.index("moov") < names.index("mdat")
    assert data[:1024].count(b"elst") <= 1


def test_every_frame_decodes_at_its_time(film, decoded):
    assert len(decoded) == film.stage.frames == film.stage.beats[-1].end
    times = [frame.pts * frame.time_base for frame in decoded]
    assert times[0] == 0
    assert {later - earlier for earlier, later in zip(times, times[1:], strict=False)} == {Fraction(1, 30)}
    with av.open(io.BytesIO(film.files["mp4"])) as container:
        assert container.duration == pytest.approx(1e6 * film.stage.frames / 30, abs=1)


def test_the_film_shows_what_was_drawn(decoded):
    sink = Frames()
    with settings(*QUALITY["low"]):
        Sample(renderer=Renderer(sink)).render()
    assert len(sink.all) == len(decoded)
    for number in (0, 5, 12, 20, 30, 60, len(decoded) - 1):
        drawn = Picture(854, 480)
        drawn.paint([cut(sink.all[number], (0, 0, 854, 480))])
        for ours, theirs in zip(drawn._planes, map(encoder._view, decoded[number].planes), strict=True):
            assert similarity(ours, theirs) >= 0.99


def test_what_faded_leaves_no_trace_where_a_film_rests():
    class Faded(Stage):
        def construct(self):
            words = [Text("much that fades", 0.5, "#9db7e0").at([-5, 2 - k, 0]) for k in range(5)]
            self.beat("It comes.", manim.FadeIn(*words))
            self.beat("It goes.", manim.FadeOut(*words))

    film = shoot(Faded, "low", "", "")
    with av.open(io.BytesIO(film.files["mp4"])) as container:
        last = list(container.decode(video=0))[-1]
    light = encoder._view(last.planes[0]).astype(int)
    assert np.ptp(light) <= 1


def test_colours_come_back(decoded, film):
    """Paper stays white and a shade keeps its colour, to within the rounding of the conversion."""
    rgb = decoded[-1].to_ndarray(format="rgb24", src_colorspace="ITU709")
    poster = np.array(Image.open(io.BytesIO(film.files["png"])))
    assert np.abs(rgb[5, 5].astype(int) - 255).max() <= 1
    assert np.abs(rgb[240, 120].astype(int) - poster[240, 120]).max() <= 2


def similarity(a: np.ndarray, b: np.ndarray, size: int = 8) -> float:
    """SSIM of two planes over blocks of 8 x 8 (Wang et al. 2004, with blocks in place of a sliding window)."""
    blocks = []
    for plane in (a, b):
        height, width = (n // size * size for n in plane.shape)
        tiles = plane[:height, :width].astype(float).reshape(height // size, size, width // size, size)
        blocks.append(tiles.transpose(0, 2, 1, 3).reshape(-1, size * size))
    (x, y), (mx, my) = blocks, (block.mean(axis=1) for block in blocks)
    covariance = (x * y).mean(axis=1) - mx * my
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    top = (2 * mx * my + c1) * (2 * covariance + c2)
    return float((top / ((mx**2 + my**2 + c1) * (x.var(axis=1) + y.var(axis=1) + c2))).mean())


def test_bytes_do_not_depend_on_cores_or_process(film):
    """Made again in another process, on one core, with another hash seed."""
    code = (
        "import sys; from scenes._kit.render import shoot; from tests.scenes.samples import Sample\n"
        f"files = shoot(Sample, 'low', 'A title', '9.8.7', lambda: {DIGEST!r}).files\n"
        "import hashlib; print(*(f'{k} {hashlib.sha256(v).hexdigest()}' for k, v in files.items()))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "5", "TZ": "Asia/Kolkata", "LC_ALL": "C"}
    one_core = (
        (lambda: os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])) if hasattr(os, "sched_setaffinity") else None
    )
    made = subprocess.run(
        [sys.executable, "-c", code], env=environment, preexec_fn=one_core, capture_output=True, text=True, check=True
    )

    assert made.stdout.split() == [
        word for name, data in film.files.items() for word in (name, hashlib.sha256(data).hexdigest())
    ]


def test_parts_are_converted_as_the_whole():
    random = np.random.default_rng(1)
    canvas = random.integers(0, 256, (240, 426, 4), np.uint8)
    canvas[..., 3] = 255
    whole = Picture(426, 240)
    whole.paint([cut(canvas, (0, 0, 426, 240))])
    for _ in range(20):
        left, top = 2 * random.integers(0, 200), 2 * random.integers(0, 110)
        right, bottom = left + 2 * random.integers(1, 7), top + 2 * random.integers(1, 5)
        box = (int(left), int(top), int(right), int(bottom))
        part = Picture(426, 240)
        part.paint([cut(canvas, box)])
        for ours, theirs, size in zip(part._planes, whole._planes, (1, 2, 2), strict=True):
            rows, columns = slice(top // size, bottom // size), slice(left // size, right // size)
            assert np.array_equal(ours[rows, columns], theirs[rows, columns])


@pytest.mark.parametrize(
    ("rgb", "yuv"), [((255, 0, 0), (63, 102, 240)), ((255, 255, 255), (235, 128, 128)), ((0, 0, 0), (16, 128, 128))]
)
def test_colours_are_converted_by_bt709(rgb, yuv):
    picture = Picture(64, 64)
    picture.paint([cut(np.full((64, 64, 4), (*rgb, 255), np.uint8), (0, 0, 64, 64))])
    assert tuple(int(plane[20, 20]) for plane in picture._planes) == yuv


def test_odd_sizes_are_refused(tmp_path):
    with pytest.raises(ValueError, match="even"):
        Encoder(tmp_path / "film.mp4", 853, 480, 30)


def test_every_quality_is_even():
    assert all(width % 2 == height % 2 == 0 for width, height, _ in QUALITY.values())


def test_an_error_while_encoding_comes_through(tmp_path):
    with pytest.raises(ValueError), Encoder(tmp_path / "film.mp4", 64, 64, 30) as encoder:
        encoder.show(np.zeros((64, 64, 3), np.uint8))
        for _ in range(50):
            encoder.hold()


def test_the_stage_keeps_beats_numbers_and_poster(film):
    first, second = film.stage.beats
    assert (first.start, first.motion, first.end) == (0, 27, second.start)
    assert film.stage.record == [
        {"text": "0.25", "path": "attention[2][1]"},
    ]
    assert Image.open(io.BytesIO(film.files["png"])).size == (854, 480)
    assert Image.open(io.BytesIO(film.files["png"])).text["Title"] == "A title"
    assert film.files["srt"].decode().endswith("The words move.\n")


def test_rehearsing_gives_the_same_beats(film):
    stage = rehearse(Sample)
    assert stage.beats == film.stage.beats and stage.record == film.stage.record


def test_a_beat_lasts_until_its_caption_is_spoken_and_moves_for_most_of_it():
    class Told(Stage):
        def construct(self):
            self.beat("Thirteen words, which a lecturer speaks in six seconds, so it is six.", manim.FadeIn(ONE))
            self.beat("Few words.", manim.FadeOut(ONE), run_time=2, rests=3)
            self.beat(None, manim.FadeIn(ONE), run_time=1)

    beats = rehearse(Told).beats
    assert [(beat.end - beat.start) / 30 for beat in beats] == pytest.approx([6, 5, 3.05], abs=1 / 30)
    assert [beat.motion / 30 for beat in beats] == pytest.approx([3.96, 2, 1], abs=1 / 30)


def test_beats_begin_at_key_frames_and_cover_the_film(film):
    beats = json.loads(sample_files()["json"])["beats"]
    assert [beat["seen"] for beat in beats] == ["An arrow grows.", "The words move."]
    assert [beats[0]["start"], beats[-1]["end"]] == [0, round(film.stage.frames / 30, 3)]
    assert all(one["end"] == other["start"] for one, other in pairwise(beats))
    with av.open(io.BytesIO(film.files["mp4"])) as container:
        keys = {round(float(p.pts * p.time_base), 3) for p in container.demux(video=0) if p.is_keyframe}
    assert {beat["start"] for beat in beats} <= keys


def test_the_script_has_each_beat_with_its_time():
    assert "**0:00**  An arrow grows.\n\n**0:01**  The words move." in sample_files()["md"].decode()


@pytest.mark.parametrize(("x", "y"), [(0.3, 0.1), (6, 0), (0, 3.7)], ids=["on another", "beside", "above"])
def test_a_text_on_another_or_in_the_margin_is_refused(x, y):
    class Crowded(Stage):
        def construct(self):
            self.add(Text("There", 0.5), Text("is a word", 0.5).shift([x, y, 0]))
            self.beat("It has no room.", manim.FadeIn(manim.Square()), run_time=1)

    with pytest.raises(WeightsError, match="there is no room for it in this film"):
        rehearse(Crowded)


@pytest.mark.parametrize("seconds", [0.5, 4.5])
def test_motion_too_quick_or_too_slow_is_refused(seconds):
    class Hasty(Stage):
        def construct(self):
            self.beat("Quick.", manim.FadeIn(manim.Square()), run_time=seconds)

    with pytest.raises(ValueError, match="motion"):
        rehearse(Hasty)


def test_progress_goes_from_nought_to_one():
    heard = []
    shoot(Sample, "low", "", "", progress=lambda beat, share: heard.append((beat, share)))
    shares = [share for _, share in heard]
    assert shares == sorted(shares) and shares[-1] == 1 and len(shares) > 5
    assert {beat for beat, _ in heard} == {1, 2}


def test_a_module_has_one_scene():
    with pytest.raises(Mistake, match="scenes/_kit/captions.py has 0 scenes"):
        scene_of("scenes._kit.captions")
    assert scene_of("tests.scenes.samples") is Sample


SAMPLE = SimpleNamespace(module="tests.scenes.samples", name="samples")


@cache
def sample_files() -> dict[str, bytes]:
    """What `attn video` calls: the scene gets the trace, the film its title and the digest of what was read."""
    trace = SimpleNamespace(digest=lambda: DIGEST)
    return made_film(SAMPLE, trace, Settings(quality="low", formats=("mp4",)))


def test_rendering_a_module():
    files = sample_files()
    assert sorted(files) == ["json", "md", "mp4", "png", "srt", "vtt"] and set(files) < set(EXTENSIONS["videos"])
    assert files["mp4"].count(DIGEST.encode()) == 1 and b"A title" in files["mp4"]
    assert json.loads(files["json"])["values"] == [{"text": "0.25", "path": "attention[2][1]"}]
