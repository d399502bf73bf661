"""What hands get wrong in a weights file is said in words, with the line; decimal commas are seen to be that."""

import json
import re
import tomllib
import warnings

import numpy as np
import pytest
from click.testing import CliRunner

from attn.cli import main
from attn.core import source, weights
from attn.core.model import WeightsError
from tests.attn.random_models import CASES

TEXT = (CASES / "reference.toml").read_text(encoding="utf-8")
CONTENT = tomllib.loads(TEXT)
HEIGHT = {"W_Q": 2, "W_K": 2, "W_V": 2, "W_O": 3, "embeddings": 6, "positions": 4, "W_out": 6}


def with_row(name: str, number: int, row: str) -> str:
    """The reference with another text in the place of a row of a matrix."""
    start = TEXT.index(f"\n{name} =")
    found = list(re.compile(r"\[[^\[\]]*\]").finditer(TEXT, start))[number - 1]
    return TEXT[: found.start()] + row + TEXT[found.end() :]


def refusal(text: str, suffix: str = "") -> str:
    with pytest.raises(WeightsError) as error, warnings.catch_warnings():
        warnings.simplefilter("error")
        weights.read(text, suffix=suffix)
    line = str(error.value)
    assert "\n" not in line and line.isprintable() and len(line) < 250
    return line


# Edited by hand

SLIPS = {
    '"why"]': ("“why”]", "text stands between straight quotes"),
    '"hear"': ("hear", "text stands between quotes"),
    "[1.0, -0.5, 1.5]": ("[1.0, -0.5, 01.5]", "a number does not begin with 0"),
    '"causal"': ("causal", "text stands between quotes"),
    "-1.5, 1.5],": ("−1.5, 1.5],", "a minus sign is the one of the keyboard"),
    "[0.5, 0.5, 0.0]": ("[.5, 0.5, 0.0]", "a number begins with a digit"),
    "[1.0, 1.0, -0.5]": ("[1.0, 1., -0.5]", "digits behind its point"),
    "-1.5, -1.0": ("- 1.5, -1.0", "a sign stands right before its number"),
    "[0.5, 1.5, 0.5]": ("[0.5 1.5 0.5]", "a comma or a bracket"),
    "0.0], [0.5, -0.5": ("0.0] [0.5, -0.5", "a comma or a bracket"),
    "0.0, 0.5, 0.0], [0.5, 1.5": ("0.0; 0.5, 0.0], [0.5, 1.5", "parted by commas"),
    "[[-1.5, 1.5]": ("[[, 1.5]", "a value is missing before a comma"),
    'mask = "causal"': ("mask = 1,5", "a number has a decimal point, no comma"),
    "# An": ("// An", "a remark begins with #"),
    '"here"\n': ('"here\n', "the quote that ends a text is missing"),
}


@pytest.mark.parametrize("old", SLIPS)
def test_a_slip_of_the_pen_is_named_with_its_line(old):
    new, said = SLIPS[old]
    text = TEXT.replace(old, new, 1)
    assert text != TEXT
    number = next(i for i, (a, b) in enumerate(zip(TEXT.split("\n"), text.split("\n"), strict=False), 1) if a != b)
    line = refusal(text)
    assert line.startswith(f"TOML, line {number}, column ") and said in line
    assert new.strip("\n")[:9] in line, "the place itself is shown, however long its line"


# TOML or JSON


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "JSON: the file is empty"), (" \n", "JSON: the file is empty"), ("[1, 2]", "is JSON, but a list"),
        ("3", "is JSON, but a number"), ('"a"', 'is JSON, but a string ("a")'), ("null", "is JSON, but nothing"),
        ("[", "JSON, line 1, column 2"), ("{", "JSON, line 1, column 2"), ('{"a": 1,}', "JSON, line 1, column "),
        ('format = "attn-weights/1"', "JSON, line 1, column 1"), ("{}", "format is missing"),
    ],
)  # fmt: skip
def test_a_json_file_is_called_one_whatever_is_in_it(text, said, tmp_path):
    assert refusal(text, ".json").startswith(said)
    (tmp_path / "w.JSON").write_text(text)
    with pytest.raises(WeightsError, match=re.escape(said)):
        weights.load(tmp_path / "w.JSON")


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "format is missing"), ("[model]", "format is missing"), ("[model", "TOML, at the end of the file, line 1"),
     ("[[expect", "TOML, at the end"), ("[[1, 2]]", "is JSON, but a list"), ("{", "JSON, line 1")],
)  # fmt: skip
def test_without_a_name_the_first_character_tells(text, said):
    assert refusal(text).startswith(said)


# Rows and shapes


@pytest.mark.parametrize("name", HEIGHT)
def test_a_row_that_is_too_short_or_too_long_is_the_one_that_is_named(name):
    for number in range(1, HEIGHT[name] + 1):
        for row in ("[1.0]", "[1.0, 1.0, 1.0, 1.0]"):
            assert refusal(with_row(name, number, row)).startswith(f"parameters.{name}, row {number}: ")


@pytest.mark.parametrize("name", HEIGHT)
def test_every_matrix_that_looks_transposed_is_said_to(name):
    content = json.loads(json.dumps(CONTENT))
    matrix = np.array(content["parameters"][name])
    content["parameters"][name] = matrix.T.tolist()
    (rows, columns) = matrix.shape
    said = f"parameters.{name} is {columns} x {rows}, expected {rows} x {columns}: looks transposed"
    assert refusal(json.dumps(content)) == said


# Decimal commas


@pytest.mark.parametrize("name", ["W_Q", "W_V", "embeddings", "positions"])
@pytest.mark.parametrize("number", [1, 2])
def test_decimal_commas_are_named_for_the_right_row(name, number):
    line = refusal(with_row(name, number, "[ 2,0, -1,5, 1,5]"))
    assert line.startswith(f'parameters.{name}, row {number}: "2,0", "-1,5", "1,5" are two numbers each')
    assert line.endswith("2.0, -1.5, 1.5")


def test_decimal_commas_everywhere_are_named():
    text = re.sub(r"(\d)\.(\d)", r"\1,\2", TEXT)
    assert re.match(r'parameters\.\w+, row 1: "-?\d,\d", .* are two numbers each; expected a decimal p', refusal(text))
    text = re.sub(r"(?m)^b_out = .*", "b_out = [-10,0, -10,0, 0,0, -10,0, 0,5, -10,0]", TEXT)
    assert refusal(text).startswith('parameters.b_out: "-10,0", ')


@pytest.mark.parametrize(("row", "asked"), [("[ 1,0, -1.5]", "1.0"), ("[1,2,3]", "1.2"), ("[1, 2, 3]", None)])
def test_check_asks_about_a_comma_that_fits_by_accident(row, asked, tmp_path):
    file = tmp_path / "w.toml"
    file.write_text(with_row("W_Q", 2, row), encoding="utf-8")
    plain = tmp_path / "plain.toml"
    plain.write_text(weights.dumps(weights.load(file)), encoding="utf-8")
    done, without = (CliRunner().invoke(main, ["check", str(path)]) for path in (file, plain))
    asks = [line for line in done.stdout.splitlines() if line.startswith("asks")]
    assert done.exit_code == without.exit_code
    assert [line for line in done.stdout.splitlines() if line not in asks] == without.stdout.splitlines()
    assert len(asks) == (asked is not None)
    assert all("parameters.W_Q, row 2: " in line and line.endswith(f"was {asked} meant?") for line in asks)


@pytest.mark.parametrize("path", [*sorted((CASES / "good").iterdir()), CASES / "reference.toml"], ids=lambda p: p.stem)
def test_nothing_is_asked_of_good_files_nor_of_compact_ones(path):
    text = path.read_text(encoding="utf-8-sig")
    assert not list(source.decimal_commas(text))
    assert not list(source.decimal_commas(json.dumps(tomllib.loads(text), separators=(",", ":"))))
