"""What the pictures of story B say, filled from the trace or from the lookup experiment; see attn.texts.story."""

from __future__ import annotations

from attn.core import numerals
from attn.picture import richtext, rows
from attn.picture.richtext import Rich, rich
from attn.texts.phrases import ROUNDED, Texts, range_of, sentence, words_listed

SOURCE = "the published run"


def texts_of(title: str, does: Rich, caption: str, alt: str) -> Texts:
    """Texts of a picture that shows no prediction."""
    return Texts(title, does, caption, alt, stage="")


def sentence_matrix(trace) -> Texts:
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


def qkv(trace) -> Texts:
    """The same X goes three ways."""
    m = trace.model
    does = rich(
        "**One sentence, three matrices, three readings of it.** Queries and keys have the same width, so that "
        "*q* · *k* exists" + ("; that of a word is larger." if m.d_k < m.d_model else "."),
    )
    caption = (
        f"Where the queries, keys and values of {sentence(trace)} come from. The same X ({trace.n} × "
        f"{m.d_model}) is multiplied by three learned matrices: Q = X W_q and K = X W_k ({trace.n} × {m.d_k} each), V "
        f"= X W_v ({trace.n} × {m.d_v}). Vectors are written as rows; the weights file holds the transposes. Firm "
        f"brackets: learned; light brackets: computed for this sentence. {ROUNDED}"
    )
    alt = (
        f"The matrix X of {sentence(trace)} on the left. Three paths lead from it through the learned "
        "matrices W_q, W_k and W_v to the matrices Q, K and V on the right, all with their numbers and shapes."
    )
    return texts_of("Where Q, K and V come from", does, caption, alt)


def row_wise(trace) -> Texts:
    """Row i of Q comes from row i of X alone."""
    i, _ = rows.telling_pair(trace)
    word = trace.tokens[i]
    query = ", ".join(numerals.number(value) for value in trace.queries[i])
    does = rich(
        "The query of [word] is made from the row of [word] and *W*_{q}, and **from no other word**. Words meet only "
        "later, in *Q K*^{T}.",
        word=richtext.word(trace, word),
    )
    caption = (
        f"{sentence(trace)}: the projections work row by row. Row {i + 1} of Q, the query ({query}) of "
        f"“{word}”, is row {i + 1} of X times W_q. The other rows of X have no part in it. Vectors are written as "
        f"rows. {ROUNDED}"
    )
    alt = (
        f"X times W_q equals Q. The row of “{word}” is picked out in X and in Q, the other rows stand back. Below, "
        "each entry of the query is written out as a sum of products of one row of X and one column of W_q."
    )
    return texts_of("One row in, one row out", does, caption, alt)


def mechanism(trace) -> Texts:
    """The whole mechanism on one page; learned against recomputed."""
    m, n = trace.model, trace.n
    does = rich(
        "**Above the line, what training has learned**: the same for every sentence. **Below it, what is computed "
        "anew** for each one."
    )
    caption = (
        f"All of self-attention for {sentence(trace)}. Learned, and the same for every sentence: the "
        f"embeddings, W_q, W_k and W_v. Computed anew: X, Q, K and V, the scores Q K^T / √{m.d_k}, the weights A, "
        f"whose rows add up to 1, and the output A V, a new row of {m.d_v} numbers for each of the {n} words. Vectors "
        f"are written as rows. {ROUNDED}"
    )
    alt = (
        "Three rows of matrices with their numbers. The top row, set in firm frames and labelled learned: embeddings, "
        "W_q, W_k, W_v. Below a line, labelled computed for this sentence: X, Q, K and V, each under the matrix it is "
        "made with; then scores, attention weights and output."
    )
    return texts_of("Self-attention on one page", does, caption, alt)


def symmetry(trace) -> Texts:
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


def qkv_film(trace) -> Texts:
    """The same X goes three ways, a row at a time."""
    m, still = trace.model, qkv(trace)
    does = rich("**One sentence, three readings.**")
    outcome = rich("**Firm: learned. Light: computed.** *Q* and *K* have the same width: *q* · *k* exists.")
    alt = (
        f"The matrix X of {sentence(trace)} at the lower left, the learned matrices W_q, W_k and W_v above, "
        "Q, K and V below them. The numbers of the first row of X meet those of a column of W_q; their products add "
        "up to the first number of Q. Then X goes row by row through each of the three matrices; what comes out are "
        f"rows of {m.d_k}, {m.d_k} and {m.d_v} numbers, each at the height of the row it is made from."
    )
    return Texts(still.title, does, still.caption, alt, stage="", outcome=outcome)


def symmetry_film(trace) -> Texts:
    """What happens to the scores when queries and keys are made with one matrix, and when they are not."""
    still = symmetry(trace)
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


def formula_code(trace) -> Texts:
    """The four lines of the function beside the four steps."""
    m, n = trace.model, trace.n
    does = rich("**Four lines of code, four steps.** Rectangles are to scale: where two meet, their sides are equal.")
    caption = (
        "A head of self-attention as a function and as formulas, with the shapes that its matrices have for "
        f"{sentence(trace)}: {n} words, d_model = {m.d_model}, d_k = {m.d_k}, d_v = {m.d_v}. Vectors are "
        "written as rows. Firm outlines: learned; light ones: computed."
    )
    alt = (
        "Four rows. In each, a line of Python, the formula it computes, and rectangles to scale for the matrices in "
        "it: the three projections, the scores divided by the root of the key width, softmax along each row, and the "
        "blend of the values."
    )
    return texts_of("Four lines, four steps", does, caption, alt)


# ---- the lookup experiment -----------------------------------------------------------------------------------------


def lookup_attention(found) -> Texts:
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


def lookup_film(found) -> Texts:
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


def lookup_training(found) -> Texts:
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


def lookup_split(found) -> Texts:
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


def settings_said(found) -> str:
    """The experiment's setting, and where it differs from the published one."""
    s, p = found.settings, found.published
    return (
        f"Setting as published ({s['tags']} tags, {s['values']} values, d_model {s['d_model']}, d_k {s['d_k']}, "
        f"batches of {s['batch']}, Adam, {s['steps']} steps), but a learning rate of {s['rate']} instead of "
        f"{p['rate']}; embeddings start with entries of spread {s['embedded']:g}, matrices with {s['projected']:g} / "
        "√rows."
    )


# ---- parts of sentences ----------------------------------------------------------------------------------------


def repeated(trace) -> str | None:
    """The first word, as in the vocabulary, that the sentence has more than once."""
    entries = [trace.model.entry(token) for token in trace.tokens]
    return next((word for word in entries if entries.count(word) > 1), None)
