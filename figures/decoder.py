"""Every word's raw score before softmax, and its probability after."""

from __future__ import annotations

from matplotlib.figure import Figure

from attn.core import numerals
from attn.core.decoder import rows_shown
from attn.picture import palette, richtext, sizes
from attn.picture.richtext import rich
from attn.texts.decoder import texts
from attn.texts.phrases import unlisted
from figures._kit import layout, paint
from figures._kit.layout import Stage
from figures._kit.spaces import EmbeddingSpace

WIDTHS = ("page", "text", "column")
CHECKPOINT = "contextual"
MOST_ROWS = 12  # words that are shown of a large vocabulary


def draw(trace) -> Figure:
    """Where the word has come to lie, and what the decoder makes of that place."""
    step = layout.step_page(trace, texts(trace), "What may come next", attends=True)
    space = EmbeddingSpace(step.page, step.left, trace)
    space.state(CHECKPOINT, width=2.0)
    space.finish()
    words, found = trace.model.vocabulary, trace.decoder[CHECKPOINT]
    always = trace.model.story.origin, trace.model.story.target, *found.words
    shown = rows_shown(words, found.scores, always, MOST_ROWS)
    left, bottom, width, height = step.right
    below = 5.0 if len(shown) < len(words) else 1.0
    rows = [richtext.word(trace, words[i]) for i in shown]
    leads = [row for row, i in enumerate(shown) if words[i] in found.words and not paint.blank()]
    box = (left, bottom + below, width, height - below)
    layout.bar_stages(step.page, box, rows, stages(trace, shown), (0.52, 0.48), leads)
    if len(shown) < len(words):
        said = unlisted(trace, CHECKPOINT, shown)[0]
        step.page.text(left, bottom + 1.2, said, paint.SMALL + 0.5, colour=palette.theme().muted)
    return step.page.figure


def stages(trace, shown: list[int]) -> list[Stage]:
    """Score and probability of the words in rows `shown` of the vocabulary."""
    found, words = trace.decoder[CHECKPOINT], trace.model.vocabulary
    places = numerals.decimals(found.scores[shown])
    cells = numerals.score_cells(trace, CHECKPOINT, places), numerals.probability_cells(trace, CHECKPOINT)
    scores, probabilities = ([column[words[i]] for i in shown] for column in cells)
    h = richtext.symbol(trace, "contextual")
    before, after = "**score** before softmax", "**probability** after"
    formula = "softmax of the scores"
    if sizes.arranged() == "text":
        before, after, formula = "**score**", "**probability**", "softmax"
    return [
        Stage(rich(before), rich("*W*_{out} · [h] + *b*_{out}", h=h), found.scores[shown], scores),
        Stage(rich(after), rich(formula), found.probabilities[shown] * (not paint.blank()), probabilities),
    ]
