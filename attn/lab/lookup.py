"""The lookup experiment: one attention head, trained on nothing but answers, becomes a dictionary.

A store has four entries, each a tag and a value; then comes a query, a tag alone. An entry is one token whose embedding
is its tag's plus its value's; the query's is its tag's. One head (row convention, Q = X W_q) attends from the query to
all five tokens, the query's own among them, and a linear read-out of what it gathers must name the value that
belongs to the query's tag. Stores are drawn anew for every step.

Only twelve embeddings go into all tokens, so the head acts through two small tables, and training works on these: what
a query tag's score gains from each tag and each value, and what each tag and value, once attended to, adds to the six
answers' scores. `tests/attn/test_lookup.py` compares this with the head written out token by token, and the gradients
with finite differences.

The task and the fixed example are those of a textbook's chapter on self-attention; `PUBLISHED` holds its numbers.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from math import log, sqrt
from pathlib import Path

import numpy as np

TAGS, VALUES, ENTRIES = 6, 6, 4
D_MODEL, D_K, D_V = 32, 16, 16
STEPS, BATCH, RATE = 400, 256, 0.006  # the published run's rate is half of that
EMBEDDED, PROJECTED = 1.0, 0.4  # initial spread: of an embedding's entries; of a matrix's, times sqrt(its rows)
BETAS, EPSILON = (0.9, 0.999), 1e-8  # Adam's, as published (Kingma and Ba, 2015)
SEEDS = tuple(range(20))
SHOWN = (0, 25, 100, 400)  # the steps at which pictures stop
FRESH = 4096  # stores on which accuracy is measured at the end
DIGITS = 9  # significant digits that are kept: the last bits differ between processors
QUANTILES = (0.1, 0.5, 0.9)  # of the seeds, for bands
CHANCE = {"right": 1 / (ENTRIES + 1), "accuracy": 1 / VALUES, "loss": log(VALUES)}  # where nothing is known
LEVELS = {"right": (0, 0.5, 1), "accuracy": (0, 0.5, 1), "loss": (0, 0.5, 1, 1.5)}  # named at the axes of pictures

ROWS = TAGS + VALUES + 1  # of the table of embeddings: the tags, the values, and "no value", which is 0
NO_VALUE = TAGS + VALUES
SHAPES = {
    "tags": (TAGS, D_MODEL),
    "values": (VALUES, D_MODEL),
    "W_q": (D_MODEL, D_K),
    "W_k": (D_MODEL, D_K),
    "W_v": (D_MODEL, D_V),
    "W_o": (D_V, VALUES),  # the read-out
}
EXAMPLE = {"tags": (0, 2, 1, 3), "values": (3, 5, 5, 1), "query": 2, "entry": 1, "answer": 5}
PUBLISHED = {
    "rate": 0.003, "right_25": 0.73, "right_400": 0.98, "accuracy_400": 1.0, "accuracy_0": 0.2, "loss_0": 1.8,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Stores:
    """B stores with a query each. Token 4 is the query."""

    tag: np.ndarray  # B x 5, the row of each token's tag in the table of embeddings
    value: np.ndarray  # B x 5, the row of its value; NO_VALUE for the query
    answer: np.ndarray  # B, 0 to 5

    @property
    def query(self) -> np.ndarray:
        return self.tag[..., ENTRIES]


def stores(tags, values, query, answer) -> Stores:
    """Stores from tags and values (... x 4), query tags and answers (...)."""
    query = np.asarray(query)
    tag = np.concatenate([tags, query[..., None]], axis=-1)
    value = np.concatenate([np.asarray(values) + TAGS, np.full_like(query, NO_VALUE)[..., None]], axis=-1)
    return Stores(tag, value, np.asarray(answer))


def example() -> Stores:
    """The fixed example, as a single store."""
    return stores(*(np.array([EXAMPLE[name]]) for name in ("tags", "values", "query", "answer")))


def draw_stores(draw: np.random.Generator, *shape: int) -> Stores:
    """Random stores: distinct tags, any values, the query one of the four tags."""
    tags = draw.random((*shape, TAGS)).argsort(axis=-1, kind="stable")[..., :ENTRIES]
    values = draw.integers(VALUES, size=(*shape, ENTRIES))
    entry = draw.integers(ENTRIES, size=shape)[..., None]
    query, answer = (np.take_along_axis(part, entry, axis=-1)[..., 0] for part in (tags, values))
    return stores(tags, values, query, answer)


# ---- the head ----------------------------------------------------------------------------------------------------


def parts(flat: np.ndarray) -> dict[str, np.ndarray]:
    """The parameters by name, as views into one vector."""
    found, at = {}, 0
    for name, shape in SHAPES.items():
        found[name] = flat[at : at + shape[0] * shape[1]].reshape(shape)
        at += shape[0] * shape[1]
    return found


def initial(draw: np.random.Generator) -> np.ndarray:
    """Random parameters, normally distributed around 0, as one vector."""
    spread = {name: PROJECTED / sqrt(rows) if name[0] == "W" else EMBEDDED for name, (rows, _) in SHAPES.items()}
    return np.concatenate([draw.normal(0, spread[name], shape).ravel() for name, shape in SHAPES.items()])


def tables(p: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """What the head does, for all tokens at once: (scores 6 x 13, answers 13 x 6, steps on the way).

    scores[t, r]: what row r of a token adds to the score a query with tag t gives it, divided by sqrt(d_k).
    answers[r, a]: what row r of an attended token adds to the score of answer a.
    """
    rows = np.concatenate([p["tags"], p["values"], np.zeros((1, D_MODEL))])  # 13 x d_model
    Q, K, V = p["tags"] @ p["W_q"], rows @ p["W_k"], rows @ p["W_v"]  # 6 x d_k, 13 x d_k, 13 x d_v
    return Q @ K.T / sqrt(D_K), V @ p["W_o"], {"rows": rows, "Q": Q, "K": K, "V": V}


def attend(scores: np.ndarray, batch: Stores) -> np.ndarray:
    """The queries' rows of attention weights, B x 5: four entries, then the query itself."""
    own = scores[batch.query]  # B x 13
    raw = np.take_along_axis(own, batch.tag, axis=1) + np.take_along_axis(own, batch.value, axis=1)
    exponentials = np.exp(raw - raw.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def gathered(weights: np.ndarray, batch: Stores) -> np.ndarray:
    """How much of each row of the table of embeddings the queries gather, B x 13."""
    at = np.arange(len(weights))[:, None] * ROWS
    places = np.concatenate([at + batch.tag, at + batch.value], axis=1)
    doubled = np.concatenate([weights, weights], axis=1)
    return np.bincount(places.ravel(), doubled.ravel(), len(weights) * ROWS).reshape(-1, ROWS)


def run(flat: np.ndarray, batch: Stores) -> tuple[float, float, np.ndarray]:
    """(loss, accuracy, attention B x 5) on a batch; the loss is the mean cross-entropy of the answer."""
    scores, answers, _ = tables(parts(flat))
    weights = attend(scores, batch)
    loss, right, _ = _judged(gathered(weights, batch) @ answers, batch.answer)
    return loss, right, weights


def _judged(logits: np.ndarray, answer: np.ndarray) -> tuple[float, float, np.ndarray]:
    """(mean cross-entropy, accuracy, gradient by the logits) for logits B x 6."""
    B = len(logits)
    shifted = logits - logits.max(axis=1, keepdims=True)
    exponentials = np.exp(shifted)
    sums = exponentials.sum(axis=1)
    each = np.arange(B)
    loss = float((np.log(sums) - shifted[each, answer]).mean())
    gradient = exponentials / (sums[:, None] * B)
    gradient[each, answer] -= 1 / B
    return loss, float((logits.argmax(axis=1) == answer).mean()), gradient


def gradient(flat: np.ndarray, batch: Stores) -> tuple[float, float, np.ndarray]:
    """(loss, accuracy, gradient of the loss by every parameter, as one vector)."""
    p = parts(flat)
    scores, answers, on_the_way = tables(p)
    weights = attend(scores, batch)
    gained = gathered(weights, batch)  # B x 13
    loss, right, d_logits = _judged(gained @ answers, batch.answer)
    d_answers = gained.T @ d_logits  # 13 x 6
    d_gained = d_logits @ answers.T  # B x 13
    d_weights = np.take_along_axis(d_gained, batch.tag, axis=1) + np.take_along_axis(d_gained, batch.value, axis=1)
    d_raw = weights * (d_weights - (weights * d_weights).sum(axis=1, keepdims=True))  # softmax
    at = batch.query[:, None] * ROWS
    places = np.concatenate([at + batch.tag, at + batch.value], axis=1)
    doubled = np.concatenate([d_raw, d_raw], axis=1)
    d_scores = np.bincount(places.ravel(), doubled.ravel(), TAGS * ROWS).reshape(TAGS, ROWS)
    return loss, right, _through_tables(p, on_the_way, d_scores / sqrt(D_K), d_answers)


def _through_tables(p, way, d_products: np.ndarray, d_answers: np.ndarray) -> np.ndarray:
    """The gradient by the parameters, from those by the two tables (d_products: by q . k, 6 x 13)."""
    d_Q, d_K = d_products @ way["K"], d_products.T @ way["Q"]  # 6 x d_k, 13 x d_k
    d_V = d_answers @ p["W_o"].T  # 13 x d_v
    d_rows = d_K @ p["W_k"].T + d_V @ p["W_v"].T  # 13 x d_model; the last row stands for no parameter
    found = np.empty(sum(a * b for a, b in SHAPES.values()))
    into = parts(found)
    into["tags"][:] = d_rows[:TAGS] + d_Q @ p["W_q"].T
    into["values"][:] = d_rows[TAGS:NO_VALUE]
    into["W_q"][:] = p["tags"].T @ d_Q
    into["W_k"][:] = way["rows"].T @ d_K
    into["W_v"][:] = way["rows"].T @ d_V
    into["W_o"][:] = way["V"].T @ d_answers
    return found


# ---- training ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Run:
    """One training run, measured before each of STEPS updates and after the last, on stores not seen before."""

    attention: np.ndarray  # 401 x 5, the fixed example's row: four entries, then the query itself
    loss: np.ndarray  # 401
    accuracy: np.ndarray  # 401
    fresh: float  # accuracy on FRESH stores at the end
    scores: np.ndarray  # 4 x 6 x 13, the table of scores at the steps SHOWN
    answers: np.ndarray  # 4 x 13 x 6, the table of answers
    parameters: np.ndarray  # all of them at the end


def train(seed: int) -> Run:
    """A run with Adam (Kingma and Ba, 2015); the same to the bit for the same seed on the same machine."""
    draw = np.random.default_rng(seed)
    flat = initial(draw)
    batches = draw_stores(draw, STEPS + 1, BATCH)
    fixed = example()
    mean, square = np.zeros_like(flat), np.zeros_like(flat)
    attention, loss, accuracy, seen = np.empty((STEPS + 1, ENTRIES + 1)), *np.empty((2, STEPS + 1)), []
    for step in range(STEPS + 1):
        batch = Stores(batches.tag[step], batches.value[step], batches.answer[step])
        loss[step], accuracy[step], slope = gradient(flat, batch)
        found = tables(parts(flat))
        attention[step] = attend(found[0], fixed)[0]
        if step in SHOWN:
            seen.append(found[:2])
        if step < STEPS:
            mean += (1 - BETAS[0]) * (slope - mean)
            square += (1 - BETAS[1]) * (slope * slope - square)
            rate = RATE * sqrt(1 - BETAS[1] ** (step + 1)) / (1 - BETAS[0] ** (step + 1))
            flat = flat - rate * mean / (np.sqrt(square) + EPSILON)
    scores, answers = (np.array(tables_) for tables_ in zip(*seen, strict=True))
    return Run(attention, loss, accuracy, run(flat, draw_stores(draw, FRESH))[1], scores, answers, flat)


# ---- results -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Lookup:
    """The whole experiment as data: the first seed's run in detail, and what all seeds have in common."""

    settings: dict  # name: number
    example: dict  # the fixed example, see EXAMPLE
    published: dict  # the published run's numbers, see PUBLISHED
    steps: tuple[int, ...]  # SHOWN
    tags: np.ndarray  # 6, what the tags are called: 0 to 5
    values: np.ndarray  # 6, what the values are called
    attention: np.ndarray  # 401 x 5, of the first seed's run: the fixed example's row, the query itself last
    totals: np.ndarray  # 401, of the attention weights of a row: 1
    loss: np.ndarray  # 401
    accuracy: np.ndarray  # 401
    scores: np.ndarray  # 4 x 6 x 13, the table of scores at `steps`
    answers: np.ndarray  # 4 x 13 x 6, the table of answers at `steps`
    parameters: dict  # the first seed's, trained
    split: dict  # score_by_tag, score_by_value, answer_by_tag, answer_by_value: 6 x 6 each, see `split`
    reads: dict  # for W_q, W_k, W_v: [share of its output's variance that tags make, share that values make]
    right: np.ndarray  # seeds x 401, attention on the entry that holds the answer
    fresh: np.ndarray  # seeds, accuracy at the end on FRESH stores
    bands: dict  # right, loss, accuracy: 3 x 401, QUANTILES of the seeds
    chance: dict  # of the same: CHANCE
    levels: dict  # of the same: LEVELS


def experiment(say: Callable[[str], None] = lambda line: None) -> dict:
    """Trains every seed and measures; plain data, rounded to DIGITS."""
    runs = []
    for seed in SEEDS:
        runs.append(train(seed))
        say(f"lookup: seed {seed}, {100 * runs[-1].fresh:.0f} % right on new stores")
    first, series = runs[0], {"right": [r.attention[:, EXAMPLE["entry"]] for r in runs]}
    series |= {name: [getattr(r, name) for r in runs] for name in ("loss", "accuracy")}
    results = {
        "settings": settings(), "example": EXAMPLE, "published": PUBLISHED, "steps": SHOWN,
        "tags": list(range(TAGS)), "values": list(range(VALUES)),
        "attention": first.attention, "totals": first.attention.sum(axis=1), "loss": first.loss,
        "accuracy": first.accuracy, "scores": first.scores, "answers": first.answers,
        "split": split(first.scores[-1], first.answers[-1]),
        "parameters": parts(first.parameters), "reads": reads(parts(first.parameters)),
        "right": series["right"], "fresh": [r.fresh for r in runs],
        "bands": {name: np.quantile(rows, QUANTILES, axis=0) for name, rows in series.items()},
        "chance": CHANCE, "levels": LEVELS,
    }  # fmt: skip
    return _rounded(results)


def settings() -> dict:
    """The numbers the experiment was made with."""
    return {
        "tags": TAGS, "values": VALUES, "entries": ENTRIES, "d_model": D_MODEL, "d_k": D_K, "d_v": D_V,
        "batch": BATCH, "rate": RATE, "steps": STEPS, "seeds": len(SEEDS), "stores": FRESH,
        "embedded": EMBEDDED, "projected": PROJECTED,
    }  # fmt: skip


def reads(p: dict[str, np.ndarray]) -> dict[str, list[float]]:
    """What a projection of an entry depends on: the shares of its variance over all entries, [by tag, by value].

    Tag and value are drawn independently of each other, so the two variances add up.
    """
    found = {}
    for name in ("W_q", "W_k", "W_v"):
        spread = [float((p[half] @ p[name]).var(axis=0).sum()) for half in ("tags", "values")]
        found[name] = [part / sum(spread) for part in spread]
    return found


def split(scores: np.ndarray, answers: np.ndarray) -> dict[str, np.ndarray]:
    """What the tag and the value of an entry each change, against the average tag and the average value.

    scores 6 x 13 and answers 13 x 6 are the tables. A row of the parts of the score belongs to a query's tag, one of
    the parts of the answer to an answer; columns are the entry's tags or values. Softmax sees only differences.
    """
    found = {}
    for name, table in (("score", scores), ("answer", answers.T)):
        for half, part in (("tag", table[:, :TAGS]), ("value", table[:, TAGS:NO_VALUE])):
            found[f"{name}_by_{half}"] = part - part.mean(axis=1, keepdims=True)
    return found


def _rounded(value):
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _rounded(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def digest() -> str:
    """What the results depend on: this file's code, comments aside, and numpy, whose generator draws the stores."""
    code = ast.dump(ast.parse(Path(__file__).read_bytes()))
    return hashlib.sha256(f"{np.__version__} {code}".encode()).hexdigest()


def from_data(results: dict) -> Lookup:
    """Plain data as arrays. Raises KeyError for a part that is missing."""
    plain = ("settings", "example", "published", "reads", "chance", "levels")
    found = {f.name: results[f.name] for f in fields(Lookup)}
    groups = ("parameters", "bands", "split")
    arrays = {name: np.array(found[name]) for name in found if name not in (*plain, *groups, "steps")}
    nested = {name: {k: np.array(v) for k, v in found[name].items()} for name in groups}
    return Lookup(**(found | arrays | nested | {"steps": tuple(found["steps"])}))


def table(found: Lookup) -> list[str]:
    """What was measured, a line a seed, then the median, and the published run."""
    at = found.steps
    lines = ["attention on the right entry of the fixed example, and the accuracy on new stores at the end", ""]
    lines.append("seed     " + "".join(f"step {step:<6}" for step in at) + "accuracy")
    for seed, (row, fresh) in enumerate(zip(found.right, found.fresh, strict=True)):
        lines.append(f"{seed:<9}" + "".join(f"{row[step]:<11.2f}" for step in at) + f"{fresh:.4f}")
    lines.append("median   " + "".join(f"{found.bands['right'][1][step]:<11.2f}" for step in at))
    return lines
