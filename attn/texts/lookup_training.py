"""lookup_training: what the figure says."""

from __future__ import annotations

from attn.core import numerals
from attn.picture.richtext import rich
from attn.texts.experiment import SOURCE, settings_said
from attn.texts.phrases import ROUNDED, Texts, range_of, texts_of


def texts(found) -> Texts:
    """The lookup experiment over all seeds."""
    median = found.bands["right"][1]
    p = found.published
    does = rich(
        "Twenty runs from twenty random starts, none left out: **within some fifty steps a head that knew nothing has "
        "become a dictionary**. Line: the median. Band: eight runs in ten."
        if found.settings["seeds"] == 20
        else "Runs from several random starts, none left out. Line: the median. Band: eight runs in ten."
    )
    last = found.settings["steps"]
    caption = (
        f"The lookup experiment from {found.settings['seeds']} random starts: attention on the right entry of the "
        "fixed example, accuracy and loss on new stores, median and the range from the 10th to the 90th percentile. "
        f"The median attention is {numerals.number(median[25])} after 25 steps and "
        f"{numerals.number(median[last])} after {last}; accuracy at the end, on {found.settings['stores']} "
        f"new stores, lies {range_of(map(numerals.number, found.fresh))}. Dashed: chance. Diamonds: {SOURCE}, "
        f"with a learning rate of {p['rate']}: {p['right_25']:.2f}, {p['right_400']:.2f}, loss {p['loss_0']:.2f} and "
        f"accuracy {p['accuracy_0']:.2f} at the start, {p['accuracy_400']:.2f} at the end. {settings_said(found)} "
        f"{ROUNDED}"
    )
    alt = (
        "Three curves over the training steps, on a scale that widens the first steps: attention on the right entry "
        "and accuracy rise from chance to about 1, the loss falls to about 0, most of it between steps 5 and 50. "
        f"Bands for {found.settings['seeds']} runs, dashed lines at chance, and diamonds for published values."
    )
    return texts_of("From uniform to a dictionary", does, caption, alt)
