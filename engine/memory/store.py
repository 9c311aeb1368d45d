"""The table memory_notes, and the claims of researches as the memory looks at them."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A note as it is stored. vector: float16 bytes of the model `model`, None until one was
    made."""

    note_id: int
    session_id: str
    text: str
    source: str
    tags: tuple[str, ...]
    created_at: str
    vector: bytes | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A verified claim of a finished research."""

    research_id: str
    claim_id: str
    text: str
    confidence: float | None
    level: str | None
    voices: int


def add(connection: sqlite3.Connection, row: Row) -> int:
    """Store a note; its number."""
    cursor = connection.execute(
        "INSERT INTO memory_notes (session_id, text, source, "
        "tags, created_at) VALUES (?, ?, ?, ?, ?)",
        (
            row.session_id,
            row.text,
            row.source,
            json.dumps(row.tags, ensure_ascii=False),
            row.created_at,
        ),
    )
    return int(cursor.lastrowid or 0)


def notes(connection: sqlite3.Connection, session_id: str | None, limit: int) -> list[Row]:
    """The newest notes of a session, or of all."""
    where, values = ("WHERE session_id = ?", (session_id,)) if session_id is not None else ("", ())
    rows = connection.execute(
        f"SELECT * FROM memory_notes {where} ORDER BY note_id DESC LIMIT ?", (*values, limit)
    )
    return [_row(row) for row in rows]


def put_vector(connection: sqlite3.Connection, note_id: int, vector: bytes, model: str) -> None:
    """Keep the vector of a note."""
    connection.execute(
        "UPDATE memory_notes SET embedding = ?, model = ? WHERE note_id = ?",
        (vector, model, note_id),
    )


def remove_note(connection: sqlite3.Connection, note_id: int) -> bool:
    """Delete one note with its vector; whether it was there."""
    return connection.execute("DELETE FROM memory_notes WHERE note_id = ?", (note_id,)).rowcount > 0


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


def claims(connection: sqlite3.Connection, research_ids: Sequence[str]) -> list[ClaimRow]:
    """Verified claims of these researches."""
    places = ", ".join("?" * len(research_ids))
    rows = connection.execute(
        f"""SELECT research_id, claim_id, text, confidence, level, voices FROM claims
            WHERE verified = 1 AND research_id IN ({places}) ORDER BY research_id, claim_id""",
        tuple(research_ids),
    )
    return [ClaimRow(*(row[name] for name in ClaimRow.__dataclass_fields__)) for row in rows]


def _row(row: sqlite3.Row) -> Row:
    tags = tuple(str(tag) for tag in json.loads(row["tags"]))
    first = (row["note_id"], row["session_id"], row["text"], row["source"])
    return Row(*first, tags, row["created_at"], row["embedding"], row["model"])
