"""Tavily: web search with a key. https://docs.tavily.com/documentation/api-reference/endpoint/search

It takes its questions as posted JSON, the key as a bearer token. `content` is an extract it made: a
snippet, never evidence. A used-up plan answers with 432 or 433.
"""

from collections.abc import Mapping
from typing import Any

from tools.errors import SourceError
from tools.sources.answer_fields import clean, link, mapping, objects, readable
from tools.sources.client import Access, Client, Filters, accepted, read_object
from tools.sources.queries import first_day, last_day, web_query
from tools.sources.source import Source, titled_source
from tools.sources.web.web_dates import written_date

_LONGEST_QUERY = 390
_MOST = 20
_USED_UP = (432, 433)


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Web pages, best first."""
    values: dict[str, Any] = {
        "query": web_query(query, (), (), _LONGEST_QUERY),
        "max_results": min(limit, _MOST),
        "search_depth": "basic",
        "include_domains": list(filters.sites),
        "exclude_domains": list(filters.exclude_sites),
        "start_date": filters.since and first_day(filters.since),
        "end_date": filters.until and last_day(filters.until),
    }
    answer = access.post("search", {name: value for name, value in values.items() if value})
    if answer.status in _USED_UP:
        raise SourceError(f"the plan of its key is used up (status {answer.status})")
    return parse(accepted(answer))


def parse(data: bytes) -> list[Source]:
    """Results of an answer. Raises SourceError when it is not one."""
    answer = read_object(data)
    if "results" not in answer:
        detail = answer.get("detail") or answer.get("error")
        words = clean(mapping(detail).get("error") or mapping(detail).get("message") or detail)
        reason = words[:120].rstrip(".") or "no reason given"
        raise SourceError(f"answered with an error ({reason})")
    return readable(objects(answer["results"]), _source)


def _source(item: Mapping[str, Any]) -> Source | None:
    score = item.get("score")
    return titled_source(
        link(item.get("url")),
        clean(item.get("title")),
        published=written_date(item.get("published_date")),
        providers=("tavily",),
        snippet=clean(item.get("content")),
        fields={"score": score if isinstance(score, int | float) else None},
    )


CLIENT = Client(
    "tavily",
    "Tavily",
    "web",
    "https://api.tavily.com/",
    search,
    min_interval=0.2,
    deadline=15.0,
    max_results=10,
    key="header:Authorization",
    key_required=True,
    keep="web",
)
