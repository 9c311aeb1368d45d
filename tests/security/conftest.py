"""What the security laboratory counts: one row for each promise, printed at the end of a run of the lab."""

from collections.abc import Callable

import pytest

TABLE = pytest.StashKey[list[tuple[str, int, int]]]()


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Callable[[str, int, int], None]:
    """Add a row: what was tried, how often, how often something got through."""
    rows = request.config.stash.setdefault(TABLE, [])

    def add(what: str, tried: int, through: int) -> None:
        rows.append((what, tried, through))

    return add


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The security table."""
    rows = config.stash.get(TABLE, [])
    if rows:
        terminalreporter.section("security")
        for what, tried, through in rows:  # in the order of the tests: "the same ..." goes on from the row above
            terminalreporter.write_line(f"{what:<74} {tried:>7} tried {through:>4} got through")
