"""The newsroom: articles of the configured endpoint, by search words and date, with their tags.

The endpoint is that of the design: GET .../api/data-admin/newsroom/articles, answered with
{"articles": [{headline, date, topic_tags, geography_tags, country_tags, url, source}],
"pagination": {...}}. Tags, countries and outlet are kept as fields; only the article itself, once
fetched, is evidence. The tool get_newsroom_headlines stands at the end.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from tools.errors import SourceError
from tools.sources.answer_fields import clean, iso_date, items, link, mapping, objects, readable
from tools.sources.client import UNKNOWN_FORM, Access, Client, Filters, accepted, read_object
from tools.sources.combined import Desk, ask_all, numbered
from tools.sources.queries import first_day, last_day, plain_query
from tools.sources.source import Source, titled_source

MOST_ARTICLES = 200
DAYS_BACK = 90
_PATH = "api/data-admin/newsroom/articles"
_LONGEST_QUERY = 200
_MOST_WORDS = 4  # the weightiest; how the endpoint combines more is not stated


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Articles of the last days (option days_back, 90) that match, newest first as the endpoint
    gives them."""
    today = date.fromisoformat(access.today)
    days_back = int(access.settings.options.get("days_back", DAYS_BACK))
    oldest = (today - timedelta(days=days_back)).isoformat()
    params: dict[str, str | int] = {
        "limit": min(limit, MOST_ARTICLES),
        "date_from": first_day(filters.since) if filters.since else oldest,
        "date_to": last_day(filters.until) if filters.until else today.isoformat(),
    }
    words = plain_query(query, _LONGEST_QUERY, _MOST_WORDS).replace('"', "")
    kept_as = {"date_from": filters.since or f"{days_back} days", "date_to": filters.until or ""}
    # The base_url may be the endpoint itself or the address above it
    path = "" if access.settings.base_url.rstrip("/").endswith("articles") else _PATH
    return parse(accepted(access.get(path, {"search": words, **params}, kept_as=kept_as)))


def parse(data: bytes) -> list[Source]:
    """Articles of an answer; those without headline or address cannot be read and are left out."""
    answer = read_object(data)
    if not isinstance(answer.get("articles"), list):
        raise SourceError(UNKNOWN_FORM)
    return readable(objects(answer["articles"]), _source)


def _source(article: Mapping[str, Any]) -> Source | None:
    outlet = clean(article.get("source"))
    fields = {
        "type": "news",
        "outlet": outlet,
        "topic_tags": _tags(article.get("topic_tags")),
        "geography_tags": _tags(article.get("geography_tags")),
        "country_tags": _tags(article.get("country_tags")),
    }
    return titled_source(
        link(article.get("url")),
        clean(article.get("headline") or article.get("title")),
        published=iso_date(article.get("date")),
        source_type="newsroom",
        providers=("newsroom",),
        venue=outlet,
        snippet=clean(article.get("summary") or article.get("description")),
        fields=fields,
    )


def _tags(value: Any) -> list[str]:
    """Tags as a list; some answers have them in one string with commas."""
    listed = value.split(",") if isinstance(value, str) else items(value)
    names = (
        clean(mapping(tag).get("name")) if isinstance(tag, dict) else clean(tag) for tag in listed
    )
    return list(dict.fromkeys(filter(None, names)))


CLIENT = Client(
    "newsroom",
    "Newsroom",
    "newsroom",
    "https://pj1ud6q3uf.execute-api.af-south-1.amazonaws.com/prod/",
    search,
    deadline=10.0,
    max_results=25,
    key="header:Authorization",
    keep="web",
    options={"days_back": DAYS_BACK},
)

ADVICE = "Try other words, or look further back."


def get_newsroom_headlines(
    query: str | None = None, days_back: int = 90, max_results: int = 25, *, desk: Desk
) -> str:
    """Headlines of the last days as numbered text: outlet, date, address, tags. No query: the
    newest.

    days_back: articles that say they are older are left out; how far the endpoint looks is its own
    setting.
    """
    combined = ask_all(
        query or "", max(1, min(max_results, MOST_ARTICLES)), desk.newsroom, desk.ask
    )
    if desk.today:
        oldest = (date.fromisoformat(desk.today) - timedelta(days=max(days_back, 0))).isoformat()
        recent = (s for s in combined.sources if not s.published or s.published >= oldest)
        combined = replace(combined, sources=tuple(recent))
    return numbered(desk.report(combined), "article", ADVICE, _details)


def _details(source: Source) -> list[str]:
    facts = (source.venue or "", source.published or "")
    tags = [*source.fields.get("topic_tags", ()), *source.fields.get("country_tags", ())]
    lines = (" | ".join(fact for fact in facts if fact), f"URL: {source.url}", ", ".join(tags))
    return [line for line in lines if line]
