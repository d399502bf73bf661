"""What the pictures of story A say: phrases, and whether they are true. See tests.attn.truths."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from attn.core import numerals
from tests.attn.told import LETTERS, NEAR, Told, printed, shown
from tests.attn.truths import DIGITS, Truth, listed, numbers, same, vector


def predicts(t: Told, m) -> bool:
    """A prediction with its probability: at the state that is named, else at the picture's."""
    words, name = t.words(m["w"] or m["ws"]), t.stage
    if m["sentence"]:
        t = t.sentence(m["sentence"])
        name = t.stage
    elif m["letter"] or m["alone"]:
        name = LETTERS[m["letter"] or "e"]
    elif m["before"] or m["after"]:
        name = "positioned" if m["before"] else "contextual"
    return same(words, t.best(name)) and shown(m["p"], t.probability(name), 1) and bool(m["ws"]) == (len(words) > 1)


def comes(t: Told, m) -> bool:
    """What comes next, in the film of several sentences in the one that it has come to."""
    t = nth(t, m) if m.string.count("Next comes") > 1 else t
    return same(t.words(m["ws"]), t.best("contextual"))


def nth(t: Told, m) -> Told:
    return t.others[len(re.findall("Next comes", m.string[: m.start()]))]


def weights(t: Told, m) -> bool:
    """A list of weights, of the sentence that is named before it, else of the picture's."""
    t = t.sentence(m["sentence"]) if m["sentence"] else t
    return listed(t, m["list"], t["attention"], 1)


def listens(t: Told, m) -> bool:
    """To whom the followed word listens, in the film of several sentences in the one that it has come to."""
    t = nth(t, m) if m["contrast"] else t
    texts = numerals.weight_texts([float(weight) for weight in t["attention"]])
    if m["all"]:
        return all(a[0] - b[0] <= NEAR or a[1] == b[1] for a, b in pairwise(ordered(t["attention"], texts)))
    return (
        len(t.tokens) == 1 if m["itself"] else bool(m["several"]) or t.largest(t["attention"], texts, t.words(m["ws"]))
    )


def ordered(values, texts) -> list[tuple[float, str]]:
    """Numbers with their texts, the largest first."""
    return sorted(zip(map(float, values), texts, strict=True), reverse=True)


def answers(t: Told, m) -> bool:
    texts = printed(t["scores"])
    if m["ws"]:
        return t.largest(t["scores"], texts, t.words(m["ws"]))
    return all(a[0] - b[0] <= NEAR or a[1] == b[1] for a, b in pairwise(ordered(t["scores"], texts)))


def both_sides(t: Told, m) -> bool:
    first, *more = (t.words(part) for part in m["ex"].split(", then "))
    ends = [first, (more or [first])[0], t.words(m["w"])]
    return all(map(same, ends, map(t.side, LETTERS.values())))


def corners(t: Told) -> set[bool]:
    """On which sides of the plane the corners of the cube that is drawn lie."""
    row = [t.model.index(word) for word in (t.model.story.origin, t.model.story.target)]
    scores = t.trace.view.corners() @ t.model.W_out[row].T + t.model.b_out[row]
    return set((scores[:, 1] > scores[:, 0]).tolist())


def where_the_plane_is(t: Told, m) -> bool:
    story = [t.model.story.origin, t.model.story.target]
    return t.words(m["a"]) + t.words(m["b"]) == story if len(corners(t)) > 1 else t.words(m["w"]) == [
        story[max(corners(t))]
    ]  # fmt: skip


def scored(t: Told, m) -> bool:
    """Scores at h for some words of the vocabulary."""
    pairs = zip(t.words(m["list"]), numbers(re.sub("<.*?>", "", m["list"])), strict=True)
    return all(shown(text, t.scores("contextual")[t.model.index(word)]) for word, text in pairs)


def crossing(t: Told, m) -> bool:
    ends = abs(t.distance("positioned")), t.distance("contextual")
    story = t.words(m["a"]) == [t.model.story.origin] and t.words(m["b"]) == [t.model.story.target]
    return t.crosses and story and shown(m["n"], ends[0]) and shown(m["k"], ends[1])


def no_crossing(t: Told, m) -> bool:
    ends = shown(m["n"], t.distance("positioned")) and shown(m["k"], t.distance("contextual"))
    return ends and not t.crosses and t.words(m["w"] + m["a"] + m["b"]) == [
        t.model.story.target, t.model.story.origin, t.model.story.target,
    ]  # fmt: skip


def meets(t: Told, m) -> bool:
    """Where the displacement meets the plane."""
    before, after = (t.distance(name) for name in ("positioned", "contextual"))
    if min(abs(before), abs(after)) > NEAR:
        return m["how"] == "crosses" and before * after < 0
    return m["how"] == ("ends on" if abs(after) <= NEAR else "starts on")


def carries(t: Told, m) -> bool:
    """Who carries the word across: one that is enough by itself and needed, or the one that adds most of all."""
    if not t.crosses or not t.largest(t.pushes, printed(t.pushes), t.words(m["w"] or m["ws"] or "") or list(t.tokens)):
        return False
    if not m["w"]:
        return True
    (word,), start = t.words(m["w"]), -t.distance("positioned")
    push = max(push for push, token in zip(t.pushes, t.tokens, strict=True) if token == word)
    return push > start >= sum(t.pushes) - push - NEAR


def takes(t: Told, m) -> bool:
    """Without each of these words, and of no other, the word would not have crossed."""
    t = t.others["ABCDEF".index(m["l"])] if m["l"] else t
    end = t.distance("contextual")
    needed = [token for push, token in zip(t.pushes, t.tokens, strict=True) if end - push < -NEAR]
    return t.crosses and same(t.words(m["ws"]), needed)


def pushes(t: Told, m) -> bool:
    """What moves the word most towards story.to, and what most away from it, where it has come to the other side."""
    t = t.others["ABCDEF".index(m["l"])]
    best, worst = (t.tokens[t.pushes.index(end(t.pushes))] for end in (max, min))
    far = t.distance("contextual") < -NEAR and max(t.pushes) > NEAR and t.words(m["to"]) == [t.model.story.target]
    return far and [best] == t.words(m["w"]) and (not m["o"] or ([worst] == t.words(m["o"]) and min(t.pushes) < -NEAR))


def moves(t: Told, m) -> bool:
    """How the followed word comes from e to x."""
    e, x = t.state("embedding"), t.state("positioned")
    texts = [[numbers(m[group]) for group in ("v", "u") if m[group]]]
    if m["how"] == "goes from":
        return vector(m["v"], e) and vector(m["u"], x) and e != x and texts[0][0] != texts[0][1]
    return vector(m["v"], x) and (e == x) == (m["how"] == "stays at")


def distances(t: Told, m) -> bool:
    return all(map(shown, (m["e"], m["x"], m["h"]), map(t.distance, LETTERS.values())))


def scaled(t: Told, m) -> bool:
    """0.33 times v of “why” is (0.00, 0.58), for some word of this name."""
    rows = zip(t.tokens, t["attention"], t["weighted"], strict=True)
    return any([w] == t.words(m["w"]) and shown(m["n"], a, 1) and vector(m["v"], v) for w, a, v in rows)


def gives(t: Told, m) -> bool:
    """A query's row of weights, as far as it sees."""
    return any(
        [word] == t.words(m["w"]) and listed_prefix(t, m["list"], row)
        for word, row in zip(t.tokens, t.exact["attention"], strict=True)
    )


def listed_prefix(t: Told, text: str, row) -> bool:
    said, words = numbers(re.sub("<.*?>", "", text)), t.words(text)
    return words == list(t.tokens[: len(words)]) and all(map(lambda s, v: shown(s, v, 1), said, row)) and not any(
        row[len(words) :]
    )  # fmt: skip


def named(row: str) -> Truth:
    """The followed word's vector of a quantity."""
    return lambda t, m: vector(m["v"], t[row])


def zero(row: str) -> Truth:
    return lambda t, m: not any(t[row])


def sums(t: Told, m) -> bool:
    """The sum of the exponentials, less the largest score where that is said to be taken off first."""
    scores = np.array([float(score) for score in t["scores"]])
    shift = scores.max() if np.abs(scores).max() > 20 else 0.0
    said = shown(m["m"], shift) if m["m"] else not shift
    return said and shown(m["n"], np.exp(scores - shift).sum())


def best_of_rest(t: Told, m) -> bool:
    return any(shown(m["n"], score) for score in t.scores("contextual"))


def predicted(name: str) -> Truth:
    return lambda t, m: same(t.words(m["ws"]), t.best(name))


def followed(t: Told, m) -> bool:
    return [*t.words(m["word"])] == [t.tokens[-1]] and same(t.words(m["ws"]), t.best("contextual"))


def after(t: Told, m) -> bool:
    """What follows after one of the compared sentences."""
    said = re.findall(r"<(\d+)>", m["s"])
    words = [t.names[int(i)] for i in said]
    sentences = t.others if "; after" in m.string else [t]  # a film says it of the story's, by its last word
    return any(
        words in (list(o.tokens), [t.tokens[-1]]) and same(t.words(m["ws"]), o.best("contextual")) for o in sentences
    )


def lettered(t: Told, m) -> bool:
    return same(t.words(m["ws"]), t.others["ABCDEF".index(m["l"])].best("contextual"))


def unplaced(t: Told, m) -> bool:
    return t.model.positions is None


PLACE = r"(?:on the %s side|on the plane itself)"
SIDE = PLANE = PLACE % "{w}"
E_X_H = "; ".join(f"{letter} {PLACE % group}" for letter, group in zip("exh", ("{a}", "{b}", "{c}"), strict=True))
SAYS = (
    r"(?:from (?P<letter>[exh]) |(?P<alone>[Ff]rom the embedding alone), |in (?P<sentence><\d+>) )?"
    r"(?:[Tt]he decoder predicts {w}|{ws*} ties? for the next word) \(probability (?:about )?{p#}(?: each)?\)"
    r"(?:(?P<before> before it is added)|(?P<after> after\.))?"
)
LISTENS = (
    r"(?:(?P<contrast>Alone|In <\d+>|In sentence [A-F]), )?<\d+> (?:(?P<itself>can listen only to itself)|"
    r"(?P<all>listens to all words about equally)|listens most to (?:(?P<several>several words)|{ws*}))"
)
LIST = rf"{DIGITS} %s <\d+>(?:, {DIGITS} %s <\d+>)*"
STORY: dict[str, Truth] = {
    SAYS: predicts,
    LISTENS: listens,
    rf"(?:in (?P<sentence><\d+>): )?(?P<list>{LIST % ('on', 'on')})": weights,
    rf"{{w}} gives (?P<list>{LIST % ('to', 'to')})": gives,
    rf"The scores: (?P<list>{LIST % ('with', 'with')})": lambda t, m: listed(t, m["list"], t["scores"]),
    rf"goes by (?P<list>{LIST % ('from', 'from')}), and ends at h, {{n#}}, {SIDE}": lambda t, m: (
        listed(t, m["list"], t.pushes)
        and shown(m["n"], t.distance("contextual"))
        and same(t.words(m["w"]), t.side("contextual"))
    ),
    rf"normal: (?P<list>{LIST % ('from', 'from')})": lambda t, m: listed(t, m["list"], t.pushes),
    r"it starts at x, {n#}": lambda t, m: shown(m["n"], t.distance("positioned")),
    r"is {e#} at e, {x#} at x, {h#} at h": distances,
    r"at a signed distance of {n#} from the plane": lambda t, m: any(
        shown(m["n"], o.distance(o.stage)) for o in t.others
    ),
    r"\(positive on the {w} side\)": lambda t, m: t.words(m["w"]) == [t.model.story.target],
    E_X_H: lambda t, m: all(same(t.words(m[g]), t.side(LETTERS[s])) for g, s in zip("abc", "exh", strict=True)),
    rf"dotted e and dashed x (?P<ex>.*?), solid h {SIDE}": both_sides,
    rf"(?:ends,?|[Ii]t lies|lies) {SIDE}": lambda t, m: same(t.words(m["w"]), t.side(t.stage)),
    rf"h of <\d+> {SIDE}": lambda t, m: same(t.words(m["w"]), t.side("contextual")),
    r"across the decoder’s plane, from {n#} on the {a} side to {k#} on the {b} side": crossing,
    r"from a signed distance of {n#} to {k#} from the decoder’s plane \(positive on the {w} side\), which is no "
    r"crossing from {a} to {b}": no_crossing,
    r"The tip crosses the plane: {ws*}(?: \(a tie\))? follows {word}|follows the displacement, across the "
    r"plane": lambda t, m: t.crosses and (not m["ws"] or followed(t, m)),
    r"The tip does not cross the plane from {a} to {b}; {word} is followed by {ws*}(?: \(a tie\))?|"
    r"but does not cross from <\d+> to <\d+>": lambda t, m: not t.crosses and (not m["ws"] or followed(t, m)),
    r"(?<!not )(?P<how>crosses|starts on|ends on) the plane(?! itself)": meets,
    r"It is {w} that carries <\d+> across|Together they carry <\d+> across(?:, {ws*} most of all)?": carries,
    r"They do not carry": lambda t, m: not t.crosses,
    r"(?:(?P<l>[A-F]): it|It) takes {ws*}(?: together)? to (?:cross|carry <\d+> across)": takes,
    r"(?P<l>[A-F]): its words carry it across": lambda t, m: t.others["ABCDEF".index(m["l"])].crosses,
    r"(?P<l>[A-F]): no word pushes towards {to}": lambda t, m: max(t.others["ABCDEF".index(m["l"])].pushes) <= NEAR,
    r"(?P<l>[A-F]): {w} pushes towards {to}, but (?:not far enough|{o} pulls back)": pushes,
    r"{w} (?P<how>goes from|stays at|hardly moves from) {v@}(?: to {u@})?": moves,
    r"The context carries it across, to the {w} side": lambda t, m: (
        nth(t, m).crosses and same(t.words(m["w"]), nth(t, m).side("contextual"))
    ),
    r"With context, it stays on the {w} side": lambda t, m: all(
        same(t.words(m["w"]), nth(t, m).side(name)) for name in ("positioned", "contextual")
    ),
    r"The context moves it": lambda t, m: any(nth(t, m)["correction"]),
    r"The context adds nothing": lambda t, m: not any(nth(t, m)["correction"]),
    r"[Nn]ext comes {ws*}(?: \(a tie\))?": comes,
    r"after (?P<s>(?:<\d+> ?)+) comes {ws*}(?: \(a tie\))?": after,
    r"(?<!; )(?P<sentence><\d+>) is followed by {ws*}": lambda t, m: same(
        t.words(m["ws"]), t.sentence(m["sentence"]).best("contextual")
    ),
    r"How (?:can one word lead to different words|does a word lead to the next)": lambda t, m: (
        ("different" in m[0]) == (len({tuple(o.best("contextual")) for o in t.others}) > 1)
    ),
    r"What follows <\d+> in each": lambda t, m: bool(t.others),
    r"in sentence (?P<l>[A-F]) {ws*}(?: \(a tie\))? follows": lettered,
    r"Every word stays where it is|Each word moves by its position vector": lambda t, m: (
        ("stays" in m[0]) == (t.exact["embeddings"] == t.exact["positioned"])
    ),
    r"One word, one decoder: the (?:sentence decides|same follows)": lambda t, m: (
        ("decides" in m[0]) == (len({tuple(o.best(o.stage)) for o in t.others}) > 1)
    ),
    r"From (?P<letter>[xh]|there|the embedding alone,) the decoder predicts {ws*}": lambda t, m: same(
        t.words(m["ws"]), t.best(LETTERS.get(m["letter"], t.stage))
    ),
    r"From the embedding alone: {a*}\. (?:With its position|There are no positions): {b*}\. With its context: {c*}\. "
    r"The decoder stayed(?P<moved>\. <\d+> moved, and the prediction with it)?": lambda t, m: (
        all(same(t.words(m[g]), t.best(LETTERS[s])) for g, s in zip("abc", "exh", strict=True))
        and bool(m["moved"]) == t.moved
    ),
    r"predicts the same from each state of <\d+>": lambda t, m: not t.moved,
    r"Predicted next: {a*}(?: \(a tie\))? from e, {b*}(?: \(a tie\))? from x, {c*}(?: \(a tie\))? from "
    r"h": lambda t, m: all(same(t.words(m[g]), t.best(LETTERS[s])) for g, s in zip("abc", "exh", strict=True)),
    r"scores {n#} and <\d+> {k#}": lambda t, m: all(
        shown(m[g], t.scores("embedding")[t.model.index(word)])
        for g, word in zip("nk", (t.model.story.origin, t.model.story.target), strict=True)
    ),
    rf"(?:at h of <\d+>: |before softmax \()(?P<list>{LIST % ('for', 'for')})": scored,
    r"starts at {v@}": named("embeddings"),
    r"The embedding of <\d+>, {v@}": named("embeddings"),
    r"query {q@}, key {k@}, value {v@}": lambda t, m: all(
        map(vector, (m["q"], m["k"], m["v"]), (t["queries"], t["keys"], t["values"]))
    ),
    r"(?:is a = |tip of a, |output a = |the arrow a, ){v@}": named("mixed"),
    r"c = W_O a = {v@}": named("correction"),
    r"the sum is h = {v@}": named("contextual"),
    r"{n#} times v of {w} is {v@}": scaled,
    r"The weight of {w} is {n#}: its value shrinks": lambda t, m: any(
        [w] == t.words(m["w"]) and shown(m["n"], a, 1) for w, a in zip(t.tokens, t["attention"], strict=True)
    ),
    r"the sum of the row, {n#}\.(?: Before exp the largest score, {m#}, is taken from each\.)?": sums,
    r"The largest score is taken from each; the weights stay the same": lambda t, m: (
        max(abs(score) for score in t["scores"]) > 20
    ),
    r"So far (?:{ws*} answers? best|no word answers clearly better)": answers,
    r"the farther it reaches in the query’s direction, the larger the product|[Tt]he farther a key reaches along q, "
    r"the larger the dot product": lambda t, m: any(t["queries"]),
    r"The query is 0, and so is every product|Here q is 0": lambda t, m: not any(t["queries"]),
    r"parted by a plane into a side shaded for {a} and a side shaded for {b}|all of it on the {w} side of the plane, "
    r"which is too far off": where_the_plane_is,
    r"The plane where <\d+> and <\d+> tie is far off: one is ahead everywhere": lambda t, m: len(corners(t)) == 1,
    r"\(?a tie\)?": lambda t, m: (
        any(len(one.best(name)) > 1 for one in (t, *t.others) for name in LETTERS.values())
        or any(len(probe.said.words) > 1 for probe in t.trace.probes)  # r, where it stands on the plane
    ),
    r"Each of the {n#} words": lambda t, m: int(m["n"]) == len(t.model.vocabulary),
    r"no position vectors(?:: a word is the same in every place)?|There are no position|no vectors for places: a word "
    r"is the same|no position(?! and| vectors)|dotted e and dashed x of each word coincide": unplaced,
    r"square root of their dimension, {n#}|W_O, {r#} × {v#}|[Dd]ivided by √{d#}": lambda t, m: all(
        m[g] is None or int(m[g]) == size
        for g, size in (("n", t.model.d_k), ("d", t.model.d_k), ("r", t.model.d_model), ("v", t.model.d_v))
    ),
    r"Between e and x the position is added": lambda t, m: t.model.positions is not None,
    r"each word sees itself and the words before it|each word sees all words": lambda t, m: (
        ("before" in m[0]) == t.model.causal
    ),
}

# True by what the words mean, whatever the numbers are.
ALWAYS = (
    r"[Ss]tep \d: ", r"\b[23]-D\b", r"\bdim [123]\b", "side by side",
    "decoder and camera are the same", "One word, one decoder",
    "same word in", "with the same camera and plane", r"plane holds the points where <\d+> and <\d+> score the same",
    "[Tt]he same decoder", r"into a side where <\d+> is ahead and one where <\d+> is",
    r"[Oo]n the plane,? ?<\d+> and <\d+> score the same", "The plane is the same in every step",
    "on the plane the two scores are equal", "no position and no context yet", "Nothing has been mixed yet",
    r"[Hh]ow much <\d+> listens to each word", "[Ww]eights add up to 1", "row adds up to 1",
    "[Ee]ach row of weights adds up to 1", "in different sentences", "leads from the tip",
    "Where a key comes later than", "for each word that it moves", "need not add up to 1",
    "each word of (?:a|the) sentence moves", "what moves it there",
    "share one bar of length 1", "positive weights, parts of one whole",
    "As r moves, its scores change", "At last r comes to", "while the decoder stays as it is",
    "that the decoder predicts:", "the word that it predicts", "unless words tie",
    r"displacement carries <\d+>(?= across)", "shaded the stronger the larger they are", "hold no number",
    "they may be negative", "to the left if it is negative", "the best of all other words scores",
    "best of the others:", r"score is masked \(it counts as minus infinity\) and the weight is 0",
    r"(?:Such points|All ties) form a plane: <\d+> leads on one side, <\d+> on the other",
    "Here two are equal", "Longer keys would make larger",
    "The plane stays as it is", "what comes next", "[Nn]ext word, (?:predicted )?from",
    "An arrow of length 0 is a point",
    # films
    "[Ww]hich word comes next|what follows", "As r moves, the scores change", "how far to go on each",
    "Its vector, e, leads there", "the same in every sentence", "(?:does|rows do) the same", "each word answers to",
    "exp makes every number positive", "moves to the tip of the first", "matrix leads back",
    "The highest score wins", "beside each the word that follows",
    "tip follows the displacement",
)  # fmt: skip
