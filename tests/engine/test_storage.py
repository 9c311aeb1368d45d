"""LocalStorage: records, marks, the bin, the sweep."""

import json
import sqlite3
import stat
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.answers import HistoryQuery
from engine.records.storage import LocalStorage
from tests.engine.pretend import AT, Clock
from tests.tables import each
from tools.documents.model import Snapshot
from tools.errors import NotFound, Refused, StorageError
from tools.sources.source import Credibility, Source
from workflows.research.model import Claim, Evidence, Quality, UserMarks
from workflows.research.report.model import Report, Sentence
from workflows.research.state import ResearchState

SNAP_A, SNAP_B, SNAP_C = ("a" * 64, "b" * 64, "c" * 64)


def research(query: str = "Do batteries help?", **more: Any) -> ResearchState:
    source = Source(
        "s1", "https://example.org/1", "On storage", credibility=Credibility(0.7, "made", 0.7)
    )
    claim = Claim(
        "C1", "Batteries help.", verified=True, confidence=0.8, supporting_sources=("s1",)
    )
    fields = {
        "status": "complete",
        "started_at": AT.isoformat(),
        "sources": (source,),
        "snapshots": (Snapshot(SNAP_A, "s1", source.url, "text/html", "", "x", "full", 9),),
        "evidence": (Evidence("E1", "s1", SNAP_A, 0, 3, "Bat", "Q1", 0.9),),
        "claims": (claim,),
        "citation_graph": {"s1": ("s9",)},
        "report": Report("Batteries", summary=(Sentence("s", "quote", "Batteries help a lot."),)),
        "synthesis": "x" * 700,
        "quality": Quality(overall_confidence=0.8),
    }
    return ResearchState(query, **{**fields, **more})


def test_a_saved_research_comes_back_unchanged(storage: LocalStorage) -> None:
    state = research()
    research_id = storage.save_research(state)
    assert research_id == "do_batteries_help_20250115_143022"
    assert storage.load_research(research_id) == replace(state, research_id=research_id)
    record = storage.record_path(research_id)
    assert record.name == "2025-01-15_do_batteries_help_143022.json"
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    assert json.loads(record.read_text())["format"] == "zorora-research/1"
    assert [path.name for path in record.parent.iterdir()] == [record.name]


def test_the_tables_are_what_other_programs_read(storage: LocalStorage, tmp_path: Path) -> None:
    research_id = storage.save_research(research())
    other = sqlite3.connect(tmp_path / "zorora.db")
    row = other.execute(
        "SELECT research_id, query, created_at, completed_at, synthesis, file_path, total_sources, "
        "max_depth"
        " FROM research_findings"
    ).fetchone()
    assert row[:4] == (research_id, "Do batteries help?", "2025-01-15T14:30:22+00:00", None)
    assert len(row[4]) == 500
    assert (tmp_path / row[5]).is_file()
    assert row[6:] == (1, 2)
    assert other.execute(
        "SELECT source_id, research_id, url, title, credibility_score, credibility_category, "
        "source_type FROM sources"
    ).fetchall() == [("s1", research_id, "https://example.org/1", "On storage", 0.7, "made", "web")]
    assert other.execute(
        "SELECT source_id, cites_source_id, research_id FROM citations"
    ).fetchall() == [("s1", "s9", research_id)]
    indexes = {
        name for (name,) in other.execute("SELECT name FROM sqlite_master WHERE type = 'index'")
    }
    assert {"idx_query", "idx_created_at", "idx_sources_research", "idx_cited_by"} <= indexes
    other.close()


def test_who_cites_a_work_is_found_across_researches_and_without_a_scan(
    storage: LocalStorage,
) -> None:
    ids = [storage.save_research(research(question)) for question in ("One", "Two")]
    query, read = (
        "SELECT research_id FROM citations WHERE cites_source_id = 's9'",
        storage.database.read(),
    )
    assert sorted(row[0] for row in read.execute(query)) == sorted(ids)
    assert any(
        "idx_cited_by" in str(row["detail"]) for row in read.execute(f"EXPLAIN QUERY PLAN {query}")
    )


def test_two_researches_of_the_same_second_do_not_overwrite_each_other(
    storage: LocalStorage,
) -> None:
    ids = [storage.save_research(research()) for _ in range(3)]
    assert ids[1:] == [f"{ids[0]}_2", f"{ids[0]}_3"]
    assert storage.stats()["sources"] == 3
    assert len(list(storage.paths.findings.iterdir())) == 3


def test_saving_again_replaces_and_keeps_what_the_user_said_meanwhile(
    storage: LocalStorage,
) -> None:
    state = replace(research(), research_id="r")
    storage.save_research(state)
    storage.star("r")
    storage.note("r", "keep me")
    storage.save_research(replace(state, revision=2, sources=()))
    loaded = storage.load_research("r")
    assert loaded is not None
    assert (loaded.revision, loaded.user.starred, loaded.user.note) == (2, True, "keep me")
    assert storage.stats()["research_findings"] == 1
    assert storage.stats()["sources"] == 0


def test_marks_stand_in_the_record_and_keep_keys_of_others(storage: LocalStorage) -> None:
    research_id = storage.save_research(research())
    path = storage.record_path(research_id)
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "later_key": [1]}))
    storage.star(research_id)
    storage.tag(research_id, [" storage ", "markets", "storage", "", "  "])
    storage.note(research_id, " line one\r\nline\x00 two ")
    record = json.loads(path.read_text())
    assert record["user"] == {
        "starred": True,
        "tags": ["markets", "storage"],
        "note": "line one\nline  two",
        "deleted_at": None,
        "checks": [],
    }
    assert record["later_key"] == [1]
    assert storage.sweep().indexed == ()
    storage.star(research_id, on=False)
    storage.tag(research_id, [])
    assert storage.history(HistoryQuery(starred=True)).total == 0
    assert storage.history(HistoryQuery()).tags == {}


@pytest.mark.parametrize("tags", [["x" * 61], [f"t{n}" for n in range(51)]])
def test_tags_that_are_too_long_or_too_many_are_refused(
    storage: LocalStorage, tags: list[str]
) -> None:
    research_id = storage.save_research(research())
    with pytest.raises(Refused, match="at most"):
        storage.tag(research_id, tags)
    with pytest.raises(Refused, match="at most"):
        storage.note(research_id, "x" * 20_001)


@each(
    "hostile", ["../x", "", "a/b", "x" * 500, "\0", "unknown", "\ud800", "a'; DROP TABLE sources;"]
)
def test_an_unknown_or_hostile_id_is_not_found(storage: LocalStorage, hostile: str) -> None:
    assert storage.load_research(hostile) is None
    assert not storage.has(hostile)
    for act in (storage.star, storage.delete, storage.undelete, storage.record_path):
        with pytest.raises(NotFound):
            act(hostile)


@pytest.mark.parametrize("hostile", ["../x", "a/b", "x" * 500, "A", "\0", ".x"])
def test_a_research_cannot_be_saved_under_a_hostile_name(
    storage: LocalStorage, hostile: str
) -> None:
    with pytest.raises(StorageError, match="cannot be the name"):
        storage.save_research(replace(research(), research_id=hostile))
    assert list(storage.paths.findings.iterdir()) == []


@pytest.mark.parametrize(
    "query",
    [
        "",
        "\0",
        "\ud800 lone",
        "'\"; --",
        "../../etc",
        "电池",
        "x" * 10_000,
        "a\x02b\x03",
        "line\nbreak",
    ],
)
def test_any_question_can_be_saved_found_and_loaded(storage: LocalStorage, query: str) -> None:
    research_id = storage.save_research(research(query, report=None, synthesis="\ud800\x02 text"))
    loaded = storage.load_research(research_id)
    assert loaded is not None
    page = storage.history(HistoryQuery(text="text"))
    assert [entry.research_id for entry in page.entries] == [research_id]
    assert page.entries[0].snippet.count("\x02") == 1


def test_a_record_that_json_cannot_hold_is_a_sentence(storage: LocalStorage) -> None:
    with pytest.raises(StorageError, match="cannot be written as a record"):
        storage.save_research(research(quality=Quality(overall_confidence=float("nan"))))
    assert storage.stats()["research_findings"] == 0


def test_the_bin_keeps_thirty_days_and_gives_back(storage: LocalStorage, clock: Clock) -> None:
    research_id = storage.save_research(research())
    storage.delete(research_id)
    assert storage.history(HistoryQuery()).total == 0
    assert storage.history(HistoryQuery(bin=True)).entries[0].deleted_at == AT.isoformat()
    assert storage.load_research(research_id) is not None
    storage.undelete(research_id)
    assert storage.history(HistoryQuery()).total == 1
    storage.delete(research_id)
    clock.at += timedelta(days=29)
    assert storage.sweep().purged == ()
    clock.at += timedelta(days=2)
    assert storage.sweep().purged == ()  # what goes was overdue a day before as well
    clock.at += timedelta(days=1)
    sweep = storage.sweep()
    assert sweep.purged == (research_id,)
    assert sweep.snapshots == (SNAP_A,)
    assert storage.load_research(research_id) is None
    assert list(storage.paths.findings.iterdir()) == []


def test_deleting_for_good_names_only_texts_that_no_other_research_quotes(
    storage: LocalStorage,
) -> None:
    def with_texts(name: str, *ids: str) -> str:
        snapshots = tuple(Snapshot(key, "s1", "", "text/html", "", "x", "full", 9) for key in ids)
        return storage.save_research(replace(research(name), snapshots=snapshots, evidence=()))

    first, second, third = (
        with_texts("One", SNAP_A, SNAP_B),
        with_texts("Two", SNAP_B),
        with_texts("Three", SNAP_C),
    )
    storage.delete(second)  # the bin counts
    assert storage.delete(first, now=True) == [SNAP_A]
    assert storage.delete(second, now=True) == [SNAP_B]
    assert storage.snapshots_in_use() == {SNAP_C}
    assert storage.delete(third, now=True) == [SNAP_C]
    counts = storage.stats()
    assert {counts[name] for name in ("research_findings", "sources", "citations", "claims")} == {0}


def test_the_sweep_reads_records_that_are_new_or_changed(storage: LocalStorage) -> None:
    research_id = storage.save_research(research())
    path = storage.record_path(research_id)
    assert storage.sweep().indexed == ()
    record = json.loads(path.read_text())
    record["user"]["starred"] = True
    path.write_text(json.dumps(record))
    record["research_id"] = "brought_along"
    (path.parent / "anything.json").write_text(json.dumps(record))
    assert set(storage.sweep().indexed) == {research_id, "brought_along"}
    assert storage.history(HistoryQuery(starred=True)).total == 2
    assert storage.sweep() == type(storage.sweep())()
    assert storage.record_path("brought_along").name == "anything.json"


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"research_id": 5}', "[]", "null", '{"research_id": "../x"}',
        '{"research_id": "x", "sources": 3}',
     '{"research_id": "y", "original_query": "q", "claims": [{"claim_id": "a"}]}', "\x00\xff",
     '{"research_id": "z"}',
     "[" * 9999],
)  # fmt: skip
def test_the_sweep_leaves_damaged_records_alone_and_names_them(
    storage: LocalStorage, text: str
) -> None:
    path = storage.paths.findings / "damaged.json"
    path.write_bytes(text.encode("latin-1"))
    sweep = storage.sweep()
    assert sweep.indexed == ()
    assert len(sweep.damaged) == 1
    assert "damaged.json" in sweep.damaged[0]
    assert path.read_bytes() == text.encode("latin-1")


def test_a_second_copy_of_a_record_is_named_and_not_used(storage: LocalStorage) -> None:
    research_id = storage.save_research(research())
    path = storage.record_path(research_id)
    path.with_name("copy.json").write_bytes(path.read_bytes() + b"\n")
    assert "second record" in storage.sweep().damaged[0]
    assert storage.record_path(research_id) == path


@pytest.mark.parametrize("content", [None, b"", b'{"research_id": "x", "sour', b"\xff\x00"])
def test_a_missing_or_damaged_record_shows_what_the_database_knows(
    storage: LocalStorage, content: bytes | None
) -> None:
    research_id = storage.save_research(research())
    path = storage.record_path(research_id)
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    state = storage.load_research(research_id)
    assert state is not None
    assert state.report is not None
    assert "is gone" in state.report.notes[0] or "is damaged" in state.report.notes[0]
    assert [source.title for source in state.sources] == ["On storage"]
    assert [claim.text for claim in state.claims] == ["Batteries help."]
    assert state.citation_graph == {"s1": ("s9",)}
    storage.star(research_id)
    storage.tag(research_id, ["later"])
    page = storage.history(HistoryQuery(text="later", starred=True))
    assert page.total == 1
    assert path.exists() == (content is not None)
    storage.delete(research_id, now=True)
    assert storage.load_research(research_id) is None


@pytest.mark.parametrize("swept", [True, False])
def test_marks_put_on_while_the_record_was_gone_stay_when_it_comes_back(
    storage: LocalStorage, swept: bool
) -> None:
    research_id = storage.save_research(research())
    storage.note(research_id, "before")
    path = storage.record_path(research_id)
    data = path.read_bytes()
    path.unlink()
    storage.note(research_id, "while it was gone")
    storage.star(research_id)
    path.write_bytes(data)
    if swept:
        assert storage.sweep().marked == (research_id,)
        assert storage.sweep().indexed == storage.sweep().marked == ()
        assert json.loads(path.read_bytes())["user"]["note"] == "while it was gone"
    state = storage.load_research(research_id)
    assert state is not None and (state.user.note, state.user.starred) == (
        "while it was gone",
        True,
    )
    storage.tag(research_id, ["later"])
    user = json.loads(path.read_bytes())["user"]
    assert (user["note"], user["starred"], user["tags"]) == ("while it was gone", True, ["later"])
    (entry,) = storage.history(HistoryQuery(starred=True)).entries
    assert (entry.note, entry.tags) == ("while it was gone", ("later",))


def test_older_records_are_read(storage: LocalStorage) -> None:
    older = {
        "research_id": "ai_trends_20240102_030405",
        "original_query": "AI trends",
        "created_at": "2024-01-02T03:04:05",
        "max_depth": 3,
        "synthesis": "**Much** happened [S1].",
        "sources": [
            {
                "source_id": "a",
                "url": "https://a.example",
                "title": "T",
                "credibility_score": 0.5,
                "cites": ["b"],
            }
        ],
    }
    (storage.paths.findings / "old.json").write_text(json.dumps(older))
    assert storage.sweep().indexed == ("ai_trends_20240102_030405",)
    entry = storage.history(HistoryQuery(text="happened")).entries[0]
    assert (entry.depth, entry.created_at, entry.total_sources) == (
        3,
        "2024-01-02T03:04:05+00:00",
        1,
    )
    assert (
        storage.database.read().execute("SELECT cites_source_id FROM citations").fetchone()[0]
        == "b"
    )


def test_a_home_that_was_moved_still_works(tmp_path: Path) -> None:
    first = LocalStorage(tmp_path / "a" / "zorora.db")
    research_id = first.save_research(research())
    first.close()
    (tmp_path / "a").rename(tmp_path / "b")
    second = LocalStorage(tmp_path / "b" / "zorora.db")
    assert second.load_research(research_id) is not None
    assert second.sweep().missing == ()
    second.close()


def test_search_research_gives_plain_mappings(storage: LocalStorage) -> None:
    older = storage.save_research(research("Wind power"))
    newer = storage.save_research(research("Solar power", started_at="2025-03-01T00:00:00+00:00"))
    assert [row["research_id"] for row in storage.search_research()] == [newer, older]
    hits = storage.search_research("wind", limit=1)
    assert hits[0]["research_id"] == older
    assert {"query", "created_at", "synthesis", "file_path", "total_sources", "max_depth"} <= set(
        hits[0]
    )
    json.dumps(hits)


def test_saving_inside_a_transaction_of_the_caller_is_part_of_it(storage: LocalStorage) -> None:
    class Stop(Exception):
        pass

    with pytest.raises(Stop), storage.database.write():
        storage.save_research(replace(research(), research_id="r"))
        raise Stop
    assert not storage.has("r")
    assert storage.sweep().indexed == ("r",)  # the record was complete, so the work is not lost


def test_marks_given_with_a_new_research_are_kept(storage: LocalStorage) -> None:
    research_id = storage.save_research(
        research(user=UserMarks(starred=True, tags=("a",), note="n"))
    )
    entry = storage.history(HistoryQuery()).entries[0]
    assert (entry.research_id, entry.starred, entry.tags, entry.note) == (
        research_id,
        True,
        ("a",),
        "n",
    )


def test_ids_are_found_by_how_they_begin(storage: LocalStorage, clock: Clock) -> None:
    first, second = storage.save_research(research("Naps")), storage.save_research(research("Tea"))
    assert [research_id for research_id, _ in storage.beginning("")] == [second, first]
    assert (
        storage.beginning("naps") == [(first, "Naps")]
        and storage.beginning("nope") == []
        and storage.beginning("%") == []
    )
    storage.delete(first)
    assert storage.beginning("naps") == []
