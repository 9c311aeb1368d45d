"""Documents of a library together with the index of their texts: stored, replaced and dropped."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tools.documents.model import Document, Extracted
from tools.documents.parsers.versions import is_current
from tools.documents.snapshots import SnapshotFiles
from tools.library.folder_walk import FoundFile
from tools.library.ingest_outcome import ADDED, CHANGED, UNCHANGED, Tally
from tools.library.store import DocumentRow, DocumentStore, about
from tools.search.search import Corpus
from tools.sources.source import in_one_line

if TYPE_CHECKING:
    from tools.library.file_reading import Reading


class Holdings:
    """What a library holds of each file. clock, in_use: see tools.library.library.Library."""

    def __init__(
        self,
        store: DocumentStore,
        corpus: Corpus,
        snapshots: SnapshotFiles,
        clock: Callable[[], str],
        in_use: Callable[[str], bool],
    ) -> None:
        self._store, self._corpus, self._snapshots = store, corpus, snapshots
        self._clock, self._in_use = clock, in_use

    def unchanged(
        self,
        files: Sequence[FoundFile],
        keys: Mapping[Path, str],
        stored: Mapping[str, tuple[str, str]],
    ) -> set[str]:
        """The keys of files that were read as they are now by today's readers, and whose texts are
        still there."""
        unchanged = {key for file in files if _is_known(file, stored.get(key := keys[file.path]))}
        ids = {stored[key][0] for key in unchanged}
        stale = self._broken(ids) | self._outdated(ids)
        return {key for key in unchanged if stored[key][0] not in stale}

    def take(
        self,
        file: FoundFile,
        key: str,
        reading: Reading | None,
        stored: dict[str, tuple[str, str]],
        tally: Tally,
    ) -> str | None:
        """Store one reading, inside the caller's transaction; the reason when there is no text."""
        before = stored.get(key, ("", ""))[0]
        if reading is None:
            return tally.note(file, UNCHANGED, *self._as_before(before))
        replaces = before not in ("", reading.document_id)
        if reading.problem and (row := self._only_version(key, before)):
            problem = (
                f"{reading.problem} The library keeps the version read on "
                f"{row.document.added_at[:10]}."
            )
            self._store.mark(before, problem)
            return tally.note(file, "", row, problem)
        if not reading.digest:
            return tally.note(file, "", None, reading.problem)
        row, _ = self._as_before(reading.document_id)
        new = self.put(file.name, file.folder, reading, row)
        self._store.link(key, reading.document_id, file.state)
        status = (CHANGED if row else ADDED) if new else UNCHANGED
        if replaces:
            status = CHANGED
            if not self._store.files_of(before):
                self.drop(before)
        return tally.note(file, status, new or row, reading.problem)

    def _only_version(self, key: str, document_id: str) -> DocumentRow | None:
        """The document that a file was read into, where it was read well and lies in no other
        file."""
        row = self._store.row(document_id, layout=False) if document_id else None
        if row and self.whole([document_id]) and self._store.files_of(document_id) == [key]:
            return row
        return None

    def _as_before(self, document_id: str) -> tuple[DocumentRow | None, str | None]:
        """A document whose file holds it again or still, and why it has no text; no newer version
        is waiting."""
        row = self._store.row(document_id, layout=False)
        if row and row.document.problem and row.document.status == "indexed":
            self._store.mark(document_id, None)
            return row, None
        return row, row.document.problem if row else None

    def put(
        self, name: str, folder: str, reading: Reading, before: DocumentRow | None
    ) -> DocumentRow | None:
        """Store a document and index its texts, inside the caller's transaction; None when it was
        there.

        before: what is stored of the same content.
        """
        if reading.extracted is None and reading.problem is None:
            return None
        if before and before.document.status == "indexed":
            standing = self.current if reading.extracted else self.whole
            if standing({reading.document_id}):
                return None
            # A reader of today makes another text of it, or its text is gone
            self.drop(reading.document_id)
        row = _row_of(reading, name, folder, self._clock())
        self._store.put(row, reading.entries)
        for text in reading.texts:
            self._corpus.put(text)
        return row

    def forget(
        self, missing_keys: Collection[str], stored: dict[str, tuple[str, str]], tally: Tally
    ) -> None:
        """Files that are no longer in a folder: documents that lie nowhere else go with them."""
        with self._store.db.write():
            self._store.unlink(missing_keys)
            for document_id in sorted({stored[key][0] for key in missing_keys}):
                if not self._store.files_of(document_id) and self._store.row(document_id):
                    self.drop(document_id)
                    tally.dropped += 1

    def drop(self, document_id: str) -> None:
        """Delete the rows of a document, and the index of its texts where nothing else refers to
        them."""
        with self._store.db.write():
            texts = {snapshot_id for snapshot_id, _, _ in self._store.texts([document_id])}
            self._store.remove(document_id)
            for snapshot_id in sorted(texts):
                if not self._store.refers(snapshot_id) and not self._in_use(snapshot_id):
                    self._corpus.remove(snapshot_id)

    def whole(self, document_ids: Collection[str]) -> set[str]:
        """Those of some documents that are in the library, with their texts."""
        indexed = self._store.indexed(document_ids)
        return indexed - self._broken(indexed)

    def current(self, document_ids: Collection[str]) -> set[str]:
        """Those of them that were read by today's readers."""
        return self.whole(document_ids) - self._outdated(document_ids)

    def _outdated(self, document_ids: Collection[str]) -> set[str]:
        extractors = self._store.extractors(document_ids)
        return {document_id for document_id, name in extractors.items() if not is_current(name)}

    def _broken(self, document_ids: Collection[str]) -> set[str]:
        """Those of the documents of which a stored text is gone or was overwritten: they are read
        again."""
        texts = self._store.texts(document_ids) if document_ids else ()
        return {
            document_id
            for snapshot_id, document_id, _ in texts
            if not self._snapshots.begins_well(snapshot_id)
        }


def _is_known(file: FoundFile, stored: tuple[str, str] | None) -> bool:
    """stored: the document and the state of the file when it was read, None for a new one."""
    return stored is not None and stored[1] in (file.state, f"upload:{file.size}")


def _row_of(reading: Reading, name: str, folder: str, added_at: str) -> DocumentRow:
    extracted = reading.extracted or Extracted("", "", "")
    metadata = {key: _plain(value) for key, value in extracted.metadata.items()}
    document = Document(
        document_id=reading.document_id,
        name=name,
        title=in_one_line(extracted.title) or Path(name).stem or name,
        media_type=extracted.media_type,
        bytes=reading.size,
        added_at=added_at,
        status="failed" if reading.problem else "indexed",
        problem=reading.problem,
        snapshot_id=reading.snapshot_id,
        characters=len(extracted.text),
        pages=len(extracted.pages),
        sections=len(extracted.sections),
        folder=folder,
        **about(metadata),
    )
    return DocumentRow(
        document, reading.digest, extracted.extractor, metadata, extracted.pages, extracted.sections
    )


def _plain(value: object) -> object:
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else str(value)
