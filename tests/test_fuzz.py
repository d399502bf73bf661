"""Whatever is done to a weights file, it is read or refused in one line, and output/ stays as it was."""

import pytest

from tests.fuzz import Trial, tampering


@pytest.mark.parametrize("cases", [200, pytest.param(1_000, marks=pytest.mark.slow)])  # make fuzz: 100,000
def test_a_file_that_was_tampered_with_is_read_or_refused(tmp_path, cases):
    trial = Trial(tmp_path)
    tampering(trial, cases)()
    assert trial.outcomes.total() >= cases
    assert trial.outcomes["refused"] > cases / 3 and trial.outcomes["read"] > cases / 50
