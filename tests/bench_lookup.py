"""How long the lookup experiment's training takes, beside the same experiment in PyTorch: python -m tests.bench_lookup

PyTorch is not among the project's packages; where it is not installed, only our own time is given.
"""

from __future__ import annotations

from importlib.util import find_spec
from statistics import median
from time import perf_counter

import numpy as np

from attn.lab import lookup
from attn.lab.lookup import D_K, ENTRIES

REPEATS = 5


def ours(seed: int) -> float:
    """Accuracy at the end."""
    return lookup.train(seed).fresh


def in_torch(seed: int) -> float:
    """The same stores, start, optimiser and measurements, with the head written as four lines on all five tokens."""
    import torch
    from torch import nn

    torch.set_num_threads(1)
    draw = np.random.default_rng(seed)
    start = lookup.parts(lookup.initial(draw))
    batches = lookup.draw_stores(draw, lookup.STEPS + 1, lookup.BATCH)
    p = {name: nn.Parameter(torch.from_numpy(value.astype(np.float32))) for name, value in start.items()}
    adam = torch.optim.Adam(p.values(), lookup.RATE, lookup.BETAS, lookup.EPSILON)

    def head(tag, value):
        rows = torch.cat([p["tags"], p["values"], torch.zeros(1, lookup.D_MODEL)])
        X = rows[tag] + rows[value]  # B x 5 x d_model
        Q, K, V = X @ p["W_q"], X @ p["W_k"], X @ p["W_v"]
        scores = Q @ K.transpose(-2, -1)
        weights = torch.softmax(scores / D_K**0.5, dim=-1)
        return (weights @ V)[:, ENTRIES] @ p["W_o"], weights

    fixed = [torch.from_numpy(part) for part in (lookup.example().tag, lookup.example().value)]
    tag, value, answer = (torch.from_numpy(part) for part in (batches.tag, batches.value, batches.answer))
    measured = []
    for step in range(lookup.STEPS):
        logits, _ = head(tag[step], value[step])
        loss = nn.functional.cross_entropy(logits, answer[step])
        accuracy = (logits.argmax(dim=1) == answer[step]).float().mean()
        with torch.no_grad():
            measured.append((loss.item(), accuracy.item(), head(*fixed)[1][0, ENTRIES].tolist()))
        adam.zero_grad()
        loss.backward()
        adam.step()
    fresh = lookup.draw_stores(draw, lookup.FRESH)
    with torch.no_grad():
        logits, _ = head(torch.from_numpy(fresh.tag), torch.from_numpy(fresh.value))
    return float((logits.argmax(dim=1).numpy() == fresh.answer).mean())


def seconds(train) -> float:
    """The median time of a run; the first, which loads things, does not count."""
    times = []
    for seed in range(REPEATS + 1):
        start = perf_counter()
        assert train(seed) > 0.99
        times.append(perf_counter() - start)
    return median(times[1:])


def lines() -> list[str]:
    """What the bench says about the lookup experiment."""
    own = seconds(ours)
    found = [f"lookup, {lookup.STEPS} steps: {own:.3f} s"]
    if find_spec("torch"):
        other = seconds(in_torch)
        found.append(f"the same in PyTorch, one thread: {other:.3f} s, {other / own:.1f} times as long")
    return found


if __name__ == "__main__":
    print("\n".join(lines()))
