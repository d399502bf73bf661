"""What a picture is drawn from: its story's weights, or an experiment's results.

A module in figures/ or scenes/ says it by a constant, SUBJECT = "story" (the word that crosses the plane; so without
the constant), "sentence" (where queries, keys and values come from) or "lookup" (the training experiment). There is a
shipped weights file for each story. The user's file takes the place of the shipped one of the story it can tell: one
without mask whose story is a sentence alone tells the second, any other the first. What tells the first has to be
whole, with W_O, a decoder and 3-D embeddings, but for a module that says PARTIAL = True.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from attn.build import trained
from attn.build.assets import ROOT, Asset
from attn.core import weights
from attn.core.model import Model, WeightsError
from attn.lab import lookup
from attn.picture.drawn import Drawn, picture

SHIPPED = ROOT / "attn" / "weights"
FILES = {"story": "you.toml", "sentence": "chased.toml"}


def tells(model: Model) -> str:
    """Which story a weights file can tell."""
    alone = model.story is not None and model.story.origin is None
    return "sentence" if alone and not model.causal else "story"


def check_whole(model: Model) -> None:
    """Raises WeightsError naming what `model` lacks of all that the pictures of the first story show."""
    if model.W_out is None:
        raise WeightsError("parameters.W_out", "is missing; this picture shows what a decoder predicts")
    if model.W_O is None:
        raise WeightsError("parameters.W_O", "is missing; this picture shows the word in its context")
    if model.d_model != 3:
        found = f"{model.d_model} column{'s' * (model.d_model != 1)}"
        raise WeightsError("parameters.embeddings", f"{found}, expected 3: this picture shows a 3-D space")


class Subjects:
    """What to draw each asset from; made when first asked for."""

    def __init__(self, trace: Drawn, folder: Path, say: Callable[[str], None] = lambda line: None):
        """`trace` is that of the user's file, `folder` where the experiment's results are kept."""
        self._trace, self._folder, self._say = trace, folder, say

    def of(self, asset: Asset) -> Drawn | lookup.Lookup:
        """Raises WeightsError where the shipped file it needs cannot be read, or the user's lacks what it shows."""
        if asset.subject == "story" and not asset.partial:
            check_whole(self.story.model)
        return getattr(self, asset.subject)

    @cached_property
    def story(self) -> Drawn:
        """The word that crosses the plane."""
        return self._told("story")

    @cached_property
    def sentence(self) -> Drawn:
        """Where queries, keys and values come from."""
        return self._told("sentence")

    @cached_property
    def lookup(self) -> lookup.Lookup:
        """The training experiment."""
        return trained.load(self._folder, self._say)

    def _told(self, story: str) -> Drawn:
        return self._trace if tells(self._trace.model) == story else picture(weights.load(SHIPPED / FILES[story]))
