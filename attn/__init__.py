"""Self-attention as numbers and pictures: one weights file, one forward pass, every value kept.

    import attn

    trace = attn.trace("mine.toml", "hear why you")
    trace.attention[-1]

What can be called is in attn.api; it is loaded when it is first asked for, so that `import attn` costs nothing.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attn.api import Weights as Weights
    from attn.api import check as check
    from attn.api import figure as figure
    from attn.api import film as film
    from attn.api import fit as fit
    from attn.api import load as load
    from attn.api import save as save
    from attn.api import trace as trace

__version__ = "0.1.0"
__all__ = ["Weights", "check", "figure", "film", "fit", "load", "save", "trace"]


def __getattr__(name: str):
    if name not in __all__:
        raise AttributeError(f"module 'attn' has no attribute {name!r}")
    from attn import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
