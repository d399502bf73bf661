"""Laws of pace and captions."""

import re
from itertools import pairwise
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from scenes._kit import captions
from scenes._kit.captions import Beat, count_words, cues, length, split, srt, told, vtt

WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Z")), min_size=1, max_size=60)
CAPTIONS = st.lists(WORDS, min_size=1, max_size=40).map(" ".join)


@st.composite
def films(draw):
    """Beats as a stage makes them, with their frames a second and the film's length."""
    fps = draw(st.sampled_from([30, 60]))
    beats, now = [], draw(st.integers(0, 100))
    for caption in draw(st.lists(st.none() | CAPTIONS, min_size=1, max_size=8)):
        motion = draw(st.integers(0, 2 * fps))
        end = now + motion + max(1, ceil((length(caption) - motion / fps) * fps), ceil(draw(st.floats(0, 9)) * fps))
        beats.append(Beat(now, end, motion, caption))
        now = end
    return beats, now + draw(st.integers(0, 100)), fps


@given(films())
def test_cues_are_in_order_end_with_the_film_and_can_be_read(film):
    beats, frames, fps = film
    found = cues(beats, frames, fps)
    assert all(cue.start < cue.end for cue in found)
    assert all(before.end <= after.start for before, after in zip(found, found[1:], strict=False))
    if found:
        assert found[-1].end == round(1000 * frames / fps)
    assert all(cue.end - cue.start <= 7000 for cue in found[:-1])
    for cue in found:
        assert len(cue.lines) <= 2 and all(0 < len(line) <= 42 for line in cue.lines)
        assert len("\n".join(cue.lines)) / (cue.end - cue.start) * 1000 <= 15
    shown = "".join("".join(cue.lines) for cue in found).replace(" ", "")
    assert shown == "".join("".join((beat.caption or "").split()) for beat in beats)


@given(CAPTIONS)
def test_splitting_is_even_and_keeps_every_word(caption):
    assert "".join("".join(lines) for lines in split(caption)).replace(" ", "") == "".join(caption.split())
    if len(caption) <= captions.LINE:
        assert split(caption) == [(caption,)]


@given(films())
def test_what_is_told_covers_the_film_in_order(film):
    beats, frames, _ = film
    found = told(beats, frames)
    assert all(one.end == other.start for one, other in pairwise(found))
    if beats and beats[0].caption:
        assert found[0].start == beats[0].start and found[-1].end == frames


@given(CAPTIONS)
def test_a_caption_can_be_spoken_and_read_in_its_time(caption):
    assert length(caption) * 130 / 60 >= count_words(caption) - 1e-9 and length(caption) * 15 >= len(caption.strip())


def test_what_is_spoken_is_counted():
    assert [count_words(text) for text in ("The word “you” moves", "0.25 − 1.50", "")] == [4, 2, 0]


def test_subrip_and_webvtt():
    found = cues([Beat(0, 90, 30, "A <b> & c --> d"), Beat(90, 110_000, 0, "End")], 110_000, 30)
    assert srt(found) == (
        "1\n00:00:00,000 --> 00:00:03,000\nA <\u2060b> & c --> d\n\n2\n00:00:03,000 --> 01:01:06,667\nEnd\n"
    )
    assert vtt(found) == (
        "WEBVTT\n\n00:00:00.000 --> 00:00:03.000\nA &lt;b&gt; &amp; c --&gt; d\n\n00:00:03.000 --> 01:01:06.667\nEnd\n"
    )
    assert not re.search(r"\n\n\n", srt(found) + vtt(found))
