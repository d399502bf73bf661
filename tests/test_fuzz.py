"""Whatever is done to a weights file, it is read or refused in one line, and output/ stays as it was."""

from tests.fuzz import Trial, tampering

CASES = 1_000  # make fuzz: 100,000


def test_a_file_that_was_tampered_with_is_read_or_refused(tmp_path):
    trial = Trial(tmp_path)
    tampering(trial, CASES)()
    assert trial.outcomes.total() >= CASES
    assert trial.outcomes["refused"] > CASES / 3 and trial.outcomes["read"] > 20
