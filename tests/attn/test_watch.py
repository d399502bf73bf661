"""A weights file that is watched: a save is news wherever the file is, a look at it is none."""

import time

import pytest
from watchdog.observers import Observer

from attn.watch import _Saves


@pytest.mark.parametrize("linked", [False, True])
def test_a_save_is_news_and_reading_is_none(tmp_path, linked):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    file = tmp_path / "there" / "mine.toml"
    file.write_text("a")
    watched = tmp_path / "here" / "link.toml" if linked else file
    if linked:
        watched.symlink_to(file)
    observer = Observer()
    saves = _Saves(watched, observer)
    observer.start()
    try:
        assert watched.read_text() == "a"
        time.sleep(0.3)
        assert not saves.news.is_set()
        file.write_text("b")
        assert saves.news.wait(5)
        time.sleep(0.3)
        saves.news.clear()
        watched.unlink()  # as an editor does that puts a new file in its place
        watched.write_text("c")
        assert saves.news.wait(5)
    finally:
        observer.stop()
        observer.join()
