"""For all tests: time that passes says nothing on a busy machine; and which cases wait for `make test-all`."""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.often import OFTEN

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

HERE = Path(__file__).parent
GOOD = {file.stem for file in (HERE / "cases" / "good").glob("*.toml")}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: len(item.path.relative_to(HERE).parts))  # what goes through make first: few, and long
    for item in items:
        cases = getattr(item, "callspec", None) and item.callspec.params.values()
        if cases and {name_of(case) for case in cases} & (GOOD - OFTEN):
            item.add_marker(pytest.mark.slow)


def name_of(case) -> str:
    """The weights file that a test's case is, where it is one."""
    return case.stem if isinstance(case, Path) else case if isinstance(case, str) else ""
