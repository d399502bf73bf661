"""What the pictures of story A say: each step's title, what it does, its caption, and its text for people who cannot
see it. One function an asset, shared by its figure and its film, in the order in which one tells of them.

Every text is filled from the trace and true of it, whatever the weights are; words are put in after all marks are read.
"""

from __future__ import annotations

from dataclasses import replace

from attn.core import numerals
from attn.core.forward import SYMBOLS
from attn.picture import richtext, sizes
from attn.picture.ranges import drawn_words
from attn.picture.richtext import Run, rich
from attn.texts.phrases import (
    ROUNDED,
    Texts,
    first_part,
    joined,
    leading,
    listening,
    parted,
    points,
    predicted_words,
    says,
    second_part,
    sentence,
    sentence_case,
    sides,
    signed,
    vector,
    weights_listed,
    words_listed,
    words_seen,
)


def decoder_regions(trace) -> Texts:
    """The decoder's two sides and the plane between them."""
    word, model = trace.tokens[-1], trace.model
    origin, target = model.story.origin, model.story.target
    both = {"from": richtext.word(trace, origin), "to": richtext.word(trace, target)}
    does = rich("**On the plane** [from] and [to] score the same. The plane is the same in every step.", **both)
    scores = trace.decoder["embedding"].scores
    both = tuple(numerals.number(scores[model.index(w)]) for w in (origin, target))
    where = f"At the embedding of “{word}” “{origin}” scores {both[0]} and “{target}” {both[1]}"
    caption = (
        "The decoder gives each word w the score W_out(w) · r + b_out(w) at every point r of the word embedding "
        f"space. The plane holds the points where “{origin}” and “{target}” score the same; it parts the space into a "
        f"side where “{origin}” is ahead and one where “{target}” is. {where}; {says(trace, 'embedding')}. {ROUNDED}"
    )
    alt = (
        f"The 3-D word embedding space as a cube, {parted(trace)}. A dotted arrow, the embedding of “{word}”, ends "
        f"{sides(trace, 'embedding')}. {second_part()} the formula of the score, the decoder’s weights and biases with "
        f"a row for each word shown, and the scores they give at this embedding. {where}. Underneath: on the plane the "
        f"two scores are equal.{points(trace.state('embedding'))}"
    )
    return Texts("The decoder parts the space", does, caption, alt, "embedding")


def decoder_regions_film(trace) -> Texts:
    """The same, met by a point that moves."""
    still, (origin, target) = decoder_regions(trace), (trace.model.story.origin, trace.model.story.target)
    alt = (
        "The 3-D word embedding space as a cube, in it a point r; beside it the formula of the score, the decoder’s "
        "weights and biases, and each word’s score at r. As r moves, its scores change. Then one sees the space "
        f"{parted(trace)}; on the plane “{origin}” and “{target}” score the same. At last r comes to where the "
        f"embedding of “{trace.tokens[-1]}” ends, {sides(trace, 'embedding')}: {says(trace, 'embedding')}."
    )
    return replace(still, alt=alt)


def step0_embeddings(trace) -> Texts:
    """Each word begins as a fixed vector."""
    word, words = trace.tokens[-1], trace.model.vocabulary
    does = rich("Each word starts at **one fixed vector**: no position and no context yet.")
    start = vector(trace.embeddings[trace.last])
    caption = (
        f"Each of the {len(words)} words of the vocabulary has a row in the embedding table: its vector e in the word "
        f"embedding space. The sentence {sentence(trace)} takes its rows from there; “{word}” starts at "
        f"{start}. From the embedding alone, {says(trace, 'embedding')}. {ROUNDED}"
    )
    alt = (
        f"{first_part()}, dotted arrows from the origin of the 3-D word embedding space, one for each of "
        f"{words_listed(drawn_words(trace))}. {second_part()} the embedding table with a row of numbers for each word "
        f"shown; lines lead from it to the rows of {words_listed(trace.tokens)}. The embedding of “{word}”, {start}, "
        f"lies {sides(trace, 'embedding')}; {says(trace, 'embedding')}.{points(trace.model.embeddings)}"
    )
    return Texts("Step 0: one vector a word", does, caption, alt, "embedding")


def step1_positions(trace) -> Texts:
    """Each word's place in the sentence is added to its vector."""
    word, last = trace.tokens[-1], trace.last
    symbols = {"e": richtext.symbol(trace, "embeddings", word), "x": richtext.symbol(trace, "positioned", word)}
    shifted = (trace.embeddings != trace.positioned).any(axis=1)
    start, end = vector(trace.embeddings[last]), vector(trace.positioned[last])
    if trace.model.positions is None:
        does = rich(
            "These weights have **no position vectors**: a word is the same in every place, [x]~=~[e].", **symbols
        )
        said = "These weights have no position vectors, so the positioned vector x of each word is its embedding e"
        seen = "There are no position vectors, so dotted e and dashed x of each word coincide"
    else:
        does = rich("A vector for its **place in the sentence** is added to each word: [x]~=~[e]~+~*p*.", **symbols)
        said = "The position vector p of its place is added to the embedding e of each word, which gives x"
        seen = "An arrow, the position vector, leads from the tip of dotted e to the tip of dashed x for each word"
        seen += "" if shifted.all() else " that it moves"
    moved = f"“{word}” goes from {start} to {end}"
    if start == end:
        moved = f"“{word}” hardly moves from {start}" if shifted[last] else f"“{word}” stays at {start}"
    caption = f"{said}: {moved}. Now {says(trace, 'positioned')}. Dotted: e; dashed: x. {ROUNDED}"
    alt = (
        f"{first_part()}, {words_listed(trace.tokens)} in the 3-D word embedding space. {seen}. {second_part()} tables "
        f"of the vectors with a row for each word: {moved}. It lies {sides(trace, 'positioned')}; "
        f"{says(trace, 'positioned')}.{points(trace.embeddings, trace.positioned)}"
    )
    return Texts("Step 1: where a word stands counts", does, caption, alt, "positioned")


def step2_projections(trace) -> Texts:
    """Three matrices take each word into the attention space."""
    last, word = trace.last, trace.tokens[-1]
    does = rich("Three learned matrices make a **query**, a **key** and a **value** of each *x*.")
    vectors = ", ".join(
        f"{name} {vector(getattr(trace, row)[last])}"
        for name, row in (("query", "queries"), ("key", "keys"), ("value", "values"))
    )
    caption = (
        "W_Q, W_K and W_V take every positioned vector x from the 3-D word embedding space into the 2-D attention "
        "space: as a query (what the word looks for), a key (what it offers) and a value (what it passes on). For "
        f"“{word}” they give: {vectors}. Queries end in an arrow, keys are dashed and end in a square, values end in a "
        f"dot. Nothing has been mixed yet: at this stage {says(trace, 'positioned')}. {ROUNDED}"
    )
    alt = (
        f"{words_seen(trace)}. "
        f"{second_part()} the 2-D attention space with a query (arrow), a key (square) and a value (dot) for each of "
        f"them, the three matrices with their entries, and a table of the vectors. For “{word}”: {vectors}."
        f"{points(trace.positioned, trace.queries, trace.keys, trace.values)}"
    )
    return Texts("Step 2: query, key and value", does, caption, alt, "positioned")


def step3_scores(trace) -> Texts:
    """The followed word's query against the keys."""
    last, word = trace.last, trace.tokens[-1]
    pairs = zip(trace.scores[last], trace.tokens, strict=True)
    scores = ", ".join(f"{numerals.number(score)} with “{token}”" for score, token in pairs)
    query = richtext.symbol(trace, "queries", word)
    read = (
        "Thin lines drop from each key to the line of the query: the farther out in its direction they meet it, the "
        "larger the product"
        if trace.queries[last].any()
        else "The query is 0, and so is every product"
    )
    does = rich("[q] times each key, **divided by the root of the keys’ width**: the scores.", q=query)
    caption = (
        f"The query of “{word}” is multiplied with the key of each word it may see, and the product is divided by the "
        f"square root of their width, {trace.model.d_k}. The scores: {scores}. {read}. {ROUNDED}"
    )
    alt = (
        f"{words_seen(trace)}. "
        f"{second_part()}, in the 2-D attention space, the query of “{word}” as an arrow and the keys as dashed lines "
        f"that end in squares; beside it, for each word, the product before and after division. The scores: {scores}. "
        f"At this stage {says(trace, 'positioned')}.{points(trace.positioned, trace.queries[last], trace.keys)}"
    )
    return Texts("Step 3: query meets keys", does, caption, alt, "positioned")


def step4_softmax(trace) -> Texts:
    """From scores to attention weights."""
    last, word = trace.last, trace.tokens[-1]
    weights = weights_listed(trace)
    you = richtext.word(trace, word)
    does = rich("Softmax turns scores into shares: **how much [you] listens to each word**.", you=you)
    shifted = (
        f" Before exp the largest score, {numerals.number(trace.shift[last])}, is taken from each."
        if trace.shift[last]
        else ""
    )
    caption = (
        f"Softmax turns the scores of “{word}” into attention weights: {weights}. Each weight is exp(score) divided by "
        f"the sum of the row, {numerals.number(trace.sums[last])}.{shifted} The weights add up to 1. {ROUNDED}"
    )
    alt = (
        f"{words_seen(trace)}. {second_part()} a row for each word that “{word}” may see, from score to exp to weight "
        f"drawn as bars: {weights}. At this stage {says(trace, 'positioned')}.{points(trace.positioned)}"
    )
    return Texts("Step 4: scores become weights", does, caption, alt, "positioned")


def step5_mixing(trace) -> Texts:
    """Each value scaled by its weight, then all of them added up."""
    last, word = trace.last, trace.tokens[-1]
    does = rich(
        "Each value is scaled by its weight; tip to tail they give [a].", a=richtext.symbol(trace, "mixed", word)
    )
    outcome = (*listening(trace), Run("."))
    result = vector(trace.mixed[last])
    caption = (
        f"Each value v is scaled by its attention weight ({weights_listed(trace)}) and the scaled values are added: "
        f"the attention output of “{word}” is a = {result}. Pale: the full values. {ROUNDED}"
    )
    parts = "; ".join(
        f"{text} times v of “{token}” is {vector(trace.weighted[last][j])}"
        for j, (text, token) in enumerate(zip(numerals.weight_texts(trace.attention[last]), trace.tokens, strict=True))
    )
    alt = (
        f"{words_seen(trace)}. "
        f"{second_part()} the 2-D attention space twice: first each value in pale with its scaled part in full colour, "
        f"then the scaled values laid tip to tail from the origin to the tip of a, {result}. In numbers: {parts}. At "
        f"this stage {says(trace, 'positioned')}."
        f"{points(trace.positioned, trace.values, trace.weighted[last], trace.mixed[last])}"
    )
    return Texts("Step 5: mixing the values", does, caption, alt, "positioned", outcome)


def step6_output(trace) -> Texts:
    """The gathered vector becomes a displacement in the word embedding space."""
    last, word = trace.last, trace.tokens[-1]
    does = rich(
        "[W] turns [a], in 2-D, into **a displacement in 3-D**, [c].",
        W=rich("*W*_{O}"), a=richtext.symbol(trace, "mixed", word), c=richtext.symbol(trace, "correction", word),
    )  # fmt: skip
    outcome = rich("It starts where the word stands: at the tip of [x].", x=richtext.symbol(trace, "positioned", word))
    before, after = vector(trace.mixed[last]), vector(trace.correction[last])
    caption = (
        f"The output matrix W_O, {trace.model.d_model} × {trace.model.d_v}, turns the attention output a = {before} of "
        f"“{word}” into the context displacement c = W_O a = {after}, drawn from the tip of x. {ROUNDED}"
    )
    alt = (
        f"{first_part()}, in the 3-D word embedding space, a dashed arrow x for “{word}” from the origin and a pink "
        f"arrow, plus context, from the tip of x. {second_part()} the arrow a, {before}, in the "
        f"2-D attention space, and the product in numbers: c = W_O a = {after}. At this stage, before c is added, "
        f"{says(trace, 'positioned')}."
        f"{points(trace.positioned[last], trace.mixed[last], trace.correction[last])}"
    )
    return Texts("Step 6: back to three dimensions", does, caption, alt, "positioned", outcome)


def step7_context(trace) -> Texts:
    """The context displacement is added, and the word crosses the plane."""
    word = trace.tokens[-1]
    before, after = (trace.distances[name] for name in ("positioned", "contextual"))
    origin, target = trace.model.story.origin, trace.model.story.target
    letters = {"h": "contextual", "x": "positioned", "c": "correction"}
    symbols = {letter: richtext.symbol(trace, row, word) for letter, row in letters.items()}
    does = rich("What attention gathered is added to the word: [h]~=~[x]~+~[c].", **symbols)
    outcome = rich(
        "**The tip crosses the plane**: [next] follows [word]."
        if trace.crosses
        else "The tip **does not cross the plane** from [from] to [to]; [word] is followed by [next].",
        word=richtext.word(trace, word), next=predicted_words(trace, "contextual"),
        **{"from": richtext.word(trace, origin), "to": richtext.word(trace, target)},
    )  # fmt: skip
    moved = (
        f"carries “{word}” across the decoder’s plane, from {numerals.number(abs(before))} on the “{origin}” side to "
        f"{numerals.number(after)} on the “{target}” side"
        if trace.crosses
        else f"takes “{word}” from a signed distance of {numerals.number(before)} to {numerals.number(after)} from the "
        f"decoder’s plane (positive on the “{target}” side), which is no crossing from “{origin}” to “{target}”"
    )
    caption = (
        f"The context displacement {moved}. {sentence_case(says(trace, 'positioned'))} before it is added, and "
        f"{says(trace, 'contextual')} after. Dotted: the embedding e; dashed: with its position, x; solid: with its "
        f"context, h. {ROUNDED}"
    )
    alt = (
        f"The 3-D word embedding space, {parted(trace)}. Three arrows for “{word}” start at the origin: dotted e and "
        f"dashed x {sides(trace, 'embedding', 'positioned')}, solid h {sides(trace, 'contextual')}. A pink arrow, plus "
        f"context, leads from the tip of x to the tip of h. {second_part()} the sum x + c = h in numbers, and the "
        f"three signed distances to the plane on a line."
        f"{points(trace.correction[trace.last], *map(trace.state, trace.decoder))}"
    )
    return Texts("Step 7: the context is added", does, caption, alt, "contextual", outcome)


def decoder(trace) -> Texts:
    """What the decoder makes of the contextual representation: scores, then probabilities."""
    word, found = trace.tokens[-1], trace.decoder["contextual"]
    does = rich("The decoder scores every word; softmax makes the scores **probabilities**.")
    outcome = rich("**Next comes [next].**", next=predicted_words(trace, "contextual"))
    scores = ", ".join(
        f"{numerals.number(found.scores[trace.model.vocabulary.index(w)])} for “{w}”"
        for w in dict.fromkeys((trace.model.story.origin, trace.model.story.target, *found.words))
    )
    caption = (
        f"The decoder scores every word of the vocabulary at h of “{word}”: {scores}. After softmax "
        f"{says(trace, 'contextual')}. Raw scores are not probabilities: they may be negative and need not add up to "
        f"1. {ROUNDED}"
    )
    alt = (
        f"{first_part()}, the solid arrow h of “{word}” {sides(trace, 'contextual')} of the 3-D word embedding space. "
        f"{second_part()} two columns of bars with a row for each word shown: its score before softmax ({scores}) and "
        f"its probability after. {sentence_case(says(trace, 'contextual'))}, marked by a filled frame."
        f"{points(trace.state('contextual'))}"
    )
    return Texts("Decoder: the next word", does, caption, alt, "contextual", outcome)


def summary(trace) -> Texts:
    """The prediction from e, x and h, side by side."""
    word = trace.tokens[-1]
    names = list(trace.decoder)
    read = ", ".join(f"[{name}] from *{SYMBOLS[name]}*" for name in names)
    does = rich("**The same decoder** reads three states of [word].", word=richtext.word(trace, word))
    outcome = rich(f"Predicted next: {read}.", **{name: predicted_words(trace, name) for name in names})
    said = "; ".join(f"from {SYMBOLS[name]} {says(trace, name)}" for name in names)
    added = "Between e and x the position is added, between x and h the context."
    if trace.model.positions is None:
        added = "There are no position vectors, so x is e; between x and h the context is added."
    caption = f"The same decoder reads the next word from three states of “{word}”: {said}. {added} {ROUNDED}"
    where = "; ".join(f"{SYMBOLS[name]} {sides(trace, name)}" for name in names)
    row, each = ("side by side", "Below each") if sizes.width() == "page" else ("one below the other", "Beside each")
    alt = (
        f"Three views of the 3-D word embedding space {row}, with the same camera and plane, each with one state of "
        f"“{word}” as an arrow: {where}. {each} the scores and the probabilities of the words that matter, with the "
        f"predicted word in a filled frame: {said}.{points(*map(trace.state, trace.decoder))}"
    )
    return Texts("Summary: one word, three states", does, caption, alt, "contextual", outcome)


def summary_film(trace) -> Texts:
    """The same, a state after the other."""
    where = "; ".join(f"{SYMBOLS[name]} {sides(trace, name)}" for name in trace.decoder)
    said = "; ".join(f"from {SYMBOLS[name]} {says(trace, name)}" for name in trace.decoder)
    alt = (
        "The 3-D word embedding space becomes three side by side, with the same camera and plane, each with one state "
        f"of “{trace.tokens[-1]}” as an arrow: {where}. One after the other the decoder reads them, and the word that "
        f"it predicts goes to stand below with its probability, in a filled frame unless words tie: {said}."
        f"{points(*map(trace.state, trace.decoder))}"
    )
    return replace(summary(trace), alt=alt)


# ---- beside the steps --------------------------------------------------------------------------------------------


def attention_matrix(trace, tables: int = 2) -> Texts:
    """Who looks at whom: the scores and weights of all queries; with one of the `tables`, the weights alone."""
    word, causal, hidden = trace.tokens[-1], trace.model.causal, not trace.mask.all()
    seen = "each word sees itself and the words before it" if causal else "each word sees all words"
    does = rich(
        f"A row is what one word’s query makes of the keys: {seen}. Softmax turns each row into weights that **add up "
        "to one**; framed, the row of [word].",
        word=richtext.word(trace, word),
    )
    masked = (
        " Where a key comes later than the query, the score is masked (it counts as minus infinity) and the weight "
        "is 0."
        if hidden
        else ""
    )
    caption = (
        f"Attention {'scores and weights' if tables > 1 else 'weights'} of every word in {sentence(trace)}; "
        f"rows are queries, columns keys. Each row of weights adds up to 1.{masked} The last row, of “{word}”: "
        f"{weights_listed(trace)}. {ROUNDED}"
    )
    shown = "a row for each query and a column for each key: "
    shown = (
        f"Two square tables with {shown}scaled scores, and after softmax the attention weights"
        if tables > 1
        else f"A square table with {shown}the attention weights"
    )
    rows = "; ".join(
        f"“{token}” gives "
        + ", ".join(f"{text} to “{key}”" for text, key, see in zip(texts, trace.tokens, seen, strict=True) if see)
        for token, texts, seen in zip(
            trace.tokens, map(numerals.weight_texts, trace.attention), trace.mask, strict=True
        )
    )
    alt = (
        f"{shown}, shaded the stronger the larger they are. {rows}. Each row adds up to 1; the row of “{word}” is "
        "framed." + (" Masked cells are hatched and hold no number." if hidden else "")
    )
    return Texts("Attention: every query against every key", does, caption, alt, "positioned")


def contrast(trace) -> Texts:
    """The same word, decoder and camera in several sentences."""
    word, others = trace.tokens[-1], trace.contrast
    parts = {f"said{i}": predicted_words(other, "contextual", trace) for i, other in enumerate(others)}
    for i, other in enumerate(others):
        parts[f"words{i}"] = richtext.spaced([richtext.word(trace, token) for token in other.tokens], " ")
    follow = "; ".join(f"after [words{i}] comes [said{i}]" for i in range(len(others)))
    spoken = [token for other in others for token in other.tokens]
    if len(spoken) > 10 or sum(map(len, spoken)) > 54:  # long sentences are called by their letters
        follow = "; ".join(f"in sentence {'ABC'[i]} [said{i}] follows" for i in range(len(others)))
    does = rich(f"One word, one decoder, {'other company' if len(others) > 1 else 'one sentence'}: {follow}.", **parts)
    said = "; ".join(
        f"in {sentence(o)} {says(o, 'contextual')}, at a signed distance of "
        f"{numerals.number(o.distances['contextual'])} from the plane"
        for o in others
    )
    where = trace.model.story.target
    caption = (
        f"Where “{word}” lands{' in different sentences' if len(others) > 1 else ''}; decoder and camera are the same: "
        f"{said} (positive on the “{where}” side). {ROUNDED}"
    )
    heard = "; ".join(f"in {sentence(o)}: {weights_listed(o)}" for o in others)
    alt = (
        f"{first_part()} the 3-D word embedding space with one pink arrow, plus context, for each sentence, from where "
        f"“{word}” stands to a lettered point where it lands: {said}. {second_part()} each sentence under bars for the "
        f"attention that “{word}” pays to its words ({heard}), and the predicted word."
        f"{points(*(o.correction[o.last] for o in others), *(o.state('positioned') for o in others))}"
    )
    title = "Contrast: the same word in other company" if len(others) > 1 else "Contrast: the word in its sentence"
    return Texts(title, does, caption, alt, "contextual")


def margin(trace) -> Texts:
    """Which word pushed the followed one across the plane."""
    word, shares, story = trace.tokens[-1], trace.shares, trace.model.story
    before, after = (trace.distances[name] for name in ("positioned", "contextual"))
    leaders = leading(shares, [numerals.number(share) for share in shares])
    best = [richtext.word(trace, token) for token in dict.fromkeys(trace.tokens[j] for j in leaders)]
    does = rich("Each word adds its share to the distance: its weight times *W*_{O} *v*, along the plane’s normal.")
    alone = (shares > -before) & (shares.sum() - shares <= -before)  # it is enough, and without it there is no crossing
    outcome = rich(
        ("**They do not carry [word] from [from] to [to].**" if not trace.crosses else
           "**It is [best] that carries [word] across.**" if alone.sum() == 1 and alone[leaders].all() else
           "**Together they carry [word] across**, [best] most of all." if len(leaders) < trace.n else
           "**Together they carry [word] across.**"),
        best=joined(best, " and "), word=richtext.word(trace, word),
        **{"from": richtext.word(trace, story.origin), "to": richtext.word(trace, story.target)},
    )  # fmt: skip
    listed = ", ".join(f"{signed(share)} from “{token}”" for share, token in zip(shares, trace.tokens, strict=True))
    states = ", ".join(f"{numerals.number(d)} at {SYMBOLS[name]}" for name, d in trace.distances.items())
    caption = (
        f"The signed distance of “{word}” to the decoder’s plane (positive on the “{story.target}” side) is {states}. "
        "The way from x to h is the sum of what each word adds, its attention weight times W_O v along the plane’s "
        f"normal: {listed}. {ROUNDED}"
    )
    alt = (
        f"{first_part()}, in the 3-D word embedding space, the contributions of {words_listed(trace.tokens)} laid tip "
        f"to tail from the tip of x to the tip of h. {second_part()} a waterfall over the signed distance to the "
        f"plane: it starts at x, {numerals.number(before)}, goes by {listed}, and ends at h, {numerals.number(after)}, "
        f"{sides(trace, 'contextual')}. {sentence_case(says(trace, 'contextual'))}."
        f"{points(trace.state('positioned'), trace.weighted[trace.last] @ trace.model.W_O.T)}"
    )
    return Texts("Margin: what each word adds", does, caption, alt, "contextual", outcome)
