"""What the films from softmax to summary show at the end of their beats, against the trace."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from attn.core import numerals, record, weights
from attn.core.reading import Reading
from attn.picture import palette, richtext
from attn.picture.drawn import picture
from scenes._kit import render
from scenes._kit.stage import Stage
from scenes.contrast import FINAL, Contrast
from scenes.step4_softmax import Step4Softmax
from scenes.step5_mixing import Step5Mixing
from scenes.summary import Summary

CASES = Path(__file__).parent.parent / "cases"
FILES = [CASES / "reference.toml", *(CASES / "good" / f"{name}.toml" for name in ("broken-story", "long-words", "tie"))]


class Played:
    """The stages of the whole story by name, and what was to be seen at the end of each of their beats."""

    def __init__(self, file: Path):
        self.trace = picture(weights.load(file))
        self.seen: dict[str, list[dict]] = defaultdict(list)
        original = Stage.beat

        def beat(stage, caption, *animations, **options):
            original(stage, caption, *animations, **options)
            if type(stage) in (Step4Softmax, Step5Mixing):
                self.seen[type(stage).__name__].append(snapshot(stage))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Stage, "beat", beat)
            stage = render.rehearse(lambda **options: Summary(Reading(self.trace), **options))
        self.stages = {}
        while stage is not None:
            self.stages[type(stage).__name__] = stage
            stage = stage.past


def snapshot(stage) -> dict:
    """Bars, numbers and vectors as they are now."""
    bars, vectors = getattr(stage, "bars", ()), getattr(stage, "values", ())
    return {
        "bars": [(*bar.start, bar.reach) for bar in bars],
        "numbers": [text(number) for number in stage.weights],
        "vectors": [np.array([vector.start, vector.end]) for vector in vectors],
    }


def text(number) -> str:
    return number.digits.text_run.text


@pytest.fixture(scope="module", params=FILES, ids=lambda file: file.stem)
def played(request):
    return Played(request.param)


def test_softmax_bars_are_as_long_as_their_numbers(played):
    trace, stage, seen = played.trace, played.stages["Step4Softmax"], played.seen["Step4Softmax"]
    last = trace.last
    for beat, name, unit in ((0, "scores", stage.score_unit), (1, "exponentials", stage.exp_unit)):
        values = getattr(trace, name)[last]
        assert np.allclose([bar[2] for bar in seen[beat]["bars"]], values * unit)
        assert seen[beat]["numbers"] == [numerals.number(v) for v in values]
    assert np.allclose([bar[2] for bar in seen[-1]["bars"]], trace.attention[last] * stage.whole)
    assert seen[-1]["numbers"] == numerals.weight_texts(trace.attention[last])
    paths = [number.digits.text_run.path for number in stage.weights]
    assert paths == [f"attention[{last}][{j}]" for j in range(trace.n)]


def test_the_sum_is_laid_end_to_end_and_becomes_one(played):
    trace, stage, seen = played.trace, played.stages["Step4Softmax"], played.seen["Step4Softmax"]
    bars = seen[2]["bars"]
    assert np.allclose([bar[0] for bar in bars[1:]], [bar[0] + bar[2] for bar in bars[:-1]])
    assert len({round(bar[1], 9) for bar in bars}) == 1
    assert bars[-1][0] + bars[-1][2] == pytest.approx(stage.zero + trace.sums[trace.last] * stage.exp_unit)
    assert text(stage.sum) == "1.00"
    assert {"text": numerals.number(trace.sums[trace.last]), "path": f"sums[{trace.last}]"} in stage.record


def test_values_shrink_to_their_weights_and_lead_to_the_sum(played):
    trace, stage, seen = played.trace, played.stages["Step5Mixing"], played.seen["Step5Mixing"]
    weighted, at = trace.weighted[trace.last], stage.plane.at
    shrunk = next(s for s in seen[::-1] if np.allclose([v[0] for v in s["vectors"]], at((0, 0))))
    assert np.allclose([v[1] for v in shrunk["vectors"]], at(weighted))
    ends = [v.end for v in stage.values]
    assert np.allclose([v.start for v in stage.values[1:]], ends[:-1])
    assert np.allclose(ends[-1], at(trace.mixed[trace.last]))
    assert np.allclose(played.stages["Step5Mixing"].a.end, ends[-1])


def test_the_sum_arrow_is_drawn_last(played):
    stage, seen = played.stages["Step5Mixing"], played.seen["Step5Mixing"]
    drawn = next(i for i, s in enumerate(seen) if np.allclose(s["vectors"][-1][1], stage.a.end))
    captions = [beat.caption for beat in stage.beats]
    assert next(i for i, caption in enumerate(captions) if "sum is a" in caption) > drawn


def test_the_displacement_starts_at_x_and_is_pink(played):
    trace, stage = played.trace, played.stages["Step6Output"]
    assert np.allclose(stage.c.start, stage.space.point(trace.state("positioned")))
    assert np.allclose(stage.c.end, stage.space.point(trace.state("contextual")))
    assert stage.c.tip.get_fill_color().to_hex().lower() == palette.theme().context
    assert [text(n) for n in stage.c_column.column.numbers] == [
        cell.text for cell in numerals.cells(trace.correction[trace.last], "")
    ]


def test_the_decoder_shows_every_score_and_probability(played):
    trace, stage = played.trace, played.stages["Decoder"]
    found = trace.decoder["contextual"]
    assert np.allclose([bar.reach for bar in stage.bars], found.scores[stage.shown] * stage.unit)
    assert np.allclose([bar.reach for bar in stage.share_bars], found.probabilities[stage.shown] * stage.whole)
    texts = numerals.weight_texts(found.probabilities)
    assert [text(n) for n in stage.share_numbers] == [texts[i] for i in stage.shown]
    assert stage.shown == list(range(len(trace.model.vocabulary)))


def test_the_summary_has_each_state_in_its_own_space(played):
    trace, stage = played.trace, played.stages["Summary"]
    for space, (name, arrow) in zip(stage.spaces, stage.arrows.items(), strict=True):
        assert np.allclose(arrow.end, space.point(trace.state(name)))
        assert np.allclose(space.scale, stage.spaces[0].scale)
        paths = {entry["path"] for entry in stage.record}
        assert record.path("decoder", name, "probabilities", trace.decoder[name].word) in paths


@pytest.mark.parametrize("name", ["Step4Softmax", "Step5Mixing", "Step6Output", "Step7Context", "Decoder", "Summary"])
def test_a_film_lasts_ten_to_forty_seconds(played, name):
    assert 10 <= played.stages[name].frames / 30 <= 40


def crossings(*traces) -> list[bool]:
    """Which of the followed words go from the one side to the other, by their distances to the plane."""
    ways = ((float(t.plane.distance(t.state("positioned"))), float(t.plane.distance(t.state(FINAL)))) for t in traces)
    return [before < 0 < after for before, after in ways]


def test_a_crossing_is_told_where_there_is_one(played):
    captions = " ".join(beat.caption or "" for beat in played.stages["Step7Context"].beats)
    (crosses,) = crossings(played.trace)
    assert ("crosses the plane" in captions, "does not cross" in captions) == (crosses, not crosses)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_contrast_lands_where_the_trace_says_and_turns_at_the_plane(file):
    trace = picture(weights.load(file))
    stage = render.rehearse(lambda **options: Contrast(Reading(trace), **options))
    assert 10 <= stage.frames / 30 <= 45
    told_of = sum("carries it across" in (beat.caption or "") for beat in stage.beats)
    assert told_of == sum(crossings(*trace.contrast))
    for index, (other, arrow) in enumerate(zip(trace.contrast, stage.c, strict=True)):
        assert np.allclose(arrow.end, stage.space.point(other.state(FINAL)))
        go = stage.way(index)
        go.begin()
        for alpha in np.linspace(0, 1, 97):
            go.interpolate_mobject(alpha)
            point = other.state("positioned") + go.pace(alpha) * (other.state(FINAL) - other.state("positioned"))
            distance = float(trace.plane.distance(point))
            leader = stage.strip.result.submobjects[0].rich[1].text
            if abs(distance) > 1e-6 and leader in stage.strip.words:
                assert leader == stage.strip.words[distance > 0]
            assert told(stage.strip) == "Next word", "on the way it is no state's"
        go.arrive()
        assert told(stage.strip).startswith("Next word, from h")


def told(strip) -> str:
    """What the strip says it is read from."""
    return richtext.plain(strip.label.submobjects[0].rich)
