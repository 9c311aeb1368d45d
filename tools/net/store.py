"""The tables of corpus.db that the network needs: kept answers, fetches, the pace of hosts, how
clients fared."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tools.database import Database

# Expired answers serve runs without a network, and a 304 may confirm them; of large ones the text
# is kept elsewhere
KEEP_EXPIRED, KEEP_EXPIRED_LARGE = 30 * 86400.0, 7 * 86400.0
LARGE = 300_000  # bytes
LARGEST_KEPT = 8_000_000  # bytes; a larger body is read once and lives on as its snapshot
# a host booked further ahead than this was booked by a clock that has since been set back
_JUMP = 3600.0


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept answer. cache_id is the handle a user may name; times are seconds since 1970."""

    key: str
    url: str
    final_url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    stored_at: float
    expires_at: float

    @property
    def cache_id(self) -> str:
        return self.key[:16]

    def fresh(self, now: float) -> bool:
        """Whether it may be used without asking; never when it comes from the future."""
        return self.stored_at <= now + 60 and now < self.expires_at


@dataclass(frozen=True, slots=True)
class KeptEntry:
    """A kept answer in a list, without its body."""

    cache_id: str
    url: str
    status: int
    size: int
    stored_at: float
    expires_at: float


@dataclass(frozen=True, slots=True)
class FetchRecord:
    """One finished attempt to read a source. fetched_at: ISO time; at: the same as seconds since
    1970.

    metadata: what is needed to answer again without fetching (title, sections, pages, links ...).
    """

    source_id: str
    run_id: str
    url: str
    fetched_at: str
    at: float
    media_type: str | None = None
    extractor: str | None = None
    raw_sha256: str | None = None
    snapshot_id: str | None = None
    problem: str | None = None
    reason: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClientRecord:
    """How a client fared: failures in a row, and when it last answered and failed (0 = never)."""

    name: str
    failures: int = 0
    answered_at: float = 0.0
    failed_at: float = 0.0
    problem: str | None = None


class _Store:
    """What the stores below share: one corpus.db."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def _first(self, sql: str, *values: object) -> Any:
        """The first row of a query; None when there is none."""
        return self._database.read().execute(sql, values).fetchone()


class CacheStore(_Store):
    """Kept answers by request key."""

    def get(self, key: str) -> Kept | None:
        """The answer to this request, fresh or not."""
        row = self._first("SELECT * FROM http_cache WHERE key = ?", key)
        return _read_entry(row) if row else None

    def put(self, response: Kept) -> None:
        """Keep an answer, in place of an older one; a body above LARGEST_KEPT is not kept."""
        if len(response.body) > LARGEST_KEPT:
            return
        values = (
            response.key,
            response.url,
            response.final_url,
            response.status,
            json.dumps(dict(response.headers)),
            zlib.compress(response.body, 1),
            len(response.body),
            response.headers.get("etag"),
            response.headers.get("last-modified"),
            response.stored_at,
            response.expires_at,
        )
        self._database.execute(
            f"INSERT OR REPLACE INTO http_cache VALUES ({','.join('?' * 11)})", values
        )

    def confirm(self, key: str, stored_at: float, expires_at: float) -> None:
        """The service said that the kept answer still holds."""
        self._database.execute(
            "UPDATE http_cache SET stored_at = ?, expires_at = ? WHERE key = ?",
            (stored_at, expires_at, key),
        )

    def purge(self, now: float) -> int:
        """Drop what expired a month ago, large answers after a week. Returns the number dropped."""
        return self._database.execute(
            "DELETE FROM http_cache WHERE expires_at < CASE WHEN size > ? THEN ? ELSE ? END",
            (LARGE, now - KEEP_EXPIRED_LARGE, now - KEEP_EXPIRED),
        ).rowcount

    def clear(self, older_than: float | None = None) -> int:
        """Drop everything, or what was stored before `older_than`. Returns the number dropped."""
        return self._database.execute(
            "DELETE FROM http_cache WHERE ?1 IS NULL OR stored_at < ?1", (older_than,)
        ).rowcount

    def entries(self, limit: int = 100) -> list[KeptEntry]:
        """Kept answers, newest first."""
        rows = self._database.read().execute(
            """SELECT substr(key, 1, 16) AS cache_id, url, status, size, stored_at, expires_at
               FROM http_cache ORDER BY stored_at DESC, key LIMIT ?""",
            (limit,),
        )
        return [KeptEntry(**dict(row)) for row in rows]

    def entry(self, cache_id: str) -> Kept | None:
        """The answer with this handle."""
        row = self._first("SELECT * FROM http_cache WHERE substr(key, 1, 16) = ?", cache_id)
        return _read_entry(row) if row else None


class HostStore(_Store):
    """When a host may be asked next. Turns are taken under the write lock, so threads and processes
    share one pace."""

    def take(self, host: str, now: float, until: float) -> float:
        """Seconds to wait for this host; 0.0 means that the turn is taken, and no other starts
        before `until`."""
        if wait := self.wait_seconds(host, now):
            return wait
        with self._database.write() as connection:
            if wait := self.wait_seconds(host, now):  # another thread or process was faster
                return wait
            connection.execute(
                "INSERT INTO hosts (host, next_at) VALUES (?, ?) ON "
                "CONFLICT (host) DO UPDATE SET next_at = ?2",
                (host, until),
            )
        return 0.0

    def sent(self, host: str, taken_until: float, until: float) -> None:
        """The request of a taken turn has left: the next may start at `until`, unless the host
        asked for more time."""
        self._database.execute(
            "UPDATE hosts SET next_at = ? WHERE host = ? AND next_at = ?",
            (until, host, taken_until),
        )

    def hold(self, host: str, until: float) -> None:
        """Nobody asks this host before `until` (it named a time)."""
        self._database.execute(
            """INSERT INTO hosts (host, next_at) VALUES (?, ?)
               ON CONFLICT (host) DO UPDATE SET next_at = max(next_at, ?2)""",
            (host, until),
        )

    def wait_seconds(self, host: str, now: float) -> float:
        """Seconds until the host may be asked."""
        return self._seconds_until("next_at", host, now)

    def cooling(self, host: str, now: float) -> float:
        """Seconds for which the host is left alone because it kept refusing; 0 when it may be
        asked."""
        return self._seconds_until("cool_until", host, now)

    def _seconds_until(self, column: str, host: str, now: float) -> float:
        row = self._first(f"SELECT {column} FROM hosts WHERE host = ?", host)
        seconds = float(row[0]) - now if row else 0.0
        return seconds if 0.0 < seconds <= _JUMP else 0.0

    def refused(self, host: str, now: float, seconds: float | None) -> None:
        """The host refused for good. It rests for what it asked for, else 1, 2, 4 ... at most 15
        minutes."""
        with self._database.write() as connection:
            row = self._first("SELECT refusals FROM hosts WHERE host = ?", host)
            refusals = (int(row["refusals"]) if row else 0) + 1
            longer_each_time = min(60.0 * 2 ** (min(refusals, 9) - 1), 900.0)
            rest = longer_each_time if seconds is None else min(seconds, _JUMP)
            connection.execute(
                """INSERT INTO hosts (host, cool_until, refusals) VALUES (?, ?, ?)
                   ON CONFLICT (host) DO UPDATE SET cool_until = ?2, refusals = ?3""",
                (host, now + rest, refusals),
            )

    def answered(self, host: str) -> None:
        """The host answers again."""
        row = self._first("SELECT refusals FROM hosts WHERE host = ?", host)
        if row and row["refusals"]:
            self._database.execute(
                "UPDATE hosts SET refusals = 0, cool_until = 0 WHERE host = ?", (host,)
            )


class ClientStore(_Store):
    """How the source clients fared, over all runs."""

    def get(self, name: str) -> ClientRecord:
        row = self._first("SELECT * FROM source_clients WHERE name = ?", name)
        return ClientRecord(**dict(row)) if row else ClientRecord(name)

    def all(self) -> dict[str, ClientRecord]:
        """Every client that was ever asked."""
        rows = self._database.read().execute("SELECT * FROM source_clients ORDER BY name")
        return {row["name"]: ClientRecord(**dict(row)) for row in rows}

    def answered(self, name: str, now: float) -> None:
        self._database.execute(
            """INSERT INTO source_clients (name, answered_at) VALUES (?1, ?2)
               ON CONFLICT (name) DO UPDATE SET failures = 0, answered_at = ?2, problem = NULL""",
            (name, now),
        )

    def failed(self, name: str, now: float, problem: str, counts: bool = True) -> None:
        """The client gave no answer. counts: False when it was not by itself (no other answered
        either)."""
        self._database.execute(
            """INSERT INTO source_clients (name, failures, failed_at, problem)
               VALUES (?1, ?2, ?3, ?4) ON CONFLICT (name)
               DO UPDATE SET failures = failures + ?2, failed_at = ?3, problem = ?4""",
            (name, int(counts), now, problem),
        )

    def forgive(self, name: str) -> None:
        """Forget the failures in a row: the user wants it asked now."""
        self._database.execute("UPDATE source_clients SET failures = 0 WHERE name = ?", (name,))

    def other_answered(self, name: str, since: float) -> bool:
        """Whether any other client answered since then: the network as a whole is up."""
        query = "SELECT 1 FROM source_clients WHERE name <> ? AND answered_at >= ? LIMIT 1"
        return self._first(query, name, since) is not None


class FetchStore(_Store):
    """Finished fetches, so that none is made twice."""

    def add(self, record: FetchRecord) -> None:
        """Remember a finished fetch; durable when this returns."""
        self._database.execute(
            """INSERT INTO fetches
                   (source_id, run_id, url, fetched_at, at, media_type, extractor, raw_sha256,
                    snapshot_id, problem, reason, metadata)
               VALUES (?,?,?,?,?,?,?,?,?,?,?,?)""",
            (
                record.source_id,
                record.run_id,
                record.url,
                record.fetched_at,
                record.at,
                record.media_type,
                record.extractor,
                record.raw_sha256,
                record.snapshot_id,
                record.problem,
                record.reason,
                json.dumps(record.metadata, ensure_ascii=False),
            ),
        )

    def of_run(self, source_id: str, run_id: str) -> FetchRecord | None:
        """The latest fetch of a source in one run, good or failed."""
        return self._newest_fetch("source_id = ? AND run_id = ?", source_id, run_id)

    def latest_good(self, source_id: str, since: float) -> FetchRecord | None:
        """The latest fetch of a source in any run since then that gave a text."""
        return self._newest_fetch(
            "source_id = ? AND at >= ? AND snapshot_id IS NOT NULL", source_id, since
        )

    def move(self, run_id: str, source_id: str, to: str) -> None:
        """Of one run: two sources turned out to be one work; its fetches go under the id it keeps.

        The id it keeps must find its own good text first: where it has one, older rows stay behind
        it.
        """
        responses = self.of_run(to, run_id)
        self._database.execute(
            "UPDATE fetches SET source_id = ? WHERE source_id = ? AND run_id = ?",
            (to, source_id, run_id),
        )
        latest = self.of_run(to, run_id)
        if responses and responses.snapshot_id and latest and not latest.snapshot_id:
            self.add(responses)

    def of_snapshot(self, snapshot_id: str) -> FetchRecord | None:
        """The latest fetch that gave a text: its address, title, sections and links."""
        return self._newest_fetch("snapshot_id = ?", snapshot_id)

    def snapshot_ids(self) -> set[str]:
        """Every snapshot that a fetch refers to."""
        rows = self._database.read().execute(
            "SELECT DISTINCT snapshot_id FROM fetches WHERE snapshot_id IS NOT NULL"
        )
        return {row["snapshot_id"] for row in rows}

    def remove_run(self, run_id: str) -> int:
        """Forget the fetches of a run that was deleted for good."""
        return self._database.execute("DELETE FROM fetches WHERE run_id = ?", (run_id,)).rowcount

    def _newest_fetch(self, where: str, *values: object) -> FetchRecord | None:
        row = self._first(f"SELECT * FROM fetches WHERE {where} ORDER BY id DESC LIMIT 1", *values)
        if row is None:
            return None
        fields = {name: row[name] for name in row.keys() if name not in ("id", "metadata")}  # noqa: SIM118
        return FetchRecord(**fields, metadata=json.loads(row["metadata"]))


class NetStore:
    """The four of them over one corpus.db."""

    def __init__(self, database: Database) -> None:
        self.cache = CacheStore(database)
        self.hosts = HostStore(database)
        self.clients = ClientStore(database)
        self.fetches = FetchStore(database)


def _read_entry(row: Any) -> Kept | None:
    try:
        body = zlib.decompress(row["body"])
    except zlib.error:
        return None  # a damaged row is as good as none: the index can be rebuilt
    return Kept(
        row["key"],
        row["url"],
        row["final_url"],
        row["status"],
        json.loads(row["headers"]),
        body,
        row["stored_at"],
        row["expires_at"],
    )
