"""sentence_matrix: what the figure says."""

from __future__ import annotations

from attn.picture import richtext
from attn.picture.richtext import rich
from attn.texts.phrases import Texts, sentence, texts_of, words_listed


def texts(trace) -> Texts:
    """A row of numbers for each word."""
    twice = repeated(trace)
    placed = trace.model.positions is not None
    does = rich(
        "Every word of the vocabulary has a row of numbers, learned in training. **The sentence is these rows in "
        f"order{', each with the vector of its place added' if placed else ''}.** "
    )
    if twice and not placed:
        does += rich("Wherever [word] stands in it, the row is the same.", word=richtext.word(trace, twice))
    again = f" Every “{twice}” has the same row: an embedding knows the word, not its place." if twice else ""
    again = " To each row the vector of its place is added." if placed else again
    sizes = f"{trace.n} × {trace.model.d_model}"
    caption = (
        f"{sentence(trace)} as a matrix X of {sizes} numbers: a row for each word, copied from the table of "
        f"learned embeddings.{again} Firm brackets: learned. Light brackets: put together anew for each sentence."
    )
    alt = (
        f"On the left the table of embeddings, a row for each of {words_listed(trace.model.vocabulary)}. Lines lead "
        "from its rows to the rows of the sentence matrix X on the right, one for each word of "
        f"{sentence(trace)}." + (f" More than one line starts at the row of “{twice}”." if twice else "")
    )
    return texts_of("The sentence as a matrix", does, caption, alt)


def repeated(trace) -> str | None:
    """The first word, as in the vocabulary, that the sentence has more than once."""
    entries = [trace.model.entry(token) for token in trace.tokens]
    return next((word for word in entries if entries.count(word) > 1), None)
