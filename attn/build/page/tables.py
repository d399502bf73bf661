"""The numbers of a step as tables: every number that its figure and film show, at its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from attn.build.chapters import Chapter
from attn.core import numerals, record
from attn.core.forward import CHECKPOINTS, Trace
from attn.texts import page as told

MOST = 8  # words of a vocabulary that a prediction lists
LEFT_OUT = ("view", "probes", "example", "split")  # what is a matter of drawing, or has tables of its own in its figure


@dataclass(frozen=True)
class Table:
    """Numbers with what stands before each row and above each column, if anything does."""

    title: str
    heads: list[str]
    rows: list[tuple[str, list[str]]]


def tables(chapter: Chapter, trace) -> list[Table]:
    """The numbers that a chapter shows, a table for each array of the trace; `trace` is what it was drawn from."""
    found: dict[tuple, dict[tuple, str]] = {}
    for value in chapter.values:
        terms = list(record.terms(value["path"]))
        if len(terms) == 1 and terms[0][1][0] not in LEFT_OUT:
            place, row, column = _placed(terms[0][1])
            cells = found.setdefault(place, {})
            if cells.get((row, column), "%").endswith("%"):  # a weight may be shown in per cent, too
                cells[row, column] = value["text"]
    shown = {place: cells for place, cells in found.items() if place[:1] != ("decoder",) or len(cells) > 1}
    return [_table(place, cells, trace) for place, cells in shown.items()]  # one share alone is in the prediction


def _placed(parts: list) -> tuple[tuple, str | int, str | int | None]:
    """To which table a number's path belongs, and its row and column there."""
    if len(parts) == 1:
        return (), parts[0], None
    if parts[0] == "contrast":
        place, row, column = _placed(parts[2:])
        return (*parts[:2], *place), row, column
    if parts[0] == "decoder":
        return tuple(parts[:-2]), parts[-1], parts[-2]
    if all(isinstance(part, int) for part in parts[-2:]):
        return tuple(parts[:-2]), parts[-2], parts[-1]
    return tuple(parts[:-1]), parts[-1], None


def _table(place: tuple, cells: dict[tuple, str], trace) -> Table:
    title, place, trace = _whose(place, trace)
    rows, columns = (list(dict.fromkeys(sorted((key[i] for key in cells), key=_order))) for i in (0, 1))
    row_name, column_name = _names(place, trace)
    heads = [] if columns == [None] else list(map(column_name, columns))
    return Table(
        title + told.called(place), heads, [(row_name(r), [cells.get((r, c), "") for c in columns]) for r in rows]
    )


def _whose(place: tuple, trace) -> tuple[str, tuple, object]:
    """A heading, place and trace of a table of one of the sentences that are compared."""
    if place[:1] == ("contrast",):
        trace = trace.contrast[place[1]]
        return f"“{' '.join(trace.tokens)}”: ", place[2:], trace
    return "", place, trace


def _order(key) -> tuple:
    return isinstance(key, str), key if isinstance(key, int) else CHECKPOINTS.index(key) if key in CHECKPOINTS else 0


def _names(place: tuple, trace) -> tuple[Callable, Callable]:
    """What the rows and columns of a table are called."""
    field = ".".join(part for part in place if isinstance(part, str))
    if isinstance(trace, Trace):
        if field in told.OF_VOCABULARY or field.removeprefix("parameters.") in told.OF_VOCABULARY:
            return _one_of(trace.model.vocabulary), _name
        if field in told.OF_WORDS:
            words = _one_of(trace.tokens)
            return words, words if field in told.OF_PAIRS else _name
    return _name, _name


def _one_of(words: Sequence[str]) -> Callable[[int], str]:
    return lambda i: words[i]


def _name(key: str | int) -> str:
    return str(key + 1) if isinstance(key, int) else told.NAMES.get(key, key)


@dataclass(frozen=True)
class Share:
    """A word, its probability as printed, and from 0 to 1."""

    word: str
    text: str
    value: float
    best: bool


@dataclass(frozen=True)
class Predicted:
    """What the decoder predicts at a stage; the words with little probability may be left out."""

    title: str
    shares: list[Share]
    others: str


def prediction(chapter: Chapter, trace) -> Predicted | None:
    """The prediction at a chapter's stage; None where it shows none."""
    stage = chapter.main.record["stage"]
    if not stage or trace.decoder is None:
        return None
    found, cells = trace.decoder[stage], numerals.probability_cells(trace, stage)
    values = dict(zip(cells, found.probabilities.tolist(), strict=True))
    best = sorted(values, key=values.get, reverse=True)[:MOST]
    shares = [Share(word, cells[word].text, values[word], word in found.words) for word in values if word in best]
    left = len(values) - len(shares)
    return Predicted(told.followed(stage, trace.tokens[-1]), shares, told.others(left) if left else "")
