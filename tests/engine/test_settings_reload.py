"""Settings that change while an engine is open: what is in force, what is shared, what ends."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.research_engine import ResearchEngine
from engine.wiring.source_settings import client_settings
from tests.web_app import web_app
from tools.errors import ParseError
from tools.sources.registry import SOURCES as CLIENTS
from ui.terminal.main import main

SOURCES = {client.name: client for client in CLIENTS}
LETTER = b"Evening prices fell in the spring, when the batteries came."


@pytest.fixture
def engine(home: Path) -> Iterator[ResearchEngine]:
    (home).mkdir()
    (home / "config.toml").write_text("[embeddings]\nenabled = false\n")
    with ResearchEngine(home=home, environ={}) as engine:
        yield engine


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(
    not Path("/proc/self/fd").is_dir(), reason="descriptors are listed on Linux alone"
)
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
    database, library, pool, caller = (
        before.database,
        before.library,
        before.library_pool,
        before.models,
    )
    engine.set_setting("research.max_sources", "20")
    now = engine._opened.tools
    assert now is not before and now.config.get("research.max_sources") == 20
    assert (now.database, now.library, now.library_pool, now.models) == (
        database,
        library,
        pool,
        caller,
    )
    engine.set_setting("corpus.parse_seconds", "50")
    engine.set_setting("http.proxy", "http://127.0.0.1:9")
    now = engine._opened.tools
    assert now.database is database
    assert now.library is not library and now.library_pool is not pool and now.models is not caller


def test_work_that_began_under_other_settings_goes_on_and_ends_with_the_engine(
    engine: ResearchEngine,
) -> None:
    before = engine._opened.tools
    assert before.library.add_bytes("letter.txt", LETTER).status == "indexed"
    engine.set_setting("corpus.parse_seconds", "50")
    assert engine.library()
    assert before.library.add_bytes("second.txt", LETTER + b" All of them.").status == "indexed"
    assert {document.name for document in engine.library()} == {"letter.txt", "second.txt"}
    engine.close()
    with pytest.raises(ParseError, match="closed"):
        before.library_pool.parse(LETTER, name="third.txt")


def another_program(home: Path, *words: str) -> None:
    """A command, with an engine of its own."""
    assert main(["--home", str(home), *words]) == 0


def test_what_the_terminal_sets_is_in_force_at_the_next_request_of_a_server(
    engine: ResearchEngine, home: Path
) -> None:
    client = web_app(engine).test_client()
    assert client.get("/settings").status_code == 200 and engine.models.roles()[1].origin == "none"
    another_program(home, "config", "set", "sources.arxiv.enabled", "false")
    another_program(home, "models", "set", "reasoning", "http://127.0.0.1:9/v1", "thinker")
    enabled = {row["name"]: row["enabled"] for row in client.get("/api/v1/sources").json}
    assert enabled["arxiv"] is False and enabled["crossref"] is True
    roles = {row["role"]: row["model"] for row in client.get("/api/v1/models/roles").json}
    assert roles["reasoning"] == "thinker"
    assert not client_settings(
        SOURCES["arxiv"], engine._opened.tools.config
    ).enabled  # what a research works with


def test_what_the_page_sets_is_in_force_at_the_next_line_of_a_prompt(
    engine: ResearchEngine, home: Path
) -> None:
    with ResearchEngine(home=home, environ={}) as prompt:
        prompt.get_stats()
        engine.set_setting("sources.arxiv.enabled", "false")
        engine.models.set_role("reasoning", "http://127.0.0.1:9/v1", "thinker")
        engine.set_key("CORE_API_KEY", "not-a-key")
        assert not next(source for source in prompt.sources() if source.name == "arxiv").enabled
        assert (
            next(role for role in prompt.models.roles() if role.role == "reasoning").model
            == "thinker"
        )
        assert next(source for source in prompt.sources() if source.name == "core").has_key


def test_a_file_that_breaks_while_a_server_runs_takes_the_network_away_until_it_is_mended(
    engine: ResearchEngine, home: Path
) -> None:
    client = web_app(engine).test_client()
    sound = (home / "config.toml").read_text()
    assert "no network request is made" not in client.get("/").get_data(as_text=True)
    (home / "config.toml").write_text(
        sound + "[sources.arxiv\nenabled = false\n[storage]\ndb_path = 5\n"
    )
    assert "no network request is made" in client.get("/").get_data(as_text=True)
    assert (
        engine.config.offline and client.get("/history").status_code == 200
    )  # its data stays where it is
    (home / "config.toml").write_text(sound)
    assert "no network request is made" not in client.get("/").get_data(as_text=True)
    assert not engine.config.offline


def test_looking_at_the_settings_again_and_again_reads_no_file(
    engine: ResearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[str] = []
    monkeypatch.setattr(engine._opened, "_load", lambda: loads.append("again"))
    for _ in range(100):
        engine.config.get("research.depth")
    assert loads == []
