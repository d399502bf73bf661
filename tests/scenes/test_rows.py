"""The films about rows and scores, and about the lookup experiment: their laws, and what they show at rest."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module

import numpy as np
import pytest

from attn.build import subjects, trained
from attn.build.assets import assets
from attn.build.film import scene_of
from attn.core import numerals, record, weights
from attn.core.model import Story, WeightsError
from attn.core.reading import Reading
from attn.lab import lookup
from attn.picture import rows
from attn.picture.drawn import as_dict, picture
from scenes._kit.lookup import Train, final_answer
from scenes._kit.render import rehearse
from scenes._kit.renderer import settings
from scenes._kit.sentence_rows import Reflect
from scenes._kit.stage import Stage
from scenes.lookup import TALL
from tests.attn.said import check
from tests.attn.said import texts as texts_of
from tests.often import some
from tests.scenes.played import SMALL, Rest, Shown, Watching, pieces, unrecorded
from tests.scenes.test_story import (  # noqa: F401  the laws of every film hold for these as well
    test_a_film_is_ten_to_forty_five_seconds_long,
    test_captions_are_sentences_that_can_be_read,
    test_no_text_lies_on_another,
    test_text_is_large_enough_for_the_last_row,
    test_text_keeps_the_margin,
    test_there_is_one_poster,
    test_things_move_slowly_and_rest_long_enough,
)

SHIPPED = weights.load(subjects.SHIPPED / subjects.FILES["sentence"])
LONG = replace(
    SHIPPED,
    vocabulary=("the", "thunderstorm", "electrocuted", "grasshoppers"),
    story=Story(("The", "thunderstorm", "electrocuted", "the", "grasshoppers")),
)
SHORT = replace(SHIPPED, story=Story(("chased", "mouse")))
NARROW = replace(SHIPPED, W_Q=SHIPPED.W_Q[:1], W_K=SHIPPED.W_K[:1], W_V=SHIPPED.W_V[:2])
TIED = replace(SHIPPED, W_K=SHIPPED.W_Q)
MODELS = {"shipped": SHIPPED, "long words": LONG, "two words": SHORT, "narrow": NARROW, "tied": TIED}
KINDS = [(name, case) for name in ("qkv", "symmetry") for case in MODELS] + [("lookup", "shipped")]


@dataclass
class Played:
    """A film that was played: the scene, what could be read whenever a beat came to rest, what it was made from."""

    stage: Stage
    rests: list[Rest]
    subject: object
    values: dict
    numbers: list[Shown]
    seen: list  # what `look_at` saw at each rest


@pytest.fixture(scope="session")
def experiment(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "SEEDS", (0,))
        return trained.load(tmp_path_factory.mktemp("lookup"))


@pytest.fixture(scope="session", params=some(KINDS, 5), ids=lambda kind: " ".join(kind))
def film(request, experiment):
    return play(*request.param, experiment)


@pytest.fixture(scope="session")
def films(experiment):
    """The films of the shipped weights."""
    return {name: play(name, "shipped", experiment) for name in ("qkv", "symmetry", "lookup")}


@cache
def play(name: str, case: str, experiment) -> Played:
    subject = experiment if name == "lookup" else picture(MODELS[case])
    seen, beat = [], Stage.beat

    def watched(stage, *args, **options):
        beat(stage, *args, **options)
        seen.append(LOOKS[name](stage))

    with settings(*SMALL), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stage, "beat", watched)
        stage = scene_of(f"scenes.{name}")(Reading(subject), renderer=Watching())
        stage.render()
    return Played(stage, stage.renderer.rests, subject, as_dict(subject), stage.renderer.numbers, seen)


def said(numbers) -> list:
    """What numbers, nested in lists, say."""
    return [said(one) if isinstance(one, list) else one.digits.text_run.text for one in numbers]


def shown(matrix) -> list:
    return said(matrix.numbers)


def look_at_scores(stage) -> dict:
    fills = [[tile.get_fill_color().to_hex() for tile in row] for row in stage.grid.tiles]
    return {
        "numbers": shown(stage.grid),
        "fills": np.array(fills),
        "bars": [bar.reach for bar in getattr(stage, "bars", [])],
        "texts": [piece.text for piece in pieces(stage.mobjects)],
    }


def look_at_training(stage) -> dict:
    curves = stage.curves.items()
    return {
        "bars": [bar.reach for bar in stage.bars],
        "weights": said(stage.weights),
        "step": stage.step.digits.text_run.text if hasattr(stage, "step") else None,
        "curves": {name: (curve.number.digits.text_run, curve.path.points[-1:, :2]) for name, curve in curves},
    }


LOOKS = {"qkv": lambda stage: None, "symmetry": look_at_scores, "lookup": look_at_training}


def written(values, places: int = 2) -> list:
    return [written(row, places) if np.ndim(row) else numerals.number(row, places) for row in np.asarray(values)]


# ---- every film ------------------------------------------------------------------------------------------------


def test_every_number_is_the_one_at_its_path(film):
    recorded = [(entry["text"], entry["path"]) for entry in film.stage.record]
    assert recorded
    for text, path in recorded:
        value = record.lookup(film.values, path)
        units = (-0.01, 0.0, 0.01) if path.startswith("attention[") else (0.0,)
        assert text in {numerals.number(value + unit, places) for unit in units for places in range(3)}, path


def test_every_number_shown_is_recorded(film):
    assert film.numbers and not unrecorded(film, getattr(film.subject, "tokens", ()))


def test_a_film_says_what_its_module_says(film):
    module = import_module(type(film.stage).__module__)
    texts = module.texts(film.subject)
    assert film.stage.said == texts and texts.caption and texts.alt
    last = "".join(piece.text for piece in film.rests[-1].pieces)
    assert all(run.text.strip() in last for run in texts.outcome)


def test_what_a_film_says_is_so(film):
    captions = " ".join(beat.caption for beat in film.stage.beats if beat.caption)
    check([captions, *texts_of(film.stage.said)], film.subject)


def test_subjects_are_named_where_assets_look_for_them():
    found = {asset.name: asset.subject for asset in assets("videos")}
    assert (found["qkv"], found["symmetry"], found["lookup"]) == ("sentence", "sentence", "lookup")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["qkv", "symmetry"])
def test_too_many_words_are_refused_in_one_line(name):
    crowd = picture(replace(SHIPPED, story=Story(("the", "cat", "chased", "mouse") * 5)))
    with pytest.raises(WeightsError):
        rehearse(partial(scene_of(f"scenes.{name}"), crowd))


# ---- X goes three ways -----------------------------------------------------------------------------------------


def test_the_matrices_are_those_of_the_trace(film):
    if type(film.stage).__name__ != "Qkv":
        pytest.skip("another film")
    stage, trace = film.stage, film.subject
    assert shown(stage.X) == written(trace.positioned, numerals.decimals(trace.positioned))
    for name, field in rows.MADE.items():
        learned, made = rows.matrix(trace.model, name), getattr(trace, field)
        assert shown(stage.W[name]) == written(learned, numerals.decimals(learned))
        assert shown(stage.made[name]) == written(made, numerals.decimals(made))
        assert np.allclose(trace.positioned @ learned, made)


def test_a_row_stands_at_the_height_of_the_row_it_is_made_from(films):
    stage = films["qkv"].stage
    for made in stage.made.values():
        for source, row in zip(stage.X.numbers, made.numbers, strict=True):
            assert np.allclose([number.baseline[1] for number in row], source[0].baseline[1])
            assert all(number.digits.get_fill_opacity() == 1 for number in row)
        assert all(band.get_fill_opacity() == 1 for band in made.bands)


def test_learned_brackets_are_firm_and_computed_ones_light(films):
    stage = films["qkv"].stage
    firm = {matrix.brackets[0].get_stroke_width() for matrix in stage.W.values()}
    light = {matrix.brackets[0].get_stroke_width() for matrix in (stage.X, *stage.made.values())}
    assert min(firm) >= 2 * max(light)


# ---- the mirror ------------------------------------------------------------------------------------------------


def test_the_scores_with_one_matrix_are_their_own_mirror(films):
    seen, trace = films["symmetry"].seen, films["symmetry"].subject
    tied = [rest for rest in seen if rest["numbers"] == written(trace.tied)]
    assert len(tied) == 3  # when they have changed, are folded, and are compared
    for rest in tied:
        assert np.array_equal(np.array(rest["numbers"]), np.array(rest["numbers"]).T)
        assert np.array_equal(rest["fills"], rest["fills"].T)


def test_the_scores_with_two_matrices_are_not(films):
    seen, trace = films["symmetry"].seen, films["symmetry"].subject
    for rest in (seen[0], seen[-1]):
        assert rest["numbers"] == written(trace.scores)
        assert not np.array_equal(rest["fills"], rest["fills"].T)


def test_the_bars_of_the_pair_are_as_long_as_its_scores(films):
    film = films["symmetry"]
    trace, unit, (i, j) = film.subject, film.stage.unit, rows.telling_pair(film.subject)
    tied = next(rest["bars"] for rest in film.seen if rest["bars"])
    assert np.allclose(tied, [unit * trace.tied[i, j]] * 2)
    assert np.allclose(film.seen[-1]["bars"], [unit * trace.scores[i, j], unit * trace.scores[j, i]])
    assert film.seen[-1]["bars"][0] > film.seen[-1]["bars"][1]


def test_the_second_matrix_shows_the_first_ones_numbers_while_it_is_tied(films):
    film = films["symmetry"]
    first, own = (sorted(sum(written(rows.matrix(film.subject.model, name), 1), [])) for name in ("W_Q", "W_K"))
    assert sorted(said(film.stage.goers)) == first and sorted(said(film.stage.own)) == own
    ends = [number.baseline for number in film.stage.goers]
    assert np.allclose(ends, [number.baseline for number in film.stage.own])
    signs = [[text for text in rest["texts"] if text in ("=", "≠")] for rest in film.seen]
    assert signs == [*[["≠"]] * 2, *[["="]] * 4, *[["≠"]] * 2]


def test_no_mirror_is_said_to_break_that_holds(experiment):
    film = play("symmetry", "tied", experiment)
    assert not any("≠" in rest["texts"] for rest in film.seen)
    told = " ".join(beat.caption or "" for beat in film.stage.beats)
    assert "yet the mirror holds" in told and "breaks" not in told
    assert "of one length still" in film.stage.said.alt and "part" not in film.stage.said.alt


def test_cells_move_to_their_mirror_images(films):
    grid = films["symmetry"].stage.grid
    reflect = Reflect(grid)
    before = [one.get_center()[:2] for one in reflect.copies]
    reflect.interpolate_mobject(1.0)
    after = [one.get_center()[:2] for one in reflect.copies]
    places = {(i, j): grid.middle(i, j) for i in range(grid.count) for j in range(grid.count)}
    for start, end in zip(before, after, strict=True):
        i, j = min(places, key=lambda cell: np.hypot(*(places[cell] - start)))
        assert i < j and np.hypot(*(places[j, i] - end)) < 0.1


# ---- the lookup experiment ---------------------------------------------------------------------------------------


def test_bars_numbers_and_curves_are_the_stored_rows(films):
    film, found = films["lookup"], films["lookup"].subject
    rests = {rest["step"]: rest for rest in film.seen if rest["step"] is not None}
    assert list(rests) == [str(step) for step in found.steps]
    for step in found.steps:
        rest = rests[str(step)]
        assert np.allclose(rest["bars"], TALL * found.attention[step])
        assert rest["weights"] == numerals.weight_texts(found.attention[step])
        for name, (run, end) in rest["curves"].items():
            curve, value = film.stage.curves[name], getattr(found, name)[step]
            assert (run.text, run.path) == (numerals.number(value), f"{name}[{step}]")
            assert not len(end) or np.allclose(end[0], (curve.xs(step), curve.ys(value)))


@pytest.mark.parametrize("alpha", [0.0, 0.13, 0.5, 0.77, 0.99])
def test_on_the_way_bars_lie_between_two_stored_rows(films, alpha):
    found, stage = films["lookup"].subject, films["lookup"].stage
    bars, numbers, counter = copy.deepcopy((stage.bars, stage.weights, stage.step))
    Train(found, bars, numbers, TALL, counter, [], 0, 1).interpolate_mobject(alpha)
    step = int(counter.digits.text_run.text)
    low, high = (np.sort(found.attention[step : step + 2], axis=0) * TALL)[[0, -1]]
    reach = np.array([bar.reach for bar in bars])
    assert np.all(low - 1e-6 <= reach) and np.all(reach <= high + 1e-6)
    assert said(numbers) == numerals.weight_texts(found.attention[step])
    assert all(number.digits.text_run.path is None for number in numbers)


def test_the_value_that_is_found_goes_where_it_was_asked_for(films):
    film, found = films["lookup"], films["lookup"].subject
    assert final_answer(found) == found.example["answer"]
    value, place = film.stage.find.mobject, film.stage.blank[0]
    assert value.rich[0].text == str(found.example["answer"])
    assert np.allclose(value.get_center()[:2], place.get_center()[:2], atol=0.05)
    assert "?" not in {piece.text for piece in film.rests[-1].pieces}
