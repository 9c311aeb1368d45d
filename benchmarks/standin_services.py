"""The source services and the pages they lead to, as a stand-in serves them: a whole research runs
against it.

    with serve() as server:
        world = mount(server)
        world.settings   # names of the configuration table -> values that point every client here

With `start()` the server runs in a process of its own. Delays are seconds per service ("openalex",
"page", ...).
"""

import argparse
import html
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import standin_medicine, standin_scholar, standin_texts as texts, standin_web
from benchmarks.standin import Asked, Reply, Standin

# Which works each service knows; they overlap, so that records of one work meet
KNOWN: dict[str, range] = {
    "openalex": range(20),
    "crossref": range(12, 32),
    "arxiv": range(30, 40),
    "wikipedia": range(40, 45),
    "duckduckgo": range(44, 54),
    "newsroom": range(54, 60),
}
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class World:
    """A mounted world. settings: rows of the configuration table, by name."""

    url: str
    settings: Mapping[str, Any] = field(default_factory=dict)


def world_at(url: str) -> World:
    """What the engine has to be told so that every client asks here."""
    bases = {
        "openalex": "/openalex/",
        "crossref": "/crossref/",
        "arxiv": "/arxiv/",
        "wikipedia": "/wikipedia/w/api.php",
        "duckduckgo": "/duckduckgo/html/",
        "newsroom": "/newsroom/",
        **standin_medicine.BASES,
    }
    bases |= standin_web.BASES | standin_scholar.BASES
    settings: dict[str, Any] = {
        f"sources.{name}.base_url": url + path for name, path in bases.items()
    }
    settings |= {f"sources.{name}.min_interval": 0 for name in bases}
    settings |= {f"sources.{name}.enabled": False for name in standin_web.OFF}
    settings["newsroom.url"] = url + bases["newsroom"]
    settings["http.allow_fetch_hosts"] = [url.removeprefix("http://")]
    return World(url, settings)


def mount(
    server: Standin, delays: Mapping[str, float] | None = None, characters: int = 50_000
) -> World:
    """Serve the world. characters: about how long a page's text is."""
    delays = delays or {}
    pages: dict[int, bytes] = {}  # made when first asked for

    def route(name: str, answer: Any, media_type: str = JSON) -> Any:
        def reply(request: Asked) -> Reply:
            body = answer(request)
            status = 200 if body is not None else 404
            return Reply(
                body or b"not found", status, media_type=media_type, delay=delays.get(name, 0.0)
            )

        return reply

    def page(request: Asked) -> bytes | None:
        name = request.path.rpartition("/")[2]
        number = int(name) if name.isdigit() else texts.WORKS
        if number < texts.WORKS and number not in pages:
            pages[number] = _page(number, characters).encode()
        return pages.get(number)

    url = server.url
    server.on("/openalex/works", route("openalex", lambda request: _openalex(request, url)))
    server.on("/openalex/works/", route("openalex", lambda request: _openalex_one(request, url)))
    server.on("/crossref/works", route("crossref", lambda request: _crossref(request, url)))
    server.on("/crossref/works/", route("crossref", lambda request: _crossref_one(request, url)))
    server.on(
        "/arxiv/query", route("arxiv", lambda request: _arxiv(request, url), "application/atom+xml")
    )
    server.on("/wikipedia/w/api.php", route("wikipedia", lambda request: _wikipedia(request, url)))
    server.on(
        "/duckduckgo/html/", route("duckduckgo", lambda request: _duckduckgo(url), "text/html")
    )
    server.on("/newsroom/", route("newsroom", lambda request: _newsroom(request, url)))
    for name, path, media_type, answer in (*standin_web.SERVICES, *standin_scholar.SERVICES):
        server.on(path, route(name, partial(answer, url=url), media_type))
    for place, service, reply, kind in standin_medicine.routes(url):
        server.on(place, route(service, reply, kind))
    server.on("/page/", route("page", page, "text/html; charset=utf-8"))
    return world_at(url)


def enlarge(works: int) -> None:
    """Make the world of this process one of so many works, shared out among the services that give
    open copies."""
    texts.WORKS, part = works, works // 3
    KNOWN.update(openalex=range(part), crossref=range(part, 2 * part), arxiv=range(2 * part, works))


@contextmanager
def start(
    delays: Mapping[str, float] | None = None, characters: int = 50_000, works: int = texts.WORKS
) -> Iterator[World]:
    """The world in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.standin_services", "--characters", str(characters)]
    command += ["--works", str(works)]
    command += [f"--delay={name}={seconds}" for name, seconds in (delays or {}).items()]
    root = Path(__file__).resolve().parent.parent
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield world_at(process.stdout.readline().strip())
        finally:
            process.terminate()


def main() -> None:
    """Serve until stopped; the first line printed is the address."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", action="append", default=[], metavar="SERVICE=SECONDS")
    parser.add_argument("--characters", type=int, default=50_000)
    parser.add_argument("--works", type=int, default=texts.WORKS)
    options = parser.parse_args()
    if options.works > texts.WORKS:
        enlarge(options.works)
    server = Standin()
    pairs = (pair.partition("=") for pair in options.delay)
    mount(server, {name: float(seconds) for name, _, seconds in pairs}, options.characters)
    print(server.url, flush=True)
    while True:
        time.sleep(3600)


def _page(number: int, characters: int) -> str:
    body = "\n".join(f"<p>{html.escape(text)}</p>" for text in texts.paragraphs(number, characters))
    people = "".join(
        f'<meta name="citation_author" content="{g} {f}">' for g, f in texts.authors(number)
    )
    name = html.escape(texts.title(number))
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{name}</title>{people}'
        f'<meta name="citation_publication_date" content="{texts.published(number)}"></head><body>'
        f'<nav><a href="/">Home</a> <a href="/page/{(number + 1) % texts.WORKS}">Next '
        "article</a></nav>"
        f"<main><article><h1>{name}</h1>\n{body}\n</article></main><footer>Terms of "
        "use</footer></body></html>"
    )


def _count(request: Asked, name: str, most: int) -> int:
    value = request.query.get(name, "")
    return min(int(value), most) if value.isdigit() else most


def _dump(value: Any) -> bytes:
    return json.dumps(value).encode()


def _openalex(request: Asked, url: str) -> bytes:
    filters = request.query.get("filter", "")
    numbers = list(KNOWN["openalex"])
    if filters.startswith("openalex:"):
        numbers = [int(w.removeprefix("W9")) for w in filters.removeprefix("openalex:").split("|")]
    elif filters.startswith("doi:"):
        ends = [part.rpartition(".")[2] for part in filters.removeprefix("doi:").split("|")]
        numbers = [int(end) for end in ends if end.isdigit() and int(end) < texts.WORKS]
    elif filters.startswith("cites:"):
        cited = int(filters.removeprefix("cites:W9"))
        numbers = [n for n in range(texts.WORKS) if cited in _cited(n)]
    works = [_openalex_work(n, url) for n in numbers[: _count(request, "per_page", 200)]]
    return _dump(
        {"meta": {"count": len(works), "page": 1, "per_page": 25}, "results": works, "group_by": []}
    )


def _openalex_one(request: Asked, url: str) -> bytes | None:
    number = (
        request.path.rpartition(".")[2]
        if "doi:" in request.path
        else request.path.rpartition("W9")[2]
    )
    return (
        _dump(_openalex_work(int(number), url))
        if number.isdigit() and int(number) < texts.WORKS
        else None
    )


def _cited(number: int) -> list[int]:
    return [
        n
        for n in (number + 1, number + 5, (number * 7) % texts.WORKS)
        if n != number and n < texts.WORKS
    ]


def _openalex_work(number: int, url: str) -> dict[str, Any]:
    words: dict[str, list[int]] = {}
    for at, word in enumerate(texts.abstract(number).split()):
        words.setdefault(word, []).append(at)
    copy = {"is_oa": True, "pdf_url": None, "landing_page_url": f"{url}/page/{number}"}
    source = {
        "display_name": texts.venue(number),
        "issn_l": f"1234-{number:04d}",
        "host_organization_name": "Stand-in",
    }
    return {
        "id": f"https://openalex.org/W9{number}",
        "doi": f"https://doi.org/{texts.doi(number)}",
        "title": texts.title(number),
        "publication_year": int(texts.published(number)[:4]),
        "publication_date": texts.published(number),
        "ids": {"openalex": f"https://openalex.org/W9{number}"},
        "language": "en",
        "type": "article",
        "primary_location": {**copy, "source": source, "license": "cc-by"},
        "best_oa_location": copy,
        "locations": [copy],
        "open_access": {"is_oa": True, "oa_status": "gold", "oa_url": f"{url}/page/{number}"},
        "authorships": [
            {
                "author": {
                    "id": f"https://openalex.org/A{number}{i}",
                    "display_name": f"{first_name} {family}",
                }
            }
            for i, (first_name, family) in enumerate(texts.authors(number))
        ],
        "cited_by_count": (number * 13) % 200,
        "is_retracted": False,
        "biblio": {"volume": "1", "first_page": str(number), "last_page": str(number + 9)},
        "referenced_works": [f"https://openalex.org/W9{n}" for n in _cited(number)],
        "abstract_inverted_index": words,
    }


def _crossref(request: Asked, url: str) -> bytes:
    filters = request.query.get("filter", "")
    numbers = list(KNOWN["crossref"])
    if filters.startswith("doi:"):
        ends = [part.rpartition(".")[2] for part in filters.split(",")]
        numbers = [int(end) for end in ends if end.isdigit() and int(end) < texts.WORKS]
    works = [_crossref_work(n, url) for n in numbers[: _count(request, "rows", 200)]]
    return _dump(
        {
            "status": "ok",
            "message-type": "work-list",
            "message": {"total-results": 20, "items": works},
        }
    )


def _crossref_one(request: Asked, url: str) -> bytes | None:
    number = request.path.rpartition(".")[2]
    if not number.isdigit() or int(number) >= texts.WORKS:
        return None
    return _dump(
        {"status": "ok", "message-type": "work", "message": _crossref_work(int(number), url)}
    )


def _crossref_work(number: int, url: str) -> dict[str, Any]:
    return {
        "DOI": texts.doi(number),
        "title": [texts.title(number)],
        "author": [
            {"given": first_name, "family": family} for first_name, family in texts.authors(number)
        ],
        "issued": {"date-parts": [[int(part) for part in texts.published(number).split("-")]]},
        "container-title": [texts.venue(number)],
        "ISSN": [f"1234-{number:04d}"],
        "publisher": "Stand-in",
        "type": "journal-article",
        "abstract": f"<jats:p>{html.escape(texts.abstract(number))}</jats:p>",
        "is-referenced-by-count": (number * 13) % 200,
        "license": [{"URL": "https://creativecommons.org/licenses/by/4.0/"}],
        "link": [
            {
                "URL": f"{url}/page/{number}",
                "content-type": "text/html",
                "intended-application": "text-mining",
            }
        ],
        "reference": [{"key": str(n), "DOI": texts.doi(n)} for n in _cited(number)],
    }


def _arxiv(request: Asked, url: str) -> bytes:
    entries = []
    for number in list(KNOWN["arxiv"])[: _count(request, "max_results", 100)]:
        people = "".join(f"<author><name>{g} {f}</name></author>" for g, f in texts.authors(number))
        entries.append(
            f"<entry><id>http://arxiv.org/abs/2401.{number:05d}v1</id><title>{html.escape(texts.title(number))}</title>"
            f"<summary>{html.escape(texts.abstract(number))}</summary><published>{texts.published(number)}T00:00:00Z"
            f'</published>{people}<link title="pdf" href="{url}/page/{number}" '
            'rel="related"/></entry>'
        )
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>q</title>{"".join(entries)}</feed>'.encode()


def _wikipedia(request: Asked, url: str) -> bytes:
    pages = [
        {
            "pageid": number,
            "ns": 0,
            "title": texts.title(number),
            "index": place,
            "extract": texts.abstract(number),
            "fullurl": f"{url}/page/{number}",
            "pagelanguage": "en",
            "revisions": [{"timestamp": f"{texts.published(number)}T00:00:00Z"}],
        }
        for place, number in enumerate(KNOWN["wikipedia"], 1)
    ]
    return _dump(
        {"batchcomplete": True, "query": {"pages": pages[: _count(request, "gsrlimit", 10)]}}
    )


def _duckduckgo(url: str) -> bytes:
    blocks = [
        '<div class="result results_links web-result"><h2><a class="result__a" '
        f'href="{url}/page/{number}">'
        f'{html.escape(texts.title(number))}</a></h2><a class="result__snippet" '
        f'href="{url}/page/{number}">'
        f"{html.escape(texts.facts(number)[0])}</a></div>"
        for number in KNOWN["duckduckgo"]
    ]
    return f'<html><body><div id="links">{"".join(blocks)}</div></body></html>'.encode()


def _newsroom(request: Asked, url: str) -> bytes:
    articles = [
        {
            "headline": texts.title(number),
            "date": texts.published(number),
            "topic_tags": ["health"],
            "geography_tags": ["Europe"],
            "country_tags": ["DE"],
            "url": f"{url}/page/{number}",
            "source": "The Stand-in",
        }
        for number in KNOWN["newsroom"]
    ]
    return _dump({"articles": articles[: _count(request, "limit", 25)], "pagination": {"page": 1}})


if __name__ == "__main__":
    main()
