"""What tools answer as JSON values beside their text, with the schema of each, for programs that
read data."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.answers import HistoryPage, JobStatus, LibraryHit
from tools.documents.model import Document
from tools.shelf.handles import handle_of
from tools.sources.combined import FoundSources

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_COUNT_OR_NULL: Schema = {"type": ["integer", "null"]}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


_FOUND = _object(
    query=_TEXT,
    sources=_list(
        _object(
            title=_TEXT, url=_TEXT, authors=_list(_TEXT), published=_TEXT_OR_NULL,
            doi=_TEXT_OR_NULL,
            venue=_TEXT_OR_NULL, cited_by_count=_COUNT_OR_NULL, open_copy=_TEXT_OR_NULL,
            extract=_TEXT,
        )
    ),
    problems=_list(_TEXT),
)  # fmt: skip
_STATUS = _object(
    research_id=_TEXT, query=_TEXT, status=_TEXT, over={"type": "boolean"}, phase=_TEXT,
    phase_number=_COUNT_OR_NULL, elapsed={"type": "number"}, position=_COUNT_OR_NULL, message=_TEXT,
    question=_TEXT_OR_NULL, problem=_TEXT_OR_NULL,
)  # fmt: skip
_CARD = _object(
    research_id=_TEXT, original_query=_TEXT, status=_TEXT, answer={"type": ["object", "null"]},
    sources=_list({"type": "object"}),
)  # fmt: skip
_HISTORY = _object(
    entries=_list(
        _object(
            research_id=_TEXT, query=_TEXT, status=_TEXT, created_at=_TEXT, total_sources=_COUNT
        )
    ),
    total=_COUNT,
)
_DOCUMENTS = _object(
    documents=_list(_object(title=_TEXT, name=_TEXT, status=_TEXT, handle=_TEXT_OR_NULL)),
    passages=_list(_object(title=_TEXT, name=_TEXT, handle=_TEXT, text=_TEXT)),
)

# The schema of what a tool answers, by its name; the others answer with text alone
OUTPUTS: Mapping[str, Schema] = {
    "academic_search": _FOUND,
    "web_search": _FOUND,
    "web_image_search": _FOUND,
    "get_newsroom_headlines": _FOUND,
    "search_documents": _DOCUMENTS,
    "search_history": _HISTORY,
    "research_status": _STATUS,
    "start_research": _STATUS,
    "get_research": _CARD,
    "deep_research": _CARD,
}


def found_sources(combined: FoundSources) -> dict[str, Any]:
    """Sources of a search."""
    sources = [
        {
            "title": source.title, "url": source.url, "authors": list(source.authors),
            "published": source.published,
            "doi": source.doi, "venue": source.venue, "cited_by_count": source.cited_by_count,
            "open_copy": source.fulltext_url,
            "extract": source.abstract or source.snippet,
        }
        for source in combined.sources
    ]  # fmt: skip
    return {"query": combined.query, "sources": sources, "problems": list(combined.problems)}


def status_of(status: JobStatus) -> dict[str, Any]:
    """The progress of a report."""
    return {name: getattr(status, name) for name in _STATUS["properties"]}


def history(page: HistoryPage) -> dict[str, Any]:
    """Past researches."""
    names = _HISTORY["properties"]["entries"]["items"]["properties"]
    return {
        "entries": [{name: getattr(entry, name) for name in names} for entry in page.entries],
        "total": page.total,
    }


def listed(documents: Sequence[Document]) -> dict[str, Any]:
    """The user's documents."""
    rows = [
        {"title": document.title, "name": document.name, "status": document.status,
         "handle": str(handle_of(document.snapshot_id)) if document.snapshot_id else None}
        for document in documents
    ]  # fmt: skip
    return {"documents": rows, "passages": []}


def passages(hits: Sequence[LibraryHit]) -> dict[str, Any]:
    """Passages of the user's documents; matches in them are not marked."""
    rows = [
        {"title": hit.title or hit.name, "name": hit.name,
         "handle": str(handle_of(hit.passage.snapshot_id, hit.passage.section_id)),
         "text": hit.passage.text}
        for hit in hits
    ]  # fmt: skip
    return {"documents": [], "passages": rows}


def no_report(status: JobStatus) -> dict[str, Any]:
    """What there is of a research that ended without a report."""
    return {
        "research_id": status.research_id, "original_query": status.query, "status": status.status,
        "answer": None, "sources": [],
    }  # fmt: skip
