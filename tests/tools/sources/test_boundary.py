"""Asking sources: whatever they do, an Outcome with at most one sentence comes back, in time."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from benchmarks.standin import Reply, Standin
from benchmarks.standin_services import mount
from benchmarks.standin_texts import title
from tools.errors import Cancelled
from tools.http import Http
from tools.net.store import NetStore
from tools.sources import boundary
from tools.sources.client import Access, Client, ClientSettings, Filters
from tools.sources.registry import SOURCES

Open = Callable[..., Http]
BY_NAME = {client.name: client for client in SOURCES}
NAMES = tuple(client.name for client in SOURCES if client.kind != "support")


def settings_for(client: Client, server: Standin, **changes: Any) -> ClientSettings:
    bases = mount(server, characters=2000).settings
    ready = {"min_interval": 0.0, "enabled": True, "key": "k3y" if client.key_required else None}
    return client.settings(
        **{"base_url": bases[f"sources.{client.name}.base_url"], **ready, **changes}
    )


def access_to(name: str, http: Http, server: Standin, **changes: Any) -> Access:
    client = BY_NAME[name]
    return Access(http, client, settings_for(client, server, **changes))


def everywhere(server: Standin, *replies: Any) -> None:
    """Every address of the server answers this."""
    server._routes.clear()
    server.on("/", *replies)


@pytest.mark.parametrize("name", NAMES)
def test_every_client_finds_sources_with_provider_rank_and_time(
    name: str, http: Http, server: Standin
) -> None:
    outcome = boundary.ask(BY_NAME[name], "caffeine sleep", 5, access_to(name, http, server))
    assert outcome.problem is None and outcome.reason is None and 0 < len(outcome.sources) <= 5
    for rank, source in enumerate(outcome.sources, 1):
        assert source.providers == (name,) and source.title and source.url.startswith("http")
        (record,) = source.fields["found"]
        assert (record["provider"], record["rank"], record["query"]) == (
            name,
            rank,
            "caffeine sleep",
        )
        assert record["time"].startswith("20")


@pytest.mark.parametrize("name", NAMES)
def test_the_same_question_is_answered_from_the_cache(
    name: str, http: Http, server: Standin
) -> None:
    access = access_to(name, http, server)
    first = boundary.ask(BY_NAME[name], "caffeine", 5, access)
    request_count = len(server.requests)
    second = boundary.ask(BY_NAME[name], "caffeine", 5, access)
    assert second.cached and not first.cached and second.sources == first.sources
    assert len(server.requests) == request_count > 0


BIG = b"x" * 200_000
FAULTS: dict[str, Reply] = {
    "wrong type": Reply(b"<html><body><h1>Welcome</h1></body></html>"),
    "empty": Reply(b""),
    "a picture": Reply(b"\x89PNG\r\n\x1a\n" + bytes(range(256)), media_type="image/png"),
    "truncated": Reply(b'{"results": [{"id"', length=5000),
    "half a document": Reply(b'{"results": [{"id": "https://openalex.org/W1", "ti'),
    "deep": Reply(b"[" * 100_000),
    "endless": Reply(BIG, endless=True),
    "endless chunks": Reply(BIG, endless=True, chunked=True),
    "a wrong coding": Reply(b"plain", headers={"Content-Encoding": "gzip"}),
    "status 500": Reply(b"oops", 500),
    "status 400": Reply(b"Resource not found.", 400, media_type="text/plain"),
    "status 403": Reply(b"no", 403),
    "rate limited": Reply(b"", 429, headers={"Retry-After": "3600"}),
    "a circle": Reply(status=302, headers={"Location": "/again"}),
    "a way inside": Reply(status=302, headers={"Location": "http://169.254.169.254/"}),
    "hang-up": Reply(raw=b""),
    "an entity bomb": Reply(
        b'<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;&x;">]><feed><title>&y;</title></feed>'
    ),
}
# A client of each kind of answer; the lab asks all
EACH_FORMAT = ("arxiv", "crossref", "duckduckgo", "newsroom", "openalex", "pubmed")
# These take their time
SLOW = {
    "silence": Reply(delay=60.0),
    "dripping": Reply(b"x" * 3000, drip=0.02),
}


@pytest.mark.parametrize(
    ("name", "faults"),
    [
        *((name, FAULTS) for name in EACH_FORMAT),
        *((name, SLOW) for name in ("arxiv", "openalex")),
        *(
            pytest.param(name, faults, marks=pytest.mark.lab)
            for faults, tested in ((FAULTS, EACH_FORMAT), (SLOW, ("arxiv", "openalex")))
            for name in NAMES
            if name not in tested
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "slow" if value is SLOW else "quick",
)
def test_a_client_whose_service_lies_costs_only_its_hits(
    name: str,
    faults: dict[str, Reply],
    open_http: Open,
    server: Standin,
    caplog: pytest.LogCaptureFixture,
) -> None:
    http = open_http(retries=1, read_timeout=0.1, max_page_bytes=1_000_000)
    access, label = access_to(name, http, server, deadline=0.4), BY_NAME[name].label
    for fault, reply in faults.items():
        everywhere(server, reply)
        started = time.monotonic()
        outcome = boundary.ask(BY_NAME[name], f"caffeine {fault}", 5, access)
        assert time.monotonic() - started < 30, fault
        assert (
            outcome.sources == () and outcome.problem and outcome.reason in ("error", "budget")
        ), fault
        assert outcome.problem.startswith(f"{label}: ") and outcome.problem.endswith("; skipped"), (
            fault
        )
        assert (
            "\n" not in outcome.problem
            and len(outcome.problem) < 250
            and server.place not in outcome.problem
        )
        assert "Traceback" not in caplog.text, f"{fault}: a lying service is no fault of ours"
        http.store.hosts.answered(server.place)


def test_a_rate_limit_says_how_long(http: Http, server: Standin) -> None:
    access = access_to("openalex", http, server)
    everywhere(server, Reply(b"", 429, headers={"Retry-After": "120"}))
    outcome = boundary.ask(BY_NAME["openalex"], "x", 5, access)
    assert (
        outcome.problem
        == "OpenAlex: rate limited, asked to wait 120 s; a key of your own raises the limit; "
        "skipped"
    )
    access = access_to("arxiv", http, server)
    everywhere(server, Reply(b"", 429, headers={"Retry-After": "60"}))
    http.store.hosts.answered(server.place)
    outcome = boundary.ask(BY_NAME["arxiv"], "x", 5, access)
    assert outcome.problem == "arXiv: rate limited, asked to wait 60 s; skipped"


def test_duckduckgo_falls_back_to_its_lite_page(http: Http, server: Standin) -> None:
    access = access_to("duckduckgo", http, server)
    server.on("/duckduckgo/html/", Reply(b'<div class="anomaly-modal__title">bots</div>', 202))
    lite = b"<table><tr><td><a class='result-link' href='https://a.example/x'>Found</a></td></tr></table>"
    server.on("/lite/", Reply(lite))
    assert [s.title for s in boundary.ask(BY_NAME["duckduckgo"], "x", 5, access).sources] == [
        "Found"
    ]


def test_a_parser_fault_is_logged_and_becomes_a_sentence(
    http: Http, server: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(query: str, limit: int, access: Access, filters: Any) -> list[Any]:
        return [1 // 0]

    client = replace(BY_NAME["openalex"], search=broken)
    outcome = boundary.ask(client, "x", 5, Access(http, client, client.settings()))
    assert outcome.problem == "OpenAlex: gave an answer that could not be read; skipped"
    assert "ZeroDivisionError" in caplog.text and "Traceback" in caplog.text


def test_a_stop_comes_through(http: Http, server: Standin) -> None:
    def stop() -> None:
        raise Cancelled("stopped")

    access = access_to("openalex", http, server)
    http.check = stop
    with pytest.raises(Cancelled):
        boundary.ask(BY_NAME["openalex"], "x", 5, access)


def test_nothing_found_is_no_problem(http: Http, server: Standin) -> None:
    access = access_to("openalex", http, server)
    everywhere(server, Reply(b'{"results": []}'))
    outcome = boundary.ask(BY_NAME["openalex"], "x", 5, access)
    assert (outcome.problem, outcome.reason, outcome.sources) == (None, "no_results", ())
    assert boundary.ask(BY_NAME["openalex"], "  ", 5, access).reason == "no_results"


class Service:
    """A service that can be switched on and off, for one client, at a time that passes when told
    to."""

    def __init__(self, open_http: Open, server: Standin) -> None:
        self.now = 1_800_000_000.0
        self.server = server
        self.http = open_http(wall=lambda: self.now, retries=0)
        self.access = access_to("openalex", self.http, server)
        self.count = 0

    def ask(self, up: bool) -> str | None:
        everywhere(self.server, Reply(b'{"results": []}') if up else Reply(status=500))
        self.count += 1
        return boundary.ask(BY_NAME["openalex"], f"question {self.count}", 5, self.access).problem


@pytest.fixture
def service(open_http: Open, server: Standin) -> Service:
    return Service(open_http, server)


def test_a_client_that_fails_three_times_is_asked_once_an_hour(
    service: Service, store: NetStore
) -> None:
    store.clients.answered("crossref", service.now)
    for _ in range(3):
        assert "status 500" in str(service.ask(up=False))
    assert "failed 3 times in a row; asked again after" in str(service.ask(up=True))
    service.now += 3590
    assert "in a row" in str(service.ask(up=True)), "the hour is not over"
    service.now += 11
    store.clients.answered("crossref", service.now)
    assert "status 500" in str(service.ask(up=False)), "after an hour one question is tried"
    assert "in a row" in str(service.ask(up=True))
    service.now += 3601
    assert service.ask(up=True) is None
    assert service.ask(up=True) is None and store.clients.get("openalex").failures == 0


def test_a_clock_that_was_set_back_keeps_no_client_waiting(
    service: Service, store: NetStore
) -> None:
    store.clients.answered("crossref", service.now)
    for _ in range(3):
        service.ask(up=False)
    assert "in a row" in str(service.ask(up=True))
    service.now -= 86_400
    assert service.ask(up=True) is None


def test_while_the_network_is_down_nobody_is_blamed(service: Service, store: NetStore) -> None:
    for _ in range(5):
        assert "status 500" in str(service.ask(up=False))
    assert store.clients.get("openalex").failures == 0
    assert "status 500" in str(store.clients.get("openalex").problem)


def test_offline_asks_nobody_and_blames_nobody(
    open_http: Open, server: Standin, store: NetStore
) -> None:
    http = open_http(offline=True)
    outcome = boundary.ask(BY_NAME["arxiv"], "x", 5, access_to("arxiv", http, server))
    assert (
        outcome.problem == "arXiv: nothing is kept of it, and the run is offline; skipped"
        and outcome.reason == "offline"
    )
    assert not server.requests and store.clients.all() == {}


def test_switched_off_and_keyless_clients_say_so(http: Http, server: Standin) -> None:
    off = access_to("openalex", http, server, enabled=False)
    assert "switched off" in str(boundary.ask(BY_NAME["openalex"], "x", 5, off).problem)
    wanting = replace(BY_NAME["openalex"], key_required=True)
    outcome = boundary.ask(
        wanting, "x", 5, Access(http, wanting, settings_for(wanting, server, key=None))
    )
    assert "needs a key" in str(outcome.problem) and not server.requests


def test_a_key_is_sent_to_the_address_it_was_entered_for_and_no_other(
    http: Http, server: Standin
) -> None:
    keyed = boundary.ask(
        BY_NAME["openalex"], "x", 5, access_to("openalex", http, server, key="k3y")
    )
    assert keyed.problem is None and server.requests[-1].query["api_key"] == "k3y"
    moved = access_to(
        "openalex", http, server, key="k3y", key_origin="https://api.openalex.org:443"
    )
    outcome = boundary.ask(BY_NAME["openalex"], "y", 5, moved)
    assert (
        "address was changed since its key was entered" in str(outcome.problem)
        and len(server.requests) == 1
    )
    token = access_to("newsroom", http, server, key="t0ken")
    boundary.ask(BY_NAME["newsroom"], "x", 5, token)
    assert server.requests[-1].headers["authorization"] == "Bearer t0ken"


def test_filters_reach_the_services_and_hold_for_what_comes_back(
    http: Http, server: Standin
) -> None:
    limits = Filters(since="2015-01-01", until="2020-12-31", lang="en")
    for name in NAMES:
        outcome = boundary.ask(BY_NAME[name], "caffeine", 20, access_to(name, http, server), limits)
        assert all("2015" <= (s.published or "2015") <= "2020-12-31" for s in outcome.sources), name
    queries = {request.path: request.query for request in server.requests}
    assert queries["/openalex/works"]["filter"] == (
        "from_publication_date:2015-01-01,to_publication_date:2020-12-31,language:en"
    )
    assert (
        queries["/crossref/works"]["filter"] == "from-pub-date:2015-01-01,until-pub-date:2020-12-31"
    )
    assert "submittedDate:[201501010000 TO 202012312359]" in queries["/arxiv/query"]["search_query"]
    assert queries["/newsroom/api/data-admin/newsroom/articles"]["date_from"] == "2015-01-01"


def test_the_newsroom_is_asked_for_the_last_ninety_days_and_two_hundred_articles_at_most(
    http: Http, server: Standin
) -> None:
    for most in (25, 999):
        boundary.ask(
            BY_NAME["newsroom"],
            "caffeine",
            999,
            access_to("newsroom", http, server, max_results=most),
        )
    first, second = (request.query for request in server.requests)
    assert date.fromisoformat(first["date_to"]) - date.fromisoformat(
        first["date_from"]
    ) == timedelta(days=90)
    assert (first["limit"], second["limit"]) == ("25", "200")


def test_sites_are_asked_for_and_kept_to(http: Http, server: Standin) -> None:
    access = access_to("duckduckgo", http, server)
    limits = Filters(sites=("a.example",), exclude_sites=("b.example",))
    assert boundary.ask(BY_NAME["duckduckgo"], "caffeine", 9, access, limits).sources == ()
    assert server.requests[0].query["q"] == "caffeine site:a.example -site:b.example"
    without = boundary.ask(
        BY_NAME["duckduckgo"], "caffeine", 9, access, Filters(exclude_sites=("127.0.0.1",))
    )
    assert without.sources == ()


def test_quoted_names_stay_whole_in_every_query(http: Http, server: Standin) -> None:
    for name in NAMES:
        if name == "feeds":
            continue  # a feed is fetched whole and searched here
        before = len(server.requests)
        boundary.ask(
            BY_NAME[name],
            'What did "Satya Nadella" say about the cloud?',
            5,
            access_to(name, http, server),
        )
        assert "Satya Nadella" in " ".join(server.requests[before].query.values()), name
    queries = [" ".join(a.query.values()) for a in server.requests]
    assert any('all:"Satya Nadella" AND all:cloud' in query for query in queries)


QUERIES = (
    "x" * 5000,
    "word " * 3000,
    "\0\ud800\n",
    '"""',
    "a AND (b OR",
    "日本語 睡眠",
    "?!*&=#%",
    "x y\ud800z",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.lab
def test_no_query_is_too_strange(name: str, http: Http, server: Standin) -> None:
    access = access_to(name, http, server)
    for query in QUERIES:
        assert boundary.ask(BY_NAME[name], query, 5, access).problem is None, query
    assert all(len(request.target) < 4000 for request in server.requests)


def test_budgets_fit_into_the_deadline() -> None:
    arxiv = BY_NAME["arxiv"]
    assert [arxiv.requests_allowed(depth, arxiv.settings()) for depth in (1, 2, 3)] == [3, 6, 10]
    assert arxiv.requests_allowed(3, arxiv.settings(deadline=15.0)) == 5
    assert arxiv.requests_allowed(9, arxiv.settings(min_interval=0.0, budget=(1, 2, 4))) == 4


@pytest.mark.parametrize("name", ["openalex", "crossref"])
def test_works_are_looked_up_and_their_references_found(
    name: str, http: Http, server: Standin
) -> None:
    client, access = BY_NAME[name], access_to(name, http, server)
    (work,) = boundary.lookup(client, "https://doi.org/10.5555/standin.7", access).sources
    assert (work.title, work.doi) == (title(7), "10.5555/standin.7")
    cited = boundary.related(client, "references", work, 10, access)
    assert {source.doi for source in cited.sources} == {f"10.5555/standin.{n}" for n in (8, 12, 49)}
    bare = replace(work, references=(), ids={})
    # By their identifiers: each finding also carries the second it was made in
    again = boundary.related(client, "references", bare, 2, access).sources
    assert [(source.doi, source.title) for source in again] == [
        (source.doi, source.title) for source in cited.sources[:2]
    ]
    assert boundary.lookup(client, "10.5555/standin.999", access).reason == "no_results"
    assert boundary.lookup(client, "no such thing", access).sources == ()


def test_citing_works_are_found_where_a_client_knows_them(http: Http, server: Standin) -> None:
    access = access_to("openalex", http, server)
    (work,) = boundary.lookup(BY_NAME["openalex"], "W97", access).sources
    citing = boundary.related(BY_NAME["openalex"], "citing", work, 10, access)
    assert citing.sources and all("openalex:W97" in source.references for source in citing.sources)
    other = boundary.related(
        BY_NAME["crossref"], "citing", work, 10, access_to("crossref", http, server)
    )
    assert other.reason == "no_results" and other.problem is None
