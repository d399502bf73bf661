"""The text of a weights file, TOML or JSON, as plain tables and lists; what hands get wrong in it, said in words."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from itertools import chain

from attn.core.model import PARAMETERS, WeightsError

LONGEST_SHOWN = 60  # characters of a line or a value in a message
_JSON = re.compile(r"\s*(\{|\[[\[\s]*[{\d-])")  # how TOML of ours never begins


def parse(text: str, suffix: str = "") -> dict:
    """The tables in the text of a weights file whose name ends in `suffix`: JSON if that or how it begins says so.

    Raises WeightsError with the line that is at fault, and what is wrong with it.
    """
    form = "JSON" if suffix.lower() == ".json" or _JSON.match(text) else "TOML"
    try:
        found = _json(text) if form == "JSON" else tomllib.loads(text)
    except RecursionError:
        raise WeightsError("", "is nested too deeply, expected a weights file") from None
    except json.JSONDecodeError as error:
        raise _at(form, text, error.lineno, error.colno, error.msg) from None
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at ")
        numbers = [int(number) for number in re.findall(r"\d+", place)]
        line, column = numbers if len(numbers) == 2 else (len(text.rstrip().split("\n")), None)
        raise _at(form, text, line, column, message) from None
    except ValueError as error:  # a number of more digits than Python reads, half a character, a doubled key
        raise WeightsError("", f"{form}: {error}") from None
    if not isinstance(found, dict):
        raise WeightsError("", f'is JSON, but {kind(found)}, expected an object in braces, as {{"format": ...}}')
    return found


def _json(text: str):
    if not text.strip():
        raise ValueError("the file is empty, expected an object in braces")
    found = json.loads(text, object_pairs_hook=_distinct)
    if re.search(r"[\ud800-\udfff]", json.dumps(found, ensure_ascii=False)):
        raise ValueError("a text has half a character in it (a surrogate without the other)")
    return found


def _distinct(pairs: list[tuple[str, object]]) -> dict:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f'the key "{next(n for n in names if names.count(n) > 1)}" stands twice')
    return table


def _at(form: str, text: str, line: int, column: int | None, message: str) -> WeightsError:
    """The parser's message, its line, and in our words what is likely to be wrong there."""
    row = text.split("\n")[line - 1]
    place = len(row) if column is None else column - 1
    where = f"at the end of the file, line {line}" if column is None else f"line {line}, column {column}"
    meant = (said for begins, said in MEANT.items() if message.startswith(begins))
    likely = (said for pattern, said in LIKELY if pattern.match(row, place))
    said = next(chain(meant, likely), message[:1].lower() + message[1:])
    beside = shorter(row[max(0, place - LONGEST_SHOWN // 2) :].strip())
    return WeightsError("", f"{form}, {where}: {said}: {beside}")


# What messages mean, by how they begin.
MEANT = {"Illegal character '\\n'": "the quote that ends a text is missing"}
# What a value must not begin with, or what must not follow one; the first that fits is said.
LIKELY = [(re.compile(pattern), said) for pattern, said in (
    (r"[“”„‟«»‘’‚]", 'text stands between straight quotes, "like this"'),
    (r"[−–—]", "a minus sign is the one of the keyboard, -"),
    (r"(?<=\d),\d", "a number has a decimal point, no comma"),
    (r"[+-]?\.\d", "a number begins with a digit, as 0.5 does"),
    (r"\.(?!\d)", "a number has digits behind its point, as 1.0 has"),
    (r"(?<=\b0)\d", "a number does not begin with 0, unless a point follows"),
    (r";", "numbers and rows are parted by commas"),
    (r"[+-]\s+\d", "a sign stands right before its number"),
    (r"[^\W\d_][^\W_]*\s*([\],\"]|$)", 'text stands between quotes, "like this"'),
    (r",", "a value is missing before a comma"),
    (r"//|/\*", "a remark begins with #"),
    (r"[\[\d+-]", 'a comma or a bracket "]" is missing before this'),
)]  # fmt: skip


def shorter(text: str) -> str:
    """`text`, cut where it is long."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def shown(value) -> str:
    """A value as it may stand in a message."""
    return shorter(json.dumps(value, ensure_ascii=False, default=str))


def kind(value) -> str:
    """What sort of thing a value is."""
    if isinstance(value, bool):
        return f"a boolean ({str(value).lower()})"
    if isinstance(value, str):
        return f"a string ({shown(value)})"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, (int, float)):
        return "a number"
    return "nothing" if value is None else f"a {type(value).__name__}"


# ---- decimal commas --------------------------------------------------------------------------------------------

_ROW = re.compile(r"\[([^\[\]]*)\]")
_BRACKET = re.compile(r"[\[\]]")
_REMARK = re.compile(r"#.*")
_COMMA = re.compile(r"(?<![\w.+-])([+-]?\d+),(\d+)(?![\w.])")  # what one may have meant as one number
_BLANK = re.compile(r",\s")


def decimal_commas(text: str) -> Iterator[tuple[str, list[str]]]:
    """Rows of numbers in which a comma may stand for a decimal point: each one's place, and these numbers as written.

    A comma does that has a digit before and behind it, where others in its row, or most of the file, have a blank.
    """
    rows = list(_rows(text))
    blank = sum(len(_BLANK.findall(row)) for _, row in rows)
    spaced = blank > sum(row.count(",") for _, row in rows) / 2
    for place, row in rows:
        found = [",".join(pair) for pair in _COMMA.findall(row)]
        if found and (spaced or _BLANK.search(row)):
            yield place, found


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """The innermost lists of every parameter as they are written, each with its place."""
    text = _REMARK.sub("", text)
    for name in PARAMETERS:
        start = re.search(rf"""(?m)(?:^|[.{{,])[ \t]*["']?{name}["']?[ \t]*[=:][ \t]*\[""", text)
        if start is None:
            continue
        depth, end = 0, start.end() - 1
        for bracket in _BRACKET.finditer(text, start.end() - 1):
            depth, end = depth + (1 if bracket[0] == "[" else -1), bracket.end()
            if depth == 0:
                break
        for number, row in enumerate(_ROW.findall(text, start.end() - 1, end), 1):
            yield f"parameters.{name}" + (f", row {number}" if name != "b_out" else ""), row


def two_numbers(numbers: list[str]) -> str:
    """What is said of numbers with a comma in them."""
    written = ", ".join(f'"{number}"' for number in numbers)
    return f"{written} is two numbers" if len(numbers) == 1 else f"{written} are two numbers each"


def pointed(numbers: list[str]) -> str:
    """The numbers that may have been meant."""
    return ", ".join(number.replace(",", ".") for number in numbers)
