"""OpenCitations: who cites whom, by DOI, and what is known about works. https://api.opencitations.net

A support client: asked about works, not with queries. Its index gives pairs of ids; titles come
from its second service (`meta`), for as many works as one request may name. The older index (COCI)
has the same fields with bare DOIs.
"""

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from tools.sources.answer_fields import (
    clean,
    iso_date,
    link,
    mapping,
    number,
    objects,
    spoken_name,
    string,
)
from tools.sources.client import ABSENT, Access, Client, accepted, read_json, refusal, search_by_id
from tools.sources.source import Source, doi_keys, find_doi, make_source, quoted_doi, work_address

_NAMED = 20  # works one request for titles may name
_EDGES = 100  # works without a title that are kept for the graph
_BRACKETS = re.compile(r"(?:(?<!\s)\s+)?\[[^\]]{0,500}\]")
_ISSN = re.compile(r"issn:(\d{4}-?\d{3}[\dX])", re.I)
_PMID = re.compile(r"\bpmid:(\d{1,9})\b")
_OPENALEX = re.compile(r"\bopenalex:(W\d+)\b", re.I)


def lookup(key: str, access: Access) -> Source | None:
    """One work by its DOI."""
    doi = find_doi(key)
    return next(iter(_described([doi], access)), None) if doi else None


def parse(data: bytes, side: str = "cited") -> list[Source]:
    """Works of an answer: those that `side` ("cited" or "citing") names in a list of citations, or
    described works.

    Of a citation only identifiers are known; its date is the citing work's. Raises SourceError for
    anything else.
    """
    answer = read_json(data)
    if not isinstance(answer, list):
        raise refusal(mapping(answer).get("message") or mapping(answer).get("error"))
    works = [_end(item, side) if "oci" in item else _work(item) for item in objects(answer)]
    return list({work.source_id: work for work in reversed(works) if work is not None}.values())[
        ::-1
    ]


def _neighbours(what: str, side: str, source: Source, limit: int, access: Access) -> list[Source]:
    """The works a source cites ("references", "cited") or that cite it ("citations", "citing")."""
    if not source.doi:
        return []
    # In order of date, the newest first, then of id: the service gives none
    edges = _ask(f"index/v2/{what}/doi:{quoted_doi(source.doi)}", access, side)
    edges.sort(key=lambda work: work.source_id)
    edges.sort(key=lambda work: work.published or "", reverse=True)
    by_doi = {
        work.doi: work
        for work in _described([w.doi for w in edges[: min(limit, _NAMED)] if w.doi], access)
    }
    in_order = [by_doi[work.doi] for work in edges if work.doi in by_doi]
    return [*in_order, *(work for work in edges if work.doi not in by_doi)][: max(limit, _EDGES)]


def _described(dois: Iterable[str], access: Access) -> list[Source]:
    ids = "__".join(f"doi:{quoted_doi(doi)}" for doi in dois)
    return _ask(f"meta/v1/metadata/{ids}", access) if ids else []


def _ask(path: str, access: Access, side: str = "cited") -> list[Source]:
    response = access.get(path, {"format": "json"})
    return [] if response.status in ABSENT else parse(accepted(response), side)


def _end(edge: Mapping[str, Any], side: str) -> Source | None:
    text = string(edge.get(side))
    doi = find_doi(text)
    if doi is None:
        return None
    return make_source(
        work_address(doi),
        "",
        doi=doi,
        pmid=_first_group(_PMID, text),
        published=iso_date(edge.get("creation")) if side == "citing" else None,
        source_type="academic",
        providers=("opencitations",),
        ids={"openalex": _first_group(_OPENALEX, text).upper()},
    )


def _first_group(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match else ""


def _work(work: Mapping[str, Any]) -> Source | None:
    ids = string(work.get("id"))
    doi = find_doi(
        string(work.get("doi")) or " ".join(part for part in ids.split() if part.startswith("doi:"))
    )
    if doi is None:
        return None
    venue = string(work.get("venue"))
    return make_source(
        work_address(doi),
        _plain(work.get("title")),
        doi=doi,
        pmid=_first_group(_PMID, ids),
        authors=tuple(
            spoken_name(_plain(person)) for person in string(work.get("author")).split(";")
        ),
        published=iso_date(work.get("pub_date") or work.get("year")),
        source_type="academic",
        providers=("opencitations",),
        venue=_plain(venue) or clean(work.get("source_title")),
        issn=_first_group(_ISSN, venue or string(work.get("source_id"))).upper(),
        publisher=_plain(work.get("publisher")),
        cited_by_count=number(string(work.get("citation_count"))),
        references=doi_keys(string(work.get("reference")).split("; ")),
        fulltext_url=link(work.get("oa_link")),
        ids={"openalex": _first_group(_OPENALEX, ids).upper()},
        fields={
            "type": string(work.get("type")),
            "volume": string(work.get("volume")),
            "issue": string(work.get("issue")),
            "pages": string(work.get("page")),
            "cited_by": list(doi_keys(string(work.get("citation")).split("; "))),
        },
    )


def _plain(value: Any) -> str:
    """Without the ids in brackets that stand behind names here."""
    return clean(_BRACKETS.sub("", string(value)))


CLIENT = Client(
    "opencitations",
    "OpenCitations",
    "support",
    "https://api.opencitations.net/",
    search_by_id,
    min_interval=0.4,
    deadline=20.0,
    lookup=lookup,
    references=partial(_neighbours, "references", "cited"),
    citing=partial(_neighbours, "citations", "citing"),
    # The edges, and the works at their other end
    per_work=lambda source, what: 2 if source.doi else 0,
)
