"""Fixtures of the fault laboratory, and the table it prints."""

import pytest

from tests.lab.faults import Faults

FAULTS = pytest.StashKey[Faults]()


@pytest.fixture(scope="session")
def faults(pytestconfig: pytest.Config) -> Faults:
    """Where a test counts what was survived."""
    return pytestconfig.stash.setdefault(FAULTS, Faults())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The table of faults, under the results."""
    found = config.stash.get(FAULTS, None)
    if found and found.counts:
        terminalreporter.section("faults survived")
        for line in found.lines():
            terminalreporter.write_line(line)
