"""Wikipedia: articles by full-text search with their introductions. https://www.mediawiki.org/wiki/API:Search

The introduction is kept as the snippet; what an article says is evidence only once the page itself
was read.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from tools.sources.answer_fields import (
    clean,
    first,
    iso_date,
    link,
    mapping,
    number,
    objects,
    string,
)
from tools.sources.client import Access, Client, Filters, accepted, read_object, refusal
from tools.sources.queries import plain_query
from tools.sources.source import Source, make_source

_LONGEST_QUERY = 280  # CirrusSearch refuses more than 300 characters
_MOST_WORDS = 6  # all of them must occur in an article
_SNIPPET = 1500
_OWN_HOST = re.compile(r"^https://[a-z-]+\.wikipedia\.org/")


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Articles that match, best first, in the language of the filter or of the base_url."""
    base = access.settings.base_url
    if filters.lang and re.fullmatch(r"[a-zA-Z]{2,3}", filters.lang[:2]):
        base = _OWN_HOST.sub(f"https://{filters.lang[:2].lower()}.wikipedia.org/", base)
    params: dict[str, str | int] = {
        "action": "query",
        "format": "json",
        "formatversion": 2,
        "generator": "search",
        "gsrsearch": plain_query(query, _LONGEST_QUERY, _MOST_WORDS),
        "gsrnamespace": 0,
        "gsrlimit": min(limit, 20),
        "prop": "extracts|info|revisions",
        "exintro": 1,
        "explaintext": 1,
        "exlimit": 20,
        "inprop": "url",
        "rvprop": "timestamp",
    }
    return parse(accepted(access.get(base, params)), base)


def parse(data: bytes, base: str = "https://en.wikipedia.org/w/api.php") -> list[Source]:
    """Articles of a search, or of a query for pages. base: the API's address, which gives links and
    language.

    Raises SourceError when MediaWiki reports an error (it does so with status 200).
    """
    answer = read_object(data)
    if "error" in answer:
        raise refusal(mapping(answer["error"]).get("info"))
    query = mapping(answer.get("query"))
    others = [
        hit for hits in mapping(query.get("interwikisearch")).values() for hit in objects(hits)
    ]
    sources = (
        _source(hit, base) for hit in [*objects(query.get("search")), *_pages(query), *others]
    )
    return list(filter(None, sources))


def _pages(query: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Pages in the order of the search; older format versions give them as an object by page id."""
    pages = query.get("pages")
    listed = objects(list(pages.values())) if isinstance(pages, dict) else objects(pages)
    return sorted(listed, key=lambda page: number(page.get("index")) or 0)


def _source(page: Mapping[str, Any], base: str) -> Source | None:
    title = clean(page.get("title"))
    if not title or any(page.get(name) not in (None, False) for name in ("missing", "invalid")):
        return None
    url = _address(page, title, base)
    subdomain = re.match(r"https?://([a-z]{2,3})\.", url)
    revision = mapping(first(page.get("revisions")))
    fields = {
        "type": "encyclopedia",
        "words": number(page.get("wordcount")),
        "page_id": number(page.get("pageid")),
    }
    return make_source(
        url,
        title,
        published=iso_date(page.get("timestamp") or revision.get("timestamp")),
        providers=("wikipedia",),
        venue="Wikipedia" if ".wikipedia.org" in url or not page.get("url") else None,
        language=string(page.get("pagelanguage")) or (subdomain[1] if subdomain else None),
        snippet=clean(page.get("extract") or page.get("snippet"))[:_SNIPPET],
        fields=fields,
    )


def _address(page: Mapping[str, Any], title: str, base: str) -> str:
    parts = urlsplit(base)
    by_title = (
        f"{parts.scheme}://{parts.netloc}/wiki/{quote(title.replace(' ', '_'), safe='()/,:!*')}"
    )
    return link(page.get("fullurl")) or link(page.get("url")) or by_title


CLIENT = Client(
    "wikipedia",
    "Wikipedia",
    "web",
    "https://en.wikipedia.org/w/api.php",
    search,
    min_interval=0.2,
    deadline=15.0,
    max_results=20,
    keep="web",
)
