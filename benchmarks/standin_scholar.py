"""The scholarly services beside the first three, as a stand-in serves them: Semantic Scholar, CORE,
Google Scholar, and those that are asked about works: Unpaywall, OpenCitations, DOAJ."""

import json
from collections.abc import Callable
from html import escape
from typing import Any

from benchmarks import standin_texts as texts
from benchmarks.standin import Asked

BASES = {
    "semantic_scholar": "/semantic_scholar/",
    "core": "/core/",
    "google_scholar": "/google_scholar/scholar",
    "unpaywall": "/unpaywall/",
    "opencitations": "/opencitations/",
    "doaj": "/doaj/",
}
KNOWN = {"semantic_scholar": range(8, 22), "core": range(24, 34), "google_scholar": range(2, 12)}
JSON = "application/json"


def cited(number: int) -> list[int]:
    """The works a work cites: one more than OpenAlex knows of."""
    return [n for n in (number + 1, number + 2, number + 5) if n < texts.WORKS]


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode()


def _number(text: str) -> int | None:
    """The work in an address, by its DOI or by the id it has here."""
    last = (
        text.rpartition("10.5555/standin.")[2]
        if "10.5555/" in text
        else text.rpartition("/")[2].lstrip("0") or "0"
    )
    digits = last.split("/")[0].strip('"')
    return int(digits) if digits.isdigit() and int(digits) < texts.WORKS else None


def _count(request: Asked, name: str, most: int) -> int:
    value = request.query.get(name, "")
    return min(int(value), most) if value.isdigit() else most


def _paper(number: int) -> dict[str, Any]:
    return {
        "paperId": f"{number:040d}",
        "externalIds": {"DOI": texts.doi(number), "CorpusId": number + 1},
        "title": texts.title(number),
        "abstract": texts.abstract(number),
        "venue": texts.venue(number),
        "year": int(texts.published(number)[:4]),
        "publicationDate": texts.published(number),
        "authors": [
            {"authorId": f"{number}{i}", "name": f"{g} {f}"}
            for i, (g, f) in enumerate(texts.authors(number))
        ],
        "citationCount": (number * 13) % 200,
        "openAccessPdf": None,
    }


def _semantic_search(request: Asked, url: str) -> bytes:
    numbers = list(KNOWN["semantic_scholar"])[: _count(request, "limit", 100)]
    return _dump({"total": len(numbers), "offset": 0, "data": [_paper(n) for n in numbers]})


def _semantic_batch(request: Asked, url: str) -> bytes:
    numbers = [_number(name) for name in json.loads(request.body or b"{}").get("ids", ())]
    return _dump([_paper(n) if n is not None else None for n in numbers])


def _semantic_one(request: Asked, url: str) -> bytes | None:
    path, _, what = request.path.rpartition("/")
    number = _number(path if what in ("references", "citations") else request.path)
    if number is None:
        return None
    if what == "references":
        edges = [{"citedPaper": _paper(n)} for n in cited(number)]
        return _dump(
            {"offset": 0, "data": [*edges, {"citedPaper": {"paperId": None, "title": "Withdrawn"}}]}
        )
    if what == "citations":
        return _dump(
            {"data": [{"citingPaper": _paper(n)} for n in range(texts.WORKS) if number in cited(n)]}
        )
    return _dump(_paper(number))


def _core(request: Asked, url: str) -> bytes:
    query = request.query.get("q", "")
    number = _number(query) if query.startswith("doi:") else None
    numbers = (
        [number]
        if number is not None
        else list(KNOWN["core"])
        if not query.startswith("doi:")
        else []
    )
    works = [
        {
            "id": 1000 + n,
            "doi": texts.doi(n),
            "title": texts.title(n),
            "authors": [
                {"name": f"{family}, {first_name}"} for first_name, family in texts.authors(n)
            ],
            "abstract": texts.abstract(n),
            "publishedDate": f"{texts.published(n)}T00:00:00",
            "acceptedDate": "",
            "downloadUrl": f"{url}/page/{n}",
            "fullText": "Not available for public API users.",
        }
        for n in numbers[: _count(request, "limit", 10)]
    ]
    return _dump({"totalHits": len(works), "limit": 10, "offset": 0, "results": works})


def _google(request: Asked, url: str) -> bytes:
    blocks = [
        '<div class="gs_r gs_or gs_scl"><div class="gs_ri"><h3 class="gs_rt"><a '
        f'href="{url}/page/{n}">'
        f'{escape(texts.title(n))}</a></h3><div class="gs_a">{texts.authors(n)[0][0]} '
        f"{texts.authors(n)[0][1]} - "
        f"{escape(texts.venue(n))}, {texts.published(n)[:4]} - Stand-in</div><div "
        'class="gs_rs">…</div>'
        f'<div class="gs_fl"><a href="/scholar?cites=7{n}">Cited by {n}</a></div></div></div>'
        for n in KNOWN["google_scholar"]
    ]
    return f'<html><body><div id="gs_res_ccl_mid">{"".join(blocks)}</div></body></html>'.encode()


def _unpaywall(request: Asked, url: str) -> bytes | None:
    number = _number(request.path)
    if number is None:
        return None
    place = {
        "url": f"{url}/page/{number}",
        "url_for_pdf": None,
        "host_type": "repository",
        "version": "acceptedVersion",
    }
    return _dump(
        {
            "doi": texts.doi(number),
            "title": texts.title(number),
            "is_oa": True,
            "best_oa_location": place,
        }
    )


def _edges(request: Asked, url: str) -> bytes | None:
    number = _number(request.path)
    if number is None:
        return None
    if "/references/" in request.path:
        pairs = [(number, n) for n in cited(number)]
    else:
        pairs = [(n, number) for n in range(texts.WORKS) if number in cited(n)]
    edges = [
        {
            "oci": f"06{a}-06{b}",
            "citing": f"omid:br/06{a} doi:{texts.doi(a)}",
            "cited": f"omid:br/06{b} doi:{texts.doi(b)}",
            "creation": texts.published(a)[:7],
        }
        for a, b in pairs
    ]
    return _dump(edges)


def _meta(request: Asked, url: str) -> bytes:
    numbers = [n for part in request.path.split("__") if (n := _number(part)) is not None]
    works = [
        {
            "id": f"doi:{texts.doi(n)} omid:br/06{n}",
            "title": texts.title(n),
            "author": "; ".join(
                f"{family}, {first_name} [omid:ra/{n}]" for first_name, family in texts.authors(n)
            ),
            "pub_date": texts.published(n),
            "venue": f"{texts.venue(n)} [issn:1234-5678]",
            "type": "journal article",
        }
        for n in numbers
    ]
    return _dump(works)


def _doaj(request: Asked, url: str) -> bytes:
    return _dump({"total": 0, "page": 1, "pageSize": 3, "results": []})


Answer = Callable[..., bytes | None]
SERVICES: tuple[tuple[str, str, str, Answer], ...] = (
    ("semantic_scholar", "/semantic_scholar/paper/search", JSON, _semantic_search),
    ("semantic_scholar", "/semantic_scholar/paper/batch", JSON, _semantic_batch),
    ("semantic_scholar", "/semantic_scholar/paper/", JSON, _semantic_one),
    ("core", "/core/search/works/", JSON, _core),
    ("google_scholar", "/google_scholar/scholar", "text/html", _google),
    ("unpaywall", "/unpaywall/", JSON, _unpaywall),
    ("opencitations", "/opencitations/index/v2/", JSON, _edges),
    ("opencitations", "/opencitations/meta/v1/", JSON, _meta),
    ("doaj", "/doaj/search/", JSON, _doaj),
)
