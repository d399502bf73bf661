"""What the page's script draws of the word embedding space: the cube, the plane, and each step's vectors."""

from __future__ import annotations

from attn.build.chapters import Chapter
from attn.build.page.colours import of_word
from attn.core.forward import STATES, Trace
from attn.picture.drawn import Drawn
from attn.picture.quantities import QUANTITIES
from attn.picture.view import AXES
from attn.texts import page as told

ALL_WORDS = ("embeddings", "positions", "positioned")  # the others are drawn of the followed word alone
DRAWN = (*ALL_WORDS, "correction", "contextual")


def whole(trace: Drawn) -> dict | None:
    """Cube, camera and plane, the same in all steps; None where these weights have no 3-D space."""
    view, plane = trace.view, trace.plane
    if view.low is None:
        return None
    sides = plane and {"normal": plane.normal.tolist(), "offset": plane.offset}
    words = plane and {"origin": trace.model.story.origin, "target": trace.model.story.target}
    return {"low": view.low.tolist(), "high": view.high.tolist(), "azimuth": view.azimuth,
            "elevation": view.elevation, "plane": sides, "words": words, "axes": AXES}  # fmt: skip


def arrows(chapter: Chapter, trace) -> list[dict]:
    """The vectors that a step is about: those whose numbers it shows, and the state whose prediction it shows."""
    stage = chapter.main.record["stage"]
    if not stage or chapter.subject != "story" or trace.view.low is None:
        return []
    shown = {value["path"].removeprefix("parameters.").partition("[")[0] for value in chapter.values} | {STATES[stage]}
    return [
        _arrow(trace, row, i)
        for row in DRAWN
        if row in shown and _start(trace, row) is not None
        for i in (range(trace.n) if row in ALL_WORDS and stage != "contextual" else [trace.last])
    ]


def labels(found: list[dict]) -> str:
    """What is to be seen, in words."""
    return told.space([f"{arrow['letter']} of “{arrow['word']}”" for arrow in found])


def _start(trace: Trace, row: str):
    """From where a row's vectors are drawn (n x 3): p on e, c on x, all others from the origin; None without any."""
    if row == "positions":
        return None if trace.model.positions is None else trace.embeddings
    if getattr(trace, row) is None:
        return None
    return trace.positioned if row == "correction" else 0 * trace.positioned


def _arrow(trace: Trace, row: str, i: int) -> dict:
    kind, start, word = QUANTITIES[row], _start(trace, row)[i], trace.tokens[i]
    return {
        "from": start.tolist(),
        "to": (start + getattr(trace, row)[i]).tolist(),
        "colour": "--context" if row == "correction" else of_word("story", trace, word),
        "dash": kind.dash,
        "letter": kind.symbol,
        "word": word,
    }
