"""The one front door: documents, settings, keys, upkeep, and what remains after a deletion."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.answers import RunOptions
from engine.models import ConfigError, Filters, NotFound, Refused, StorageError
from engine.research_engine import ResearchEngine
from engine.resources import launch
from engine.settings.config import load
from tools.index.vectors import embeddings

TEXT = (
    "# Storage\n\nBatteries lowered the winter evening price by 9% in 2024.\n\nPumped hydro did "
    "not change it.\n"
)
ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A home with a finished research over one document, and the id of that; to be copied, not to
    be used."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "storage.md").write_text(TEXT)
    options = RunOptions(
        sources=("local",), depth=1, docs=(str(folder / "storage.md"),), clarify=False
    )
    with ResearchEngine(
        home=folder / "home", environ={}, overrides={"embeddings.enabled": False}
    ) as engine:
        return folder / "home", engine.run(
            "How did batteries change evening prices?", options
        ).research_id


@pytest.fixture
def researched(home: Path, finished: tuple[Path, str]) -> str:
    """The id of a finished research in the home of `engine`."""
    shutil.copytree(finished[0], home, dirs_exist_ok=True)
    return finished[1]


@pytest.mark.lab
def test_importing_loads_no_engine_and_opening_one_no_parser_no_model_and_no_network(
    tmp_path: Path,
) -> None:
    heavy = "requests pypdfium2 pylatexenc docutils numpy onnxruntime lxml flask".split()
    heavy += ["rich", "prompt_toolkit"]
    heavy += [
        f"tools.documents.parsers.{name}"
        for name in ("formats", "pdf.pages", "text.rst", "office.docx")
    ]
    code = (
        "import sys, engine; print('engine.research_engine' in sys.modules); from engine import "
        "ResearchEngine\n"
        f"with ResearchEngine(home={str(tmp_path / 'h')!r}) as e:\n"
        "    e.history(), e.jobs(), e.export_formats(), e.settings()\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.split("\n") == ["False", "[]", ""]


def test_a_home_that_cannot_be_made_is_a_sentence_and_the_doctor_still_answers(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("")
    with ResearchEngine(home=tmp_path / "file" / "home", environ={}) as engine:
        with pytest.raises(StorageError):
            engine.history()
        assert any(check.state == "problem" for check in engine.upkeep.doctor())
        assert engine.settings()


def test_a_damaged_database_is_a_sentence_and_can_be_repaired(
    home: Path, engine: ResearchEngine, researched: str
) -> None:
    engine.close()
    (home / "zorora.db").write_bytes(b"not a database" * 1000)
    with ResearchEngine(home=home, environ={}) as broken:
        with pytest.raises(StorageError, match="repair-db"):
            broken.history()
        assert broken.upkeep.repair()
        state = broken.load_research(researched)
        assert state and state.report
        assert broken.history().total == 1
        assert broken.status(researched).over


def test_documents_come_are_found_and_go(engine: ResearchEngine, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "storage.md").write_text(TEXT)
    (folder / "title.md").write_text(
        "# Batteries, batteries, batteries and their price\n\n(A draft)\n"
    )
    (folder / "empty.pdf").write_bytes(b"")
    seen = []
    report = engine.ingest([folder], lambda *progress: seen.append(progress))
    assert report.added == 2 and [name for name, _ in report.failed] == ["empty.pdf"]
    assert len(seen) == 3 and seen[-1][1:3] == (3, 3)
    uploaded = engine.upload(
        "../../etc/notes.txt",
        b"Notes: pumped hydro is slower than batteries, as one operator says.",
    )
    assert (uploaded.name, uploaded.status) == ("notes.txt", "indexed")
    assert {document.name for document in engine.library()} >= {"storage.md", "notes.txt"}
    hit = engine.search_library("BATTERY price")[0]
    assert hit.name != "title.md", "a heading over nothing comes first"
    assert "\x02Batteries\x03" in hit.text and "\x02price\x03" in hit.text
    assert engine.search_library("  ") == [] and engine.search_library("zebra xylophone") == []
    for document in engine.library():
        engine.remove_document(document.document_id)
    assert engine.library() == [] and (folder / "storage.md").exists()
    with pytest.raises(NotFound):
        engine.remove_document("nobody")


def test_a_document_that_another_program_removes_during_a_search_is_left_out(
    engine: ResearchEngine,
) -> None:
    first = engine.upload(
        "notes.txt", b"Notes: pumped hydro is slower than batteries, as one operator says."
    )
    engine.upload("more.txt", b"More: batteries got cheaper every year, as another operator says.")
    corpus = engine._opened.tools.corpus
    hits = corpus.search("batteries")
    engine.remove_document(first.document_id)
    corpus.search = lambda *args, **more: hits  # type: ignore[method-assign]
    assert [hit.name for hit in engine.search_library("batteries")] == ["more.txt"]


def test_what_is_far_in_words_and_in_meaning_is_not_found(engine: ResearchEngine) -> None:
    engine.upload(
        "notes.txt", b"Notes: pumped hydro is slower than batteries, as one operator says."
    )
    corpus = engine._opened.tools.corpus
    whole = corpus.search("batteries")[0]
    wordless = replace(whole, lexical=0.0, semantic=0.16, text="Hydro.")
    for passage, count in ((wordless, 0), (replace(wordless, semantic=0.4), 1), (whole, 1)):
        corpus.search = lambda *args, passage=passage, **more: [passage]  # type: ignore[method-assign]
        hits = engine.search_library("xyzzyqwert batteries")
        assert len(hits) == count and all(hit.worded == (passage is whole) for hit in hits)


@pytest.mark.parametrize("data", [b"", b"x" * 201_000_000])
def test_an_empty_or_endless_upload_is_refused(engine: ResearchEngine, data: bytes) -> None:
    with pytest.raises(Refused):
        engine.upload("a.txt", data)


def test_a_path_that_is_not_there_is_named(engine: ResearchEngine) -> None:
    with pytest.raises(NotFound, match="no file or folder /no/such"):
        engine.ingest(["/no/such"])
    with pytest.raises(NotFound, match="no folder"):
        engine.add_root("/no/such")
    assert engine.library() == []
    for folder, owner in (
        ("/", "the system"),
        ("/etc", "the system"),
        (engine.config.paths.home, "Zorora itself"),
    ):
        with pytest.raises(Refused, match=f"^{folder} belongs to {owner}"):
            engine.add_root(folder)
    assert len(engine.roots()) == 1


def test_records_that_stand_outside_the_home_are_no_documents(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "records"
    folder.mkdir(parents=True)
    (folder / "r1.json").write_text('{"report": "Batteries lowered the price, says a report."}')
    (tmp_path / "mine" / "note.txt").write_text("Batteries lowered the price, says a note.")
    with ResearchEngine(
        home=home, environ={}, overrides={"storage.json_path": str(folder)}
    ) as engine:
        engine.ingest([tmp_path / "mine"])
        assert [document.name for document in engine.library()] == ["note.txt"]
        with pytest.raises(Refused, match="belongs to Zorora itself"):
            engine.add_root(folder)


def test_limits_that_nothing_can_pass_begin_no_research(engine: ResearchEngine) -> None:
    for filters in (Filters(lang="klingon"), Filters(since="2025-05-01", until="2024-01-01")):
        with pytest.raises(ConfigError):
            engine.start("Do trees cool streets?", RunOptions(filters=filters))
    assert engine.jobs(over=True) == []


def test_the_size_of_chunks_and_the_model_that_reads_them_are_settings(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    overrides = {"corpus.chunk_tokens": "20", "corpus.overlap_sentences": "0",
        "embeddings.device": "cuda",
             "embeddings.model": "mine", "embeddings.path": str(home),
             "embeddings.batch": "7"}  # fmt: skip
    calls: list[object] = []
    monkeypatch.setattr(
        embeddings,
        "find",
        lambda *names, **how: calls.append((names, how)) or embeddings.Found(None),
    )
    with ResearchEngine(home=home, environ={}, overrides=overrides) as engine:
        vectors_ready = engine._opened.tools.corpus.prepare(
            "The evening price fell by nine per cent in the winter. " * 8
        )
    assert len(vectors_ready) == 8 and all(
        chunk.end - chunk.start <= 100 for chunk in vectors_ready
    )
    assert calls == [((home, "mine"), {"batch": 7, "device": "cuda"})]


def test_another_place_waits_for_the_next_start(
    engine: ResearchEngine, home: Path, tmp_path: Path
) -> None:
    """A program that goes on must not have its database here and its texts there; nor its
    workers."""
    engine.history()
    before, there = engine.config.paths, tmp_path / "elsewhere"
    engine.set_setting("storage.home", str(there))
    engine.set_setting("storage.db_path", str(tmp_path / "other.db"))
    assert engine.config.paths == before and engine.library() == [] and not there.exists()
    assert next(row for row in engine.settings() if row.name == "storage.home").next_start
    worker = launch(engine.config, {}).further
    assert load(home, environ=worker).paths == before
    assert load(home, environ={}).home == there


def test_settings_are_in_force_at_once_and_kept(
    engine: ResearchEngine, home: Path, tmp_path: Path
) -> None:
    engine.set_setting("research.depth", "3")
    assert engine.config.get("research.depth") == 3
    engine.set_setting("jobs.parallel", "5")
    assert engine._opened.jobs.parallel == 5
    engine.add_root(tmp_path)
    assert engine.roots() == [str(home / "documents"), str(tmp_path)]
    with pytest.raises(ConfigError):
        engine.set_setting("research.depth", "deep")
    assert any(row.name == "sources.openalex.enabled" for row in engine.settings())
    with ResearchEngine(home=home, environ={}) as other:
        assert other.config.get("research.depth") == 3


def test_keys_are_shown_masked_and_reach_their_client_alone(engine: ResearchEngine) -> None:
    engine.set_setting("storage.keyring", "false")
    engine.set_key("OPENALEX_API_KEY", "a-very-long-secret-key-1234")
    keys = {key.name: key for key in [*engine.keys()]}
    status = keys["OPENALEX_API_KEY"]
    assert status.origin == "file" and "secret" not in status.masked
    assert {client.name: client.has_key for client in engine.sources()}["openalex"]
    engine.set_key("OPENALEX_API_KEY", "")
    assert not any(client.has_key for client in engine.sources())


def test_a_client_that_is_switched_off_is_shown_as_such(engine: ResearchEngine) -> None:
    before = {client.name for client in engine.sources() if not client.enabled}
    engine.set_setting("sources.arxiv.enabled", "false")
    assert {client.name for client in engine.sources() if not client.enabled} - before == {"arxiv"}


def test_the_record_with_its_texts_lets_every_quote_be_checked(
    engine: ResearchEngine, researched: str
) -> None:
    record = json.loads(engine.export(researched, "json", with_snapshots=True).data)
    texts = {snapshot["snapshot_id"]: snapshot["text"] for snapshot in record["snapshots"]}
    assert record["evidence"]
    for item in record["evidence"]:
        assert texts[item["snapshot_id"]][item["start"] : item["end"]] == item["quote"]
    assert all(passage["lead"]["citations"] for passage in record["answer"]["passages"])


def test_marks_are_kept_and_unknown_researches_are_named(
    engine: ResearchEngine, researched: str
) -> None:
    engine.star(researched)
    engine.tag(researched, ("energy", "prices"))
    engine.note(researched, "Read again.")
    (entry,) = engine.search_history("batteries")
    assert entry.starred and set(entry.tags) == {"energy", "prices"} and entry.note == "Read again."
    for act in (
        lambda: engine.star("nobody"),
        lambda: engine.status("nobody"),
        lambda: engine.events("nobody"),
        lambda: engine.cancel("nobody"),
        lambda: engine.resume("nobody"),
        lambda: engine.clarify("nobody", "1"),
        lambda: engine.preview("nobody"),
        lambda: engine.export("nobody", "md"),
        lambda: engine.reader("nobody", "S1"),
        lambda: engine.status("../../etc/passwd"),
    ):
        with pytest.raises(NotFound):
            act()
    assert engine.load_research("nobody") is None


def test_deleting_for_good_leaves_the_users_documents(
    engine: ResearchEngine, researched: str, home: Path
) -> None:
    state = engine.load_research(researched)
    assert state
    engine.delete(researched)
    assert engine.history().total == 0
    engine.undelete(researched)
    engine.delete(researched, now=True)
    assert engine.load_research(researched) is None
    assert list((home / "research" / "findings").glob("*.json")) == []
    assert engine.search_library("batteries"), "the document is still in the library, with its text"
    with pytest.raises(NotFound):
        engine.events(researched)


def test_a_backup_brings_back_what_was_there(engine: ResearchEngine, researched: str) -> None:
    copy = engine.upkeep.backup()
    engine.upkeep.restore(copy)
    assert engine.load_research(researched)
    assert engine.get_stats()["research_findings"] == 1


def test_a_research_without_a_job_has_a_status_and_its_events(
    engine: ResearchEngine, researched: str
) -> None:
    engine._opened.jobs.forget(researched)
    assert engine.status(researched).over
    assert engine.events(researched)[-1].kind == "research_finished"


def test_two_engines_on_one_home_see_the_same(
    engine: ResearchEngine, researched: str, home: Path
) -> None:
    with ResearchEngine(home=home, environ={}) as other:
        other.star(researched)
        state = engine.load_research(researched)
        assert state and state.user.starred
        assert [job.research_id for job in other.jobs(over=True)] == [researched]


def test_the_key_of_the_web_sessions_is_made_once(engine: ResearchEngine, home: Path) -> None:
    assert engine.secret_key() == engine.secret_key() and len(engine.secret_key()) == 32
    with ResearchEngine(home=home, environ={}) as other:
        assert other.secret_key() == engine.secret_key()


@pytest.mark.parametrize("typed", ["?", "a", "ls", "What does /etc/passwd say?"])
def test_nothing_of_a_refused_question_is_kept_whoever_asks(
    engine: ResearchEngine, typed: str
) -> None:
    asking = engine.asking.quick
    for ask in (engine.start, engine.run, asking.search, asking.academic, asking.policy):
        with pytest.raises(Refused):
            ask(typed)
    with pytest.raises(Refused):
        engine.tools.call("deep_research", {"query": typed})
    assert engine.jobs(over=True) == [] and engine.history().entries == ()
