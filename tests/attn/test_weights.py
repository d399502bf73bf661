"""Weights files: what is read, what is refused and in which line, what is written, and that nothing crashes."""

import json
import time
import tomllib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attn.core import weights
from attn.core.forward import forward
from attn.core.model import PARAMETERS, Expect, Model, WeightsError
from tests.attn.random_models import CASES, models

REFERENCE = weights.load(CASES / "reference.toml")
TEXT = (CASES / "reference.toml").read_text(encoding="utf-8")
CONTENT = tomllib.loads(TEXT)

# What the one line of each refusal must say, in this order
BAD = {
    "boolean": ["parameters.b_out", "boolean"],
    "duplicate-key": ["line 15"],
    "empty": ["format is missing"],
    "infinite": ["parameters.b_out", "infinite"],
    "mask": ["model.mask", '"casual"', '"causal" or "none"'],
    "missing-key": ["parameters.W_V is missing"],
    "nan": ["parameters.W_O", "row 1", "nan"],
    "newer-format": ['"attn-weights/2" is not known', "reads attn-weights/1"],
    "no-plane": ['"are" and "here"', "same decoder row", "plane"],
    "no-words": ["story.sentence is empty"],
    "overflow": ["overflows at the scores"],
    "ragged": ["parameters.embeddings", "row 6", "2 numbers", "3"],
    "same-words": ["story.to", '"here"', "story.from"],
    "string": ["parameters.b_out", "string", "number"],
    "too-long": ["story.sentence has 5 words", "positions has 4 rows"],
    "transposed": ["parameters.W_Q is 3 x 2, expected 2 x 3", "looks transposed"],
    "truncated": ["line 16"],
    "twice": ["model.vocabulary", '"you"', "twice"],
    "unknown-key": ["parameters.W_v is not a known key", '"W_V"?'],
    "unknown-word": ["story.sentence", '"they" is not in the vocabulary'],
}


def same(first: Model, second: Model) -> bool:
    """Whether two models have the same content."""
    arrays = all(np.array_equal(getattr(first, n), getattr(second, n), equal_nan=False)
                 if getattr(first, n) is not None else getattr(second, n) is None for n in PARAMETERS)  # fmt: skip
    names = ("vocabulary", "causal", "title", "story", "expect", "azimuth", "elevation")
    return arrays and all(getattr(first, name) == getattr(second, name) for name in names)


def refusal(text: str) -> str:
    with pytest.raises(WeightsError) as error:
        weights.read(text)
    line = str(error.value)
    assert "\n" not in line and line.isprintable()
    return line


# The cases


def test_every_bad_file_is_listed():
    fonts = {"unknown-glyph"}  # what draws refuses it: tests/test_fonts.py
    assert {path.stem for path in (CASES / "bad").iterdir()} == set(BAD) | fonts


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_one_line(name):
    path = CASES / "bad" / f"{name}.toml"
    with pytest.raises(WeightsError) as error:
        weights.load(path)
    line = str(error.value)
    assert "\n" not in line and line.startswith(f"{path}: ")
    place = 0
    for part in BAD[name]:
        assert part in line[place:], f"{part!r} not in {line!r}"
        place = line.index(part, place)


@pytest.mark.parametrize("path", sorted((CASES / "good").iterdir()), ids=lambda path: path.stem)
def test_a_good_file_is_read_traced_and_written_again(path):
    model = weights.load(path)
    assert forward(model).n == len(model.story.sentence)
    assert same(weights.read(weights.dumps(model)), model)


def test_byte_order_mark_and_line_endings_do_not_matter():
    assert same(weights.load(CASES / "good" / "crlf-bom.toml"), REFERENCE)


def test_other_words_with_the_same_numbers_have_the_same_trace():
    other = weights.load(CASES / "good" / "french.toml")
    assert other.vocabulary[1] == "vous" and "êtes" in other.story.sentence
    for name in ("scores", "attention", "contextual"):
        np.testing.assert_array_equal(getattr(forward(other), name), getattr(forward(REFERENCE), name))


# The forms


def test_json_is_the_same_content():
    assert same(weights.read(json.dumps(CONTENT)), REFERENCE)
    assert same(weights.read("\n " + json.dumps(CONTENT, indent=2)), REFERENCE)


def test_a_key_that_stands_twice_in_json_is_refused():
    text = json.dumps(CONTENT)
    assert 'the key "mask" stands twice' in refusal(text.replace('"mask"', '"mask": "none", "mask"', 1))


@pytest.mark.parametrize("table", ["model", "parameters", "story", "view", "expect"])
@pytest.mark.parametrize("value", [None, 3, "text", [], {}, [3], True])
def test_a_table_that_is_none_is_refused(table, value):
    if (table, value) in (("expect", []), ("view", {})):
        return
    assert refusal(json.dumps(CONTENT | {table: value})).startswith((table, "parameters."))


@settings(max_examples=100)
@given(models(story=True), st.text(max_size=20), st.sampled_from([None, -77.5, 0.0]))
def test_what_is_written_reads_back_the_same(model, title, azimuth):
    title = "".join(c for c in title if c.isprintable() and ord(c) < 0x180)
    expect = (Expect(model.story.sentence, model.vocabulary[0]),) if model.W_out is not None else ()
    if model.W_out is not None and model.story.origin is None:
        model = replace(model, story=None)
    model = replace(model, title=title, azimuth=azimuth, expect=expect)
    text = weights.dumps(model, comment="one\ntwo")
    assert text.startswith("# one\n# two\n")
    assert same(weights.read(text), model)
    assert weights.dumps(weights.read(text), comment="one\ntwo") == text


def test_awkward_words_survive_writing():
    words = ("$x_1$", "50%", "a_b", "<b>&", "#1", "\\alpha", '"', "'''", "{w}", "é")
    eye = np.ones((len(words), 3)), *[np.ones((2, 3))] * 3
    model = Model(words, *eye, title='a "title" \\ with # and \t tab')
    model = replace(model, title='a "title" \\ with #')
    assert same(weights.read(weights.dumps(model)), model)


@pytest.mark.parametrize("word", ["\u200b", "\u0301", "\u00ad\u200d"])
def test_a_word_that_nobody_can_see_is_refused(word):
    content = CONTENT | {"model": CONTENT["model"] | {"vocabulary": ["we", word, "are", "hear", "here", "why"]}}
    assert refusal(json.dumps(content)).startswith("model.vocabulary, word 2: ")


def test_a_sentence_that_would_take_too_long_is_refused():
    story = CONTENT["story"] | {"sentence": "why " * 100_000}
    parameters = {name: value for name, value in CONTENT["parameters"].items() if name != "positions"}
    line = refusal(json.dumps(CONTENT | {"story": story, "parameters": parameters}))
    assert line == "story.sentence has 100000 words, expected at most 200"


def test_very_long_words_are_cut_where_they_are_named():
    long = "w" * 100_000
    for content in (CONTENT | {long: 1}, CONTENT | {"story": CONTENT["story"] | {"sentence": long}}):
        assert len(refusal(json.dumps(content))) < 300
    with pytest.raises(WeightsError) as error:
        REFERENCE.words(long)
    assert len(str(error.value)) < 300


# Places that are not files


def test_what_is_not_a_file_is_refused(tmp_path):
    for path, message in ((tmp_path, "is a directory"), (tmp_path / "none.toml", "No such file")):
        with pytest.raises(WeightsError, match=message) as error:
            weights.load(path)
        assert str(error.value).startswith(str(path))


def test_a_binary_and_a_huge_file_are_refused(tmp_path):
    path = tmp_path / "w.toml"
    path.write_bytes(b"\x80\x04\x95pickle\xff")
    with pytest.raises(WeightsError, match="not UTF-8 text: byte 0x80 at offset 0"):
        weights.load(path)
    path.write_bytes(b"#" * 5_000_000)
    with pytest.raises(WeightsError, match="larger than"):
        weights.load(path)


def test_half_a_character_is_refused():
    for old in ('"hear"', '"why are you: here"', '"mask"'):
        line = refusal(json.dumps(CONTENT).replace(old, '"\\ud800"'))
        line.encode("utf-8")


def test_deep_nesting_is_refused():
    assert "nested too deeply" in refusal('{"a":' * 100_000)
    refusal("a = " + "[" * 100_000)


# Numbers and shapes


@pytest.mark.parametrize("value", ["1e999", "-1e999", "inf", "nan", "true", '"1"', "[1.0]", "1" + "0" * 400])
def test_what_is_no_number_is_refused_with_its_place(value):
    line = refusal(TEXT.replace("b_out = [-10.0, -10.0,", f"b_out = [-10.0, {value},"))
    assert line.startswith("parameters.b_out, number 2: ")


def test_whole_numbers_are_numbers():
    assert same(weights.read(TEXT.replace("-10.0", "-10")), REFERENCE)


@pytest.mark.parametrize(
    ("name", "message"),
    [("W_O", "is 2 x 3, expected 3 x 2: looks transposed"), ("W_K", "is 3 x 2, expected 2 x 3: looks transposed"),
     ("W_V", "is 3 x 2, expected 2 x 3: looks transposed"), ("W_out", "is 3 x 6, expected 6 x 3: looks transposed")],
)  # fmt: skip
def test_a_transposed_matrix_is_recognized(name, message):
    content = json.loads(json.dumps(CONTENT))
    content["parameters"][name] = np.array(content["parameters"][name]).T.tolist()
    assert refusal(json.dumps(content)) == f"parameters.{name} {message}"


@pytest.mark.parametrize(("key", "value"), [("azimuth", 1000), ("elevation", -91), ("azimuth", "left")])
def test_an_angle_out_of_range_is_refused(key, value):
    assert refusal(json.dumps(CONTENT | {"view": {key: value}})).startswith(f"view.{key}")


# Files to be fitted


def test_a_file_without_parameters_is_read_where_they_are_to_be_found():
    content = {key: value for key, value in CONTENT.items() if key != "parameters"}
    assert refusal(json.dumps(content)) == "parameters is missing"
    model = weights.read(json.dumps(content), parameters_required=False)
    assert model.d_model == 0 and model.expect == REFERENCE.expect and model.story == REFERENCE.story


def test_a_file_without_decoder_is_read_where_it_is_to_be_found():
    content = json.loads(json.dumps(CONTENT))
    del content["parameters"]["W_out"], content["parameters"]["b_out"]
    assert refusal(json.dumps(content)).startswith("parameters.W_out is missing")
    assert weights.read(json.dumps(content), parameters_required=False).W_out is None
    content["parameters"].pop("W_V")
    with pytest.raises(WeightsError, match=r"parameters\.W_V is missing"):
        weights.read(json.dumps(content), parameters_required=False)


# What make fuzz found


def test_a_long_title_is_looked_through_quickly():
    start = time.process_time()
    assert weights.read(TEXT.replace("why are you: here", "why " * 100_000)).title.startswith("why why")
    assert time.process_time() - start < 1


def test_decoder_rows_are_as_large_as_floats_can_be_or_overflow_by_name():
    assert weights.read(TEXT.replace("[-0.5, 0.5, -1.0]", "[-5e200, 0.5, -1.0]")).W_out.min() == -5e200
    apart = TEXT.replace("[-0.5, 0.5, -1.0]", "[-1.7e308, 0.5, -1.0]").replace("[0.5, -1.0, 1.0]", "[1e308, 1, 1]")
    line = refusal(apart)
    assert "overflows" in line and "same decoder row" not in line


def test_the_last_word_alone_is_tried_as_well(tmp_path):
    """In its place in the sentence its vector is small; alone it stands at another, where the pass overflows."""
    content = json.loads(json.dumps(CONTENT))
    words, last = content["model"]["vocabulary"], content["story"]["sentence"].split()[-1]
    content["parameters"]["embeddings"][words.index(last)] = [1e200] * 3
    content["parameters"]["positions"][len(content["story"]["sentence"].split()) - 1] = [-1e200] * 3
    content.pop("expect", None)
    file = tmp_path / "far.json"
    file.write_text(json.dumps(content))
    with pytest.raises(WeightsError, match="far.json.*overflows at the scores"):
        weights.load(file)
