"""Drawing on a printed page with matplotlib: millimetres, points, rich text, arrows, and one way to save.

A page is a figure of exact size with one axes over all of it whose data are millimetres, origin bottom left. Panels
are axes of their own in data coordinates, one scale for both directions.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from xml.sax.saxutils import escape

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontEntry, FontProperties, fontManager
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from attn.core import numerals
from attn.core.model import WeightsError
from attn.picture import fonts, palette, richtext, sizes
from attn.picture.richtext import Rich, Run

MM = 72 / 25.4  # points in a millimetre
COLUMN, TEXT, PAGE = (sizes.WIDTHS[name] for name in ("column", "text", "page"))  # mm
SMALL, BODY, HEAD, TITLE = 7.0, 8.5, 9.5, 12.0  # pt
SMALLEST = 7.0  # pt, subscripts too
THIN = 0.5  # pt
DPI = 300
FREE = 0.5  # mm at the page's edge
ROW = 2.65  # mm from line to line of the smallest text, at least
TOUCH = 0.1  # mm that boxes of texts may share


@dataclass(eq=False)
class Page:
    """A figure of `width` x `height` mm; `ax` covers it in millimetres, on top of all panels."""

    width: float
    height: float
    figure: Figure = field(init=False)
    ax: Axes = field(init=False)

    def __post_init__(self):
        self.figure = Shown(figsize=(self.width / 25.4, self.height / 25.4), facecolor=palette.theme().paper)
        self.figure.page = self
        self.ax = self.panel((0, 0, self.width, self.height), (0, self.width), (0, self.height))
        self.ax.set_zorder(10)

    def panel(self, box: Sequence[float], xlim: Sequence[float], ylim: Sequence[float]) -> Axes:
        """Axes without frame on `box` (left, bottom, width, height in mm) with the given data limits."""
        left, bottom, width, height = box
        ax = self.figure.add_axes(
            (left / self.width, bottom / self.height, width / self.width, height / self.height), frameon=False
        )
        ax.set(xlim=xlim, ylim=ylim, xticks=(), yticks=())
        return ax

    # Short names for what every figure does on the page itself; all in mm.

    def text(self, x, y, content, size=BODY, **options) -> list[Text]:
        return text(self.ax, x, y, content, size, **options)

    def line(self, points, colour, width=THIN, dash=()) -> Line2D:
        return line(self.ax, points, colour, width, dash)

    def polygon(self, points, fill, edge=None, width=THIN) -> Polygon:
        return polygon(self.ax, points, fill, edge, width)


class Shown(Figure):
    """A figure that shows itself in a notebook."""

    def _repr_png_(self) -> bytes:
        with style():
            return _bytes(self, "png", dpi=DPI / 2)


def is_page(figure) -> bool:
    """Whether this is the figure of a Page: of a size in millimetres, in our fonts."""
    return isinstance(getattr(figure, "page", None), Page)


def width() -> float:
    """The width that is in force, in mm."""
    return sizes.width()


def scale(ax: Axes) -> float:
    """Millimetres a data unit of `ax` takes on the page."""
    (left, right), box = ax.get_xlim(), ax.get_position()
    return ax.figure.get_figwidth() * 25.4 * box.width / (right - left)


def to_page(ax: Axes, points) -> np.ndarray:
    """Data points of `ax` (... x 2) in millimetres on the page."""
    box, figure = ax.get_position(), ax.figure
    low = np.array([ax.get_xlim()[0], ax.get_ylim()[0]])
    span = np.array([ax.get_xlim()[1], ax.get_ylim()[1]]) - low
    size = np.array([figure.get_figwidth(), figure.get_figheight()]) * 25.4
    return (np.array([box.x0, box.y0]) + (np.asarray(points) - low) / span * np.array([box.width, box.height])) * size


# ---- text ------------------------------------------------------------------------------------------------------


# Places of numbers that a worksheet gives: what is learned, sizes, the ends of axes.
GIVEN = re.compile(r"parameters\b|embeddings\b|positions\b|d_|n\b|n_max\b|V\b|view\b")
ANSWER = 10.0  # mm, the line for a word to be found out; the length of a line to write on tells nothing
_blanks: ContextVar[bool] = ContextVar("blanks", default=False)


@contextmanager
def blanked() -> Iterator[None]:
    """In this block what is computed is left out: a line to write on stands in the place of numbers and answers."""
    token = _blanks.set(True)
    try:
        yield
    finally:
        _blanks.reset(token)


def blank() -> bool:
    """Whether what is computed is left out."""
    return _blanks.get()


def _left_out(run: Run) -> bool:
    return blank() and (run.answer or (run.path is not None and not GIVEN.match(run.path)))


def asks(figure: Figure) -> list[str | None]:
    """What a blank figure leaves to be filled in, line by line: a number's place in the trace, or None for a word."""
    return [artist.asked for artist in figure.findobj(Line2D) if hasattr(artist, "asked")]


def measured(fill: str) -> str:
    """The fill of a bar or a cell that shows a number: none where that number is left out."""
    return palette.theme().paper if blank() else fill


def told(texts) -> Rich:
    """What a picture says below: what is done, and what comes of it, unless that is to be found out."""
    return texts.does if blank() else texts.told


@fonts.cached
def _family() -> tuple[str, ...]:
    """Registers the fonts in force under names of our own, so that no font of the system can take their place."""
    files = {("attn", style): fonts.font_file(style) for style in fonts.STYLES}
    files |= {("attn fallback", style): fonts.fallback_file(style) for style in fonts.STYLES}
    files |= {("attn plain", style): fonts.fallback_file() for style in fonts.STYLES}  # has more than its bold sister
    files |= {(f"attn {own.name}", style): own for own in fonts.own_files() for style in fonts.STYLES}
    for (name, style), file in files.items():
        slant, weight = "italic" if "i" in style else "normal", 600 if "b" in style else 400
        fontManager.ttflist.append(
            FontEntry(fname=str(file), name=name, style=slant, weight=weight, stretch="normal", size="scalable")
        )
    return tuple(dict.fromkeys(name for name, _ in files))


def _font(run: Run, size: float) -> FontProperties:
    return _properties(run.style, _size(run, size)).copy()  # an artist may change its own


@fonts.cached
def _properties(style: str, size: float) -> FontProperties:
    return FontProperties(
        family=list(_family()),
        style="italic" if "i" in style else "normal",
        weight=600 if "b" in style else 400,
        size=size,
    )


def _size(run: Run, size: float) -> float:
    return max(SMALLEST, 0.74 * size) if run.script else size


@fonts.cached
def _advance(run: Run, size: float) -> float:
    """The width of a run in mm; blanks at its ends count."""
    style, size = run.style, _size(run, size)
    return (_width(f"|{run.text}|", style, size) - _width("||", style, size)) / MM


@fonts.cached
def _width(text: str, style: str, size: float) -> float:
    return text_to_path.get_text_width_height_descent(text, _properties(style, size), ismath=False)[0]


def text_width(content, size: float = BODY) -> float:
    """The width of rich text in mm."""
    return sum(_room(run, size) for run in richtext.as_rich(content))


def _room(run: Run, size: float) -> float:
    if not _left_out(run):
        return _advance(run, size)
    return _advance(replace(run, text=numerals.MINUS + run.text.lstrip(numerals.MINUS)), size) if run.path else ANSWER


def cap_height(size: float) -> float:
    """The height of a capital letter in mm."""
    return 0.66 * size / MM


def text(ax, x, y, content, size=BODY, ha="left", va="base", colour=None) -> list[Text]:
    """Rich text at a point of `ax` in data coordinates; a Text artist a run. Numbers carry their path as `cell_path`.

    `ha` is left, center or right; `va` base (on the baseline) or middle (of the capitals).
    """
    runs = richtext.as_rich(content)
    mm = scale(ax)
    at = x - {"left": 0, "center": 0.5, "right": 1}[ha] * text_width(runs, size) / mm
    base = y - (cap_height(size) / 2 / mm if va == "middle" else 0)
    artists = []
    for run in runs:
        width = _room(run, size) / mm
        if _left_out(run):
            line(ax, [(at, base - 0.4 / mm), (at + width, base - 0.4 / mm)], palette.theme().rule).asked = run.path
            at += width
            continue
        artist = ax.text(
            at, base + _raised(run, size) / mm, run.text, fontproperties=_font(run, size), parse_math=False, ha="left",
            va="baseline", color=run.colour or colour or palette.theme().ink,
        )  # fmt: skip
        artist.cell_path, artist.together = run.path, artists
        artists.append(artist)
        at += width
    return artists


def ink(content, size: float = BODY) -> np.ndarray:
    """Where the ink of rich text is, from the point at which `text` begins it: left, bottom, right, top in mm."""
    at, boxes = 0.0, []
    for run in richtext.as_rich(content):
        points = _size(run, size)
        font = _font(run, size)
        box = _outline(run.text, tuple(font.get_family()), font.get_style(), font.get_weight()) * points / MM
        boxes.append(box + np.array([at, _raised(run, size)] * 2))
        at += _room(run, size)
    return np.concatenate([np.min(boxes, axis=0)[:2], np.max(boxes, axis=0)[2:]])


def _raised(run: Run, size: float) -> float:
    """How far above the line a run stands, in mm."""
    return {0: 0, -1: -0.17, 1: 0.36}[run.script] * size / MM


def upward(ax, x, y, run: Run, size=BODY) -> None:
    """One run written upwards from a point of `ax` (data coordinates), its capitals centred on x."""
    if _left_out(run):
        line(ax, [(x, y), (x, y + _room(run, size) / scale(ax))], palette.theme().rule).asked = run.path
        return
    artist = ax.text(
        x + cap_height(size) / 2 / scale(ax), y, run.text, fontproperties=_font(run, size), parse_math=False,
        ha="left", va="baseline", rotation=90, rotation_mode="anchor", color=run.colour or palette.theme().ink,
    )  # fmt: skip
    artist.cell_path = run.path


def fitted(content, width: float, size: float) -> float:
    """The size, at most `size` and at least SMALLEST, at which rich text is `width` mm wide or less."""
    return max(SMALLEST, min(size, size * width / max(text_width(content, size), 1e-9)))


def first_that_fits(wordings: Sequence, width: float, size: float):
    """The first of several wordings that is at most `width` mm wide; the last if none is."""
    return next((w for w in wordings if text_width(w, size) <= width), wordings[-1])


def shortened(content: Run | Rich, width: float, size: float = SMALLEST):
    """Text whose last run, a word, is cut with an ellipsis so that all of it is at most `width` mm wide at `size`."""
    if isinstance(content, Run):
        return shortened((content,), width, size)[0]
    *before, run = content
    text = run.text
    while text and text_width((*before, run), size) > width:
        text = text[:-1]
        run = replace(run, text=f"{text}…")
    return (*before, run)


def wrapped(content, width: float, size: float = BODY) -> list[Rich]:
    """Rich text broken at blanks into lines of at most `width` mm; a longer word stands alone."""
    words: list[list[Run]] = [[]]
    for run in richtext.as_rich(content):
        for i, piece in enumerate(run.text.split(" ")):
            if i:
                words.append([])
            if piece:
                words[-1].append(replace(run, text=piece))
    lines: list[list[Run]] = [[]]
    for pieces in filter(None, words):
        longer = [*lines[-1], *([Run(" ")] if lines[-1] else []), *pieces]
        if lines[-1] and text_width(longer, size) > width:
            lines.append(pieces)
        else:
            lines[-1] = longer
    return [tuple(line) for line in lines]


def paragraph(page: Page, x, y, content, width, size=BODY, leading=1.28, colour=None) -> float:
    """Wrapped rich text whose first baseline is at y; gives the baseline below the last line, in mm."""
    for row in wrapped(content, width, size):
        page.text(x, y, row, size, colour=colour)
        y -= leading * size / MM
    return y


# ---- lines -----------------------------------------------------------------------------------------------------


def line(ax, points, colour, width=THIN, dash=(), begun=0.0) -> Line2D:
    """A line through `points` (m x 2, data coordinates); `dash` in line widths, () for solid.

    So much of its dashes has `begun` before it, in mm.
    """
    x, y = np.asarray(points, dtype=float).T
    style, cap = ((begun * MM / width, dash), "round" if dash[0] < 0.5 else "butt") if dash else ("-", "butt")
    artist = Line2D(
        x, y, color=colour, linewidth=width, linestyle=style, dash_capstyle=cap, solid_capstyle=cap,
        solid_joinstyle="miter",
    )  # fmt: skip
    artist.set_zorder(2)
    return ax.add_artist(artist)


def polygon(ax, points, fill, edge=None, width=THIN) -> Polygon:
    """A filled polygon (m x 2, data coordinates), opaque, with a line around it where `edge` is a colour."""
    artist = Polygon(
        np.asarray(points, dtype=float), closed=True, facecolor=fill, edgecolor=edge or fill,
        linewidth=width if edge else 0, zorder=2, joinstyle="round",
    )  # fmt: skip
    return ax.add_artist(artist)


def box(left: float, bottom: float, right: float, top: float) -> list[tuple[float, float]]:
    """The corners of an upright rectangle."""
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


def disc(ax, centre, radius, fill, edge=None, width=THIN) -> Polygon:
    """A circle of `radius` mm around a data point."""
    angles = np.linspace(0, 2 * np.pi, 37)[:-1]
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius / scale(ax)
    return polygon(ax, np.asarray(centre) + ring, fill, edge, width)


@dataclass(frozen=True)
class Covered:
    """What is drawn paler of an arrow: from one share of its way to another, in what colour."""

    start: float
    end: float
    colour: str

    def parts(self, length: float, colour: str) -> list[tuple[float, float, str]]:
        """The arrow's first `length` (as a share) in pieces: from where to where, and in what colour."""
        cuts = [0.0, *sorted({min(self.start, length), min(self.end, length)} - {0.0, length}), length]
        within = [self.start <= (a + b) / 2 < self.end for a, b in pairwise(cuts)]
        return [(a, b, self.colour if pale else colour) for (a, b), pale in zip(pairwise(cuts), within, strict=True)]


def arrow(ax, start, end, colour, width=1.4, dash=(), head="arrow", covered=None) -> Polygon:
    """A vector from `start` to `end` in data coordinates: a line, and a head whose tip is exactly `end`; gives that.

    `head` is arrow, square or dot; the latter two are centred on `end`. A vector shorter than its head is a head. What
    is `covered` of it (a Covered, or None) has another colour.
    """
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    mm = scale(ax)
    length = np.hypot(*(end - start)) * mm
    size = (1.15 + 0.95 * width) if head == "arrow" else (0.55 + 0.32 * width)
    if head != "arrow":
        size = min(size, max(0.45, 0.3 * length))  # a mark does not hide a short vector
    covered = covered or Covered(0.0, 0.0, colour)
    tip = covered.colour if covered.end >= 1.0 else colour
    if length < 1e-6:
        return disc(ax, end, 0.5, tip)
    along = (end - start) / np.hypot(*(end - start)) / mm
    across = np.array([-along[1], along[0]])
    reach = min(size, length) if head == "arrow" else 0.0
    if length > reach:
        for a, b, shade in covered.parts(1.0 - 0.8 * reach / length, colour):
            line(ax, [start + a * (end - start), start + b * (end - start)], shade, width, dash, a * length)
    if head == "dot":
        return disc(ax, end, size, tip)
    if head == "square":
        corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        return polygon(ax, [end + 0.85 * size * (a * along + b * across) for a, b in corners], tip)
    back = end - reach * along
    wing = 0.36 * reach * across
    return polygon(ax, [end, back + wing, end - 0.8 * reach * along, back - wing], tip)


def brackets(page: Page, across, along, learned: bool, firm: float, foot: float = 1.0) -> None:
    """Square brackets round numbers, between two x and two y (mm): `firm` (pt) where learned, light where computed."""
    ink, weight = (palette.theme().ink, firm) if learned else (palette.theme().rule, 0.6)
    low, high = along
    for edge, inward in zip(across, (foot, -foot), strict=True):
        page.line([(edge + inward, high), (edge, high), (edge, low), (edge + inward, low)], ink, weight)


def titled(page: Page, x: float, y: float, name: Rich, shape: Rich, gap: float) -> None:
    """A matrix's name with its shape, smaller, `gap` mm beside it, both centred on x; y is their baseline."""
    whole, extra = text_width(name, HEAD), text_width(shape, SMALL)
    gap = gap if shape else 0.0
    start = x - (whole + gap + extra) / 2
    page.text(start, y, name, HEAD)
    page.text(start + whole + gap, y, shape, SMALL, colour=palette.theme().muted)


# ---- saving ----------------------------------------------------------------------------------------------------


def style():
    """The settings in which figures are drawn and saved: a context, nothing global."""
    ours = {key: value for key, value in mpl.rcParamsDefault.items() if not key.startswith("backend")}
    return mpl.rc_context(
        ours
        | {
            "pdf.fonttype": 42,
            "svg.fonttype": "path",
            "svg.hashsalt": "attn",
            "path.simplify": False,
            "text.usetex": False,
            "text.hinting": "none",
            "axes.unicode_minus": True,
            "lines.scale_dashes": True,
        }
    )


def check_rows(count: int, height: float, leading: float = ROW) -> None:
    """Raises WeightsError where `count` rows of words, a line of 7 pt each, have no room in `height` mm."""
    if count * leading > height + 1e-9:
        room = f"the page holds {int(height / leading)} at 7 pt"
        raise WeightsError("story.sentence", f"{count} words are too many rows; {room}")


def check_room(figure: Figure) -> None:
    """Raises WeightsError where the page's edge cuts a text, or one text lies on another."""
    artists = [a for a in figure.findobj(Text) if a.get_text().strip() and a.get_visible()]
    boxes = np.array([_ink(artist) for artist in artists]).reshape(-1, 4)  # in mm
    width, height = figure.get_size_inches() * 25.4
    room = f"there is no room for it at a width of {width:.0f} mm; expected shorter words, or fewer"
    outside = (boxes[:, :2] < FREE).any(axis=1) | (boxes[:, 2:] > np.array([width, height]) - FREE).any(axis=1)
    if outside.any():
        longest = max((artists[i].get_text() for i in np.flatnonzero(outside)), key=len)
        raise WeightsError("", f'"{longest}": {room}')
    over = np.minimum(boxes[:, None, 2:], boxes[:, 2:]) - np.maximum(boxes[:, None, :2], boxes[:, :2])
    for i, j in np.argwhere(np.triu((over > TOUCH).all(axis=2), 1)):
        if getattr(artists[i], "together", 0) is not getattr(artists[j], "together", 1):
            longer = max(artists[i].get_text(), artists[j].get_text(), key=len)
            raise WeightsError("", f'"{longer}": {room}')


def _ink(artist: Text) -> np.ndarray:
    """Where the ink of a text is on the page: left, bottom, right, top in mm."""
    font, (x, y) = artist.get_fontproperties(), artist.get_transform().transform(artist.get_position())
    family, style = tuple(font.get_family()), font.get_style()
    box = _outline(artist.get_text(), family, style, font.get_weight()) * artist.get_fontsize() / MM
    if artist.get_rotation():
        box = np.array([-box[3], box[0], -box[1], box[2]])  # upwards
    return box + np.array([x, y, x, y]) * 25.4 / artist.figure.dpi


@cache
def _outline(text: str, family: tuple[str, ...], style: str, weight) -> np.ndarray:
    """The ink of a text from its base point, for a size of 1: left, bottom, right, top."""
    font = FontProperties(family=list(family), style=style, weight=weight, size=text_to_path.FONT_SCALE)
    points = np.asarray(text_to_path.get_text_path(font, text, ismath=False)[0]).reshape(-1, 2)
    if not len(points):
        return np.zeros(4)
    return np.concatenate([points.min(axis=0), points.max(axis=0)]) / text_to_path.FONT_SCALE


def record(figure: Figure) -> list[dict]:
    """Every number printed in the figure, exactly as printed, with its place in the trace; in drawing order."""
    return [
        {"text": artist.get_text(), "path": artist.cell_path}
        for artist in figure.findobj(Text)
        if getattr(artist, "cell_path", None)
    ]


def save(
    figure: Figure, name: str, title: str, alt: str, weights: str, version: str, formats=("pdf", "svg", "png")
) -> dict[str, bytes]:
    """The figure by format, {"pdf": ..., "svg": ..., "png": ...}: the same bytes wherever and whenever it is made.

    `weights` (sha256) and `version` go into the metadata of each; the SVG carries title and description, and ids that
    begin with `name`.
    """
    origin = f"attn {version}, weights {weights}"
    no_date = {"CreationDate": None, "Creator": origin, "Producer": "matplotlib", "Title": title}
    writers = {
        "pdf": lambda: _without_group(
            _bytes(figure, "pdf", metadata=no_date | {"Subject": f"weights sha256 {weights}"})
        ),
        "svg": lambda: _described(_bytes(figure, "svg", metadata={"Date": None, "Creator": origin}), name, title, alt),
        "png": lambda: _bytes(
            figure, "png", dpi=DPI, metadata={"Software": origin, "Title": title, "Source": f"weights {weights}"}
        ),
    }
    return {extension: writers[extension]() for extension in formats}


def _bytes(figure: Figure, extension: str, **options) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format=extension, facecolor=figure.get_facecolor(), **options)
    return buffer.getvalue()


def _without_group(pdf: bytes) -> bytes:
    """The PDF without the transparency group that the backend puts on every page; nothing in it is transparent.

    Blanks take its place, so that every offset in the file stays right.
    """
    return re.sub(rb"/Group << [^<>]*?/Transparency[^<>]*>>", lambda m: b" " * len(m[0]), pdf)


def _described(svg: bytes, name: str, title: str, alt: str) -> bytes:
    """The SVG with role, title and description for people who do not see it.

    A web page may hold several: every id, and every rule of style, is one of this drawing alone, by its name and what
    is drawn.
    """
    own = f"{name}-{hashlib.sha256(svg).hexdigest()[:8]}-"
    text = re.sub(r'(?<= id=")|(?<=href="#)|(?<=url\(#)', own, svg.decode("utf-8"))
    text = text.replace(">*{", f">#{own}figure_1 *{{", 1)
    text = text.replace("<svg ", f'<svg role="img" aria-labelledby="{own}title {own}desc" ', 1)
    start = text.index(">", text.index("<svg ")) + 1
    tags = f'\n <title id="{own}title">{escape(title)}</title>\n <desc id="{own}desc">{escape(alt)}</desc>'
    return (text[:start] + tags + text[start:]).encode("utf-8")
