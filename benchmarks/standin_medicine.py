"""The biomedical services of the stand-in: Europe PMC, PubMed, PMC, bioRxiv, medRxiv, in the forms
of the real ones."""

import html
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from benchmarks import standin_texts as texts
from benchmarks.standin import Asked

# Which works each service knows. PubMed names no open copy, so its works are among those of
# OpenAlex and Crossref.
KNOWN: Mapping[str, range] = {
    "europepmc": range(6, 14),
    "pubmed": range(14, 22),
    "pmc": range(20, 28),
    "biorxiv": range(32, 36),
    "medrxiv": range(36, 40),
}
BASES: Mapping[str, str] = {name: f"/{name}/" for name in KNOWN}
JSON, XML = "application/json", "text/xml"
Route = tuple[str, str, Callable[[Asked], bytes | None], str]


def routes(url: str) -> list[Route]:
    """(path, service, what answers, media type) of everything served here."""
    routes: list[Route] = [
        ("/europepmc/search", "europepmc", partial(_search, "europepmc", "", url=url), JSON),
        ("/europepmc/MED/", "europepmc", partial(_related, url=url), JSON),
    ]
    for name, label in (("biorxiv", "bioRxiv"), ("medrxiv", "medRxiv")):
        routes.append((f"/{name}/search", name, partial(_search, name, label, url=url), JSON))
        routes.append((f"/{name}/details/", name, partial(_details, label, url=url), JSON))
    for name in ("pubmed", "pmc"):
        routes.append((f"/{name}/esearch.fcgi", name, partial(_esearch, name), JSON))
        routes.append((f"/{name}/efetch.fcgi", name, _efetch, XML))
        routes.append((f"/{name}/elink.fcgi", name, _elink, JSON))
    return routes


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode()


def _cited(number: int) -> list[int]:
    return [n for n in (number + 1, number + 5) if n < texts.WORKS]


def _numbers(name: str, request: Asked, size: str) -> list[int]:
    query = request.query.get("query", request.query.get("term", ""))
    dotted = query.rpartition("10.5555/standin.")[2].split('"')[0]
    numbers = list(KNOWN[name])
    if "10.5555/standin." in query:
        numbers = [int(dotted)] if dotted.isdigit() and int(dotted) < texts.WORKS else []
    most = request.query.get(size, "")
    return numbers[: int(most) if most.isdigit() else 25]


def _search(name: str, server: str, request: Asked, url: str) -> bytes:
    works = [_record(number, url, server) for number in _numbers(name, request, "pageSize")]
    return _dump({"version": "6.9", "hitCount": len(works), "resultList": {"result": works}})


def _related(request: Asked, url: str) -> bytes | None:
    _, _, rest = request.path.partition("/MED/")
    work_id, _, what = rest.partition("/")
    if not work_id.isdigit():
        return None
    number = int(work_id) - 1000
    if what == "references":
        return _dump({"referenceList": {"reference": [_record(n, url) for n in _cited(number)]}})
    numbers = [n for n in range(texts.WORKS) if number in _cited(n)]
    return _dump({"citationList": {"citation": [_record(n, url) for n in numbers]}})


def _record(number: int, url: str, server: str = "") -> dict[str, Any]:
    people = [
        {"firstName": first_name, "lastName": family}
        for first_name, family in texts.authors(number)
    ]
    work_id = f"PPR{1000 + number}" if server else str(1000 + number)
    place = {"bookOrReportDetails": {"publisher": server}} if server else _journal(number)
    copy = {"availabilityCode": "OA", "documentStyle": "html", "url": f"{url}/page/{number}"}
    return {
        "id": work_id,
        "source": "PPR" if server else "MED",
        "doi": texts.doi(number),
        "title": f"{texts.title(number)}.",
        "authorList": {"author": people},
        "abstractText": html.escape(texts.abstract(number)),
        "language": "eng",
        "pubTypeList": {"pubType": ["Preprint" if server else "Journal Article"]},
        "fullTextUrlList": {"fullTextUrl": [copy]},
        "isOpenAccess": "Y",
        "citedByCount": (number * 13) % 200,
        "firstPublicationDate": texts.published(number),
        **place,
    }


def _journal(number: int) -> dict[str, Any]:
    return {
        "journalInfo": {
            "volume": "1",
            "journal": {"title": texts.venue(number), "issn": f"1234-{number:04d}"},
        }
    }


def _details(server: str, request: Asked, url: str) -> bytes:
    suffix = request.path.rpartition("10.5555/standin.")[2].split("/")[0]
    if not suffix.isdigit() or int(suffix) >= texts.WORKS:
        return _dump({"messages": [{"status": "no posts found"}], "collection": []})
    number = int(suffix)
    row = {
        "title": texts.title(number),
        "authors": "; ".join(
            f"{family}, {first_name}" for first_name, family in texts.authors(number)
        ),
        "doi": texts.doi(number),
        "date": texts.published(number),
        "version": "1",
        "type": "new results",
        "license": "cc_by",
        "category": "neuroscience",
        "jatsxml": f"{url}/page/{number}",
        "abstract": texts.abstract(number),
        "published": "NA",
        "server": server,
    }
    return _dump({"messages": [{"status": "ok"}], "collection": [row]})


def _esearch(name: str, request: Asked) -> bytes:
    ids = [str(1000 + number) for number in _numbers(name, request, "retmax")]
    return _dump(
        {"header": {"type": "esearch"}, "esearchresult": {"count": str(len(ids)), "idlist": ids}}
    )


def _elink(request: Asked) -> bytes:
    work_id = request.query.get("id", "")
    number = int(work_id) - 1000 if work_id.isdigit() else texts.WORKS
    refs = request.query.get("linkname", "").endswith("_refs")
    numbers = _cited(number) if refs else [n for n in range(texts.WORKS) if number in _cited(n)]
    links = [{"dbto": "pubmed", "links": [str(1000 + n) for n in numbers]}]
    return _dump({"linksets": [{"dbfrom": "pubmed", "ids": [work_id], "linksetdbs": links}]})


def _efetch(request: Asked) -> bytes:
    numbers = [
        int(work_id) - 1000
        for work_id in request.query.get("id", "").split(",")
        if work_id.isdigit()
    ]
    works = [number for number in numbers if 0 <= number < texts.WORKS]
    if request.query.get("db") == "pmc":
        return f"<pmc-articleset>{''.join(map(_jats, works))}</pmc-articleset>".encode()
    return f"<PubmedArticleSet>{''.join(map(_article, works))}</PubmedArticleSet>".encode()


def _article(number: int) -> str:
    year, month, day = texts.published(number).split("-")
    people = "".join(
        f"<Author><LastName>{family}</LastName><ForeName>{first_name}</ForeName></Author>"
        for first_name, family in texts.authors(number)
    )
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{1000 + number}</"
        "PMID><Article><Journal><JournalIssue><PubDate>"
        f"<Year>{year}</Year><Month>{month}</Month><Day>{day}</Day></PubDate></JournalIssue>"
        f"<Title>{html.escape(texts.venue(number))}</Title></Journal>"
        f"<ArticleTitle>{html.escape(texts.title(number))}.</ArticleTitle><Abstract><AbstractText>"
        f"{html.escape(texts.abstract(number))}</AbstractText></Abstract><AuthorList>{people}</AuthorList>"
        f"<Language>eng</Language></Article></MedlineCitation><PubmedData><ArticleIdList>"
        "<ArticleId "
        f'IdType="doi">{texts.doi(number)}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>'
    )


def _jats(number: int) -> str:
    year, month, day = texts.published(number).split("-")
    people = "".join(
        "<contrib "
        f'contrib-type="author"><name><surname>{family}</surname><given-names>{first_name}</given-names>'
        "</name></contrib>"
        for first_name, family in texts.authors(number)
    )
    body = "".join(f"<p>{html.escape(text)}</p>" for text in texts.paragraphs(number, 1000))
    return (
        f"<article><front><journal-meta><journal-title>{html.escape(texts.venue(number))}</journal-title>"
        "</journal-meta><article-meta><article-id "
        f'pub-id-type="pmcid">PMC{1000 + number}</article-id>'
        "<article-id "
        f'pub-id-type="doi">{texts.doi(number)}</article-id><title-group><article-title>'
        f"{html.escape(texts.title(number))}</article-title></title-group><contrib-group>{people}</contrib-group>"
        "<pub-date "
        f'pub-type="epub"><day>{day}</day><month>{month}</month><year>{year}</year></pub-date>'
        f"<abstract><p>{html.escape(texts.abstract(number))}</p></abstract></article-meta></front>"
        f"<body>{body}</body></article>"
    )
