"""Library: the user's own documents, read into the corpus and offered as sources.

A document is named by its content (the first 16 digits of its sha256), so it keeps its id when it
is moved or renamed. Where it lies on this machine is stored and never handed out.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from tools.documents.passage import RELEVANT, Completeness
from tools.documents.snapshots import SnapshotFiles
from tools.errors import NotFound
from tools.library.store import DocumentStore
from tools.search.search import Corpus

# A search of the library reads no file and makes no source
if TYPE_CHECKING:
    from tools.documents.model import Document, Snapshot
    from tools.library.file_reading import Parser, Reader
    from tools.library.holdings import Holdings
    from tools.library.ingest_outcome import IngestReport
    from tools.library.store import DocumentRow
    from tools.library.uploads import Uploads
    from tools.sources.source import Source

Progress = Callable[[str, int, int, str | None], object]
MAX_FILE_MB = 200


class Library:
    """The documents of one corpus.

    load_parser: called with the first file; a search of the library needs no parser. clock: ISO
    8601 time, for `added_at`. uploads: where files given as bytes are kept (default:
    documents/uploads in the home that holds the snapshots). in_use: asked before a text leaves the
    index, whether a research refers to it.
    """

    def __init__(
        self,
        corpus: Corpus,
        load_parser: Callable[[], Parser],
        snapshots: SnapshotFiles,
        clock: Callable[[], str],
        *,
        uploads: Path | None = None,
        in_use: Callable[[str], bool] = lambda snapshot_id: False,
    ) -> None:
        self._corpus, self._snapshots, self._clock = corpus, snapshots, clock
        self._load_parser = load_parser
        self._upload_folder = uploads or snapshots.root.parent.parent / "documents" / "uploads"
        self._in_use = in_use
        self._store = store = DocumentStore(corpus.db)
        # Its own docstrings say what each of these does
        self.documents, self.titles, self.count = store.all, store.titles, store.count
        self.owners, self.named_texts = store.owners, store.named_texts
        self._lock = threading.Lock()
        self._last = threading.local()  # what may be quoted, for as long as nothing changes

    @cached_property
    def _uploads(self) -> Uploads:
        from tools.library.uploads import Uploads

        return Uploads(self._upload_folder)

    @cached_property
    def _holdings(self) -> Holdings:
        from tools.library.holdings import Holdings

        return Holdings(self._store, self._corpus, self._snapshots, self._clock, self._in_use)

    @cached_property
    def _reader(self) -> Reader:
        from tools.library.file_reading import Reader

        return Reader(
            self._load_parser(), self._snapshots, self._corpus.prepare, self._holdings.current
        )

    def read_by(self, parser: Parser, threads: int) -> Library:
        """The same library, with another parser that reads several files at once."""
        other = copy(self)
        other._reader = self._reader._replace(pool=parser, threads=threads)
        return other

    # bringing documents in

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        progress: Progress | None = None,
        ignore: Sequence[str] = (),
        max_file_mb: float = MAX_FILE_MB,
        home_folders: Collection[Path] = (),
    ) -> IngestReport:
        """Read files and folders; what is unchanged is left, what vanished from a folder is
        dropped.

        A file that cannot be read is reported with its reason and never ends the ingest. A few
        files are stored in one transaction: an ingest that is killed leaves whole documents only,
        and goes on where it was when run again.
        """
        from tools.library.folder_walk import folder_key, key_of, walk
        from tools.library.ingest_outcome import Tally

        with self._lock:
            folder_walk = walk(paths, ignore, home_folders)
            tally = Tally()
            tally.refuse(folder_walk.problems)
            stored = self._store.files()
            files = [self._uploads.with_upload_name(file) for file in folder_walk.files]
            keys = {file.path: key_of(file.path) for file in files}
            unchanged = self._holdings.unchanged(files, keys, stored)
            count = 0
            for group in self._reader.groups(
                files, lambda file: keys[file.path] in unchanged, max_file_mb * 1e6
            ):
                with self._store.db.write(), self._corpus.store.together():
                    problems = [
                        self._holdings.take(file, keys[file.path], reading, stored, tally)
                        for file, reading in group
                    ]
                for (file, _), problem in zip(group, problems, strict=True):
                    count += 1
                    if progress:
                        progress(file.name, count, len(files), problem)
            below = tuple(map(folder_key, folder_walk.folders))
            missing_keys = {key for key in stored if key.startswith(below)}.difference(
                keys.values()
            )
            self._holdings.forget(missing_keys, stored, tally)
            if len(unchanged) < len(files):
                self._corpus.store.tend()
        return tally.report()

    def add_bytes(self, name: str, data: bytes) -> Document:
        """Keep and read a file that came as bytes; `name` is a title and nothing else.

        A file that cannot be read comes back with status "failed" and is not kept.
        """
        from tools.library.folder_walk import display_name, key_of
        from tools.library.uploads import FOLDER

        plain = display_name(re.split(r"[/\\]", name)[-1]) or "document"
        [reading] = self._reader.read([(data, plain)])
        if reading.extracted or reading.problem:
            if reading.extracted:
                self._uploads.keep(reading.digest, plain, data)
            with self._lock, self._store.db.write():
                self._holdings.put(
                    plain, FOLDER, reading, self._store.row(reading.document_id, layout=False)
                )
                if reading.extracted:
                    path = self._uploads.path(reading.digest, plain)
                    self._store.link(key_of(path), reading.document_id, f"upload:{len(data)}")
        return self.document(reading.document_id)

    def remove(self, document_id: str) -> None:
        """Forget a document: its rows, its part of the index and, of an upload, the file. Raises
        NotFound.

        A file in a folder of the user stays where it is.
        """
        from tools.library.folder_walk import folder_key

        self._row(document_id)
        uploads = folder_key(self._uploads.root)
        files = [key for key in self._store.files_of(document_id) if key.startswith(uploads)]
        with self._lock:
            self._holdings.drop(document_id)
        for key in files:
            name = unquote_to_bytes(key.rsplit("/", 1)[-1]).decode("utf-8", "replace")
            self._uploads.remove(name)

    # looking at documents

    def passages(self) -> int:
        """How many passages can be found in the documents; a text that a research keeps is none of
        theirs."""
        return self._corpus.store.scope(
            {snapshot_id for snapshot_id, _, _ in self._store.texts()}
        ).chunks

    def document(self, document_id: str) -> Document:
        """One document. Raises NotFound."""
        return self._row(document_id).document

    def quotable(self) -> frozenset[str]:
        """Every text that may be quoted: of documents, and abstracts in bibliographies."""
        revision = self._store.db.revision()
        if getattr(self._last, "revision", None) != revision:
            self._last.texts = self._store.quotable()
            self._last.revision = revision
        texts: frozenset[str] = self._last.texts
        return texts

    def source_of_text(self, snapshot_id: str) -> tuple[Source, Snapshot] | None:
        """The source that a snapshot is the text of, a document or an entry of a bibliography, and
        its record."""
        what = {
            text: (document_id, kind) for text, document_id, kind in reversed(self._store.texts())
        }
        if snapshot_id not in what:
            return None
        source = self._source_of(snapshot_id, *what[snapshot_id])
        snapshot = self.record_of(source)
        return (source, snapshot) if snapshot else None

    def source(self, document_id: str) -> Source:
        """A document as a source. Raises NotFound."""
        from tools.library.document_sources import document_source

        return document_source(self._row(document_id))

    def record(self, document: Document) -> Snapshot:
        """The fact that a document was read. Raises NotFound when it has no text."""
        from tools.library.document_sources import document_snapshot

        row = self._row(document.document_id)
        if row.document.snapshot_id is None:
            raise NotFound(f"The document {document.title!r} has no text.")
        return document_snapshot(row)

    def record_of(self, source: Source) -> Snapshot | None:
        """The snapshot of a source that came from here: of a document, or of an entry's
        abstract."""
        if source.document_id:
            return self.record(self.document(source.document_id))
        entry = self._store.entry(source.snapshot_id) if source.snapshot_id else None
        if entry is None or entry.completeness != Completeness.ABSTRACT:
            return None
        from tools.library.document_sources import entry_snapshot

        characters = len(self._snapshots.get(entry.snapshot_id))
        return entry_snapshot(entry, self._row(entry.document_id), source, characters)

    def search_sources(
        self, query: str, limit: int, document_ids: Collection[str] | None = None
    ) -> list[Source]:
        """The documents and bibliography entries that answer a query, best first; the "local"
        client.

        The snippet is the best passage. A document's source has document_id and snapshot_id; an
        entry's has the snapshot of its abstract, or none when only its title is known.
        """
        from tools.library.document_sources import snippet

        allowed: dict[str, tuple[str, str]] = {}
        for snapshot_id, document_id, what in self._store.texts(document_ids):
            allowed.setdefault(snapshot_id, (document_id, what))
        sources: list[Source] = []
        for passage in self._corpus.search(query, limit * 2, snapshot_ids=allowed, per_snapshot=1):
            if passage.lexical > 0 or (passage.semantic or 0.0) >= RELEVANT:
                source = self._source_of(passage.snapshot_id, *allowed[passage.snapshot_id])
                if all(source.source_id != other.source_id for other in sources):
                    sources.append(replace(source, snippet=snippet(passage)))
        return sources[:limit]

    def _source_of(self, snapshot_id: str, document_id: str, what: str) -> Source:
        from tools.library.document_sources import entry_source

        entry = self._store.entry(snapshot_id) if what != "document" else None
        return entry_source(entry) if entry else self.source(document_id)

    def _row(self, document_id: str) -> DocumentRow:
        row = self._store.row(document_id)
        if row is None:
            raise NotFound(f"There is no document {document_id[:40]!r}.")
        return row
