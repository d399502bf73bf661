"""Numbers and captions for a book's text: each is the trace's, and LaTeX, Typst and Markdown print them literally."""

import html
import json
import re
import unicodedata
from collections import Counter
from dataclasses import replace
from importlib import import_module

import pytest
import typst

from attn.build import captions, numbers
from attn.build.assets import ROOT, assets
from attn.core import numerals, record, weights
from attn.picture.drawn import as_dict, picture
from tests.attn.hostile import WORDS
from tests.figures.artists import drawn, printed, traced

CASES = [ROOT / "attn/weights/you.toml", *sorted((ROOT / "tests/cases/good").glob("*.toml"))]
every = pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
SHARES = re.compile(r"attention\[\d+\]|decoder\.\w+\.probabilities")
HOSTILE = {"name": "step7_context", "title": "$x_1$ #1", "caption": r'50% of “\alpha” {w} <b>& a_b ~ ^ "q" *s* `c` [l]',
           "alt": r"\alpha, 50% and $x_1$"}  # fmt: skip


@every
def test_each_number_is_the_traces_at_its_place_under_a_name_of_letters(file):
    trace = picture(weights.load(file))
    data, found = as_dict(trace), numbers.numbers(trace)
    assert len({n.name for n in found}) == len(found) > 100
    for number in found:
        assert re.fullmatch("[A-Za-z]+", number.name)
        assert number.value == record.lookup(data, number.path)
        if isinstance(number.value, str):
            assert number.text == number.value
        elif not SHARES.match(number.path):
            assert number.text == numerals.number(number.value)


@every
def test_the_macro_that_the_head_names_is_in_the_file(file):
    head, *lines = numbers.tex(numbers.numbers(picture(weights.load(file)))).splitlines()
    (example,) = re.findall(r"\\attn[A-Za-z]+(?={})", head)
    assert any(line.startswith(rf"\def{example}{{") for line in lines)


@every
def test_shares_add_up_to_one_as_printed(file):
    """The weights of a query, and the probabilities at a checkpoint."""
    model = weights.load(file)
    alike = replace(model, W_out=1e-3 * model.W_out, b_out=0 * model.b_out)  # 0.17 for each of six would be 1.02
    for trace in map(picture, (model, alike)):
        sums = Counter()
        for number in numbers.numbers(trace):
            if found := SHARES.match(number.path):
                sums[found[0]] += round(100 * float(number.text))
        assert len(sums) == trace.n + len(trace.decoder) and set(sums.values()) == {100}


@pytest.mark.parametrize("name", ["decoder", "summary", "attention_matrix", "step4_softmax"])
@every
def test_a_number_reads_as_in_the_pictures(file, name):
    """They may leave out zeros at its end."""
    said = {n.path: n.text for n in numbers.numbers(traced(file)) if not isinstance(n.value, str)}
    shown = {path: texts for path, texts in printed(drawn(name, file)).items() if path in said}
    assert len(shown) > 2
    for path, texts in shown.items():
        assert {numerals.value_of(text) for text in texts} == {numerals.value_of(said[path])}, path


@every
def test_the_table_and_the_macros_say_the_same(file):
    found = numbers.numbers(picture(weights.load(file)))
    table, macros = json.loads(numbers.table(found)), numbers.tex(found)
    assert list(table) == [n.name for n in found]
    for number in found:
        assert f"\\def\\attn{number.name}{{" in macros
        assert table[number.name] == {"text": number.text, "value": number.value, "path": number.path}


def test_a_well_known_name():
    trace = picture(weights.load(CASES[0]))
    found = {n.name: n for n in numbers.numbers(trace)}
    assert found["WeightWhy"].path == f"attention[{trace.last}][0]"
    assert found["PredictionContextual"].text == "here"


def real_records(trace):
    """Caption and alt text of every figure of the story, as its JSON has them."""
    for asset in assets("figures"):
        if asset.subject == "story":
            told = import_module(asset.module).texts(trace)
            yield {"name": asset.name, "title": told.title, "caption": told.caption, "alt": told.alt}


def test_typst_takes_the_captions_and_shows_them_literally(tmp_path):
    words = [word for word in WORDS if unicodedata.bidirectional(word[0]) not in ("R", "AL")]  # read the other way
    record = HOSTILE | {"caption": " ".join([HOSTILE["caption"], *words])}
    (tmp_path / "captions.typ").write_text(captions.typ([record]), "utf-8")
    (tmp_path / "step7_context.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    source = '#import "captions.typ": step7_context\n#step7_context()\n'
    (tmp_path / "main.typ").write_text(source)
    pages = typst.compile(str(tmp_path / "main.typ"), format="pdf")
    import pymupdf

    with pymupdf.open(stream=pages) as pdf:
        text = re.sub(r"\s+", "", pdf[0].get_text(flags=0))
    assert re.sub(r"\s+", "", record["caption"]) in text


def test_markdown_escapes_every_mark():
    made = captions.md([HOSTILE])
    shown = html.unescape(re.sub(r"\\([!-/:-@\\^-`{-~])", r"\1", made))
    assert HOSTILE["caption"] in shown and HOSTILE["alt"] in shown
    assert not re.search(r"(?<!\\)[*`<$]|(?<!\\)&(?!#9)", made)
    assert not re.search(r"(?<!\\)\\[\[\]()]", captions.md([HOSTILE | {"caption": "[x] (y)"}])), "formulas to some"


@pytest.mark.parametrize("mends", [False, True], ids=["plain", "typographer"])
def test_markdown_is_read_as_it_was_meant(mends):
    """As a reader's program shows it (markdown-it-py, which comes with manim), even if it mends quotes and dashes."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"typographer": mends}).enable(["table", "strikethrough"])
    reader.enable(["replacements", "smartquotes"] if mends else [])
    record = HOSTILE | {key: " ".join([HOSTILE[key], *WORDS]) for key in ("title", "caption", "alt")}
    heading, picture_, caption = [token for token in reader.parse(captions.md([record])) if token.type == "inline"]
    assert shown_by(heading) == record["title"] and shown_by(caption) == record["caption"]
    (image,) = picture_.children
    assert image.type == "image" and image.attrs["src"] == "step7_context.svg" and shown_by(image) == record["alt"]


def shown_by(token) -> str:
    assert {child.type for child in token.children} <= {"text", "text_special"}
    return "".join(child.content for child in token.children)
