"""How words are compared: as one sees them, however their characters are encoded.

An accent may be a character of its own or part of its letter (Unicode's NFC and NFD), and some characters cannot be
seen at all. Words are shown as they are written; which are the same is decided here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

JOINERS = "\u200c\u200d"
VIRAMA = 9  # the combining class of what makes letters of Indic scripts join
# Characters without ink that are not of the category of formats: fillers, variation selectors, the blank of Braille.
BLANK = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
BLANK |= {*range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000)}
# Of that category, but with ink: signs that span Arabic, Syriac or Kaithi numbers.
INKED = {*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD}


def composed(word: str) -> str:
    """`word` with each accent in its letter, where there is one character for both."""
    return unicodedata.normalize("NFC", word)


def caseless(word: str) -> str:
    """What words that differ in nothing but case, or in how accents are encoded, have in common."""
    return composed(unicodedata.normalize("NFD", word).casefold())


def invisible(character: str) -> bool:
    """Whether a character is never seen by itself."""
    if ord(character) in BLANK:
        return True
    return unicodedata.category(character) in ("Cf", "Cc") and ord(character) not in INKED


def seen(word: str) -> str:
    """What of `word` can be seen: words that have this in common look alike.

    Joiners count where they may change how their neighbours look: in Arabic and Indic scripts, and between signs.
    """
    kept = (c for i, c in enumerate(word) if not invisible(c) or (c in JOINERS and _joins(word[:i], word[i + 1 :])))
    return composed("".join(kept))


def _joins(before: str, after: str) -> bool:
    """Whether a joiner between these may be seen."""
    around = [*before.rstrip("\ufe0f")[-1:], *after[:1]]
    signs = [unicodedata.category(c) in ("So", "Sk", "Sm") for c in around]
    return (
        any(unicodedata.bidirectional(c) == "AL" or unicodedata.combining(c) == VIRAMA for c in around)
        or len(signs) == 2
        and all(signs)
    )


def hidden(word: str, other: str) -> str:
    """The code points by which two words that look alike differ, as "U+200B (ZERO WIDTH SPACE)"."""
    apart = [c for c in dict.fromkeys(word + other) if word.count(c) != other.count(c)]
    unseen = [c for c in apart if invisible(c)] or apart or [c for c in word if invisible(c)]
    return ", ".join(f"U+{ord(c):04X} ({unicodedata.name(c, 'without a name')})" for c in unseen[:3])


def nothing_to_see(word: str) -> bool:
    """Whether `word` has no character that can be seen by itself, as marks cannot."""
    return all(invisible(c) or unicodedata.category(c)[0] in "CMZ" for c in word)


def same_word(word: str, vocabulary: Sequence[str]) -> str | None:
    """The word of `vocabulary` that `word`, as it stands in a sentence, means; None if there is none.

    The word itself if it is there, its accents encoded either way; else the only one that differs from it in nothing
    but case: "The" is "the", unless the vocabulary has "THE" as well.
    """
    if word in vocabulary:
        return word
    for form in (composed, caseless):
        alike = [known for known in vocabulary if form(known) == form(word)]
        if len(alike) == 1:
            return alike[0]
    return None
