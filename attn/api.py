"""What `import attn` offers. Weights are given as a file's path, or as attn.Weights; a fault in them is an error with a
line that names the place. README.md in this folder tells more.
"""

from __future__ import annotations

import base64
import html
import json
import tempfile
from pathlib import Path

from attn.build.assets import Asset, named
from attn.build.output import write
from attn.build.settings import Settings
from attn.build.subjects import SHIPPED, Subjects
from attn.core import claims, weights
from attn.core.errors import WeightsError
from attn.core.model import PARAMETERS
from attn.core.model import Model as Weights
from attn.core.reading import Reading
from attn.picture.drawn import Drawn, picture

YOU = SHIPPED / "you.toml"  # the weights that come with the project
RESULTS = Path("output")  # where make keeps the results of the lookup experiment


def load(path: str | Path) -> Weights:
    """The weights in a file, checked whole: V x d_model embeddings, d_k x d_model W_Q, and so on.

    Raises ValueError (attn.core.errors.WeightsError) with one line: file, place, what was found, what is expected.

    >>> model = attn.load("attn/weights/you.toml")
    >>> model.vocabulary
    ('we', 'you', 'are', 'hear', 'here', 'why')
    >>> model.W_Q.shape
    (2, 3)
    """
    return weights.load(path)


def save(model: Weights, path: str | Path) -> Path:
    """Writes weights to a file in the format of attn/weights/README.md, every number exactly; returns the file's path.

    Raises ValueError for weights that `load` would refuse, and writes nothing then.

    >>> saved = attn.save(attn.load("attn/weights/you.toml"), folder / "mine.toml")
    >>> attn.load(saved).W_Q.tolist() == attn.load("attn/weights/you.toml").W_Q.tolist()
    True
    """
    write(Path(path), weights.dumps(_checked(model)).encode())
    return Path(path)


def trace(model: Weights | str | Path = YOU, sentence: str | None = None) -> Drawn:
    """One forward pass with every value kept, over `sentence`, or the one of the weights' story.

    Arrays have a row for each of the n words: embeddings and positioned (n x d_model), queries and keys (n x d_k),
    values (n x d_v), scores and attention (n x n, masked scores are -inf), mixed (n x d_v), contextual (n x d_model).
    decoder["contextual"] has what is predicted for the last word. All have the names that attn trace --json has.

    Raises ValueError for weights or a sentence that cannot be used.

    >>> trace = attn.trace("attn/weights/you.toml", "hear why you")
    >>> trace.attention.shape
    (3, 3)
    >>> trace.decoder["contextual"].word
    'are'
    """
    return picture(_model(model), sentence)


def check(model: Weights | str | Path = YOU) -> list[claims.Claim]:
    """Every claim that the pictures make of the weights, and every sentence expected of them.

    Each has a name, whether it holds, its margin (negative where it fails) and a line with the numbers.

    >>> [claim.name for claim in attn.check("attn/weights/you.toml") if not claim.holds]
    []
    """
    return claims.check(_model(model))


def fit(model: Weights | str | Path, grid: float = 0.5, seed: int = 0, fresh: bool = False) -> Weights:
    """Weights that meet every sentence expected of `model` and its story, each number a multiple of `grid`.

    The search sets out from the parameters of `model`, if it has any, or with `fresh` from random ones. A file may lack
    the parameters that are to be found. Raises attn.lab.fit.FitError, a ValueError, where the search finds nothing.

    >>> found = attn.fit("attn/weights/you.toml")
    >>> all(claim.holds for claim in attn.check(found))
    True
    """
    from attn.lab import fit as lab

    return lab.fit(
        model if isinstance(model, Weights) else weights.load(model, parameters_required=False), grid, seed, fresh
    )


def figure(name: str, trace: Drawn | None = None, theme: str = "light", width: float | None = None):
    """A figure as a matplotlib Figure, `width` mm wide: it shows itself in Jupyter, can be added to, and saved.

    `name` is one that `attn list` has, `trace` one of attn.trace (that of the shipped weights if left out). A figure
    that tells another story than the trace is drawn from the weights that are shipped for that.

    Raises ValueError for a name that is none, and where the figure cannot be drawn from these weights.

    >>> drawn = attn.figure("step4_softmax", attn.trace("attn/weights/you.toml"))
    >>> round(drawn.get_figwidth() * 25.4)
    174
    """
    from attn.build.figure import drawing
    from attn.build.publish import chosen
    from figures._kit import paint

    asset, settings = _asset("figures", name), Settings(theme=theme, width=width)
    with chosen(settings), paint.style():
        drawn = drawing(asset, _subject(asset, trace), settings)
        paint.check_room(drawn)
    return drawn


def film(
    name: str,
    trace: Drawn | None = None,
    theme: str = "light",
    quality: str = "low",
    folder: str | Path | None = None,
) -> Film:
    """Plays a film into `folder` (a temporary one if left out): NAME.mp4, its captions, poster and record.

    Returns the path of NAME.mp4, which shows itself in Jupyter as a video with captions. Names, `trace` and errors are
    those of attn.figure; quality is low, medium, high or 4k. It takes some seconds to a minute.

    >>> path = attn.film("step7_context", attn.trace("attn/weights/you.toml"))  # doctest: +SKIP
    """
    from attn.build import film as maker

    asset = _asset("videos", name)
    if asset.parts:
        raise WeightsError("videos", f'"{name}" is joined from others; expected one of these, or make videos')
    files = maker.film(asset, Reading(_subject(asset, trace)), Settings(theme=theme, quality=quality, formats=("mp4",)))
    place = Path(folder) if folder else Path(tempfile.mkdtemp(prefix="attn-"))
    for extension, data in files.items():
        write(place / f"{name}.{extension}", data)
    return Film(place / f"{name}.mp4")


class Film(type(Path())):  # type: ignore[misc]
    """The path of a film, which shows itself in a notebook."""

    def _repr_html_(self) -> str:
        """The film with its captions, whole, so that the notebook can be sent to somebody."""
        told = html.escape(json.loads(self.with_suffix(".json").read_bytes())["alt"], quote=True)
        film, captions = (f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
                          for kind, path in (("video/mp4", self), ("text/vtt", self.with_suffix(".vtt"))))  # fmt: skip
        track = f'<track kind="captions" srclang="en" label="English" src="{captions}" default>'
        return f'<video controls style="max-width: 100%" aria-label="{told}" src="{film}">{track}</video>'


def _model(model: Weights | str | Path) -> Weights:
    return _checked(model) if isinstance(model, Weights) else weights.load(model)


def _checked(model: Weights) -> Weights:
    """The same weights, checked as a file's are."""
    for name in PARAMETERS:
        values, wanted = getattr(model, name), 1 if name == "b_out" else 2
        if values is not None and values.ndim != wanted:
            raise WeightsError(f"parameters.{name}", f"has {values.ndim} dimensions, expected {wanted}")
    return weights.read(weights.dumps(model))


def _asset(kind: str, name: str) -> Asset:
    (asset,) = named(kind, [name])
    return asset


def _subject(asset: Asset, trace: Drawn | None):
    """What an asset is drawn from."""
    return Subjects(trace or picture(weights.load(YOU)), RESULTS).of(asset)
