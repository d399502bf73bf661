"""From uniform to a dictionary: attention, accuracy and loss of twenty training runs, and the published numbers."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from attn.core import numerals
from attn.picture import labels, palette
from attn.picture.labels import Label
from attn.picture.richtext import Rich, Run, rich
from attn.texts.lookup_training import texts
from figures._kit import lookup, paint, sentence_rows
from figures._kit.paint import BODY, HEAD, SMALL

SUBJECT = "lookup"
PANELS = (
    ("right", "attention on the right entry", 1.0, {25: "right_25", 400: "right_400"}),
    ("accuracy", "accuracy on new stores", 1.0, {0: "accuracy_0", 400: "accuracy_400"}),
    ("loss", "loss", None, {0: "loss_0"}),
)


def draw(found) -> Figure:
    """Three panels side by side over the same steps."""
    page, (left, bottom, width, height) = sentence_rows.frame(texts(found), paint.PAGE, 88.0, note=_key(found))
    gap, ticks, over = 7.0, 6.0, 3.0  # mm: between panels, for the axis' numbers, and beyond the last curve
    each = (width - 2 * gap - over) / 3 - ticks
    for k, panel in enumerate(PANELS):
        box = (left + ticks + k * (each + ticks + gap), bottom + 8.0, each, height - 18.0)
        _panel(page, box, found, *panel)
    return page.figure


def _key(found) -> Rich:
    """Whose the diamonds are, and what was done otherwise there."""
    published = numerals.cell(found.published["rate"], "published.rate", 3)
    ours = numerals.cell(found.settings["rate"], "settings.rate", 3)
    return rich("**◇** published run, learning rate [there]; ours [here]", there=published, here=ours)


def _panel(page, box, found, name: str, heading: str, top: float | None, published: dict) -> None:
    left, bottom, width, height = box
    low, median, high = found.bands[name]
    steps = lookup.Steps(page, box, len(median) - 1, top or float(high.max()) * 1.04)
    steps.frame(found.steps, found.levels[name], f"levels.{name}")
    colour = palette.lookup_colour(True)
    steps.band(low, high, colour)
    taken = steps.chance(found.chance[name], f"chance.{name}")
    steps.curve(median, colour, 1.8)
    page.text(left, bottom + height + 5.2, (Run(heading, style="b"),), HEAD)
    page.text(left + width / 2, bottom - 7.6, "training step", SMALL, ha="center", colour=palette.theme().muted)
    marks = [steps.diamond(step, found.published[key]) for step, key in published.items()]
    texts_, anchors = [], []
    for key, mark in zip(published.values(), marks, strict=True):
        texts_.append(Run(numerals.number(found.published[key]), path=f"published.{key}", colour=palette.theme().ink))
        anchors.append(mark)
    for step in (0, 25, len(median) - 1):
        cell = numerals.cell(median[step], f"bands.{name}[1][{step}]")
        texts_.append(Run(cell.text, style="b", path=cell.path, colour=colour))
        anchors.append((float(steps.x(step)), float(steps.y(median[step]))))
        paint.disc(page.ax, anchors[-1], 0.9, colour)
    _labels(page, box, steps, (low, median, high), texts_, anchors, taken)


def _labels(page, box, steps, curves, runs: list[Run], anchors, said) -> None:
    """Numbers beside their marks, off the curves and off each other."""
    left, bottom, width, height = box
    wanted = [
        Label(at, (paint.text_width(run, BODY), 2.6), (1.0, -1.0) if at[0] < left + width / 2 else (-1.0, -1.0))
        for run, at in zip(runs, anchors, strict=True)
    ]
    points = [np.stack([steps.x(np.arange(len(c))), steps.y(c)], axis=1) for c in curves]
    chosen = np.unique(np.round(np.geomspace(1, len(curves[0]), 60)).astype(int) - 1)
    lines = [np.stack([p[chosen][:-1], p[chosen][1:]], axis=1) for p in points]
    lines = np.concatenate([*lines, [[(left, said[3]), (left + width, said[3])]]])
    taken = [said, *((x - 1.3, y - 1.3, x + 1.3, y + 1.3) for x, y in anchors)]
    places = labels.place(wanted, lines, (left, bottom + 0.5, left + width + 4.0, bottom + height + 4.5), taken)
    for run, place in zip(runs, places, strict=True):
        if place.leader:
            page.line(place.leader, palette.theme().rule)
        page.text(*place.centre, run, BODY, ha="center", va="middle")
