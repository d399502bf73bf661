"""What a picture is drawn from: its story's weights, or an experiment's results.

A module in figures/ or scenes/ says it by a constant, SUBJECT = "story" (the word that crosses the plane; so without
the constant), "sentence" (where queries, keys and values come from) or "lookup" (the training experiment). There is a
shipped weights file for each story. The user's file takes the place of the shipped one of the story it can tell: one
without mask whose story is a sentence alone tells the second, any other the first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from attn import lookup, weights
from attn.assets import Asset
from attn.core import Trace
from attn.model import Model
from attn.view import picture

SHIPPED = Path(__file__).parent / "weights"
FILES = {"story": "you.toml", "sentence": "chased.toml"}


def tells(model: Model) -> str:
    """Which story a weights file can tell."""
    alone = model.story is not None and model.story.origin is None
    return "sentence" if alone and not model.causal else "story"


class Subjects:
    """What to draw each asset from; made when first asked for."""

    def __init__(self, trace: Trace, folder: Path, say: Callable[[str], None] = lambda line: None):
        """`trace` is that of the user's file, `folder` where the experiment's results are kept."""
        self._trace, self._folder, self._say = trace, folder, say

    def of(self, asset: Asset) -> Trace | lookup.Lookup:
        """Raises WeightsError where the shipped file it needs cannot be read."""
        return getattr(self, asset.subject)

    @cached_property
    def story(self) -> Trace:
        return self._told("story")

    @cached_property
    def sentence(self) -> Trace:
        return self._told("sentence")

    @cached_property
    def lookup(self) -> lookup.Lookup:
        return lookup.load(self._folder, self._say)

    def _told(self, story: str) -> Trace:
        return self._trace if tells(self._trace.model) == story else picture(weights.load(SHIPPED / FILES[story]))
