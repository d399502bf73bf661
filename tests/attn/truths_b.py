"""What the pictures of story B and of the lookup experiment say: phrases, and whether they are true."""

from __future__ import annotations

import re

import numpy as np

from attn.core import numerals
from attn.lab.lookup import Lookup
from tests.attn.told import NEAR, Told, shown
from tests.attn.truths import DIGITS, Truth, numbers, vector


def pair(t: Told, m) -> bool:
    """What two words score each other, with one matrix and with two."""
    first, second = t.words(m["a"] + m["b"])
    one, other = t.score(first, second), t.score(second, first)
    lopsided = abs(one - other - t.lopsided()) <= NEAR
    wanted = {"n": one, "k": other, "s": t.score(first, second, tied=True), "r": t.score(first, second, tied=True)}
    return lopsided and all(shown(text, wanted[g]) for g, text in m.groupdict().items() if g in wanted and text)


def likeness(sign: str) -> Truth:
    """Whether the scores with two matrices are their own mirror image: =, ≈ as printed, ≠ not."""

    def truth(t: Told, m) -> bool:
        words = dict.fromkeys(t.tokens)
        scores = [(t.score(a, b), t.score(b, a)) for a in words for b in words]
        most = max(scores, key=lambda two: two[0] - two[1])
        if most[0] - most[1] <= NEAR:
            return sign == "="
        return sign == ("≈" if numerals.number(most[0]) == numerals.number(most[1]) else "≠")

    return truth


def higher(t: Told, m) -> bool:
    first, second = t.words(m["a"] + m["b"])
    one, other = t.score(first, second), t.score(second, first)
    return one - other > NEAR and numerals.number(one) != numerals.number(other)


def again(t: Told, m) -> bool:
    """A word that the sentence has more than once, and whose rows are alike where that is said."""
    (word,) = t.words(m["w"])
    rows = [x for x, token in zip(t.exact["positioned"], t.tokens, strict=True) if t.model.entry(token) == word]
    return len(rows) > 1 and ("line" in m[0] or all(row == rows[0] for row in rows))


def sizes(t: Told, m) -> bool:
    wanted = {"n": len(t.tokens), "m": t.model.d_model, "k": t.model.d_k, "v": t.model.d_v}
    return all(int(text) == wanted[group[0]] for group, text in m.groupdict().items() if text)


def query(t: Told, m) -> bool:
    row = int(m["n"]) - 1
    return [t.tokens[row]] == t.words(m["w"]) and m["n"] == m["k"] and vector(m["v"], t.exact["queries"][row])


SENTENCE: dict[str, Truth] = {
    r"Wherever {w} stands in it, the row is the same|Every {u} has the same row|More than one line starts at the row "
    r"of {x}": lambda t, m: again(t, {"w": m["w"] or m["u"] or m["x"], 0: m[0]}),
    r"X of {n#} × {m#} numbers|X \({na#} × {ma#}\)|W_k \({nb#} × {k#} each\)|V = X W_v \({nc#} × {v#}\)|{nd#} words, "
    r"d_model = {mb#}, d_k = {kb#}, d_v = {vb#}|√{kc#}|a new row of {vc#} numbers for each of the {ne#} words|"
    r"rows of {kd#}, {ke#} and {vd#} numbers|, {nf#} by {ng#}": sizes,
    r"that of a word is larger": lambda t, m: t.model.d_k < t.model.d_model,
    r"Row {n#} of Q, the query {v@} of {w}, is row {k#} of X": query,
    r"{a} scores {b} exactly as <\d+> scores <\d+>": lambda t, m: (
        abs(t.score(*t.words(m["a"] + m["b"]), tied=True) - t.score(*t.words(m["b"] + m["a"]), tied=True)) <= NEAR
    ),
    r"{a} and {b} score each other {s#}": pair,
    r"{a} and {b} are framed in both: {s#} and {r#} on the left, {n#} and {k#} on the right": pair,
    r"{a} scores {b} {n#} and <\d+> scores <\d+> {k#}": pair,
    r"{a} and {b} are framed, with a bar each, of one length: {s#}\..* (?:still|part): {n#} and {k#}": pair,
    r"{a} scores {b} higher than <\d+> scores <\d+>": higher,
    r"two matrices: W k (?P<matrices>[=≈≠]) W q query → key → (?P<scores>[=≈≠]) →": lambda t, m: (
        likeness(m["scores"])(t, m) and (m["matrices"] == "=") == np.array_equal(t.model.W_K, t.model.W_Q)
    ),
    r"symmetric as well|they are equal, too|with these numbers it holds|yet the mirror holds|are of one length "
    r"still": likeness("="),
    r"symmetric as far as one sees|they are printed alike, too|nearly holds|nearly of one length still": likeness("≈"),
    r"not all of them are|the mirror breaks|the bars part": likeness("≠"),
}
SENTENCE_ALWAYS = (
    r"K\.shape\[-1\]",
    "[Tt]he same for every sentence", "from no other word", "Words meet only later", "The same X", "the same width",
    "whose rows add up to 1", "their own mirror image", "a stronger tint for larger scores",
    "cells mirrored at the diagonal are equal", "can break the mirror", "where two meet, their sides are equal",
    "Row by row the same happens", "No other row has a part", "every score meets its equal",
    "score each other exactly alike", "meet their equals", "weights file holds the transposes", "have no part in it",
    "times W_q equals Q", "equals its transpose, whatever the sentence", "what comes out are", "And once more",
    "the scores follow", "moved across the diagonal", "Tie them",
)  # fmt: skip


# ---- the lookup experiment -----------------------------------------------------------------------------------------


class Looked:
    """The experiment's results; its texts quote no words."""

    def __init__(self, found: Lookup):
        self.found, self.example, self.settings = found, found.example, found.settings
        self.right = found.attention[:, found.example["entry"]]

    def masked(self, said: str) -> str:
        return said


def at_steps(t: Looked, m) -> bool:
    """0.26 at the start, 0.82 after 25 steps: on the entry that holds the answer."""
    steps = [int(step or 0) for step in re.findall(r"at the start|after (\d+) steps", m["list"])]
    said = re.findall(rf"({DIGITS}) (?:at|after)", m["list"])
    return len(said) == len(steps) and all(
        shown(text, t.right[step], 1) for text, step in zip(said, steps, strict=True)
    )


def between(values) -> Truth:
    return lambda t, m: shown(m["n"], min(values(t)), 1) and shown(m["k"] or m["n"], max(values(t)), 1)


def median(t: Looked, m) -> bool:
    ends = t.found.bands["right"][1]
    return shown(m["n"], ends[25]) and shown(m["k"], ends[t.settings["steps"]]) and int(m["s"]) == t.settings["steps"]


def goes(t: Looked, m) -> bool:
    series = {"r": t.right, "l": t.found.loss, "a": t.found.accuracy}
    ends = {group: values[step] for group, values in series.items() for step in (0, -1)}
    return bool(ends) and all(
        shown(m[group], values[0], 1) and shown(m[group * 2], values[-1], 1) for group, values in series.items()
    )


def tag_decides(t: Looked, m) -> bool:
    """Whatever the values, the entry with the query's tag scores highest."""
    scores, tags = t.found.scores[-1], t.settings["tags"]
    by_tag, by_value = scores[:, :tags], scores[:, tags:-1]
    others = np.where(np.eye(tags, dtype=bool), -np.inf, by_tag).max(axis=1)
    return bool((np.diag(by_tag) - others > np.ptp(by_value, axis=1)).all())


def value_decides(t: Looked, m) -> bool:
    """Whatever the tag, the answer is the entry's value."""
    answers, tags = t.found.answers[-1], t.settings["tags"]
    both = answers[:tags, None] + answers[None, tags:-1]
    return bool((both.argmax(axis=2) == np.arange(both.shape[1])).all())


def small(t: Looked, m) -> bool:
    split = t.found.split
    pairs = ("score_by_value", "score_by_tag"), ("answer_by_tag", "answer_by_value")
    return all(2 * np.abs(split[few]).max() < np.diag(split[many]).min() for few, many in pairs)


def diagonal(t: Looked, m) -> bool:
    rows = [t.found.split[name] for name in ("score_by_tag", "answer_by_value")]
    return all((row.argmax(axis=1) == np.arange(len(row))).all() for row in rows)


def dictionary(t: Looked, m) -> bool:
    """Of ten runs nine and more have learned it by step 50, as the answers show."""
    return t.settings["seeds"] == 20 and float(t.found.bands["accuracy"][0][50]) > 0.95


def the_settings(t: Looked, m) -> bool:
    names = {"t": "tags", "v": "values", "m": "d_model", "k": "d_k", "b": "batch", "s": "steps", "r": "rate",
             "e": "embedded", "p": "projected"}  # fmt: skip
    return (
        all(float(m[g]) == t.settings[name] for g, name in names.items()) and float(m["o"]) == t.found.published["rate"]
    )


def published(t: Looked, m) -> bool:
    wanted = {"a": "right_25", "b": "right_400", "l": "loss_0", "c": "accuracy_0", "d": "accuracy_400", "r": "rate"}
    return all(float(text) == t.found.published[wanted[g]] for g, text in m.groupdict().items() if text)


def example(t: Looked, m) -> bool:
    given = [(group, text) for group, text in m.groupdict().items() if text]
    return all(int(text) == t.example["query" if "q" in group else "answer"] for group, text in given)


def right_entry(t: Looked, m) -> bool:
    pairs = zip(numbers(m["list"]), t.found.steps, strict=True)
    return int(m["e"]) == t.example["entry"] and all(shown(text, t.right[step], 1) for text, step in pairs)


def fades(t: Looked, m) -> bool:
    """What the query gives itself."""
    itself = t.found.attention[:, -1]
    return itself[t.found.steps[1]] > 0.02 > itself[-1]


def counts(t: Looked, m) -> bool:
    given = [({"n": "batch", "f": "stores"}.get(group, "seeds"), text) for group, text in m.groupdict().items() if text]
    return all(int(text) == t.settings[name] for name, text in given)


LOOKUP: dict[str, Truth] = {
    r"tag is {q#}; the entry with that tag holds the value {a#}|a query with tag {qq#}|entry’s value, {aa#}": example,
    rf"holds the answer:? (?:it is )?(?P<list>{DIGITS} at the start.*?)\.(?= )": at_steps,
    r"for steps 0, 25, 100, 400\.": lambda t, m: tuple(t.found.steps) == (0, 25, 100, 400),
    r"weights lie (?:at|between) {n#}(?: and {k#})?": between(lambda t: t.found.attention[0]),
    r"Weights on entry {e#}, which has the query’s tag: (?P<list>.*?)\.$": right_entry,
    r"new stores, lies (?:at|between) {n#}(?: and {k#})?": between(lambda t: t.found.fresh),
    r"The median attention is {n#} after 25 steps and {k#} after {s#}": median,
    r"counter runs to \d+, that of the entry with the query’s tag goes from {r#} to {rr#}, the loss from {l#} to {ll#} "
    r"and the accuracy from {a#} to {aa#}": goes,
    r"{w#} of the attention goes to the entry": lambda t, m: shown(m["w"], t.right[-1], 1) and t.right[-1] > 0.5,
    r"within some fifty steps a head that knew nothing has become a dictionary": dictionary,
    r"keys read above all the tag, values above all the value|[Kk]eys read the tag, values the value": lambda t, m: min(
        t.found.reads["W_k"][0], t.found.reads["W_v"][1]
    ) > 0.75,
    r"the tag decides, whatever the value, and it must be the query’s own": tag_decides,
    r"the value decides, whatever the tag": value_decides,
    r"small numbers": small,
    r"the largest of each row on the diagonal": diagonal,
    r"Tags make {k#} of the variance of the keys, values {v#} of": lambda t, m: shown(m["k"], t.found.reads["W_k"][0])
    and shown(m["v"], t.found.reads["W_v"][1]),
    r"\({t#} tags, {v#} values, d_model {m#}, d_k {k#}, batches of {b#}, Adam, {s#} steps\), but a learning rate of "
    r"{r#} instead of {o#}; embeddings start with entries of spread {e#}, matrices with {p#} /": the_settings,
    r"has {a#} after 25 steps and {b#} at the end": published,
    r"with a learning rate of {r#}: {a#}, {b#}, loss {l#} and accuracy {c#} at the start, {d#} at the end": published,
    r"rise from chance to about 1, the loss falls to about 0, most of it between steps 5 and 50": lambda t, m: all(
        abs(t.found.bands[name][1][step] - end) < 0.05
        for name in ("right", "accuracy", "loss")
        for step, end in ((0, t.found.chance[name]), (-1, name != "loss"))
    )
    and np.ptp(t.found.bands["loss"][1][[5, 50]]) > 0.5 * t.found.bands["loss"][1][0],
    r"Looking at the query’s tag gives the answer, so the loss falls": lambda t, m: (
        t.right[t.found.steps[1]] > 0.5 and t.found.loss[t.found.steps[1]] < t.found.loss[0]
    ),
    r"gets a share at first\. It fades": fades,
    r"After that, little changes": lambda t, m: np.ptp(t.found.attention[list(t.found.steps[2:])], axis=0).max() < 0.05,
    r"those on {n#} new stores|on {f#} new stores, lies|from {s#} random starts|of the {ss#} runs|Bands for {sss#} "
    r"runs": counts,
}  # fmt: skip
LOOKUP_ALWAYS = (
    "nothing else", "nothing marks which is which", "a stronger tint for larger ones", "10th to the 90th percentile",
    r"after \d+ steps", r"At step 0", "holds a tag alone", "The one under the same tag",
    "The loss sees the answer only, never where", "the same example",
    "differences from the average", "none left out", "What decides",
)  # fmt: skip
