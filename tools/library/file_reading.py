"""Reading a file: its bytes, what the parser makes of them, the texts to keep and the chunks to
index."""

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple, Protocol

from tools.documents.model import Block, Entry, Extracted, Section
from tools.documents.snapshots import SnapshotFiles
from tools.errors import ParseError, Refused
from tools.index.index import NewChunk
from tools.library.folder_walk import FoundFile
from tools.library.store import EntryRow
from tools.open_databases import refuse_open
from tools.search.search import PreparedText
from tools.text.normalise import snapshot_text

_THREADS = 2
_BATCH, _BATCH_BYTES = 32, 128_000  # small files that are read with one message to a parser
# Batches for each thread, and bytes of all, read ahead of those that are stored
_AHEAD, _AHEAD_BYTES = 4, 8_000_000
# Files that are stored together, and seconds that the first of them waits for more
_GROUP, _PATIENCE = 256, 1.0
_TRIES = 3  # at a file that changes while it is read
_TICK = 50_000_000  # nanoseconds: two changes so near to each other may leave a file the same time
_CHANGING = (
    "The file kept changing while it was read, so nothing of it was stored. Add it again "
    "when it is finished."
)


Keep = Callable[[str], str]  # of a text, by the id that it returns
Batch = tuple[Sequence[FoundFile], Future[list["Reading | None"]] | None]


class Parser(Protocol):
    """tools.documents.parse_pool.ParsePool, or another. Safe for threads."""

    def parse(
        self, data: bytes, *, name: str = "", media_type: str | None = None, url: str = ""
    ) -> Extracted: ...

    def parse_all(self, files: Sequence[tuple[bytes, str]]) -> list[Extracted | ParseError]:
        """What `parse` makes of each of some small files (content, name), or why it makes
        nothing."""
        results: list[Extracted | ParseError] = []
        for data, name in files:
            try:
                results.append(self.parse(data, name=name))
            except ParseError as error:
                results.append(error)
        return results


class Reading(NamedTuple):
    """A file after reading. digest is empty when its bytes could not be had; problem: why there is
    no text.

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


class Reader(NamedTuple):
    """prepare: the chunks of a text (text, sections, title, blocks). indexed: those of some
    documents that are in the library as today's readers read them.

    threads: files read at once.
    """

    pool: Parser
    snapshots: SnapshotFiles
    prepare: Callable[[str, Sequence[Section], str, Sequence[Block]], list[NewChunk]]
    indexed: Callable[[Collection[str]], Collection[str]]
    threads: int = _THREADS

    def groups(
        self, files: Sequence[FoundFile], unchanged: Callable[[FoundFile], bool], max_bytes: float
    ) -> Iterator[list[tuple[FoundFile, Reading | None]]]:
        """Every file in order with its reading, None for an unchanged one, in groups to be stored
        together.

        Some are read ahead. What is read waits a moment for more, and never for a file that takes
        long.
        """
        threads = ThreadPoolExecutor(self.threads, thread_name_prefix="read")
        group: list[tuple[FoundFile, Reading | None]] = []
        until = 0.0
        try:
            for batch, future in self._read_ahead(threads, _batches(files), unchanged, max_bytes):
                if group and (len(group) >= _GROUP or not _is_read(future, until)):
                    yield group
                    group = []
                readings = future.result() if future else [None] * len(batch)
                until = until if group else time.monotonic() + _PATIENCE
                group += zip(batch, readings, strict=True)
            if group:
                yield group
        finally:
            threads.shutdown(wait=False, cancel_futures=True)

    def _read_ahead(
        self,
        threads: ThreadPoolExecutor,
        batches: Iterable[Sequence[FoundFile]],
        unchanged: Callable[[FoundFile], bool],
        max_bytes: float,
    ) -> Iterator[Batch]:
        waiting: deque[Batch] = deque()
        size = 0
        for batch in batches:
            is_new = not all(map(unchanged, batch))
            waiting.append(
                (batch, threads.submit(self._read, batch, unchanged, max_bytes) if is_new else None)
            )
            size += sum(file.size for file in batch)
            while len(waiting) > 1 and (
                len(waiting) > _AHEAD * self.threads or size > _AHEAD_BYTES
            ):
                size -= sum(file.size for file in waiting[0][0])
                yield waiting.popleft()
        yield from waiting

    def _read(
        self, batch: Sequence[FoundFile], unchanged: Callable[[FoundFile], bool], max_bytes: float
    ) -> list[Reading | None]:
        """The readings of some files, None for an unchanged one."""
        contents = [None if unchanged(file) else _content(file, max_bytes) for file in batch]
        new = [
            (content, file.name)
            for content, file in zip(contents, batch, strict=True)
            if isinstance(content, bytes)
        ]
        readings = iter(self.read(new))
        return [next(readings) if isinstance(content, bytes) else content for content in contents]

    def read(self, files: Sequence[tuple[bytes, str]]) -> list[Reading]:
        """Read (content, name) of files; never raises ParseError, the reason is in the reading."""
        readings = [Reading(hashlib.sha256(data).hexdigest(), len(data)) for data, _ in files]
        indexed = self.indexed([reading.document_id for reading in readings])
        new = [
            number for number, reading in enumerate(readings) if reading.document_id not in indexed
        ]
        results = self.pool.parse_all([files[number] for number in new]) if new else ()
        with self.snapshots.together() as keep:
            for number, extracted in zip(new, results, strict=True):
                readings[number] = self._reading(
                    extracted, readings[number], files[number][1], keep
                )
        return readings

    def _reading(
        self, extracted: Extracted | ParseError, bare: Reading, name: str, keep: Keep
    ) -> Reading:
        try:
            if isinstance(extracted, ParseError):
                raise extracted
            if not extracted.text.strip() and not extracted.entries:
                raise ParseError("There is no text in it.")
            return self._with_texts(extracted, bare, extracted.title or Path(name).stem, keep)
        except ParseError as error:
            return bare._replace(problem=str(error))

    def _with_texts(self, extracted: Extracted, bare: Reading, title: str, keep: Keep) -> Reading:
        snapshot_id = keep(extracted.text)
        if not extracted.entries:
            rows = self.prepare(extracted.text, extracted.sections, title, extracted.blocks)
            text = PreparedText(
                snapshot_id, title, "document", len(extracted.text), rows, extracted.blocks
            )
            return bare._replace(extracted=extracted, snapshot_id=snapshot_id, texts=(text,))
        pairs = [self._entry(entry, bare.document_id, keep) for entry in extracted.entries]
        texts = tuple(text for text, _ in pairs)
        entries = tuple(row for _, row in pairs)
        return bare._replace(
            extracted=extracted, snapshot_id=snapshot_id, texts=texts, entries=entries
        )

    def _entry(self, entry: Entry, document_id: str, keep: Keep) -> tuple[PreparedText, EntryRow]:
        """An entry is found by its abstract; without one by its title, which is no evidence."""
        abstract = snapshot_text(str(entry.fields.get("abstract") or "")).strip()
        text = abstract or snapshot_text(entry.title).strip() or "untitled"
        kind = "abstract" if abstract else "snippet"
        snapshot_id = keep(text)
        rows = self.prepare(text, (), entry.title, ())
        new = PreparedText(snapshot_id, entry.title, "abstract", len(text), rows)
        return new, EntryRow(
            document_id, snapshot_id, kind, entry.title, entry.url, dict(entry.fields)
        )


def _batches(files: Iterable[FoundFile]) -> Iterator[Sequence[FoundFile]]:
    """The files in order, small ones together."""
    batch: list[FoundFile] = []
    size = 0
    for file in files:
        if batch and (len(batch) >= _BATCH or size + file.size > _BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch


def _content(file: FoundFile, max_bytes: float) -> bytes | Reading:
    """The bytes of a file, or a reading that says why there are none."""
    if file.size > max_bytes:
        return Reading(problem=f"The file is larger than {max_bytes / 1e6:g} MB.")
    try:
        return _whole(file.path)
    except Refused as error:
        return Reading(problem=str(error))
    except OSError as error:
        return Reading(problem=f"The file cannot be read: {error.strerror}.")


def _whole(path: Path) -> bytes:
    """The bytes of a file as they were at one moment. Raises Refused where there is none such,
    OSError."""
    refuse_open(path)
    for _ in range(_TRIES):
        with path.open("rb", buffering=0) as file:
            before = os.fstat(file.fileno())
            data = file.read()
            after = os.fstat(file.fileno())
            is_same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
            is_recent = time.time_ns() - after.st_mtime_ns < _TICK
            if is_same and (not is_recent or (file.seek(0), file.read())[1] == data):
                return data
    raise Refused(_CHANGING)


def _is_read(future: Future[list[Reading | None]] | None, until: float) -> bool:
    """Whether files are read, or will be in time."""
    return future is None or bool(wait([future], timeout=max(0.0, until - time.monotonic())).done)
