"""The stage on which every film of the lecture plays: beats, and what they leave behind for captions and records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from importlib import import_module

import manim
import numpy as np

from attn.core.model import WeightsError
from attn.picture.palette import theme
from attn.picture.richtext import Run
from attn.texts.phrases import Texts
from scenes._kit.captions import (
    LAST_REST,
    LONGEST_MOTION,
    LONGEST_REST,
    MOVING,
    SHORTEST_MOTION,
    SHORTEST_REST,
    Beat,
    length,
)
from scenes._kit.moves import in_turn
from scenes._kit.renderer import ExactTime

SEEN = 0.9  # of the picture, within its margins
OVERSHOOT, TOUCH = 0.04, 0.03  # scene units that a text may reach into the margin, that two texts may share


class Stage(ExactTime, manim.Scene):
    """A scene told in beats; draws in the theme that is in force when it is made.

    A subclass's `construct` reads as the plot, a line a beat. After playing: `beats`, `frames`, `record` (the numbers
    that were shown) and `poster_picture`.
    """

    def __init__(self, trace=None, **options):
        super().__init__(**options)
        self.trace = trace
        self.camera.background_color = theme().paper
        self.beats: list[Beat] = []
        self.record: list[dict] = []  # {text, path}, in the order in which they came
        self.poster_picture: np.ndarray | None = None

    @cached_property
    def said(self) -> Texts:
        """Title, what it does and what comes of it: what the `texts` of the scene's module say of the trace."""
        return import_module(type(self).__module__).texts(self.trace)

    @property
    def frames(self) -> int:
        """How many frames there are so far."""
        return self.renderer.frames

    def beat(
        self, caption: str | None, *animations, run_time: float = 1.2, rests: float = 0.0, poster: bool = False
    ) -> None:
        """Moves, easing in and out, then rests until its caption has been spoken (scenes._kit.captions).

        What fades out does so before anything fades in.

        caption: for .srt and .vtt, in whole sentences; None: the caption before stays. run_time: at least so many
        seconds of motion, more where there is much to say. rests: at least so many seconds of rest.
        poster: the picture in which this beat comes to rest is the film's poster.
        Raises ValueError for a motion that is too quick or too slow to follow, WeightsError for a text that is cut.
        """
        if animations and not SHORTEST_MOTION <= run_time <= LONGEST_MOTION:
            raise ValueError(f"a motion of {run_time} s; a beat moves for {SHORTEST_MOTION} to {LONGEST_MOTION} s")
        start, wanted = self.frames, length(caption)
        if caption:
            self.renderer.cut()
        if animations:
            self.play(*in_turn(animations), run_time=min(max(run_time, MOVING * wanted), LONGEST_MOTION))
        self._check_room()
        motion = self.frames - start
        fps = manim.config.frame_rate
        still = min(max(SHORTEST_REST, rests, wanted - motion / fps), LONGEST_REST)
        self.wait(int(np.ceil(still * fps - 1e-9)) / fps, frozen_frame=True)
        self.beats.append(Beat(start, self.frames, motion, caption))
        self._keep_numbers()
        if poster and self.renderer.draws:
            self.poster_picture = self.renderer.picture(self).copy()

    def tear_down(self) -> None:
        """The last picture stands until a lecturer has stopped the film there."""
        if not self.beats:
            return
        last = self.beats.pop()
        if (lacks := LAST_REST - self._rest(last)) > 0:
            self.wait(lacks, frozen_frame=True)
        self.beats.append(replace(last, end=self.frames))

    def _rest(self, beat: Beat) -> float:
        return (beat.end - beat.start - beat.motion) / manim.config.frame_rate

    def seen(self) -> None:
        """What is on the stage now was there before the film began."""
        self._keep_numbers()

    def texts(self) -> list[Run]:
        """Every run of text that is on the stage now, in drawing order."""
        return [part.text_run for part in self._parts(self.mobjects) if getattr(part, "text_run", None) is not None]

    def _check_room(self) -> None:
        """Raises WeightsError where a text reaches into the picture's margin, or lies on another text."""
        runs, wholes, boxes = self._seen_texts()
        edge = SEEN * np.array([manim.config.frame_width, manim.config.frame_height]) / 2 + OVERSHOOT
        outside = (np.abs(boxes) > np.tile(edge, 2)).any(axis=1)
        over = np.minimum(boxes[:, None, 2:], boxes[:, 2:]) - np.maximum(boxes[:, None, :2], boxes[:, :2])
        over = (over > TOUCH).all(axis=2) & (wholes[:, None] != wholes)
        if (found := np.flatnonzero(outside | over.any(axis=1))).size:
            longest = max((runs[i] for i in found), key=lambda run: len(run.text.strip()))
            wanted = "shorter words, or fewer" if longest.path is None else "shorter numbers, or fewer words"
            raise WeightsError("", f'"{longest.text.strip()}": there is no room for it in this film; expected {wanted}')

    def _seen_texts(self) -> tuple[list[Run], np.ndarray, np.ndarray]:
        """The runs of text that can be seen, which text each belongs to (m), and where it is (m x 4)."""
        runs, wholes, boxes = [], [], []
        for whole in self._parts(self.mobjects):
            for part in whole.submobjects:
                shown = getattr(part, "text_run", None) is not None and len(part.points)
                if shown and part.get_fill_opacity():
                    runs.append(part.text_run)
                    wholes.append(id(whole))
                    boxes.append((*part.points[:, :2].min(axis=0), *part.points[:, :2].max(axis=0)))
        return runs, np.array(wholes, dtype=np.int64), np.array(boxes).reshape(-1, 4)

    def _keep_numbers(self) -> None:
        known = {(entry["text"], entry["path"]) for entry in self.record}
        for run in self.texts():
            if run.path is not None and (run.text, run.path) not in known:
                known.add((run.text, run.path))
                self.record.append({"text": run.text, "path": run.path})

    def _parts(self, mobjects) -> Iterator:
        for mobject in mobjects:
            yield mobject
            yield from self._parts(mobject.submobjects)
