"""A picture's digest sees what was read and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from attn.core import weights
from attn.core.reading import Reading, canonical, digest
from attn.picture.drawn import picture
from tests.attn.random_models import CASES

REFERENCE = weights.load(CASES / "reference.toml")
TRACE = picture(REFERENCE)


def with_embedding(value: float):
    changed = REFERENCE.embeddings.copy()
    changed[0, 0] = value
    return picture(replace(REFERENCE, embeddings=changed))


def test_what_is_read_is_recorded_by_name():
    reading = Reading(TRACE)
    assert reading.tokens == TRACE.tokens and reading.attention is TRACE.attention
    assert reading.plane.offset == TRACE.plane.offset
    assert reading.decoder["contextual"].word == "here"
    assert {"tokens", "attention", "plane.offset", "decoder.contextual.words"} == set(reading.names)


def test_methods_and_properties_record_what_they_read():
    reading = Reading(TRACE)
    np.testing.assert_array_equal(reading.state("positioned"), TRACE.state("positioned"))
    assert set(reading.names) == {"positioned", "tokens"}
    reading = Reading(TRACE)
    np.testing.assert_array_equal(reading.view.project([1, 2, 3]), TRACE.view.project([1, 2, 3]))
    assert set(reading.names) == {"view.azimuth", "view.elevation"}


def test_a_size_is_read_without_the_numbers():
    reading = Reading(TRACE)
    assert (reading.model.d_model, reading.model.d_k, reading.model.d_v, reading.model.n_max) == (3, 2, 2, 4)
    assert set(reading.names) == {"model.d_model", "model.d_k", "model.d_v", "model.n_max"}
    assert reading.digest() == digest(with_embedding(-0.5), reading.names)
    shorter = picture(replace(REFERENCE, positions=REFERENCE.positions[:3]))
    assert reading.digest() != digest(shorter, reading.names)


def test_a_cut_through_the_proxy_is_the_cut():
    reading = Reading(TRACE)
    halves = reading.view.halves(reading.plane)
    np.testing.assert_array_equal(halves.section, TRACE.view.halves(TRACE.plane).section)
    assert {"view.low", "view.high", "plane.normal", "plane.offset"} <= set(reading.names)


def test_a_tuple_of_traces_is_read_one_by_one():
    reading = Reading(TRACE)
    assert reading.contrast[2].tokens == ("hear", "why", "you")
    assert set(reading.names) == {"contrast.#", "contrast.2.tokens"}


def test_only_what_was_read_changes_the_digest():
    names = ("attention", "tokens")
    assert digest(TRACE, names) == digest(with_embedding(-0.5), names)  # "we" is not in the sentence
    assert digest(TRACE, ("model.embeddings",)) != digest(with_embedding(-0.5), ("model.embeddings",))
    shifted = replace(REFERENCE, positions=REFERENCE.positions + 0.25)
    assert digest(TRACE, names) != digest(picture(shifted), names)


def test_the_digest_depends_on_the_names_and_not_on_their_order():
    assert digest(TRACE, ["tokens", "scores"]) == digest(TRACE, ["scores", "tokens"])
    assert digest(TRACE, ["tokens"]) != digest(TRACE, ["tokens", "scores"])
    reading = Reading(TRACE)
    _ = reading.scores, reading.tokens
    assert reading.digest() == digest(TRACE, ["scores", "tokens"])


def test_the_last_bits_do_not_count():
    nearly = replace(TRACE, attention=TRACE.attention * (1 + 1e-15))
    assert digest(nearly, ["attention"]) == digest(TRACE, ["attention"])
    assert canonical(-0.0) == canonical(0.0) and canonical(0.1) != canonical(0.1 + 1e-9)


def test_expectations_are_not_among_what_pictures_read():
    """But for the sentences that are compared where the file lists none."""
    listed = tuple(other.tokens for other in TRACE.contrast)
    other = picture(replace(REFERENCE, expect=(), story=replace(REFERENCE.story, contrast=listed)))
    names = ["attention", "view.azimuth", "view.low", "decoder.contextual.scores", "contrast.2.tokens", "distances"]
    assert digest(TRACE, names) == digest(other, names)


def test_a_trace_is_read_only():
    with pytest.raises(AttributeError, match="read only"):
        Reading(TRACE).tokens = ()
    with pytest.raises(AttributeError):
        _ = Reading(TRACE).nothing
