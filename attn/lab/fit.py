"""Searching weights for a file's sentences: many chains of simulated annealing side by side, on a grid.

A set of weights is a row of whole numbers, multiples of the grid, so that every number found is short and the
search takes the same course on every machine. What is asked of it are `shortfalls`: that every sentence gets its
word with a clear lead, and what pictures need in order to be read. `attn.lab.beauty` prefers, among sets that lack
nothing, those that make good pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from attn.core.forward import CHECKPOINTS, forward
from attn.core.model import PARAMETERS, Expect, Model
from attn.picture.drawn import picture

# What is asked of the weights; lengths in embedding units, leads in scores
LEAD = 2.5  # of every expected word over every other word
LEAD_BEFORE = 1.0  # of story.from at e and at x
CONTEXT = 0.5  # attention of the followed word on each of n context words: at least this, shared by n
SELF = (0.05, 0.30)  # its attention on itself
APART, LONG = 1.0, 0.9  # embeddings: distance of any two, and length
SHIFT = (0.3, 1.0)  # length of position vectors
DISPLACED = 1.5  # length of the displacement c
TIPS = 0.3  # distance of any two of the tips of e, x and h on the page
LARGEST = 2.5  # size of every number apart from b_out

SILENT = -10.0  # b_out of words that no sentence expects
WIDTHS = {"d_model": 3, "d_k": 2, "d_v": 2}  # where the file has no parameters
ROOM = 4  # rows of positions, at least
WEIGHT = 3.0  # of what is lacking against what is only ugly
CHAINS = 16
WORK = 125_000_000  # numbers that a search may compute in one quantity; settles its steps
HOT, COLD = 0.7, 0.02  # temperatures
STEPS = (1000, 10_000)
LOOKLESS = 4  # as many steps without an eye on looks take less time
ENOUGH = 4  # chains that lack nothing end a search that has no looks to improve


class FitError(ValueError):
    """No weights were found; str() says in one line which demands are not met."""


def fit(
    model: Model,
    grid: float = 0.5,
    seed: int = 0,
    fresh: bool = False,
    beauty: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Model:
    """`model` with parameters that meet its [[expect]] entries and its story, every one a multiple of `grid`.

    A file to be fitted is read by `weights.load(path, parameters_required=False)`.

    The file's parameters are the start: if they (on the grid) lack nothing they are kept, otherwise the search
    sets out from them. Without parameters, or with `fresh`, it sets out from random ones. The same arguments
    give the same numbers on every machine. `progress` is called with the share that is done.

    Raises FitError where the sentences contradict each other or the search finds nothing: what is not met.
    """
    if not 0.01 <= grid <= 1:
        raise FitError(f"the grid is {grid:g}, expected 0.01 to 1")
    wanted = wishes(model)
    start = None if fresh or model.d_model == 0 else model
    search = Search(model, wanted, grid, start)
    rng = np.random.default_rng(seed)
    if start is not None:
        kept = search.model(search.first(rng, 1)[0])
        if not shortfalls(kept, wanted):
            return kept
    with_looks = beauty and search.pictured
    states = search.run(rng, search.first(rng, CHAINS), with_looks, progress)
    complete, fewest = _complete(search, states)
    if not complete and with_looks:  # beauty may have stood in the way
        complete, fewest = _complete(search, search.run(rng, states, False, progress))
    if not complete:
        what = f"no weights found on the grid of {grid:g} with seed {seed}"
        raise FitError(f"{what}; at best: {'; '.join(fewest)}")
    if with_looks:
        from attn.lab.beauty import ugliness_of

        return min(complete, key=lambda candidate: round(ugliness_of(candidate), 6))
    return complete[0]


def _complete(search: Search, states: np.ndarray) -> tuple[list[Model], list[str]]:
    """The models of the states that lack nothing, and the fewest shortfalls of any."""
    found = [search.model(state) for state in states]
    lacking = [shortfalls(candidate, search.wanted) for candidate in found]
    complete = [candidate for candidate, lacks in zip(found, lacking, strict=True) if not lacks]
    return complete, min(lacking, key=len)


def wishes(model: Model) -> tuple[Expect, ...]:
    """The [[expect]] entries and, of the story, the sentence and its last word alone, each once.

    Raises FitError for a sentence that is to be followed by two words, and where there is none.
    """
    pairs = [(entry.sentence, entry.next) for entry in model.expect]
    if _told(model):
        story = model.story
        pairs += [(story.sentence, story.target)]
        if len(story.sentence) > 1:
            pairs += [(story.sentence[-1:], story.origin)]
    found: dict[tuple[str, ...], str] = {}
    for written, word in pairs:
        words = tuple(model.entry(w) for w in written)
        if found.setdefault(words, word) != word:
            first, sentence = found[words], " ".join(written)
            both = f'"{first}" and by "{word}"'
            raise FitError(f'"{sentence}" is to be followed by {both}: no weights do both')
    if not found:
        raise FitError("the file has neither [[expect]] entries nor a story: nothing to fit")
    return tuple(Expect(sentence, word) for sentence, word in found.items())


def story_row(model: Model, wanted: tuple[Expect, ...]) -> int | None:
    """The place of the story's sentence among the `wishes`; None without a story."""
    if not _told(model):
        return None
    return [e.sentence for e in wanted].index(tuple(model.entry(word) for word in model.story.sentence))


def _told(model: Model) -> bool:
    return model.story is not None and model.story.origin is not None


# What a set of weights lacks


def shortfalls(model: Model, wanted: tuple[Expect, ...] | None = None) -> list[str]:
    """What `model` lacks of everything that is asked of it, a short text each; empty if it lacks nothing."""
    found = []
    for entry in wishes(model) if wanted is None else wanted:
        scores = forward(model, entry.sentence).decoder["contextual"].scores
        row = model.index(entry.next)
        lead = scores[row] - max(np.delete(scores, row), default=-np.inf)
        found += _least(f'lead of "{entry.next}" after "{" ".join(entry.sentence)}"', lead, LEAD)
    found += _lengths(model)
    return found + _of_the_story(model) if _told(model) else found


def _least(what: str, value: float, least: float) -> list[str]:
    return [] if value >= least - 1e-9 else [f"{what} is {value:.2f}, wanted at least {least:g}"]


def _most(what: str, value: float, most: float) -> list[str]:
    return [] if value <= most + 1e-9 else [f"{what} is {value:.2f}, wanted at most {most:g}"]


def _lengths(model: Model) -> list[str]:
    found = []
    for name in PARAMETERS[:-1]:
        found += _most(f"largest number of {name}", np.abs(getattr(model, name)).max(), LARGEST)
    for word, e in zip(model.vocabulary, model.embeddings, strict=True):
        found += _least(f'length of "{word}"', np.linalg.norm(e), LONG)
    for (a, e), (b, f) in combinations(zip(model.vocabulary, model.embeddings, strict=True), 2):
        found += _least(f'distance of "{a}" and "{b}"', np.linalg.norm(e - f), APART)
    for row, p in enumerate(model.positions, start=1):
        found += _least(f"length of position {row}", np.linalg.norm(p), SHIFT[0])
        found += _most(f"length of position {row}", np.linalg.norm(p), SHIFT[1])
    return found


def _of_the_story(model: Model) -> list[str]:
    trace = picture(model)
    context, found = trace.n - 1, []
    pair = [model.index(word) for word in (model.story.origin, model.story.target)]
    for name in CHECKPOINTS[:2]:
        scores = trace.decoder[name].scores
        lead = scores[pair[0]] - max(np.delete(scores, pair[0]), default=-np.inf)
        found += _least(f'lead of "{model.story.origin}" at the {name} checkpoint', lead, LEAD_BEFORE)
    if context:
        for word, weight in zip(trace.tokens[:-1], trace.attention[-1], strict=False):
            found += _least(f'attention on "{word}"', weight, CONTEXT / context)
        found += _least("attention on itself", trace.attention[-1, -1], SELF[0])
        found += _most("attention on itself", trace.attention[-1, -1], SELF[1])
    found += _least("length of the displacement", np.linalg.norm(trace.correction[-1]), DISPLACED)
    if model.d_model == 3:
        tips = trace.view.project([trace.state(name) for name in CHECKPOINTS])
        for (a, p), (b, q) in combinations(zip("exh", tips, strict=True), 2):
            found += _least(f"distance of the tips of {a} and {b} on the page", np.linalg.norm(p - q), TIPS)
    return found


# The search


@dataclass(frozen=True)
class Sentences:
    """Sentences as arrays: S sentences of up to N words."""

    words: np.ndarray  # S x N, rows of the vocabulary; 0 where a sentence has ended
    there: np.ndarray  # S x N, True where there is a word
    last: np.ndarray  # S, place of the last word

    @staticmethod
    def of(model: Model, wanted: tuple[Expect, ...]) -> Sentences:
        sentences = [entry.sentence for entry in wanted]
        longest = max(map(len, sentences))
        words = np.zeros((len(sentences), longest), dtype=int)
        for row, sentence in enumerate(sentences):
            words[row, : len(sentence)] = [model.index(word) for word in sentence]
        lengths = np.array([len(sentence) for sentence in sentences])
        return Sentences(words, np.arange(longest) < lengths[:, None], lengths - 1)


@dataclass(frozen=True)
class Pass:
    """The forward pass of B sets of weights over S sentences, for their last words."""

    parameters: dict[str, np.ndarray]  # B x the parameter's shape
    x: np.ndarray  # B x S x N x d_model
    q: np.ndarray  # B x S x N x d_k
    k: np.ndarray  # B x S x N x d_k
    v: np.ndarray  # B x S x N x d_v
    scores: np.ndarray  # B x S x N, scaled
    attention: np.ndarray  # B x S x N
    c: np.ndarray  # B x S x d_model
    h: np.ndarray  # B x S x d_model
    decoded: np.ndarray  # B x S x V


def run_pass(parameters: dict[str, np.ndarray], sentences: Sentences) -> Pass:
    """Every quantity of the pass for all sets of weights at once; the pass of `attn.core`, batched."""
    p = parameters
    batch, words, d_model = p["embeddings"].shape
    S, N = sentences.words.shape
    rows = np.arange(S)
    x = p["embeddings"][:, :, None] + p["positions"][:, None, :N]  # B x V x N x d_model, each word at each place
    x = x.reshape(batch, words * N, d_model)
    place = sentences.words * N + np.arange(N)  # S x N
    q, k, v = (np.matmul(x, p[name].transpose(0, 2, 1))[:, place] for name in ("W_Q", "W_K", "W_V"))
    x = x[:, place]
    asking = q[:, rows, sentences.last]  # B x S x d_k
    scores = (asking[:, :, None] * k).sum(axis=-1) / np.sqrt(k.shape[-1])
    hidden = np.where(sentences.there, scores, -np.inf)
    exponentials = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    attention = exponentials / exponentials.sum(axis=-1, keepdims=True)
    mixed = (attention[..., None] * v).sum(axis=-2)  # B x S x d_v
    c = np.matmul(mixed, p["W_O"].transpose(0, 2, 1))
    h = x[:, rows, sentences.last] + c
    decoded = np.matmul(h, p["W_out"].transpose(0, 2, 1)) + p["b_out"][:, None]
    return Pass(p, x, q, k, v, scores, attention, c, h, decoded)


class Search:
    """The search for one file's weights. A state is a row of whole numbers: the parameters divided by the grid."""

    def __init__(self, model: Model, wanted: tuple[Expect, ...], grid: float, start: Model | None):
        self.template, self.wanted, self.grid, self.start = model, wanted, grid, start
        self.shapes = _shapes(model, wanted, start)
        ends = np.cumsum([int(np.prod(shape)) for shape in self.shapes.values()])
        self.places = {name: slice(end - int(np.prod(shape)), end)
                       for (name, shape), end in zip(self.shapes.items(), ends, strict=True)}  # fmt: skip
        self.heard = sorted({model.index(e.next) for e in wanted} | set(_pair(model)))
        self.limits = self._limits(int(ends[-1]))
        self.free = np.flatnonzero(self._free(int(ends[-1])))
        self.next = next_rows(model, wanted)
        self.story = story_row(model, wanted)
        widths = self.shapes["W_O"]
        self.pictured = self.story is not None and widths == (3, 2) and self.shapes["W_Q"][0] == 2
        self.sentences = Sentences.of(model, wanted)

    def _limits(self, size: int) -> np.ndarray:
        limits = np.full(size, int(LARGEST / self.grid + 1e-9))
        limits[self.places["positions"]] = int(SHIFT[1] / self.grid + 1e-9)
        limits[self.places["b_out"]] = int(-SILENT / self.grid + 1e-9)
        return limits

    def _free(self, size: int) -> np.ndarray:
        """Which numbers may change: the decoder's rows of words that no sentence expects stay."""
        free = np.ones(size, dtype=bool)
        for name in ("W_out", "b_out"):
            rows = np.zeros(self.shapes[name], dtype=bool)
            rows[self.heard] = True
            free[self.places[name]] = rows.ravel()
        return free

    def parameters(self, states: np.ndarray) -> dict[str, np.ndarray]:
        """`states` (B x size) as parameters, each B x its shape."""
        # Dividing keeps 3 * 0.1 from becoming 0.30000000000000004
        values = np.round(states * self.grid, 10)
        return {name: values[:, place].reshape(-1, *self.shapes[name]) for name, place in self.places.items()}

    def model(self, state: np.ndarray) -> Model:
        """The file with the parameters of one state."""
        return replace(self.template, **{k: v[0] + 0.0 for k, v in self.parameters(state[None]).items()})

    def first(self, rng: np.random.Generator, count: int) -> np.ndarray:
        """`count` states to set out from."""
        size = len(self.limits)
        states = np.rint(rng.normal(size=(count, size)) * 0.8 / self.grid).astype(int)
        states[:, self.places["b_out"]] = 0
        quiet = np.setdiff1d(np.arange(self.shapes["b_out"][0]), self.heard)
        rows = rng.integers(-1, 2, size=(len(quiet), self.shapes["W_out"][1])) * round(max(0.5 / self.grid, 1))
        decoder = states[:, self.places["W_out"]].reshape(count, *self.shapes["W_out"])
        decoder[:, quiet] = rows
        states[:, self.places["W_out"]] = decoder.reshape(count, -1)
        if self.start is not None:
            for name, place in self.places.items():
                value = getattr(self.start, name)
                if value is not None:
                    given = np.rint(value / self.grid).astype(int)
                    rows = np.arange(place.start, place.stop).reshape(self.shapes[name])[: len(given)]
                    states[:, rows.ravel()] = given.ravel()
        silent = self.places["b_out"].start + quiet
        if self.start is None or self.start.b_out is None:
            states[:, silent] = round(SILENT / self.grid)
        return np.clip(states, -self.limits, self.limits)

    def run(self, rng: np.random.Generator, states: np.ndarray, with_looks: bool, progress=None) -> np.ndarray:
        """The best state of every chain that sets out from `states`, the best first."""
        judge = self.judge(with_looks)
        states, cost = states.copy(), judge(states)
        best, best_cost = states.copy(), cost.copy()
        steps = int(np.clip(WORK // (CHAINS * self.sentences.words.size * 20), *STEPS))
        steps *= 1 if with_looks else LOOKLESS
        for step in range(steps):
            temperature = HOT * (COLD / HOT) ** (step / steps)
            moved = self._moved(states, rng, step)
            costs = judge(moved)
            taken = rng.random(len(states)) < np.exp(np.minimum(cost - costs, 0) / temperature)
            states[taken], cost[taken] = moved[taken], costs[taken]
            better = np.round(cost - best_cost, 9) < 0
            best[better], best_cost[better] = states[better], cost[better]
            if progress is not None and step % 50 == 0:
                progress(step / steps)
            if np.count_nonzero(best_cost < 1e-9) >= ENOUGH:
                break
        return best[np.argsort(np.round(best_cost, 6), kind="stable")]

    def _moved(self, states: np.ndarray, rng: np.random.Generator, step: int) -> np.ndarray:
        """Each state with one number changed, or two in every third step."""
        moved, rows = states.copy(), np.arange(len(states))
        reach = max(2, round(1 / self.grid))
        for _ in range(2 if step % 3 == 0 else 1):
            place = self.free[rng.integers(len(self.free), size=len(states))]
            by = rng.integers(1, reach + 1, size=len(states)) * (2 * rng.integers(2, size=len(states)) - 1)
            moved[rows, place] = np.clip(moved[rows, place] + by, -self.limits[place], self.limits[place])
        return moved

    def judge(self, with_looks: bool) -> Callable[[np.ndarray], np.ndarray]:
        """From states (B x size) to how much each lacks (B), or that and how it looks."""
        if not with_looks:
            return lambda states: self.lacking(run_pass(self.parameters(states), self.sentences))
        from attn.lab.beauty import Beauty

        looks = Beauty(self.template, self.wanted)

        def judge(states: np.ndarray) -> np.ndarray:
            run = run_pass(self.parameters(states), looks.sentences)
            return WEIGHT * self.lacking(run) + looks.ugliness(run)

        return judge

    def lacking(self, run: Pass) -> np.ndarray:
        """The sum of all shortfalls of B sets of weights, 0 where nothing is lacking: `shortfalls`, batched."""
        p, count = run.parameters, len(self.next)
        total = under(LEAD, leads(run.decoded[:, :count], self.next)).sum(axis=-1)
        apart = np.linalg.norm(p["embeddings"][:, :, None] - p["embeddings"][:, None], axis=-1)
        above = np.triu_indices(apart.shape[1], 1)
        total += under(APART, apart[:, above[0], above[1]]).sum(axis=-1)
        total += under(LONG, np.linalg.norm(p["embeddings"], axis=-1)).sum(axis=-1)
        shift = np.linalg.norm(p["positions"], axis=-1)
        total += (under(SHIFT[0], shift) + under(-SHIFT[1], -shift)).sum(axis=-1)
        return total if self.story is None else total + self._story_lacks(run)

    def _story_lacks(self, run: Pass) -> np.ndarray:
        p, last = run.parameters, self.sentences.last[self.story]
        word, origin = self.sentences.words[self.story, last], np.array([_pair(self.template)[0]])
        total = under(DISPLACED, np.linalg.norm(run.c[:, self.story], axis=-1))
        for state in (p["embeddings"][:, word], run.x[:, self.story, last]):
            scores = (p["W_out"] @ state[:, :, None])[..., 0] + p["b_out"]
            total += under(LEAD_BEFORE, leads(scores[:, None], origin))[:, 0]
        if last:
            weights = run.attention[:, self.story]
            total += 4 * under(CONTEXT / last, weights[:, :last]).sum(axis=-1)
            total += 4 * under(SELF[0], weights[:, last]) + 4 * under(-SELF[1], -weights[:, last])
        return total


def under(least: float, values: np.ndarray) -> np.ndarray:
    """By how much each value is under `least`, 0 where it is not."""
    return np.maximum(least - values, 0.0)


def next_rows(model: Model, wanted: tuple[Expect, ...]) -> np.ndarray:
    """The vocabulary's rows of the words that are wanted."""
    return np.array([model.index(entry.next) for entry in wanted])


def leads(scores: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """By how much word `rows[s]` leads over every other at `scores` (B x S x V): B x S."""
    each = np.arange(len(rows))
    own = scores[:, each, rows]
    others = scores.copy()
    others[:, each, rows] = -np.inf
    return own - others.max(axis=-1)


def _pair(model: Model) -> tuple[int, ...]:
    return (model.index(model.story.origin), model.index(model.story.target)) if _told(model) else ()


def _shapes(model: Model, wanted: tuple[Expect, ...], start: Model | None) -> dict[str, tuple[int, ...]]:
    words = len(model.vocabulary)
    given = start.n_max if start is not None and start.n_max is not None else 0
    rows = max(given or ROOM, *(len(entry.sentence) for entry in wanted))
    d_model, d_k, d_v = (getattr(start, w) if start is not None else n for w, n in WIDTHS.items())
    return {
        "embeddings": (words, d_model), "positions": (rows, d_model), "W_Q": (d_k, d_model), "W_K": (d_k, d_model),
        "W_V": (d_v, d_model), "W_O": (d_model, d_v), "W_out": (words, d_model), "b_out": (words,),
    }  # fmt: skip


def heading(model: Model, grid: float, seed: int, fresh: bool) -> str:
    """The comment on top of a file that was found: how it was made, and how clear its predictions are."""
    wanted = wishes(model)
    scores = np.array([forward(model, entry.sentence).decoder["contextual"].scores for entry in wanted])
    least = np.floor(leads(scores[None], next_rows(model, wanted)).min() * 10) / 10
    return (
        f"Made by: attn fit FILE{' --fresh' if fresh else ''} --grid {grid:g} --seed {seed}\n"
        f"Every number is a multiple of {grid:g}. Each expected word leads all others by {least:g} or more in score."
    )
