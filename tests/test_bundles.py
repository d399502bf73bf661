"""What is made of figures and films: by content, whole or not at all, and taken away with them. Through make."""

from math import ceil

import pymupdf
import pytest

from attn.build import output as folders
from attn.build.chapters import chapters
from attn.build.output import BUNDLES, Output
from tests.building import FILM, Project, bumped
from tests.often import some

NAME = "step4_softmax"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Project:
    """A project with one figure and one short film of the same name, and all that is made of them."""
    project = Project(tmp_path_factory.mktemp("bundles"), [NAME], {f"scenes/{NAME}.py": FILM}, cores=1)
    for bundle in BUNDLES:
        project.make(bundle)
    return project


def contents(project: Project) -> dict[str, bytes]:
    output = Output(project.folder / "output")
    names = [name for bundle in BUNDLES for name in output.bundled(bundle)]
    return {name: path.read_bytes() for name in names if (path := output.folder / name).is_file()}


@pytest.mark.parametrize("bundle", some(BUNDLES, len(BUNDLES)))
def test_a_second_make_starts_nothing(built, bundle):
    assert built.make(bundle) == f"attn: nothing to be done; {bundle} up to date\n"


@pytest.mark.parametrize("bundle", BUNDLES)
def test_what_was_deleted_or_damaged_comes_back_and_nothing_else_is_touched(built, bundle):
    before = contents(built)
    folder = built.folder / "output"
    files = Output(folder).bundled(bundle)
    times = {name: (folder / name).stat().st_mtime_ns for name in files[1:]}
    (folder / files[0]).write_bytes(b"damaged")
    built.make(f"output/{files[0]}")
    assert contents(built) == before
    assert {name: (folder / name).stat().st_mtime_ns for name in files[1:]} == times
    for name in files:
        (folder / name).unlink()
    built.make(bundle)
    assert contents(built) == before


@pytest.mark.slow
def test_a_change_of_the_weights_is_in_all_of_them_and_goes_as_it_came(built):
    before, original = contents(built), built.weights.read_text("utf-8")
    built.weights.write_text(bumped("W_Q")(original), "utf-8")
    for bundle in BUNDLES:
        built.make(bundle, CLAIMS="warn")
    changed = {name for name, data in contents(built).items() if data != before[name]}
    assert all(changed & set(Output(built.folder / "output").bundled(bundle)) for bundle in BUNDLES)
    assert not {"page/page.js", "page/page.css"} & changed
    built.weights.write_text(original, "utf-8")
    for bundle in BUNDLES:
        built.make(bundle)
    assert contents(built) == before


def words(pdf: bytes) -> str:
    with pymupdf.open(stream=pdf) as pages:
        return " ".join(" ".join(page.get_text() for page in pages).split())


def test_paper_has_every_step_and_every_beat(built):
    found, folder = chapters(Output(built.folder / "output")), built.folder / "output"
    for chapter in found:
        assert chapter.figure.caption in words((folder / "handout.pdf").read_bytes())
        said = words((folder / "storyboard.pdf").read_bytes())
        assert chapter.title in said and all(text in said for _, _, text in chapter.film.beats())
    with pymupdf.open(folder / "handout.pdf") as pages:
        assert len(pages) == ceil(len(found) / 2) and [round(side) for side in pages[0].rect[2:]] == [595, 842]
    built.make("handout", PAPER="letter")
    with pymupdf.open(folder / "handout.pdf") as pages:
        assert [round(side) for side in pages[0].rect[2:]] == [612, 792]
    built.make("handout")


def test_what_is_no_longer_of_it_is_taken_away_and_clean_leaves_what_is_ones_own(built):
    scene = built.folder / "scenes" / f"{NAME}.py"
    source = scene.read_text("utf-8")
    scene.unlink()
    built.make("page")
    assert not [name for name in contents(built) if name.startswith("page/videos")]
    scene.write_text(source, "utf-8")
    built.make("page")
    own = built.folder / "output" / "page" / "notes.txt"
    own.write_text("the lecturer's")
    assert "output/page/notes.txt" in built.make("stale")
    built.make("clean")
    assert [path.name for path in (built.folder / "output").rglob("*") if path.is_file()] == ["notes.txt"]


@pytest.mark.parametrize("ends_at", range(4))
def test_ended_in_between_every_file_is_whole_and_clean_finds_them_all(tmp_path, monkeypatch, ends_at):
    output, first, second = (
        Output(tmp_path / "output"),
        {"page/a": b"1", "page/b/c": b"2"},
        {"page/b/c": b"3", "page/d": b"4"},
    )
    output.bundle("page", first)
    writes = iter(range(100))

    def ended(path, data, write=folders.write):
        if next(writes) == ends_at:
            raise KeyboardInterrupt
        return write(path, data)

    monkeypatch.setattr(folders, "write", ended)
    with pytest.raises(KeyboardInterrupt):
        output.bundle("page", second)
    monkeypatch.undo()
    for path in (tmp_path / "output" / "page").rglob("*"):
        if path.is_file():
            name = path.relative_to(tmp_path / "output").as_posix()
            assert path.read_bytes() in (first.get(name), second.get(name))
    if ends_at % 2:
        output.clean(print)
        assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    else:
        output.bundle("page", second)
        found = {p.relative_to(tmp_path / "output").as_posix() for p in (tmp_path / "output/page").rglob("*")}
        assert found == {"page/b", "page/b/c", "page/d"}
