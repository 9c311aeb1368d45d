"""Rows of the user's documents in corpus.db: what they are, where they lie, and the entries of
bibliographies."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.database import Database
from tools.documents.passage import shown_name

# A search makes none of these
if TYPE_CHECKING:
    from tools.documents.model import Document, Page, Section

# Of the metadata, as fields of a Document
_ABOUT = {"published": None, "published_from": "", "title_from": ""}


class DocumentRow(NamedTuple):
    """A document with all that is stored of it; `document` is the part that may be shown."""

    document: Document
    content_hash: str
    extractor: str
    metadata: Mapping[str, Any]
    pages: tuple[Page, ...] = ()
    sections: tuple[Section, ...] = ()


class EntryRow(NamedTuple):
    """An entry of a bibliography. completeness: abstract, or snippet when only its title is
    known."""

    document_id: str
    snapshot_id: str
    completeness: str
    title: str
    url: str
    fields: Mapping[str, Any]


class NamedText(NamedTuple):
    """A text with the document that it belongs to. name: of the file, as it is shown. published:
    ISO date, None when unknown. folder: of the file, below what was added."""

    snapshot_id: str
    document_id: str
    title: str
    name: str
    published: str | None
    authors: tuple[str, ...] = ()
    folder: str = ""


class Owner(NamedTuple):
    """A document as a search names it. name: of its file."""

    document_id: str
    name: str
    title: str


class DocumentStore:
    """Documents of one corpus.db. Join a transaction with `db.write()` to change them together with
    the index."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def put(self, row: DocumentRow, entries: Sequence[EntryRow] = ()) -> None:
        """Store a document, or replace what was stored of it."""
        d = row.document
        layout = {
            "pages": [[p.page, p.start] for p in row.pages],
            "sections": [
                [s.section_id, s.title, s.level, s.start, s.end, s.kind] for s in row.sections
            ],
        }
        values = (
            *(
                d.document_id,
                row.content_hash,
                d.name,
                d.title,
                d.folder,
                d.media_type,
                row.extractor,
                d.bytes,
            ),
            *(d.added_at, d.status, d.problem, d.snapshot_id, d.characters),
            *(json.dumps(dict(row.metadata)), json.dumps(layout)),
        )
        with self.db.write() as connection:
            connection.execute(
                "INSERT INTO documents (document_id, content_hash, name, title, folder, "
                "media_type, extractor, bytes,"
                " added_at, status, problem, snapshot_id, characters, metadata, layout)"
                f" VALUES ({', '.join('?' * len(values))}) ON CONFLICT (document_id) DO UPDATE SET"
                " title = excluded.title, media_type = excluded.media_type, extractor = "
                "excluded.extractor,"
                " status = excluded.status, problem = excluded.problem, snapshot_id = "
                "excluded.snapshot_id,"
                " characters = excluded.characters, metadata = excluded.metadata, layout = "
                "excluded.layout",
                values,
            )
            connection.execute(
                "DELETE FROM document_entries WHERE document_id = ?", (d.document_id,)
            )
            connection.executemany(
                "INSERT INTO document_entries (document_id, position, snapshot_id, completeness, "
                "source)"
                " VALUES (?, ?, ?, ?, ?)",
                [
                    (
                        *(d.document_id, at, e.snapshot_id, e.completeness),
                        json.dumps(
                            {"title": e.title, "url": e.url, "fields": dict(e.fields)},
                            default=_plain,
                        ),
                    )
                    for at, e in enumerate(entries)
                ],
            )

    def mark(self, document_id: str, problem: str | None) -> None:
        """Note why the newer version of a document could not be read; None: there is no such
        version."""
        self.db.execute(
            "UPDATE documents SET problem = ? WHERE document_id = ?", (problem, document_id)
        )

    def indexed(self, document_ids: Collection[str]) -> set[str]:
        """Those of some documents that are stored with their texts."""
        rows = self.db.read().execute(
            f"SELECT document_id FROM documents{_limited(document_ids)} AND status = 'indexed'",
            _bound(document_ids),
        )
        return {row[0] for row in rows}

    def row(self, document_id: str, layout: bool = True) -> DocumentRow | None:
        """A document; without its layout it has neither pages nor sections, which takes a third of
        the time."""
        record = (
            self.db.read()
            .execute("SELECT * FROM documents WHERE document_id = ?", (document_id,))
            .fetchone()
        )
        return _row(record, layout) if record else None

    def all(self, document_ids: Collection[str] | None = None) -> list[Document]:
        """Every document, by title and name, or those of them that are named."""
        sql = (
            "SELECT *, json_array_length(layout, '$.pages') AS page_count,"
            " json_array_length(layout, '$.sections') AS section_count, json_extract(metadata, "
            "'$.published',"
            " '$.published_from', '$.title_from') AS about FROM documents" + _limited(document_ids)
        )
        rows = self.db.read().execute(sql, _bound(document_ids))
        documents = []
        for row in rows:
            metadata = dict(zip(_ABOUT, json.loads(row["about"]), strict=True))
            documents.append(_document(row, row["page_count"], row["section_count"], metadata))
        return sorted(
            documents, key=lambda d: (d.title.casefold(), d.name.casefold(), d.document_id)
        )

    def titles(self, limit: int) -> list[tuple[str, str]]:
        """(document, title or else name) of the first documents by title that have a text."""
        rows = self.db.read().execute(
            "SELECT document_id, title, name FROM documents WHERE snapshot_id IS NOT NULL"
            " ORDER BY title COLLATE NOCASE, name, document_id LIMIT ?",
            (limit,),
        )
        return [(row[0], row[1] or row[2]) for row in rows]

    def count(self, folder: str = "") -> int:
        """How many documents there are, or lie in one folder and below it."""
        sql, values = "SELECT count(*) FROM documents", (folder, len(folder) + 1, f"{folder}/")
        if folder:
            sql += " WHERE folder = ? OR substr(folder, 1, ?) = ?"
        return int(self.db.read().execute(sql, values if folder else ()).fetchone()[0])

    def texts(self, document_ids: Collection[str] | None = None) -> list[tuple[str, str, str]]:
        """(snapshot, document, what) of every text that can be found; what: document, abstract or
        snippet."""
        documents = (
            "SELECT snapshot_id, document_id, 'document', 0 AS position FROM documents"
            + _limited(document_ids)
        )
        entries = (
            "SELECT snapshot_id, document_id, completeness, position FROM document_entries"
            + _limited(document_ids)
        )
        bound = _bound(document_ids) * 2
        rows = self.db.read().execute(
            f"{documents} UNION ALL {entries} ORDER BY document_id, position", bound
        )
        return [(row[0], row[1], row[2]) for row in rows if row[0]]

    def owners(self, snapshot_ids: Collection[str]) -> dict[str, Owner]:
        """Snapshot -> the first document that has this text, or has it as an abstract; without
        those that no document has any more."""
        some = "(SELECT value FROM json_each(?))"
        rows = self.db.read().execute(
            "SELECT o.snapshot_id, document_id, d.name, d.title FROM ("
            "SELECT snapshot_id, document_id, 0 AS position FROM documents WHERE snapshot_id IN "
            f"{some} UNION ALL"
            " SELECT snapshot_id, document_id, position FROM document_entries WHERE snapshot_id "
            f"IN {some} AND completeness <> 'snippet') o"
            " JOIN documents d USING (document_id) ORDER BY document_id DESC, position DESC",
            (json.dumps(sorted(snapshot_ids)),) * 2,
        )
        return {row[0]: Owner(*tuple(row)[1:]) for row in rows}

    def quotable(self) -> frozenset[str]:
        """Every text that may be quoted: of documents, and abstracts in bibliographies."""
        rows = self.db.read().execute(
            "SELECT snapshot_id FROM documents WHERE snapshot_id IS NOT NULL UNION"
            " SELECT snapshot_id FROM document_entries WHERE completeness <> 'snippet'"
        )
        return frozenset(row[0] for row in rows.fetchall())

    def named_texts(self, document_ids: Collection[str] | None = None) -> list[NamedText]:
        """Every text that may be quoted with what it is called: documents, then abstracts in
        bibliographies."""
        limited, bound = _limited(document_ids), _bound(document_ids)
        documents = self.db.read().execute(
            "SELECT snapshot_id, document_id, title, name, folder,"
            # When a file was made says little about when its text was published
            " CASE json_extract(metadata, '$.published_from') WHEN 'created' THEN NULL"
            " ELSE json_extract(metadata, '$.published') END AS published,"
            " json_extract(metadata, '$.authors') AS authors"
            f" FROM documents{limited} ORDER BY document_id",
            bound,
        )
        texts = [
            NamedText(row["snapshot_id"], row["document_id"], row["title"],
                      shown_name(row["name"], row["folder"]), row["published"],
                      _authors(row["authors"]), row["folder"])
            for row in documents
            if row["snapshot_id"]
        ]  # fmt: skip
        entries = self.db.read().execute(
            "SELECT snapshot_id, document_id, json_extract(source, '$.title') AS title, '' AS name,"
            " json_extract(source, '$.fields.published') AS published, completeness"
            f" FROM document_entries{limited} ORDER BY document_id, position",
            bound,
        )
        texts += [
            NamedText(*tuple(row)[:5]) for row in entries if row["completeness"] == "abstract"
        ]
        return list({text.snapshot_id: text for text in reversed(texts)}.values())[::-1]

    def entry(self, snapshot_id: str) -> EntryRow | None:
        """The first entry that has this text."""
        sql = (
            "SELECT document_id, snapshot_id, completeness, source FROM document_entries WHERE "
            "snapshot_id = ?"
        )
        row = (
            self.db.read()
            .execute(sql + " ORDER BY document_id, position LIMIT 1", (snapshot_id,))
            .fetchone()
        )
        return _entry(row) if row else None

    def remove(self, document_id: str) -> None:
        """Delete a document with its files and entries."""
        self.db.execute("DELETE FROM documents WHERE document_id = ?", (document_id,))

    def refers(self, snapshot_id: str) -> bool:
        """Whether a document or an entry has this text."""
        row = self.db.read().execute(
            "SELECT 1 FROM documents WHERE snapshot_id = ? UNION SELECT 1 FROM document_entries "
            "WHERE snapshot_id = ?",
            (snapshot_id, snapshot_id),
        )
        return row.fetchone() is not None

    # files

    def files(self) -> dict[str, tuple[str, str]]:
        """Path key -> (document, state) of every known file."""
        rows = self.db.read().execute("SELECT path, document_id, state FROM document_files")
        return {row[0]: (row[1], row[2]) for row in rows}

    def extractors(self, document_ids: Collection[str]) -> dict[str, str]:
        """What read each of some documents."""
        sql = f"SELECT document_id, extractor FROM documents{_limited(document_ids)}"
        return dict(self.db.read().execute(sql, (json.dumps(sorted(document_ids)),)).fetchall())

    def link(self, path: str, document_id: str, state: str) -> None:
        """Say that a file holds a document."""
        self.db.execute(
            "INSERT INTO document_files (path, document_id, state) VALUES (?, ?, ?)"
            " ON CONFLICT (path) DO UPDATE SET document_id = excluded.document_id, state = "
            "excluded.state",
            (path, document_id, state),
        )

    def unlink(self, paths: Collection[str]) -> None:
        """Forget files."""
        with self.db.write() as connection:
            connection.executemany(
                "DELETE FROM document_files WHERE path = ?", [(path,) for path in sorted(paths)]
            )

    def files_of(self, document_id: str) -> list[str]:
        sql = "SELECT path FROM document_files WHERE document_id = ? ORDER BY path"
        return [row[0] for row in self.db.read().execute(sql, (document_id,))]


def _authors(joined: str | None) -> tuple[str, ...]:
    names = json.loads(joined) if joined and joined.startswith("[") else [joined] if joined else []
    return tuple(str(name) for name in names)


def _limited(document_ids: Collection[str] | None) -> str:
    return "" if document_ids is None else " WHERE document_id IN (SELECT value FROM json_each(?))"


def _bound(document_ids: Collection[str] | None) -> tuple[str, ...]:
    return () if document_ids is None else (json.dumps(sorted(document_ids)),)


def _row(record: Any, with_layout: bool) -> DocumentRow:
    from tools.documents.model import Page, Section

    layout = json.loads(record["layout"]) if with_layout else {"pages": (), "sections": ()}
    pages = tuple(Page(*page) for page in layout["pages"])
    sections = tuple(Section(*section) for section in layout["sections"])
    metadata = json.loads(record["metadata"])
    document = _document(record, len(pages), len(sections), metadata)
    return DocumentRow(
        document, record["content_hash"], record["extractor"], metadata, pages, sections
    )


def about(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a Document that say when it was published and how that and its title were
    found."""
    return {key: metadata.get(key) or default for key, default in _ABOUT.items()}


def _document(record: Any, pages: int, sections: int, metadata: Mapping[str, Any]) -> Document:
    from tools.documents.model import Document

    return Document(
        document_id=record["document_id"],
        name=record["name"],
        title=record["title"],
        media_type=record["media_type"],
        bytes=record["bytes"],
        added_at=record["added_at"],
        status=record["status"],
        problem=record["problem"],
        snapshot_id=record["snapshot_id"],
        characters=record["characters"],
        pages=pages,
        sections=sections,
        folder=record["folder"],
        **about(metadata),
    )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, (tuple, set, frozenset)) else str(value)


def _entry(record: Any) -> EntryRow:
    source = json.loads(record["source"])
    return EntryRow(
        document_id=record["document_id"],
        snapshot_id=record["snapshot_id"],
        completeness=record["completeness"],
        title=source["title"],
        url=source["url"],
        fields=source["fields"],
    )
