"""Whether what is said is so, found out without the code that says it.

`problems` reads a text: every number in it and every assertive word (ASSERTIVE) has to stand in a phrase of the
`truths` that go with the subject, and every phrase has to be true. So a sentence that compares, and that nobody has
thought of, is found; one that asserts nothing about the numbers may be worded as one likes, and what does needs its new
words in one place here.

In a phrase {a} is a word of the model, {a*} a list of them, {n#} a number, {v@} a vector.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

from tests.attn.told import Told, shown

DIGITS = r"[−+]?\d+(?:\.\d+)?(?:·10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?"
ASSERTIVE = re.compile(
    r"\b(?:most|more|less|least|far|farther|larger?|largest|longer|smaller|higher|best|better|exactly|same|alike|"
    r"equals?|equally|only|alone|no|none|never|nothing|stays?|stayed|hardly|cross\w*|across|leads|ahead|wins|moves|"
    r"moved|changes|predicts?|ties?|breaks?|holds|mirror|symmetric|nearly|carr\w+|positive|negative|follows?|followed|"
    r"comes|decides|listens?|coincide|differ\w*|sides?|above all|whatever)\b|[≈≠]|"
    r"(?<![<\d])\d[\d.·⁰¹²³⁴⁵⁶⁷⁸⁹⁻]*(?<!\.)(?![\d>])",
    re.IGNORECASE,
)
Truth = Callable[[Told, re.Match], bool]


@cache
def compiled(phrase: str) -> re.Pattern:
    """A phrase as a regular expression."""
    kinds = {
        "": r"<\d+>",
        "*": r"<\d+>(?:, <\d+>)*(?:,? (?:and|or) <\d+>)*",
        "#": DIGITS,
        "@": rf"\({DIGITS}(?:, {DIGITS})*\)",
    }
    return re.compile(re.sub(r"\{([a-z]+)([*#@]?)\}", lambda m: f"(?P<{m[1]}>{kinds[m[2]]})", phrase))


def same(words, others) -> bool:
    return sorted(set(words)) == sorted(set(others))


def numbers(text: str) -> list[str]:
    return re.findall(DIGITS, text)


def vector(text: str, values) -> bool:
    return len(numbers(text)) == len(values) and all(map(shown, numbers(text), values))


def listed(t: Told, text: str, values, units: float = 0.5) -> bool:
    """A number for each word of the sentence, in order."""
    said = numbers(re.sub("<.*?>", "", text))
    return same(t.words(text), t.tokens) and all(shown(s, v, units) for s, v in zip(said, values, strict=True))


def problems(said: str, told: Told, truths: dict[str, Truth], always: Iterable[str]) -> list[str]:
    """What is not so in a text, and what nobody has looked at.

    truths: whether a phrase is true; always: phrases that are, whatever the numbers.
    """
    text = told.masked(said.replace("\N{NO-BREAK SPACE}", " "))
    taken, found = [m.span() for phrase in always for m in re.finditer(phrase, text)], []
    for phrase, truth in truths.items():
        for m in compiled(phrase).finditer(text):
            taken.append(m.span())
            if not truth(told, m):
                found.append(f"not so: {m[0]}")
    for m in ASSERTIVE.finditer(text):
        if not any(a <= m.start() and m.end() <= b for a, b in taken):
            found.append(f"not known: {m[0]!r} in {text[max(0, m.start() - 40) : m.end() + 40]}")
    return found
