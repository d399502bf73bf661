"""A weights file that is watched: every way to save it is news, a look at it is none, and no save is lost."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from attn.build.watch import follow


class Done(Exception):
    """All of a test's moments are over."""


def runs(file: Path, *moments: Callable[[], object], busy: Callable[[], object] = lambda: None) -> list[bytes | None]:
    """What the runs saw while one thing after the other happened between the looks; `busy` happens in each run."""
    seen, coming = [], iter([step for moment in moments for step in (moment, rest, rest)])

    def run(overtaken) -> bool:
        assert not overtaken()
        seen.append(file.read_bytes() if file.exists() else None)
        busy()
        return not overtaken()

    def pause():
        try:
            next(coming)()
        except StopIteration:
            raise Done from None

    with pytest.raises(Done):
        follow(file, run, pause)
    return seen


def rest():
    """Nothing happens."""


@pytest.fixture
def file(tmp_path) -> Path:
    folder = tmp_path / "weights"
    folder.mkdir()
    (folder / "mine.toml").write_bytes(b"a")
    return folder / "mine.toml"


def renamed(file: Path, data: bytes):
    beside = file.with_suffix(".new")
    beside.write_bytes(data)
    beside.replace(file)


def same_size_and_time(file: Path, data: bytes):
    times = file.stat()
    file.write_bytes(data)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize("save", [Path.write_bytes, renamed, same_size_and_time])
def test_a_save_is_news_however_it_is_made(file, save):
    assert runs(file, lambda: save(file, b"b"), lambda: save(file, b"c")) == [b"a", b"b", b"c"]


def test_what_leaves_the_content_as_it_is_is_none(file):
    assert runs(file, file.read_bytes, file.touch, lambda: renamed(file, b"a")) == [b"a"]


def test_a_folder_that_went_and_came_back_is_still_watched(file):
    def back():
        file.parent.mkdir()
        file.write_bytes(b"b")

    gone = lambda: shutil.rmtree(file.parent)  # noqa: E731
    assert runs(file, gone, back, lambda: file.write_bytes(b"c")) == [b"a", None, b"b", b"c"]


def test_a_link_is_followed_wherever_it_leads(file, tmp_path):
    link, other = tmp_path / "link.toml", tmp_path / "other.toml"
    other.write_bytes(b"b")
    link.symlink_to(file)

    def lead_on():
        link.unlink()
        link.symlink_to(other)

    assert runs(link, lambda: file.write_bytes(b"c"), lead_on, lambda: other.write_bytes(b"d")) == [
        b"a", b"c", b"b", b"d"
    ]  # fmt: skip


def test_what_is_half_written_waits_until_it_rests(file):
    seen = []
    with pytest.raises(Done):
        moments = iter([lambda n=n: file.write_bytes(b"half"[:n]) for n in range(1, 5)] + [rest] * 2)
        follow(file, lambda _: seen.append(file.read_bytes()) or True, lambda: next(moments, done)())
    assert seen == [b"a", b"half"]


def done():
    raise Done


def test_a_run_that_was_overtaken_is_made_up_for_even_where_the_old_content_is_back(file):
    during = iter([lambda: file.write_bytes(b"b")])
    again = lambda: file.write_bytes(b"a")  # noqa: E731
    assert runs(file, rest, again, busy=lambda: next(during, rest)()) == [b"a", b"b", b"a"]
    during = iter([lambda: file.write_bytes(b"b")])
    assert runs(file, again, busy=lambda: next(during, rest)()) == [b"a", b"a"]
