"""A source as a bibliographic reference: what BibTeX, RIS and CSL each write in their own way."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from engine.exports.form import link_of, listed
from engine.exports.names import Name, people
from tools.sources.source import Source, SourceKind
from tools.text.plain import line
from workflows.research.answer.strength import cited_sources
from workflows.research.report.quality import used_sources
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
_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")
_HASH = re.compile(r"[0-9a-f]{16}")  # of a text without a file name
_WARNINGS = {"retracted": "Retracted", "withdrawn": "Withdrawn", "concern": "Expression of concern"}


@dataclass(frozen=True, slots=True)
class Reference:
    """kind: article, preprint, book, chapter, conference, thesis, report, dataset, news, page or
    document.

    published and accessed: (year), (year, month) or (year, month, day). note: what a reader of the
    list must know.
    """

    key: str
    kind: str
    title: str
    authors: tuple[Name, ...]
    published: tuple[int, ...]
    container: str
    publisher: str
    volume: str
    issue: str
    pages: str
    doi: str
    arxiv_id: str
    pmid: str
    pmcid: str
    issn: str
    isbn: str
    url: str
    language: str
    accessed: tuple[int, ...]
    note: str

    @property
    def year(self) -> str:
        return str(self.published[0]) if self.published else ""

    @property
    def page_range(self) -> tuple[str, str]:
        """First and last page; the last is empty when there is one page, or an article number."""
        first, _, last = self.pages.partition("-")
        return first.strip(), last.strip(" -")


def references(state: ResearchState, everything: bool = False) -> list[Reference]:
    """The references of a research by tag: the sources that it cites; everything: all that were not
    set aside.

    A research that cites nothing has all of them.
    """
    read_dates = {snapshot.source_id: snapshot.fetched_at for snapshot in state.snapshots}
    sources = listed(state)
    if everything:
        entries = sources
    else:
        entries = [source for source in sources if source.source_id in _cited_ids(state)] or sources
    return [reference(source, read_dates.get(source.source_id, state.as_of)) for source in entries]


def _cited_ids(state: ResearchState) -> set[str]:
    turns = (cited_sources(turn.answer) for turn in state.conversation)
    written = {
        c.source_id
        for turn in state.conversation
        for sentence in turn.sentences
        for c in sentence.citations
    }
    return used_sources(state).union(written, *turns)


def reference(source: Source, accessed: str = "") -> Reference:
    """One source. accessed: ISO time at which it was read."""
    kind = kind_of(source)
    return Reference(
        key=source.tag or source.source_id,
        kind=kind,
        title=line(source.title),
        authors=tuple(people(source)),
        published=date_parts(source.published),
        container=_container(source, kind),
        publisher=line(source.publisher),
        volume=_field(source, "volume"),
        issue=_field(source, "issue"),
        pages=re.sub(r"(?:(?<!\s)\s+)?[-–—]+\s*", "-", _field(source, "pages")),
        doi=line(source.doi),
        arxiv_id=line(source.arxiv_id),
        pmid=line(source.pmid),
        pmcid=line(source.pmcid),
        issn=line(source.issn),
        isbn=_field(source, "isbn"),
        url=link_of(source),
        language=line(source.language),
        accessed=date_parts(accessed) if kind in ("page", "news") else (),
        note=_note(source),
    )


def kind_of(source: Source) -> str:
    """What a source is in a bibliography."""
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
    file = unquote(source.url.rpartition("/")[2]) if source.is_local else ""
    marks = [mark for mark in source.marks if mark.kind in _WARNINGS]
    warnings = (
        line(f"{_WARNINGS[mark.kind]} {mark.date or ''} (says {mark.by})") for mark in marks
    )
    return "; ".join(
        [*([f"File {line(file)}"] if file and not _HASH.fullmatch(file) else []), *warnings]
    )
