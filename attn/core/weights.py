"""Reading, checking and writing weights files, format "attn-weights/1", as TOML or as JSON.

A file is data: nothing in it is evaluated. Every fault is a WeightsError whose text is one line.
"""

from __future__ import annotations

import json
from pathlib import Path

from attn.core import files, matrices, source, spelling
from attn.core.forward import forward, story_plane
from attn.core.model import FORMAT, PARAMETERS, Expect, Model, Story, WeightsError, nearest
from attn.core.source import kind, shown

MOST_COMPARED = 6  # sentences; pictures have room for no more
LARGEST_FILE = 4_000_000  # bytes; a real file has a few thousand
MASKS = ("causal", "none")
KEYS = {
    "": ("format", "title", "model", "parameters", "story", "expect", "view"),
    "model": ("vocabulary", "mask"),
    "parameters": PARAMETERS,
    "story": ("sentence", "from", "to", "contrast"),
    "expect": ("sentence", "next", "attends"),
    "view": ("azimuth", "elevation"),
}
REQUIRED = {
    "": ("format", "model", "parameters"),
    "model": ("vocabulary",),
    "parameters": ("embeddings", "W_Q", "W_K", "W_V"),
    "story": ("sentence",),
    "expect": ("sentence", "next"),
    "view": (),
}


def load(path: str | Path, parameters_required: bool = True) -> Model:
    """The model in the weights file at `path`, checked whole: keys, shapes, numbers, words, and the pass.

    Where the parameters are not required (`attn fit` finds them), a file may lack all of them, and then d_model is 0,
    or only the decoder that its [[expect]] entries need.

    Raises WeightsError (one line: file, place, what was found, what is expected).
    """
    try:
        return read(_text(Path(path)), parameters_required, Path(path).suffix)
    except WeightsError as error:
        raise error.within(str(path)) from None


def read(text: str, parameters_required: bool = True, suffix: str = "") -> Model:
    """The model in the text of a weights file whose name ends in `suffix`, checked as `load` does.

    Raises WeightsError without a file name.
    """
    content = source.parse(text, suffix)
    try:
        model = _model(content, parameters_required)
    except WeightsError as error:
        raise _with_commas(error, text) from None
    sentences = {} if model.story is None else {"story.sentence": model.story.sentence}
    sentences |= {f"expect.sentence, entry {i}": e.sentence for i, e in enumerate(model.expect, start=1)}
    listed = () if model.story is None else model.story.contrast
    sentences |= {f"story.contrast, sentence {i}": sentence for i, sentence in enumerate(listed, start=1)}
    for place, sentence in sentences.items():
        model.words(sentence, place)
    if not model.d_model:
        return model
    story_plane(model)
    alone = [] if model.story is None else [model.story.sentence[-1:]]  # it is drawn and claimed about, too
    for sentence in (*sentences.values(), *alone):
        forward(model, sentence)
    return model


def doubts(path: str | Path) -> list[str]:
    """What looks odd in the weights file at `path`, though it can be read: a line each, with its place.

    Raises WeightsError where it cannot be read.
    """
    found = source.decimal_commas(_text(Path(path)))
    return [f"{place}: {source.two_numbers(numbers)}; was {source.pointed(numbers)} meant?" for place, numbers in found]


def _with_commas(error: WeightsError, text: str) -> WeightsError:
    """An error in a matrix's rows that a decimal comma explains, as that; any other as it is."""
    if "transposed" in error.message or ", number" in error.place:
        return error
    for place, numbers in source.decimal_commas(text):
        if place.split(",")[0] == error.place.split(",")[0]:
            said = f"{source.two_numbers(numbers)}; expected a decimal point, {source.pointed(numbers)}"
            return WeightsError(place, said)
    return error


def _text(path: Path) -> str:
    data = files.content(path, "a weights file", LARGEST_FILE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WeightsError("", f"is not UTF-8 text: byte 0x{data[error.start]:02x} at offset {error.start}") from None


def _model(content: dict, parameters_required: bool) -> Model:
    if "format" not in content:
        raise WeightsError("format", f'is missing, expected format = "{FORMAT}"')
    if content["format"] != FORMAT:
        raise WeightsError("format", f"{shown(content['format'])} is not known; this reads {FORMAT}")
    _check_keys(content if parameters_required else {"parameters": {}, **content}, "")
    tables = {name: _table(content, name) for name in ("model", "parameters", "story", "view")}
    vocabulary = _vocabulary(tables["model"]["vocabulary"])
    if parameters_required or tables["parameters"] is not None:
        arrays = matrices.parameters(tables["parameters"], len(vocabulary))
    else:
        arrays = dict.fromkeys(PARAMETERS) | matrices.none(len(vocabulary))
    if parameters_required and content.get("expect") and arrays["W_out"] is None:
        raise WeightsError("parameters.W_out", "is missing, but [[expect]] needs a decoder")
    return Model(
        vocabulary=vocabulary,
        causal=_mask(tables["model"].get("mask", "causal")) == "causal",
        title=_string(content.get("title", ""), "title"),
        story=_story(tables["story"], vocabulary, arrays),
        expect=_expect(content.get("expect", []), vocabulary),
        azimuth=_angle(tables["view"], "azimuth", 360),
        elevation=_angle(tables["view"], "elevation", 90),
        **arrays,
    )


def _check_keys(table: dict, name: str) -> None:
    prefix = f"{name}." if name else ""
    for key in table:
        if key not in KEYS[name]:
            hint = nearest(key, KEYS[name]) or f"; expected one of {', '.join(KEYS[name])}"
            raise WeightsError(prefix + key, f"is not a known key{hint}")
    for key in REQUIRED[name]:
        if key not in table:
            raise WeightsError(prefix + key, "is missing")


def _table(content: dict, name: str) -> dict | None:
    if name not in content:
        return None
    table = content[name]
    if not isinstance(table, dict):
        raise WeightsError(name, f"{kind(table)}, expected a table")
    _check_keys(table, name)
    return table


def _vocabulary(found) -> tuple[str, ...]:
    place = "model.vocabulary"
    if not isinstance(found, list) or not found:
        raise WeightsError(place, f"{kind(found)}, expected a list of words")
    rows: dict[str, int] = {}  # of what is seen of each word
    for row, word in enumerate(found, start=1):
        where = f"{place}, word {row}"
        if not isinstance(word, str):
            raise WeightsError(where, f"{kind(word)}, expected a word")
        if not word or word.split() != [word]:
            raise WeightsError(where, f"{shown(word)} is empty or has white space inside, expected one word")
        if spelling.nothing_to_see(word):
            raise WeightsError(where, f"{shown(word)} has nothing to be seen in it, expected one word")
        row_alike = rows.setdefault(spelling.seen(word), row)
        if row_alike != row:
            other = found[row_alike - 1]
            if word == other:
                raise WeightsError(where, f"{shown(word)} stands twice, expected distinct words")
            apart = f"looks like word {row_alike}, but for {spelling.hidden(word, other)}"
            raise WeightsError(where, f"{shown(word)} {apart}, expected words that can be told apart")
    return tuple(found)


def _mask(found) -> str:
    if found not in MASKS:
        raise WeightsError("model.mask", f'{shown(found)} is not known, expected "causal" or "none"')
    return found


def _story(table: dict | None, vocabulary: tuple[str, ...], arrays: dict) -> Story | None:
    if table is None:
        return None
    sentence = tuple(_string(table["sentence"], "story.sentence").split())
    if arrays["W_out"] is None and not {"from", "to"} & set(table):
        return Story(sentence)  # without a decoder nothing is predicted, and no plane is wanted
    for key in ("from", "to"):
        if key not in table:
            raise WeightsError(f"story.{key}", "is missing")
    origin, target = (_word(table[key], f"story.{key}", vocabulary) for key in ("from", "to"))
    if origin == target:
        raise WeightsError("story.to", f"{shown(target)} is story.from as well, expected two different words")
    return Story(sentence, origin, target, _contrast(table.get("contrast", []), sentence))


def _contrast(found, story: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    place = "story.contrast"
    if not isinstance(found, list):
        raise WeightsError(place, f"{kind(found)}, expected a list of sentences")
    if len(found) > MOST_COMPARED:
        raise WeightsError(place, f"has {len(found)} sentences, expected at most {MOST_COMPARED}")
    sentences = tuple(tuple(_string(one, f"{place}, sentence {i}").split()) for i, one in enumerate(found, start=1))
    for i, sentence in enumerate(sentences, start=1):
        if sentence[-1:] != story[-1:]:
            wanted = f'expected a sentence that ends in "{story[-1]}", the word that is followed' if story else ""
            raise WeightsError(f"{place}, sentence {i}", f"ends in {shown(' '.join(sentence[-1:]))}, {wanted}")
        if sentence in sentences[: i - 1]:
            raise WeightsError(f"{place}, sentence {i}", f"{shown(' '.join(sentence))} stands twice")
    return sentences


def _expect(found, vocabulary: tuple[str, ...]) -> tuple[Expect, ...]:
    if not isinstance(found, list):
        raise WeightsError("expect", f"{kind(found)}, expected [[expect]] tables")
    entries = []
    for row, table in enumerate(found, start=1):
        if not isinstance(table, dict):
            raise WeightsError(f"expect, entry {row}", f"{kind(table)}, expected a table")
        try:
            _check_keys(table, "expect")
            sentence = tuple(_string(table["sentence"], "expect.sentence").split())
            attends = _attends(table.get("attends", []), sentence)
            entries.append(Expect(sentence, _word(table["next"], "expect.next", vocabulary), attends))
        except WeightsError as error:
            raise WeightsError(f"{error.place}, entry {row}", error.message) from None
    return tuple(entries)


def _attends(found, sentence: tuple[str, ...]) -> tuple[str, ...]:
    """A word of the sentence, or a list of some."""
    words = [found] if isinstance(found, str) else found
    if not isinstance(words, list):
        raise WeightsError("expect.attends", f"{kind(found)}, expected a word of the sentence or a list of some")
    written = []
    for word in words:
        same = spelling.same_word(_string(word, "expect.attends"), sentence)
        if same is None:
            raise WeightsError("expect.attends", f"{shown(word)} is not in the sentence{nearest(word, sentence)}")
        written.append(same)
    return tuple(dict.fromkeys(written))


def _word(found, place: str, vocabulary: tuple[str, ...]) -> str:
    word = _string(found, place)
    known = {spelling.composed(entry): entry for entry in vocabulary}.get(spelling.composed(word))
    if known is None:
        raise WeightsError(place, f"{shown(word)} is not in the vocabulary{nearest(word, vocabulary)}")
    return known


def _string(found, place: str) -> str:
    if not isinstance(found, str):
        raise WeightsError(place, f"{kind(found)}, expected text")
    return found


def _angle(view: dict | None, key: str, limit: float) -> float | None:
    if view is None or key not in view:
        return None
    angle = matrices.number(view[key], f"view.{key}")
    if abs(angle) > limit:
        raise WeightsError(f"view.{key}", f"{angle:g} is out of range, expected -{limit} to {limit} degrees")
    return angle


def dumps(model: Model, comment: str = "") -> str:
    """`model` as the text of a TOML weights file; `read` gives the same model back.

    Numbers are written in the shortest form that reads back as the same 64-bit float; `comment` goes on top.
    """
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines.append(f"format = {_quoted(FORMAT)}")
    if model.title:
        lines.append(f"title = {_quoted(model.title)}")
    lines += ["", "[model]", f"vocabulary = [{', '.join(map(_quoted, model.vocabulary))}]"]
    lines.append(f'mask = "{"causal" if model.causal else "none"}"')
    given = {name: getattr(model, name) for name in PARAMETERS if model.d_model}  # none where they are to be found
    lines += ["", "[parameters]"] if given else []
    for name, value in given.items():
        if value is not None:
            lines += _matrix_lines(name, value.tolist())
    if model.story:
        lines += ["", "[story]", f"sentence = {_quoted(' '.join(model.story.sentence))}"]
        if model.story.origin is not None:
            lines += [f"from = {_quoted(model.story.origin)}", f"to = {_quoted(model.story.target)}"]
        if model.story.contrast:
            lines += ["contrast = [", *(f"    {_quoted(' '.join(one))}," for one in model.story.contrast), "]"]
    for entry in model.expect:
        lines += ["", "[[expect]]", f"sentence = {_quoted(' '.join(entry.sentence))}", f"next = {_quoted(entry.next)}"]
        if entry.attends:
            words = ", ".join(map(_quoted, entry.attends))
            lines.append(f"attends = {words if len(entry.attends) == 1 else f'[{words}]'}")
    angles = [(key, getattr(model, key)) for key in KEYS["view"] if getattr(model, key) is not None]
    if angles:
        lines += ["", "[view]", *(f"{key} = {value!r}" for key, value in angles)]
    return "\n".join(lines) + "\n"


def _matrix_lines(name: str, value: list) -> list[str]:
    if name == "b_out":
        return [f"{name} = [{_numbers(value)}]"]
    width = max(len(repr(number)) for row in value for number in row)
    rows = ["    [" + ", ".join(repr(number).rjust(width) for number in row) + "]," for row in value]
    return [f"{name} = [", *rows, "]"]


def _numbers(row: list[float]) -> str:
    return ", ".join(map(repr, row))


def _quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are among TOML's, but TOML also wants DEL and no surrogates."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
