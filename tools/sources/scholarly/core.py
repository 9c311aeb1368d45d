"""CORE: open-access papers of repositories, with where their copies lie. https://api.core.ac.uk/docs/v3

Missing dates are '', a `fullText` of public users is a sentence that there is none, publishers
stand in quotes. Answers of the former version (v2), as mirrors still give them, are read too.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from tools.sources.answer_fields import (
    clean,
    clean_paragraphs,
    first,
    iso_date,
    items,
    link,
    many,
    mapping,
    number,
    objects,
    partial_date,
    readable,
    spoken_name,
    string,
    texts,
)
from tools.sources.client import Access, Client, Filters, accepted, read_json, refusal
from tools.sources.queries import boolean_query
from tools.sources.source import (
    Source,
    doi_keys,
    find_arxiv_id,
    find_doi,
    make_source,
    work_address,
)

_LONGEST_QUERY = 300
_FILE = re.compile(r"/download/|\.pdf(?:$|\?)|/pdf/", re.I)
# What arXiv's own records carry behind the abstract
_COMMENT = re.compile(r"(?:(?<!\s)\s+)?Comment: [^\n]{0,400}\Z", re.S)


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Works that match the words, best first."""
    words = boolean_query(query, _LONGEST_QUERY) or query[:_LONGEST_QUERY]
    years = [
        f"yearPublished>={filters.since[:4]}" if filters.since else "",
        f"yearPublished<={filters.until[:4]}" if filters.until else "",
    ]
    conditions = [f"({words})" if any(years) else words, *filter(None, years)]
    return _ask(" AND ".join(conditions), limit, access)


def lookup(key: str, access: Access) -> Source | None:
    """One work by DOI or arXiv id."""
    doi, arxiv_id = find_doi(key), find_arxiv_id(key)
    if not (doi or arxiv_id):
        return None
    rows = _ask(f'doi:"{doi}"' if doi else f'arxivId:"{arxiv_id}"', 5, access)
    same = [work for work in rows if {work.doi, work.arxiv_id} & {doi, arxiv_id} - {None}]
    return next((work for work in same if work.fulltext_url), first(same))


def parse(data: bytes) -> list[Source]:
    """Works of an answer: a list or one work. Raises SourceError when the service reports a
    failure."""
    answer = read_json(data)
    # a batch of v2 is a list of answers
    answers = objects(answer) if isinstance(answer, list) else [mapping(answer)]
    return readable(chain.from_iterable(map(_works, answers)), _source)


def _ask(words: str, limit: int, access: Access) -> list[Source]:
    params: dict[str, str | int] = {"q": words, "limit": min(max(limit, 1), 100)}
    return parse(accepted(access.get("search/works/", params), explained=b"{"))


def _works(answer: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "results" in answer:
        yield from objects(answer["results"])
    elif "status" in answer and "data" in answer:
        yield from (mapping(item.get("_source")) or item for item in many(answer["data"]))
    elif "id" in answer:
        yield answer
    elif "totalHits" not in answer and string(answer.get("status")) != "Not found":
        raise refusal(answer.get("message"))


def _source(work: Mapping[str, Any]) -> Source | None:
    core_id, title = string(work.get("id")), clean(work.get("title"))
    if not core_id.isdecimal():
        return None
    doi = find_doi(string(work.get("doi")))
    arxiv_id = find_arxiv_id(string(work.get("arxivId")))
    journal = next(iter(objects(work.get("journals"))), {})
    linked_works = [*objects(work.get("references")), *objects(work.get("citations"))]
    return make_source(
        work_address(doi, f"https://core.ac.uk/works/{core_id}"),
        title,
        doi=doi,
        arxiv_id=arxiv_id,
        pmid=string(work.get("pubmedId")),
        authors=tuple(
            spoken_name(author.get("name") if isinstance(author, dict) else author)
            for author in items(work.get("authors"))
        ),
        published=iso_date(work.get("publishedDate") or work.get("datePublished"))
        or partial_date(work.get("yearPublished") or work.get("year")),
        source_type="academic",
        providers=("core",),
        venue=clean(journal.get("title")),
        issn=_issn(journal),
        publisher=clean(work.get("publisher")).strip("'\" "),
        language=string(mapping(work.get("language")).get("code")).lower(),
        cited_by_count=number(work.get("citationCount")),
        references=doi_keys(entry.get("doi") for entry in linked_works),
        abstract=_COMMENT.sub(
            "", clean_paragraphs(_unwrapped(work.get("abstract") or work.get("description")))
        ),
        fulltext_url=next(iter(copies(work)), None),
        ids={"core": core_id, "mag": string(work.get("magId"))},
        fields=_fields(work),
    )


def copies(work: Mapping[str, Any]) -> list[str]:
    """Where a copy lies, files before pages."""
    addresses = [
        work.get("downloadUrl"),
        *items(work.get("sourceFulltextUrls")),
        work.get("fullTextIdentifier"),
    ]
    urls = dict.fromkeys(url for url in map(link, addresses) if url)
    return sorted(urls, key=lambda url: 0 if _FILE.search(url) else 1)


def _unwrapped(text: Any) -> Any:
    """Abstracts of repositories keep the line breaks of their files inside sentences."""
    return re.sub(r"(?<!\n)\n(?![^\S\n]*+\n)", " ", text) if isinstance(text, str) else text


def _issn(journal: Mapping[str, Any]) -> str | None:
    issns = (
        string(item).upper().removeprefix("ISSN:") for item in items(journal.get("identifiers"))
    )
    return next((issn for issn in issns if re.fullmatch(r"\d{4}-?\d{3}[\dX]", issn)), None)


def _fields(work: Mapping[str, Any]) -> dict[str, Any]:
    oai = [string(item) for item in items(work.get("oaiIds")) if string(item)] or [
        string(work.get("oai"))
    ]
    subjects = [*items(work.get("fieldOfStudy")), *items(work.get("topics"))]
    return {
        "type": string(work.get("documentType")),
        "contributors": texts(work.get("contributors")),
        "keywords": texts(subjects),
        "repositories": texts(
            [repository.get("name") for repository in objects(work.get("repositories"))]
        ),
        "oai": [identifier for identifier in oai if identifier],
        "copies": copies(work),
    }


CLIENT = Client(
    "core",
    "CORE",
    "academic",
    "https://api.core.ac.uk/v3/",
    search,
    min_interval=2.0,  # ten a minute, and no run asks more than ten times
    max_results=50,
    key="header:Authorization",
    key_required=True,
    lookup=lookup,
)
