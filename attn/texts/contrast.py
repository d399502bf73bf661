"""contrast: what the figure and the film say."""

from __future__ import annotations

from string import ascii_uppercase

from attn.core import numerals
from attn.core.compared import without_which
from attn.core.decoder import TIE
from attn.picture import richtext
from attn.picture.richtext import Rich, Run, rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    compared,
    either,
    first_part,
    joined,
    listening,
    points,
    says,
    second_part,
    sentence,
    sides,
    weights_listed,
)

NAMES = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
HEADINGS = (  # the longest that has room
    "Attention weight, and how far each word moves it along the distance to the plane",
    "Attention weight, and what each word adds to the distance",
    "Attention, and what each word adds",
)


def texts(trace) -> Texts:
    """The same word, decoder and camera in several sentences, and what moved the word in each."""
    word, others = trace.tokens[-1], compared(trace)
    several = len(others) > 1
    does = rich(
        "One word, one decoder, [n] sentences: each word of a sentence moves [word] along the distance to the plane."
        if several else "Each word of the sentence moves [word] along the distance to the plane.",
        n=NAMES.get(len(others), str(len(others))), word=richtext.word(trace, word),
    )  # fmt: skip
    causes = filter(
        None, (_cause(trace, other, letter) for other, letter in zip(others, ascii_uppercase, strict=False))
    )
    outcome = tuple(run for cause in causes for run in (Run(" "), *cause))[1:]
    said = "; ".join(
        f"in {sentence(o)} {says(o, 'contextual')}, at a signed distance of "
        f"{numerals.number(o.distances['contextual'])} from the plane"
        for o in others
    )
    where = trace.model.story.target
    caption = (
        f"Where “{word}” lands{' in different sentences' if several else ''}, and what moves it there; decoder and "
        f"camera are the same: {said} (positive on the “{where}” side). Each word’s share is its attention weight "
        f"times W_O v along the plane’s normal. {ROUNDED}"
    )
    heard = "; ".join(f"in {sentence(o)}: {weights_listed(o)}" for o in others)
    alt = (
        f"{first_part()} the 3-D word embedding space with one pink arrow, plus context, for each sentence, from where "
        f"“{word}” stands to a lettered point where it lands: {said}. {second_part()} a waterfall for each sentence "
        "over the signed distance to the plane, from x by what each word adds to h, all on one scale; beside the words "
        f"their attention weights ({heard}), and at the end of each row the predicted word."
        f"{points(*(o.correction[o.last] for o in others), *(o.state('positioned') for o in others))}"
    )
    title = "Contrast: one word in several sentences" if several else "Contrast: the word in its sentence"
    return Texts(title, does, caption, alt, "contextual", outcome)


def _cause(trace, other, letter: str) -> Rich:
    """Why the context carries the word from story.from's side to story.to's, or does not; nothing in other cases."""
    if other.n == 1 or other.distances["positioned"] >= -TIE or abs(other.distances["contextual"]) <= TIE:
        return ()
    needed, shares = without_which(other), other.shares
    forth = [j for j in range(other.n) if shares[j] > TIE]
    back = [j for j in range(other.n) if shares[j] < -TIE]
    story = other.model.story
    parts = {"letter": Run(letter, style="b"), "to": richtext.word(trace, story.target)}
    if other.crosses:
        wording = (
            "[letter]: **it takes [words] together** to cross." if len(needed) > 1 else
            "[letter]: **it takes [words]** to cross." if needed else
            "[letter]: its words carry it across."
        )  # fmt: skip
        return rich(wording, words=_named(trace, other, needed or forth), **parts)
    if not forth:
        return rich("[letter]: no word pushes towards [to].", **parts)
    best, worst = max(forth, key=lambda j: shares[j]), min(range(other.n), key=lambda j: shares[j])
    wording = (
        "[letter]: [word] pushes towards [to], but **[other] pulls back**."
        if back and other.tokens[worst] != other.tokens[best] else
        "[letter]: [word] pushes towards [to], but **not far enough**."
    )  # fmt: skip
    return rich(wording, word=_named(trace, other, [best]), other=_named(trace, other, [worst]), **parts)


def _named(trace, other, places: list[int]) -> Rich:
    """The words at some places of a sentence, each once, in their colours."""
    return joined([richtext.word(trace, token) for token in dict.fromkeys(other.tokens[j] for j in places)], " and ")


# What the film says beat by beat

FINAL = "contextual"  # the state from which what follows is read


def listen(other, index: int) -> str:
    heard = richtext.spoken(listening(other))
    caption = f"Alone, {heard}." if other.n == 1 else f"In “{' '.join(other.tokens)}”, {heard}."
    return caption if len(caption) <= 60 else f"In sentence {ascii_uppercase[index]}, {heard}."


def go(other) -> str:
    story, where = other.model.story, sides(other, "positioned", FINAL)
    if other.crosses:
        return f"The context carries it across, to the “{story.target}” side."
    if where == f"on the “{story.origin}” side":
        return f"With context, it stays {where}."
    return "The context moves it." if other.correction[other.last].any() else "The context adds nothing."


def predict(other) -> str:
    return f"Next comes {either(other.decoder[FINAL].words)}."


def rest(trace) -> str:
    if len({other.decoder[FINAL].words for other in compared(trace)}) > 1:
        return "One word, one decoder: the sentence decides."
    return "One word, one decoder: the same follows."
