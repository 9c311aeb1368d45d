"""A source as a bibliographic reference: an item of CSL (schema: citation-style-language,
csl-data), which BibTeX and RIS write in their own way. Its authors are `Name`s."""

import re
from collections.abc import Mapping
from typing import Any

from engine.exports.form import link_of
from engine.exports.names import people
from engine.reports.figures import file_name, listed
from engine.reports.report_document import used_by_turn, used_sources
from tools.sources.source import Source, SourceKind
from tools.text.plain import line
from workflows.research.state import ResearchState

# What indexes call a work -> what it is in a bibliography
_TYPES = {
    "book": "book", "monograph": "book", "edited-book": "book", "reference-book": "book",
    "book-chapter": "chapter", "book-section": "chapter", "reference-entry": "chapter",
    "proceedings-article": "conference", "conference-paper": "conference",
    "proceedings": "conference", "dissertation": "thesis", "thesis": "thesis", "report": "report",
    "report-component": "report", "posted-content": "preprint", "preprint": "preprint",
    "dataset": "dataset",
}  # fmt: skip
_CSL_TYPES = {
    "article": "article-journal", "preprint": "article", "conference": "paper-conference",
    "news": "article-newspaper", "page": "webpage",
}  # fmt: skip
_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")
_WARNINGS = {"retracted": "Retracted", "withdrawn": "Withdrawn", "concern": "Expression of concern"}
Item = Mapping[str, Any]


def references(state: ResearchState, everything: bool = False) -> list[Item]:
    """The references of a research by tag: the sources that it cites; everything: all that were not
    set aside.

    A research that cites nothing has all of them.
    """
    read_dates = {snapshot.source_id: snapshot.fetched_at for snapshot in state.snapshots}
    sources = listed(state)
    if not everything:
        cited_ids = used_sources(state).union(*map(used_by_turn, state.conversation))
        sources = [source for source in sources if source.source_id in cited_ids] or sources
    return [reference(source, read_dates.get(source.source_id, state.as_of)) for source in sources]


def reference(source: Source, accessed: str = "") -> Item:
    """One source; what is not known is left out. accessed: ISO time at which it was read."""
    kind, url, arxiv_id = kind_of(source), link_of(source), line(source.arxiv_id)
    fields = {
        "id": source.tag or source.source_id,
        "type": _CSL_TYPES.get(kind, kind),
        "title": line(source.title),
        "author": people(source),
        "issued": _date(source.published),
        "container-title": _container(source, kind),
        "volume": _field(source, "volume"),
        "issue": _field(source, "issue"),
        "page": re.sub(r"(?:(?<!\s)\s+)?[-–—]+\s*", "-", _field(source, "pages")),
        "publisher": line(source.publisher),
        "DOI": line(source.doi),
        "number": f"arXiv:{arxiv_id}" if arxiv_id else "",
        "PMID": line(source.pmid),
        "PMCID": line(source.pmcid),
        "ISSN": line(source.issn),
        "ISBN": _field(source, "isbn"),
        "URL": url,
        "accessed": _date(accessed) if url and kind in ("page", "news") else None,
        "language": line(source.language),
        "note": _note(source),
    }
    return {name: value for name, value in fields.items() if value}


def _date(text: str | None) -> dict[str, list[list[int]]] | None:
    parts = date_parts(text)
    return {"date-parts": [list(parts)]} if parts else None


def parts_of(item: Item, name: str) -> list[int]:
    """Year, month and day of a date of a reference, as far as they are known."""
    return item[name]["date-parts"][0] if name in item else []


def kind_of(source: Source) -> str:
    """What a source is in a bibliography: article, preprint, book, chapter, conference, thesis,
    report, dataset, news, page or document."""
    if source.source_type != SourceKind.ACADEMIC:
        return {"web": "page", "newsroom": "news"}.get(source.source_type, "document")
    kind = _TYPES.get(_field(source, "type").lower().replace("_", "-").replace(" ", "-"))
    if kind:
        return kind
    return "preprint" if source.is_preprint or (source.arxiv_id and not source.venue) else "article"


def date_parts(text: str | None) -> tuple[int, ...]:
    """ "2024-05-31" as (2024, 5, 31); less where less is known or a part is no date."""
    match = _DATE.match(text or "")
    if not match:
        return ()
    year, month, day = (int(part) if part else 0 for part in match.groups())
    if not 1 <= month <= 12:
        return (year,)
    return (year, month, day) if 1 <= day <= 31 else (year, month)


def _container(source: Source, kind: str) -> str:
    """The journal, book or site that holds the work."""
    if kind in ("page", "news"):
        outlet = source.fields.get("outlet")
        return (
            line(source.venue)
            or (line(outlet) if isinstance(outlet, str) else "")
            or line(source.publisher)
        )
    return line(source.venue)


def _field(source: Source, name: str) -> str:
    value = source.fields.get(name)
    return line(value) if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def _note(source: Source) -> str:
    file = file_name(source) if source.is_local else ""
    marks = [mark for mark in source.marks if mark.kind in _WARNINGS]
    warnings = (
        line(f"{_WARNINGS[mark.kind]} {mark.date or ''} (says {mark.by})") for mark in marks
    )
    return "; ".join([*([f"File {line(file)}"] if file else []), *warnings])
