"""Laws that hold for every film of the story, whatever the weights: what is seen is the trace, and it can be read."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from attn.core import numerals, record
from attn.picture import richtext
from attn.picture.drawn import as_dict
from scenes._kit.captions import LONGEST_MOTION, LONGEST_REST, SHORTEST_MOTION, SHORTEST_REST, cues
from scenes._kit.parts import Strip
from scenes._kit.spaces import WHOLE
from tests.attn import said
from tests.scenes.played import CASES, FILMS, NEXT, SHIPPED, played, traced, unrecorded, values

FPS = 30
HEIGHT, WIDTH = 8.0, 8.0 * 16 / 9
EDGE = 0.03  # what a glyph may reach over the margin: a round letter's overshoot


def marks(case):
    """Of made models films are played in `make test-all` alone, as of most weights files (tests/conftest.py)."""
    return [] if isinstance(case, Path) else [pytest.mark.slow]


CHAIN = ["question"]
while NEXT[CHAIN[-1]]:
    CHAIN.append(NEXT[CHAIN[-1]])


def test_the_steps_follow_each_other():
    assert CHAIN == [
        "question", "decoder_regions", "step0_embeddings", "step1_positions", "step2_projections", "step3_scores",
        "step4_softmax", "step5_mixing", "step6_output", "step7_context", "decoder", "contrast", "summary",
    ]  # fmt: skip


@pytest.fixture(
    scope="session", params=[pytest.param(case, id=name, marks=marks(case)) for name, case in CASES.items()]
)
def case(request):
    return request.param


@pytest.fixture(params=FILMS)
def film(request, case):
    return played(case)[request.param]


def test_a_film_is_ten_to_forty_five_seconds_long(film):
    assert 10 <= film.stage.frames / FPS <= 45


def test_the_whole_film_lasts_three_and_a_half_to_six_minutes(case):
    """Long words and many of them take longer to read."""
    seconds = sum(played(case)[name].stage.frames for name in CHAIN) / FPS
    assert 210 <= seconds <= (360 if case == SHIPPED else 400)


def test_things_move_slowly_and_rest_long_enough(film):
    for beat in film.stage.beats:
        assert not beat.motion or SHORTEST_MOTION <= beat.motion / FPS <= LONGEST_MOTION
        assert SHORTEST_REST <= (beat.end - beat.start - beat.motion) / FPS <= LONGEST_REST + 1 / FPS


def test_captions_are_sentences_that_can_be_read(film):
    stage = film.stage
    for beat in stage.beats:
        assert beat.caption is None or re.fullmatch(r"\S.*[.!?]”?", beat.caption)
    found = cues(stage.beats, stage.frames, FPS)
    assert found and stage.beats[0].caption
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))
    assert found[-1].end == round(1000 * stage.frames / FPS)
    for cue in found:
        assert len("\n".join(cue.lines)) / (cue.end - cue.start) * 1000 <= 15


def test_what_a_film_says_is_so(film, case):
    trace, texts = traced(case), film.stage.said
    captions = " ".join(beat.caption for beat in film.stage.beats if beat.caption)
    written = {said.labels([(p.text, p.path) for p in rest.pieces], texts, trace) for rest in film.rests}
    said.check([captions, *said.texts(texts), *written], trace, texts.stage)


def test_there_is_one_poster(film):
    """The last picture, or one that was chosen."""
    assert film.stage.poster_picture is not None


def test_text_is_large_enough_for_the_last_row(film):
    for rest in film.rests:
        for piece in rest.pieces:
            assert piece.em >= HEIGHT / 36 - 1e-6, piece


def test_text_keeps_the_margin(film):
    limit = np.array([0.45 * WIDTH, 0.45 * HEIGHT]) + EDGE
    for rest in film.rests:
        for piece in rest.pieces:
            assert np.all(np.abs(np.reshape(piece.box, (2, 2))).max(axis=0) <= limit), piece


def test_no_text_lies_on_another(film):
    for rest in film.rests:
        for one, other in combinations(rest.pieces, 2):
            if one.whole != other.whole:
                assert not overlap(one.box, other.box), (one, other)


def overlap(one, other, slack: float = 0.02) -> bool:
    """Whether two boxes share more than a sliver."""
    return all(min(one[i + 2], other[i + 2]) - max(one[i], other[i]) > slack for i in (0, 1))


def test_words_of_up_to_twelve_letters_are_whole(film, case):
    words = {word for word in (*traced(case).tokens, *traced(case).model.vocabulary) if len(word) <= WHOLE}
    for rest in film.rests:
        for piece in rest.pieces:
            stem = piece.text.removesuffix("…")
            assert stem in ("", piece.text) or not any(word.startswith(stem) for word in words), piece


def test_no_text_lies_on_a_vector(film):
    """Names of words and letters of axes stand beside the arrows; a corner may be cut where many stand together."""
    steps = np.linspace(0, 1, 400)[:, None]
    for rest in film.rests:
        for start, end in rest.vectors:
            points = start + steps * (end - start)
            for piece in rest.pieces:
                inside = ((points > piece.box[:2]) & (points < piece.box[2:])).all(axis=1).mean()
                assert inside * np.hypot(*(end - start)) < 0.1, piece


def test_every_number_is_the_one_at_its_path(film, case):
    recorded = [(entry["text"], entry["path"]) for entry in film.stage.record]
    assert recorded
    for text, path in recorded:
        assert text in written(record.lookup(values(case), path), path), path


def test_every_number_shown_is_recorded(film, case):
    trace = traced(case)
    assert film.numbers and not unrecorded(film, {*trace.tokens, *trace.model.vocabulary})


def test_marks_stay_on_their_scale(film):
    assert film.marks or film.stage.after is None  # which has no strip
    for left, right, low, high in film.marks:
        assert low <= left and right <= high


def written(value: float, path: str) -> set[str]:
    """The texts that may stand for a number; shares that are shown together may differ by a unit to add up to 1."""
    units = (-0.01, 0.0, 0.01) if "attention[" in path or "probabilities" in path else (0.0,)
    return {numerals.number(value + unit, places) for unit in units for places in range(7)}


@pytest.mark.parametrize("name", CHAIN)
def test_vectors_end_where_the_trace_says(name, case):
    film, trace = played(case)[name], traced(case)
    stage = film.stage
    rows = {"e": "embeddings", "x": "positioned", "k": "keys", "v": "values", "q": "queries", "a": "mixed"}
    for name, row in rows.items():
        found = film.vectors.get(name, [])
        for index, (start, end) in enumerate(found):
            vector = getattr(trace, row)[index if len(found) == trace.n else trace.last]
            place = stage.space.point if name in "ex" else stage.plane.at
            assert np.allclose(start, place(np.zeros(len(vector))))
            assert np.allclose(end, place(vector)), name
    if len(film.vectors.get("c", [])) == 1:
        states = [stage.space.point(trace.state(name)) for name in ("positioned", "contextual")]
        assert np.allclose(film.vectors["c"][0], states)
    if "h" in film.vectors:
        assert np.allclose(film.vectors["h"][0][1], stage.space.point(trace.state("contextual")))


def test_the_strip_ends_with_the_decoders_word(film, case):
    pieces = [piece for piece in film.rests[-1].pieces if piece.path and ".probabilities" in piece.path]
    words = {piece.text for piece in film.rests[-1].pieces}
    for piece in pieces:
        stage = re.match(r"(?:contrast\[\d+\]\.)?decoder\.(\w+)", piece.path)
        if piece.path.startswith("decoder"):
            assert set(traced(case).decoder[stage[1]].words) <= words


def test_the_strip_names_the_signed_distance(film, case):
    pieces, trace = film.rests[-1].pieces, traced(case)
    said = [piece for piece in pieces if piece.path and re.match(r"(contrast\[\d+\]\.)?distances", piece.path)]
    assert bool(said) or "signed" not in " ".join(piece.text for piece in pieces)
    for piece in said:
        assert piece.text == numerals.number(record.lookup(as_dict(trace), piece.path))


def test_of_a_tie_the_strip_gives_each_word_its_share(case):
    strip = Strip(traced(case), "embedding")
    for checkpoint, found in traced(case).decoder.items():
        said = richtext.plain(strip.show(checkpoint).result[0].rich)
        assert said.endswith(" each") == (len(found.words) > 1)
        if found.tie:
            assert numerals.number(max(found.probabilities)) in said


def test_the_comparison_ends_with_the_scores(case):
    film, trace = played(case)["step3_scores"], traced(case)
    assert np.allclose([bar.reach for bar in film.stage.bars], film.stage.unit * trace.scores[trace.last])
    shown = {piece.path: piece.text for piece in film.rests[-1].pieces if piece.path}
    for j, score in enumerate(trace.scores[trace.last]):
        assert shown[f"scores[{trace.last}][{j}]"] == numerals.number(score)


@pytest.mark.parametrize("name", CHAIN[:-1])
def test_the_last_picture_of_a_film_is_the_first_of_the_next(name, case):
    films = played(case)
    last, first = films[name].last.astype(int), films[NEXT[name]].first.astype(int)
    assert np.abs(last - first).max() <= 8
