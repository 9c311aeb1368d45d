"""The web search services and feeds of the stand-in: answers in the form of Brave, SearXNG, Tavily,
Serper and RSS.

What a user has to set up (a key, an address) is off in the stand-in's settings; a test turns it on.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape

from benchmarks import standin_texts as texts
from benchmarks.standin import Asked

BASES = {
    "brave": "/brave/res/v1/",
    "searxng": "/searxng/",
    "tavily": "/tavily/",
    "serper": "/serper/",
    "feeds": "/feeds/news.xml",
}
OFF = ("searxng", "feeds")
KNOWN = {
    "brave": range(44, 54),
    "searxng": range(46, 56),
    "tavily": range(42, 48),
    "serper": range(48, 56),
}
FEED = range(54, 60)
JSON = "application/json"


def brave(request: Asked, url: str) -> bytes:
    results = [
        {
            "title": texts.title(n),
            "url": f"{url}/page/{n}",
            "description": f"<strong>{escape(texts.facts(n)[0])}</strong>",
            "page_age": f"{texts.published(n)}T00:00:00",
            "language": "en",
            "type": "search_result",
        }
        for n in _works(request, "brave", "count")
    ]
    return _dump(
        {
            "type": "search",
            "query": {"original": request.query.get("q", "")},
            "web": {"results": results},
        }
    )


def searxng(request: Asked, url: str) -> bytes:
    results = [
        {
            "title": texts.title(n),
            "url": f"{url}/page/{n}",
            "content": texts.facts(n)[0],
            "publishedDate": f"{texts.published(n)}T00:00:00",
            "engines": ["standin"],
        }
        for n in KNOWN["searxng"]
    ]
    return _dump(
        {"query": request.query.get("q", ""), "results": results, "unresponsive_engines": []}
    )


def tavily(request: Asked, url: str) -> bytes:
    results = [
        {
            "title": texts.title(n),
            "url": f"{url}/page/{n}",
            "content": texts.facts(n)[0],
            "score": 0.9,
        }
        for n in _works(request, "tavily", "max_results")
    ]
    return _dump(
        {"query": request.query.get("query", ""), "results": results, "response_time": 0.1}
    )


def serper(request: Asked, url: str) -> bytes:
    organic = [
        {
            "title": texts.title(n),
            "link": f"{url}/page/{n}",
            "snippet": texts.facts(n)[0],
            "date": _day(n).strftime("%b %d, %Y"),
            "position": place,
        }
        for place, n in enumerate(_works(request, "serper", "num"), 1)
    ]
    return _dump(
        {
            "searchParameters": {"q": request.query.get("q", ""), "type": "search"},
            "organic": organic,
        }
    )


def feed(request: Asked, url: str) -> bytes:
    entries = "".join(
        f"<item><title>{escape(texts.title(n))}</title><link>{url}/page/{n}</link>"
        f"<description>{escape(texts.facts(n)[0])}</description>"
        f"<pubDate>{format_datetime(_day(n))}</pubDate></item>"
        for n in FEED
    )
    return f'<rss version="2.0"><channel><title>Stand-in</title>{entries}</channel></rss>'.encode()


def _day(number: int) -> datetime:
    return datetime.fromisoformat(texts.published(number)).replace(tzinfo=UTC)


def _works(request: Asked, name: str, count: str) -> list[int]:
    count_text = request.query.get(count, "")
    return list(KNOWN[name])[: int(count_text) if count_text.isdigit() else None]


def _dump(value: object) -> bytes:
    return json.dumps(value).encode()


# Client, path below the server, media type, answer
SERVICES: tuple[tuple[str, str, str, Callable[..., bytes]], ...] = (
    ("brave", "/brave/res/v1/web/search", JSON, brave),
    ("searxng", "/searxng/search", JSON, searxng),
    ("tavily", "/tavily/search", JSON, tavily),
    ("serper", "/serper/search", JSON, serper),
    ("feeds", "/feeds/", "application/rss+xml", feed),
)
