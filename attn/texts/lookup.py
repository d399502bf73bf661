"""lookup: what the film says."""

from __future__ import annotations

from attn.core import numerals
from attn.picture.richtext import rich
from attn.texts.experiment import settings_said
from attn.texts.phrases import ROUNDED, Texts, range_of


def film(found) -> Texts:
    """Training as it happens."""
    e, last = found.example, found.settings["steps"]
    first, final = (numerals.weight_texts(found.attention[step]) for step in (0, last))
    start, end = (weights[e["entry"]] for weights in (first, final))
    losses, rates = ([numerals.number(series[step]) for step in (0, last)] for series in (found.loss, found.accuracy))
    does = rich("**Nobody tells the head where to look.**")
    outcome = rich(
        "**A dictionary:** [w] of the attention goes to the entry with the query’s tag.",
        w=numerals.weight_cells(found.attention[last], f"attention[{last}]")[e["entry"]],
    )
    caption = (
        f"A head learns to look up. One store of four entries, tag and value each, and a query with tag {e['query']}: "
        "the query’s attention to every entry and to itself, at every step of training. On the entry that holds the "
        f"answer it is {start} at the start and {end} after {last} steps. Loss and accuracy are those on "
        f"{found.settings['batch']} new stores. {settings_said(found)} {ROUNDED}"
    )
    alt = (
        "Five bars, one for each of four entries and for the query itself, each over its tag and value; beside them a "
        f"step counter and curves of loss and accuracy. At step 0 the weights lie {range_of(first)}. As "
        f"the counter runs to {last}, that of the entry with the query’s tag goes from {start} to {end}, the loss from "
        f"{losses[0]} to {losses[1]} and the accuracy from {rates[0]} to {rates[1]}. At the end that entry’s value, "
        f"{e['answer']}, goes to the query as the answer."
    )
    return Texts("A head learns to look things up", does, caption, alt, stage="", outcome=outcome)


# What the film says beat by beat

SHOW_STORE = "A store of entries, a value under each tag, and attention to each."
ASK = "A query holds a tag alone. Which value belongs to it?"
ANSWER = "The one under the same tag. At first the head looks everywhere."
START = "The loss sees the answer only, never where the head looks."
TRAIN = (
    "Looking at the query’s tag gives the answer, so the loss falls.",
    "The query itself has that tag, too, and gets a share at first. It fades.",
    "After that, little changes.",
)
