"""The forward pass once more, from its formulas: plain lists of 60-digit decimals, sharing no code with attn."""

from decimal import Decimal, getcontext

getcontext().prec = 60


def numbers(array) -> list:
    """Nested lists of the exact values of an array's floats."""
    return Decimal(float(array)) if not hasattr(array, "__len__") else [numbers(item) for item in array]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), Decimal(0))


def times(matrix, vector):
    return [dot(row, vector) for row in matrix]


def plus(a, b):
    return [x + y for x, y in zip(a, b, strict=True)]


def shares(scores):
    """Softmax of a list."""
    parts = [s.exp() for s in scores]
    return [part / sum(parts) for part in parts]


def forward(model, sentence) -> dict:
    """Every quantity of the pass as nested lists of decimals; what a query may not see is None."""
    rows = [model.vocabulary.index(word) for word in sentence]
    e = [numbers(model.embeddings[row]) for row in rows]
    zero = [Decimal(0)] * model.d_model
    p = [zero if model.positions is None else numbers(model.positions[i]) for i in range(len(rows))]
    x = [plus(a, b) for a, b in zip(e, p, strict=True)]
    q, k, v = ([times(numbers(W), vector) for vector in x] for W in (model.W_Q, model.W_K, model.W_V))
    root = Decimal(model.d_k).sqrt()
    found = {"embeddings": e, "positions": p, "positioned": x, "queries": q, "keys": k, "values": v}
    found |= {name: [] for name in ("products", "scores", "attention", "weighted", "mixed")}
    for i, query in enumerate(q):
        visible = [j for j in range(len(rows)) if j <= i or not model.causal]
        products = {j: dot(query, k[j]) for j in visible}
        alpha = dict(zip(visible, shares([products[j] / root for j in visible]), strict=True))
        weighted = [[alpha.get(j, Decimal(0)) * value for value in v[j]] for j in range(len(rows))]
        found["products"].append([products.get(j) for j in range(len(rows))])
        found["scores"].append([products[j] / root if j in products else None for j in range(len(rows))])
        found["attention"].append([alpha.get(j, Decimal(0)) for j in range(len(rows))])
        found["weighted"].append(weighted)
        found["mixed"].append([sum(column) for column in zip(*weighted, strict=True)])
    if model.W_O is not None:
        found["correction"] = [times(numbers(model.W_O), a) for a in found["mixed"]]
        found["contextual"] = [plus(a, b) for a, b in zip(x, found["correction"], strict=True)]
    return found


def scores(model, point) -> list:
    """The decoder's score of every word at a point of decimals."""
    return plus(times(numbers(model.W_out), point), numbers(model.b_out))


def distance(model, first, second, point) -> Decimal:
    """Signed distance of a point to the plane where two words score the same."""
    each = scores(model, point)
    normal = [b - a for a, b in zip(numbers(model.W_out[first]), numbers(model.W_out[second]), strict=True)]
    return (each[second] - each[first]) / dot(normal, normal).sqrt()
