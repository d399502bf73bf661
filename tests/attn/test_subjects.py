"""Each picture is drawn from its story's weights; the user's file takes the place of the one whose story it tells."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attn.build import assets, subjects, trained
from attn.build.assets import Asset
from attn.build.figure import figure as published
from attn.build.settings import Settings
from attn.build.subjects import Subjects
from attn.core import weights
from attn.core.model import Model, Story, WeightsError
from attn.core.reading import Reading
from attn.lab import lookup
from attn.picture.drawn import picture

SENTENCE = subjects.SHIPPED / "chased.toml"
STORY = Path(__file__).parents[1] / "cases" / "reference.toml"


def test_a_file_tells_one_of_the_two_stories():
    assert subjects.tells(weights.load(SENTENCE)) == "sentence"
    assert subjects.tells(weights.load(STORY)) == "story"


def test_every_asset_has_a_subject_there_is():
    found = {a.name: a.subject for kind in assets.PACKAGES for a in assets.assets(kind)}
    assert set(found.values()) <= {"story", "sentence", "lookup"}
    assert found["step4_softmax"] == "story"


@pytest.mark.parametrize("file", [SENTENCE, STORY])
def test_the_users_file_is_drawn_where_it_fits(file, tmp_path):
    trace = picture(weights.load(file))
    drawn = Subjects(trace, tmp_path)
    assert getattr(drawn, subjects.tells(trace.model)) is trace


def test_the_shipped_file_is_drawn_where_the_users_does_not_fit(tmp_path):
    drawn = Subjects(picture(weights.load(STORY)), tmp_path)
    assert drawn.sentence.tokens == weights.load(SENTENCE).story.sentence


def test_the_experiment_is_made_when_it_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(lookup, "SEEDS", (0,))
    drawn = Subjects(picture(weights.load(STORY)), tmp_path)
    monkeypatch.setattr(Asset, "subject", "lookup")
    assert not trained.file(tmp_path).exists()
    assert drawn.of(Asset("figures", "anything")).right.shape == (1, lookup.STEPS + 1)
    assert trained.file(tmp_path).exists()


def variant(d_model: int = 3, **changes) -> Model:
    """The first story's model, its embedding space cut or filled up with zeros to d_model, without what is None."""
    m = weights.load(STORY)
    across = {name: np.pad(getattr(m, name), ((0, 0), (0, 1)))[:, :d_model]
              for name in ("embeddings", "positions", "W_Q", "W_K", "W_V", "W_out")}  # fmt: skip
    W_O = np.pad(m.W_O, ((0, 1), (0, 0)))[:d_model]
    return replace(m, expect=(), **across | {"W_O": W_O} | changes)


ALONE = {"W_out": None, "b_out": None, "story": Story(weights.load(STORY).story.sentence)}
PARTS = {
    "parameters.W_out": variant(**ALONE),
    "parameters.W_O": variant(W_O=None),
    "parameters.embeddings": variant(d_model=4),
    "parameters.embeddings ": variant(d_model=1),
    "parameters.W_out ": variant(d_model=4, positions=None, W_O=None, **ALONE),
}


@pytest.mark.parametrize("place", PARTS)
def test_what_a_file_is_not_whole_enough_for_is_refused_by_name_and_all_else_is_drawn(place, tmp_path):
    found = Subjects(picture(PARTS[place]), tmp_path)
    for asset in [asset for kind in assets.PACKAGES for asset in assets.assets(kind) if asset.subject == "story"]:
        if asset.partial:
            assert asset.kind == "figures"
            published(asset, Reading(found.of(asset)), Settings(formats=()))
        else:
            with pytest.raises(WeightsError) as refused:
                found.of(asset)
            assert refused.value.place == place.strip()


def test_what_has_no_room_in_two_dimensions_is_refused(tmp_path):
    m = variant()
    wide = {name: np.pad(getattr(m, name), ((0, 1), (0, 0))) for name in ("W_Q", "W_K", "W_V")}
    found = Subjects(picture(replace(m, W_O=np.pad(m.W_O, ((0, 0), (0, 1))), **wide)), tmp_path)
    for name in ("step2_projections", "step3_scores", "step5_mixing", "step6_output"):
        asset = Asset("figures", name)
        with pytest.raises(WeightsError, match="expected 2 rows"):
            published(Asset("figures", name), Reading(found.of(asset)), Settings(formats=()))
