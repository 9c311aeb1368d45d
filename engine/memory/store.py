"""The table memory_notes, and the claims of researches as the memory looks at them."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """A note. score: 0..1 in a search, else 0. own: of the session that asks."""

    note_id: int
    session_id: str
    text: str
    source: str = ""
    tags: tuple[str, ...] = ()
    created_at: str = ""
    score: float = 0.0
    own: bool = True


@dataclass(frozen=True, slots=True)
class KnownClaim:
    """A verified claim of a finished report. confidence and level are None where nobody judged
    it."""

    research_id: str
    claim_id: str
    text: str
    confidence: float | None
    level: str | None
    voices: int
    query: str = ""
    score: float = 0.0


def add(connection: sqlite3.Connection, note: Note) -> int:
    """Store a note; its number."""
    cursor = connection.execute(
        "INSERT INTO memory_notes (session_id, text, source, "
        "tags, created_at) VALUES (?, ?, ?, ?, ?)",
        (
            note.session_id,
            note.text,
            note.source,
            json.dumps(note.tags, ensure_ascii=False),
            note.created_at,
        ),
    )
    return int(cursor.lastrowid or 0)


def notes(connection: sqlite3.Connection, limit: int) -> list[Note]:
    """The newest notes."""
    rows = connection.execute(
        "SELECT note_id, session_id, text, source, tags, created_at FROM memory_notes "
        "ORDER BY note_id DESC LIMIT ?",
        (limit,),
    )
    return [
        Note(number, session_id, text, source, tuple(map(str, json.loads(tags))), created_at)
        for number, session_id, text, source, tags, created_at in rows
    ]


def vectors(connection: sqlite3.Connection, model: str) -> dict[int, bytes]:
    """Note -> its vector (float16), of those that have one of this model."""
    rows = connection.execute(
        "SELECT note_id, embedding FROM memory_notes WHERE model = ?", (model,)
    )
    return dict(rows.fetchall())


def put_vectors(connection: sqlite3.Connection, by_note: Mapping[int, bytes], model: str) -> None:
    """Keep the vectors of notes."""
    connection.executemany(
        "UPDATE memory_notes SET embedding = ?, model = ? WHERE note_id = ?",
        ((vector, model, note_id) for note_id, vector in by_note.items()),
    )


def remove_session(connection: sqlite3.Connection, session_id: str) -> int:
    """Delete the notes of a session with their vectors; how many."""
    return connection.execute(
        "DELETE FROM memory_notes WHERE session_id = ?", (session_id,)
    ).rowcount


def sessions(connection: sqlite3.Connection) -> list[tuple[str, int, str]]:
    """(session, number of notes, time of the newest), newest first."""
    rows = connection.execute(
        """SELECT session_id, count(*), max(created_at) FROM memory_notes GROUP BY session_id
           ORDER BY max(note_id) DESC"""
    )
    return [(str(row[0]), int(row[1]), str(row[2])) for row in rows]


def claims(connection: sqlite3.Connection, research_ids: Sequence[str]) -> list[KnownClaim]:
    """Verified claims of these researches."""
    places = ", ".join("?" * len(research_ids))
    rows = connection.execute(
        f"""SELECT research_id, claim_id, text, confidence, level, voices FROM claims
            WHERE verified = 1 AND research_id IN ({places}) ORDER BY research_id, claim_id""",
        tuple(research_ids),
    )
    return [KnownClaim(*row) for row in rows]
