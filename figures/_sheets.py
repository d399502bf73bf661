"""Sheets for the author, made of all figures: a proof in print size, a worksheet and its answers, before and after."""

from __future__ import annotations

import io
from collections.abc import Iterable

import numpy as np
from colorspacious import cspace_convert
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from PIL import Image

from attn import compare, look
from figures import _draw

PAPER = (210.0, 297.0)  # mm, A4
MARGIN = (PAPER[0] - _draw.PAGE) / 2  # mm
ROW = 3.4  # mm, in a table of values
MARK = "#ffb000"  # behind a number that changed, with a line around
SCREEN = 100  # dpi of the sheet as PNG
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
    return _pages(_proof_page(name, data) for name, data in pictures.items())


def worksheet(figures: Iterable[Figure]) -> bytes:
    """A PDF with a figure a page."""
    return _pages(figures)


def _pages(figures: Iterable[Figure]) -> bytes:
    buffer = io.BytesIO()
    with PdfPages(buffer, metadata={"CreationDate": None, "Producer": "matplotlib", "Creator": "attn"}) as pages:
        for figure in figures:
            pages.savefig(figure, facecolor=figure.get_facecolor())
    return buffer.getvalue()


def _proof_page(name: str, data: bytes) -> Figure:
    picture = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    page = _draw.Page(*PAPER)
    margin = (PAPER[0] - _draw.PAGE) / 2
    size = np.array(picture.shape[1::-1]) * 25.4 / _draw.DPI  # mm
    page.text(margin, PAPER[1] - 14, name, _draw.TITLE)
    top = PAPER[1] - 20
    _image(page, (margin, top - size[1], *size), picture)
    half = picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2].astype(float)
    half = half.reshape(half.shape[0] // 2, 2, half.shape[1] // 2, 2, 3).mean(axis=(1, 3)) / 255
    (left, high), small = _beside(margin, top, size) if size[0] < _draw.PAGE / 2 else _below(margin, top, size)
    for i, (label, eyes) in enumerate(EYES.items()):
        x, y = left + (i % 2) * (small[0] + 4), high - (i // 2) * (small[1] + 12)
        page.text(x, y, label, _draw.SMALL)
        _image(page, (x, y - 2 - small[1], *small), _seen(half, eyes))
    return page.figure


def _below(left: float, top: float, size: np.ndarray):
    """Where the small pictures begin below the large one of `size` mm, two a row, and their size."""
    share = min((size[0] - 4) / 2 / size[0], (top - size[1] - 34) / 2 / size[1])
    return (left, top - size[1] - 12), share * size


def _beside(left: float, top: float, size: np.ndarray):
    """The same to the right of a narrow picture."""
    start = left + size[0] + 4
    share = min((left + _draw.PAGE - start - 4) / 2 / size[0], (top - 34) / 2 / size[1])
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


# ---- before and after ------------------------------------------------------------------------------------------


def difference(names: tuple[str, str], turns, changes, pairs: dict[str, tuple]) -> dict[str, bytes]:
    """The sheet of what changed, diff.pdf and diff.png: claims, values, then each of `pairs` before and after.

    names: of the two; turns, changes: attn.compare's; pairs: two drawings, or a line for one there is not, by name.
    """
    pages = [*_tables(names, turns, changes), *(_pair_page(name, names, pair) for name, pair in pairs.items())]
    return {"diff.pdf": _pages(pages), "diff.png": _side_by_side(pages)}


def printed(drawing: Figure | str) -> list[tuple[str, str]]:
    """(path, text) of every number in a drawing, in drawing order."""
    return [] if isinstance(drawing, str) else [(entry["path"], entry["text"]) for entry in _draw.record(drawing)]


def alike(first: Figure | str, second: Figure | str) -> bool:
    """Whether two drawings look the same, or are lacking for the same reason."""
    if isinstance(first, str) or isinstance(second, str):
        return first is second or (isinstance(first, str) and first == second)
    return np.array_equal(_drawn(first), _drawn(second))


def _tables(names: tuple[str, str], turns, changes) -> list[Figure]:
    page = _draw.Page(*PAPER)
    y = PAPER[1] - 16
    page.text(MARGIN, y, _shortened(" → ".join(names), _draw.PAGE, _draw.TITLE), _draw.TITLE)
    y -= 9
    for turn in turns:
        page.text(MARGIN, y, "gained" if turn.gained else "lost", _draw.BODY)
        y = _draw.paragraph(page, MARGIN + 16, y, look.Run(turn.text), _draw.PAGE - 16)
        if y < 30:
            break
    if not turns:
        page.text(MARGIN, y, "Every claim holds or fails as before.", _draw.BODY)
        y -= 5
    page.text(MARGIN, y - 3, f"{len(changes)} values changed" if changes else "No value changed.", _draw.HEAD)
    pages, half = [page.figure], (_draw.PAGE + 6) / 2
    if changes:
        _row(page, MARGIN, y - 9, half - 6, compare.Change("", "before", "after"))
    column, top = 0, y - 9 - ROW
    y = top
    for change in changes:
        if y < 14:
            column, y = column + 1, top
            if column == 2:
                page = _draw.Page(*PAPER)
                pages.append(page.figure)
                column, y, top = 0, PAPER[1] - 14, PAPER[1] - 14
        _row(page, MARGIN + column * half, y, half - 6, change)
        y -= ROW
    return pages


def _row(page, x: float, y: float, width: float, change) -> None:
    page.text(x, y, _shortened(change.path, 0.52 * width), _draw.SMALL, colour=look.theme().muted)
    for right, text in ((0.75, change.before), (1.0, change.after)):
        page.text(x + right * width, y, _shortened(text, 0.23 * width), _draw.SMALL, ha="right")


def _shortened(text: str, width: float, size: float = _draw.SMALL):
    return _draw.shortened(look.Run(text), width, size)


def _pair_page(name: str, names: tuple[str, str], pair: tuple) -> Figure:
    marks = compare.marked(*map(printed, pair))
    page = _draw.Page(*PAPER)
    y = PAPER[1] - 14
    page.text(MARGIN, y, name, _draw.TITLE)
    for called, drawing, chosen in zip(names, pair, marks, strict=True):
        y -= 8
        page.text(MARGIN, y, _shortened(called, _draw.PAGE), _draw.SMALL, colour=look.theme().muted)
        y -= 2
        if isinstance(drawing, str):
            y = _draw.paragraph(page, MARGIN, y - 4, look.Run(drawing), _draw.PAGE)
            continue
        pixels = _drawn(drawing, chosen)
        size = np.array(pixels.shape[1::-1]) * 25.4 / _draw.DPI  # mm
        size *= min(1.0, (PAPER[1] - 44) / 2 / size[1], _draw.PAGE / size[0])
        y -= size[1]
        _image(page, (MARGIN, y, *size), pixels)
    return page.figure


def _drawn(figure: Figure, chosen: Iterable[int] = ()) -> np.ndarray:
    """A drawing as pixels (rows x columns x 3) at print size, the numbers with these places in its record marked."""
    numbers = [artist for artist in figure.findobj(Text) if getattr(artist, "cell_path", None)]
    figure.set_dpi(_draw.DPI)
    canvas = FigureCanvasAgg(figure)
    for artist in (numbers[i] for i in sorted(chosen)):
        box = artist.get_window_extent(canvas.get_renderer()).padded(0.3 * _draw.DPI / 25.4)
        corner, far = artist.axes.transData.inverted().transform([box.p0, box.p1])
        mark = Rectangle(
            corner, *(far - corner), facecolor=look.mix(MARK, 0.35), edgecolor=MARK, linewidth=_draw.THIN,
            zorder=artist.get_zorder() - 0.5,
        )  # fmt: skip
        artist.axes.add_artist(mark)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _side_by_side(pages: list[Figure]) -> bytes:
    """All pages in one PNG, in rows, about as wide as high."""
    pictures = []
    for page in pages:
        page.set_dpi(SCREEN)
        canvas = FigureCanvasAgg(page)
        canvas.draw()
        pictures.append(np.asarray(canvas.buffer_rgba())[..., :3])
    columns = int(np.ceil(np.sqrt(1.4 * len(pictures))))
    height, width = pictures[0].shape[:2]
    sheet = np.full((-(-len(pictures) // columns) * height, min(columns, len(pictures)) * width, 3), 255, np.uint8)
    for i, picture in enumerate(pictures):
        row, column = divmod(i, columns)
        sheet[row * height : (row + 1) * height, column * width : (column + 1) * width] = picture
    buffer = io.BytesIO()
    Image.fromarray(sheet).save(buffer, "png", dpi=(SCREEN, SCREEN))
    return buffer.getvalue()
