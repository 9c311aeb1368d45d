"""Europe PMC: life-science works, preprints and patents, who cites them and whom they cite.

https://europepmc.org/RestfulWebService. Booleans are "Y" and "N". Lists of one element may come as
the element itself.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Any

from tools.errors import SourceError
from tools.sources.answer_fields import (
    author_ids,
    clean,
    clean_paragraphs,
    distinct,
    first,
    iso_date,
    link,
    many,
    mapping,
    number,
    readable,
    string,
    texts,
)
from tools.sources.biomedical.common import (
    is_number,
    language,
    language_code,
    marks,
    title_of,
    written_date,
)
from tools.sources.client import (
    ABSENT,
    UNKNOWN_FORM,
    Access,
    Client,
    Filters,
    accepted,
    read_object,
    refusal,
)
from tools.sources.queries import boolean_query, first_day, last_day
from tools.sources.source import Source, find_doi, make_source, work_address

_LONGEST_QUERY = 400
_OPEN = ("OA", "F")  # open access, free


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Works that match, most relevant first."""
    condition = conditions(query, filters)
    return ask(access, "search", condition, limit) if condition else []


def conditions(query: str, filters: Filters, *more: str) -> str:
    """The query in Europe PMC's grammar; empty when it holds no word."""
    terms = boolean_query(query, _LONGEST_QUERY)
    if not terms:
        return ""
    parts = [f"({terms})", *more]
    if filters.since or filters.until:
        start, end = first_day(filters.since or "1000"), last_day(filters.until or "2999")
        parts.append(f"FIRST_PDATE:[{start} TO {end}]")
    if filters.lang:
        parts.append(f"LANG:{language_code(filters.lang)}")
    return " AND ".join(parts)


def ask(access: Access, path: str, query: str, limit: int) -> list[Source]:
    """One search. path: "search", or its whole address."""
    size = min(max(limit, 1), 100)
    return _sources(access, path, {"query": query, "resultType": "core", "pageSize": size})


def lookup(key: str, access: Access) -> Source | None:
    """One work by DOI, PubMed id, PMC id or "MED/123"."""
    query = _query_of(key.strip())
    return first(ask(access, "search", query, 1)) if query else None


def parse(data: bytes) -> list[Source]:
    """Works of an answer: a search, a reference list, a list of citations, or one record."""
    answer = read_object(data)
    if answer.get("errCode") or answer.get("errMsg"):
        raise refusal(answer.get("errMsg"))
    lists = (("resultList", "result"), ("referenceList", "reference"), ("citationList", "citation"))
    for outer, inner in lists:
        if outer in answer:
            works = many(mapping(answer[outer]).get(inner))
            if outer == "resultList":
                return readable(works, _source)
            # Of cited works some are known by their wording alone
            return list(filter(None, map(_source, works)))
    source = _source(mapping(answer.get("result")) or answer)
    if source is None and "hitCount" not in answer:
        raise SourceError(UNKNOWN_FORM)
    return [source] if source else []


def _sources(access: Access, path: str, params: Mapping[str, str | int]) -> list[Source]:
    response = access.get(path, {**params, "format": "json"})
    return [] if response.status in ABSENT else parse(accepted(response, explained=b"{"))


def _related(what: str, source: Source, limit: int, access: Access) -> list[Source]:
    """The works a source cites that Europe PMC could identify, in the order of its reference list
    ("references"), or the works that cite it ("citations")."""
    key = _key(source)
    if not key:
        work = lookup(source.doi, access) if source.doi else None
        key = _key(work) if work else ""
    return _sources(access, f"{key}/{what}", {"pageSize": min(max(limit, 1), 100)}) if key else []


def _key(source: Source) -> str:
    """`MED/123`: how Europe PMC names a record."""
    if source.ids.get("europepmc"):
        return source.ids["europepmc"]
    if source.pmid:
        return f"MED/{source.pmid}"
    return f"PMC/{source.pmcid}" if source.pmcid else ""


def _query_of(key: str) -> str:
    kind, _, number_ = key.rpartition("/")
    plain = key.upper().removeprefix("PMID:").removeprefix("PMCID:")
    if len(kind) == 3 and kind.isalpha() and number_.isalnum():
        return f"EXT_ID:{number_} AND SRC:{kind.upper()}"
    if is_number(plain):
        return f"EXT_ID:{plain} AND SRC:MED"
    if plain.startswith("PMC") and is_number(plain[3:]):
        return f"PMCID:{plain}"
    doi = find_doi(key)
    return f'DOI:"{doi}"' if doi else ""


def _source(work: Mapping[str, Any]) -> Source | None:
    kind, work_id = string(work.get("source")), string(work.get("id"))
    name = f"{kind}/{work_id}" if kind and work_id else ""
    doi = find_doi(string(work.get("doi")))
    if not doi and not name:
        return None
    pmid = string(work.get("pmid")) or (work_id if kind == "MED" else "")
    info, book = mapping(work.get("journalInfo")), mapping(work.get("bookOrReportDetails"))
    journal = mapping(info.get("journal"))
    short = clean(work.get("journalAbbreviation"))
    return make_source(
        work_address(doi, f"https://europepmc.org/article/{name}"),
        title_of(work.get("title")),
        doi=doi,
        pmid=pmid if is_number(pmid) else None,
        pmcid=string(work.get("pmcid")).upper(),
        authors=_authors(work),
        published=_published(work, info, book),
        source_type="academic",
        providers=("europepmc",),
        venue=clean(journal.get("title")) or short or clean(book.get("publisher")),
        issn=_issn(journal),
        publisher=clean(book.get("publisher")),
        language=language(work.get("language")),
        cited_by_count=number(work.get("citedByCount")),
        abstract=clean_paragraphs(work.get("abstractText")),
        fulltext_url=_open_copy(work),
        ids={"europepmc": name},
        marks=marks(
            texts(mapping(work.get("pubTypeList")).get("pubType")), _notices(work), "Europe PMC"
        ),
        fields=_fields(work, info, book),
    )


def _authors(work: Mapping[str, Any]) -> tuple[str, ...]:
    people = many(mapping(work.get("authorList")).get("author"))
    if people:
        names = [_name(person) for person in people]
    else:
        names = clean(work.get("authorString")).rstrip(".").split(",")
    return tuple(name for name in map(str.strip, names) if name and name != "et al")


def _name(person: Mapping[str, Any]) -> str:
    given_name, last = clean(person.get("firstName")), clean(person.get("lastName"))
    full = f"{given_name} {last}".strip() if last else ""
    return full or clean(person.get("collectiveName")) or clean(person.get("fullName"))


def _published(
    work: Mapping[str, Any], info: Mapping[str, Any], book: Mapping[str, Any]
) -> str | None:
    return (
        iso_date(work.get("firstPublicationDate"))
        or iso_date(info.get("printPublicationDate"))
        or written_date(info.get("dateOfPublication"))
        or written_date(work.get("pubYear"))
        or written_date(book.get("yearOfPublication"))
    )


def _issn(journal: Mapping[str, Any]) -> str | None:
    names = ("ISSN", "issn", "ESSN", "essn")
    return next((issn for name in names if (issn := string(journal.get(name)))), None)


def _notices(work: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [
        (
            string(entry.get("type")),
            clean(entry.get("reference")),
            work_id if is_number(work_id := string(entry.get("id"))) else "",
        )
        for entry in _relations(work)
    ]


def _open_copy(work: Mapping[str, Any]) -> str | None:
    """The open copy, a PDF before a page; what readers have to pay for is none."""
    copies = many(mapping(work.get("fullTextUrlList")).get("fullTextUrl"))
    open_copies = [
        copy
        for copy in copies
        if string(copy.get("availabilityCode")) in _OPEN and link(copy.get("url"))
    ]
    styles = ("pdf", "html", "")
    by_style = (
        link(copy.get("url"))
        for style in styles
        for copy in open_copies
        if style in ("", string(copy.get("documentStyle")))
    )
    return next(by_style, None)


def _fields(
    work: Mapping[str, Any], info: Mapping[str, Any], book: Mapping[str, Any]
) -> dict[str, Any]:
    people = many(mapping(work.get("authorList")).get("author"))
    is_preprint = string(work.get("source")) == "PPR"
    kinds = [(string(entry.get("type")), string(entry.get("id"))) for entry in _relations(work)]
    headings = many(mapping(work.get("meshHeadingList")).get("meshHeading"))
    return {
        "type": "preprint" if is_preprint else next(iter(_types(work)), ""),
        "publication_types": _types(work),
        "volume": string(info.get("volume"))
        or string(work.get("volume"))
        or string(work.get("journalVolume")),
        "issue": string(info.get("issue")) or string(work.get("issue")),
        "pages": string(work.get("pageInfo")),
        "author_ids": _author_ids(people),
        "affiliations": distinct(chain.from_iterable(map(_affiliations, people))),
        "keywords": texts(mapping(work.get("keywordList")).get("keyword")),
        "mesh": [clean(heading.get("descriptorName")) for heading in headings],
        "open_access": {"Y": "open"}.get(string(work.get("isOpenAccess")), ""),
        "license": string(work.get("license")),
        "server": clean(book.get("publisher")) if is_preprint else "",
        "version": number(work.get("versionNumber")),
        "versions": [number for kind, number in kinds if "reprint" in kind],
        "notice_on": _notices_on(kinds),
    }


def _notices_on(kinds: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """The works that this one is a notice of."""
    return [
        {"type": kind, "pmid": pmid}
        for kind, pmid in kinds
        if kind.lower().endswith((" of", " for"))
    ]


def _relations(work: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How other records are related to this one."""
    return many(mapping(work.get("commentCorrectionList")).get("commentCorrection"))


def _types(work: Mapping[str, Any]) -> list[str]:
    return texts(mapping(work.get("pubTypeList")).get("pubType")) or texts(work.get("citationType"))


def _author_ids(people: list[dict[str, Any]]) -> list[str]:
    stated = [mapping(person.get("authorId")) for person in people]
    orcids = [
        ids.get("value") or ids.get("#text")
        if "ORCID" in (ids.get("type"), ids.get("@type"))
        else ""
        for ids in stated
    ]
    return author_ids("orcid", orcids)


def _affiliations(person: Mapping[str, Any]) -> list[str]:
    details = mapping(person.get("authorAffiliationDetailsList")).get("authorAffiliation")
    return texts([place.get("affiliation") for place in many(details)]) or texts(
        person.get("affiliation")
    )


CLIENT = Client(
    "europepmc",
    "Europe PMC",
    "academic",
    "https://www.ebi.ac.uk/europepmc/webservices/rest/",
    search,
    min_interval=0.2,
    max_results=50,
    lookup=lookup,
    references=partial(_related, "references"),
    citing=partial(_related, "citations"),
    # One request; another to find a work it has not named yet
    per_work=lambda source, what: 1 if _key(source) else 2 if source.doi else 0,
)
