"""Bibliographic entries: from the fields of BibTeX and RIS to the keyword arguments of
`make_source`, and to text."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.documents.model import Entry, Extracted
from tools.documents.parsers.blocks import ParsedBlock, compose
from tools.errors import ParseError
from tools.sources.source import find_arxiv_id, find_doi

MAX_ENTRIES = 50_000
_ISSN = re.compile(r"\b\d{4}-?\d{3}[\dXx]\b")
_SCHOLARLY = frozenset(
    "article inproceedings conference incollection inbook book phdthesis mastersthesis techreport "
    "proceedings thesis "
    "report jour chap conf cpaper thes rprt ejour mgzn unpublished unpb".split()
)


@dataclass(frozen=True, slots=True)
class Record:
    """One entry as read, before it becomes a source. kind: its type in its format, lower case."""

    kind: str
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str | None = None
    venue: str = ""
    publisher: str = ""
    doi: str = ""
    url: str = ""
    arxiv: str = ""
    issn: str = ""
    pmid: str = ""
    language: str = ""
    abstract: str = ""
    pages: str = ""


def extracted(records: Sequence[Record], extractor: str) -> Extracted:
    """The extraction of a bibliography: a paragraph per entry, and its entries as sources."""
    titled = [record for record in records if record.title]
    if not titled:
        raise ParseError("This bibliography contains no entry with a title.")
    if len(titled) > MAX_ENTRIES:
        raise ParseError(
            f"This bibliography contains {len(titled):,} entries; the limit is {MAX_ENTRIES:,}."
        )
    composed = compose(ParsedBlock(_sentence(record)) for record in titled)
    return composed.extracted(extractor, entries=tuple(_entry(record) for record in titled))


def _entry(record: Record) -> Entry:
    doi = find_doi(f"{record.doi} {record.url}")
    arxiv = find_arxiv_id(record.arxiv) or (
        find_arxiv_id(record.url) if "arxiv.org" in record.url else None
    )
    issn = _ISSN.search(record.issn)
    fields: dict[str, object] = {
        "authors": record.authors,
        "published": record.published,
        "source_type": "academic" if doi or arxiv or record.kind in _SCHOLARLY else "web",
        "doi": doi,
        "arxiv_id": arxiv,
        "pmid": record.pmid if record.pmid.isdecimal() else None,
        "venue": record.venue,
        "publisher": record.publisher,
        "issn": issn.group(0).upper() if issn else None,
        "language": record.language[:2].lower(),
        "abstract": record.abstract,
    }
    url = _url(record, doi, arxiv)
    return Entry(record.title, url, {key: value for key, value in fields.items() if value})


def _url(record: Record, doi: str | None, arxiv: str | None) -> str:
    """Where the work is; an address of our own, different for every work, when the entry names
    none."""
    if record.url.startswith(("http://", "https://")):
        return record.url.split()[0]
    if doi:
        return f"https://doi.org/{doi}"
    if arxiv:
        return f"https://arxiv.org/abs/{arxiv}"
    key = "\n".join((record.title.casefold(), *record.authors[:1], record.published or ""))
    return f"local://entry/{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()[:16]}"


def _sentence(record: Record) -> str:
    """The entry in words: authors (year). Title. Venue. DOI. Abstract."""
    year = f" ({record.published[:4]})" if record.published else ""
    who = ", ".join(record.authors[:20]) + (" et al." if len(record.authors) > 20 else "")
    where = ", ".join(part for part in (record.venue, record.publisher, record.pages) if part)
    title = record.title if who else f"{record.title}{year}"
    parts = (
        f"{who}{year}" if who else "",
        title,
        where,
        f"doi:{record.doi}" if record.doi else "",
        record.abstract,
    )
    return " ".join(
        part if part.endswith((".", "!", "?")) else f"{part}." for part in parts if part
    )
