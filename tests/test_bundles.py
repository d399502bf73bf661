"""What is made of figures and films: by content, whole or not at all, and taken away with them. Through make."""

import shutil

import pytest

from attn.build import output as folders
from attn.build.output import BUNDLES, Output
from tests.building import FILM, Project, bumped

NAME = "step4_softmax"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Project:
    """A project with one figure and one short film of the same name, and all that is made of them."""
    project = Project(tmp_path_factory.mktemp("bundles"), [NAME], {f"scenes/{NAME}.py": FILM}, cores=1)
    for bundle in BUNDLES:
        project.make(bundle)
    return project


def contents(project: Project) -> dict[str, bytes]:
    folder = project.folder / "output"
    paths = (path for bundle in BUNDLES for path in (folder / bundle).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("bundle", BUNDLES)
def test_a_second_make_starts_nothing(built, bundle):
    assert built.make(bundle) == f"attn: nothing to be done; output/{bundle} up to date\n"


@pytest.mark.parametrize("bundle", BUNDLES)
def test_what_was_deleted_or_damaged_comes_back_and_nothing_else_is_touched(built, bundle):
    before = contents(built)
    files = sorted(path for path in (built.folder / "output" / bundle).rglob("*") if path.is_file())
    times = {path: path.stat().st_mtime_ns for path in files[1:]}
    files[0].write_bytes(b"damaged")
    built.make(str((built.folder / "output" / bundle).relative_to(built.folder)))
    assert contents(built) == before
    assert {path: path.stat().st_mtime_ns for path in files[1:]} == times
    shutil.rmtree(built.folder / "output" / bundle)
    built.make(bundle)
    assert contents(built) == before


def test_a_change_of_the_weights_is_in_all_of_them_and_goes_as_it_came(built):
    before, original = contents(built), built.weights.read_text("utf-8")
    built.weights.write_text(bumped("W_Q")(original), "utf-8")
    for bundle in BUNDLES:
        built.make(bundle, CLAIMS="warn")
    changed = {name for name, data in contents(built).items() if data != before[name]}
    assert all(any(name.startswith(bundle) for name in changed) for bundle in BUNDLES)
    assert not {"page/page.js", "page/page.css"} & changed
    built.weights.write_text(original, "utf-8")
    for bundle in BUNDLES:
        built.make(bundle)
    assert contents(built) == before


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
    output, first, second = Output(tmp_path / "output"), {"a": b"1", "b/c": b"2"}, {"b/c": b"3", "d": b"4"}
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
            name = path.relative_to(tmp_path / "output" / "page").as_posix()
            assert path.read_bytes() in (first.get(name), second.get(name))
    if ends_at % 2:
        output.clean(print)
        assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    else:
        output.bundle("page", second)
        found = {p.relative_to(tmp_path / "output" / "page").as_posix() for p in (tmp_path / "output/page").rglob("*")}
        assert found == {"b", "b/c", "d"}
