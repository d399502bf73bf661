"""Files come into output/ whole or not at all."""

import errno
import json
import os
import tempfile
from pathlib import Path

import pytest

from attn.build import publish
from attn.build.assets import Asset, assets
from attn.build.output import scratch, sweep, temporary, write
from attn.build.settings import Settings
from attn.picture import sizes
from attn.texts.phrases import Texts


def test_what_is_there_already_is_left_alone(tmp_path):
    path = tmp_path / "new" / "a.pdf"
    assert write(path, b"1")
    time = path.stat().st_mtime_ns
    assert not write(path, b"1") and path.stat().st_mtime_ns == time
    assert write(path, b"2") and path.read_bytes() == b"2"
    assert [p.name for p in path.parent.iterdir()] == ["a.pdf"]


def test_a_full_disk_leaves_the_old_content_and_is_named(tmp_path, monkeypatch):
    path = tmp_path / "a.pdf"
    path.write_bytes(b"old")

    def full(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left on device.*a.pdf"):
        write(path, b"new content")
    assert path.read_bytes() == b"old" and [p.name for p in tmp_path.iterdir()] == ["a.pdf"]


def test_sweep_removes_what_broken_off_runs_left(tmp_path):
    temporary(tmp_path / "a.pdf").write_bytes(b"half")
    (tmp_path / "a.pdf").write_bytes(b"whole")
    (tmp_path / "fontlist.json.matplotlib-lock").touch()
    sweep([tmp_path, tmp_path / "none"])
    assert [p.name for p in tmp_path.iterdir()] == ["a.pdf"]


def test_temporary_files_lie_in_one_folder_that_is_gone_afterwards(tmp_path):
    folder = tmp_path / "tmp"
    folder.mkdir()
    (folder / "left by a killed run").touch()
    before, environment = tempfile.gettempdir(), dict(os.environ)
    with pytest.raises(KeyboardInterrupt), scratch(folder):
        assert Path(tempfile.mkdtemp()).parent == folder and os.environ["TMPDIR"] == str(folder)
        assert len(list(folder.iterdir())) == 1
        raise KeyboardInterrupt
    assert not folder.exists() and (tempfile.gettempdir(), dict(os.environ)) == (before, environment)


def test_the_record_is_json_with_texts_as_they_are():
    texts = Texts('The "title"', (), "ê $x_1$", "<b>&", "")
    data = publish.sidecar(publish.record("a", texts, "0" * 64, [{"text": "0.30", "path": "a[0]"}]))
    found = json.loads(data)
    assert {"name", "title", "caption", "alt", "weights", "values"} <= set(found)
    assert found["caption"] == "ê $x_1$" and found["alt"] == "<b>&"


def test_settings_that_matter_to_a_figure_are_not_those_of_a_film():
    fast = Settings(quality="low")
    figure, film = Asset("figures", "step7_context"), Asset("videos", "step7_context")
    assert fast.that_matter(figure) == Settings().that_matter(figure)
    assert fast.that_matter(film) != Settings().that_matter(film)
    narrow = Settings(width=84.0)
    assert narrow.that_matter(figure) != Settings().that_matter(figure)
    assert narrow.that_matter(film) == Settings().that_matter(film)


def test_a_width_matters_to_figures_that_allow_it_alone():
    for asset in assets("figures"):
        for wanted in (*sizes.WIDTHS.values(), 150.0):
            same = Settings(width=wanted).that_matter(asset) == Settings().that_matter(asset)
            assert same == (len(asset.widths) == 1 or wanted == sizes.WIDTHS[asset.widths[0]])
