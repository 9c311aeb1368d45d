"""corpus.db that was deleted, and zorora.db that is a folder: said by everybody, and mended by what
they offer."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.answers import OK, PROBLEM, RunOptions
from engine.maintenance import lost_index
from engine.research_engine import ResearchEngine
from tests.web_app import web_app
from tools.errors import StorageError
from ui.terminal.main import main

TEXT = "# Storage\n\nBatteries lowered the winter evening price by 9% in 2024.\n"
SETTINGS = {"embeddings.enabled": False}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a research over a document, and another document in its folder; to be copied."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "storage.md").write_text(TEXT)
    options = RunOptions(
        sources=("local",), depth=1, docs=(str(folder / "storage.md"),), clarify=False
    )
    with ResearchEngine(home=folder / "home", environ={}, overrides=SETTINGS) as engine:
        engine.run("How did batteries change evening prices?", options)
        (folder / "home" / "documents" / "letter.txt").write_text(
            "Pumped hydro did not change the price."
        )
        engine.ingest(engine.roots())
        engine.upload("own.txt", b"Prices fell in the spring.")
        assert len(engine.library()) == 3
    return folder / "home"


@pytest.fixture
def home_without_index(finished: Path, home: Path) -> Path:
    """A copy of it without its index."""
    shutil.copytree(finished, home)
    for path in home.glob("corpus.db*"):
        path.unlink()
    return home


@pytest.fixture
def engine(home_without_index: Path) -> Iterator[ResearchEngine]:
    with ResearchEngine(home=home_without_index, environ={}, overrides=SETTINGS) as engine:
        yield engine


def corpus_check(engine: ResearchEngine) -> str:
    return next(check.state for check in engine.upkeep.doctor() if check.name == "corpus")


def test_a_lost_index_is_said_until_it_is_filled_again(
    engine: ResearchEngine, home_without_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):  # also after somebody has made an empty one
        assert corpus_check(engine) == PROBLEM
        assert main(["--home", str(home_without_index), "history"]) == 0
        assert "corpus.db) was gone" in capsys.readouterr().err
        page = web_app(engine).test_client().get("/library").get_data(as_text=True)
        assert "is lost" in page and 'action="/library/refresh"' in page
        assert engine.library() == [] and (home_without_index / "corpus.db").exists()


def test_reading_again_from_the_page_brings_everything_back(
    engine: ResearchEngine, home_without_index: Path
) -> None:
    engine.library()
    client = web_app(engine).test_client()
    token = (
        client.get("/library").get_data(as_text=True).split('name="csrf" value="')[1].split('"')[0]
    )
    client.post("/library/refresh", data={"csrf": token}, headers={"Sec-Fetch-Site": "same-origin"})
    assert {document.name for document in engine.library()} == {"letter.txt", "own.txt"}
    assert engine.get_stats()["texts"] >= 3  # that of the research, too
    assert not lost_index.is_lost(engine.config.paths) and corpus_check(engine) == OK


def test_repair_reads_again_and_says_what_is_to_be_named_anew(
    engine: ResearchEngine, home_without_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--home", str(home_without_index), "repair-db"]) == 0
    output = capsys.readouterr().out
    assert "was gone" in output and "Indexed again: 2 documents." in output
    assert "Indexed again: 1 stored text of reports." in output and "zorora ingest PATH" in output
    assert {document.name for document in engine.library()} == {"letter.txt", "own.txt"}
    assert corpus_check(engine) == OK


def test_reading_some_other_file_is_not_taken_for_the_whole(
    engine: ResearchEngine, tmp_path: Path
) -> None:
    (tmp_path / "other.txt").write_text("Another text altogether.")
    engine.ingest([tmp_path / "other.txt"])
    assert corpus_check(engine) == PROBLEM


def test_no_text_is_removed_while_nobody_knows_which_documents_need_it(
    engine: ResearchEngine, home_without_index: Path
) -> None:
    (entry,) = engine.search_history()
    before = sorted((home_without_index / "research" / "snapshots").rglob("*.gz"))
    engine.delete(entry.research_id, now=True)
    assert sorted((home_without_index / "research" / "snapshots").rglob("*.gz")) == before


def test_a_new_home_and_one_whose_texts_came_by_an_import_have_lost_nothing(
    finished: Path, home: Path, tmp_path: Path
) -> None:
    with ResearchEngine(home=finished, environ={}) as engine:
        (entry,) = engine.search_history()
        record = engine.export(entry.research_id, "json", with_snapshots=True).data
    with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
        assert not lost_index.is_lost(engine.config.paths)
        engine.import_record(record)
        assert not lost_index.is_lost(engine.config.paths) and corpus_check(engine) == OK


def test_a_folder_in_place_of_the_database_is_said_with_the_way_out(
    finished: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(finished, home)
    for path in home.glob("zorora.db*"):
        path.unlink()
    (home / "zorora.db").mkdir()
    (home / "zorora.db" / "something").write_text("kept")
    assert main(["--home", str(home), "history"]) == 1
    output = capsys.readouterr().err
    assert "zorora.db is damaged (it is a folder). `zorora repair-db` rebuilds it." in output
    with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
        with pytest.raises(StorageError, match="it is a folder"):
            engine.history()
        (check,) = [check for check in engine.upkeep.doctor() if check.name == "database"]
        assert check.state == PROBLEM and "it is a folder" in check.message
        assert any(
            "zorora.db was damaged (it is a folder)" in sentence
            for sentence in engine.upkeep.repair()
        )
        assert engine.history().total == 1
        assert [check for check in engine.upkeep.doctor() if check.state == PROBLEM] == []
    (aside,) = (home / "backups").glob("damaged-*zorora.db")
    assert (aside / "something").read_text() == "kept"


def test_a_folder_in_place_of_the_index_is_moved_aside_too(finished: Path, home: Path) -> None:
    shutil.copytree(finished, home)
    for path in home.glob("corpus.db*"):
        path.unlink()
    (home / "corpus.db").mkdir()
    with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
        assert corpus_check(engine) == PROBLEM
        with pytest.raises(StorageError, match="it is a folder"):
            engine.library()
        engine.upkeep.repair()
        assert {document.name for document in engine.library()} == {"letter.txt", "own.txt"}
        assert corpus_check(engine) == OK
