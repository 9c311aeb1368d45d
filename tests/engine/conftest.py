"""An engine on an empty home, and a storage whose clock stands still until a test moves it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.records.storage import LocalStorage
from engine.research_engine import ResearchEngine
from tests.engine.pretend import Clock


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    """With nothing of the environment, and without search by meaning."""
    with ResearchEngine(home=home, environ={}, overrides={"embeddings.enabled": False}) as engine:
        yield engine


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def storage(tmp_path: Path, clock: Clock) -> Iterator[LocalStorage]:
    opened = LocalStorage(tmp_path / "zorora.db", clock=clock)
    yield opened
    opened.close()
