"""data, sources and cache, with the real engine and services that answer or fail."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.standin import Reply, Standin, serve
from benchmarks.standin_services import mount
from tests.engine.test_data_update import JOURNALS, retractions
from ui.terminal.main import main

Zorora = Callable[..., tuple[int, str, str]]


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        yield running


@pytest.fixture
def zorora(home: Path, server: Standin, capfd: pytest.CaptureFixture[str]) -> Zorora:
    """Run a command on a home whose clients ask the stand-in: (status, printed, said)."""
    home.mkdir(mode=0o700)
    tables: dict[str, list[str]] = {}
    for name, value in mount(server).settings.items():
        section, _, key = name.rpartition(".")
        tables.setdefault(section, []).append(f"{key} = {json.dumps(value)}")
    lines = (line for section, rows in tables.items() for line in (f"[{section}]", *rows))
    (home / "config.toml").write_text("\n".join(lines) + "\n", "utf-8")

    def run(*words: str) -> tuple[int, str, str]:
        status = main(["--home", str(home), *words])
        return (status, *capfd.readouterr())

    return run


def test_lists_are_shown_loaded_and_removed(zorora: Zorora, tmp_path: Path) -> None:
    status, out, err = zorora("data")
    assert status == 0 and out.count("\n") == 5 and "zorora data update" in err
    good, bad = tmp_path / "r.csv", tmp_path / "j.csv"
    good.write_bytes(retractions(4) + b"1,2,3\r\n")
    bad.write_text("<html>")
    status, out, err = zorora("data", "update", "--retractions", str(good), "--journals", str(bad))
    assert status == 3  # some of them
    assert "Retraction Watch: 4 rows" in out and "1 rows could not be used" in out
    assert "DOAJ was not updated." in err and "lacks the columns" in err
    bad.write_text(JOURNALS)
    assert zorora("data", "update", "--journals", str(bad), "--json")[0] == 0
    shown = json.loads(zorora("data", "--json")[1])
    assert {row["name"]: row["rows"] for row in shown if row["rows"]} == {
        "DOAJ": 1,
        "Retraction Watch": 4,
    }
    assert zorora("data", "remove", "DOAJ")[0] == 0
    status, _, err = zorora("data", "remove", "DOAJ")
    assert status == 1 and "No list called 'DOAJ' is loaded." in err
    assert zorora("data", "update", "--journals", str(tmp_path / "none"))[0] == 1
    assert zorora("data", "--force")[0] == 2


def test_sources_tell_their_key_limits_and_how_they_fared(zorora: Zorora) -> None:
    rows = {line.split("\t")[0]: line.split("\t") for line in zorora("sources")[1].splitlines()}
    assert rows["arxiv"][3:6] == ["on", "no", "3/6/10 a report"]
    assert rows["openalex"][4] == "optional"
    sources = {row["name"]: row for row in json.loads(zorora("sources", "--json")[1])}
    assert sources["openalex"]["host"].startswith("127.0.0.1:") and sources["openalex"][
        "budget"
    ] == [3, 6, 10]


def test_a_live_check_asks_past_the_cache_and_past_a_rest(zorora: Zorora, server: Standin) -> None:
    names = ("openalex", "arxiv")
    for _ in range(2):
        status, out, _ = zorora("sources", "--check", *names)
        rows = {line.split("\t")[0]: line.split("\t") for line in out.splitlines()}
        assert status == 0 and rows["openalex"][1] == "ok" and "hits" in rows["openalex"][-1]
    request_count = sum(request.path.startswith("/openalex") for request in server.requests)
    assert request_count == 2
    server.on("/arxiv/query", Reply(b"no", 400))
    for _ in range(4):
        status, out, _ = zorora("sources", "--check", *names)
        assert status == 1 and "failed" in out and "openalex\tok" in out
    assert sum(request.path.startswith("/arxiv") for request in server.requests) == 6
    assert "did not" in zorora("sources")[1] or "skipped" in zorora("sources")[1]
    assert "There is no source called 'gogle'" in zorora("sources", "--check", "gogle")[2]
    assert zorora("sources", "openalex")[0] == 2


@pytest.mark.lab
def test_kept_answers_are_listed_shown_and_dropped(zorora: Zorora) -> None:
    words = (
        "research",
        "How does caffeine affect sleep?",
        "--depth",
        "1",
        "--sources",
        "academic",
        "--lean",
    )
    assert zorora(*words)[0] in (0, 3)
    lines = zorora("cache")[1].splitlines()
    assert len(lines) >= 3
    cache_id = next(line for line in lines if "/openalex/" in line).split("\t")[0]
    status, out, err = zorora("cache", "show", cache_id)
    assert status == 0 and '"results"' in out and "/openalex/works" in err
    assert json.loads(zorora("cache", "show", cache_id, "--json")[1])["cache_id"] == cache_id
    assert zorora("cache", "show", "feedfeedfeedfeed")[0] == 1
    assert zorora("cache", "show")[0] == zorora("cache", "--older-than", "3")[0] == 2
    assert zorora("cache", "clear", "--older-than", "soon")[0] == 2
    assert "0 cached answers" in zorora("cache", "clear", "--older-than", "1")[2]
    assert zorora("cache", "clear")[0] == 0
    assert zorora("cache", "list")[1] == ""
