"""What the security laboratory counts: one row for each promise, printed at the end of a run of the
lab."""

from collections.abc import Callable

import pytest


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Callable[[str, int, int], None]:
    """Add a row: what was tried, how often, how often something got through."""

    def add(what: str, tried: int, through: int) -> None:
        request.node.user_properties.append(("security", (what, tried, through)))

    return add
