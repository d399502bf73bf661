"""Sheets of all figures for the author: a proof of how they print, a worksheet with its answers, before and after."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from attn.build.assets import Asset, in_order
from attn.build.figure import drawing, figure
from attn.build.progress import Line
from attn.build.publish import chosen
from attn.build.settings import Settings
from attn.build.subjects import Subjects
from attn.core.model import WeightsError
from attn.core.reading import Reading, digest
from attn.picture import compare
from attn.picture.drawn import Drawn
from figures._kit import differing, paint, paper

Drawing = Any  # a figure, or in one line why there is none
Problems = dict[Asset, str]  # why figures that these weights cannot have were left out


def proof(subjects: Subjects, settings: Settings, problems: Problems) -> bytes:
    """A PDF with a page a figure: at print size, in grey, and under three colour-vision deficiencies."""
    settings, pictures = replace(settings, formats=("png",)), {}
    for asset in in_order("figures"):
        with _left_out(problems, asset):
            reading = Reading(subjects.of(asset))
            pictures[asset.name] = figure(asset, reading, settings)["png"]
    with paint.style():
        return paper.proof(pictures)


def worksheet(subjects: Subjects, settings: Settings, problems: Problems) -> dict[str, bytes]:
    """Two PDFs, sheet by sheet alike: worksheet.pdf, where what is computed is left out, and answers.pdf.

    They have every figure that leaves something to fill in, but none of the experiment, whose numbers nobody can
    compute with a pencil.
    """
    with chosen(settings), paint.style():
        asked = [asset for asset in in_order("figures") if asset.subject != "lookup"]
        blank = {}
        with paint.blanked():
            for asset in asked:
                with _left_out(problems, asset):
                    if paint.asks(page := _sized(asset, subjects, settings)):
                        blank[asset] = page
            files = {"worksheet.pdf": paper.worksheet(list(blank.values()))}
        full = [_sized(asset, subjects, settings) for asset in blank]
        return files | {"answers.pdf": paper.worksheet(full, answers=True)}


@contextmanager
def _left_out(problems: Problems, asset: Asset):
    """A figure that cannot be drawn from these weights is left out; `problems` notes why."""
    try:
        yield
    except WeightsError as error:
        problems[asset] = str(error)


def _sized(asset: Asset, subjects: Subjects, settings: Settings):
    """A figure in the width that was chosen."""
    return drawing(asset, subjects.of(asset), settings)


def difference(
    names: tuple[str, str], old: Drawn, new: Drawn, sides: tuple[Subjects, Subjects], settings: Settings, line: Line
) -> tuple[dict[str, bytes], str]:
    """diff.pdf and diff.png: what `new` weights change, and the figures before and after. And all that in a line.

    names: what the two are called; `line` is told how it goes.
    """
    turned = compare.turns(old.model, new.model)
    with chosen(settings), paint.style():
        pairs, figures = (
            {},
            [asset for asset in in_order("figures") if asset.subject != "lookup"],
        )  # no weights change those
        for i, asset in enumerate(figures, 1):
            line.tick(f"{asset}  {i} of {len(figures)}")
            pair = _pair(asset, sides, settings)
            if pair is not None:
                pairs[asset.name] = pair
        printed = [(dict(differing.printed(was)), dict(differing.printed(now))) for was, now in pairs.values()]
        changed = compare.changes(old, new, printed)
        said = _told(len(pairs), len(changed), Counter(turn.what for turn in turned))
        if _camera(old) != _camera(new):
            said += f"; {names[1]} pins another camera"
        return differing.difference(names, said, turned, changed, pairs), said


def _camera(trace: Drawn) -> tuple[float, float]:
    return trace.view.azimuth, trace.view.elevation


def _told(figures: int, values: int, claims: Counter) -> str:
    """What changed, in a line."""
    if not (figures or values or claims):
        return "nothing changed"
    said = [f"{claims[what]} claim{'s' * (claims[what] != 1)} {what}" for what in compare.TURNS if claims[what]]
    said.append(f"{values} value{'s' * (values != 1)} changed")
    said.append(f"{figures} figure{'s differ' if figures != 1 else ' differs'}")
    return ", ".join(said)


def _pair(asset: Asset, sides: tuple[Subjects, Subjects], settings: Settings) -> tuple[Drawing, Drawing] | None:
    """A figure before and after, each a drawing, or in one line why there is none; None where they are the same."""
    old, new = sides
    before, reading = _drawing(asset, old, settings)
    if reading is not None:
        with suppress(AttributeError, KeyError, TypeError, WeightsError):  # one has what the other has not
            if digest(new.of(asset), reading.names) == reading.digest():
                return None
    pair = before, _drawing(asset, new, settings)[0]
    return None if differing.alike(*pair) else pair


def _drawing(asset: Asset, side: Subjects, settings: Settings) -> tuple[Drawing, Reading | None]:
    """A figure and what was read for it; or, in one line, why there is none."""
    try:
        reading = Reading(side.of(asset))
        return drawing(asset, reading, settings), reading
    except WeightsError as error:
        return str(error), None
