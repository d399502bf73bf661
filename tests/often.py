"""Which of many alike cases stand in `make test`; `make test-all` has each of them."""

from collections.abc import Iterable

import pytest

OFTEN = {"symbols"}  # of the weights files in tests/cases/good


def some(cases: Iterable, every: int = 4) -> list:
    """One case in `every` for `make test`, the others for `make test-all`."""
    return [pytest.param(case, marks=pytest.mark.slow if i % every else ()) for i, case in enumerate(cases)]
