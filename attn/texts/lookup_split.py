"""lookup_split: what the figure says."""

from __future__ import annotations

from attn.core import numerals
from attn.picture.richtext import rich
from attn.texts.phrases import Texts, texts_of


def texts(found) -> Texts:
    """What W_k and W_v have come to read."""
    keys, values = found.reads["W_k"][0], found.reads["W_v"][1]
    does = rich(
        "An entry is tag plus value in one vector, and nothing marks which is which. **Training has split them: keys "
        "read above all the tag, values above all the value.**"
    )
    caption = (
        "What the trained head reads. Above: what an entry’s tag and its value each add to the score that a query "
        "gives it; the tag decides, whatever the value, and it must be the query’s own. Below: what tag and value of "
        "the entry add to the score of each answer; the value decides, whatever the tag. Tags make "
        f"{numerals.number(keys)} of the variance of the keys, values {numerals.number(values)} of that of the head’s "
        "values. Numbers are differences from the average tag or value, computed from the trained weights of the first "
        f"of the {found.settings['seeds']} runs, and rounded."
    )
    alt = (
        "Four grids of six by six numbers, a stronger tint for larger ones. Upper left, query tag against entry tag: "
        "the largest of each row on the diagonal. Upper right, query tag against entry value: small numbers. Lower "
        "left, answer against entry tag: small numbers. Lower right, answer against entry value: the largest of each "
        "row on the diagonal."
    )
    return texts_of("Keys read the tag, values the value", does, caption, alt)
