"""lookup_attention: what the figure says."""

from __future__ import annotations

from attn.core import numerals
from attn.picture.richtext import rich
from attn.texts.experiment import SOURCE, settings_said
from attn.texts.phrases import ROUNDED, Texts, range_of, texts_of


def texts(found) -> Texts:
    """A head learns to look up: attention of one example during training."""
    e, at = found.example, found.steps
    shown = [numerals.weight_texts(found.attention[step]) for step in at]
    right = [row[e["entry"]] for row in shown]
    does = rich(
        "Nobody tells the head where to look: **training sees its answer, nothing else**. The query’s tag is [t]; "
        "the entry with that tag holds the value [v], which is the answer.",
        t=numerals.cell(e["query"], "example.query", 0), v=numerals.cell(e["answer"], "example.answer", 0),
    )  # fmt: skip
    when = [f"after {step} steps" if step else "at the start" for step in at]
    progress = ", ".join(f"{weight} {then}" for weight, then in zip(right, when, strict=True))
    p = found.published
    caption = (
        f"One store of four entries, tag and value each, and a query with tag {e['query']}: the attention that the "
        f"query pays to every entry and to itself. On the entry that holds the answer: {progress}. Loss and accuracy "
        f"are those on {found.settings['batch']} new stores. {settings_said(found)} In {SOURCE} the same example has "
        f"{p['right_25']:.2f} after 25 steps and {p['right_400']:.2f} at the end; its table leaves out the query’s "
        f"attention to itself. {ROUNDED}"
    )
    alt = (
        f"Four groups of five bars, for steps {', '.join(map(str, at))}. At first their weights lie "
        f"{range_of(shown[0])}. Weights on entry {e['entry']}, which has the query’s tag: {', '.join(right)}."
    )
    return texts_of("A head learns to look things up", does, caption, alt)
