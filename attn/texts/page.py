"""What the web page says beside what figures and films say themselves."""

from __future__ import annotations

from attn.core.forward import STATES, SYMBOLS
from attn.picture.quantities import QUANTITIES

TITLE = "Self-attention, step by step"
PARTS = {
    "story": "How a word gets its context",
    "sentence": "Where queries, keys and values come from",
    "lookup": "A head that learns to look up",
}
SKIP = "Skip to the step"
STEPS = "All steps"
BEFORE, AFTER = "Previous", "Next"
FILM, FIGURE, FILES, SPACE = "The film", "The figure", "Files", "The space"
NUMBERS, PREDICTION = "The numbers", "The prediction at this stage"
HEARD = "What the film says"
PAUSES = "Pause after each beat"
SETTINGS = "How this page works"
KEYS = "Use the keys of this page"
KEYS_ARE = (
    ("← →", "the step before, the next step"),
    ("0 to 9", "the step of that number"),
    ("space", "plays the film and pauses it"),
    ("← → ↑ ↓", "turn the space, when it is chosen; Home turns it back"),
)
TURN = "Turn the space: drag it, or use the arrow keys; Home turns it back"
TURNS = (
    ("left", "Turn left"),
    ("right", "Turn right"),
    ("up", "Turn up"),
    ("down", "Turn down"),
    ("back", "Turn back"),
)
MORE = (
    "All numbers come from one forward pass through one weights file. They are rounded here. The JSON file of each "
    "figure and film names the place of each number in the pass."
)
LANGUAGE = "English"

# The tables of numbers: what stands in each row, and what each is called.
OF_PAIRS = {"attention", "exponentials", "products", "scores", "tied"}
OF_WORDS = {*OF_PAIRS, "contextual", "correction", "embeddings", "keys", "mixed", "positioned", "queries", "shares",
            "shift", "sums", "totals", "values", "weighted"}  # fmt: skip
OF_VOCABULARY = {"W_out", "b_out", "parameters.embeddings"}
CALLED = {q.row: f"{q.symbol}: {q.name}" for q in QUANTITIES.values()} | {
    "": "sizes",
    "products": "q·k: dot product",
    "scores": "s: attention score",
    "tied": "q·q: score of a word with itself as key",
    "exponentials": "exp of the score",
    "sums": "sum of the row",
    "totals": "sum of the weights",
    "weighted": "αv: weighted value",
    "shares": "what each word adds to the distance",
    "distances": "distance to the plane",
    "parameters.embeddings": "the embeddings of the vocabulary",
    "parameters.positions": "p: position vector",
}
NAMES = {"scores": "logit", "probabilities": "probability", "n": "words", "V": "vocabulary", "n_max": "positions"}
NAMES |= SYMBOLS


def called(place: tuple) -> str:
    """What a table is called whose numbers stand at `place` in the trace: names, and the row if it is of one alone."""
    name = ".".join(part for part in place if isinstance(part, str))
    checkpoint = place[-1] if len(place) == 2 and place[0] == "decoder" else None
    if checkpoint:
        return f"the decoder at {SYMBOLS[checkpoint]}"
    return CALLED.get(name) or name.removeprefix("parameters.").replace("_", " ").replace(".", ", ")


def followed(checkpoint: str, word: str) -> str:
    """Where the decoder is asked."""
    return f"What the decoder makes of {SYMBOLS[checkpoint]}, the {QUANTITIES[STATES[checkpoint]].name} of “{word}”"


def others(count: int) -> str:
    """The words that a table leaves out."""
    return f"{count} other word{'s' * (count != 1)}"


def beat(title: str, number: int, count: int) -> str:
    """What a slide with one beat of a step is called."""
    return f"{title} ({number} of {count})"


def space(labels: list[str]) -> str:
    """What is seen in the space that turns."""
    return f"The 3-D word embedding space with {', '.join(labels)}. {TURN}."
