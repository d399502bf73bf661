"""Each picture is drawn from its story's weights; the user's file takes the place of the one whose story it tells."""

from pathlib import Path

import pytest

from attn import assets, lookup, subjects, weights
from attn.assets import Asset
from attn.subjects import Subjects
from attn.view import picture

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
    assert not lookup.file(tmp_path).exists()
    assert drawn.of(Asset("figures", "anything")).right.shape == (1, lookup.STEPS + 1)
    assert lookup.file(tmp_path).exists()
