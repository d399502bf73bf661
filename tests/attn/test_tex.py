"""Words, numbers and captions in TeX: printed as they are by every engine, in a document without packages."""

import json
import re
import shutil
import subprocess
import unicodedata
from functools import cache
from pathlib import Path

import pymupdf
import pytest

from attn.build import captions, numbers, tex
from attn.build.assets import ROOT, assets
from attn.build.figure import figure as published
from attn.build.settings import Settings
from attn.core import weights
from attn.core.reading import Reading
from attn.picture.drawn import picture
from tests.attn.hostile import FOREIGN, WORDS
from tests.attn.test_numbers import HOSTILE, real_records

FILES = [ROOT / "attn/weights/you.toml", *(ROOT / f"tests/cases/good/{name}.toml" for name in ("scripts", "symbols"))]
ACCENTS = re.compile(r"[\u0300-\u036f\u00a8\u00af\u00b4\u00b8\u02c6-\u02dd]")  # as marks, or drawn by themselves
UNBROKEN = r"\pagestyle{empty}\sloppy\hyphenpenalty10000\exhyphenpenalty10000 "  # no hyphens but the words' own
each_engine = pytest.mark.parametrize(
    "engine",
    [
        pytest.param(name, marks=pytest.mark.skipif(not shutil.which(name), reason=f"{name} is not installed"))
        for name in ("pdflatex", "xelatex", "lualatex")
    ],
)


def pages(engine: str, folder: Path, source: str, times: int = 1) -> list[str]:
    """The text of each page that `engine` makes of a document."""
    (folder / "main.tex").write_text(source, "utf-8")
    for _ in range(times):
        command = [engine, "-interaction=nonstopmode", "-halt-on-error", "main.tex"]
        done = subprocess.run(command, cwd=folder, capture_output=True)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-1500:]
    with pymupdf.open(folder / "main.pdf") as pdf:
        return [page.get_text(flags=0) for page in pdf]  # ligatures as their letters


def document(body: str, preamble: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def read(text: str, engine: str) -> str:
    """Text without its blanks, and without accents where the engine puts them together from pieces."""
    text = re.sub(r"\s+", "", unicodedata.normalize("NFKD", text))
    return ACCENTS.sub("", text) if engine == "pdflatex" else text


def wanted(text: str, engine: str) -> str:
    """What is to be read: the text, with numbers for the letters that are in no font of TeX's."""
    foreign = set("".join(FOREIGN))
    text = unicodedata.normalize("NFC", text)
    return read("".join(f"[U+{ord(c):04X}]" if c in foreign else c for c in text), engine)


@pytest.mark.slow
@each_engine
def test_words_are_printed_as_they_are(engine, tmp_path):
    body = "\n\\clearpage\n".join(rf"\def\w{{{tex.literal(word)}}}\w{{}}" for word in WORDS)
    found = pages(engine, tmp_path, document(UNBROKEN + body, tex.HEAD + tex.HEAD))
    assert [read(text, engine) for text in found] == [wanted(word, engine) for word in WORDS]


@cache
def told(file: Path) -> tuple[list, list]:
    """The numbers and the captions of a file."""
    trace = picture(weights.load(file))
    return numbers.numbers(trace), [HOSTILE | {"name": "hostile"}, *real_records(trace)]


@pytest.mark.slow
@each_engine
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_numbers_and_captions_are_printed_as_they_are(engine, file, tmp_path):
    found, records = told(file)
    (tmp_path / "numbers.tex").write_text(numbers.tex(found), "utf-8")
    (tmp_path / "captions.tex").write_text(captions.tex(records), "utf-8")
    words = [number for number in found if isinstance(number.value, str)]
    uses = [rf"\setbox0\hbox{{\attn{number.name}{{}}}}" for number in found]
    uses += [rf"\clearpage\attn{number.name}{{}}" for number in words]
    names = [captions.macro_name(record["name"]) for record in records]
    uses += [rf"\clearpage\attnFig{name}{part}" for name in names for part in ("Caption", "Alt")]
    source = document(UNBROKEN + "\n\n".join(uses), r"\input{numbers.tex}\input{captions.tex}")
    texts = [number.text for number in words] + [record[key] for record in records for key in ("caption", "alt")]
    assert [read(text, engine) for text in pages(engine, tmp_path, source)] == [wanted(text, engine) for text in texts]


@pytest.mark.slow
@each_engine
def test_a_macro_makes_the_whole_figure(engine, tmp_path):
    """The figure is in the page, its caption below it and in the list of figures as it is, its label known."""
    asset = next(asset for asset in assets("figures") if asset.name == "step7_context")
    made = published(asset, Reading(picture(weights.load(FILES[0]))), Settings())
    (tmp_path / "step7_context.pdf").write_bytes(made["pdf"])
    record = json.loads(made["json"]) | {"caption": " ".join(WORDS)}
    (tmp_path / "captions.tex").write_text(captions.tex([record]), "utf-8")
    body = UNBROKEN + r"\listoffigures\clearpage\attnFigStepSevenContext See \ref{fig:step7_context}."
    listed, figure = pages(engine, tmp_path, document(body, r"\usepackage{graphicx}\input{captions.tex}"), times=2)
    for page in (listed, figure):
        assert wanted(record["caption"], engine) in read(page, engine)
    assert "See1" in read(figure, engine) and wanted(record["title"], engine) in read(figure, engine)


@pytest.mark.parametrize("word", WORDS)
def test_nothing_in_a_word_means_anything_to_tex(word):
    """Beside the commands that are made for it, there is none of TeX's marks; two signs that melt lie apart."""
    made = tex.literal(word)
    bare = re.sub(r"\\[A-Za-z]+ ?|\\[$&%#]|\{\^(?=\{)", "", made)
    assert not re.search(r"[\\$&%#_~^\"'`<>|]", bare)
    assert not re.search(r"--|,,|<<|>>", made)
    assert made.count("{") == made.count("}")


def test_names_of_letters_reach_tex_without_their_accents_where_it_must_be():
    assert tex.literal("ą") == r"\attnLetter{ą}{0105}{a}"
    assert tex.literal("ά") == r"\attnLetter{ά}{03AC}{\ensuremath{\alpha}}"
    assert tex.literal("e\u0301") == "é"


def test_files_of_tex_may_be_read_twice_and_in_any_order():
    """Both begin with the same definitions."""
    found, records = told(FILES[0])
    for made in (numbers.tex(found), captions.tex(records)):
        assert made.count(tex.HEAD) == 1
        assert "\\newcommand" not in made
