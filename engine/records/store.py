"""SQL of the researches: rows of one record, its marks, who cites whom. Every function is one step
of a transaction."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from engine.records import indexing
from engine.records.files import Fingerprint
from tools.sources.source import Credibility, Source
from workflows.research.model import Check
from workflows.research.state import Claim, ResearchState, RunConfig, UserMarks

BINNED = "binned"  # the word in the column state of history_text


@dataclass(frozen=True, slots=True)
class RecordRow:
    """What the database knows of one record. has_report: a report without a title counts as
    none."""

    number: int
    research_id: str
    file_path: str
    status: str
    has_report: bool
    fingerprint: Fingerprint


def find_row(connection: sqlite3.Connection, research_id: str) -> RecordRow | None:
    """The row of one research."""
    row = connection.execute(_ROW + " WHERE research_id = ?", (research_id,)).fetchone()
    return _to_row(row) if row else None


def all_rows(connection: sqlite3.Connection) -> list[RecordRow]:
    """The rows of all researches, oldest first."""
    return [_to_row(row) for row in connection.execute(_ROW + " ORDER BY number")]


# Of a record that was gone when its research was marked: no file looks like this
MARKED = Fingerprint("", -1, 0)
_ROW = (
    "SELECT number, research_id, file_path, status, title <> '', record_sha256, record_size, "
    "record_mtime FROM research_findings"
)


def _to_row(row: sqlite3.Row) -> RecordRow:
    number, research_id, file_path, status, has_report, *fingerprint = row
    return RecordRow(
        number, research_id, file_path, status, bool(has_report), Fingerprint(*fingerprint)
    )


def marks(connection: sqlite3.Connection, research_id: str) -> UserMarks | None:
    """What the user said about a research; None when it is unknown."""
    row = connection.execute(
        "SELECT number, note, starred, deleted_at, checks FROM research_findings JOIN marks USING "
        "(number)"
        " WHERE research_id = ?",
        (research_id,),
    ).fetchone()
    if row is None:
        return None
    tags = connection.execute(
        "SELECT tag FROM tags WHERE number = ? ORDER BY tag", (row["number"],)
    )
    checks = tuple(Check(**check) for check in json.loads(row["checks"]))
    return UserMarks(
        bool(row["starred"]), tuple(tag for (tag,) in tags), row["note"], row["deleted_at"], checks
    )


def put_record(
    connection: sqlite3.Connection, state: ResearchState, file_path: str, fingerprint: Fingerprint
) -> None:
    """All rows of one record, in place of those that were there."""
    before = find_row(connection, state.research_id)
    number = before.number if before else _free_number(connection, indexing.number_of(state))
    if before:
        _empty(connection, before)
    _put_finding(connection, number, state, file_path, fingerprint)
    put_marks(connection, number, state)
    connection.executemany(
        f"INSERT INTO sources VALUES ({_places(14)})", indexing.source_rows(state)
    )
    connection.executemany("INSERT INTO citations VALUES (?, ?, ?)", indexing.citation_rows(state))
    connection.executemany(f"INSERT INTO claims VALUES ({_places(9)})", indexing.claim_rows(state))
    snapshots = ((state.research_id, snapshot_id) for snapshot_id in indexing.snapshot_ids(state))
    connection.executemany("INSERT INTO research_snapshots VALUES (?, ?)", snapshots)


def put_marks(connection: sqlite3.Connection, number: int, state: ResearchState) -> None:
    """The marks of a research and its searched text, which contains tags and note."""
    user = state.user
    connection.execute(
        "INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?, ?, ?)",
        (number, state.status, round(state.quality.overall_confidence or 0.0, 6),
            indexing.source_types(state),
         int(user.starred), indexing.binned_at(user)),
    )  # fmt: skip
    _put_note_and_tags(connection, number, user)
    connection.execute("DELETE FROM history_text WHERE rowid = ?", (number,))
    connection.execute(
        "INSERT INTO history_text (rowid, query, tags, note, report, claims, sources, forms, "
        "state)"
        f" VALUES ({_places(9)})",
        (number, *indexing.texts(state), BINNED if indexing.binned_at(user) else ""),
    )


def put_marks_alone(connection: sqlite3.Connection, number: int, user: UserMarks) -> None:
    """Marks of a research whose record is gone: the rest of its rows stays, and so do these when it
    comes back."""
    connection.execute(
        "UPDATE marks SET starred = ?, deleted_at = ? WHERE number = ?",
        (int(user.starred), user.deleted_at, number),
    )
    _put_note_and_tags(connection, number, user)
    connection.execute(
        "UPDATE history_text SET tags = ?, note = ?, state = ? WHERE rowid = ?",
        (", ".join(user.tags), user.note, BINNED if user.deleted_at else "", number),
    )
    put_fingerprint(connection, number, MARKED)


def _put_note_and_tags(connection: sqlite3.Connection, number: int, user: UserMarks) -> None:
    connection.execute(
        "UPDATE research_findings SET note = ?, checks = ? WHERE number = ?",
        (user.note, _checks(user), number),
    )
    connection.execute("DELETE FROM tags WHERE number = ?", (number,))
    connection.executemany(
        "INSERT OR IGNORE INTO tags VALUES (?, ?)", ((number, tag) for tag in user.tags)
    )


def _checks(user: UserMarks) -> str:
    return json.dumps([asdict(check) for check in user.checks], ensure_ascii=False)


def marked(
    connection: sqlite3.Connection, row: RecordRow | None, state: ResearchState
) -> ResearchState:
    """The research of a record, with the marks that were put on it while the record was gone."""
    user = marks(connection, row.research_id) if row and row.fingerprint == MARKED else None
    return replace(state, user=user) if user else state


def put_fingerprint(connection: sqlite3.Connection, number: int, fingerprint: Fingerprint) -> None:
    """What the record's file looks like now."""
    connection.execute(
        "UPDATE research_findings SET record_sha256 = ?, record_size "
        "= ?, record_mtime = ? WHERE number = ?",
        (fingerprint.sha256, fingerprint.size, fingerprint.mtime, number),
    )


def remove(connection: sqlite3.Connection, research_id: str) -> list[str]:
    """Delete every row of a research; the snapshot ids that no other research refers to."""
    row = find_row(connection, research_id)
    if row is None:
        return []
    alone = connection.execute(
        "SELECT snapshot_id FROM research_snapshots AS own WHERE research_id = ? AND NOT EXISTS"
        " (SELECT 1 FROM research_snapshots AS other"
        " WHERE other.snapshot_id = own.snapshot_id AND other.research_id <> own.research_id)"
        " ORDER BY snapshot_id",
        (research_id,),
    ).fetchall()
    _empty(connection, row)
    return [snapshot_id for (snapshot_id,) in alone]


def snapshots_of(connection: sqlite3.Connection, research_id: str) -> list[str]:
    """The snapshots that a research refers to, in order."""
    sql = "SELECT snapshot_id FROM research_snapshots WHERE research_id = ? ORDER BY snapshot_id"
    return [snapshot_id for (snapshot_id,) in connection.execute(sql, (research_id,))]


def snapshots_in_use(connection: sqlite3.Connection) -> set[str]:
    """Every snapshot that a research refers to, those in the bin included."""
    return {
        snapshot_id
        for (snapshot_id,) in connection.execute(
            "SELECT DISTINCT snapshot_id FROM research_snapshots"
        )
    }


def beginning(connection: sqlite3.Connection, start: str, limit: int) -> list[tuple[str, str]]:
    """(id, question) of kept researches whose id begins so: newest first, or, with a beginning, by
    id from the last."""
    # Each by an index of its own, so that only the rows shown are read
    where, values = (
        ("research_id >= ? AND research_id < ? AND", (start, start + "\U0010ffff"))
        if start
        else ("", ())
    )
    rows = connection.execute(
        f"SELECT research_id, query FROM research_findings JOIN marks USING (number) WHERE {where} "
        "deleted_at IS NULL"
        f" ORDER BY {'research_id' if start else 'number'} DESC LIMIT ?",
        (*values, limit),
    )
    return [(str(row[0]), str(row[1])) for row in rows]


def finding(connection: sqlite3.Connection, research_id: str) -> dict[str, Any]:
    """The public columns of a research for other programs."""
    row = connection.execute(
        "SELECT * FROM research_findings WHERE research_id = ?", (research_id,)
    ).fetchone()
    names = ("synthesis", "file_path", "total_sources", "max_depth", "title", "revision")
    return {name: row[name] for name in names} if row else {}


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """How many rows of each kind there are."""
    tables = ("research_findings", "sources", "citations", "claims", "memory_notes")
    result = {
        name: int(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0])
        for name in tables
    }
    for name, condition in (
        ("starred", "starred = 1 AND deleted_at IS NULL"),
        ("in_bin", "deleted_at IS NOT NULL"),
    ):
        result[name] = int(
            connection.execute(f"SELECT count(*) FROM marks WHERE {condition}").fetchone()[0]
        )
    pages, size = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "page_size")
    )
    return {**result, "bytes": pages * size}


def remains(connection: sqlite3.Connection, research_id: str) -> ResearchState | None:
    """What the database alone knows of a research: question, beginning of the synthesis, sources,
    claims, citations."""
    row = connection.execute(
        "SELECT f.*, m.confidence FROM research_findings AS f JOIN marks AS m USING (number) WHERE "
        "research_id = ?",
        (research_id,),
    ).fetchone()
    if row is None:
        return None
    sources = connection.execute(
        "SELECT * FROM sources WHERE research_id = ? ORDER BY rowid", (research_id,)
    )
    claims = connection.execute(
        "SELECT * FROM claims WHERE research_id = ? ORDER BY claim_id", (research_id,)
    )
    graph: dict[str, tuple[str, ...]] = {}
    for source_id, cited_ids in connection.execute(
        "SELECT source_id, cites_source_id FROM citations WHERE research_id = ?", (research_id,)
    ):
        graph[source_id] = (*graph.get(source_id, ()), cited_ids)
    return ResearchState(
        original_query=row["query"],
        research_id=research_id,
        revision=row["revision"],
        status=row["status"],
        ended_by=row["ended_by"],
        started_at=row["created_at"],
        completed_at=row["completed_at"],
        config=RunConfig(depth=row["max_depth"]),
        sources=tuple(_source(source) for source in sources),
        claims=tuple(
            Claim(
                claim["claim_id"],
                claim["text"],
                section=claim["section"],
                verified=bool(claim["verified"]),
                confidence=claim["confidence"],
                level=claim["level"],
                independent_sources=claim["voices"],
                supporting_sources=tuple(json.loads(claim["sources"])),
            )
            for claim in claims
        ),
        citation_graph=graph,
        synthesis=row["synthesis"],
        user=marks(connection, research_id) or UserMarks(),
    )


def _source(row: Mapping[str, Any]) -> Source:
    score, category = row["credibility_score"], row["credibility_category"]
    return Source(
        row["source_id"], row["url"], row["title"],
        authors=tuple(json.loads(row["authors"])),
        published=row["published"],
        source_type=row["source_type"],
        doi=row["doi"],
        venue=row["venue"],
        tag=row["tag"],
        rejected=row["rejected"],
        snapshot_id=row["snapshot_id"],
        credibility=None if score is None else Credibility(score, category or "", score),
    )  # fmt: skip


def _put_finding(
    connection: sqlite3.Connection,
    number: int,
    state: ResearchState,
    file_path: str,
    fingerprint: Fingerprint,
) -> None:
    values = {
        "number": number,
        "research_id": state.research_id,
        "query": state.original_query,
        "created_at": indexing.created_at(state),
        "completed_at": state.completed_at,
        "synthesis": state.synthesis[: indexing.SYNTHESIS_LENGTH],
        "file_path": file_path,
        "total_sources": len(state.sources),
        "max_depth": state.config.depth,
        "status": state.status,
        "ended_by": state.ended_by,
        "revision": state.revision,
        "title": state.report.title if state.report else "",
        "summary": indexing.summary(state),
        "note": state.user.note,
        "checks": _checks(state.user),
        "kind": state.kind,
        "record_sha256": fingerprint.sha256,
        "record_size": fingerprint.size,
        "record_mtime": fingerprint.mtime,
    }
    names = ", ".join(values)
    sql = f"INSERT INTO research_findings ({names}) VALUES ({_places(len(values))})"
    connection.execute(sql, indexing.cleaned(values.values()))


def _empty(connection: sqlite3.Connection, row: RecordRow) -> None:
    connection.execute("DELETE FROM history_text WHERE rowid = ?", (row.number,))
    # Everything else follows by ON DELETE CASCADE
    connection.execute("DELETE FROM research_findings WHERE number = ?", (row.number,))


def _free_number(connection: sqlite3.Connection, preferred: int) -> int:
    """The wanted number, or the first free one after it."""
    sql = "SELECT 1 FROM research_findings WHERE number = ?"
    if connection.execute(sql, (preferred,)).fetchone() is None:
        return preferred
    row = connection.execute(
        "SELECT min(number) + 1 FROM research_findings AS run WHERE number >= ? AND NOT EXISTS"
        " (SELECT 1 FROM research_findings AS next WHERE next.number = run.number + 1)",
        (preferred,),
    ).fetchone()
    return int(row[0])


def _places(count: int) -> str:
    return ", ".join("?" * count)
