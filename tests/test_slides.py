"""Slides, read back: each step's film as it is, starting by itself, with its poster, its text and what to say."""

import io
import json
import shutil
import subprocess
from pathlib import Path

import av
import numpy as np
import pymupdf
import pytest
from PIL import Image
from pptx import Presentation

from attn.build.chapters import cues
from tests.building import FILM, Project

TWO_BEATS = f'{FILM}        self.beat("It goes again.", manim.FadeOut(number), run_time=0.7)\n'
NAMES = "step4_softmax", "step7_context"


@pytest.fixture(scope="module")
def output(tmp_path_factory) -> Path:
    """The output folder of a project with two short films and their figures, slides of them, and slides of beats."""
    films = {f"scenes/{name}.py": TWO_BEATS for name in NAMES}
    project = Project(tmp_path_factory.mktemp("slides"), NAMES, films, cores=1)
    project.make("slides", FORMATS="png mp4", SLIDES="beats")
    shutil.move(project.folder / "output" / "slides" / "story.pptx", project.folder / "output" / "beats.pptx")
    project.make("slides", FORMATS="png mp4")
    return project.folder / "output"


@pytest.fixture(scope="module")
def deck(output):
    return Presentation(output / "slides" / "story.pptx")


def parts(slide, kind: str) -> set[bytes]:
    return {link.target_part.blob for link in slide.part.rels.values() if link.reltype.endswith(f"/{kind}")}


def test_each_film_fills_a_slide_as_it_is_with_poster_notes_and_text(deck, output):
    slides = list(deck.slides)
    assert len(slides) == 1 + len(NAMES) + 1
    for slide, name in zip(slides[1:-1], NAMES, strict=True):
        files = output / "videos"
        record = json.loads((files / f"{name}.json").read_bytes())
        movie = next(
            shape for shape in slide.shapes if shape.shape_type is not None and "MEDIA" in str(shape.shape_type)
        )
        assert (movie.left, movie.top, movie.width, movie.height) == (0, 0, deck.slide_width, deck.slide_height)
        assert parts(slide, "media") == {(files / f"{name}.mp4").read_bytes()}
        assert parts(slide, "image") == {(files / f"{name}.png").read_bytes()}
        assert movie._element.nvPicPr.cNvPr.get("descr") == record["alt"]
        said = [beat["seen"] for beat in record["beats"]]
        assert len(said) == 2 and all(text in slide.notes_slide.notes_text_frame.text for text in said)
        assert slide.shapes.title.text


def test_a_film_starts_when_its_slide_is_reached_and_plays_to_its_end(deck, output):
    for slide, name in zip(list(deck.slides)[1:-1], NAMES, strict=True):
        (timing,) = slide._element.findall("{*}timing")
        assert slide._element[-1] is timing, "the schema wants it behind what is on the slide"
        ids = [node.get("id") for node in timing.iter("{*}cTn")]
        assert len(ids) == len(set(ids))
        shapes = {str(shape.shape_id) for shape in slide.shapes}
        assert {target.get("spid") for target in timing.iter("{*}spTgt")} <= shapes
        (call,) = timing.iter("{*}cmd")
        end = cues((output / "videos" / f"{name}.vtt").read_text("utf-8"))[-1][1]
        assert call.get("cmd") == "playFrom(0.0)"
        assert int(next(call.iter("{*}cTn")).get("dur")) == round(1000 * end)
        (click,) = [node for node in timing.iter("{*}cTn") if node.get("nodeType") == "afterEffect"]
        assert click.getparent().tag.endswith("par")


def test_the_last_slide_is_the_figure_of_the_last_step_inside_it(deck, output):
    last = list(deck.slides)[-1]
    (picture,) = [shape for shape in last.shapes if not shape.is_placeholder]
    assert picture.image.blob in {path.read_bytes() for path in (output / "figures").glob("*.png")}
    assert picture.left >= 0 and picture.top >= 0
    assert picture.left + picture.width <= deck.slide_width and picture.top + picture.height <= deck.slide_height
    assert picture._element.nvPicPr.cNvPr.get("descr")


def packets(film: bytes) -> list[bytes]:
    with av.open(io.BytesIO(film)) as container:
        return [bytes(packet) for packet in container.demux(video=0) if packet.size]


def test_beats_are_pieces_of_their_film_each_with_the_picture_that_the_one_before_ends_with(output):
    slides = list(Presentation(output / "beats.pptx").slides)[1:-1]
    assert len(slides) == 2 * len(NAMES) and len({slide.shapes.title.text for slide in slides}) == len(slides)
    for number, name in enumerate(NAMES):
        beats = json.loads((output / "videos" / f"{name}.json").read_bytes())["beats"]
        own = slides[2 * number : 2 * number + 2]
        films = [parts(slide, "media").pop() for slide in own]
        whole = (output / "videos" / f"{name}.mp4").read_bytes()
        assert [packet for film in films for packet in packets(film)] == packets(whole)
        for slide, beat, film in zip(own, beats, films, strict=True):
            (call,) = slide._element.iter("{*}cmd")
            assert int(next(call.iter("{*}cTn")).get("dur")) == round(1000 * (beat["end"] - beat["start"]))
            assert slide.notes_slide.notes_text_frame.text == beat["seen"]
            with av.open(io.BytesIO(film)) as container, Image.open(io.BytesIO(parts(slide, "image").pop())) as poster:
                first = next(container.decode(video=0)).to_image()
                assert poster.size == first.size
                assert np.abs(np.asarray(poster.convert("RGB"), int) - np.asarray(first, int)).mean() < 2


@pytest.mark.slow
def test_libreoffice_makes_a_page_of_each_slide(deck, output, tmp_path):
    if not (office := shutil.which("soffice")):
        pytest.skip("needs LibreOffice")
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    command = [office, profile, "--headless", "--convert-to", "pdf", "--outdir", tmp_path, output / "slides/story.pptx"]
    subprocess.run(command, check=True, capture_output=True)
    with pymupdf.open(tmp_path / "story.pdf") as pages:
        assert len(pages) == len(deck.slides)
        assert all(len(set(page.get_pixmap(dpi=20, annots=False).samples)) > 1 for page in pages), "none is empty"
