"""Sheets of all figures for the author: a proof of how they print, and a worksheet with its answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module

from attn import look, publish
from attn.assets import assets
from attn.publish import Settings
from attn.reading import Reading
from attn.subjects import Subjects


def proof(subjects: Subjects, settings: Settings) -> bytes:
    """A PDF with a page a figure: at print size, in grey, and under three colour-vision deficiencies."""
    settings = replace(settings, formats=("png",))
    pictures = {
        asset.name: publish.figure(asset.name, asset.module, Reading(subjects.of(asset)), settings)["png"]
        for asset in assets("figures")
    }
    with import_module("figures._draw").style():
        return import_module("figures._sheets").proof(pictures)


def worksheet(subjects: Subjects, settings: Settings) -> dict[str, bytes]:
    """Two PDFs of all figures: worksheet.pdf, where the computed numbers are left out, and answers.pdf."""
    toolkit, sheets = import_module("figures._draw"), import_module("figures._sheets")
    with look.themed(settings.theme), toolkit.style():
        with toolkit.blanked():
            blank = sheets.worksheet(_drawn(subjects))
        return {"worksheet.pdf": blank, "answers.pdf": sheets.worksheet(_drawn(subjects))}


def _drawn(subjects: Subjects) -> Iterator:
    return (import_module(asset.module).draw(subjects.of(asset)) for asset in assets("figures"))
