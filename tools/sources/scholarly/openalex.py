"""OpenAlex: scholarly works of all fields, their references and citations. https://docs.openalex.org"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tools.sources.answer_fields import (
    clean,
    distinct,
    first,
    iso_date,
    items,
    link,
    mapping,
    number,
    objects,
    partial_date,
    readable,
    string,
)
from tools.sources.client import Access, Client, Filters, accepted, read_object, refusal
from tools.sources.queries import boolean_query, first_day, last_day
from tools.sources.source import (
    ARXIV_DOI,
    Mark,
    Source,
    find_arxiv_id,
    find_doi,
    make_source,
    work_address,
)

# Root fields we read; without `select` an answer is four times as long
FIELDS = """id,doi,title,display_name,publication_year,publication_date,ids,language,type,primary_location,
best_oa_location,locations,open_access,authorships,cited_by_count,is_retracted,biblio,keywords,referenced_works,
abstract_inverted_index""".replace("\n", "")  # noqa: E501
_LONGEST_QUERY = 300
_IDS_PER_REQUEST = 50
_WORK = re.compile(r"W\d{1,15}", re.I)
_PMC = re.compile(r"(?:PMC|articles/)(\d{3,9})", re.I)


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Works that match the words, best first."""
    conditions = [
        f"from_publication_date:{first_day(filters.since)}" if filters.since else "",
        f"to_publication_date:{last_day(filters.until)}" if filters.until else "",
        f"language:{filters.lang[:2].lower()}" if filters.lang else "",
    ]
    params = {
        "search": boolean_query(query, _LONGEST_QUERY),
        "filter": ",".join(filter(None, conditions)),
    }
    return _ask(access, params, limit)


def lookup(key: str, access: Access) -> Source | None:
    """One work by DOI, arXiv id or OpenAlex id."""
    name = _path_of(key)
    answer = (
        access.json(f"works/{name}", {"select": FIELDS, "mailto": access.contact}) if name else None
    )
    return _source(answer) if isinstance(answer, dict) else None


def references(source: Source, limit: int, access: Access) -> list[Source]:
    """The works a source cites, most cited first."""
    work = (
        source
        if any(ref.startswith("openalex:") for ref in source.references)
        else _find(source, access)
    )
    works = (
        [ref.removeprefix("openalex:") for ref in work.references if ref.startswith("openalex:")]
        if work
        else []
    )
    if not works:
        return []
    query = {
        "filter": "openalex:" + "|".join(works[:_IDS_PER_REQUEST]),
        "sort": "cited_by_count:desc",
    }
    return _ask(access, query, limit)


def citing(source: Source, limit: int, access: Access) -> list[Source]:
    """The works that cite a source, most cited first."""
    start = source if source.ids.get("openalex") else _find(source, access)
    work = start.ids.get("openalex") if start else None
    return (
        _ask(access, {"filter": f"cites:{work}", "sort": "cited_by_count:desc"}, limit)
        if work
        else []
    )


def complete(sources: Sequence[Source], access: Access) -> list[Source]:
    """The records of these works, by OpenAlex id or DOI, in one request."""
    ids = [source.ids["openalex"] for source in sources if source.ids.get("openalex")]
    dois = [source.doi for source in sources if source.doi and not source.ids.get("openalex")]
    query = (
        f"openalex:{'|'.join(ids)}" if len(ids) >= len(dois) else f"doi:{'|'.join(_listed(dois))}"
    )
    return _ask(access, {"filter": query}, len(sources)) if ids or dois else []


def _listed(dois: Sequence[str]) -> list[str]:
    """DOIs that may stand in a filter, where commas and bars part its values."""
    return [doi for doi in dois if not set(",|") & set(doi)]


def parse(data: bytes) -> list[Source]:
    """Works of an answer: a list (`results`) or a single work. Raises SourceError for anything
    else."""
    answer = read_object(data)
    if "error" in answer and "results" not in answer:
        raise refusal(answer.get("message"))
    works = items(answer["results"]) if "results" in answer else [answer]
    return readable(works, _source)


def _ask(access: Access, params: Mapping[str, str], limit: int) -> list[Source]:
    size: dict[str, str | int] = {
        "per_page": min(max(limit, 1), 100),
        "select": FIELDS,
        "mailto": access.contact,
    }
    return parse(accepted(access.get("works", {**params, **size})))


def _find(source: Source, access: Access) -> Source | None:
    key = source.ids.get("openalex") or source.doi or source.arxiv_id
    return lookup(key, access) if key else None


def _path_of(key: str) -> str:
    doi, arxiv_id = find_doi(key), find_arxiv_id(key)
    if doi:
        return f"doi:{doi}"
    if arxiv_id:
        return f"doi:{ARXIV_DOI}{arxiv_id}"
    return _work_id(key)


def _source(value: Any) -> Source | None:
    work = mapping(value)
    ids, doi = (
        _ids(work),
        find_doi(string(work.get("doi")) or string(mapping(work.get("ids")).get("doi"))),
    )
    if not (doi or "openalex" in ids):
        return None
    location = mapping(work.get("primary_location"))
    venue = mapping(location.get("source")) or _journal(work)
    return make_source(
        work_address(
            doi,
            link(location.get("landing_page_url")) or f"https://openalex.org/{ids.get('openalex')}",
        ),
        clean(work.get("title") or work.get("display_name")),
        doi=doi,
        arxiv_id=_arxiv_id(work),
        pmid=ids.get("pmid"),
        pmcid=ids.get("pmcid"),
        authors=tuple(map(_author, objects(work.get("authorships")))),
        published=iso_date(work.get("publication_date"))
        or partial_date(work.get("publication_year")),
        source_type="academic",
        providers=("openalex",),
        venue=clean(venue.get("display_name")),
        issn=string(venue.get("issn_l")) or string(first(venue.get("issn"))),
        publisher=clean(venue.get("host_organization_name")),
        language=string(work.get("language")),
        cited_by_count=number(work.get("cited_by_count")),
        references=_references(work),
        abstract=abstract(work.get("abstract_inverted_index")),
        fulltext_url=_open_copy(work),
        ids={"openalex": ids.get("openalex"), "mag": ids.get("mag")},
        marks=(Mark("retracted", "OpenAlex"),) if work.get("is_retracted") is True else (),
        fields=_fields(work),
    )


def abstract(index: Any) -> str:
    """The abstract, which OpenAlex gives as word -> positions."""
    placed = [
        (at, word)
        for word, places in mapping(index).items()
        for at in items(places)
        if isinstance(at, int)
    ]
    text = clean(" ".join(word for _, word in sorted(placed)))
    return re.sub(r"^Abstract[:.]?\s+(?=[A-Z])", "", text)


def _author(authorship: Mapping[str, Any]) -> str:
    return clean(mapping(authorship.get("author")).get("display_name")) or clean(
        authorship.get("raw_author_name")
    )


def _author_id(authorship: Mapping[str, Any]) -> str:
    author = mapping(authorship.get("author"))
    orcid = string(author.get("orcid")).rpartition("/")[2]
    number = string(author.get("id")).rpartition("/")[2]
    return f"orcid:{orcid}" if orcid else f"openalex:{number}" if number else ""


def _references(work: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        f"openalex:{number}"
        for number in map(_work_id, items(work.get("referenced_works")))
        if number
    )


def _ids(work: Mapping[str, Any]) -> dict[str, str]:
    ids = mapping(work.get("ids"))
    pmc = _PMC.search(string(ids.get("pmcid")))
    identifiers = {
        "openalex": _work_id(work.get("id")) or _work_id(ids.get("openalex")),
        "mag": string(ids.get("mag")),
        "pmid": string(ids.get("pmid")).rstrip("/").rpartition("/")[2],
        "pmcid": f"PMC{pmc.group(1)}" if pmc else "",
    }
    return {name: value for name, value in identifiers.items() if value}


def _work_id(value: Any) -> str:
    match = _WORK.search(string(value))
    return match.group(0).upper() if match else ""


def _locations(work: Mapping[str, Any]) -> list[dict[str, Any]]:
    places = [mapping(work.get("best_oa_location")), mapping(work.get("primary_location"))]
    return [place for place in (*places, *objects(work.get("locations"))) if place]


def _journal(work: Mapping[str, Any]) -> dict[str, Any]:
    """The journal that any location names; a repository is where a copy lies, not where a work
    appeared."""
    journals = (mapping(place.get("source")) for place in _locations(work))
    return next(
        (source for source in journals if source and source.get("type") != "repository"), {}
    )


def _arxiv_id(work: Mapping[str, Any]) -> str | None:
    urls = (
        string(place.get(name))
        for place in _locations(work)
        for name in ("landing_page_url", "pdf_url")
    )
    return next(
        (find_arxiv_id(url) for url in urls if "arxiv.org" in url and find_arxiv_id(url)), None
    )


def _open_copy(work: Mapping[str, Any]) -> str | None:
    places = [place for place in _locations(work) if place.get("is_oa") is True]
    pdfs = [link(place.get("pdf_url")) for place in places]
    pages = [link(place.get("landing_page_url")) for place in places]
    address = link(mapping(work.get("open_access")).get("oa_url"))
    return next((url for url in (*pdfs, address, *pages) if url), None)


def _fields(work: Mapping[str, Any]) -> dict[str, Any]:
    biblio, authorships = mapping(work.get("biblio")), objects(work.get("authorships"))
    pages = "-".join(
        dict.fromkeys(
            filter(None, (string(biblio.get(name)) for name in ("first_page", "last_page")))
        )
    )
    institutions = (
        clean(place.get("display_name"))
        for a in authorships
        for place in objects(a.get("institutions"))
    )
    return {
        "type": string(work.get("type")),
        "volume": string(biblio.get("volume")),
        "issue": string(biblio.get("issue")),
        "pages": pages,
        "author_ids": [_author_id(authorship) for authorship in authorships],
        "affiliations": distinct(institutions),
        "keywords": [clean(word.get("display_name")) for word in objects(work.get("keywords"))],
        "open_access": string(mapping(work.get("open_access")).get("oa_status")),
        "license": string(mapping(work.get("primary_location")).get("license")),
    }


def _cost(source: Source, what: str) -> int:
    """One request; another to find a work it has not named yet."""
    has_citations = any(ref.startswith("openalex:") for ref in source.references)
    if (what == "references" and has_citations) or (what == "citing" and "openalex" in source.ids):
        return 1
    return 2 if source.ids.get("openalex") or source.doi or source.arxiv_id else 0


CLIENT: Client = Client(
    "openalex",
    "OpenAlex",
    "academic",
    "https://api.openalex.org/",
    search,
    min_interval=0.15,
    max_results=50,
    key="param:api_key",
    lookup=lookup,
    references=references,
    citing=citing,
    complete=complete,
    batch=_IDS_PER_REQUEST,
    per_work=_cost,
)
