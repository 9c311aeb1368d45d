"""DOAJ: what is known about open-access journals, by ISSN, and open articles by DOI. https://doaj.org/api/docs

A support client: asked about works and journals, not with queries. Being listed tells that a
journal was looked through; what it says about review, fees and licences is in the fields of the
source.
"""

import re
from collections.abc import Iterator, Mapping
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
    spoken_name,
    string,
    texts,
)
from tools.sources.client import Access, Client, accepted, read_object, refusal, search_by_id
from tools.sources.source import Source, find_doi, make_source, quoted_doi, work_address

_ISSN = re.compile(r"(?<![\dX-])(\d{4})-?(\d{3}[\dX])(?![\dX-])", re.I)


def lookup(key: str, access: Access) -> Source | None:
    """An article by DOI, a journal by ISSN ("1545-7885"); None when the directory does not list
    it."""
    doi, issn = find_doi(key), _issn(key)
    if doi:
        return next(
            (work for work in _ask(f'articles/doi:"{doi}"', access) if work.doi == doi), None
        )
    return first(_ask(f"journals/issn:{issn}", access)) if issn and _is_issn(issn) else None


def parse(data: bytes) -> list[Source]:
    """Articles and journals of an answer, a list or one of them. Raises SourceError when it is a
    refusal."""
    answer = read_object(data)
    if "results" not in answer and "bibjson" not in answer:
        raise refusal(answer.get("error"))
    return list(_records(answer))


def _ask(what: str, access: Access) -> list[Source]:
    return parse(
        accepted(access.get(f"search/{quoted_doi(what)}", {"pageSize": 3}), explained=b"{")
    )


def _records(answer: Mapping[str, Any]) -> Iterator[Source]:
    for item in objects(answer["results"]) if "results" in answer else [answer]:
        about, number = mapping(item.get("bibjson")), string(item.get("id"))
        is_journal = (
            isinstance(about.get("publisher"), dict) or "eissn" in about or "pissn" in about
        )
        record = _journal(item, about, number) if is_journal else _article(about, number)
        if about and record:
            yield record


def _issn(value: Any) -> str:
    match = _ISSN.search(string(value))
    return f"{match.group(1)}-{match.group(2).upper()}" if match else ""


def _language(journal: Mapping[str, Any]) -> str | None:
    """The journal's language when it has one; of several nobody knows which is meant."""
    languages = [string(item).lower() for item in items(journal.get("language")) if string(item)]
    return languages[0] if len(languages) == 1 else None


def _is_issn(issn: str) -> bool:
    """Whether the check digit is right; "2020-2021" is no ISSN."""
    *digits, check = list(issn.replace("-", ""))
    total = sum(weight * int(digit) for weight, digit in zip(range(8, 1, -1), digits, strict=True))
    return (total + (10 if check == "X" else int(check))) % 11 == 0


def _article(about: Mapping[str, Any], number: str) -> Source | None:
    ids = {
        string(identifier.get("type")).lower(): string(identifier.get("id"))
        for identifier in objects(about.get("identifier"))
    }
    doi, journal = find_doi(ids.get("doi")), mapping(about.get("journal"))
    texts = [
        link(entry.get("url"))
        for entry in objects(about.get("link"))
        if string(entry.get("type")) == "fulltext"
    ]
    copy = next(filter(None, texts), None)
    url = work_address(doi, copy or (f"https://doaj.org/article/{number}" if number else ""))
    if not url:
        return None
    issns = (
        *map(_issn, items(journal.get("issns"))),
        _issn(ids.get("eissn")),
        _issn(ids.get("pissn")),
    )
    return make_source(
        url,
        clean(about.get("title")),
        doi=doi,
        authors=tuple(spoken_name(person.get("name")) for person in objects(about.get("author"))),
        published=partial_date(string(about.get("year")), string(about.get("month"))),
        source_type="academic",
        providers=("doaj",),
        venue=clean(journal.get("title")),
        issn=next(filter(None, issns), None),
        publisher=clean(journal.get("publisher")),
        language=_language(journal),
        abstract=clean_paragraphs(about.get("abstract")),
        fulltext_url=copy,
        ids={"doaj": number},
        fields=_article_fields(about, journal),
    )


def _article_fields(about: Mapping[str, Any], journal: Mapping[str, Any]) -> dict[str, Any]:
    pages = [
        string(about.get(name)) or string(journal.get(name)) for name in ("start_page", "end_page")
    ]
    people = objects(about.get("author"))
    return {
        "type": "article",
        "volume": string(journal.get("volume")),
        "issue": string(journal.get("number")),
        "pages": "-".join(dict.fromkeys(filter(None, pages))),
        "author_ids": author_ids("orcid", [person.get("orcid_id") for person in people]),
        "affiliations": distinct(clean(person.get("affiliation")) for person in people),
        "keywords": texts(about.get("keywords")),
        "subjects": [clean(subject.get("term")) for subject in objects(about.get("subject"))],
        "license": next(
            (string(license.get("type")) for license in objects(journal.get("license"))), ""
        ),
        "country": string(journal.get("country")),
    }


def _journal(item: Mapping[str, Any], about: Mapping[str, Any], number: str) -> Source | None:
    issns = [issn for issn in (_issn(about.get("eissn")), _issn(about.get("pissn"))) if issn]
    url = link(mapping(about.get("ref")).get("journal")) or (
        f"https://doaj.org/toc/{number}" if number else ""
    )
    if not url:
        return None
    publisher = mapping(about.get("publisher"))
    return make_source(
        url,
        clean(about.get("title")),
        source_type="web",
        providers=("doaj",),
        issn=next(iter(issns), None),
        publisher=clean(publisher.get("name")),
        language=_language(about),
        ids={"doaj": number},
        fields=_journal_fields(item, about, issns),
    )


def _journal_fields(
    item: Mapping[str, Any], about: Mapping[str, Any], issns: list[str]
) -> dict[str, Any]:
    fees, editorial = mapping(about.get("apc")), mapping(about.get("editorial"))
    return {
        "type": "journal",
        "issns": issns,
        "country": string(mapping(about.get("publisher")).get("country")),
        "institution": clean(mapping(about.get("institution")).get("name")),
        "review": [clean(process) for process in items(editorial.get("review_process"))],
        "license": [string(license.get("type")) for license in objects(about.get("license"))],
        "fees": [
            f"{string(fee.get('price'))} {string(fee.get('currency'))}"
            for fee in objects(fees.get("max"))
        ],
        "keywords": texts(about.get("keywords")),
        "subjects": [clean(subject.get("term")) for subject in objects(about.get("subject"))],
        "weeks_to_publication": number(about.get("publication_time_weeks")),
        "plagiarism_check": mapping(about.get("plagiarism")).get("detection") is True,
        "preserved_by": [
            clean(service) for service in items(mapping(about.get("preservation")).get("service"))
        ],
        "seal": mapping(item.get("admin")).get("seal") is True,
    }


CLIENT = Client(
    "doaj",
    "DOAJ",
    "support",
    "https://doaj.org/api/",
    search_by_id,
    min_interval=0.5,
    deadline=10.0,
    lookup=lookup,
)
