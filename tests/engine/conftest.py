"""A storage whose clock stands still until a test moves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.records.storage import LocalStorage
from tests.engine.pretend import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def storage(tmp_path: Path, clock: Clock) -> Iterator[LocalStorage]:
    opened = LocalStorage(tmp_path / "zorora.db", clock=clock)
    yield opened
    opened.close()
