"""What a change of weights did: claims gained and lost, values that changed, the same numbers in two drawings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from attn.core import claims, numerals, record
from attn.core.forward import Trace
from attn.core.model import Model
from attn.picture.drawn import Drawn

NOTHING = "–"  # stands for what is on one side only
TURNS = LOST, GAINED, DROPPED, NEW = "lost", "gained", "dropped", "new"  # what becomes of claims
WORDS = "title", "mask", "words", "sentence", "from", "to"  # what a weights file says that is no number
PAIRS = "products", "scores", "exponentials", "attention", "weighted"  # a word's with a word
SIGNS = {"*": "·", "-": numerals.MINUS}  # between two places
OF_WORDS = "embeddings", "W_out", "b_out"  # parameters with a row for each word of the vocabulary


class Turn(NamedTuple):
    """A claim of which something became."""

    what: str  # LOST, GAINED, DROPPED or NEW
    name: str
    before: str  # what is so on each side, or NOTHING where it is not claimed
    after: str


class Change(NamedTuple):
    """A value that is not printed alike on both sides."""

    path: str
    before: str
    after: str
    group: str  # what it belongs to
    cell: str  # which one of that it is, in words


def turns(old: Model, new: Model) -> list[Turn]:
    """Claims that are false now and were not before, those that hold again, those that only one side makes."""
    before, after = _claims(old), _claims(new)
    found = []
    for key in {**before, **after}:
        was, now = (side.get(key) for side in (before, after))
        what = _turned(*(None if side is None else side.holds for side in (was, now)))
        if what:
            said = [NOTHING if claim is None else claim.text for claim in (was, now)]
            found.append(Turn(what, (was or now).name, *said))
    return sorted(found, key=lambda turn: TURNS.index(turn.what))


def _turned(was: bool | None, now: bool | None) -> str | None:
    """What became of a claim that held, did not, or was not made."""
    if was == now:
        return None
    if now is False:
        return LOST
    if now is None:
        return DROPPED
    return NEW if was is None else GAINED


def _claims(model: Model) -> dict[tuple, claims.Claim]:
    """Claims by what makes them the same one on both sides: name and number, or what is expected after what."""
    counted: Counter[str] = Counter()
    found: dict[tuple, claims.Claim] = {}
    expected = iter(model.expect)
    for claim in claims.check(model):
        if claim.name == "expect":
            entry = next(expected)
            found["expect", entry.sentence, entry.next] = claim
        else:
            found[claim.name, counted[claim.name]] = claim
            counted[claim.name] += 1
    return found


def changes(old: Drawn, new: Drawn, printed: Iterable[tuple[dict[str, str], dict[str, str]]]) -> list[Change]:
    """Words and parameters that changed, then every printed number that did; each place once.

    printed: for each picture, texts by path, before and after.
    """
    sides = [(_given(old), _given(new)), *printed]
    before, after = ({path: text for side in reversed(sides) for path, text in side[i].items()} for i in (0, 1))
    order = dict.fromkeys(path for pair in sides for side in reversed(pair) for path in side)
    both = ((path, before.get(path, NOTHING), after.get(path, NOTHING)) for path in order)
    return [
        Change(path, was, now, *place(path, new if path in after else old)) for path, was, now in both if was != now
    ]


def grouped(changes: Iterable[Change]) -> list[tuple[str, list[Change]]]:
    """Changes by what they belong to: parameters.W_Q, decoder.contextual.scores; in order."""
    groups: dict[str, list[Change]] = {}
    for change in changes:
        groups.setdefault(change.group, []).append(change)
    return list(groups.items())


def place(path: str, trace: Drawn) -> tuple[str, str]:
    """A value's group and which one of it: attention, “you” → “why” for attention[2][0]; queries, “you”, 1.

    Components, rows and columns count from 1. In another sentence than the trace's, the group names it.
    """
    signs, places = zip(*record.terms(path), strict=True)
    groups, cells = zip(*(_place(parts, trace) for parts in places), strict=True)
    spaced = [sign and f" {SIGNS[sign]} " for sign in signs]
    group, cell = ("".join(map("".join, zip(spaced, named, strict=True))) for named in (groups, cells))
    return group, cell


def _place(parts: list[str | int], drawn: Drawn) -> tuple[str, str]:
    """The same of one place."""
    trace: Trace = drawn
    sentence = ""
    if parts[0] == "contrast":
        trace, parts = drawn.contrast[int(parts[1])], parts[2:]
        sentence = f" in “{' '.join(trace.tokens)}”"
    names, rows = [part for part in parts if isinstance(part, str)], [part for part in parts if isinstance(part, int)]
    if not rows and len(names) > 1:  # one of the decoder's words, a checkpoint
        *names, last = names
        cell = f"“{last}”" if names[0] == "decoder" else last
    else:
        words = () if names[0] in ("parameters", "view", "probes") else trace.tokens
        words = trace.model.vocabulary if names[-1] in OF_WORDS and names[0] == "parameters" else words
        spoken = [f"“{words[row]}”" for row in rows[: 1 + (names[0] in PAIRS)] if words]
        cell = ", ".join(filter(None, [" → ".join(spoken), *(str(row + 1) for row in rows[len(spoken) :])]))
    return ".".join(names) + sentence, cell


def _given(trace: Trace) -> dict[str, str]:
    """What a weights file says, as printed, by its place."""
    model, story = trace.model, trace.model.story
    found = {"title": model.title, "mask": "causal" if model.causal else "none", "words": " ".join(model.vocabulary)}
    if story is not None:
        found["sentence"] = " ".join(story.sentence)
        found |= {"from": story.origin or NOTHING, "to": story.target or NOTHING}
    return found | dict(_leaves(record.as_dict(trace)["parameters"], "parameters"))


def _leaves(value, path: str) -> Iterator[tuple[str, str]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield path, _exact(value)
        return
    for key, item in items:
        yield from _leaves(item, path + (f"[{key}]" if isinstance(key, int) else f".{key}"))


def _exact(value: float) -> str:
    """A parameter with two decimals, or as many as it has."""
    two = numerals.number(value)
    return two if numerals.value_of(two) == value else f"{value!r}".replace("-", numerals.MINUS)


def marked(before: list[tuple[str, str]], after: list[tuple[str, str]]) -> tuple[set[int], set[int]]:
    """Which of the numbers that two drawings of one picture print are not printed alike in the other.

    before, after: (path, text) in drawing order. A place that is printed several times is matched in order.
    """
    return _unmatched(before, after), _unmatched(after, before)


def _unmatched(these: list[tuple[str, str]], those: list[tuple[str, str]]) -> set[int]:
    others, found = _numbered(those), set()
    counted: Counter[str] = Counter()
    for i, (path, text) in enumerate(these):
        if others.get((path, counted[path])) != text:
            found.add(i)
        counted[path] += 1
    return found


def _numbered(texts: list[tuple[str, str]]) -> dict[tuple[str, int], str]:
    counted: Counter[str] = Counter()
    found = {}
    for path, text in texts:
        found[path, counted[path]] = text
        counted[path] += 1
    return found
