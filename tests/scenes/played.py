"""The story's films, played to their ends without an encoder; what was on the stage whenever a beat came to rest."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from attn.build import subjects
from attn.build.assets import ROOT, assets
from attn.build.film import scene_of
from attn.core import weights
from attn.core.model import Model, Story
from attn.picture.drawn import as_dict, picture
from attn.picture.richtext import Run
from attn.texts.phrases import Texts
from scenes._kit.parts import StepScene, Strip
from scenes._kit.renderer import Renderer, _Times, settings
from scenes._kit.spaces import Vector
from scenes._kit.text import SCRIPT_SIZE, Number, Text

SMALL = (427, 240, 30)  # of the pictures that are compared
SHIPPED = subjects.SHIPPED / subjects.FILES["story"]
SAME = "crlf-bom", "french"  # as other files, for films: the same numbers, the same letters
FILES = [SHIPPED, *sorted(file for file in (ROOT / "tests/cases/good").glob("*.toml") if file.stem not in SAME)]
TOLD = [asset for asset in assets("videos") if asset.subject == "story" and not asset.parts]
FILMS = {asset.name: scene_of(asset.module) for asset in TOLD}
NEXT = {name: next((n for n, other in FILMS.items() if other.after is scene), None) for name, scene in FILMS.items()}


def made(words: int, vocabulary: int, places: bool = True, causal: bool = True, word: str = "word") -> Model:
    """A model with a sentence and a vocabulary of these lengths, numbers with two decimals; always the same ones.

    Its words are `word` and a number.
    """
    rng = np.random.default_rng(7)
    names = tuple(f"{word}{i}" for i in range(vocabulary))

    def array(*shape):
        return np.round(rng.uniform(-2, 2, shape), 2) + 0.0

    return Model(
        names, array(vocabulary, 3), array(2, 3), array(2, 3), array(2, 3),
        positions=array(words, 3) if places else None,
        W_O=array(3, 2), W_out=array(vocabulary, 3), b_out=array(vocabulary), causal=causal,
        story=Story(names[-words:], names[1], names[2]),
    )  # fmt: skip


CASES = {file.stem: file for file in FILES} | {
    "12 long words": made(12, 40, word="longlonglo"),
    "7 words without places or mask": made(7, 8, places=False, causal=False),
    "1 word": made(1, 6),
}


@dataclass(frozen=True)
class Piece:
    """A run of text on the stage: what it says, its em and its box (left, bottom, right, top), both in scene units."""

    text: str
    path: str | None
    em: float
    box: tuple[float, float, float, float]
    whole: int  # which text it belongs to


@dataclass
class Rest:
    """The stage when a beat has come to rest."""

    pieces: list[Piece]
    vectors: list[np.ndarray]  # where those that can be seen start and end, 2 x 2 each


MOMENTS = (0.15, 0.4, 0.65, 0.9, 1.0)  # of each motion, at which one looks
NAMES = re.compile(r"Step \d|add up to 1|\d-D|dim \d")  # digits that are no numbers


@dataclass(frozen=True)
class Shown:
    """A number that was to be seen at some moment: what it said, and the objects that it is part of."""

    run: Run
    owners: tuple
    rests: bool  # whether a beat had come to rest


@dataclass
class Played:
    """One film: the scene at its end, what was read, its first and last pictures, where its vectors ended."""

    stage: StepScene
    said: Texts
    rests: list[Rest] = field(default_factory=list)
    first: np.ndarray | None = None
    last: np.ndarray | None = None
    vectors: dict[str, list[tuple[np.ndarray, np.ndarray]]] = field(default_factory=dict)
    numbers: list[Shown] = field(default_factory=list)
    marks: list[tuple[float, float, float, float]] = field(default_factory=list)  # ends of a mark, of its scale


class Watching(Renderer):
    """Plays without an encoder, keeps the first picture and what is there at every rest and at the end."""

    def __init__(self):
        super().__init__(draws=True)
        self.first = self.last = None
        self.rests: list[Rest] = []
        self.vectors, self.numbers, self.marks = {}, [], []

    def play(self, scene, *animations, **options) -> None:
        if self.first is None:
            scene.play_internal = self.keep_first(scene, scene.play_internal)
        scene.get_time_progression = lambda seconds, *_, **__: _Times(seconds * share for share in MOMENTS)
        super().play(scene, *animations, **options)
        if scene.is_current_animation_frozen_frame():
            self.rests.append(Rest(list(pieces(scene.mobjects)), list(vectors(scene.mobjects))))
            self.watch(scene, rests=True)

    def render(self, scene, time, moving_mobjects=None) -> None:
        super().render(scene, time, moving_mobjects)
        self.watch(scene, rests=False)

    def watch(self, scene, rests: bool) -> None:
        """Keeps the numbers that can be seen now, and where marks stand on their scales."""
        self.numbers += [Shown(run, owners, rests) for run, owners in numbers(scene.mobjects)]
        self.marks += [
            (strip.marker.get_left()[0], strip.marker.get_right()[0], strip.low, strip.high)
            for strip in parts(scene.mobjects, Strip)
        ]

    def keep_first(self, scene, play):
        """`play`, which takes the picture before anything has moved, the first time."""

        def start(*args, **options):
            if self.first is None:
                scene.update_to_time(0)
                self.first = self.picture(scene).copy()
            return play(*args, **options)

        return start

    def scene_finished(self, scene) -> None:
        self.last = self.picture(scene).copy()
        for name, value in vars(scene).items():
            found = value if isinstance(value, list) else [value]
            if found and all(isinstance(one, Vector) for one in found):
                self.vectors[name] = [(one.start.copy(), one.end.copy()) for one in found]


def pieces(mobjects):
    """Every run of text that can be seen."""
    for whole in texts(mobjects):
        shapes = whole.runs if isinstance(whole, Text) else [whole.digits]
        for shape in shapes:
            if len(shape.points) and shape.get_fill_opacity() > 0:
                low, high = shape.points[:, :2].min(axis=0), shape.points[:, :2].max(axis=0)
                run = shape.text_run
                yield Piece(run.text, run.path, whole.em * (SCRIPT_SIZE if run.script else 1), (*low, *high), id(whole))


def numbers(mobjects, holder=None):
    """Every run of text with a digit that can be seen, and the objects that it is part of."""
    for one in mobjects:
        if not isinstance(one, (Text, Number)):
            yield from numbers(one.submobjects, one)
            continue
        for shape in one.runs if isinstance(one, Text) else [one.digits]:
            if len(shape.points) and shape.get_fill_opacity() > 0 and re.search(r"\d", shape.text_run.text):
                yield shape.text_run, (shape, one, holder)


def unrecorded(film: Played, words=()) -> set[Run]:
    """What was shown at a rest and is not recorded, and what moved and never came to rest as something recorded.

    words: their digits are no numbers.
    """
    recorded = {(entry["text"], entry["path"]) for entry in film.stage.record}
    told = {path for _, path in recorded}
    shown = [one for one in film.numbers if not is_name(one.run.text, words)]
    settled = {id(owner) for one in shown if one.rests and one.run.path for owner in one.owners}
    return {
        one.run
        for one in shown
        if (one.run.text, one.run.path) not in recorded
        and (one.rests or one.run.path not in told and settled.isdisjoint(map(id, one.owners)))
    }


def is_name(text: str, words) -> bool:
    """Whether the digits of a text are part of a word, which may be cut, or of a name like "Step 2" or "3-D"."""
    cut = [word for word in words if text.endswith("…") and word.startswith(text[:-1])]
    return bool(cut) or text in words or not re.search(r"\d", NAMES.sub("", text))


def vectors(mobjects):
    """Where every vector that can be seen starts and ends."""
    for one in parts(mobjects, Vector):
        if max(one.shaft.get_stroke_opacity(), one.tip.get_fill_opacity()) > 0:
            yield np.array([one.start, one.end])


def texts(mobjects):
    """Every Text and Number among `mobjects` and their parts, each once."""
    return parts(mobjects, (Text, Number))


def parts(mobjects, kind):
    """Everything of a kind among `mobjects` and their parts, each once."""
    seen, waiting = set(), list(mobjects)
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            if isinstance(one, kind):
                yield one
            else:
                waiting += one.submobjects


@cache
def traced(source: Path | Model):
    """The trace of a weights file or a model, with its view."""
    return picture(source if isinstance(source, Model) else weights.load(source))


@cache
def values(file: Path | Model) -> dict:
    """The trace as the numbers' paths see it."""
    return as_dict(traced(file))


@lru_cache(1)  # tests of one file follow each other; films are large
def played(file: Path | Model) -> dict[str, Played]:
    """Every film of the story: those that end a chain are played, the ones before them on the way."""
    found: dict[str, Played] = {}
    names = {scene: name for name, scene in FILMS.items()}
    with settings(*SMALL):
        for name, scene in FILMS.items():
            if NEXT[name] is None:
                stage = scene(traced(file), renderer=Watching())
                stage.render()
                while stage is not None and names[type(stage)] not in found:
                    seen = stage.renderer
                    found[names[type(stage)]] = Played(
                        stage, stage.said, seen.rests, seen.first, seen.last, seen.vectors, seen.numbers, seen.marks
                    )
                    stage = stage.past
    return found
