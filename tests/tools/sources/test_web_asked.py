"""Asking the web services: keys and where they go, quotas, silent engines, failing feeds, and who
takes over."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standin import Reply, Standin, serve
from benchmarks.standin_services import mount
from tools.http import Http
from tools.net.store import NetStore
from tools.sources import boundary
from tools.sources.client import Access, Client, Filters
from tools.sources.fallback_client import Takeover
from tools.sources.web import brave, duckduckgo, feeds, searxng, serper, tavily

DATA = Path(__file__).resolve().parents[2] / "data" / "sources"
KEYED = {"brave": brave.CLIENT, "tavily": tavily.CLIENT, "serper": serper.CLIENT}
PATHS = {
    "brave": "/brave/res/v1/web/search",
    "tavily": "/tavily/search",
    "serper": "/serper/search",
}
HEADERS = {"brave": "x-subscription-token", "tavily": "authorization", "serper": "x-api-key"}
JSON = "application/json"
Open = Callable[..., Http]


def access_to(client: Client, http: Http, server: Standin, **changes: Any) -> Access:
    base = mount(server, characters=500).settings[f"sources.{client.name}.base_url"]
    key_fields = {
        "key_name": f"{client.name.upper()}_KEY",
        "key_page": f"https://{client.name}.example/keys",
    }
    ready = {
        "base_url": base,
        "min_interval": 0.0,
        "enabled": True,
        "key": "k3y-secret",
        **key_fields,
    }
    return Access(http, client, client.settings(**{**ready, **changes}))


@pytest.mark.parametrize("name", KEYED)
def test_the_key_travels_in_its_header_and_nowhere_else(
    name: str, http: Http, server: Standin
) -> None:
    outcome = boundary.ask(KEYED[name], "caffeine", 5, access_to(KEYED[name], http, server))
    (request,) = server.requests
    assert (
        outcome.problem is None
        and request.headers[HEADERS[name]].removeprefix("Bearer ") == "k3y-secret"
    )
    assert "k3y" not in request.target and b"k3y" not in request.body


@pytest.mark.parametrize("name", KEYED)
def test_a_missing_key_is_one_sentence_with_what_to_do(
    name: str, http: Http, server: Standin
) -> None:
    client = KEYED[name]
    outcome = boundary.ask(client, "caffeine", 5, access_to(client, http, server, key=None))
    assert outcome.problem == (
        f"{client.label}: needs a key; get one at https://{name}.example/keys and store it with "
        f"`zorora keys set {name.upper()}_KEY` or on the settings page; skipped"
    )
    assert not server.requests


@pytest.mark.parametrize("name", KEYED)
@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_says_which_and_where_to_set_it(
    name: str, status: int, http: Http, server: Standin
) -> None:
    client, access = KEYED[name], access_to(KEYED[name], http, server)
    server.on(PATHS[name], Reply(b'{"message": "Unauthorized."}', status, media_type=JSON))
    message = str(boundary.ask(client, "caffeine", 5, access).problem)
    assert message.startswith(
        f"{client.label}: refused (status {status}); check its key: get one at https://{name}"
    )
    assert (
        f"`zorora keys set {name.upper()}_KEY`" in message
        and "k3y" not in message
        and len(message) < 250
    )


@pytest.mark.parametrize("name", KEYED)
def test_a_request_with_a_key_follows_no_redirect(name: str, http: Http, server: Standin) -> None:
    client, access = KEYED[name], access_to(KEYED[name], http, server)
    server.on(PATHS[name], Reply(status=307, headers={"Location": "/thief"}))
    server.on("/thief", Reply(b"{}"))
    outcome = boundary.ask(client, "caffeine", 5, access)
    assert (
        "a request with a key follows none" in str(outcome.problem) and server.count("/thief") == 0
    )


@pytest.mark.parametrize("name", KEYED)
def test_a_key_entered_for_another_address_is_not_sent(
    name: str, http: Http, server: Standin
) -> None:
    client = KEYED[name]
    moved = access_to(client, http, server, key_origin="https://api.example.org:443")
    message = str(boundary.ask(client, "caffeine", 5, moved).problem)
    assert "its address was changed since its key was entered" in message and not server.requests
    assert f"`zorora keys set {name.upper()}_KEY`" in message


def test_brave_says_that_its_token_is_wrong(http: Http, server: Standin) -> None:
    access = access_to(brave.CLIENT, http, server)
    server.on(PATHS["brave"], Reply((DATA / "brave_token.json").read_bytes(), 422, media_type=JSON))
    message = str(boundary.ask(brave.CLIENT, "caffeine", 5, access).problem)
    assert message.startswith(
        "Brave: its key was not accepted (status 422); get one at https://brave.example/keys"
    )


@pytest.mark.parametrize(
    ("client", "status", "body", "message"),
    [
        (tavily.CLIENT, 432, b"{}", "Tavily: the plan of its key is used up (status 432); skipped"),
        (tavily.CLIENT, 400, b"{}", "Tavily: did not accept the request (status 400); skipped"),
        (
            serper.CLIENT, 400, b'{"message": "Not enough credits"}',
            "Serper: answered with an error (Not enough credits); skipped",
        ),
        (serper.CLIENT, 429, b"{}", "Serper: rate limited; skipped"),
    ],
)  # fmt: skip
def test_used_up_plans_are_named(
    client: Client, status: int, body: bytes, message: str, open_http: Open, server: Standin
) -> None:
    access = access_to(client, open_http(retries=0), server)
    server.on(PATHS[client.name], Reply(body, status, media_type=JSON))
    assert boundary.ask(client, "caffeine", 5, access).problem == message


def test_filters_reach_the_web_services(http: Http, server: Standin) -> None:
    limits = Filters(
        since="2020-02", until="2021", sites=("a.example",), exclude_sites=("b.example",)
    )
    for client in KEYED.values():
        boundary.ask(client, "caffeine", 5, access_to(client, http, server), limits)
    queries_by_path = {request.path: request.query for request in server.requests}
    assert queries_by_path[PATHS["brave"]]["freshness"] == "2020-02-01to2021-12-31"
    assert (
        queries_by_path[PATHS["brave"]]["q"]
        == queries_by_path[PATHS["serper"]]["q"]
        == "caffeine site:a.example -site:b.example"
    )
    assert queries_by_path[PATHS["serper"]]["tbs"] == "cdr:1,cd_min:2/1/2020,cd_max:12/31/2021"
    posted = queries_by_path[PATHS["tavily"]]
    assert (posted["start_date"], posted["include_domains"]) == ("2020-02-01", "['a.example']")


def test_different_posted_questions_are_different_in_the_cache(http: Http, server: Standin) -> None:
    access = access_to(tavily.CLIENT, http, server)
    for query in ("one", "two", "one"):
        boundary.ask(tavily.CLIENT, query, 5, access)
    assert [request.query["query"] for request in server.requests] == ["one", "two"]


def test_brave_images_are_asked_for_at_their_own_path(http: Http, server: Standin) -> None:
    access = access_to(brave.CLIENT, http, server)
    server.on(
        "/brave/res/v1/images/search",
        Reply((DATA / "brave_images.json").read_bytes(), media_type=JSON),
    )
    outcome = boundary.ask(brave.IMAGES, "cups", 5, access)
    assert outcome.sources[0].fields["image"] == "https://a.example/cup.jpg"
    assert server.requests[-1].headers["x-subscription-token"] == "k3y-secret"


def test_searxng_reports_silent_engines_beside_its_hits(http: Http, server: Standin) -> None:
    access = access_to(searxng.CLIENT, http, server)
    server.on(
        "/searxng/search", Reply((DATA / "searxng_search.json").read_bytes(), media_type=JSON)
    )
    outcome = boundary.ask(searxng.CLIENT, "caffeine", 5, access)
    assert len(outcome.sources) == 2 and outcome.reason is None
    assert str(outcome.problem).startswith(
        "SearXNG: engines of it did not answer: brave (Suspended: too many requests)"
    )
    silent = b'{"results": [], "unresponsive_engines": [["google", "CAPTCHA"]]}'
    server.on("/searxng/search", Reply(silent, media_type=JSON))
    nothing = boundary.ask(searxng.CLIENT, "tea", 5, access)
    assert nothing.problem == "SearXNG: its engines did not answer: google (CAPTCHA); skipped"


def test_searxng_without_json_or_address_says_what_to_do(http: Http, server: Standin) -> None:
    access = access_to(searxng.CLIENT, http, server)
    server.on("/searxng/search", Reply(b"Forbidden", 403))
    assert "must allow the format json" in str(boundary.ask(searxng.CLIENT, "x", 5, access).problem)
    assert (
        not searxng.CLIENT.settings().enabled
        and searxng.CLIENT.settings(base_url="http://s.example/").enabled
    )
    off = Access(http, searxng.CLIENT, searxng.CLIENT.settings())
    assert "switched off" in str(boundary.ask(searxng.CLIENT, "x", 5, off).problem)


def test_one_broken_feed_costs_only_its_own_entries(open_http: Open, server: Standin) -> None:
    http = open_http(retries=0)
    broken = server.on("/broken.xml", Reply(b"<html><body>moved</body></html>"))
    gone = server.on("/gone.xml", Reply(b"", 404))
    access = access_to(feeds.CLIENT, http, server, options={"addresses": (broken, gone)})
    outcome = boundary.ask(feeds.CLIENT, "caffeine sleep", 5, access)
    assert outcome.sources and outcome.reason is None
    assert outcome.problem == (
        "News feeds: the feed of 127.0.0.1: no RSS or Atom feed; the feed of 127.0.0.1: did not "
        "answer (status 404)"
    )
    alone = access_to(feeds.CLIENT, http, server, base_url=broken)
    assert boundary.ask(feeds.CLIENT, "x", 5, alone).problem == (
        "News feeds: the feed of 127.0.0.1: no RSS or Atom feed; skipped"
    )


def test_feeds_are_fetched_once_for_all_questions(http: Http, server: Standin) -> None:
    access = access_to(feeds.CLIENT, http, server)
    for query in ("caffeine", "sleep", "liver"):
        boundary.ask(feeds.CLIENT, query, 5, access)
    assert len(server.requests) == 1


def takeover(http: Http, server: Standin, **changes: Any) -> Takeover:
    second = access_to(duckduckgo.CLIENT, http, server, key=None)
    return Takeover(access_to(brave.CLIENT, http, server, **changes), second)


def test_while_brave_answers_duckduckgo_is_not_asked(http: Http, server: Standin) -> None:
    outcome = takeover(http, server).ask("caffeine", 5)
    assert outcome.client == "brave" and outcome.problem is None and len(outcome.sources) == 5
    assert [request.path for request in server.requests] == [PATHS["brave"]]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(b"{}", 429, {"Retry-After": "3600"}), "rate limited, asked to wait 3600 s"),
        (Reply(b"no", 402), "refused (status 402); check its key"),
        (Reply(b"oops", 500), "unavailable (status 500)"),
        (Reply(b"<html>", 200), "answered with something other than JSON"),
        (Reply(delay=20.0), " answer "),
    ],
)  # fmt: skip
def test_duckduckgo_takes_over_in_the_same_search(
    reply: Reply, why: str, open_http: Open, server: Standin
) -> None:
    with (
        serve() as other
    ):  # a host that refuses is left alone; the two are not one host in life either
        there = f"{other.url}/"
        other.on("/web/search", reply)
        pair = takeover(open_http(retries=0), server, deadline=2.0, base_url=there)
        started = time.monotonic()
        outcome = pair.ask("caffeine", 5)
        again = pair.ask("sleep", 5)
    assert time.monotonic() - started < 15
    message = str(outcome.problem)
    assert (
        message.startswith("Brave: ")
        and why in message
        and message.endswith("; DuckDuckGo took over")
    )
    assert len(outcome.sources) == 5 and outcome.reason is None and outcome.client == "brave"
    assert all(source.providers == ("duckduckgo",) for source in outcome.sources)
    assert again.problem == message and other.count("/web/search") == 1, "asked once in a run"


def test_when_both_fail_one_sentence_names_both(
    open_http: Open, server: Standin, store: NetStore
) -> None:
    pair = takeover(open_http(retries=0), server)
    server.on(PATHS["brave"], Reply(b"oops", 500))
    server.on("/duckduckgo/html/", Reply(b'<div class="anomaly-modal__title">bots</div>', 202))
    server.on("/lite/", Reply(b'<div class="anomaly-modal__title">bots</div>', 202))
    outcome = pair.ask("caffeine", 5)
    assert outcome.problem == (
        "Brave: unavailable (status 500); DuckDuckGo: blocked: it asks for proof of being human; "
        "skipped"
    )
    assert outcome.sources == () and outcome.reason == "error"


def test_nothing_found_by_brave_is_an_answer(http: Http, server: Standin) -> None:
    pair = takeover(http, server)
    server.on(PATHS["brave"], Reply(b'{"type": "search", "web": {"results": []}}', media_type=JSON))
    assert (pair.ask("zzz", 5).problem, pair.ask("zzz", 5).reason) == (None, "no_results")
    assert server.count("/duckduckgo/html/") == 0
