"""Our renderer and camera against manim's own: the same frames, the same pixels; nothing of the user's settings."""

from functools import partial

import manim
import numpy as np
import pytest
from manim.camera.camera import Camera

from attn.build import subjects
from attn.build.film import scene_of
from attn.core import weights
from attn.picture.drawn import picture
from scenes._kit.renderer import ExactTime, Renderer, settings
from tests.scenes.samples import Frames, Sample

LEVELS, SHARE = 16, 0.003  # while moving: at most so many of 255 levels off, in at most this share of the pixels


class Stock(Renderer):
    """Draws every picture whole with manim's own camera."""

    def __init__(self, sink=None):
        super().__init__(sink)
        self.camera = Camera()

    def picture(self, scene, whole=True):
        self.camera.reset()
        self.camera.capture_mobjects(scene.mobjects)
        self.sink.show(self.camera.pixel_array, [(0, 0, self.camera.pixel_width, self.camera.pixel_height)])
        return self.camera.pixel_array


class Medley(ExactTime, manim.Scene):
    """What a camera with a memory could get wrong: order, overlap, gradients, objects that come, go and change."""

    def construct(self):
        disc = manim.Circle(fill_opacity=0.4, color=manim.BLUE).shift(manim.LEFT * 2)
        square = manim.Square(fill_opacity=0.7, color=manim.RED, stroke_width=9).rotate(0.3)
        arrow = manim.Arrow(manim.ORIGIN, [3, 2, 0], color=manim.GREEN)
        dashes = manim.DashedLine(manim.LEFT * 6, manim.RIGHT * 6, color=manim.PINK)
        bar = manim.Rectangle(width=3, height=1, fill_opacity=1).set_fill([manim.RED, manim.BLUE]).shift([0, -2, 0])
        star = manim.Star(color=manim.PURPLE, stroke_width=12).shift(manim.RIGHT * 4)
        self.add(disc, square, dashes, bar, star)
        self.play(manim.GrowArrow(arrow), run_time=0.3)
        self.wait(0.2)
        self.play(disc.animate.shift(manim.RIGHT * 3), manim.FadeOut(dashes), run_time=0.3)
        square.set_z_index(3)
        self.play(manim.Rotate(star, 1), manim.Create(manim.Circle().shift(manim.UP * 2)), run_time=0.3)
        self.bring_to_front(disc)
        self.wait(0.1)
        bar.set_fill([manim.GREEN, manim.BLUE])
        self.play(bar.animate.shift(manim.UP), manim.ReplacementTransform(arrow, manim.Line([-3, 0, 0], [0, 3, 0])))
        self.remove(star)
        self.wait(0.2)
        crowd = [manim.Square(0.5, fill_opacity=0.5).shift([k / 4 - 4, k % 3 - 1, 0]) for k in range(30)]
        self.add(*crowd)
        self.play(manim.Rotate(bar, 0.5), run_time=0.2)
        dot = manim.Dot()
        self.play(dot.animate.shift(manim.RIGHT), run_time=0.2)
        self.bring_to_front(crowd[3])
        self.play(crowd[3].animate.shift(manim.DOWN), run_time=0.2)
        self.remove(crowd[5])
        self.play(dot.animate.shift(manim.RIGHT), crowd[20].animate.shift(manim.UP), run_time=0.2)
        self.camera.background_color = manim.GRAY
        self.play(dot.animate.shift(manim.RIGHT), run_time=0.2)


def frames_of(scene, renderer_class, size=(426, 240, 30)):
    sink = Frames()
    with settings(*size):
        scene(renderer=renderer_class(sink)).render()
    return sink


@pytest.mark.parametrize("scene", [Medley, Sample])
def test_pictures_are_manims_own(scene):
    ours, stock = frames_of(scene, Renderer), frames_of(scene, Stock)
    assert len(ours.all) == len(stock.all)
    assert any(ours.rests) and not all(ours.rests)
    for mine, theirs, rests in zip(ours.all, stock.all, ours.rests, strict=True):
        difference = np.abs(mine.astype(int) - theirs).max(axis=2)
        if rests:
            assert not difference.any()
        assert difference.max() <= LEVELS
        assert np.count_nonzero(difference) <= SHARE * difference.size


@pytest.mark.slow
def test_a_films_pictures_are_manims_own():
    trace = picture(weights.load(subjects.SHIPPED / subjects.FILES["story"]))
    film = partial(scene_of("scenes.step4_softmax"), trace)
    ours, stock = (frames_of(film, renderer, (426, 240, 6)) for renderer in (Renderer, Stock))
    for mine, theirs in zip(ours.all, stock.all, strict=True):
        difference = np.abs(mine.astype(int) - theirs).max(axis=2)
        assert difference.max() <= LEVELS and np.count_nonzero(difference) <= SHARE * difference.size


def test_pictures_that_manim_must_draw_itself():
    class Cloudy(ExactTime, manim.Scene):
        def construct(self):
            cloud = manim.PointCloudDot(radius=0.5)
            self.add(manim.Square(), cloud)
            self.play(cloud.animate.shift(manim.RIGHT), run_time=0.2)
            self.remove(cloud)
            self.wait(0.2)

    ours, stock = frames_of(Cloudy, Renderer), frames_of(Cloudy, Stock)
    assert all(np.array_equal(a, b) for a, b in zip(ours.all, stock.all, strict=True))


def test_the_number_of_frames_is_exact():
    class Timed(ExactTime, manim.Scene):
        def construct(self):
            for k in range(1, 40):
                dot = manim.Dot()
                self.play(dot.animate.shift(manim.UP), run_time=k / 30)
                self.remove(dot)
                self.wait(k / 30)

    assert len(frames_of(Timed, Renderer, (128, 72, 30)).all) == 2 * sum(range(1, 40))
    with settings(128, 72, 30):
        scene = Timed(renderer=Renderer())
        scene.render()
    assert scene.renderer.frames == 2 * sum(range(1, 40))


def test_settings_are_manims_defaults_and_are_put_back(tmp_path, monkeypatch):
    (tmp_path / "manim.cfg").write_text("[CLI]\nbackground_color = RED\nframe_rate = 7\nmedia_dir = here\n")
    monkeypatch.chdir(tmp_path)
    before = dict(manim.config)
    with settings(426, 240, 30):
        assert manim.config.frame_rate == 30
        assert manim.config.background_color == manim.BLACK
        Medley(renderer=Renderer()).render()
    assert dict(manim.config) == before
    assert [path.name for path in tmp_path.iterdir()] == ["manim.cfg"]


def test_an_error_in_a_scene_comes_through():
    class Broken(ExactTime, manim.Scene):
        def construct(self):
            raise ZeroDivisionError

    with settings(426, 240, 30), pytest.raises(ZeroDivisionError):
        Broken(renderer=Renderer()).render()
