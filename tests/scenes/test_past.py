"""A film is the same whether the one before it was just made in the same process, was played on the way, or is new."""

import pytest

from attn.build import making, subjects
from attn.build.assets import ROOT, assets, steps
from attn.build.film import scene_of
from attn.build.settings import Settings
from attn.core import weights
from attn.core.reading import Reading
from attn.picture import palette
from attn.picture.drawn import picture
from scenes._kit import past, render
from scenes._kit.render import shoot

MODULES = [step.module for step in steps()][:7]  # the others go on in the same way
TRACE = picture(weights.load(subjects.SHIPPED / subjects.FILES["story"]))


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setitem(render.QUALITY, "low", (320, 180, 10))
    monkeypatch.setattr(past, "_kept", {})


def made(module: str, trace=TRACE):
    """The film's files, what was read for it, and the numbers it shows."""
    reading, scene = Reading(trace), scene_of(module)
    film = shoot(lambda **options: scene(reading, **options), "low", "title", "0")
    return film.files, reading.names, film.stage.record


@pytest.fixture
def count_played(monkeypatch):
    """Counts how often each scene is played."""
    played = []

    def watched(scene):
        construct = scene.construct

        def counted(self):
            played.append(scene.__module__)
            construct(self)

        monkeypatch.setattr(scene, "construct", counted)

    for module in MODULES:
        watched(scene_of(module))
    return played


@pytest.mark.slow
def test_one_after_the_other_or_alone_gives_the_same_bytes(count_played):
    row = [made(module) for module in MODULES]
    assert count_played == MODULES, "each was played once"
    for number in (3, len(row) - 1):
        past._kept.clear()
        assert made(MODULES[number]) == row[number]


def test_films_that_are_up_to_date_are_played_on_the_way(count_played):
    made(MODULES[0])
    made(MODULES[3])
    assert sorted(count_played) == sorted(MODULES[:4])


def test_what_was_taken_over_is_not_taken_again(count_played, monkeypatch):
    *_, before, last = MODULES[:3]
    expected = made(last)
    made(before)
    with monkeypatch.context() as broken:
        broken.setattr(scene_of(last), "tear_down", lambda self: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            made(last)
    assert made(last) == expected
    assert count_played.count(before) == 3


def test_other_weights_go_on_from_nothing(count_played):
    other = picture(weights.load(ROOT / "tests/cases/good/french.toml"))
    made(MODULES[0])
    expected = made(MODULES[1], other)
    assert count_played.count(MODULES[0]) == 2
    past._kept.clear()
    assert made(MODULES[1], other) == expected


def test_another_theme_goes_on_from_nothing(count_played):
    made(MODULES[0])
    with palette.themed("dark"):
        made(MODULES[1])
    assert count_played.count(MODULES[0]) == 2


def test_films_that_go_on_from_one_another_come_first_and_in_order(tmp_path):
    films, settings = assets("videos"), Settings()
    tasks = [making.Task(film, TRACE, making.Output(tmp_path), settings, "") for film in films if not film.parts]
    ordered = [task.asset for task in making._in_order(tasks)]
    assert ordered[: len(steps())] == steps() and set(ordered) == {task.asset for task in tasks}
