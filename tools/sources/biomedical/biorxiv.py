"""bioRxiv, and what it shares with medRxiv: preprints with a row per version. https://api.biorxiv.org

The servers' own interface gives works by DOI or day and cannot be searched; Europe PMC indexes them
all and can. A base_url of the user's serves both: `search` as Europe PMC, `details/` and `pubs/` as
the servers. "NA" means nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote

from tools.sources.answer_fields import (
    clean,
    clean_paragraphs,
    distinct,
    iso_date,
    link,
    number,
    objects,
    spoken_name,
    string,
    texts,
)
from tools.sources.biomedical import europepmc
from tools.sources.biomedical.common import unglued
from tools.sources.client import ABSENT, Access, Client, Filters, read_object, refusal
from tools.sources.source import Mark, Source, find_doi, make_source, work_address

BASE = "https://api.biorxiv.org/"
_WITHDRAWN = re.compile(
    r"\bthis (?:preprint|manuscript|paper|article|work) (?:has been|was|is) withdrawn\b"
    r"|\bauthors? ha(?:s|ve) withdrawn\b",
    re.I,
)


def search(server: str, query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Preprints of one server that match, most relevant first."""
    condition = europepmc.conditions(query, filters, "SRC:PPR", f'PUBLISHER:"{server}"')
    rows = europepmc.ask(access, search_address(access), condition, limit) if condition else []
    return [_of_index(source, server) for source in rows if source.title]


def lookup(server: str, key: str, access: Access) -> Source | None:
    """One preprint by its DOI, all its versions as one work, with the article it became."""
    doi = find_doi(key)
    if not doi:
        return None
    rows = _rows(f"details/{server.lower()}/{quote(doi)}/na/json", access)
    if not rows or not rows[0].fields.get("versions"):
        return rows[0] if rows else None
    became = _rows(f"pubs/{server.lower()}/{quote(doi)}/na/json", access)
    more = became[0].fields if became else {}
    return replace(rows[0], fields={**more, **rows[0].fields})


def parse(data: bytes) -> list[Source]:
    """Works of an answer of details or pubs, versions of one preprint together. Raises SourceError
    for a failure."""
    answer = read_object(data, "collection")
    status = " ".join(clean(message.get("status")) for message in objects(answer.get("messages")))
    rows = objects(answer["collection"])
    if not rows and status and not re.match(r"ok\b|no (?:posts|articles|papers)", status, re.I):
        raise refusal(status)
    works: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        doi = find_doi(_first_value(row, "doi", "preprint_doi", "biorxiv_doi"))
        if doi:
            works.setdefault(doi, []).append(row)
    return [_work(doi, versions) for doi, versions in works.items()]


def make_client(server: str) -> Client:
    """The client of one of the two servers."""
    return Client(
        server.lower(),
        server,
        "academic",
        BASE,
        partial(search, server),
        min_interval=0.5,
        max_results=50,
        lookup=partial(lookup, server),
    )


def search_address(access: Access) -> str:
    """Where the search is: at Europe PMC, or below a base_url of the user's."""
    return "search" if access.settings.base_url != BASE else europepmc.CLIENT.base_url + "search"


def _rows(path: str, access: Access) -> list[Source]:
    response = access.get(path, {})
    return [] if response.status in ABSENT else parse(response.content)


def _of_index(source: Source, server: str) -> Source:
    """A record of Europe PMC as one of the server it comes from."""
    marks = source.marks
    if not marks and (
        _WITHDRAWN.search(source.abstract[:300]) or source.title.startswith("WITHDRAWN")
    ):
        marks = (Mark("withdrawn", server),)
    fields = {**source.fields, "server": server, "index": "Europe PMC"}
    text = unglued(source.abstract)
    return replace(
        source, providers=(server.lower(),), venue=server, marks=marks, abstract=text, fields=fields
    )


def _first_value(row: Mapping[str, Any], *names: str) -> str:
    """The first of some values that says something."""
    values = (string(row.get(name)) for name in names)
    return next(
        (value for value in values if value and value.upper() not in ("NA", "N/A", "NONE", "NULL")),
        "",
    )


def _work(doi: str, rows: Sequence[Mapping[str, Any]]) -> Source:
    """One preprint of all its rows: what the latest version says, the date of the earliest."""
    ordered = sorted(
        rows, key=lambda row: (number(row.get("version")) or 0, _first_value(row, "date"))
    )
    last = ordered[-1]
    dates = [date for row in rows if (date := iso_date(_first_value(row, "date", "preprint_date")))]
    server = _first_value(last, "server", "preprint_platform")
    people = _first_value(last, "authors", "preprint_authors")  # "Family, G. H.; Other, A."
    abstract = unglued(clean_paragraphs(_first_value(last, "abstract", "preprint_abstract")))
    return make_source(
        work_address(doi),
        clean(_first_value(last, "title", "preprint_title")),
        doi=doi,
        authors=tuple(map(spoken_name, people.split(";"))),
        published=min(dates, default=None),
        source_type="academic",
        providers=(server.lower(),) if server else (),
        venue=server,
        abstract=abstract,
        fulltext_url=link(_first_value(last, "jatsxml")),
        marks=_marks(ordered, abstract, server or "bioRxiv"),
        fields=_fields(last, ordered, dates),
    )


def _marks(rows: Sequence[Mapping[str, Any]], abstract: str, server: str) -> tuple[Mark, ...]:
    """The mark of a withdrawn preprint: by the type of a row, or by what its abstract says."""
    withdrawn = [row for row in rows if _first_value(row, "type").lower() == "withdrawn"]
    if not withdrawn and _WITHDRAWN.search(abstract[:300]):
        withdrawn = [rows[-1]]
    return tuple(
        Mark("withdrawn", server, iso_date(_first_value(row, "date"))) for row in withdrawn[:1]
    )


def _fields(
    last: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], dates: Sequence[str]
) -> dict[str, Any]:
    kind = _first_value(last, "type")
    became = next(
        (
            doi
            for row in reversed(rows)
            if (doi := find_doi(_first_value(row, "published", "published_doi")))
        ),
        "",
    )
    return {
        "type": "preprint",
        "kind": "" if kind.isupper() else kind,  # medRxiv's one internal word says nothing
        "version": number(last.get("version")),
        "updated": max(dates) if len(set(dates)) > 1 else "",
        "keywords": texts(_first_value(last, "category", "preprint_category")),
        "license": _first_value(last, "license"),
        "server": _first_value(last, "server", "preprint_platform"),
        "versions": [became] if became else [],
        "published_in": clean(_first_value(last, "published_journal")),
        "published_on": iso_date(_first_value(last, "published_date")),
        "corresponding_author": clean(
            _first_value(last, "author_corresponding", "preprint_author_corresponding")
        ),
        "affiliations": texts(
            _first_value(
                last,
                "author_corresponding_institution",
                "preprint_author_corresponding_institution",
            )
        ),
        "funders": distinct(clean(funder.get("name")) for funder in objects(last.get("funder"))),
    }


CLIENT = make_client("bioRxiv")
