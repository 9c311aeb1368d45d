"""Unpaywall: where a legal open copy of a work lies, by its DOI. https://unpaywall.org/products/api

A support client: asked about works, not with queries. The service wants the mail address of who
asks (`http.contact`).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tools.errors import FailureReason, SourceError
from tools.sources.answer_fields import (
    clean,
    distinct,
    iso_date,
    items,
    link,
    mapping,
    objects,
    partial_date,
    readable,
    string,
)
from tools.sources.client import Access, Client, read_object, refusal, search_by_id
from tools.sources.source import Source, find_doi, make_source, quoted_doi, work_address


def lookup(key: str, access: Access) -> Source | None:
    """What is known about the copies of one work, by its DOI; its `fulltext_url` is the best,
    `copies` has all."""
    doi = find_doi(key)
    if not doi:
        return None
    if not access.contact:
        raise SourceError("needs your mail address; set http.contact", FailureReason.BUDGET)
    return _work(mapping(access.json(quoted_doi(doi), {"email": access.contact})))


def parse(data: bytes) -> list[Source]:
    """Works of an answer: one work, or the results of a title search. Raises SourceError for a
    refusal."""
    answer = read_object(data)
    if "results" in answer:
        works = [mapping(item.get("response")) for item in objects(answer["results"])]
    elif "doi" in answer:
        works = [answer]
    elif string(answer.get("HTTP_status_code")) == "404":
        works = []
    else:
        raise refusal(answer.get("message"))
    return readable(works, _work)


def _work(work: Mapping[str, Any]) -> Source | None:
    doi = find_doi(string(work.get("doi")))
    if doi is None:
        return None
    copies = list(_copies(work))
    issns = string(work.get("journal_issns")).split(",")
    return make_source(
        work_address(doi),
        clean(work.get("title")),
        doi=doi,
        authors=tuple(map(_name, objects(work.get("z_authors")))),
        published=iso_date(work.get("published_date")) or partial_date(work.get("year")),
        source_type="academic",
        providers=("unpaywall",),
        venue=clean(work.get("journal_name")),
        issn=string(work.get("journal_issn_l")) or issns[0].strip(),
        publisher=clean(work.get("publisher")),
        fulltext_url=copies[0]["url"] if copies else None,
        fields=_fields(work, copies),
    )


def _copies(work: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Each copy once, the best first, as its file where there is one. What is under embargo is not
    there yet."""
    addresses = set()
    for place in (mapping(work.get("best_oa_location")), *objects(work.get("oa_locations"))):
        for name in ("url_for_pdf", "url", "url_for_landing_page"):
            url = link(place.get(name))
            if url and url not in addresses:
                about = {key: string(place.get(key)) for key in ("version", "host_type", "license")}
                yield {"url": url, **{key: value for key, value in about.items() if value}}
            if url:
                addresses.add(url)
                break


def _name(person: Mapping[str, Any]) -> str:
    parts = " ".join(filter(None, (clean(person.get("given")), clean(person.get("family")))))
    return clean(person.get("raw_author_name")) or parts


def _fields(work: Mapping[str, Any], copies: list[dict[str, str]]) -> dict[str, Any]:
    people = objects(work.get("z_authors"))
    places = [
        *(place for person in people for place in items(person.get("raw_affiliation_strings"))),
        *(place.get("name") for person in people for place in objects(person.get("affiliation"))),
    ]
    return {
        "type": string(work.get("genre")),
        "open_access": string(work.get("oa_status")),
        "license": copies[0].get("license", "") if copies else "",
        "journal_in_doaj": work.get("journal_is_in_doaj") is True,
        "journal_open": work.get("journal_is_oa") is True,
        "affiliations": distinct(map(clean, places)),
        "copies": copies,
    }


CLIENT = Client(
    "unpaywall",
    "Unpaywall",
    "support",
    "https://api.unpaywall.org/v2/",
    search_by_id,
    min_interval=0.1,
    deadline=10.0,
    lookup=lookup,
)
