"""arXiv: preprints, by its Atom API. https://info.arxiv.org/help/api/user-manual.html

One request in three seconds. An error comes as an entry titled "Error"; an unknown id as a feed
without entries.
"""

import re
from typing import Any

from tools.errors import SourceError
from tools.sources.answer_fields import Element, clean, first, iso_date, link, texts, xml_root
from tools.sources.client import UNKNOWN_FORM, Access, Client, Filters, accepted, refusal
from tools.sources.queries import boolean_query, first_day, last_day
from tools.sources.source import ARXIV_DOI, Mark, Source, find_arxiv_id, make_source

_ATOM = "{http://www.w3.org/2005/Atom}"
_OWN = "{http://arxiv.org/schemas/atom}"
_LONGEST_QUERY = 300
_WITHDRAWN = re.compile(
    r"\b(?:this (?:paper|article|submission|work|manuscript) (?:has been|is|was)"
    r"|paper) withdrawn\b",
    re.I,
)


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Preprints that match, most relevant first."""
    return _ask(
        access,
        {"search_query": terms(query, filters), "sortBy": "relevance", "sortOrder": "descending"},
        limit,
    )


def lookup(key: str, access: Access) -> Source | None:
    """One preprint by its arXiv id."""
    arxiv_id = find_arxiv_id(key) or find_arxiv_id(key.lower().removeprefix(ARXIV_DOI))
    return first(_ask(access, {"id_list": arxiv_id}, 1)) if arxiv_id else None


def terms(query: str, filters: Filters) -> str:
    """The query in arXiv's grammar: phrases must occur; a few words must, of many words some."""
    query_text = boolean_query(query, _LONGEST_QUERY, field="all:")
    if filters.since or filters.until:
        start = first_day(filters.since or "1990").replace("-", "")
        end = last_day(filters.until or "2999").replace("-", "")
        dates = f"submittedDate:[{start}0000 TO {end}2359]"
        return f"({query_text}) AND {dates}" if query_text else dates
    return query_text


def parse(data: bytes) -> list[Source]:
    """Entries of a feed. Raises SourceError for an error entry and for anything that is no feed."""
    root = xml_root(data)
    if root.getroottree().docinfo.internalDTD is not None:
        raise SourceError("answered with a document type, which no feed has")
    if root.tag != f"{_ATOM}feed":
        raise SourceError(UNKNOWN_FORM)
    entries = root.findall(f"{_ATOM}entry")
    for entry in entries:
        if "api/errors" in _text(entry, f"{_ATOM}id") or _text(entry, f"{_ATOM}title") == "Error":
            raise refusal(_text(entry, f"{_ATOM}summary"))
    return list(filter(None, map(_source, entries)))


def _ask(access: Access, params: dict[str, Any], limit: int) -> list[Source]:
    response = access.get("query", {**params, "start": 0, "max_results": limit})
    return parse(response.content if b"<feed" in response.content[:2000] else accepted(response))


def _source(entry: Element) -> Source | None:
    address = _text(entry, f"{_ATOM}id")
    arxiv_id = find_arxiv_id(address)
    if arxiv_id is None:
        return None
    links = {
        item.get("title") or item.get("rel"): link(item.get("href"))
        for item in entry.findall(f"{_ATOM}link")
    }
    comment, summary = _text(entry, f"{_OWN}comment"), _text(entry, f"{_ATOM}summary")
    return make_source(
        f"https://arxiv.org/abs/{arxiv_id}",
        _text(entry, f"{_ATOM}title"),
        doi=_text(entry, f"{_OWN}doi"),
        arxiv_id=arxiv_id,
        authors=tuple(_text(author, f"{_ATOM}name") for author in entry.findall(f"{_ATOM}author")),
        published=iso_date(_text(entry, f"{_ATOM}published")),
        source_type="academic",
        providers=("arxiv",),
        venue=_text(entry, f"{_OWN}journal_ref") or "arXiv",
        abstract=summary,
        fulltext_url=links.get("pdf") or f"https://arxiv.org/pdf/{arxiv_id}",
        ids={"arxiv": arxiv_id},
        marks=(Mark("withdrawn", "arXiv", reason=comment or None),)
        if _WITHDRAWN.search(comment) or _WITHDRAWN.search(summary[:300])
        else (),
        fields=_fields(entry, address, comment),
    )


def _fields(entry: Element, address: str, comment: str) -> dict[str, Any]:
    version = re.search(r"v(\d{1,3})$", address)
    return {
        "type": "preprint",
        "version": int(version.group(1)) if version else None,
        "updated": iso_date(_text(entry, f"{_ATOM}updated")),
        "categories": texts([item.get("term") for item in entry.findall(f"{_ATOM}category")]),
        "comment": comment,
        "affiliations": texts([item.text for item in entry.iter(f"{_OWN}affiliation")]),
    }


def _text(parent: Element, tag: str) -> str:
    return clean(parent.findtext(tag))


CLIENT = Client(
    "arxiv",
    "arXiv",
    "academic",
    "https://export.arxiv.org/api/",
    search,
    min_interval=3.0,
    max_results=50,
    lookup=lookup,
)
