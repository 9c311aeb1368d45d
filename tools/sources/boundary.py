"""The source boundary: whatever happens inside a client comes out as an Outcome with one sentence,
never as a fault."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from tools.errors import Cancelled, FailureReason, SourceError, ZororaError
from tools.net.guard import target_of
from tools.sources.answer_fields import string
from tools.sources.client import Access, Client, Filters
from tools.sources.domains import host_of
from tools.sources.source import Outcome, Source, SourceKind

log = logging.getLogger("zorora.sources")

FAILURES_TO_REST = 3
REST_SECONDS = 3600.0
UP_SECONDS = 600.0  # another client answered within this time: the network is up


def ask(
    client: Client, query: str, limit: int, access: Access, filters: Filters | None = None
) -> Outcome:
    """One search of one client. Never raises except Cancelled.

    limit: hits wanted, at most the client's max_results. The sources are in the order of the
    service; what the filters exclude is gone. An Outcome without sources and problem has the reason
    no_results.
    """
    limits = filters or Filters()
    most = max(1, min(limit, access.settings.max_results))

    words = " ".join(string(query).split())
    if not words and client.kind != SourceKind.NEWSROOM:
        return Outcome(client.name, query, reason=FailureReason.NO_RESULTS)

    def work(own_access: Access) -> Sequence[Source]:
        sources = client.search(words, most, own_access, limits)
        return [source for source in sources if passes(source, limits)][:most]

    return _guarded(client, query, access, work)


def lookup(client: Client, key: str, access: Access) -> Outcome:
    """One work by DOI ("10.1/x"), arXiv id or the service's own id. Never raises except
    Cancelled."""

    def work(own_access: Access) -> Sequence[Source]:
        source = client.lookup(key, own_access) if client.lookup else None
        return [source] if source else []

    return _guarded(client, key, access, work)


def related(client: Client, what: str, source: Source, limit: int, access: Access) -> Outcome:
    """The works that a source cites ("references") or that cite it ("citing"), as far as the
    client knows them. Never raises except Cancelled."""
    ask = client.references if what == "references" else client.citing
    return _guarded(
        client,
        f"{'references of' if what == 'references' else 'works citing'} {source.title}",
        access,
        lambda own_access: ask(source, limit, own_access) if ask else [],
    )


def complete(client: Client, sources: Sequence[Source], access: Access) -> Outcome:
    """The client's records of these works, in its own order. Never raises except Cancelled."""
    return _guarded(
        client,
        f"records of {len(sources)} works",
        access,
        lambda own_access: (
            client.complete(sources[: client.batch], own_access) if client.complete else []
        ),
    )


def _guarded(
    client: Client, query: str, access: Access, work: Callable[[Access], Sequence[Source]]
) -> Outcome:
    http, own_access = access.http, access.fresh()
    start = http.clock()
    try:
        _may_ask(client, own_access)
        works = tuple(work(own_access))
    except Cancelled:
        raise
    except ZororaError as error:
        reason = error.reason if isinstance(error, SourceError) else FailureReason.ERROR
        outcome = _failed(client, query, own_access, str(error), reason)
    except Exception:
        # A fault in our parser, or an answer of a shape nobody has seen: ours to mend, not the
        # user's to suffer
        log.exception("%s: the answer could not be read", client.label)
        problem = "gave an answer that could not be read"
        outcome = _failed(client, query, own_access, problem, FailureReason.ERROR)
    else:
        outcome = _answered(client, query, works, own_access)
    return replace(outcome, seconds=round(http.clock() - start, 3))


def _answered(client: Client, query: str, works: Sequence[Source], access: Access) -> Outcome:
    if access.requests and not access.all_cached:
        access.http.store.clients.answered(client.name, access.http.wall())
    return Outcome(
        client.name,
        query,
        sources=tuple(
            _traced(source, rank, client.name, query, access)
            for rank, source in enumerate(works, 1)
        ),
        problem=f"{client.label}: {'; '.join(access.remarks)}" if access.remarks else None,
        reason=None if works else FailureReason.NO_RESULTS,
        cached=access.requests > 0 and access.all_cached,
        requests=access.requests,
    )


def _may_ask(client: Client, access: Access) -> None:
    settings = access.settings
    if not settings.enabled:
        raise SourceError("switched off in the settings", FailureReason.BUDGET)
    if client.key_required and not settings.key:
        raise SourceError(f"needs a key; {settings.key_advice}", FailureReason.BUDGET)
    if (
        settings.key
        and settings.key_origin
        and settings.key_origin != target_of(settings.base_url).origin
    ):
        raise SourceError(
            "its address was changed since its key was entered; enter the key again with "
            f"`zorora keys set {settings.key_name or client.name}` or on the settings page",
            FailureReason.BUDGET,
        )
    if access.http.settings.offline:
        return  # kept answers may serve; the door itself stays shut
    _check_rest(client, access)


def _check_rest(client: Client, access: Access) -> None:
    """Leave a service alone for a while that failed several times in a row."""
    record, now = access.http.store.clients.get(client.name), access.http.wall()
    again = record.failed_at + REST_SECONDS
    if record.failures >= FAILURES_TO_REST and now < again and record.failed_at <= now:
        moment = datetime.fromtimestamp(again, UTC).strftime("%H:%M")
        raise SourceError(
            f"failed {record.failures} times in a row; asked again after {moment} UTC",
            FailureReason.BUDGET,
        )


def _failed(client: Client, query: str, access: Access, problem: str, reason: str) -> Outcome:
    """The problem as a sentence; what the client itself is to blame for is counted."""
    clients, problem = access.http.store.clients, f"{client.label}: {problem}; skipped"
    if reason not in (FailureReason.BUDGET, FailureReason.NO_RESULTS, FailureReason.OFFLINE):
        now = access.http.wall()
        alone = clients.other_answered(client.name, now - UP_SECONDS)
        clients.failed(client.name, now, problem, counts=alone)
    log.info("%s", problem)
    return Outcome(
        client.name,
        query,
        problem=problem,
        reason=reason,
        requests=access.requests,
        label=client.label,
    )


def _traced(source: Source, rank: int, client: str, query: str, access: Access) -> Source:
    """Where a record comes from, for the trajectory: provider, rank, query, time of the answer."""
    moment = datetime.fromtimestamp(access.answered_at, UTC).isoformat(timespec="seconds")
    trace = {
        "provider": client,
        "rank": rank,
        "query": query,
        "time": moment if access.answered_at else "",
    }
    providers = source.providers if client in source.providers else (*source.providers, client)
    return replace(source, providers=providers, fields={**source.fields, "found": [trace]})


def passes(source: Source, filters: Filters) -> bool:
    """Whether a source is within the filters, as far as it says; an unknown date or language
    passes."""
    lang, language = (filters.lang or "")[:2].lower(), (source.language or "")[:2].lower()
    return (
        in_dates(source.published, filters.since, filters.until)
        and (not lang or language in ("", lang))
        and _is_on_sites(source, filters)
    )


def _is_on_sites(source: Source, filters: Filters) -> bool:
    """Whether a source or its open copy lies on one of the sites, and the source on none of the
    excluded ones."""
    hosts = [host_of(url) for url in (source.url, source.fulltext_url) if url]
    if filters.sites and not any(_within(host, filters.sites) for host in hosts):
        return False
    return not any(_within(host, filters.exclude_sites) for host in hosts[:1])


def in_dates(published: str | None, since: str | None, until: str | None) -> bool:
    """Whether an ISO date, as precise as it is known, lies between two others; an unknown one
    does."""
    too_early = since and published and published < since[: len(published)]
    too_late = until and published and published[: len(until)] > until
    return not (too_early or too_late)


def _within(host: str, sites: tuple[str, ...]) -> bool:
    return any(
        host == site or host.endswith("." + site)
        for site in (s.lower().removeprefix("www.") for s in sites)
    )
