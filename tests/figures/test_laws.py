"""Laws for every figure, found by its file: numbers, legibility, print, and the same bytes everywhere.

Each figure is drawn once for each weights file it can tell; a new figure is covered by being there.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import numpy as np
import pymupdf
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from attn.build import trained
from attn.build.assets import ROOT, Asset, assets
from attn.build.figure import figure as published
from attn.build.settings import Settings
from attn.build.subjects import FILES, SHIPPED, Subjects
from attn.core import numerals, record, weights
from attn.core.forward import Trace
from attn.core.model import WeightsError
from attn.core.reading import Reading
from attn.picture import labels, palette, sizes
from attn.picture.drawn import as_dict, picture
from figures._kit import paint
from tests.attn import said
from tests.figures import artists
from tests.often import some

CASES = Path(__file__).parents[1] / "cases"
OWN = SHIPPED / FILES["story"]
FIRST = OWN if OWN.is_file() else CASES / "reference.toml"
SAME = "crlf-bom"  # reads as reference.toml does (tests/attn), so it looks the same
STORIES = {file.stem: file for file in (FIRST, *sorted((CASES / "good").glob("*.toml"))) if file.stem != SAME}
PRINTED = (FIRST.stem, "symbols")  # enough for the files
TELLING = ("long-words", "symbols", "broken-story", "tie")  # enough for the other widths
SLOW = pytest.mark.slow
DRAWN = [
    pytest.param(
        asset,
        case,
        width,
        id=f"{asset.name}-{case}" + (f"-{width}" if width != asset.widths[0] else ""),
        marks=() if width == asset.widths[0] or (width, case) == (asset.widths[-1], FIRST.stem) else SLOW,
    )
    for asset in assets("figures")
    for width in asset.widths
    for case in (STORIES if asset.subject == "story" else [FIRST.stem])
    if width == asset.widths[0] or case in (FIRST.stem, *TELLING)
]
DRAWN.sort(key=lambda param: param.values[1] not in PRINTED)
PLAIN = [f"{asset.name}-{FIRST.stem}" for asset in assets("figures")]


def sparse(params: list, often: list[str]) -> list:
    """Those in `often` for `make test`, the others for `make test-all`."""
    return [pytest.param(*param.values, id=param.id, marks=() if param.id in often else SLOW) for param in params]


# HARD are the first ones, so that their places are the same: by these, tests of one picture follow each other, and only
# the last picture need be kept.
HARD = sparse([param for param in DRAWN if param.values[1] in PRINTED], PLAIN[::4])
sparsely = pytest.mark.parametrize(("asset", "case", "width"), sparse(DRAWN, PLAIN), scope="module")
each = pytest.mark.parametrize(("asset", "case", "width"), DRAWN, scope="module")
hard = pytest.mark.parametrize(("asset", "case", "width"), HARD, scope="module")
shipped = pytest.mark.parametrize("asset", some(assets("figures")), ids=lambda asset: asset.name)
MM = 25.4 / 72
UNDER = 200  # dpi at which the ground under texts is looked at
APART = 0.4  # mm between a text and what is not its own
SEEN = 2.2  # contrast from which on a line or an edge is more than ground, as a grid is


@dataclass(frozen=True, eq=False)
class Drawn:
    """A figure, the trace it shows, and its texts."""

    figure: Figure
    subject: object
    texts: object


@cache
def subjects(case: str) -> Subjects:
    return Subjects(picture(weights.load(STORIES[case])), _folder())


def _folder() -> Path:
    return Path(_kept().name)


@cache
def _kept() -> TemporaryDirectory:
    """As long as the process."""
    return TemporaryDirectory(prefix="attn-figures-")


@lru_cache(2)  # in both themes; figures are large
def drawn(asset: Asset, case: str, width: str, theme: str = "light") -> Drawn | WeightsError:
    """The figure as it would be made; or why it cannot be drawn from these weights."""
    from importlib import import_module

    subject = subjects(case).of(asset)
    module = import_module(asset.module)
    try:
        with palette.themed(theme), sizes.sized(width), paint.style():
            return Drawn(module.draw(Reading(subject)), subject, module.texts(Reading(subject)))
    except WeightsError as error:
        return error


def found(asset: Asset, case: str, width: str, theme: str = "light") -> Drawn:
    result = drawn(asset, case, width, theme)
    if isinstance(result, WeightsError):
        assert case != FIRST.stem, f"cannot be drawn from the shipped weights: {result}"
        assert "\n" not in str(result)
        pytest.skip(str(result))
    return result


def data_of(subject) -> dict:
    """What paths point into: a trace, or an experiment's results."""
    return as_dict(subject) if isinstance(subject, Trace) else plain(dataclasses.asdict(subject))


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def texts_of(figure: Figure) -> list[Text]:
    return [t for t in figure.findobj(Text) if t.get_text().strip() and t.get_visible()]


# ---- numbers ---------------------------------------------------------------------------------------------------


@each
def test_every_number_is_the_one_at_its_path(asset, case, width):
    result = found(asset, case, width)
    values = data_of(result.subject)
    for entry in paint.record(result.figure):
        text, value = entry["text"], record.lookup(values, entry["path"])
        assert isinstance(value, (int, float)) or value is None, entry
        assert value is not None or not re.search(r"\d", text), entry
        if value is not None:
            assert shows(text, value), (entry, value)


def shows(text: str, value: float) -> bool:
    """Whether `text` is `value`, rounded; the last digit of weights may give way to their sum."""
    text = text.removeprefix("+").strip()
    places = numerals.places_of(text) if "·" not in text else 2
    if text in (numerals.number(value, places), numerals.percent(numerals.number(value, places))):
        return True
    try:
        return abs(numerals.value_of(text) - value) < 10.0**-places and 0 <= value <= 1
    except ValueError:
        return False


@each
def test_no_number_is_printed_without_its_path(asset, case, width):
    result = found(asset, case, width)
    check_paths(result.figure, words_of(result.subject))


@pytest.mark.parametrize("asset", some(a for a in assets("figures") if a.subject == "story"), ids=lambda a: a.name)
def test_what_is_left_out_is_not_counted_without_a_path(asset):
    """Of a long sentence and a large vocabulary not all is shown."""
    source = artists.large(16 if asset.name == "margin" else 12)  # tables of 16 words have no room
    check_paths(artists.drawn(asset.name, source), words_of(artists.traced(source)))


def check_paths(figure: Figure, known: list[str]) -> None:
    for artist in texts_of(figure):
        if getattr(artist, "cell_path", None):
            continue
        text = artist.get_text()
        for word in known:
            text = text.replace(word, "")
        if text.rstrip().endswith("…") and any(w.startswith(text.rstrip().rstrip("…")) for w in known):
            continue
        text = re.sub(
            r"\b(Step \d|[23]-D|dim [123])\b|(?<=shape)\[-?\d\]", "", text
        )  # names; an index in a line of code
        assert not re.search(r"\d", text), artist.get_text()


def words_of(subject) -> list[str]:
    """The words of the model, the longest first: they are drawn as they are, digits and all."""
    model = getattr(subject, "model", None)
    return [] if model is None else sorted({*model.vocabulary, model.title} - {""}, key=len, reverse=True)


@each
def test_weights_printed_together_add_up_to_one(asset, case, width):
    result = found(asset, case, width)
    rows: dict[str, dict[str, float]] = {}
    for entry in paint.record(result.figure):
        match = re.fullmatch(r"(.*\battention\[\d+\])\[(\d+)\]", entry["path"])
        if match and re.search(r"\d", entry["text"]):
            rows.setdefault(match[1], {})[match[2]] = numerals.value_of(entry["text"])
    values = data_of(result.subject) if rows else {}
    for path, row in rows.items():
        seen = [i for i, weight in enumerate(record.lookup(values, path)) if weight]
        if {str(i) for i in seen} <= set(row):
            assert round(sum(row.values()), 6) == 1.0, path


# ---- what one reads --------------------------------------------------------------------------------------------


@cache
def _outline(text: str, family: tuple, style: str, weight) -> np.ndarray:
    """The ink of a text at 100 points from its base point: left, bottom, right, top in points."""
    from matplotlib.font_manager import FontProperties

    font = FontProperties(family=list(family), style=style, weight=weight, size=text_to_path.FONT_SCALE)
    with paint.style():
        points, _ = text_to_path.get_text_path(font, text, ismath=False)
    points = np.asarray(points).reshape(-1, 2)
    if not len(points):
        return np.zeros(4)
    return np.concatenate([points.min(axis=0), points.max(axis=0)]) * 100 / text_to_path.FONT_SCALE


def ink(artist: Text) -> np.ndarray:
    """Where the ink of a text is on the page: left, bottom, right, top in mm."""
    x, y = artist.get_transform().transform(artist.get_position()) * 25.4 / artist.figure.dpi
    font = artist.get_fontproperties()
    box = _outline(artist.get_text(), tuple(font.get_family()), font.get_style(), font.get_weight())
    box = box * artist.get_fontsize() / 100 * MM
    corners = np.array([(box[i], box[j]) for i in (0, 2) for j in (1, 3)])
    angle = np.radians(artist.get_rotation())
    turned = corners @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.concatenate([turned.min(axis=0), turned.max(axis=0)]) + np.array([x, y, x, y])


@each
def test_texts_keep_off_each_other_and_the_edge(asset, case, width):
    figure = found(asset, case, width).figure
    width, height = figure.get_size_inches() * 25.4
    artists = texts_of(figure)
    boxes = np.array([ink(a) for a in artists])
    for artist, box in zip(artists, boxes, strict=True):
        assert box[0] >= 0.5 and box[1] >= 0.5 and box[2] <= width - 0.5 and box[3] <= height - 0.5, artist.get_text()
    over = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:]) - np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    touching = np.argwhere(np.triu((over > 0.1).all(axis=2), 1))
    clashes = [
        (artists[i].get_text(), artists[j].get_text())
        for i, j in touching
        if getattr(artists[i], "together", 0) is not getattr(artists[j], "together", 1)
    ]
    assert not clashes


@each
def test_nothing_is_too_small_or_too_thin(asset, case, width):
    figure = found(asset, case, width).figure
    assert min(a.get_fontsize() for a in texts_of(figure)) >= paint.SMALLEST
    for line in figure.findobj(Line2D):
        if line.axes and line.get_visible() and len(line.get_xdata()):
            assert line.get_linewidth() >= 0.5
    for patch in figure.findobj(Patch):
        if patch.axes and patch is not patch.axes.patch and patch.get_edgecolor()[3]:
            assert patch.get_linewidth() == 0 or patch.get_linewidth() >= 0.5
    assert all(a.get_alpha() in (None, 1) for a in figure.findobj() if hasattr(a, "get_alpha"))


@sparsely
def test_texts_stand_out_from_what_lies_under_them(asset, case, width):
    for theme in palette.THEMES if case in (FIRST.stem, "long-words") else ("light",):
        check_contrast(found(asset, case, width, theme).figure)


def check_contrast(figure: Figure) -> None:
    ground, dots = without_texts(figure)
    for artist in texts_of(figure):
        left, bottom, right, top = (ink(artist) * dots).round().astype(int)
        patch = ground[ground.shape[0] - top : ground.shape[0] - bottom, left:right].reshape(-1, 3)
        colours, counts = np.unique(patch, axis=0, return_counts=True)
        colour = to_hex(artist.get_color())
        poor = sum(n for c, n in zip(colours, counts, strict=True) if palette.contrast(colour, to_hex(c / 255)) < 4.5)
        assert poor <= 0.3 * len(patch), (artist.get_text(), colour, poor / len(patch))


@lru_cache(2)
def without_texts(figure: Figure) -> tuple[np.ndarray, float]:
    """The figure without its texts as pixels (rows x columns x 3), and how many of them a millimetre has."""
    texts = texts_of(figure)
    before = figure.dpi
    for artist in texts:
        artist.set_visible(False)
    try:
        figure.set_dpi(UNDER)
        canvas = FigureCanvasAgg(figure)
        with paint.style():
            canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :3].copy(), UNDER / 25.4
    finally:
        figure.set_dpi(before)
        for artist in texts:
            artist.set_visible(True)


@each
def test_texts_keep_their_distance(asset, case, width):
    check_distances(found(asset, case, width).figure)


def check_distances(figure: Figure) -> None:
    """No text comes near another, a line, a mark or the edge of what it stands in."""
    artists = texts_of(figure)
    boxes = np.array([ink(artist) for artist in artists])
    gaps = np.maximum(boxes[:, None, :2] - boxes[None, :, 2:], boxes[None, :, :2] - boxes[:, None, 2:]).max(axis=2)
    near = [
        (artists[i].get_text(), artists[j].get_text())
        for i, j in np.argwhere(np.triu(gaps < APART, 1))
        if getattr(artists[i], "together", 0) is not getattr(artists[j], "together", 1)
    ]
    near += [artist.get_text() for artist, box in zip(artists, boxes, strict=True) if touches(figure, box)]
    assert near == []


def touches(figure: Figure, box: np.ndarray) -> bool:
    """Whether in a box, or near it, something stands out from what the most of it shows."""
    ground, dots = without_texts(figure)
    grown = np.array([*(box[:2] - APART), *(box[2:] + APART)]) * dots
    left, bottom, right, top = grown.round().astype(int).clip(0)
    patch = ground[max(0, len(ground) - top) : len(ground) - bottom, left:right].reshape(-1, 3)
    colours, counts = np.unique(patch, axis=0, return_counts=True)
    under = to_hex(colours[counts.argmax()] / 255)
    other = sum(n for c, n in zip(colours, counts, strict=True) if palette.contrast(under, to_hex(c / 255)) > SEEN)
    return other > 6  # dots: a tenth of a square millimetre


@sparsely
def test_no_text_lies_on_the_planes_edge_or_on_an_axis(asset, case, width):
    figure = found(asset, case, width).figure
    bounds, lines = (0.0, 0.0, *figure.get_size_inches() * 25.4), edges_and_axes(figure)
    on = [artist.get_text() for artist in texts_of(figure) if labels.clash(ink(artist), lines, bounds)]
    assert on == []


def edges_and_axes(figure: Figure) -> list[np.ndarray]:
    """The sides of the plane and the axes of every space in it, in mm."""
    lines = []
    for ax in figure.axes[1:]:
        axes = [line.get_xydata() for line in ax.findobj(Line2D) if to_hex(line.get_color()) == palette.theme().rule]
        sides = [p.get_xy() for p in ax.findobj(Polygon) if to_hex(p.get_facecolor()) == palette.pane()]
        for points in (paint.to_page(ax, line) for line in (*axes, *sides)):
            lines += zip(points[:-1], points[1:], strict=True)
    return lines


def test_the_lines_that_labels_keep_off_are_found():
    figure = found(Asset("figures", "step7_context"), FIRST.stem, "page").figure
    axes, corners = 3, len(subjects(FIRST.stem).story.view.halves(subjects(FIRST.stem).story.plane).section)
    assert len(edges_and_axes(figure)) == axes + corners


@each
def test_caption_and_alt_text_speak_of_these_words(asset, case, width):
    result = found(asset, case, width)
    texts = result.texts
    for text in (texts.title, texts.caption, texts.alt):
        assert text and "\n" not in text and "None" not in text and "nan" not in re.findall(r"\w+", text)
    for text in (texts.caption, texts.alt):
        assert len(text) > 60 and text.endswith((".", ")")) and "-0.00" not in text and not re.search(r"\s-\d", text)
    if asset.subject == "story":
        assert f"“{result.subject.tokens[-1]}”" in texts.caption + texts.alt


@each
def test_what_is_said_is_so(asset, case, width):
    result = found(asset, case, width)
    pieces = [(artist.get_text(), getattr(artist, "cell_path", None)) for artist in texts_of(result.figure)]
    written = said.labels(pieces, result.texts, result.subject)
    said.check([*said.texts(result.texts), written], result.subject, result.texts.stage)


# ---- what a printer gets ---------------------------------------------------------------------------------------


@lru_cache(1)
def saved(asset: Asset, case: str, width: str) -> dict[str, bytes]:
    result = found(asset, case, width)
    with paint.style():
        return paint.save(result.figure, asset.name, result.texts.title, result.texts.alt, "0" * 64, "0")


@hard
def test_the_pdf_can_be_printed(asset, case, width):
    data = saved(asset, case, width)["pdf"]
    with pymupdf.open(stream=data) as document:
        assert len(document) == 1
        page = document[0]
        allowed = [width] if len(asset.widths) > 1 else sizes.WIDTHS
        assert any(abs(page.rect.width * MM - sizes.WIDTHS[name]) < 0.01 for name in allowed)
        fonts = page.get_fonts(full=True)
        assert fonts and {font[1] for font in fonts} == {"ttf"}, "embedded TrueType"
        assert {font[2] for font in fonts} <= {"Type0", "TrueType"}
        assert not any("LastResort" in font[3] for font in fonts)
        sources = [document.xref_object(i) for i in range(1, document.xref_length())]
        assert page.get_text().strip(), "text stays text"
    said = "\n".join(sources)
    assert "/SMask" not in said.replace("/SMask /None", "") and "/Transparency" not in said
    assert all(float(value) == 1 for value in re.findall(r"/(?:ca|CA)\s+([\d.]+)", said))
    assert len(data) < 300_000


@hard
def test_the_svg_can_be_read_aloud_and_the_png_is_sharp(asset, case, width):
    files, result = saved(asset, case, width), found(asset, case, width)
    root = ElementTree.fromstring(files["svg"])
    space = root.tag.removesuffix("svg")
    assert root.get("role") == "img" and root.get("aria-labelledby").split() == [root[0].get("id"), root[1].get("id")]
    assert (root[0].tag, root[0].text) == (f"{space}title", result.texts.title)
    assert (root[1].tag, root[1].text) == (f"{space}desc", result.texts.alt)
    assert not root.findall(f".//{space}text"), "text as paths"
    check_ids(files["svg"], asset.name)
    assert len(files["svg"]) < 300_000 and len(files["png"]) < 600_000
    picture_of = pymupdf.Pixmap(files["png"])
    assert (picture_of.xres, picture_of.yres) == (300, 300)
    assert abs(picture_of.width - result.figure.get_figwidth() * 300) <= 1


def check_ids(svg: bytes, name: str) -> str:
    """Several drawings may stand in one web page: ids begin with what no other has, references stay in the file."""
    text = re.sub(r"<!--.*?-->", "", svg.decode("utf-8"), flags=re.S)
    ids = re.findall(r'\bid="([^"]*)"', text)
    referred = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', text)
    own = re.match(rf"{name}-[0-9a-f]{{8}}-", ids[0])[0]
    assert len(ids) == len(set(ids)) and all(found.startswith(own) for found in ids)
    assert referred and {"".join(one) for one in referred} <= set(ids)
    assert re.findall(r"<style[^>]*>([^{]*)\{", text) == [f"#{own}figure_1 *"], "a style for this drawing alone"
    return own


def test_one_drawing_from_other_weights_or_in_another_theme_has_other_ids():
    asset, seen = Asset("figures", "step7_context"), set()
    for case, theme in ((FIRST.stem, "light"), (FIRST.stem, "dark"), ("near-equal", "light")):
        result = found(asset, case, "page", theme)
        with paint.style():
            files = paint.save(result.figure, asset.name, result.texts.title, result.texts.alt, "0" * 64, "0")
        seen.add(check_ids(files["svg"], asset.name))
    assert len(seen) == 3


# What a user's own settings of matplotlib may ask for.
HOSTILE = """
font.family: cursive
font.size: 30
text.usetex: False
text.color: red
lines.linewidth: 7
lines.antialiased: False
patch.linewidth: 5
path.sketch: 1, 100, 2
axes.unicode_minus: False
figure.dpi: 31
figure.autolayout: True
figure.facecolor: yellow
savefig.bbox: tight
savefig.pad_inches: 2
savefig.dpi: 17
savefig.transparent: True
pdf.fonttype: 3
pdf.compression: 0
svg.fonttype: none
svg.hashsalt: other
"""


@pytest.mark.slow
def test_the_same_bytes_whoever_makes_them(tmp_path):
    """Figures through the command, twice: other folder, zone, locale, hash seed, user, settings, cores."""
    trained.load(_folder())
    surroundings = [
        {"TZ": "UTC", "LANG": "C", "LC_ALL": "C", "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"},
        {"TZ": "Asia/Kathmandu", "LANG": "tr_TR.UTF-8", "LC_ALL": "de_DE.UTF-8", "PYTHONHASHSEED": "77",
         "OMP_NUM_THREADS": "3", "USER": "b", "SOURCE_DATE_EPOCH": "99"},
    ]  # fmt: skip

    def made(number: int) -> dict:
        folder = tmp_path / f"folder {number}"
        own = folder / ".config" / "matplotlib"
        own.mkdir(parents=True)
        if number:
            (folder / "matplotlibrc").write_text(HOSTILE)  # both are looked into
            (own / "matplotlibrc").write_text(HOSTILE + "axes.formatter.use_locale: True\n")
        (folder / "output").mkdir()
        shutil.copy(trained.file(_folder()), folder / "output")
        ours = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "MPL", "XDG_", "ATTN_"))}
        told = ours | surroundings[number] | {"PYTHONPATH": str(ROOT), "HOME": str(folder)}
        code = "from attn.cli import main; main(prog_name='attn')"
        if not number and hasattr(os, "sched_setaffinity"):  # on one core
            code = f"import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]); {code}"
        run = subprocess.run(
            [sys.executable, "-c", code, "figure", "--weights", str(FIRST), "--claims", "warn"],
            cwd=folder, env=told, capture_output=True, text=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr[-2000:]
        files = (*(folder / "output" / "figures").iterdir(), *(folder / "output").glob("numbers.*"))
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}

    with ThreadPoolExecutor() as pool:
        first, second = pool.map(made, range(2))
    assert first.keys() == second.keys() and len(first) == 4 * len(assets("figures")) + 5
    assert {name for name in first if first[name] != second[name]} == set()


@shipped
def test_the_record_beside_a_figure_is_complete(asset):
    files = published(asset, Reading(subjects(FIRST.stem).of(asset)), Settings(formats=()))
    said = json.loads(files["json"])
    assert said["name"] == asset.name and len(said["weights"]) == 64
    assert all(set(entry) == {"text", "path"} for entry in said["values"])
    artists = texts_of(found(asset, FIRST.stem, asset.widths[0]).figure)
    both = [artist.get_text() for artist in artists], [entry["text"] for entry in said["values"]]
    shown, recorded = (Counter(text for text in texts if re.search(r"\d\.\d", text)) for texts in both)
    assert shown == recorded and said["values"]
