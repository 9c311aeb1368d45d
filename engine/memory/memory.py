"""Research memory: what was noted, and what was found before. Read by words, and by meaning where
embeddings are."""

import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from engine.answers import HistoryEntry, HistoryQuery
from engine.memory import store
from engine.memory.store import KnownClaim, Note
from engine.resources import Opened
from tools.errors import ModelError, NotFound, Refused
from tools.text.tokens import stems
from workflows.research.kinds import RecordKind

log = logging.getLogger("zorora.memory")

LONGEST = 10_000  # characters of a note
TAGS, TAG_LENGTH = 20, 60
LOOKED_AT = 5_000  # newest notes that a search looks at
EMBEDDED_AT_ONCE = 32  # notes that one search makes vectors of
RESEARCHES = 20  # whose claims are looked at
WORDS_ENOUGH = 0.34  # share of the question's words that makes a text an answer
MEANING_ENOUGH = 0.35  # cosine that does
RELATED_ENOUGH = 0.5


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the memory holds on a query. notes: of this session first. elsewhere: notes of other
    sessions that match but were not asked for."""

    query: str
    notes: tuple[Note, ...] = ()
    claims: tuple[KnownClaim, ...] = ()
    elsewhere: int = 0


class ResearchMemory:
    """The memory side of the engine. session: of this program run; what is noted belongs to it."""

    def __init__(self, opened: Opened) -> None:
        self._open = opened
        self.session = f"session_{datetime.now(UTC):%Y%m%d_%H%M%S}_{secrets.token_hex(2)}"

    def remember(self, text: str, source: str = "", tags: Sequence[str] = ()) -> Note:
        """Keep a note. Refused when it is empty or too long."""
        note_text = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ").strip()
        if not note_text:
            raise Refused("The note is empty.")
        if len(note_text) > LONGEST:
            raise Refused(f"The note has {len(note_text)} characters; at most {LONGEST} are kept.")
        clean = tuple(
            dict.fromkeys(" ".join(tag.split())[:TAG_LENGTH] for tag in tags if tag.strip())
        )[:TAGS]
        note = Note(0, self.session, note_text, source.strip()[:2000], clean, self._open.now())
        with self._open.storage.database.write() as connection:
            return replace(note, note_id=store.add(connection, note))

    def recall(self, query: str, limit: int = 10, all_sessions: bool = False) -> Recalled:
        """Notes of this session (of all with `all_sessions`, its own first) and verified claims
        that fit a query.

        Without a word in the query: the newest notes.
        """
        limit = max(1, min(limit, 100))
        rows = store.notes(self._open.storage.database.read(), LOOKED_AT)
        terms = frozenset(stems(query))
        scores = self._scores(query, terms, rows) if terms else {row.note_id: 1.0 for row in rows}
        notes = [
            replace(row, score=scores[row.note_id], own=row.session_id == self.session)
            for row in rows
            if scores[row.note_id]
        ]
        notes.sort(key=lambda note: (not note.own, -note.score, -note.note_id))
        private = [note for note in notes if note.own]
        notes_shown = (notes if all_sessions else private)[:limit]
        claims = self._claims(query, terms)[:limit] if terms else []
        return Recalled(
            query,
            tuple(notes_shown),
            tuple(claims),
            0 if all_sessions else len(notes) - len(private),
        )

    def related(self, query: str, limit: int = 3) -> list[HistoryEntry]:
        """Finished researches on a related question, the nearest first: what a new question may
        build on."""
        terms = frozenset(stems(query))
        entries = self._researches(query) if terms else []
        scored = [(_share(terms, frozenset(stems(f"{e.query} {e.title}"))), e) for e in entries]
        near = [(score, entry) for score, entry in scored if score >= RELATED_ENOUGH]
        near.sort(key=lambda pair: (-pair[0], pair[1].research_id))
        return [entry for _, entry in near[: max(0, limit)]]

    def sessions(self) -> list[tuple[str, int, str]]:
        """(session, number of its notes, time of the newest), newest first."""
        return store.sessions(self._open.storage.database.read())

    def forget_session(self, session: str) -> int:
        """Delete the notes of a session with their vectors; how many. NotFound when there are
        none."""
        with self._open.storage.database.write() as connection:
            count = store.remove_session(connection, session)
        if not count:
            raise NotFound(f"There are no notes of a session {session[:80]!r}.")
        return count

    def _scores(self, query: str, terms: frozenset[str], rows: Sequence[Note]) -> dict[int, float]:
        """Note -> 0..1; 0 for one that is no answer."""
        meaning = self._meaning(query, rows)
        scores = {}
        for row in rows:
            words = _share(terms, frozenset(stems(f"{row.text} {' '.join(row.tags)} {row.source}")))
            cosine = meaning.get(row.note_id, 0.0)
            fits = words >= WORDS_ENOUGH or cosine >= MEANING_ENOUGH
            scores[row.note_id] = (
                round(max(words, 0.5 * words + 0.5 * cosine, cosine * 0.9), 6) if fits else 0.0
            )
        return scores

    def _meaning(self, query: str, rows: Sequence[Note]) -> dict[int, float]:
        """Note -> cosine with the query; empty without embeddings. Makes the vectors of some notes
        that have none."""
        embedder = self._open.tools.embedder
        if embedder is None or not rows:
            return {}
        import numpy as np

        stored = store.vectors(self._open.storage.database.read(), embedder.model)
        new = [row for row in rows if row.note_id not in stored][:EMBEDDED_AT_ONCE]
        try:
            (query_vector,) = embedder.embed([query], queries=True)
            vectors = embedder.embed([row.text for row in new])
        except ModelError as error:
            log.warning("%s", error)
            return {}
        packed = zip(new, np.asarray(vectors, dtype="<f2"), strict=True)
        new_vectors = {row.note_id: vector.tobytes() for row, vector in packed}
        if new_vectors:
            with self._open.storage.database.write() as connection:
                store.put_vectors(connection, new_vectors, embedder.model)
        by_id = stored | new_vectors
        matrix = (
            np.frombuffer(b"".join(by_id.values()), dtype="<f2")
            .reshape(len(by_id), -1)
            .astype(np.float32)
        )
        return {
            note_id: round(float(cosine), 6)
            for note_id, cosine in zip(by_id, matrix @ query_vector, strict=True)
        }

    def _claims(self, query: str, terms: frozenset[str]) -> list[KnownClaim]:
        entries = {entry.research_id: entry for entry in self._researches(query)}
        rows = store.claims(self._open.storage.database.read(), list(entries)) if entries else []
        scored = [(_share(terms, frozenset(stems(row.text))), row) for row in rows]
        claims = [
            replace(row, query=entries[row.research_id].query, score=score)
            for score, row in scored
            if score >= WORDS_ENOUGH
        ]
        return sorted(
            claims,
            key=lambda claim: (
                -claim.score,
                -(claim.confidence or 0.0),
                claim.research_id,
                claim.claim_id,
            ),
        )

    def _researches(self, query: str) -> list[HistoryEntry]:
        """Kept researches whose texts fit, best first."""
        reports_about = HistoryQuery(
            text=query, limit=RESEARCHES, sort="best", kind=RecordKind.RESEARCH
        )
        return list(self._open.storage.history(reports_about).entries)


def _share(terms: frozenset[str], words: frozenset[str]) -> float:
    """Which share of the wanted words is there."""
    return round(len(terms & words) / len(terms), 6) if terms else 0.0
