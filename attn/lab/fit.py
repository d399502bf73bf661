"""Searching weights for a file's sentences: many chains of simulated annealing side by side, on a grid.

A set of weights is a row of whole numbers, multiples of the grid, so that every number found is short and the
search takes the same course on every machine. What is asked of it are `shortfalls`: that every sentence gets its
word with a clear lead, and what pictures need in order to be read. `attn.lab.beauty` prefers, among sets that lack
nothing, those that make good pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from attn.core.claims import AHEAD, ENOUGH
from attn.core.compared import contrast_sentences
from attn.core.forward import forward
from attn.core.model import Expect, Model
from attn.lab.batch import Pass, Sentences, leads, next_rows, run_pass, under
from attn.lab.wishes import (
    ALIKE,
    APART,
    CONTEXT,
    DISPLACED,
    LARGEST,
    LEAD,
    LEAD_BEFORE,
    LONG,
    MOVES,
    OFF,
    SELF,
    SHARE,
    SHIFT,
    SHORT,
    FitError,
    shortfalls,
    story_row,
    told,
    turning,
    wishes,
)

SILENT = -10.0  # b_out of words that no sentence expects
WIDTHS = {"d_model": 3, "d_k": 2, "d_v": 2}  # where the file has no parameters
ROOM = 4  # rows of positions, at least
WEIGHT = 3.0  # of what is lacking against what is only ugly
CHAINS = 16
WORK = 125_000_000  # numbers that a search may compute in one quantity; settles its steps
HOT, COLD = 0.7, 0.02  # temperatures
STEPS = (1000, 10_000)
LOOKLESS = 4  # as many steps without an eye on looks take less time
FOUND = 4  # chains that lack nothing end a search that has no looks to improve


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
        self.named = self._named(model)
        self.turning = self._turning(model)

    def _named(self, model: Model) -> np.ndarray:
        """Which words of which sentence are to be attended to, S x N."""
        words, there = self.sentences.words, self.sentences.there
        return there & np.array([np.isin(row, [model.index(word) for word in entry.attends])
                                 for row, entry in zip(words, self.wanted, strict=True)])  # fmt: skip

    def _turning(self, model: Model) -> list[tuple[int, int]]:
        """Sentence and place of a word that the story turns on with others, where it alone of them stands in a compared
        sentence that is to end on story.from's side.
        """
        names, found = turning(model, self.wanted) if told(model) else (), []
        if len(names) < 2:
            return found
        compared = {tuple(map(model.entry, one)) for one in contrast_sentences(model)}
        for row, entry in enumerate(self.wanted):
            places = [place for place, word in enumerate(entry.sentence) if word in names]
            if len(places) == 1 and entry.sentence in compared and entry.next == model.story.origin:
                found.append((row, places[0]))
        return found

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
            if np.count_nonzero(best_cost < 1e-9) >= FOUND:
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
        if self.named.any():
            total += self._attends_lack(run)
        return total if self.story is None else total + self._story_lacks(run)

    def _attends_lack(self, run: Pass) -> np.ndarray:
        """What is lacking of `attends`: the weights of the words named and, towards the word expected, their shares."""
        rows = np.flatnonzero(self.named.any(axis=1))
        named, others = self.named[rows], self.sentences.there[rows] & ~self.named[rows]
        weights = run.attention[:, rows, : self.named.shape[1]]
        least, rest = _least_and_rest(weights, named, others)
        total = 4 * (under(0, least - AHEAD * rest) + under(ENOUGH, (weights * named).sum(axis=-1))).sum(axis=-1)
        if self.story is None:
            return total
        crossing = self.next[rows] == _pair(self.template)[1]
        least, rest = _least_and_rest(self._shares(run)[:, rows], named, others)
        return total + under(MOVES, least - rest)[:, crossing].sum(axis=-1)

    def _plane(self, run: Pass) -> tuple[np.ndarray, np.ndarray]:
        """The normal (B x d_model) and the offset (B) of the plane between the story's two words."""
        p, (origin, target) = run.parameters, _pair(self.template)
        normal, offset = p["W_out"][:, target] - p["W_out"][:, origin], p["b_out"][:, target] - p["b_out"][:, origin]
        length = np.maximum(np.linalg.norm(normal, axis=-1), 1e-9)
        return normal / length[:, None], offset / length

    def _shares(self, run: Pass) -> np.ndarray:
        """What each word of each sentence adds to the last one's distance from the plane, B x S x N."""
        (count, longest), (normal, _) = self.named.shape, self._plane(run)
        onto = (normal[:, None] @ run.parameters["W_O"])[:, 0]  # B x d_v
        values = run.v[:, :count, :longest]
        return run.attention[:, :count, :longest] * (values @ onto[:, None, :, None])[..., 0]

    def _turning_lacks(self, run: Pass) -> np.ndarray:
        """What is lacking of a story that turns on several words together: `_turning`, batched."""
        story, last = self.story, self.sentences.last[self.story]
        named, (normal, offset), shares = self.named[story], self._plane(run), self._shares(run)
        own = shares[:, story]
        end = (run.h[:, story] * normal).sum(axis=-1) + offset  # B
        total = (under(SHARE, own) + under(SHORT, own - end[:, None]))[:, named].sum(axis=-1)
        if not named[last]:
            total += under(-SHORT, -np.abs(own[:, last]))
        total += sum(under(ALIKE, shares[:, row, place]) for row, place in self.turning)
        e = run.parameters["embeddings"][:, self.sentences.words[story, : last + 1]]
        for states in (e, run.x[:, story, : last + 1]):
            total += under(OFF, np.abs((states @ normal[:, :, None])[..., 0] + offset[:, None])).sum(axis=-1)
        return total

    def _story_lacks(self, run: Pass) -> np.ndarray:
        p, last = run.parameters, self.sentences.last[self.story]
        word, origin = self.sentences.words[self.story, last], np.array([_pair(self.template)[0]])
        total = under(DISPLACED, np.linalg.norm(run.c[:, self.story], axis=-1))
        for state in (p["embeddings"][:, word], run.x[:, self.story, last]):
            scores = (p["W_out"] @ state[:, :, None])[..., 0] + p["b_out"]
            total += under(LEAD_BEFORE, leads(scores[:, None], origin))[:, 0]
        if last:
            weights = run.attention[:, self.story]
            if not self.named.any():
                total += 4 * under(CONTEXT / last, weights[:, :last]).sum(axis=-1)
            total += 4 * under(SELF[0], weights[:, last]) + 4 * under(-SELF[1], -weights[:, last])
        return total + self._turning_lacks(run) if self.named[self.story].sum() > 1 else total


def _least_and_rest(values: np.ndarray, named: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each sentence (B x S) the least value of the words named, and the largest of the others, at least 0."""
    return np.where(named, values, np.inf).min(axis=-1), np.where(others, values, 0.0).max(axis=-1)


def _pair(model: Model) -> tuple[int, ...]:
    return (model.index(model.story.origin), model.index(model.story.target)) if told(model) else ()


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
