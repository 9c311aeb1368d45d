"""Semantic Scholar: works of all fields with citation counts, references and citing works.

https://api.semanticscholar.org/api-docs/graph. A search that finds nothing has no `data`; works
that a publisher withdrew stand in edges with `paperId` null; the code of a refusal is a string.
Text a model wrote (`tldr`) is not read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tools.errors import SourceError
from tools.sources.answer_fields import (
    author_ids,
    clean,
    clean_paragraphs,
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
    texts,
)
from tools.sources.client import UNKNOWN_FORM, Access, Client, Filters, accepted, read_json, refusal
from tools.sources.queries import plain_query
from tools.sources.source import (
    ARXIV_DOI,
    Source,
    find_arxiv_id,
    find_doi,
    is_preprint_doi,
    make_source,
    quoted_doi,
    work_address,
)

FIELDS = """paperId,externalIds,url,title,abstract,venue,publicationVenue,year,publicationDate,publicationTypes,journal,
authors,citationCount,influentialCitationCount,referenceCount,openAccessPdf,fieldsOfStudy""".replace(  # noqa: E501
    "\n", ""
)
_LONGEST_QUERY = 300
_EDGES = 100  # they come in no order of weight: more are read than wanted, and the most cited kept
_PAPER = re.compile(r"\b[0-9a-f]{40}\b")
_IDS = {"MAG": "mag", "DBLP": "dblp", "ACL": "acl"}


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Works that match the words, best first. The service has no operators, and takes a hyphenated
    word for none."""
    words = plain_query(query, _LONGEST_QUERY).replace('"', "").replace("-", " ")
    params: dict[str, str | int] = {
        "query": words,
        "limit": min(max(limit, 1), 100),
        "fields": FIELDS,
    }
    if filters.since or filters.until:
        params["publicationDateOrYear"] = f"{filters.since or ''}:{filters.until or ''}"
    return parse(accepted(access.get("paper/search", params), explained=b"{"))


def lookup(key: str, access: Access) -> Source | None:
    """One work by DOI, arXiv id or the service's own id."""
    name = _path_of(key)
    answer = access.json(f"paper/{name}", {"fields": FIELDS}) if name else None
    return _source(mapping(answer))


def complete(sources: Sequence[Source], access: Access) -> list[Source]:
    """The records of these works, by the service's own id, DOI or arXiv id, in one request."""
    names = [name for name in map(_path_of, map(_key, sources)) if name]
    if not names:
        return []
    return parse(
        accepted(access.post(f"paper/batch?fields={FIELDS}", {"ids": names}), explained=b"{")
    )


def parse(data: bytes) -> list[Source]:
    """Works of an answer: of a search, a match, edges, recommendations, a batch or one work.

    What the service does not know gives none. Raises SourceError for a refusal and for anything
    else.
    """
    answer = read_json(data)
    if isinstance(answer, dict):
        _refusal(answer)
    elif not isinstance(answer, list):
        raise SourceError(UNKNOWN_FORM)
    return readable(_papers(answer), _source)


def _refusal(answer: Mapping[str, Any]) -> None:
    message = clean(answer.get("error") or answer.get("message"))
    if not message or "paperId" in answer or "data" in answer:
        return
    if string(answer.get("code")) == "429":
        raise SourceError("rate limited; a key of your own raises the limit")
    if not message.endswith("not found"):
        raise refusal(message)


def _papers(answer: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(answer, list):
        yield from objects(answer)
        return
    listed = objects(answer.get("data")) or objects(answer.get("recommendedPapers"))
    yield from map(_paper, listed)
    if not listed and "paperId" in answer:
        yield answer
    elif not listed and not any(
        name in answer for name in ("data", "recommendedPapers", "total", "error")
    ):
        raise SourceError(UNKNOWN_FORM)


def _paper(item: dict[str, Any]) -> dict[str, Any]:
    """The work of an edge or a search hit, with the passage that matched."""
    paper = mapping(item.get("citedPaper") or item.get("citingPaper") or item.get("paper")) or item
    passage = clean(mapping(item.get("snippet")).get("text"))
    return {**paper, "passage": passage} if passage else paper


def _edges(what: str, source: Source, limit: int, access: Access) -> list[Source]:
    """The works a source cites ("references") or that cite it ("citations"), most cited first."""
    name = _path_of(_key(source)) or (f"PMID:{source.pmid}" if source.pmid else "")
    fields = FIELDS.replace("publicationVenue,", "").replace("publicationTypes,", "")
    answer = (
        access.json(f"paper/{name}/{what}", {"fields": fields, "limit": _EDGES}) if name else None
    )
    works = (
        [work for work in map(_source, _papers(answer)) if work and work.title] if answer else []
    )
    works.sort(key=lambda work: (-(work.cited_by_count or 0), work.source_id))
    return works[:limit]


def _key(source: Source) -> str:
    return source.ids.get("semantic_scholar") or source.doi or source.arxiv_id or ""


def _path_of(key: str) -> str:
    paper = _PAPER.search(key)
    if paper:
        return paper.group(0)
    doi, arxiv_id = find_doi(key), find_arxiv_id(key)
    if doi and not is_preprint_doi(doi):
        return f"DOI:{quoted_doi(doi)}"
    arxiv_id = arxiv_id or (find_arxiv_id(doi.removeprefix(ARXIV_DOI)) if doi else None)
    return f"ARXIV:{arxiv_id}" if arxiv_id else ""


def _source(work: Mapping[str, Any]) -> Source | None:
    ids = mapping(work.get("externalIds"))
    doi, arxiv_id = find_doi(string(ids.get("DOI"))), find_arxiv_id(string(ids.get("ArXiv")))
    paper, corpus = (
        string(work.get("paperId")),
        string(work.get("corpusId")) or string(ids.get("CorpusId")),
    )
    url = _url(doi, arxiv_id, paper, corpus) if "authorId" not in work else ""
    if not url:
        return None
    venue, journal = mapping(work.get("publicationVenue")), mapping(work.get("journal"))
    pmc = string(ids.get("PubMedCentral")).upper().removeprefix("PMC")
    return make_source(
        url,
        clean(work.get("title")),
        doi=doi,
        arxiv_id=arxiv_id,
        pmid=string(ids.get("PubMed")),
        pmcid=pmc and f"PMC{pmc}",
        authors=tuple(clean(author.get("name")) for author in objects(work.get("authors"))),
        published=iso_date(work.get("publicationDate")) or partial_date(work.get("year")),
        source_type="academic",
        providers=("semantic_scholar",),
        venue=clean(journal.get("name")) or clean(work.get("venue")) or clean(venue.get("name")),
        issn=string(venue.get("issn")),
        cited_by_count=number(work.get("citationCount")),
        snippet=string(work.get("passage")),
        abstract=clean_paragraphs(work.get("abstract")),
        fulltext_url=link(mapping(work.get("openAccessPdf")).get("url")),
        ids={
            "semantic_scholar": paper,
            "corpus_id": corpus,
            **{name: string(ids.get(theirs)) for theirs, name in _IDS.items()},
        },
        fields=_fields(work, journal),
    )


def _url(doi: str | None, arxiv_id: str | None, paper: str, corpus: str) -> str:
    if doi or arxiv_id:
        return work_address(doi, f"https://arxiv.org/abs/{arxiv_id}")
    if paper:
        return f"https://www.semanticscholar.org/paper/{paper}"
    return f"https://api.semanticscholar.org/CorpusID:{corpus}" if corpus.isdigit() else ""


def _fields(work: Mapping[str, Any], journal: Mapping[str, Any]) -> dict[str, Any]:
    authors, copy = objects(work.get("authors")), mapping(work.get("openAccessPdf"))
    kinds = [string(kind) for kind in items(work.get("publicationTypes")) if string(kind)]
    return {
        "type": first(kinds) or "",
        "types": kinds,
        "volume": clean(journal.get("volume")),
        "pages": clean(journal.get("pages")),
        "author_ids": author_ids(
            "semantic_scholar", [author.get("authorId") for author in authors]
        ),
        "keywords": texts(work.get("fieldsOfStudy")),
        "open_access": string(copy.get("status")).lower(),
        "license": string(copy.get("license")),
        "reference_count": number(work.get("referenceCount")),
        "influential_citations": number(work.get("influentialCitationCount")),
    }


CLIENT = Client(
    "semantic_scholar",
    "Semantic Scholar",
    "academic",
    "https://api.semanticscholar.org/graph/v1/",
    search,
    min_interval=1.0,
    max_results=50,
    key="header:x-api-key",
    lookup=lookup,
    references=partial(_edges, "references"),
    citing=partial(_edges, "citations"),
    complete=complete,
    batch=_EDGES,
    # One request, for works it can be asked for by an id
    per_work=lambda source, what: 1 if _key(source) or source.pmid else 0,
)
