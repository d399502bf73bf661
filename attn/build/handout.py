"""Paper for those who listen, and for the one who speaks: a handout, and a storyboard of the films. Typst sets them."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

import typst

from attn.build.assets import Asset
from attn.build.chapters import MOMENT, Chapter, chapters
from attn.build.output import Output
from attn.build.subjects import Subjects
from attn.picture import fonts
from attn.texts import page as told

SOURCE = Path(__file__).with_suffix(".typ")
LINES = 3  # to write on, for each step
WIDTH = 640  # pixels of a picture in the storyboard: a third of a page at 300 dpi
PAPERS = {"a4": "a4", "letter": "us-letter"}


def files(output: Output, subjects: Subjects, without: Collection[Asset], paper: str) -> dict[str, bytes]:
    """handout.pdf, half a page for each chapter, and storyboard.pdf, a picture for each beat of the films."""
    found = [one for one in chapters(output, without) if one.figure or not one.film.asset.parts]
    with fonts.in_a_folder() as folder:
        pictures = _Pictures(folder)
        steps = [_step(chapter, pictures) for chapter in found]
        films = [_film(chapter, pictures) for chapter in found if chapter.film]
        common = {"title": told.TITLE, "paper": PAPERS[paper], "lines": LINES}
        return {
            "handout.pdf": _set(folder, common | {"kind": "handout", "steps": steps}),
            "storyboard.pdf": _set(folder, common | {"kind": "storyboard", "films": films}),
        }


class _Pictures:
    """Pictures as Typst finds them: files in a folder of its own."""

    def __init__(self, folder: Path):
        self._folder, self._count = folder, 0

    def put(self, data: bytes, extension: str) -> str:
        """The name under which a picture can be shown."""
        self._count += 1
        name = f"picture{self._count}.{extension}"
        (self._folder / name).write_bytes(data)
        return name


def _step(chapter: Chapter, pictures: _Pictures) -> dict:
    """A chapter's figure, which has its title, or the poster of its film."""
    main, extension = (chapter.figure, "svg") if chapter.figure else (chapter.film, "png")
    return {
        "title": chapter.title,
        "titled": chapter.figure is None,
        "picture": pictures.put(main.files[extension].read_bytes(), extension),
        "alt": main.alt,
        "said": main.caption,
    }


def _film(chapter: Chapter, pictures: _Pictures) -> dict:
    """A film's beats, each with the picture that it ends on."""
    beats = chapter.film.beats()
    shown = chapter.film.stills((end - MOMENT for _, end, _ in beats), WIDTH)
    return {
        "title": chapter.title,
        "beats": [
            {"picture": pictures.put(picture, "jpg"), "alt": said, "time": f"{int(start) // 60}:{int(start) % 60:02}",
             "said": said}
            for (start, _, said), picture in zip(beats, shown, strict=True)
        ],
    }  # fmt: skip


def _set(folder: Path, content: dict) -> bytes:
    """The PDF that Typst sets of `content`, in exactly the fonts in `folder`."""
    only = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder])
    compiler = typst.Compiler(root=folder, font_paths=only, ignore_system_fonts=True)
    pdf = compiler.compile(SOURCE.read_bytes(), format="pdf", sys_inputs={"told": json.dumps(content)})
    assert isinstance(pdf, bytes)  # a list of them where each page is a file
    return pdf
