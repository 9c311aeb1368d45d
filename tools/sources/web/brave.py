"""Brave Search: web pages and images, with a key. https://api-dashboard.search.brave.com/app/documentation

The key travels in X-Subscription-Token. DuckDuckGo stands in when Brave fails (fallback_client.py).
Descriptions come with <strong>; many results have no date; `page_age` is when the page was last
changed, `age` the same in words.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tools.errors import SourceError
from tools.net.request import Response
from tools.sources.answer_fields import (
    clean,
    distinct,
    first,
    iso_date,
    items,
    link,
    mapping,
    objects,
    readable,
    string,
)
from tools.sources.client import UNKNOWN_FORM, Access, Client, Filters, accepted, read_object
from tools.sources.queries import first_day, last_day, spoken, web_query
from tools.sources.source import Source, titled_source
from tools.sources.web.web_dates import written_date

_LONGEST_QUERY = 380  # the service takes 400 characters and 50 words
# What search_lang and country may be; another value is refused
_LANGUAGES = frozenset(
    """ar bg bn ca cs da de el en en-gb es et eu fi fr gl gu he hi hr hu is it jp kn ko lt lv ml mr
    ms nb nl pa pl pt-br pt-pt ro ru sk sl sr sv ta te th tr uk vi zh-hans zh-hant""".split()
)
_OWN_CODES = {"ja": "jp", "no": "nb", "nn": "nb", "pt": "pt-pt", "zh": "zh-hans"}
_COUNTRIES = frozenset(
    """AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES
    SE CH TW TR GB US""".split()
)
_MOST_PAGES, _MOST_IMAGES = 20, 100
_BAD_KEY = (b"SUBSCRIPTION_TOKEN_INVALID", b"SUBSCRIPTION_NOT_FOUND", b"OPTION_NOT_IN_PLAN")


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Web pages, best first."""
    params: dict[str, str | int] = {
        "q": web_query(query, filters.sites, filters.exclude_sites, _LONGEST_QUERY),
        "count": min(limit, _MOST_PAGES),
        "result_filter": "web",
        **_spoken(filters),
    }
    kept_as: dict[str, str] = {}
    if filters.since or filters.until:
        since = first_day(filters.since) if filters.since else "1990-01-01"
        params["freshness"] = (
            f"{since}to{last_day(filters.until) if filters.until else access.today}"
        )
        kept_as["freshness"] = f"{since}to{filters.until or ''}"
    answer = access.get("web/search", params, kept_as=kept_as)
    return parse(_content(answer, access), access.answer_day)


def search_images(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Images, best first; a source is the page that shows one, `fields["image"]` the image
    itself."""
    words = web_query(query, filters.sites, filters.exclude_sites, _LONGEST_QUERY)
    answer = access.get(
        "images/search", {"q": words, "count": min(limit, _MOST_IMAGES), **_spoken(filters)}
    )
    return parse_images(_content(answer, access))


def _spoken(filters: Filters) -> dict[str, str]:
    """Language and country as the service names them; of a language that it does not know
    nothing."""
    language, country = spoken(filters.lang)
    local = f"{language}-{country}"
    code = local if local in _LANGUAGES else _OWN_CODES.get(language, language)
    params = {"search_lang": code} if code in _LANGUAGES else {}
    return {**params, "country": country.upper()} if country.upper() in _COUNTRIES else params


def parse(data: bytes, today: str = "") -> list[Source]:
    """Web results of an answer. today: ISO date from which ages in words count. Raises SourceError
    for an error."""
    results = objects(mapping(_answer(data).get("web")).get("results"))
    return readable(results, lambda item: _page(item, today))


def parse_images(data: bytes) -> list[Source]:
    """Images of an answer. Raises SourceError for an error."""
    return list(filter(None, map(_image, objects(_answer(data).get("results")))))


def _content(response: Response, access: Access) -> bytes:
    """The body of an answer, unless it is an error: that is raised, with advice where the key is to
    blame."""
    if response.status >= 400:
        if any(code in response.content for code in _BAD_KEY):
            raise SourceError(
                f"its key was not accepted (status {response.status}); {access.settings.key_advice}"
            )
        _answer(response.content)  # it says why
    return accepted(response)


def _answer(data: bytes) -> Mapping[str, Any]:
    answer = read_object(data)
    if answer.get("type") not in ("search", "images", "ErrorResponse"):
        raise SourceError(UNKNOWN_FORM)
    if answer["type"] == "ErrorResponse":
        error = mapping(answer.get("error"))
        limited = error.get("code") in ("RATE_LIMITED", "QUOTA_LIMITED")
        message = clean(error.get("detail"))[:120].rstrip(".") or "no reason given"
        raise SourceError(f"{'rate limited' if limited else 'answered with an error'} ({message})")
    return answer


def _page(item: Mapping[str, Any], today: str) -> Source | None:
    article = mapping(item.get("article"))
    extracts = [clean(item.get("description")), *map(clean, items(item.get("extra_snippets")))]
    fields = {
        "site": clean(mapping(item.get("profile")).get("name")),
        "kind": string(item.get("subtype")),
        "thumbnail": link(mapping(item.get("thumbnail")).get("original")),
        "related": distinct(link(part.get("url")) for part in objects(item.get("cluster"))),
    }
    return titled_source(
        link(item.get("url")),
        clean(item.get("title")),
        authors=tuple(clean(person.get("name")) for person in objects(article.get("author"))),
        published=(
            written_date(article.get("date"))
            or iso_date(item.get("page_age"))
            or written_date(item.get("age"), today)
        ),
        providers=("brave",),
        language=string(item.get("language")),
        snippet=" … ".join(distinct(extracts)),
        fields=fields,
    )


def _image(item: Mapping[str, Any]) -> Source | None:
    image = link(mapping(item.get("properties")).get("url"))
    fields = {
        "image": image,
        "thumbnail": link(mapping(item.get("thumbnail")).get("src")),
        "site": clean(first(item.get("source"))),
    }
    return titled_source(
        link(item.get("url")) if image else "",
        clean(item.get("title")) or image,
        providers=("brave",),
        fields=fields,
    )


CLIENT = Client(
    "brave",
    "Brave",
    "web",
    "https://api.search.brave.com/res/v1/",
    search,
    min_interval=1.0,
    deadline=15.0,
    max_results=10,
    key="header:X-Subscription-Token",
    key_required=True,
    keep="web",
    stand_in="duckduckgo",
)
IMAGES = replace(CLIENT, search=search_images)
