"""The numbers of a trace for the running text of a book: TeX macros and a JSON table, each under a readable name.

`\\attnWeightWhy` is the attention weight on "why" of the word that is followed; `\\attnWeightWhyAre` the one of the
query "why" on the key "are". Names consist of letters alone, as TeX wants it; a name that would come twice is numbered.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, count

from attn.build.tex import HEAD, literal
from attn.core import numerals
from attn.core.forward import CHECKPOINTS
from attn.core.model import PARAMETERS

ORDINALS = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


@dataclass(frozen=True)
class Number:
    """One value: its name (letters), its text as printed, its place in the trace, and itself."""

    name: str
    text: str
    path: str
    value: float | str


def numbers(trace) -> list[Number]:
    """Every value of the trace, each with a name of its own, in the order of the pass."""
    found: dict[str, Number] = {}
    for number in _all(trace):
        again = (f"{number.name}No{ordinal(i)}" for i in count(1))
        name = next(name for name in chain([number.name], again) if name not in found)
        found[name] = replace(number, name=name)
    return list(found.values())


def _all(trace) -> Iterator[Number]:
    words = [letters(token, i) for i, token in enumerate(trace.tokens)]
    yield from (Number(f"Word{ordinal(i)}", token, f"tokens[{i}]", token) for i, token in enumerate(trace.tokens))
    for field, name in (("embeddings", "Embedding"), ("positions", "Position"), ("positioned", "Positioned"),
                        ("queries", "Query"), ("keys", "Key"), ("values", "Value")):  # fmt: skip
        yield from _rows(name, words, getattr(trace, field), field)
    for field, name in (("products", "Product"), ("scores", "Score"), ("exponentials", "Exponential")):
        yield from _pairs(name, words, getattr(trace, field), field, trace.mask)
    yield from (
        _number(f"Sum{w}", value, f"sums[{i}]") for i, (w, value) in enumerate(zip(words, trace.sums, strict=True))
    )
    yield from _pairs("Weight", words, trace.attention, "attention", trace.mask)
    last = trace.last
    yield from _rows("Weighted", words, trace.weighted[last], f"weighted[{last}]")
    for field, name in (("mixed", "Mixed"), ("correction", "Context"), ("contextual", "Contextual")):
        if getattr(trace, field) is not None:
            yield from _rows(name, words, getattr(trace, field), field)
    yield from _decoder(trace)
    yield from _parameters(trace)


def _rows(name: str, words, values, path: str) -> Iterator[Number]:
    """A vector a word: EmbeddingYouOne, EmbeddingYouTwo, ..."""
    for i, (word, row) in enumerate(zip(words, values, strict=True)):
        yield from (_number(f"{name}{word}{ordinal(j)}", v, f"{path}[{i}][{j}]") for j, v in enumerate(row))


def _pairs(name: str, words, values, path: str, mask) -> Iterator[Number]:
    """A number for a query and a key that it may see; the followed word's under the key's name alone."""
    last = len(words) - 1
    for i in (last, *range(last)):
        seen = [j for j in range(len(words)) if mask[i][j]]
        rounded = (
            numerals.weight_texts(values[i]) if name == "Weight" else {j: numerals.number(values[i][j]) for j in seen}
        )
        for j in seen:
            label = words[j] if i == last else words[i] + words[j]
            yield Number(f"{name}{label}", rounded[j], f"{path}[{i}][{j}]", float(values[i][j]))


def _decoder(trace) -> Iterator[Number]:
    for checkpoint in CHECKPOINTS if trace.decoder is not None else ():
        if checkpoint not in trace.decoder:
            continue
        found, label = trace.decoder[checkpoint], checkpoint.capitalize()
        yield Number(f"Prediction{label}", found.word, f"decoder.{checkpoint}.prediction", found.word)
        for name, values, cells in (
            ("Score", found.scores, numerals.score_cells(trace, checkpoint)),
            ("Probability", found.probabilities, numerals.probability_cells(trace, checkpoint)),
        ):
            for i, (word, cell) in enumerate(cells.items()):
                yield Number(f"{name}{label}{letters(word, i)}", cell.text, cell.path, float(values[i]))
        if trace.distances is not None:
            yield _number(f"Distance{label}", trace.distances[checkpoint], f"distances.{checkpoint}")
    if trace.shares is not None:
        for i, value in enumerate(trace.shares):
            yield _number(f"Share{letters(trace.tokens[i], i)}", value, f"shares[{i}]")


def _parameters(trace) -> Iterator[Number]:
    """Every entry of the learned matrices: WQOneTwo is row one, column two."""
    for name in PARAMETERS:
        values = getattr(trace.model, name)
        if values is None or name in ("embeddings", "positions"):
            continue
        label = name.replace("_", "").replace("out", "Out").replace("b", "B")
        if values.ndim == 1:
            yield from (_number(label + ordinal(i), v, f"parameters.{name}[{i}]") for i, v in enumerate(values))
        else:
            yield from _rows(label, [ordinal(i) for i in range(len(values))], values, f"parameters.{name}")


def _number(name: str, value, path: str) -> Number:
    return Number(name, numerals.number(value), path, float(value))


def letters(word: str, index: int) -> str:
    """A word as part of a name: its ASCII letters, the first one a capital; without any, its place spelled out."""
    bare = unicodedata.normalize("NFKD", word)
    found = "".join(re.findall("[A-Za-z]", bare))
    return found[:1].upper() + found[1:] if found else f"Word{ordinal(index)}"


def ordinal(index: int) -> str:
    """0 as "One", 1 as "Two"; beyond twelve digit by digit."""
    if index < len(ORDINALS):
        return ORDINALS[index]
    return "".join("Zero" if d == "0" else ORDINALS[int(d) - 1] for d in str(index + 1))


def tex(found: list[Number]) -> str:
    """A TeX file that defines `\\attn` + name for each number; needs no package, may be read in more than once."""
    example = next(number.name for number in found if number.name.startswith("Weight"))
    lines = [f"% Made from the weights file; \\input it and write \\attn{example}{{}} in the text.", *HEAD.splitlines()]
    lines += [f"\\def\\attn{number.name}{{{_tex_value(number)}}}% {_comment(number.path)}" for number in found]
    return "\n".join(lines) + "\n"


def _tex_value(number: Number) -> str:
    if isinstance(number.value, str):
        return literal(number.text)
    digits, _, power = number.text.replace(numerals.MINUS, "-").partition("·10")
    if power:
        digits += rf"\cdot10^{{{power.translate(numerals.LOWERED)}}}"
    return rf"\ensuremath{{{digits}}}" if power or digits.startswith("-") else digits


def _comment(path: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in path)


def table(found: list[Number]) -> str:
    """The same numbers as JSON: by name, each with text, value and path."""
    content = {n.name: {"text": n.text, "value": n.value, "path": n.path} for n in found}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
