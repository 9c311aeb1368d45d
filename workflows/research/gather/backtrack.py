"""What is tried instead where a search or a page leads nowhere: one alternative each, by the
reason.

no_results: without quotation marks; without the rarest qualifier; with a synonym. irrelevant: with
the anchors. paywall: an open copy (reading.py), then other domains. low_credibility: scholarly
indexes, or pages of .gov and .edu. A search is tried otherwise at once by the same client; for a
page the next round looks elsewhere.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from tools.errors import FailureReason
from tools.sources.domains import host_of
from tools.sources.source import ClientInfo, Source, SourceKind
from tools.text.figures import hundredths
from tools.text.phrases import counted
from tools.text.tokens import STOP, stem, stems, words
from workflows.research.deps import Deps
from workflows.research.model import DeadEnd
from workflows.research.state import ResearchState
from workflows.research.understand.plan import QUERY_WORDS

# Of searches without a hit to the point
IN_VAIN = (
    FailureReason.NO_RESULTS,
    FailureReason.IRRELEVANT,
)
PER_ROUND = 2  # searches that pages which led nowhere may add to a round
_QUOTES = re.compile(r"[\"“”„]")
_OPERATOR = re.compile(r"-?site:\S+")
_NO_ROUND = "not tried, no round was left"
NO_BUDGET = "not tried, the budget of this depth was used up"
_UNANSWERED = "not tried, the service had stopped answering"


def instead(
    query: str, reason: str, state: ResearchState, earlier_queries: Collection[str]
) -> str | None:
    """Another query for one that found nothing, or nothing to the point; None when there is none
    left to try."""
    if reason == FailureReason.NO_RESULTS:
        options = _for_nothing(query, state)
    else:
        options = _for_irrelevant(query, state)
    meanings = {_meaning_of(attempt) for attempt in (query, *earlier_queries)}
    return next((other for other in options if other and _meaning_of(other) not in meanings), None)


def _meaning_of(query: str) -> tuple[frozenset[str], bool]:
    """What two queries share that ask for the same: their words in any order and form, quoted or
    not."""
    return frozenset(stems(query)), _QUOTES.search(query) is not None


def _for_nothing(query: str, state: ResearchState) -> list[str]:
    plain = " ".join(_QUOTES.sub(" ", query).split())
    return [plain, _without_rarest(plain, state), _with_synonym(plain)]


def _without_rarest(query: str, state: ResearchState) -> str:
    """Without the word beside the anchor that the fewest sources so far hold; the longest of
    equally rare ones."""
    anchor = set(stems(state.understanding.primary_anchor))
    query_words = query.split()
    spare = [
        word for word in query_words if (word_stems := stems(word)) and not set(word_stems) & anchor
    ]
    if not spare or len(query_words) < 2:
        return ""
    bags = [
        set(stems(f"{source.title} {source.abstract or source.snippet}"))
        for source in state.sources
    ]
    rarest = min(
        spare, key=lambda word: (sum(set(stems(word)) <= bag for bag in bags), -len(word), word)
    )
    return " ".join(word for word in query_words if word != rarest)


def _with_synonym(query: str) -> str:
    """With the first word that has a synonym replaced by it."""
    query_words = query.split()
    for place, word in enumerate(query_words):
        for synonym in words(word)[:1]:
            if other := synonyms().get(stem(synonym)):
                return " ".join((*query_words[:place], other, *query_words[place + 1 :]))
    return ""


def _for_irrelevant(query: str, state: ResearchState) -> list[str]:
    """With the anchors that say what it is about: the subject, then the words of the question that
    qualify it."""
    anchor = state.understanding.primary_anchor
    rest = " ".join(_without(query.split(), anchor))  # stop words have no stems
    quoted = f'"{anchor}" {rest}'.strip() if " " in anchor and '"' not in query else ""
    subject = "".join(_without([anchor], query))
    context = [
        term for term in _without(state.understanding.anchor_terms, query) if term not in STOP
    ]
    added = " ".join(filter(None, (subject, *_without(context[:3], subject))))
    # What the subject says is not said again
    anchored = f"{added} {rest if subject else query}".strip() if added else ""
    return [anchored, quoted]


def _without(terms: Iterable[str], text: str) -> list[str]:
    """The terms of which a text does not hold all words."""
    have = set(stems(text))
    return [term for term in terms if not set(stems(term)) <= have]


@cache
def synonyms() -> dict[str, str]:
    """stem of a word -> what it may be searched for instead."""
    by_stem: dict[str, str] = {}
    for line in files("tools").joinpath("data", "synonyms.txt").read_text("utf-8").splitlines():
        group = line.split() if not line.startswith("#") else []
        for place, word in enumerate(group):
            by_stem.setdefault(stem(word), group[(place + 1) % len(group)].replace("-", " "))
    return by_stem


def low_credibility(state: ResearchState, deps: Deps) -> ResearchState:
    """The state with a dead end for each page read that is not credible enough to count."""
    urls = {end.url for end in state.dead_ends if end.reason == FailureReason.LOW_CREDIBILITY}
    least, ends = deps.settings.min_source, []
    for source in state.sources:
        if not source.snapshot_id or source.is_local or source.rejected or source.url in urls:
            continue
        score = deps.score(source, None, "").score
        if score < least:
            message = (
                f"“{source.title}” scores {hundredths(score)}; below {hundredths(least)} a "
                "source does not count."
            )
            client, reason = _client_of(source, deps), FailureReason.LOW_CREDIBILITY
            ends.append(DeadEnd(None, source.url, client, reason, None, message))
    return replace(state, dead_ends=(*state.dead_ends, *ends))


def _client_of(source: Source, deps: Deps) -> str | None:
    return next((client.name for client in deps.clients if client.name in source.providers), None)


def look_elsewhere(state: ResearchState, deps: Deps, last: bool) -> ResearchState:
    """Dead ends at pages with the search that is to replace them; in the last round they say that
    there was none."""
    ends = []
    for end in state.dead_ends:
        if end.url and end.alternative is None and (query := _elsewhere(end, state)):
            client = _whom(end, deps.clients)
            if client is not None:
                end = replace(
                    end, alternative=_for(client, query, end), outcome=_NO_ROUND if last else None
                )
        ends.append(end)
    return replace(state, dead_ends=tuple(ends))


def _elsewhere(end: DeadEnd, state: ResearchState) -> str | None:
    source = next((source for source in state.sources if source.url == end.url), None)
    if source is None or source.title in ("", source.url):
        return None
    title = " ".join(source.title.split()[:QUERY_WORDS])
    anchor = state.understanding.primary_anchor
    if end.reason == FailureReason.PAYWALL:
        return title
    if end.reason == FailureReason.IRRELEVANT:
        return title if set(stems(anchor)) <= set(stems(title)) else f"{anchor} {title}"
    if end.reason == FailureReason.LOW_CREDIBILITY:
        return " ".join((anchor, *state.understanding.anchor_terms[:4])).strip() or title
    return None


def _whom(end: DeadEnd, clients: Sequence[ClientInfo]) -> ClientInfo | None:
    """Who looks elsewhere: a web client for other pages, a scholarly one in place of a page that is
    not credible."""
    from_web = any(c.name == end.client and c.kind == SourceKind.WEB for c in clients)
    is_scholarly = end.reason == FailureReason.LOW_CREDIBILITY and not from_web
    first = "academic" if is_scholarly else "web"
    for kind in (first, "academic", "web"):
        if client := next(
            (client for client in clients if client.kind == kind and client.name != "wikipedia"),
            None,
        ):
            return client
    return None


def _for(client: ClientInfo, query: str, end: DeadEnd) -> str:
    """The query with the domains that are wanted, or not, where the client knows of domains."""
    plain = _QUOTES.sub(" ", _OPERATOR.sub(" ", query))
    if client.kind != SourceKind.WEB:
        return " ".join(plain.split())
    host = host_of(end.url or "").removeprefix("www.")
    domains = (
        "site:.gov OR site:.edu" if end.reason == FailureReason.LOW_CREDIBILITY else f"-site:{host}"
    )
    return " ".join(f"{plain} {domains}".split())


def pending(state: ResearchState, clients: Sequence[ClientInfo]) -> list[tuple[str, str]]:
    """(client, query) of the searches that pages which led nowhere wait for, as many as a round may
    have."""
    waiting = [
        (client.name, end.alternative)
        for end in state.dead_ends
        if end.url and end.alternative and end.outcome is None and (client := _whom(end, clients))
    ]
    return list(dict.fromkeys(waiting))[:PER_ROUND]


def settle(
    state: ResearchState,
    hits: Mapping[tuple[str, str], int],
    handed_out: Collection[tuple[str, str]],
    clients: Sequence[ClientInfo],
) -> ResearchState:
    """Dead ends at pages with what their search gave.

    hits: by (client, query), of the searches of this round. handed_out: those that were to be made
    in it.
    """
    ends = []
    for end in state.dead_ends:
        if end.url and end.alternative and end.outcome is None and (client := _whom(end, clients)):
            key = client.name, end.alternative
            untried, hit_count = _UNANSWERED if key in handed_out else NO_BUDGET, hits.get(key)
            end = replace(
                end, outcome=untried if hit_count is None else gave(hit_count), found=hit_count
            )
        ends.append(end)
    return replace(state, dead_ends=tuple(ends))


def gave(hits: int) -> str:
    """What an alternative gave, in words."""
    return counted(hits, "hit") if hits else "nothing either"
