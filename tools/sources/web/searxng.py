"""SearXNG: the user's own metasearch instance. https://docs.searxng.org/dev/search_api.html

There is no built-in address: the client is off until `sources.searxng.base_url` names an instance,
which must allow the format json (`search: formats` of its settings.yml). Engines that did not
answer it are reported.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tools.errors import SourceError
from tools.sources.answer_fields import clean, items, link, objects, readable, string, texts
from tools.sources.client import UNKNOWN_FORM, Access, Client, Filters, accepted, read_object
from tools.sources.queries import spoken, web_query
from tools.sources.source import Source, titled_source
from tools.sources.web.web_dates import written_date

_LONGEST_QUERY = 400
_MOST_ENGINES_NAMED = 5


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Web pages, best first as the instance ranks them."""
    return _search_page(_parameters(query, filters), limit, access)


def search_images(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Images, best first; a source is the page that shows one, `fields["image"]` the image
    itself."""
    results = _search_page(
        {**_parameters(query, filters), "categories": "images"}, 2 * limit, access
    )
    return [source for source in results if source.fields.get("image")][:limit]


def _parameters(query: str, filters: Filters) -> dict[str, str | int]:
    language, country = spoken(filters.lang)
    return {
        "q": web_query(query, filters.sites, filters.exclude_sites, _LONGEST_QUERY),
        "format": "json",
        **(
            {"language": f"{language}-{country.upper()}" if country else language}
            if language
            else {}
        ),
    }


def _search_page(params: Mapping[str, str | int], limit: int, access: Access) -> list[Source]:
    data = _ask(access, params)
    results, silent = parse(data)[:limit], unresponsive(data)
    if silent and not results:
        raise SourceError(f"its engines did not answer: {silent}")
    if silent:
        access.remark(f"engines of it did not answer: {silent}")
    return results


def parse(data: bytes) -> list[Source]:
    """Results of an answer. Raises SourceError when it is not one."""
    return readable(objects(_answer(data)["results"]), _source)


def unresponsive(data: bytes) -> str:
    """The engines that did not answer the instance, with their reasons: "brave (too many requests),
    ..."; or empty."""
    names = []
    for entry in items(_answer(data).get("unresponsive_engines")):
        pair = entry[:2] if isinstance(entry, list) else [entry]
        parts = [clean(part)[:60] for part in pair]
        if parts and parts[0]:
            names.append(f"{parts[0]} ({parts[1]})" if parts[1:] and parts[1] else parts[0])
    more = len(names) - _MOST_ENGINES_NAMED
    return ", ".join(names[:_MOST_ENGINES_NAMED]) + (f" and {more} more" if more > 0 else "")


def _ask(access: Access, params: Mapping[str, str | int]) -> bytes:
    path = "" if access.settings.base_url.rstrip("/").endswith("/search") else "search"
    try:
        response = access.get(path, params)
    except SourceError as error:
        if error.status != 403:
            raise
        raise SourceError(
            "refused (status 403); the instance must allow the format json (search: formats in its "
            "settings.yml)"
        ) from None
    return accepted(response)


def _answer(data: bytes) -> dict[str, Any]:
    answer = read_object(data)
    if not isinstance(answer.get("results"), list):
        raise SourceError(UNKNOWN_FORM)
    return answer


def _source(item: Mapping[str, Any]) -> Source | None:
    fields = {
        "engines": texts(item.get("engines")),
        "category": string(item.get("category")),
        "image": link(item.get("img_src")),
        "thumbnail": link(item.get("thumbnail")),
    }
    return titled_source(
        link(item.get("url")),
        clean(item.get("title")),
        authors=(clean(item.get("author")),),
        doi=string(item.get("doi")),
        published=written_date(item.get("publishedDate")) or written_date(item.get("pubdate")),
        providers=("searxng",),
        snippet=clean(item.get("content")),
        fields=fields,
    )


CLIENT = Client(
    "searxng",
    "SearXNG",
    "web",
    "",
    search,
    min_interval=0.5,
    deadline=15.0,
    max_results=10,
    keep="web",
)
IMAGES = replace(CLIENT, search=search_images)
