"""Documents and bibliography entries as sources. Nothing in here says where a file lies."""

from typing import Any
from urllib.parse import quote

from tools.documents.model import Completeness, Document, Passage, Snapshot, shown_name
from tools.library.store import DocumentRow, EntryRow
from tools.sources.source import Source, make_source
from tools.sources.source_kind import SOURCE_TYPES

_SNIPPET = 300
_OF_A_SOURCE = set(Source.__dataclass_fields__).difference(
    "source_id url title snapshot_id document_id credibility marks tag rejected hop".split()
)
_WEAKEST = "created"  # when a file was made says little about when its text was published
_LISTS = ("authors", "references", "providers", "reasons")


def address(document: Document) -> str:
    """How a document is named in a record: by its id and file name."""
    name = shown_name(document.name, document.folder)
    return f"local://{document.document_id}/{quote(name, safe='')}"


def document_source(row: DocumentRow) -> Source:
    """A document as a source of type local."""
    metadata = row.metadata
    return make_source(
        address(row.document),
        row.document.title,
        authors=_texts(metadata.get("authors")),
        published=_text(metadata.get("published"))
        if metadata.get("published_from") != _WEAKEST
        else None,
        language=_text(metadata.get("language")),
        publisher=_text(metadata.get("site")),
        doi=_text(metadata.get("doi")),
        source_type="local",
        providers=("local",),
        document_id=row.document.document_id,
        snapshot_id=row.document.snapshot_id,
    )


def entry_source(entry: EntryRow) -> Source:
    """An entry of a bibliography as the work that it names. Its abstract, when it has one, is its
    snapshot."""
    fields: dict[str, Any] = {}
    for name, value in entry.fields.items():
        if name in _OF_A_SOURCE and value:
            fields[name] = _texts(value) if name in _LISTS else value
    if fields.get("source_type") not in SOURCE_TYPES:
        fields["source_type"] = "academic"
    fields["providers"] = ("local",)
    fields["fields"] = {"bibliography": entry.document_id}
    snapshot_id = entry.snapshot_id if entry.completeness == Completeness.ABSTRACT else None
    url = entry.url or (f"https://doi.org/{fields['doi']}" if fields.get("doi") else "")
    url = url or f"local://{entry.document_id}/{entry.snapshot_id[:16]}"
    return make_source(url, entry.title, snapshot_id=snapshot_id, **fields)


def document_snapshot(row: DocumentRow) -> Snapshot:
    """The fact that a document was read; it must have a text."""
    document = row.document
    assert document.snapshot_id is not None
    return Snapshot(
        snapshot_id=document.snapshot_id,
        source_id=document_source(row).source_id,
        url=address(document),
        media_type=document.media_type,
        fetched_at=document.added_at,
        extractor=row.extractor,
        completeness="full",
        characters=document.characters,
        pages=row.pages,
        sections=row.sections,
    )


def entry_snapshot(entry: EntryRow, row: DocumentRow, source: Source, characters: int) -> Snapshot:
    """The fact that the abstract of an entry was read."""
    return Snapshot(
        snapshot_id=entry.snapshot_id,
        source_id=source.source_id,
        url=source.url,
        media_type="text/plain",
        fetched_at=row.document.added_at,
        extractor=row.extractor,
        completeness="abstract",
        characters=characters,
    )


def snippet(passage: Passage) -> str:
    """The beginning of a passage, cut at a word."""
    text = " ".join(passage.text.split())
    return text if len(text) <= _SNIPPET else text[:_SNIPPET].rsplit(" ", 1)[0] + " …"


def _text(value: object) -> str | None:
    return str(value) if value else None


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(str(item) for item in value) if isinstance(value, (list, tuple)) else ()
