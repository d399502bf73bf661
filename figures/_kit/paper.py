"""Sheets for the author, made of all figures: a proof in print size, a worksheet and its answers."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

import numpy as np
from colorspacious import cspace_convert
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from PIL import Image

from attn.picture import palette, richtext
from figures._kit import paint

PAPER = (210.0, 297.0)  # mm, A4
MARGIN = (PAPER[0] - paint.PAGE) / 2  # mm, of a proof
DESK = PAPER[::-1]  # mm, A4 across: a worksheet
BORDER = 14.0  # mm that nothing is printed on
SQUARE = 5.0  # mm, of the squares to work on
LARGEST = 1.6  # times the size in print, so that a pencil has room
TASK = "Fill in every line and draw the bars. What you need is given here or stands on an earlier sheet."
EYES = {
    "grey print": None,
    "no red cones (protanopia)": "protanomaly",
    "no green cones (deuteranopia)": "deuteranomaly",
    "no blue cones (tritanopia)": "tritanomaly",
}


def proof(pictures: dict[str, bytes]) -> bytes:
    """A PDF with a page for each of `pictures` (PNG at 300 dpi, by name): at print size, then small in grey and under
    the three colour-vision deficiencies.

    The deficiencies are simulated by the model of Machado, Oliveira and Fernandes (2009) at full severity, as the
    package colorspacious implements it; grey is CIE lightness.
    """
    return pages_of(_proof_page(name, data) for name, data in pictures.items())


def worksheet(figures: Sequence[Figure], answers: bool = False) -> bytes:
    """A PDF with a sheet of paper for each figure, drawn as large as it has room, and squares to work on below it."""
    return pages_of(_on_paper(figure, (i, len(figures)), answers) for i, figure in enumerate(figures, 1))


def pages_of(figures: Iterable[Figure]) -> bytes:
    """A PDF with a figure a page, each in its own size."""
    buffer = io.BytesIO()
    with PdfPages(buffer, metadata={"CreationDate": None, "Producer": "matplotlib", "Creator": "attn"}) as pages:
        for figure in figures:
            pages.savefig(figure, facecolor=figure.get_facecolor())
    return buffer.getvalue()


def _on_paper(figure: Figure, count: tuple[int, int], answers: bool) -> Figure:
    """`figure` made a sheet of paper: enlarged, below a line for a name, above squares to work on."""
    size = figure.get_size_inches() * 25.4  # mm
    width, top, foot = DESK[0] - 2 * BORDER, DESK[1] - BORDER - 9.0, BORDER + 6.0
    times = min(LARGEST, width / size[0], (top - foot) / size[1])
    _enlarge(figure, times)
    corner = np.array([(DESK[0] - times * size[0]) / 2, top - times * size[1]])
    for ax in figure.axes:
        box = ax.get_position()
        place = [(corner + times * size * point) / DESK for point in (box.min, box.max)]
        ax.set_position([*place[0], *(place[1] - place[0])])
    figure.set_size_inches(np.array(DESK) / 25.4)
    paper = figure.add_axes((0, 0, 1, 1), frameon=False)
    paper.set(xlim=(0, DESK[0]), ylim=(0, DESK[1]), xticks=(), yticks=())
    _framed(paper, count, answers, corner[1] - 4.0, foot)
    return figure


def _enlarge(figure: Figure, times: float) -> None:
    """Everything that is measured in points; what is measured in millimetres grows with its axes."""
    for artist in figure.findobj(Text):
        artist.set_fontsize(times * artist.get_fontsize())
    for artist in (*figure.findobj(Line2D), *figure.findobj(Patch)):
        artist.set_linewidth(times * artist.get_linewidth())


def _framed(paper, count: tuple[int, int], answers: bool, high: float, low: float) -> None:
    """What is printed around a figure: whose sheet it is, which, what is to be done, squares from `low` to `high`."""
    colours, (right, top), y = palette.theme(), (DESK[0] - BORDER, DESK[1] - BORDER - 3.0), BORDER - 2.0
    number = f"Sheet {count[0]} of {count[1]}"
    paint.text(paper, right, y, number, paint.BODY + 1, ha="right", colour=colours.muted)
    if answers:
        paint.text(paper, BORDER, top, richtext.rich("**Answers**"), paint.HEAD + 1, colour=colours.muted)
        return
    for x, wide, said in ((BORDER, 120.0, "Name"), (right - 60.0, 60.0, "Date")):
        paint.text(paper, x, top, said, paint.HEAD + 1, colour=colours.muted)
        paint.line(paper, [(x + 12.0, top - 0.6), (x + wide, top - 0.6)], colours.rule)
    paint.text(paper, BORDER, y, TASK, paint.BODY + 1, colour=colours.muted)
    squares = [np.arange(BORDER, right + 0.1, SQUARE), np.arange(low, high, SQUARE)]
    for x in squares[0] if len(squares[1]) > 1 else ():
        paint.line(paper, [(x, low), (x, squares[1][-1])], colours.faint)
    for y in squares[1] if len(squares[1]) > 1 else ():
        paint.line(paper, [(BORDER, y), (squares[0][-1], y)], colours.faint)


def _proof_page(name: str, data: bytes) -> Figure:
    picture = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    page = paint.Page(*PAPER)
    size = np.array(picture.shape[1::-1]) * 25.4 / paint.DPI  # mm
    page.text(MARGIN, PAPER[1] - 14, name, paint.TITLE)
    top = PAPER[1] - 20
    _image(page, (MARGIN, top - size[1], *size), picture)
    half = picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2].astype(float)
    half = half.reshape(half.shape[0] // 2, 2, half.shape[1] // 2, 2, 3).mean(axis=(1, 3)) / 255
    (left, high), small = _beside(MARGIN, top, size) if size[0] < paint.PAGE / 2 else _below(MARGIN, top, size)
    for i, (label, eyes) in enumerate(EYES.items()):
        x, y = left + (i % 2) * (small[0] + 4), high - (i // 2) * (small[1] + 12)
        page.text(x, y, label, paint.SMALL)
        _image(page, (x, y - 2 - small[1], *small), _seen(half, eyes))
    return page.figure


def _below(left: float, top: float, size: np.ndarray):
    """Where the small pictures begin below the large one of `size` mm, two a row, and their size."""
    share = min((size[0] - 4) / 2 / size[0], (top - size[1] - 34) / 2 / size[1])
    return (left, top - size[1] - 12), share * size


def _beside(left: float, top: float, size: np.ndarray):
    """The same to the right of a narrow picture."""
    start = left + size[0] + 4
    share = min((left + paint.PAGE - start - 4) / 2 / size[0], (top - 34) / 2 / size[1])
    return (start, top - 3), share * size


def _image(page, box, pixels) -> None:
    ax = page.panel(box, (0, 1), (0, 1))
    ax.imshow(pixels, extent=(0, 1, 0, 1), aspect="auto", interpolation="none")


def _seen(picture: np.ndarray, eyes: str | None) -> np.ndarray:
    """`picture` (h x w x 3, sRGB from 0 to 1) as a printer without colour or such eyes show it, as bytes."""
    colours, where = np.unique(np.round(255 * picture.reshape(-1, 3)).astype(np.uint8), axis=0, return_inverse=True)
    if eyes is None:
        lightness = cspace_convert(colours / 255, "sRGB1", "CIELab")[:, 0]
        neutral = np.stack([lightness, np.zeros_like(lightness), np.zeros_like(lightness)], axis=1)
        changed = cspace_convert(neutral, "CIELab", "sRGB1")
    else:
        space = {"name": "sRGB1+CVD", "cvd_type": eyes, "severity": 100}
        changed = cspace_convert(colours / 255, space, "sRGB1")
    table = np.round(255 * np.clip(changed, 0, 1)).astype(np.uint8)
    return table[where.ravel()].reshape(picture.shape)
