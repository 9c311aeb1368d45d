"""Reading a file: its bytes, what the parser makes of them, the texts to keep and the chunks to index."""

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tools.documents.model import Block, Entry, Extracted, Section
from tools.documents.snapshots import SnapshotFiles
from tools.errors import ParseError, Refused
from tools.index.store import NewChunk
from tools.library.folder_walk import FoundFile
from tools.library.store import EntryRow
from tools.open_databases import refuse_open
from tools.search.search import PreparedText
from tools.text.normalise import snapshot_text

_THREADS = 2
_AHEAD, _AHEAD_BYTES = 12, 8_000_000  # files for each thread, and bytes of all, read ahead of those that are stored
_GROUP, _PATIENCE = 64, 0.25  # files that are stored together, and seconds that the first of them waits for more
_TRIES = 3  # at a file that changes while it is read
_TICK = 50_000_000  # nanoseconds: two changes so near to each other may leave a file the same time
_CHANGING = "The file kept changing while it was read, so nothing of it was stored. Add it again when it is finished."


class Parser(Protocol):
    """tools.documents.parse_pool.ParsePool, or a fake. Safe for threads."""

    def parse(self, data: bytes, *, name: str = "", media_type: str | None = None, url: str = "") -> Extracted: ...


@dataclass(frozen=True, slots=True)
class Reading:
    """A file after reading. digest is empty when its bytes could not be had; problem: why there is no text.

    Neither extracted nor problem: the content is already in the library.
    """

    digest: str = ""
    size: int = 0
    extracted: Extracted | None = None
    problem: str | None = None
    snapshot_id: str | None = None
    texts: tuple[PreparedText, ...] = ()
    entries: tuple[EntryRow, ...] = ()

    @property
    def document_id(self) -> str:
        return self.digest[:16]


@dataclass(frozen=True, slots=True)
class Reader:
    """prepare: the chunks of a text (text, sections, title, blocks). indexed: whether a document is in the library.

    threads: files read at once.
    """

    pool: Parser
    snapshots: SnapshotFiles
    prepare: Callable[[str, Sequence[Section], str, Sequence[Block]], list[NewChunk]]
    indexed: Callable[[str], bool]
    threads: int = _THREADS

    def groups(
        self, files: Sequence[FoundFile], unchanged: Callable[[FoundFile], bool], max_bytes: float
    ) -> Iterator[list[tuple[FoundFile, Reading | None]]]:
        """Every file in order with its reading, None for an unchanged one, in groups to be stored together.

        Some are read ahead. What is read waits a moment for more, and never for a file that takes long.
        """
        threads = ThreadPoolExecutor(self.threads, thread_name_prefix="read")
        group: list[tuple[FoundFile, Reading | None]] = []
        until = 0.0
        try:
            for file, future in self._read_ahead(threads, files, unchanged, max_bytes):
                if group and (len(group) >= _GROUP or not _is_read(future, until)):
                    yield group
                    group = []
                group.append((file, future.result() if future else None))
                until = until if len(group) > 1 else time.monotonic() + _PATIENCE
            if group:
                yield group
        finally:
            threads.shutdown(wait=False, cancel_futures=True)

    def _read_ahead(
        self,
        threads: ThreadPoolExecutor,
        files: Sequence[FoundFile],
        unchanged: Callable[[FoundFile], bool],
        max_bytes: float,
    ) -> Iterator[tuple[FoundFile, Future[Reading] | None]]:
        waiting: deque[tuple[FoundFile, Future[Reading] | None]] = deque()
        size = 0
        for file in files:
            waiting.append((file, None if unchanged(file) else threads.submit(self.file, file, max_bytes)))
            size += file.size
            while len(waiting) > 1 and (len(waiting) > _AHEAD * self.threads or size > _AHEAD_BYTES):
                size -= waiting[0][0].size
                yield waiting.popleft()
        yield from waiting

    def file(self, file: FoundFile, max_bytes: float) -> Reading:
        """Read one file; never raises ParseError, the reason is in the reading."""
        if file.size > max_bytes:
            return Reading(problem=f"The file is larger than {max_bytes / 1e6:g} MB.")
        try:
            data = _whole(file.path)
        except Refused as error:
            return Reading(problem=str(error))
        except OSError as error:
            return Reading(problem=f"The file cannot be read: {error.strerror}.")
        return self.data(data, file.name)

    def data(self, data: bytes, name: str) -> Reading:
        """Read bytes under a name; see `file`."""
        digest = hashlib.sha256(data).hexdigest()
        if self.indexed(digest[:16]):
            return Reading(digest, len(data))
        try:
            extracted = self.pool.parse(data, name=name)
            if not extracted.text.strip() and not extracted.entries:
                raise ParseError("There is no text in it.")
            return self._with_texts(extracted, digest, len(data), extracted.title or Path(name).stem)
        except ParseError as error:
            return Reading(digest, len(data), problem=str(error))

    def _with_texts(self, extracted: Extracted, digest: str, size: int, title: str) -> Reading:
        snapshot_id = self.snapshots.put(extracted.text)
        if not extracted.entries:
            rows = self.prepare(extracted.text, extracted.sections, title, extracted.blocks)
            text = PreparedText(snapshot_id, title, "document", len(extracted.text), rows, extracted.blocks)
            return Reading(digest, size, extracted, None, snapshot_id, (text,))
        pairs = [self._entry(entry, digest[:16]) for entry in extracted.entries]
        texts = tuple(text for text, _ in pairs)
        return Reading(digest, size, extracted, None, snapshot_id, texts, tuple(row for _, row in pairs))

    def _entry(self, entry: Entry, document_id: str) -> tuple[PreparedText, EntryRow]:
        """An entry is found by its abstract; without one by its title, which is no evidence."""
        abstract = snapshot_text(str(entry.fields.get("abstract") or "")).strip()
        text = abstract or snapshot_text(entry.title).strip() or "untitled"
        kind = "abstract" if abstract else "snippet"
        snapshot_id = self.snapshots.put(text)
        rows = self.prepare(text, (), entry.title, ())
        new = PreparedText(snapshot_id, entry.title, "abstract", len(text), rows)
        return new, EntryRow(document_id, snapshot_id, kind, entry.title, entry.url, dict(entry.fields))


def _whole(path: Path) -> bytes:
    """The bytes of a file as they were at one moment. Raises Refused where there is none such, OSError."""
    refuse_open(path)
    for _ in range(_TRIES):
        with path.open("rb") as file:
            before = os.fstat(file.fileno())
            data = file.read()
            after = os.fstat(file.fileno())
            is_same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
            is_recent = time.time_ns() - after.st_mtime_ns < _TICK
            if is_same and (not is_recent or (file.seek(0), file.read())[1] == data):
                return data
    raise Refused(_CHANGING)


def _is_read(future: Future[Reading] | None, until: float) -> bool:
    """Whether a file is read, or will be in time."""
    return future is None or bool(wait([future], timeout=max(0.0, until - time.monotonic())).done)
