"""What is kept and for how long, and how hosts are spared: by threads, by processes, by
robots.txt."""

import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks.standin import Asked, Reply, Standin
from tests.tables import each
from tools.errors import SourceError
from tools.http import Http
from tools.net.pacing import Pace, Turn, backoff, retry_after
from tools.net.request import Request
from tools.net.robots import Robots
from tools.net.store import ClientStore, FetchRecord, Kept, NetStore

Open = Callable[..., Http]
ROOT = Path(__file__).resolve().parents[3]


class Clock:
    """Seconds since 1970 that pass when told to."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_fresh_answer_is_not_asked_for_again(open_http: Open, server: Standin) -> None:
    clock = Clock()
    http = open_http(wall=clock)
    url = server.on("/", Reply(b"one"), Reply(b"two"))
    first = http.get(Request(url, ttl=100))
    clock.now += 99
    second = http.get(Request(url, ttl=100))
    assert (first.cached, second.cached, second.content, second.answered_at) == (
        False,
        True,
        b"one",
        clock.now - 99,
    )
    clock.now += 2
    assert http.get(Request(url, ttl=100)).content == b"two"


def test_without_a_time_to_live_nothing_is_kept(
    http: Http, store: NetStore, server: Standin
) -> None:
    http.get(Request(server.on("/", Reply(b"x"))))
    assert store.cache.entries() == []


def test_an_expired_answer_is_confirmed_by_its_validators(open_http: Open, server: Standin) -> None:
    clock = Clock()
    http = open_http(wall=clock)

    def answer(request: Asked) -> Reply:
        if request.headers.get("if-none-match") == '"v1"':
            assert request.headers["if-modified-since"] == "Mon, 01 Jan 2024 00:00:00 GMT"
            return Reply(status=304)
        return Reply(
            b"text", headers={"ETag": '"v1"', "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"}
        )

    url = server.on("/", answer)
    http.get(Request(url, ttl=10))
    clock.now += 11
    again = http.get(Request(url, ttl=10))
    assert again.content == b"text" and again.cached and again.answered_at == clock.now
    assert http.get(Request(url, ttl=10)).cached and len(server.requests) == 2


def test_requests_that_differ_are_kept_apart(http: Http, server: Standin) -> None:
    url = server.on(
        "/",
        lambda request: Reply((request.query.get("q", "") + request.headers["accept"]).encode()),
    )
    assert http.get(Request(url, params={"q": "a"}, ttl=9)).content == b"a*/*"
    assert http.get(Request(url, params={"q": "b"}, ttl=9)).content == b"b*/*"
    assert (
        http.get(Request(url, params={"q": "a"}, headers={"Accept": "x/y"}, ttl=9)).content
        == b"ax/y"
    )
    assert http.get(Request(url + "?q=a", ttl=9)).cached
    assert http.get(Request(url + "?q=a#part", ttl=9)).cached


def test_errors_are_not_kept_but_absence_is_for_a_day(
    open_http: Open, store: NetStore, server: Standin
) -> None:
    clock = Clock()
    http = open_http(wall=clock)
    http.get(Request(server.on("/forbidden", Reply(status=403)), ttl=1000))
    http.get(Request(server.on("/gone", Reply(status=404)), ttl=30 * 86400))
    assert [(entry.status, entry.expires_at - clock.now) for entry in store.cache.entries()] == [
        (404, 86400)
    ]


def test_redirected_answers_keep_their_last_address(http: Http, server: Standin) -> None:
    server.on("/old", Reply(status=301, headers={"Location": "/new"}))
    server.on("/new", Reply(b"x"))
    assert (
        http.get(Request(server.url + "/old", ttl=9)).url
        == http.get(Request(server.url + "/old", ttl=9)).url
        == server.url + "/new"
    )


def test_the_cache_can_be_listed_shown_purged_and_cleared(store: NetStore) -> None:
    for number, headers in enumerate(({}, {"etag": "x"}, {})):
        store.cache.put(
            Kept(f"{number}" * 64, f"u{number}", "u", 200, headers, b"body", 10.0 + number, 20.0)
        )
    assert [entry.url for entry in store.cache.entries()] == ["u2", "u1", "u0"]
    shown = store.cache.entry("1" * 16)
    assert shown and shown.body == b"body" and store.cache.entry("none") is None
    assert store.cache.clear(older_than=11.0) == 1
    store.cache.put(Kept("3" * 64, "u3", "u", 200, {}, b"x" * 300_001, 13.0, 20.0))
    assert store.cache.purge(20.0 + 6 * 86400) == 0
    assert store.cache.purge(20.0 + 8 * 86400) == 1, (
        "large answers stay for a week after they expired"
    )
    assert store.cache.purge(20.0 + 29 * 86400) == 0
    assert store.cache.purge(20.0 + 31 * 86400) == 2, (
        "others for a month: runs without a network read them"
    )
    store.cache.put(Kept("k", "u", "u", 200, {}, b"", 1.0, 2.0))
    assert store.cache.clear() == 1


def test_a_huge_body_is_not_kept(store: NetStore) -> None:
    store.cache.put(Kept("k", "u", "u", 200, {}, b"\0" * 8_000_001, 1.0, 2.0))
    assert store.cache.get("k") is None


def test_an_answer_from_the_future_is_not_fresh() -> None:
    assert not Kept("k", "u", "u", 200, {}, b"", 5000.0, 9000.0).fresh(1000.0)


def intervals(server: Standin) -> list[float]:
    moments = [request.at for request in server.requests]
    return [later - earlier for earlier, later in itertools.pairwise(moments)]


def test_threads_keep_the_interval_of_a_host(open_http: Open, server: Standin) -> None:
    http = open_http()
    url = server.on("/", Reply(b"x"))
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: http.get(Request(url, interval=0.2)), range(3)))
    # The server may notice a request late; without a pause there would be no time between them at
    # all
    assert len(server.requests) == 3 and min(intervals(server)) >= 0.1


@pytest.mark.lab
def test_the_interval_counts_from_when_the_request_left(open_http: Open, server: Standin) -> None:
    delays = [0.5]  # the first look-up of the name takes this long, the others nothing

    def resolver(*_: object) -> list[str]:
        time.sleep(delays.pop() if delays else 0.0)
        return ["127.0.0.1"]

    place = f"slow.example:{server.port}"
    http = open_http(resolver=resolver, allow_fetch_hosts=(place,))
    server.on("/", Reply(b"x"))
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: http.get(Request(f"http://{place}/", interval=0.3)), range(3)))
    assert len(server.requests) == 3 and min(intervals(server)) >= 0.3


def test_a_slow_answer_does_not_delay_the_next_request(open_http: Open, server: Standin) -> None:
    http = open_http()
    url = server.on("/", Reply(b"x", delay=0.6))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: http.get(Request(url, interval=0.1)), range(2)))
    assert 0.1 <= intervals(server)[0] < 0.5


def test_a_host_that_could_not_be_reached_keeps_no_turn(open_http: Open) -> None:
    http = open_http(allow_fetch_hosts=("127.0.0.1:9",), retries=0)
    with pytest.raises(SourceError, match="connection failed"):
        http.get(Request("http://127.0.0.1:9/", interval=0.2))
    assert 0.0 < http.store.hosts.wait_seconds("127.0.0.1:9", time.time()) <= 0.25


@pytest.mark.lab
def test_processes_share_the_pace(tmp_path: Path, server: Standin, store: NetStore) -> None:
    url = server.on("/", Reply(b"x"))
    code = (
        "import sys; from pathlib import Path\n"
        "from tools.database import Database; from tools.schema import CORPUS\n"
        "from tools.http import Http, HttpSettings; from tools.net.store import NetStore\n"
        "http = Http(HttpSettings(allow_fetch_hosts=(sys.argv[2],)), "
        "NetStore(Database(Path(sys.argv[1]), CORPUS)))\n"
        "from tools.net.request import Request\n"
        "for _ in range(3): http.get(Request(sys.argv[3], interval=0.2))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "corpus.db"), server.place, url]
    running = [subprocess.Popen(command, cwd=ROOT) for _ in range(2)]
    assert [process.wait(60) for process in running] == [0, 0]
    assert len(server.requests) == 6 and min(intervals(server)) >= 0.2


def test_processes_that_wait_for_one_answer_ask_once(open_http: Open, server: Standin) -> None:
    url = server.on("/", Reply(b"x"))
    first, other = open_http(), open_http()  # as two processes: no lock is shared but the database
    first.get(Request(server.on("/before", Reply(b"y")), interval=0.1))
    with ThreadPoolExecutor(2) as pool:
        answers = list(
            pool.map(lambda http: http.get(Request(url, ttl=60, interval=0.1)), (first, other))
        )
    assert server.count("/") == 1 and sorted(answer.cached for answer in answers) == [False, True]


def test_processes_that_wait_to_confirm_one_answer_ask_once(
    open_http: Open, server: Standin
) -> None:
    url = server.on("/", Reply(b"x", headers={"ETag": '"v1"'}))
    first, other = open_http(), open_http()
    request = Request(url, ttl=0.5, interval=0.1)
    first.get(request)
    time.sleep(0.55)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda http: http.get(request), (first, other)))
    assert server.count("/") == 2 and sorted(answer.cached for answer in answers) == [False, True]


def test_a_program_started_anew_keeps_the_pace(open_http: Open, server: Standin) -> None:
    url = server.on("/", Reply(b"x"))
    for _ in range(2):
        open_http().get(Request(url, interval=0.2))
    assert intervals(server)[0] >= 0.2


def test_a_process_that_died_before_sending_blocks_the_host_for_seconds_only(
    store: NetStore,
) -> None:
    pace = Pace(store.hosts, lambda: 1000.0, sending=10.0)
    assert isinstance(pace.take("a:80", 3.0, 30.0), Turn)  # and never heard of again
    assert pace.take("a:80", 3.0, 30.0) == pytest.approx(13.05)
    assert isinstance(Pace(store.hosts, lambda: 1013.1).take("a:80", 3.0, 30.0), Turn)


def test_a_pause_that_the_host_asked_for_outlasts_the_turn(store: NetStore) -> None:
    pace = Pace(store.hosts, lambda: 1000.0)
    turn = pace.take("a:80", 3.0, 30.0)
    store.hosts.hold("a:80", 1060.0)
    assert isinstance(turn, Turn)
    turn.sent()
    assert pace.take("a:80", 3.0, 90.0) == 60.0


def test_a_turn_after_the_deadline_is_not_waited_for(open_http: Open, server: Standin) -> None:
    http = open_http()
    url = server.on("/", Reply(b"x"))
    http.get(Request(url, interval=60.0))
    with pytest.raises(SourceError, match="its turn would come after") as caught:
        http.get(Request(url, interval=60.0, deadline=http.clock() + 2))
    assert caught.value.reason == "budget"


def test_a_clock_that_was_set_back_blocks_nobody(store: NetStore) -> None:
    store.hosts.take("a:80", 2_000_000_000.0, 2_000_000_003.0)
    store.hosts.refused("a:80", 2_000_000_000.0, 60.0)
    assert store.hosts.take("a:80", 1_000_000.0, 1_000_003.0) == 0.0
    assert store.hosts.cooling("a:80", 1_000_000.0) == 0.0


def test_refusals_make_the_rest_longer(store: NetStore) -> None:
    rests = []
    for _ in range(6):
        store.hosts.refused("a:80", 0.0, None)
        rests.append(store.hosts.cooling("a:80", 0.0))
    assert rests == [60, 120, 240, 480, 900, 900]


@each(
    ("value", "seconds"),
    [
        ("12", 12), (" 0 ", 0), ("9" * 30, 86400), ("-5", None), ("", None), (None, None),
        ("soon", None),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 40), ("Thu, 01 Jan 1970 00:00:10 GMT", 0),
        ("Thu, 99 Jan 9999 00:00", None),
    ],
)  # fmt: skip
def test_retry_after_is_read_as_seconds_or_date(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, 60.0) == seconds


def test_backoff_doubles_with_jitter() -> None:
    for attempt in range(4):
        waits = [backoff(attempt, 1.0) for _ in range(50)]
        assert 2**attempt * 0.5 <= min(waits) < max(waits) <= 2**attempt


def robots_for(server: Standin, text: str, status: int = 200) -> str:
    server.on("/robots.txt", Reply(text.encode(), status, media_type="text/plain"))
    return server.on("/page", Reply(b"page"))


@pytest.fixture
def polite(open_http: Open, server: Standin) -> Http:
    """An Http that reaches the server by a name, so that robots.txt counts; the user's own places
    are not asked."""
    from tools.net.guard import Guard

    http = open_http(page_interval=0.0, allow_fetch_hosts=())
    http._guard = Guard(resolver=lambda *_: ["127.0.0.1"])
    http._guard.addresses = lambda target, checked=True: ["127.0.0.1"]  # type: ignore[method-assign]
    return http


def test_robots_txt_closes_pages(polite: Http, server: Standin) -> None:
    url = robots_for(server, "User-agent: *\nDisallow: /page\n\nUser-agent: other\nDisallow:\n")
    with pytest.raises(SourceError, match=r"robots\.txt") as caught:
        polite.get(Request(url, robots=True))
    assert caught.value.reason == "paywall" and server.count("/page") == 0
    assert polite.get(Request(url)).content == b"page", "official APIs are not asked for theirs"


def test_robots_txt_is_read_once_and_its_absence_opens_all(polite: Http, server: Standin) -> None:
    url = robots_for(server, "gone", 404)
    for _ in range(3):
        assert polite.get(Request(url, robots=True)).content == b"page"
    assert server.count("/robots.txt") == 1


def test_our_own_name_in_robots_txt_counts_more_than_the_star(
    polite: Http, server: Standin
) -> None:
    url = robots_for(server, "User-agent: zorora\nAllow: /page\nUser-agent: *\nDisallow: /\n")
    assert polite.get(Request(url, robots=True)).status == 200


def test_a_crawl_delay_meant_for_crawlers_is_five_seconds_at_most() -> None:
    for requested, seconds in ((3, 3.0), (600, 5.0)):
        body = f"User-agent: *\nCrawl-delay: {requested}\n".encode()
        assert (
            Robots(lambda url, deadline, body=body: (200, body)).check("https://a.example/x", 1.0)
            == seconds
        )


def test_a_crawl_delay_slows_us_down(polite: Http, server: Standin) -> None:
    url = robots_for(server, "User-agent: *\nCrawl-delay: 0.2\n")
    started = time.monotonic()
    for _ in range(3):
        polite.get(Request(url, robots=True))
    assert time.monotonic() - started > 0.35


def test_binary_nonsense_as_robots_txt_closes_nothing(polite: Http, server: Standin) -> None:
    server.on("/robots.txt", Reply(bytes(range(256)) * 50))
    assert polite.get(Request(server.on("/page", Reply(b"page")), robots=True)).status == 200


def test_threads_read_robots_txt_once(polite: Http, server: Standin) -> None:
    url = robots_for(server, "User-agent: *\nAllow: /\n")
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: polite.get(Request(url, robots=True)), range(6)))
    assert server.count("/robots.txt") == 1


def test_fetches_are_remembered_with_all_they_say(store: NetStore) -> None:
    bad = FetchRecord(
        "s1",
        "r1",
        "http://a/",
        "2026-01-01T00:00:00+00:00",
        100.0,
        problem="a: down",
        reason="error",
    )
    good = FetchRecord(
        "s1",
        "r2",
        "http://a/",
        "t",
        200.0,
        "text/html",
        "e/1",
        "raw",
        "snap",
        metadata={"title": "é"},
    )
    store.fetches.add(bad)
    store.fetches.add(good)
    assert store.fetches.of_run("s1", "r1") == bad and store.fetches.of_run("s1", "r2") == good
    assert (
        store.fetches.latest_good("s1", 150.0) == good
        and store.fetches.latest_good("s1", 201.0) is None
    )
    assert store.fetches.of_run("s2", "r1") is None and store.fetches.snapshot_ids() == {"snap"}
    assert store.fetches.remove_run("r2") == 1 and store.fetches.latest_good("s1", 0.0) is None


def test_of_two_sources_that_are_one_work_the_good_text_is_found(store: NetStore) -> None:
    good = FetchRecord("kept", "r1", "http://a/", "t", 100.0, snapshot_id="snap")
    store.fetches.add(good)
    store.fetches.add(FetchRecord("gone", "r1", "http://b/", "t", 200.0, problem="b: down"))
    store.fetches.add(FetchRecord("gone", "r2", "http://b/", "t", 300.0, snapshot_id="other"))
    store.fetches.move("r1", "gone", "kept")
    assert store.fetches.of_run("kept", "r1") == good and store.fetches.of_run("gone", "r1") is None
    other = store.fetches.of_run("gone", "r2")
    assert other and other.snapshot_id == "other", "another run knows nothing of it"
    store.fetches.add(FetchRecord("gone", "r1", "http://b/", "t", 400.0, snapshot_id="newer"))
    store.fetches.move("r1", "gone", "kept")
    newer = store.fetches.of_run("kept", "r1")
    assert newer and newer.snapshot_id == "newer"


def test_clients_are_counted_under_many_threads(store: NetStore) -> None:
    clients: ClientStore = store.clients

    def fail() -> None:
        for _ in range(20):
            clients.failed("x", 1.0, "X: down")

    threads = [threading.Thread(target=fail) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert clients.get("x").failures == 80
    clients.answered("x", 2.0)
    assert clients.all()["x"].failures == 0 and clients.get("x").problem is None
    assert clients.other_answered("y", 1.0) and not clients.other_answered("x", 1.0)
