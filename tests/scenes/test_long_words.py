"""Words as long and as wide as they come, few and many: whole or, when long, cut, and never on anything else."""

from dataclasses import replace

import pytest

from attn.core.model import Model, Story
from tests.scenes import test_story as laws
from tests.scenes.played import made, played

PLAIN = "abcdefghijkl"
LAWS = (
    laws.test_no_text_lies_on_a_vector,
    laws.test_no_text_lies_on_another,
    laws.test_text_is_large_enough_for_the_last_row,
    laws.test_text_keeps_the_margin,
)


def crowd(letters: int, words: int, vocabulary: int, wide: bool = False) -> Model:
    """A model whose words all have so many letters, plain or the widest there are."""
    model, stem = made(words, vocabulary), "m" * letters if wide else (PLAIN[::-1] + PLAIN)[:letters]
    names = tuple(stem[:-1] + PLAIN[i] for i in range(vocabulary))
    return replace(model, vocabulary=names, story=Story(names[-words:], names[1], names[2]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [crowd(12, 1, 6), crowd(12, 3, 6), crowd(12, 8, 12), crowd(12, 3, 6, wide=True), crowd(24, 3, 6)],
    ids=["one word", "few", "many", "wide", "long"],
)
def test_long_words_find_room_in_every_film(model):
    for film in played(model).values():
        for law in LAWS:
            law(film)
        laws.test_words_of_up_to_twelve_letters_are_whole(film, model)
