"""Films in other formats, and films that are joined: probed, every frame decoded, compared with what was drawn."""

import io
import re
from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import av
import manim
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from attn.build.assets import assets, steps
from attn.build.film import film as made_film
from attn.build.film import scene_of
from attn.build.settings import Settings
from scenes._kit.formats import palette
from scenes._kit.join import join
from scenes._kit.mov import straight
from scenes._kit.render import QUALITY, shoot
from scenes._kit.renderer import Renderer, settings
from tests.scenes.samples import Frames, Sample

DIGEST = "0123456789abcdef" * 4


class OnBlack(Sample):
    """The same on a black ground."""

    ground = "#000000"

    def construct(self):
        self.camera.background_color = self.ground
        super().construct()


class OnWhite(OnBlack):
    """And on a white one."""

    ground = "#ffffff"


class Short(Sample):
    """Another clip, shorter."""

    def construct(self):
        self.beat("A square & a <circle>.", manim.FadeIn(manim.Square()), run_time=0.7, poster=True)


@cache
def made(extension: str, scene=Sample):
    return shoot(scene, "low", "A title", "9.8.7", lambda: DIGEST, (extension,))


def opened(extension: str):
    return av.open(io.BytesIO(made(extension).files[extension]))


def pictures(scene) -> list[np.ndarray]:
    """Every picture of the scene as it is drawn."""
    sink = Frames()
    with settings(*QUALITY["low"]):
        scene(renderer=Renderer(sink)).render()
    return [picture[..., :3] for picture in sink.all]


def decoded(data: bytes) -> list[np.ndarray]:
    with av.open(io.BytesIO(data)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def test_webm():
    film = made("webm")
    with opened("webm") as container:
        context = container.streams.video[0].codec_context
        assert [stream.type for stream in container.streams] == ["video"]
        assert (context.name, context.pix_fmt, context.width, context.height) == ("vp9", "yuv420p", 854, 480)
        assert (context.color_primaries, context.color_trc, context.colorspace, context.color_range) == (1, 1, 1, 1)
        assert container.metadata["title"] == "A title" and DIGEST in container.metadata["COMMENT"]
    assert film.files["srt"] == made("mp4").files["srt"] and film.files["png"] == made("mp4").files["png"]


def test_webm_looks_like_the_mp4():
    ours, theirs = (decoded(made(name).files[name]) for name in ("webm", "mp4"))
    assert len(ours) == len(theirs)
    assert np.abs(ours[-1].astype(int) - theirs[-1]).mean() < 1
    assert max(np.abs(a.astype(int) - b).mean() for a, b in zip(ours, theirs, strict=True)) < 2


@pytest.mark.parametrize("extension", ["mp4", "webm", "gif", "mov"])
def test_all_frames_are_equally_long_and_as_many_as_were_played(extension):
    film, fps = made(extension), 25 if extension == "gif" else 30
    with opened(extension) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        assert stream.average_rate == stream.guessed_rate == fps
        assert len({b.pts - a.pts for a, b in pairwise(frames)} | {frame.duration for frame in frames}) == 1
        assert frames[0].duration * frames[0].time_base == pytest.approx(1 / fps, rel=1e-7)
        assert container.duration == pytest.approx(1e6 * len(frames) / fps, abs=1)
    if extension != "gif":
        assert len(frames) == film.stage.frames


@pytest.mark.parametrize("extension", ["mp4", "webm", "mov"])
def test_container_and_frames_say_bt709_alike(extension):
    with opened(extension) as container:
        stream = container.streams.video[0]
        for one in (stream.codec_context, *container.decode(stream)):
            assert (one.color_primaries, one.color_trc, one.colorspace, one.color_range) == (1, 1, 1, 1)
    data = made(extension).files[extension]
    if extension == "mov":  # a frame's header, 8 bytes and its picture's size in front
        assert data[data.index(b"icpf") + 18 :][:3] == b"\1\1\1"
    if extension != "webm":
        assert data[data.index(b"colr") + 4 :][:10] in (b"nclc\0\1\0\1\0\1", b"nclx\0\1\0\1\0\1")


@pytest.mark.parametrize("ground", [OnBlack, OnWhite])
def test_a_transparent_film_is_right_on_any_ground(ground):
    """Laid over black or white, it is what is drawn on black or white."""
    with opened("mov") as container:
        frames = list(container.decode(video=0))
    for film, drawn in list(zip(frames, pictures(ground), strict=True))[3::20]:
        frame = film.to_ndarray(format="rgba").astype(float)
        alpha = frame[..., 3:] / 255
        laid = frame[..., :3] * alpha + (0 if ground is OnBlack else 255) * (1 - alpha)
        assert np.abs(laid - drawn).max() <= 12, "of 255 levels, at the edge of an ink"
        assert np.abs(laid - drawn).mean() < 0.1


def test_a_picture_that_rests_is_in_a_transparent_film_once():
    with opened("mov") as container:
        packets = [packet for packet in container.demux(video=0) if packet.size]
    once = {packet.pos: packet.size for packet in packets}
    assert len(once) < 0.6 * len(packets)
    assert sum(once.values()) > 0.99 * len(made("mov").files["mov"])


def test_gif_has_exact_shades_and_takes_as_long():
    film = made("gif")
    image = Image.open(io.BytesIO(film.files["gif"]))
    assert image.size == (854, 480) and DIGEST in image.info["comment"].decode() and image.info["loop"] == 0
    lengths = []
    for number in range(image.n_frames):
        image.seek(number)
        lengths.append(image.info["duration"])
    assert set(lengths) == {40}, "25 frames a second"
    assert sum(lengths) == pytest.approx(1000 * made("mp4").stage.frames / 30, abs=100)
    last, poster = np.array(image.convert("RGB")), np.array(Image.open(io.BytesIO(film.files["png"])))
    assert (last[5, 5] == poster[5, 5]).all() and (last[240, 120] == poster[240, 120]).all()
    assert len(film.files["gif"]) < 300_000
    assert made("gif").files["srt"] == made("mp4").files["srt"], "captions are the film's"


def test_transparent_film():
    with opened("mov") as container:
        stream = container.streams.video[0]
        context = stream.codec_context
        assert (context.name, context.profile, context.codec_tag) == ("prores", "4444", "ap4h")
        assert context.pix_fmt.startswith("yuva444p")
        frames = list(container.decode(stream))
    last = frames[-1].to_ndarray(format="rgba")
    assert last[5, 5, 3] == 0 and last[240, 120, 3] == 255, "no ground, but shades"
    assert np.abs(last[240, 120, :3].astype(int) - [0xE2, 0xE9, 0xF5]).max() <= 2
    assert np.array_equal(*(np.array(Image.open(io.BytesIO(made(e).files["png"]))) for e in ("mov", "mp4")))


def test_formats_are_made_again_to_the_byte():
    for extension in ("webm", "gif", "mov"):
        again = shoot(Sample, "low", "A title", "9.8.7", lambda: DIGEST, (extension,))
        assert again.files == made(extension).files


def test_several_formats_at_once_are_each_the_same():
    both = shoot(Sample, "low", "A title", "9.8.7", lambda: DIGEST, ("mp4", "gif"))
    assert both.files == made("gif").files | made("mp4").files


def test_progress_over_several_formats_goes_from_nought_to_one():
    heard = []
    shoot(Short, "low", "", "", formats=("mp4", "gif"), progress=lambda beat, share: heard.append(share))
    assert heard == sorted(heard) and heard[0] < 0.1 and heard[-1] == 1


def test_straight_colours():
    assert straight(np.array([[[64, 32, 0, 128], [10, 20, 30, 255], [0, 0, 0, 0]]], np.uint8)).tolist() == [
        [[128, 64, 0, 128], [10, 20, 30, 255], [0, 0, 0, 0]]
    ]


@given(st.dictionaries(st.integers(0, 0xFFFFFF), st.integers(1, 10**6), min_size=1, max_size=40), st.integers(1, 50))
def test_a_palette_keeps_the_most_frequent_and_all_if_there_is_room(counts, size):
    colours = np.array(sorted(counts), np.uint32)
    found = palette(colours, np.array([counts[c] for c in colours.tolist()]), size).tolist()
    assert len(found) == len(set(found)) == min(size, len(counts)) and set(found) <= set(counts)
    assert counts[found[0]] == max(counts.values())


# ---- joined -------------------------------------------------------------------------------------------------------


@cache
def joined(*formats: str):
    scenes = (Sample, Short, Sample)
    clips = [dict(item for e in formats for item in made(e, scene).files.items()) for scene in scenes]
    files, chapters = join(clips, ["One", "Two “x” & <b>", "Three"], "All", f"attn, sha256 {DIGEST}", formats)
    return clips, files, chapters


def lengths() -> list[int]:
    return [made("mp4", scene).stage.frames for scene in (Sample, Short, Sample)]


@pytest.mark.parametrize("extension", ["mp4", "webm"])
def test_a_joined_film_is_its_clips(extension):
    clips, files, _ = joined(extension)
    with av.open(io.BytesIO(files[extension])) as container:
        stream = container.streams.video[0]
        edges = np.cumsum([0, *lengths()]) / 30
        marks = [(c["start"] * c["time_base"], c["end"] * c["time_base"]) for c in container.chapters()]
        assert np.allclose(np.array(marks, float), np.stack([edges[:-1], edges[1:]], axis=1), atol=0.001)
        assert [c["metadata"]["title"] for c in container.chapters()] == ["One", "Two “x” & <b>", "Three"]
        assert container.metadata["title"] == "All"
        assert stream.codec_context.colorspace == 1
        frames = list(container.decode(stream))
        assert len(frames) == sum(lengths()) and len({b.pts - a.pts for a, b in pairwise(frames)}) == 1
        assert float(frames[-1].pts * frames[-1].time_base) == pytest.approx(edges[-1] - 1 / 30, rel=1e-7)
    whole, parts = decoded(files[extension]), [decoded(clip[extension]) for clip in clips]
    assert all(np.array_equal(a, b) for a, b in zip(whole, sum(parts, []), strict=True))
    assert files[extension] == join(clips, *joined_names(), [extension])[0][extension]


def joined_names():
    return ["One", "Two “x” & <b>", "Three"], "All", f"attn, sha256 {DIGEST}"


def test_chapters_are_written_both_ways_and_the_index_is_in_front():
    data = joined("mp4")[1]["mp4"]
    assert data.count(b"chpl") == 1, "the list, for VLC"
    assert data.count(b"tref") == data.count(b"chap") == 1, "the text track, for QuickTime"
    assert data.index(b"moov") < data.index(b"mdat")
    with av.open(io.BytesIO(data)) as container:
        assert [stream.type for stream in container.streams] == ["video", "data"]
        video = container.streams.video[0]
        assert (video.average_rate, video.frames) == (30, sum(lengths()))


def test_joined_captions_are_in_order_and_end_with_the_film():
    clips, files, chapters = joined("mp4")
    times = re.findall(r"(\d+):(\d+):(\d+),(\d+) --> (\d+):(\d+):(\d+),(\d+)", files["srt"].decode())
    seconds = [
        [(int(h) * 60 + int(m)) * 60 + int(s) + int(ms) / 1000 for h, m, s, ms in (row[:4], row[4:])] for row in times
    ]
    flat = sum(seconds, [])
    assert flat == sorted(flat) and all(a < b for a, b in seconds)
    assert flat[-1] == pytest.approx(sum(lengths()) / 30, abs=0.001)
    told = re.findall(r"[A-Z][^\n]*\.", files["srt"].decode().replace("\u2060", ""))  # which keeps words literal
    assert told == [
        "An arrow grows.",
        "The words move.",
        "A square & a <circle>.",
        "An arrow grows.",
        "The words move.",
    ]
    assert "A square &amp; a &lt;circle&gt;." in files["vtt"].decode()
    assert [chapter["title"] for chapter in chapters] == ["One", "Two “x” & <b>", "Three"]
    assert {chapter["start"] for chapter in chapters} <= {round(start, 3) for start, _ in seconds}


def test_clips_that_do_not_fit_are_refused():
    small = dict(made("mp4").files)
    large = dict(shoot(Short, "medium", "", "", lambda: DIGEST).files)
    with pytest.raises(ValueError, match="cannot be joined"):
        join([small, large], ["a", "b"], "", "", ["mp4"])


def test_the_order_of_steps_is_that_of_the_scenes():
    """What is read from the source is what the classes say."""
    row = steps()
    for before, after in zip([None, *row], row, strict=False):
        goes_before = scene_of(after.module).after
        assert (goes_before and goes_before.__module__) == (before and before.module)
    assert {asset.name for asset in assets("videos") if asset.name.startswith("step")} <= {asset.name for asset in row}


def test_render_takes_formats():
    trace = SimpleNamespace(digest=lambda: DIGEST)
    asset = SimpleNamespace(module="tests.scenes.samples", name="samples")
    files = made_film(asset, trace, Settings(quality="low", formats=("gif",)))
    assert sorted(files) == ["gif", "json", "md", "png", "srt", "vtt"]
