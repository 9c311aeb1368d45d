"""Settings that change while an engine is open: what is in force, what is shared, what ends."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.research_engine import ResearchEngine
from tools.errors import ParseError

LETTER = b"Evening prices fell in the spring, when the batteries came."


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    (home).mkdir()
    (home / "config.toml").write_text("[embeddings]\nenabled = false\n")
    with ResearchEngine(home=home, environ={}) as engine:
        yield engine


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="descriptors are listed on Linux alone")
def test_a_save_opens_nothing_that_stays_open(engine: ResearchEngine) -> None:
    engine.upload("letter.txt", LETTER)
    engine.get_stats()
    before = descriptors()
    for number in range(10):
        engine.set_setting("research.max_sources", str(20 + number))
        engine.set_setting("http.contact", f"reader{number}@example.org")
        engine.get_stats()
        assert engine.search_library("prices")
    assert descriptors() <= before


def test_new_settings_leave_alone_what_does_not_depend_on_them(engine: ResearchEngine) -> None:
    before = engine._opened.tools
    database, library, pool, caller = before.database, before.library, before.library_pool, before.models
    engine.set_setting("research.max_sources", "20")
    now = engine._opened.tools
    assert now is not before and now.config.get("research.max_sources") == 20
    assert (now.database, now.library, now.library_pool, now.models) == (database, library, pool, caller)
    engine.set_setting("corpus.parse_seconds", "50")
    engine.set_setting("http.proxy", "http://127.0.0.1:9")
    now = engine._opened.tools
    assert now.database is database
    assert now.library is not library and now.library_pool is not pool and now.models is not caller


def test_work_that_began_under_other_settings_goes_on_and_ends_with_the_engine(engine: ResearchEngine) -> None:
    before = engine._opened.tools
    assert before.library.add_bytes("letter.txt", LETTER).status == "indexed"
    engine.set_setting("corpus.parse_seconds", "50")
    assert engine.library()
    assert before.library.add_bytes("second.txt", LETTER + b" All of them.").status == "indexed"
    assert {one.name for one in engine.library()} == {"letter.txt", "second.txt"}
    engine.close()
    with pytest.raises(ParseError, match="closed"):
        before.library_pool.parse(LETTER, name="third.txt")
