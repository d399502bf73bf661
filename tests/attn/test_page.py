"""The web page as it is written: it has all that it links to, is well ordered, and shows the trace's numbers."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from attn.build.assets import ROOT, Asset, assets, in_order
from attn.build.chapters import chapters, cues
from attn.build.figure import figure
from attn.build.output import Output
from attn.build.page import files, tables
from attn.build.settings import Settings
from attn.build.subjects import Subjects
from attn.core import weights
from attn.core.reading import Reading
from attn.picture.drawn import picture
from tests.often import some

GOOD = sorted((Path(__file__).parent.parent / "cases" / "good").glob("*.toml"))
NAMES = ("step4_softmax", "step7_context", "decoder")
BEATS = [{"start": 0, "end": 2.5, "seen": "<evil>"}, {"start": 2.5, "end": 3604, "seen": "last"}]
VTT = "WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nA &lt; B,\nC &amp; D\n\n00:00:02.500 --> 01:00:04.000\nlast\n"


class Outline(HTMLParser):
    """What a page is made of: its elements with their attributes, in order."""

    def __init__(self, html: str):
        super().__init__()
        self.elements: list[tuple[str, dict]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def of(self, *tags: str) -> list[dict]:
        return [attributes for tag, attributes in self.elements if tag in tags]


def paged(trace, folder: Path, names=NAMES) -> dict[str, bytes]:
    """The page of a few figures, and of all films with the texts of their figures, where no film is played."""
    output, subjects = Output(folder), Subjects(trace, folder)
    for asset in assets("videos"):
        (folder / "videos").mkdir(exist_ok=True)
        told = {
            "name": asset.name,
            "title": asset.name,
            "does": [],
            "stage": "",
            "caption": "<evil>",
            "alt": "&",
            "values": [],
            "beats": BEATS,
        }
        for extension, data in {"json": json.dumps(told), "vtt": VTT, "mp4": "", "png": ""}.items():
            (folder / "videos" / f"{asset.name}.{extension}").write_text(data)
    for name in names:
        made = figure(Asset("figures", name), Reading(trace), Settings(formats=("svg",)))
        for extension, data in made.items():
            output.write(f"figures/{name}.{extension}", data)
    without = [a for a in assets("videos") if a.subject == "lookup"]  # whose experiment takes long
    found = files(output, subjects, without)
    assert all(path.startswith("page/") for path in found)
    return {path.removeprefix("page/"): data for path, data in found.items()}


@pytest.fixture(scope="module")
def shipped():
    return picture(weights.load(ROOT / "attn" / "weights" / "you.toml"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def page(shipped, folder) -> dict[str, bytes]:
    return paged(shipped, folder)


def test_every_link_leads_to_a_file_of_the_folder_or_a_place_of_the_page_and_nothing_is_fetched_elsewhere(page):
    outline = Outline(page["index.html"].decode())
    places = {attributes["id"] for _, attributes in outline.elements if "id" in attributes}
    for _, attributes in outline.elements:
        for name in ("href", "src", "poster"):
            target = attributes.get(name, "#main")
            assert target[1:] in places if target[0] == "#" else target in page or target == "data:,", target
        for name in ("aria-labelledby", "for"):
            assert attributes.get(name, "main") in places
    for name in ("index.html", "page.css", "page.js"):
        text = page[name].decode().replace("http://www.w3.org/2000/svg", "")  # a name, not an address
        assert not re.search(r"https?:|//cdn|@import|\bfetch\(|XMLHttp", text), name


def test_headings_go_down_by_one_and_each_picture_has_a_text(page):
    outline = Outline(page["index.html"].decode())
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))
    assert all(attributes["alt"] for attributes in outline.of("img"))
    assert all(attributes["aria-label"] for attributes in outline.of("video"))
    landmarks = [
        a["aria-label"] for tag, a in outline.elements if tag == "nav" or a.get("role") in ("region", "navigation")
    ]
    assert len(landmarks) == len(set(landmarks))
    assert outline.of("html") == [{"lang": "en"}]
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_steps_stand_in_their_order_and_a_number_finds_each(page):
    sections = [attributes["id"] for attributes in Outline(page["index.html"].decode()).of("section")]
    steps = [name for name in sections if name.startswith("step")]
    assert steps == [f"step{i}" for i in range(len(steps))]
    assert [a["href"] for a in Outline(page["index.html"].decode()).of("a") if a.get("href", "").startswith("#step")]


@pytest.mark.parametrize("file", some(GOOD, 6), ids=lambda file: file.stem)
def test_the_tables_hold_the_numbers_that_the_picture_shows_and_words_are_no_markup(file, tmp_path):
    trace = picture(weights.load(file))
    html = paged(trace, tmp_path, NAMES)["index.html"].decode()
    for chapter in chapters(Output(tmp_path)):
        shown = {text for table in tables.tables(chapter, trace) for _, row in table.rows for text in row if text}
        recorded = {value["text"] for value in chapter.values}
        assert shown <= recorded
        for path in {
            v["path"] for v in chapter.values if re.match(r"(scores|attention|contextual)\[[^*-]*$", v["path"])
        }:
            assert shown & {value["text"] for value in chapter.values if value["path"] == path}, path
        asked = tables.prediction(chapter, trace)
        assert asked is None or {share.word for share in asked.shares if share.best} <= set(trace.model.vocabulary)
    assert "<evil" not in html and html.count("&lt;evil&gt;") >= 1


def test_what_could_not_be_made_is_not_shown_whatever_is_there(page, folder):
    left_out = Asset("figures", "step7_context")
    found = chapters(Output(folder), [left_out])
    assert all(chapter.figure is None or chapter.figure.asset != left_out for chapter in found)
    assert [c.name for c in found] == [c.name for c in chapters(Output(folder)) if c.name in {f.name for f in found}]


def test_cues_are_read_as_they_are_meant():
    assert cues(VTT) == [(0, 2.5, "A < B, C & D"), (2.5, 3604.0, "last")]


def test_one_tells_of_what_is_joined_first_and_then_of_subject_after_subject():
    told = in_order("figures", "videos")
    subjects = [asset.subject for asset in told]
    assert subjects == sorted(subjects, key=("story", "sentence", "lookup").index)
    joined = [bool(asset.parts) for asset in told]
    assert joined == sorted(joined, reverse=True)
    assert sorted(told, key=str) == sorted([*assets("figures"), *assets("videos")], key=str)
