"""Nothing false is said: every text of every asset, of weights that are hostile to sentences.

What figures and films show of it as well, and the captions of films: tests/figures/test_laws.py, tests/scenes.
"""

from dataclasses import replace
from functools import partial
from importlib import import_module

import pytest

from attn.build.assets import assets
from attn.build.film import scene_of
from attn.core.model import WeightsError
from attn.core.reading import Reading
from attn.picture import sizes
from attn.picture.drawn import picture
from scenes._kit.render import rehearse
from tests.attn.hostile_models import CHASED, SENTENCES, STORIES, YOU
from tests.attn.said import check, texts

MODELS = [pytest.param("story", model, id=name) for name, model in STORIES.items()]
MODELS += [pytest.param("sentence", model, id=f"sentence: {name}") for name, model in SENTENCES.items()]


def of(subject: str, *kinds: str):
    """The modules of all assets of a subject."""
    return [import_module(asset.module) for kind in kinds for asset in assets(kind) if asset.subject == subject]


@pytest.mark.parametrize(("subject", "model"), MODELS)
def test_what_texts_say_is_so(subject, model):
    trace = picture(model)
    for width in ("page", "column") if model in (YOU, CHASED) else ("page",):
        with sizes.sized(width):
            for module in of(subject, "figures", "videos"):
                said = module.texts(trace)
                check(texts(said), trace, said.stage)


@pytest.mark.slow
@pytest.mark.parametrize(("subject", "model"), MODELS)
def test_what_captions_say_is_so(subject, model):
    trace = picture(model)
    for name in {"story": ("summary", "contrast"), "sentence": ("qkv", "symmetry")}[subject]:
        try:
            stage = rehearse(partial(scene_of(f"scenes.{name}"), Reading(trace)))
        except WeightsError:
            continue  # what has no room is said to have none
        while stage is not None:
            check([" ".join(beat.caption for beat in stage.beats if beat.caption)], trace, stage.said.stage)
            stage = getattr(stage, "past", None)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (YOU, "“you” listens most to “are”."), (YOU, "“you” listens to all words about equally."),
        (YOU, "The tip does not cross the plane from “are” to “here”; “you” is followed by “are”."),
        (YOU, "It is “why” that carries “you” across."),
        (YOU, "The scores: 0.80 with “why”, 1.42 with “are”, −1.06 with “you”."),
        (YOU, "“are” has the largest weight of all."), (YOU, "There are 7 arrows."),
        (CHASED, "“chased” has to look at “mouse” exactly as “mouse” looks at “chased”."),
        (CHASED, "“mouse” scores “chased” higher than “chased” scores “mouse”."),
        (CHASED, "with these two matrices they are symmetric as well"),
        (replace(CHASED, W_K=CHASED.W_Q), "the mirror breaks"),
    ],
)  # fmt: skip
def test_what_is_false_or_unknown_is_found(model, said):
    with pytest.raises(AssertionError):
        check([said], picture(model), "contextual")
