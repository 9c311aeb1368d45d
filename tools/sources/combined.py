"""Several clients asked at once, their records of one work merged, and the result as text that
reads well.

Beneath the tools academic_search, web_search and newsroom; a research asks the clients itself.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, zip_longest

from tools.sources.merge import merge
from tools.sources.source import FetchedPage, Outcome, Source

_MOST_AT_ONCE = 8
_SNIPPET = 300


@dataclass(frozen=True, slots=True)
class Desk:
    """What the search tools work with.

    ask: one request to one client (name, query, limit); never raises except Cancelled.
    academic, web, newsroom: names of the clients to ask, in order of preference. read: a page's
    text, for extraction. images: one search for images (query, limit), where a service for it is
    set up. today: ISO date, from which "days back" counts. on_found: gets what a tool found, before
    it is made a text.
    """

    ask: Callable[[str, str, int], Outcome]
    academic: tuple[str, ...] = ()
    web: tuple[str, ...] = ()
    newsroom: tuple[str, ...] = ()
    read: Callable[[Source], tuple[FetchedPage, str]] | None = None
    images: Callable[[str, int], Outcome] | None = None
    today: str = ""
    on_found: "Callable[[FoundSources], object]" = lambda combined: None

    def report(self, combined: "FoundSources") -> "FoundSources":
        """The same, which whoever follows the call gets too."""
        self.on_found(combined)
        return combined


@dataclass(frozen=True, slots=True)
class FoundSources:
    """Sources of several clients, merged, best first; problems: one sentence per client that gave
    none."""

    query: str
    sources: tuple[Source, ...] = ()
    problems: tuple[str, ...] = ()


def ask_all(
    query: str, limit: int, names: Sequence[str], ask: Callable[[str, str, int], Outcome]
) -> FoundSources:
    """Ask the named clients side by side and merge what they found: all firsts, then all seconds,
    and so on."""
    threads = max(1, min(_MOST_AT_ONCE, len(names)))
    with ThreadPoolExecutor(threads, thread_name_prefix="search") as pool:
        outcomes = list(pool.map(lambda name: ask(name, query, limit), names))
    ranked = chain.from_iterable(zip_longest(*(outcome.sources for outcome in outcomes)))
    sources = merge((), [source for source in ranked if source is not None])
    return FoundSources(query, sources[:limit], tuple(o.problem for o in outcomes if o.problem))


def numbered(
    combined: FoundSources, noun: str, advice: str, details: Callable[[Source], list[str]]
) -> str:
    """The sources as numbered text with a closing count; an empty answer says what to try.

    details: further lines of one source. noun: what is counted, in the singular.
    """
    problems = [f"Note: {problem}." for problem in combined.problems]
    if not combined.sources:
        return "\n".join([f"No {noun}s found{_for(combined.query)}. {advice}", *problems])
    entries = [
        "\n   ".join([f"{number}. {source.title or source.url}", *details(source)])
        for number, source in enumerate(combined.sources, 1)
    ]
    count = f"{len(combined.sources)} {noun}{'' if len(combined.sources) == 1 else 's'}"
    return "\n\n".join([*entries, "\n".join([f"{count} found{_for(combined.query)}.", *problems])])


def _for(query: str) -> str:
    return f' for "{query}"' if query.strip() else ""


def shortened(text: str, longest: int = _SNIPPET) -> str:
    """The head of a text, cut at a word."""
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0] + " ..."
