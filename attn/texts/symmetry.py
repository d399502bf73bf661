"""symmetry: what the figure and the film say."""

from __future__ import annotations

from attn.core import numerals
from attn.picture import richtext, rows
from attn.picture.richtext import rich
from attn.texts.phrases import ROUNDED, Texts, sentence, texts_of


def texts(trace) -> Texts:
    """Why queries and keys have a matrix each."""
    i, j = rows.telling_pair(trace)
    a, b = trace.tokens[i], trace.tokens[j]
    tied, one, other = (numerals.number(s) for s in (trace.tied[i, j], trace.scores[i, j], trace.scores[j, i]))
    does = rich(
        "With one matrix for both, the scores are their own mirror image: [a] scores [b] exactly as [b] scores [a]. "
        "**With two matrices they need not be.**",
        a=richtext.word(trace, a), b=richtext.word(trace, b),
    )  # fmt: skip
    sign = rows.compared(trace.scores, (i, j))
    free = {
        "=": "with these two matrices they are symmetric as well",
        "≈": "with these two matrices they are symmetric as far as one sees from rounded numbers",
        "≠": f"with two matrices “{a}” scores “{b}” {one} and “{b}” scores “{a}” {other}",
    }[sign]
    seen = {"=": "they are equal, too", "≈": "they are printed alike, too", "≠": "not all of them are"}[sign]
    caption = (
        f"{sentence(trace)}: scores of every query (rows) for every key (columns), divided by "
        f"√{trace.model.d_k}. Left: keys made with W_q as well, so the matrix equals its transpose, whatever the "
        f"sentence: “{a}” and “{b}” score each other {tied}. Right: {free}. {ROUNDED}"
    )
    alt = (
        f"Two square matrices of scores, {trace.n} by {trace.n}, a stronger tint for larger scores. In the left one "
        f"cells mirrored at the diagonal are equal; in the right one {seen}. "
        f"The two cells of “{a}” and “{b}” are framed in both: {tied} and {tied} on the left, {one} and {other} on the "
        "right."
    )
    return texts_of("Why queries and keys have a matrix each", does, caption, alt)


def film(trace) -> Texts:
    """What happens to the scores when queries and keys are made with one matrix, and when they are not."""
    still = texts(trace)
    i, j = rows.telling_pair(trace)
    a, b = trace.tokens[i], trace.tokens[j]
    tied, one, other = (numerals.number(s) for s in (trace.tied[i, j], trace.scores[i, j], trace.scores[j, i]))
    sign = rows.compared(trace.scores, (i, j))
    does = rich("What if **one matrix** made both queries and keys?")
    outcome = rich(
        {
            "=": "**Two matrices** can break the mirror; with these numbers it holds.",
            "≈": "**Two matrices** can break the mirror; with these numbers it nearly holds.",
            "≠": "**Two matrices:** [a] scores [b] higher than [b] scores [a].",
        }[sign],
        a=richtext.word(trace, a), b=richtext.word(trace, b),
    )  # fmt: skip
    ends = {"=": "are of one length still", "≈": "are nearly of one length still", "≠": "part"}[sign]
    caption = (
        f"{sentence(trace)}: scores of every query (rows) for every key (columns), divided by "
        f"√{trace.model.d_k}. With W_k = W_q the table equals its transpose, whatever the sentence: “{a}” and “{b}” "
        f"score each other {tied}. With two matrices “{a}” scores “{b}” {one} and “{b}” scores “{a}” {other}. {ROUNDED}"
    )
    alt = (
        f"A square table of scores, {trace.n} by {trace.n}, a stronger tint for larger scores; beside it the matrices "
        "W_q and W_k. The numbers of W_q take the place of those of W_k, and the scores follow: cells, moved across "
        f"the diagonal, meet their equals. The two cells of “{a}” and “{b}” are framed, with a bar each, of one "
        f"length: {tied}. Then W_k gets its own numbers back, and the bars {ends}: {one} and {other}."
    )
    return Texts(still.title, does, caption, alt, stage="", outcome=outcome)


# What the film says beat by beat

SHOW_MATRICES = "One matrix makes a query of every word, another a key."
SHOW_SCORES = "Each query, in the rows, meets each key, in the columns: a table of scores."
TIE = "Tie them: the keys are made with W_q as well."
CHANGE = "Every score is now a query against a query."
MIRROR = "Fold the table at its diagonal: every score meets its equal."
UNTIE = {
    "=": "Untie them: the keys get a matrix of their own, yet the mirror holds.",
    "≈": "Untie them: the keys get a matrix of their own, yet the mirror nearly holds.",
    "≠": "Untie them: the keys get a matrix of their own, and the mirror breaks.",
}


def compare(a: str, b: str) -> str:
    caption = f"“{a}” scores “{b}” exactly as “{b}” scores “{a}”."
    return caption if len(caption) < 90 else "The two words score each other exactly alike."
