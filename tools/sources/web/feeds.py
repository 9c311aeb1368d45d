"""Feeds: entries of the RSS and Atom feeds that the user lists in [newsroom] feeds, matched to the
question here.

A feed is fetched whole and kept for the time web answers are kept; a feed that fails costs only its
own entries. The client is off while no feed is listed.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from tools.errors import SourceError
from tools.sources.answer_fields import distinct
from tools.sources.client import Access, Client, Filters
from tools.sources.domains import host_of
from tools.sources.queries import read_terms
from tools.sources.source import Source
from tools.sources.web.feed_xml import parse as parse
from tools.text.tokens import stem, words

_AT_ONCE = 6
_PROBLEMS_NAMED = 3
# Terms that an entry must all have: its text is short, and says the same in other words
_ALL_OF = 2


def search(query: str, limit: int, access: Access, filters: Filters) -> list[Source]:
    """Entries that match, best first; the newest without words to match."""
    addresses = distinct(access.settings.addresses)
    with ThreadPoolExecutor(
        max(1, min(_AT_ONCE, len(addresses))), thread_name_prefix="feeds"
    ) as pool:
        answers = list(pool.map(lambda address: _fetch(address, access), addresses))
    problems = [answer for answer in answers if isinstance(answer, str)]
    if problems and len(problems) == len(addresses):
        raise SourceError(_list_problems(problems))
    if problems:
        access.remark(_list_problems(problems))
    sources = [source for answer in answers if not isinstance(answer, str) for source in answer]
    return matching(sources, query)[:limit]


def matching(sources: Sequence[Source], query: str) -> list[Source]:
    """Those on the topic of a query, best first, then newest first; all of them for a query without
    words."""
    terms = read_terms(query, _ALL_OF)
    rated = []
    for place, source in enumerate(sources):
        title = _stems(source.title)
        tags = " ".join(source.fields.get("topic_tags", ()))
        text = _stems(f"{source.title} {source.fields.get('body', '')} {tags}")
        if terms.found_in(lambda term, text=text: _stems(term) in text):  # type: ignore[misc]
            counts = [sum(_stems(term) in place for term in terms.all) for place in (text, title)]
            rated.append((-counts[0], -counts[1], _backwards(source.published), place, source))
    # The whole text of an entry serves for matching only
    return [
        replace(source, fields={k: value for k, value in source.fields.items() if k != "body"})
        for *_, source in sorted(rated, key=lambda row: row[:4])
    ]


def _stems(text: str) -> str:
    """Its stems, each between spaces, so that a phrase is found as it stands."""
    return f" {' '.join(map(stem, words(text)))} "


def _fetch(address: str, access: Access) -> list[Source] | str:
    """The entries of one feed, or what is wrong with it."""
    try:
        response = access.get(address, {})
        if response.status >= 400:
            raise SourceError(f"did not answer (status {response.status})")
        return parse(response.content, response.url)
    except SourceError as error:
        return f"the feed of {host_of(address) or 'no address'}: {error}"


def _list_problems(problems: Sequence[str]) -> str:
    more = len(problems) - _PROBLEMS_NAMED
    return "; ".join(problems[:_PROBLEMS_NAMED]) + (f"; and {more} more" if more > 0 else "")


def _backwards(published: str | None) -> int:
    """A number that is smaller for later dates; without a date the largest."""
    return -int((published or "0").replace("-", "").ljust(8, "0"))


CLIENT = Client(
    "feeds", "News feeds", "newsroom", "", search, deadline=10.0, max_results=25, keep="web"
)
