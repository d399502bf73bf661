"""The web page: one folder that opens from disk, of what is made already; no server, no network, no framework."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from attn.build.assets import Asset
from attn.build.chapters import Chapter, by_subject, chapters
from attn.build.output import Output
from attn.build.page import colours, space, tables
from attn.build.subjects import Subjects
from attn.texts import page as told

HERE = Path(__file__).parent


def files(output: Output, subjects: Subjects, without: Collection[Asset]) -> dict[str, bytes]:
    """The page's files by path in `output`, of all figures and films in `output` but those that could not be made."""
    found = chapters(output, without)
    of = {chapter.name: subjects.of(chapter.main.asset) for chapter in found}
    copies = {f"page/{path.parent.name}/{path.name}": path.read_bytes() for path in _files(found)}
    data = {"space": space.whole(subjects.story), "chapters": {c.anchor: _data(c, of[c.name]) for c in found}}
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    html = environment.get_template("page.html").render(
        told=told, parts=by_subject(found), chapters=found, of=of, data=data,
        tables=tables.tables, prediction=tables.prediction, labels=space.labels, of_word=colours.of_word,
    )  # fmt: skip
    made = copies | {
        "page/index.html": html.encode(),
        "page/page.css": (colours.sheet(subjects) + (HERE / "page.css").read_text("utf-8")).encode(),
        "page/page.js": (HERE / "page.js").read_bytes(),
    }
    return made | {"page/made.js": _stamp(made)}  # comes last


def _stamp(made: Mapping[str, bytes]) -> bytes:
    """A script by which an open page is told that it is another one by now."""
    total = hashlib.blake2b()
    for path, data in sorted(made.items()):
        total.update(path.encode() + hashlib.blake2b(data).digest())
    return f'made("{total.hexdigest()}");\n'.encode()


def _files(found: Iterable[Chapter]) -> Iterable[Path]:
    return (
        path for chapter in found for made in (chapter.figure, chapter.film) if made for path in made.files.values()
    )


def _data(chapter: Chapter, trace) -> dict:
    """What the script needs of a chapter."""
    return {
        "cues": chapter.film.cues() if chapter.film else [],
        "beats": [end for _, end, _ in chapter.film.beats()] if chapter.film else [],
        "arrows": space.arrows(chapter, trace),
    }
