"""Serper: Google's web results with a key. https://serper.dev

It takes its questions as posted JSON, the key in X-API-KEY. Dates come in words ("Jan 29, 2023", "2
days ago"). Answers of searchapi.io have the same parts under slightly other names and are read as
well.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from tools.errors import SourceError
from tools.net.request import Response
from tools.sources.answer_fields import clean, distinct, link, mapping, objects, readable
from tools.sources.client import UNKNOWN_FORM, Access, Client, Filters, accepted, read_object
from tools.sources.queries import first_day, last_day, spoken, web_query
from tools.sources.source import Source, titled_source
from tools.sources.web.web_dates import written_date

_LONGEST_QUERY = 1000
_MOST = 100


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Web pages, best first."""
    values = _body(query, limit, filters)
    if filters.since or filters.until:
        values["tbs"] = _between(filters.since, filters.until)
    answer = access.post("search", values)
    return parse(_content(answer), access.answer_day)


def search_images(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Images, best first; a source is the page that shows one, `fields["image"]` the image
    itself."""
    return parse_images(_content(access.post("images", _body(query, limit, filters))))


def _body(query: str, limit: int, filters: Filters) -> dict[str, Any]:
    language, country = spoken(filters.lang)
    return {
        "q": web_query(query, filters.sites, filters.exclude_sites, _LONGEST_QUERY),
        "num": min(limit, _MOST),
        **({"hl": language} if language else {}),
        **({"gl": country} if country else {}),
    }


def _content(response: Response) -> bytes:
    if response.status >= 400:
        _answer(response.content)  # it says why
    return accepted(response)


def parse(data: bytes, today: str = "") -> list[Source]:
    """Results of an answer. today: ISO date from which "2 days ago" counts. Raises SourceError for
    an error."""
    answer = _answer(data)
    if not any(
        name in answer
        for name in ("organic", "organic_results", "searchParameters", "search_parameters")
    ):
        raise SourceError(UNKNOWN_FORM)
    results = objects(answer.get("organic") or answer.get("organic_results"))
    return readable(results, lambda item: _source(item, today))


def parse_images(data: bytes) -> list[Source]:
    """Images of an answer. Raises SourceError for an error."""
    listed = _answer(data).get("images")
    if not isinstance(listed, list):
        raise SourceError(UNKNOWN_FORM)
    return list(filter(None, map(_image, objects(listed))))


def _answer(data: bytes) -> dict[str, Any]:
    answer = read_object(data)
    if message := clean(answer.get("message") or answer.get("error")):
        raise SourceError(f"answered with an error ({message[:120].rstrip('.')})")
    return answer


def _image(item: Mapping[str, Any]) -> Source | None:
    image = link(item.get("imageUrl"))
    fields = {
        "image": image,
        "thumbnail": link(item.get("thumbnailUrl")),
        "site": clean(item.get("source")),
    }
    return titled_source(
        link(item.get("link")) if image else "",
        clean(item.get("title")) or image,
        providers=("serper",),
        fields=fields,
    )


def _between(since: str | None, until: str | None) -> str:
    """Google's date range, M/D/YYYY."""
    ends = (
        ("cd_min", first_day(since) if since else ""),
        ("cd_max", last_day(until) if until else ""),
    )
    days = ((name, date.fromisoformat(day)) for name, day in ends if day)
    return ",".join(["cdr:1", *(f"{name}:{d.month}/{d.day}/{d.year}" for name, d in days)])


def _source(item: Mapping[str, Any], today: str) -> Source | None:
    inner = item.get("sitelinks")
    # searchapi.io groups them: {"inline": [...], "expanded": [...]}
    below = objects(inner) or [part for kind in mapping(inner).values() for part in objects(kind)]
    fields = {
        "site": clean(item.get("source")),
        "thumbnail": link(item.get("imageUrl") or item.get("thumbnail")),
        "related": distinct(link(part.get("link")) for part in below),
    }
    return titled_source(
        link(item.get("link")),
        clean(item.get("title")),
        published=written_date(item.get("date"), today),
        providers=("serper",),
        snippet=clean(item.get("snippet")),
        fields=fields,
    )


CLIENT = Client(
    "serper",
    "Serper",
    "web",
    "https://google.serper.dev/",
    search,
    min_interval=0.1,
    deadline=15.0,
    max_results=10,
    key="header:X-API-KEY",
    key_required=True,
    keep="web",
)
IMAGES = replace(CLIENT, search=search_images)
