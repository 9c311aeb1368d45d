"""How every source client stands: settings, key, limits, how it fared; and a live question to each
on demand."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from urllib.parse import urlsplit

from engine.answers import ClientStatus, SourceCheck
from engine.clock import at
from engine.settings.config import Config
from engine.wiring import source_settings
from engine.wiring.network_door import door
from tools.errors import NotFound
from tools.http import Http
from tools.net.store import ClientRecord, NetStore
from tools.sources import boundary
from tools.sources.client import Access, Client, ClientSettings
from tools.sources.registry import SOURCES
from tools.sources.source import SourceKind
from workflows.research.report.source_notes import advice, reasons, unanswered

__all__ = [
    "CHECK_COLUMNS",
    "advice",
    "check",
    "check_rows",
    "checked",
    "reasons",
    "statuses",
    "unanswered",
    "would_ask",
]

QUESTION, WORK = "climate change", "10.1038/171737a0"  # what a live check asks: words, or a work
HITS = 3
OK, FAILED, OFF = "ok", "failed", "off"
_ALL = 16  # checks at once: the slowest client is waited for, not their sum


def statuses(
    config: Config, net: NetStore, clients: Sequence[Client] = SOURCES
) -> list[ClientStatus]:
    """Every source client as `zorora sources` and the settings page show it."""
    records = net.clients.all()
    return [_status(client, config, records.get(client.name)) for client in clients]


def checked(config: Config, net: NetStore, names: Sequence[str] = ()) -> list[ClientStatus]:
    """The same, after one live question to each that is on (or to those named). Nothing comes from
    the cache.

    A client that rests after failures is asked, too. NotFound names a client that does not exist.
    """
    by_name = {client.name: client for client in SOURCES}
    if wrong := [name for name in names if name not in by_name]:
        raise NotFound(
            f"There is no source called {wrong[0]!r}. Choose one of {', '.join(by_name)}."
        )
    clients = [by_name[name] for name in names] or list(SOURCES)

    def ask(client: Client) -> SourceCheck:
        net.clients.forgive(client.name)
        with closing(door(config, net, fresh=True)) as http:
            return check(client, source_settings.client_settings(client, config), http)

    with ThreadPoolExecutor(_ALL) as pool:
        results = dict(
            zip((client.name for client in clients), pool.map(ask, clients), strict=True)
        )
    return [replace(status, checked=results.get(status.name)) for status in statuses(config, net)]


def check(client: Client, settings: ClientSettings, http: Http) -> SourceCheck:
    """One live question to a client."""
    if not settings.enabled:
        return SourceCheck(OFF, f"{client.label}: switched off in the settings; not asked.")
    if client.key_required and not settings.key:
        return SourceCheck(OFF, f"{client.label}: needs a key; {settings.key_advice}. Not asked.")

    access = Access(http, client, settings)
    if client.kind == SourceKind.SUPPORT and client.lookup is not None:
        outcome = boundary.lookup(client, WORK, access)
    else:
        outcome = boundary.ask(client, QUESTION, HITS, access)
    if outcome.problem:
        return SourceCheck(FAILED, outcome.problem, 0, outcome.seconds)
    hits = len(outcome.sources)
    message = f"{client.label}: answered in {outcome.seconds:.1f} s, {hits or 'no'} hits."
    return SourceCheck(OK, message, hits, outcome.seconds)


def check_rows(checks: Sequence[tuple[str, SourceCheck]]) -> list[tuple[str, ...]]:
    """What checks found, as a table that a person can send back: it holds no key, address or
    text."""
    return [
        (
            name,
            check.state,
            f"{check.seconds:.1f} s",
            str(check.hits),
            check.message,
        )
        for name, check in checks
    ]


CHECK_COLUMNS = ("name", "state", "time", "hits", "what it says")


def would_ask(
    statuses: Sequence[ClientStatus], kinds: Sequence[str], offline: bool = False
) -> list[ClientStatus]:
    """Those of the clients that a research over these kinds of sources would ask, before it begins.

    Pages that are found and read lie on further hosts, which nobody knows beforehand.
    """
    if offline:
        return []
    allowed_kinds = {*kinds, *((SourceKind.SUPPORT,) if SourceKind.ACADEMIC in kinds else ())}
    return [
        status
        for status in statuses
        if status.enabled
        and status.kind in allowed_kinds
        and (status.has_key or not status.needs_key)
    ]


def _status(client: Client, config: Config, record: ClientRecord | None) -> ClientStatus:
    mine = source_settings.client_settings(client, config)
    fared = record or ClientRecord(client.name)
    first, two, three = (client.requests_allowed(depth, mine) for depth in (1, 2, 3))
    return ClientStatus(
        name=client.name,
        label=client.label,
        kind=client.kind,
        enabled=mine.enabled,
        needs_key=client.key_required,
        has_key=mine.key is not None,
        last_success=at(fared.answered_at) if fared.answered_at else None,
        last_problem=fared.problem,
        key="needed" if client.key_required else "optional" if client.key else "no",
        key_names=tuple(source_settings.key_names(client, config)) if client.key else (),
        host=urlsplit(mine.base_url).netloc.rpartition("@")[2],
        min_interval=mine.min_interval,
        deadline=mine.deadline,
        budget=(first, two, three),
        failures=fared.failures,
        resting_until=_rests(fared),
    )


def _rests(record: ClientRecord) -> str | None:
    again = record.failed_at + boundary.REST_SECONDS
    resting = (
        record.failures >= boundary.FAILURES_TO_REST and record.failed_at <= time.time() < again
    )
    return at(again) if resting else None
