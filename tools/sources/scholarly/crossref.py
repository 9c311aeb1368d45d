"""Crossref: what publishers register about works: references, notices, licences. https://api.crossref.org/swagger-ui

Who cites a work is not public there, so there is no `citing`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tools.sources.answer_fields import (
    author_ids,
    clean,
    clean_paragraphs,
    distinct,
    first,
    items,
    link,
    mapping,
    number,
    objects,
    partial_date,
    readable,
    string,
    texts,
)
from tools.sources.client import Access, Client, Filters, accepted, read_object, refusal
from tools.sources.domains import host_of
from tools.sources.queries import plain_query
from tools.sources.source import (
    Mark,
    Source,
    doi_keys,
    find_doi,
    is_preprint_doi,
    make_source,
    quoted_doi,
    work_address,
)

_LONGEST_QUERY = 300
_DOIS_PER_REQUEST = 40
# What Crossref calls a notice -> how we mark the work it concerns
_NOTICES = {
    "retraction": "retracted",
    "partial_retraction": "retracted",
    "removal": "retracted",
    "withdrawal": "withdrawn",
    "expression_of_concern": "concern",
    "correction": "correction",
    "corrigendum": "correction",
    "erratum": "correction",
    "addendum": "correction",
    "clarification": "correction",
}
_DATES = (
    "issued", "published", "published-online", "published-print", "published-other", "posted",
)  # fmt: skip
_BY = {"retraction-watch": "Retraction Watch", "publisher": "Crossref (publisher)"}


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Works that match the words in title, authors and venue, best first."""
    conditions = [
        f"from-pub-date:{filters.since}" if filters.since else "",
        f"until-pub-date:{filters.until}" if filters.until else "",
    ]
    params = {
        "query.bibliographic": plain_query(query, _LONGEST_QUERY),
        "filter": ",".join(filter(None, conditions)),
    }
    return _ask(access, params, limit)


def lookup(key: str, access: Access) -> Source | None:
    """One work by its DOI."""
    doi = find_doi(key)
    if not doi:
        return None
    answer = access.json(f"works/{quoted_doi(doi)}", {"mailto": access.contact})
    return _work(mapping(mapping(answer).get("message"))) if answer is not None else None


def references(source: Source, limit: int, access: Access) -> list[Source]:
    """The cited works that the publisher named with a DOI."""
    work: Source | None = source
    if not any(ref.startswith("doi:") for ref in source.references):
        work = (
            lookup(source.doi, access) if source.doi and not is_preprint_doi(source.doi) else None
        )
    return _described(
        [ref for ref in work.references if ref.startswith("doi:")] if work else [], limit, access
    )


def complete(sources: Sequence[Source], access: Access) -> list[Source]:
    """The records of these works, by DOI, in one request."""
    keys = [
        f"doi:{source.doi}" for source in sources if source.doi and not is_preprint_doi(source.doi)
    ]
    return _described(keys, len(keys), access)


def parse(data: bytes) -> list[Source]:
    """Works of an answer (a list or one work). Raises SourceError when Crossref reports a
    failure."""
    answer = read_object(data, "message")
    if string(answer.get("status")) != "ok":
        raise refusal(mapping(first(answer["message"])).get("message"))
    content = mapping(answer["message"])
    works = objects(content["items"]) if "items" in content else [content]
    return readable(works, _work)


def _described(keys: Sequence[str], limit: int, access: Access) -> list[Source]:
    """Works by their keys ("doi:10.1/x"), as many as one request may name; a comma would part two
    of them."""
    ids = [key for key in keys if "," not in key][:_DOIS_PER_REQUEST]
    return _ask(access, {"filter": ",".join(ids)}, min(limit, len(ids))) if ids else []


def _ask(access: Access, params: Mapping[str, str], limit: int) -> list[Source]:
    size: dict[str, str | int] = {"rows": min(max(limit, 1), 100), "mailto": access.contact}
    return parse(accepted(access.get("works", {**params, **size}), explained=b"{"))


def _work(work: Mapping[str, Any]) -> Source | None:
    doi = find_doi(string(work.get("DOI")))
    if doi is None:
        return None
    people = objects(work.get("author")) or objects(work.get("editor"))
    return make_source(
        work_address(doi),
        _title(work),
        doi=doi,
        authors=tuple(map(_name, people)),
        published=next(filter(None, (_date_in_parts(work.get(name)) for name in _DATES)), None),
        source_type="academic",
        providers=("crossref",),
        venue=_venue(work),
        issn=string(first(work.get("ISSN"))),
        publisher=clean(work.get("publisher")),
        language=string(work.get("language")),
        cited_by_count=number(work.get("is-referenced-by-count")),
        references=doi_keys(reference.get("DOI") for reference in objects(work.get("reference"))),
        abstract=_abstract(work),
        fulltext_url=_open_copy(work),
        marks=_marks(work),
        fields=_fields(work),
    )


def _venue(work: Mapping[str, Any]) -> str | None:
    """The journal or book; the conference; of a preprint its server."""
    server = mapping(first(work.get("institution"))).get("name")
    names = (
        first(work.get("container-title")),
        mapping(work.get("event")).get("name"),
        server if work.get("type") == "posted-content" else None,
    )
    return next(filter(None, map(clean, names)), None)


def _title(work: Mapping[str, Any]) -> str:
    title, subtitle = clean(first(work.get("title"))), clean(first(work.get("subtitle")))
    if title and subtitle and subtitle.lower() not in title.lower():
        return f"{title}: {subtitle}"
    return title


def _name(person: Mapping[str, Any]) -> str:
    parts = (clean(person.get("given")), clean(person.get("family")), clean(person.get("suffix")))
    return " ".join(filter(None, parts)) or clean(person.get("name"))


def _date_in_parts(value: Any) -> str | None:
    """{"date-parts": [[2024, 5]]} as an ISO date."""
    parts = items(first(mapping(value).get("date-parts")))
    return partial_date(*parts[:3]) if parts else None


def _abstract(work: Mapping[str, Any]) -> str:
    text = clean_paragraphs(work.get("abstract"))
    head, _, rest = text.partition("\n")
    return rest if head.strip(" .:").lower() in ("abstract", "summary") and rest else text


def _open_copy(work: Mapping[str, Any]) -> str | None:
    """A full text that a Creative Commons licence opens; other links are for subscribers."""
    if not any(
        "creativecommons.org" in string(entry.get("URL")) for entry in objects(work.get("license"))
    ):
        return None
    copies = list(filter(_is_public, objects(work.get("link"))))
    kinds = ("application/pdf", "text/html", "unspecified")
    usable = (copy for kind in kinds for copy in copies if string(copy.get("content-type")) == kind)
    return next((link(copy.get("URL")) for copy in usable), None)


def _is_public(copy: Mapping[str, Any]) -> bool:
    """Whether anybody may read a copy: those for similarity checking and those of API hosts are for
    partners."""
    host = host_of(link(copy.get("URL")))
    partners = copy.get("intended-application") == "similarity-checking" or host.startswith(
        ("api.", "syndication.")
    )
    return host != "" and not partners


def _marks(work: Mapping[str, Any]) -> tuple[Mark, ...]:
    """Notices that concern this very work (`updated-by`); `update-to` is the notice's side and
    marks nothing here."""
    marks = []
    for notice in objects(work.get("updated-by")):
        kind = _NOTICES.get(string(notice.get("type")).lower().replace("-", "_").replace(" ", "_"))
        if kind:
            by = _BY.get(string(notice.get("source")), "Crossref")
            notice_doi = find_doi(string(notice.get("DOI")))
            marks.append(Mark(kind, by, _date_in_parts(notice.get("updated")), notice=notice_doi))
    return tuple(dict.fromkeys(marks))


def _fields(work: Mapping[str, Any]) -> dict[str, Any]:
    people = objects(work.get("author"))
    affiliations = (
        clean(place.get("name"))
        for person in people
        for place in objects(person.get("affiliation"))
    )
    return {
        "type": string(work.get("type")),
        "subtype": string(work.get("subtype")),
        "volume": string(work.get("volume")),
        "issue": string(work.get("issue")),
        "pages": string(work.get("page")) or string(work.get("article-number")),
        "author_ids": author_ids("orcid", [person.get("ORCID") for person in people]),
        "affiliations": distinct(affiliations),
        "keywords": texts(work.get("subject")),
        "license": next((link(entry.get("URL")) for entry in objects(work.get("license"))), ""),
        "notice_on": [
            {"type": string(entry.get("type")), "doi": find_doi(string(entry.get("DOI"))) or ""}
            for entry in objects(work.get("update-to"))
        ],
        "versions": _preprint_versions(work),
        "short_venue": clean(first(work.get("short-container-title"))),
        "reference_count": number(work.get("references-count")),
    }


def _preprint_versions(work: Mapping[str, Any]) -> list[str]:
    """DOIs of its preprints, or of the article that it became."""
    relation = mapping(work.get("relation"))
    entries = objects(relation.get("has-preprint")) + objects(relation.get("is-preprint-of"))
    return [doi for entry in entries if (doi := find_doi(string(entry.get("id"))))]


def _cost(source: Source, what: str) -> int:
    """One request; another for the reference list when it is not known yet."""
    if any(ref.startswith("doi:") for ref in source.references):
        return 1
    return 2 if source.doi and not is_preprint_doi(source.doi) else 0


CLIENT = Client(
    "crossref",
    "Crossref",
    "academic",
    "https://api.crossref.org/",
    search,
    min_interval=0.25,
    max_results=50,
    lookup=lookup,
    references=references,
    complete=complete,
    batch=_DOIS_PER_REQUEST,
    per_work=_cost,
)
