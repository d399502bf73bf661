"""Everything that is said of a subject, checked: see tests.attn.truths."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from attn.build.subjects import tells
from attn.core.forward import Trace
from attn.lab.lookup import Lookup
from attn.picture import richtext
from attn.texts.phrases import Texts
from tests.attn import truths_b, truths_story
from tests.attn.told import Told
from tests.attn.truths import DIGITS, problems


def check(said: Iterable[str], subject: Trace | Lookup, stage: str = "") -> None:
    """Every text is true of the subject of a picture that shows the prediction at `stage`."""
    if isinstance(subject, Lookup):
        told, truths, always = truths_b.Looked(subject), truths_b.LOOKUP, truths_b.LOOKUP_ALWAYS
    elif tells(subject.model) == "sentence":
        told, truths, always = told_of(subject), truths_b.SENTENCE, truths_b.SENTENCE_ALWAYS
    else:
        told, truths, always = told_of(subject), truths_story.STORY, truths_story.ALWAYS
        told.stage = stage
    assert not [found for text in said for found in problems(text, told, truths, always)]


told_of = lru_cache(2)(Told)  # tests of one subject follow each other


def texts(said: Texts) -> list[str]:
    """The texts of an asset: words of the model in quotation marks, letters without what stands below them."""
    told = (richtext.spoken(tuple(run for run in runs if not run.script)) for runs in (said.does, said.outcome))
    return [said.title, *told, said.caption, said.alt]


def labels(pieces: Iterable[tuple[str, str | None]], said: Texts, subject: Trace | Lookup) -> str:
    """What is written in a picture, (text, path) in order, beside its texts, words of the model and numbers."""
    pieces = [(text, path, "".join(text.split())) for text, path in pieces]
    whole, taken = "".join(bare for *_, bare in pieces), set()
    for told in (said.title, richtext.plain(said.does), richtext.plain(said.outcome)):
        bare = "".join(told.split())
        start = whole.find(bare) if bare else -1
        taken |= set(range(start, start + len(bare))) if start >= 0 else set()
    names = {"side"}  # which stands beside its word
    if isinstance(subject, Trace):
        names |= {*subject.model.vocabulary, *subject.tokens}
    found, at = [], 0
    for text, path, bare in pieces:
        number = path is not None or re.fullmatch(DIGITS, bare)  # these are compared with the trace by other laws
        if not number and text.strip() not in names and not (bare and at in taken):
            found.append(text.strip())
        at += len(bare)
    return " ".join(found)
