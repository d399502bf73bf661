"""Slides: a PowerPoint file for each story; the film of a step, or of a beat, fills a slide and starts by itself."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from lxml import etree
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Inches

from attn.build.assets import Asset, steps
from attn.build.chapters import MOMENT, Chapter, Made, by_subject, chapters
from attn.build.output import Output
from attn.build.subjects import Subjects
from attn.picture.palette import theme
from attn.picture.richtext import from_data, spoken
from attn.texts import page as told

WIDTH, HEIGHT = Inches(40 / 3), Inches(7.5)  # 16:9, as PowerPoint has it
MARGIN = Inches(0.5)
TITLE_SLIDE, TITLE_ONLY = 0, 5  # layouts of python-pptx's own template
MADE = datetime(1980, 1, 1)  # the first day of a ZIP file: the same slides have the same bytes
_TIMING = """
<p:timing xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:tnLst><p:par>
<p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst>
<p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq"><p:childTnLst>
<p:par><p:cTn id="3" fill="hold"><p:stCondLst><p:cond delay="indefinite"/>
<p:cond evt="onBegin" delay="0"><p:tn val="2"/></p:cond></p:stCondLst><p:childTnLst>
<p:par><p:cTn id="4" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>
<p:par><p:cTn id="5" presetID="1" presetClass="mediacall" presetSubtype="0" fill="hold" nodeType="afterEffect">
<p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>
<p:cmd type="call" cmd="playFrom(0.0)"><p:cBhvr><p:cTn id="6" dur="{length}" fill="hold"/>
<p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl></p:cBhvr></p:cmd>
</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn>
<p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:prevCondLst>
<p:nextCondLst><p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:nextCondLst></p:seq>
<p:video><p:cMediaNode vol="80000"><p:cTn id="7" fill="hold" display="0">
<p:stCondLst><p:cond delay="indefinite"/></p:stCondLst></p:cTn>
<p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl></p:cMediaNode></p:video>
</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>
"""


class Clip(NamedTuple):
    """What a slide shows, and what is said to it."""

    title: str
    movie: bytes
    poster: bytes
    alt: str
    script: str
    seconds: float


def files(output: Output, subjects: Subjects, without: Collection[Asset], slides: str) -> dict[str, bytes]:
    """A deck for each story that has films, by path: all its films but the whole one, which is joined from them.

    slides: "steps" for a slide a film, "beats" for a slide a beat, so that one can stop after each.
    """
    clips = {"steps": _whole, "beats": _in_beats}[slides]
    told_of = by_subject([one for one in chapters(output, without) if one.figure or not one.film.asset.parts])
    filmed = {name: found for name, found in told_of.items() if any(one.film for one in found)}
    return {f"slides/{name}.pptx": _deck(name, found, clips) for name, found in filmed.items()}


def _deck(subject: str, found: list[Chapter], clips: Callable[[Chapter], Iterable[Clip]]) -> bytes:
    """A title, a slide for each clip, and the figure of the last step, in which all comes together."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = WIDTH, HEIGHT
    deck.core_properties.title, deck.core_properties.author = told.PARTS[subject], "attn"
    deck.core_properties.created = deck.core_properties.modified = MADE
    _paint(deck.slide_master)
    title = deck.slides.add_slide(deck.slide_layouts[TITLE_SLIDE])
    title.shapes.title.text, title.placeholders[1].text = told.PARTS[subject], told.TITLE
    for shape, top in ((title.shapes.title, HEIGHT // 3), (title.placeholders[1], HEIGHT * 3 // 5)):
        shape.left, shape.top, shape.width, shape.height = MARGIN, top, WIDTH - 2 * MARGIN, HEIGHT // 5
        shape.text_frame.paragraphs[0].font.color.rgb = _colour(theme().ink)
    for chapter in (one for one in found if one.film):
        for clip in clips(chapter):
            _film(_slide(deck, clip.title), clip)
    row = [asset.name for asset in steps()]
    drawn = sorted((one for one in found if one.figure), key=lambda one: one.name in row and row.index(one.name) + 1)
    if drawn:
        _figure(_slide(deck, drawn[-1].title), drawn[-1].figure)
    return _same_bytes(deck)


def _paint(master) -> None:
    """The ground of all slides is that of the films."""
    master.background.fill.solid()
    master.background.fill.fore_color.rgb = _colour(theme().paper)


def _colour(code: str) -> RGBColor:
    return RGBColor.from_string(code.removeprefix("#").upper())


def _slide(deck, name: str):
    """A slide with its title, which outlines and screen readers name it by; a film or a figure covers it."""
    slide = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    title = slide.shapes.title
    title.text = name
    title.left, title.top, title.width, title.height = MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEIGHT // 6
    return slide


def _whole(chapter: Chapter) -> list[Clip]:
    """A step's film as it is; to say is what the step does, and what is seen."""
    film, beats = chapter.film, chapter.film.beats()
    script = [spoken(from_data(chapter.main.record["does"])), *(seen for _, _, seen in beats)]
    movie, poster = (film.files[extension].read_bytes() for extension in ("mp4", "png"))
    return [Clip(chapter.title, movie, poster, film.alt, "\n".join(filter(None, script)), beats[-1][1])]


def _in_beats(chapter: Chapter) -> list[Clip]:
    """A step's film in pieces, a beat each."""
    from scenes._kit.join import cut

    beats = chapter.film.beats()
    movies = cut(chapter.film.files["mp4"], [start for start, _, _ in beats])
    posters = chapter.film.stills(start + MOMENT for start, _, _ in beats)
    return [
        Clip(told.beat(chapter.title, number, len(beats)), movie, poster, seen, seen, end - start)
        for number, ((start, end, seen), movie, poster) in enumerate(zip(beats, movies, posters, strict=True), 1)
    ]


def _film(slide, clip: Clip) -> None:
    movie = slide.shapes.add_movie(
        io.BytesIO(clip.movie), 0, 0, WIDTH, HEIGHT, poster_frame_image=io.BytesIO(clip.poster), mime_type="video/mp4"
    )
    _describe(movie, clip.title, clip.alt)
    _start_by_itself(slide, movie, clip.seconds)
    slide.notes_slide.notes_text_frame.text = clip.script


def _start_by_itself(slide, movie, seconds: float) -> None:
    """Lets the movie of `slide` start when the slide is reached, and stop on its last picture.

    python-pptx writes a timing with which it waits for a click.
    """
    element = slide._element
    for timing in element.findall("{*}timing"):
        element.remove(timing)
    timing = _TIMING.replace("\n", "").format(shape=movie.shape_id, length=round(1000 * seconds))
    element.append(etree.fromstring(timing, element.getroottree().parser))


def _figure(slide, figure: Made) -> None:
    """A figure as large as the slide allows, in its middle."""
    picture = slide.shapes.add_picture(str(figure.files["png"]), 0, 0)
    share = min(WIDTH / picture.width, HEIGHT / picture.height)
    picture.width, picture.height = round(share * picture.width), round(share * picture.height)
    picture.left, picture.top = (WIDTH - picture.width) // 2, (HEIGHT - picture.height) // 2
    _describe(picture, figure.record["title"], figure.alt)
    slide.notes_slide.notes_text_frame.text = figure.caption


def _describe(shape, name: str, alt: str) -> None:
    """The text for people who cannot see it."""
    shape.name = name
    shape._element.nvPicPr.cNvPr.set("descr", alt)


def _same_bytes(deck) -> bytes:
    """The file, without the time at which it was made."""
    saved, again = io.BytesIO(), io.BytesIO()
    deck.save(saved)
    with ZipFile(saved) as made, ZipFile(again, "w", ZIP_DEFLATED) as same:
        for name in made.namelist():
            same.writestr(ZipInfo(name, MADE.timetuple()[:6]), made.read(name), ZIP_DEFLATED)
    return again.getvalue()
