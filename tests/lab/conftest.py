"""A home with one finished research, made once for the whole laboratory; each module works on a
copy of it."""

from pathlib import Path

import pytest

from tests.lab.places import LONGEST, QUESTION, Place


@pytest.fixture(scope="session")
def researched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a place with a finished research. To be copied, never changed."""
    place = Place(tmp_path_factory.mktemp("researched"))
    place.home.mkdir()
    (place.home / "config.toml").write_text("[embeddings]\nenabled = false\n")
    words = (
        "research",
        QUESTION,
        "--docs",
        place.papers(),
        "--sources",
        "local",
        "--depth",
        "1",
        "--json",
    )
    assert place.program(*words).wait(LONGEST) == 0
    return place.folder
