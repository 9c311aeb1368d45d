"""The door to the network against services that are slow, busy, lying or hostile."""

import gzip
import threading
import time
import zlib
from collections.abc import Callable

import pytest

from benchmarks.standin import Reply, Standin
from tools.errors import Cancelled, SourceError
from tools.http import Http, HttpSettings
from tools.net.request import Request, Secret
from tools.net.store import NetStore

Open = Callable[..., Http]


def fails(http: Http, url: str, words: str, **options: object) -> SourceError:
    with pytest.raises(SourceError, match=words) as caught:
        http.get(Request(url, **options))  # type: ignore[arg-type]
    return caught.value


def test_an_answer_has_status_headers_and_body(http: Http, server: Standin) -> None:
    url = server.on("/page", Reply(b"hello", headers={"X-Test": "1"}))
    response = http.get(Request(url, params={"q": "a b"}))
    assert (response.status, response.content, response.headers["x-test"]) == (200, b"hello", "1")
    assert (
        response.headers["content-type"].startswith("text/html") and response.url == url + "?q=a+b"
    )
    assert server.requests[0].headers["host"] == server.place


def test_the_user_agent_names_version_and_contact(open_http: Open, server: Standin) -> None:
    open_http(version="0.1.0", contact="me@example.org\r\nX-Evil: 1").get(
        Request(server.on("/", Reply()))
    )
    assert server.requests[0].headers["user-agent"] == "zorora/0.1.0 (+me@example.orgX-Evil: 1)"
    assert HttpSettings(version="2").user_agent == "zorora/2"


def test_errors_below_500_come_back_as_answers(http: Http, server: Standin) -> None:
    assert http.get(Request(server.on("/gone", Reply(b"x", 404)))).status == 404


def test_a_busy_service_is_asked_again(http: Http, server: Standin) -> None:
    url = server.on("/", Reply(status=503), Reply(status=429), Reply(b"at last"))
    assert http.get(Request(url)).content == b"at last"
    assert len(server.requests) == 3


def test_a_broken_connection_is_tried_again(http: Http, server: Standin) -> None:
    url = server.on(
        "/",
        Reply(raw=b""),
        Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhal"),
        Reply(b"whole"),
    )
    assert http.get(Request(url)).content == b"whole"


def test_a_service_that_fails_is_asked_three_times_and_no_more(http: Http, server: Standin) -> None:
    fails(http, server.on("/", Reply(status=500)), "status 500")
    assert len(server.requests) == 3


def test_a_second_attempt_needs_leave_like_the_first(http: Http, server: Standin) -> None:
    url, left = server.on("/", Reply(status=500)), [1]

    def permit() -> None:
        if not left:
            raise SourceError("used up", "budget")
        left.pop()

    fails(http, url, "used up", permit=permit)
    assert len(server.requests) == 2


def test_retry_after_is_honoured_when_the_time_allows(open_http: Open, server: Standin) -> None:
    pauses: list[float] = []

    def clock() -> float:
        return time.monotonic() + sum(pauses)

    http = open_http(clock=clock, wall=clock, sleep=pauses.append)
    url = server.on("/", Reply(status=429, headers={"Retry-After": "1"}), Reply(b"ok"))
    assert http.get(Request(url)).content == b"ok"
    assert 0.9 < sum(pauses) < 1.2


def test_a_retry_after_beyond_the_deadline_ends_at_once(http: Http, server: Standin) -> None:
    url = server.on("/", Reply(status=429, headers={"Retry-After": "120"}))
    started = time.monotonic()
    fails(http, url, "rate limited, asked to wait 120 s", deadline=http.clock() + 60)
    assert time.monotonic() - started < 60 and len(server.requests) == 1


def test_a_host_that_refuses_is_left_alone_by_everyone(
    http: Http, store: NetStore, server: Standin
) -> None:
    url = server.on("/", Reply(status=429, headers={"Retry-After": "120"}))
    fails(http, url, "rate limited")
    error = fails(http, url, r"left alone for another 1\d\d s")
    assert error.reason == "budget" and len(server.requests) == 1
    assert store.hosts.cooling(server.place, time.time()) > 100


def test_a_host_that_answers_again_is_trusted_again(
    open_http: Open, store: NetStore, server: Standin
) -> None:
    now = [1000.0]
    http = open_http(wall=lambda: now[0], retries=0)
    url = server.on("/", Reply(status=503), Reply(b"ok"), Reply(b"ok"))
    fails(http, url, "unavailable")
    now[0] += 61
    assert http.get(Request(url)).content == b"ok" and http.get(Request(url)).content == b"ok"


def test_one_broken_page_does_not_close_the_whole_site(open_http: Open, server: Standin) -> None:
    http = open_http(retries=0)
    fails(http, server.on("/broken", Reply(status=500)), "unavailable .status 500.")
    assert http.get(Request(server.on("/fine", Reply(b"ok")))).content == b"ok"


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_drips_ends_at_the_deadline(http: Http, server: Standin, chunked: bool) -> None:
    url = server.on("/", Reply(b"x" * 1000, drip=0.05, chunked=chunked))
    started = time.monotonic()
    fails(http, url, "in the time it had", deadline=http.clock() + 0.2)
    assert time.monotonic() - started < 25  # all of it would take fifty


def test_headers_that_drip_end_at_the_deadline(http: Http, server: Standin) -> None:
    import socket

    listener = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        connection, _ = listener.accept()
        try:
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            for number in range(1000):
                connection.sendall(b"X-%d: y\r\n" % number)
                time.sleep(0.03)
        except OSError:
            pass
        finally:
            connection.close()

    thread = threading.Thread(target=drip)
    thread.start()
    slow = Http(
        HttpSettings(allow_fetch_hosts=(f"127.0.0.1:{listener.getsockname()[1]}",)), http.store
    )
    started = time.monotonic()
    fails(
        slow,
        f"http://127.0.0.1:{listener.getsockname()[1]}/",
        "in the time",
        deadline=slow.clock() + 0.3,
    )
    assert time.monotonic() - started < 15  # all of them would take thirty
    thread.join()
    listener.close()
    slow.close()


def test_a_silent_service_is_given_up_after_the_read_timeout(
    open_http: Open, server: Standin
) -> None:
    http = open_http(read_timeout=0.1, retries=0)
    fails(http, server.on("/", Reply(delay=60.0)), "no answer within 0.1 s")


def test_a_closed_port_is_a_failed_connection(open_http: Open, server: Standin) -> None:
    http = open_http(allow_fetch_hosts=("127.0.0.1:1",), retries=1)
    fails(http, "http://127.0.0.1:1/", "connection failed")


@pytest.mark.parametrize("chunked", [False, True])
def test_an_endless_body_stops_at_the_cap(open_http: Open, server: Standin, chunked: bool) -> None:
    http = open_http(max_page_bytes=300_000)
    url = server.on("/", Reply(b"x" * 65536, endless=True, chunked=chunked))
    fails(http, url, "larger than 0.3 MB")


def test_an_announced_length_above_the_cap_is_not_even_read(http: Http, server: Standin) -> None:
    fails(http, server.on("/", Reply(b"x" * 500)), "larger", max_bytes=100)
    assert http.bytes == 0


def test_documents_may_be_larger_than_pages(open_http: Open, server: Standin) -> None:
    http = open_http(max_page_bytes=100, max_document_bytes=1000)
    assert (
        len(
            http.get(
                Request(server.on("/a.pdf", Reply(b"x" * 900, media_type="application/pdf")))
            ).content
        )
        == 900
    )
    fails(http, server.on("/a.html", Reply(b"x" * 900)), "larger")


def pack(data: bytes, how: str) -> bytes:
    if how == "gzip":
        return gzip.compress(data, mtime=0)
    packer = zlib.compressobj(wbits=-15 if how == "raw" else 15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize("how", ["gzip", "zlib", "raw"])
def test_packed_answers_are_unpacked(http: Http, server: Standin, how: str) -> None:
    text = b"words " * 50_000
    coding = {"Content-Encoding": "gzip" if how == "gzip" else "deflate"}
    assert http.get(Request(server.on("/", Reply(pack(text, how), headers=coding)))).content == text


def test_joined_gzip_parts_are_one_text(http: Http, server: Standin) -> None:
    body = gzip.compress(b"one ", mtime=0) + gzip.compress(b"two", mtime=0)
    assert (
        http.get(Request(server.on("/", Reply(body, headers={"Content-Encoding": "gzip"})))).content
        == b"one two"
    )


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip"])
@pytest.mark.lab
def test_a_compressed_bomb_stops_at_the_cap(open_http: Open, server: Standin, coding: str) -> None:
    bomb = zlib.compressobj(9, wbits=31 if "gzip" in coding else 15)
    body = b"".join(bomb.compress(b"\0" * 1_000_000) for _ in range(40)) + bomb.flush()
    body = gzip.compress(body, mtime=0) if coding.count("gzip") == 2 else body
    url = server.on("/", Reply(body, headers={"Content-Encoding": coding}))
    fails(open_http(max_page_bytes=1_000_000), url, "larger than 1 MB")


@pytest.mark.parametrize(
    ("body", "coding", "words"),
    [
        (b"not gzip at all", "gzip", "unpacked"),
        (gzip.compress(b"x" * 9999, mtime=0)[:-30], "gzip", "cut off"),
        (b"\x0b\x02\x80hi\x03", "br", "not asked for .br"),
        (b"x", "gzip, gzip, gzip, gzip", "too many times"),
    ],
)
def test_wrong_packing_is_a_problem(
    open_http: Open, server: Standin, body: bytes, coding: str, words: str
) -> None:
    http = open_http(retries=0)
    fails(http, server.on("/", Reply(body, headers={"Content-Encoding": coding})), words)


@pytest.mark.parametrize(
    "reply", [Reply(b"abc", length=900), Reply(b"abcdef", chunked=True, cut=3)]
)
def test_a_truncated_body_is_a_problem(open_http: Open, server: Standin, reply: Reply) -> None:
    fails(open_http(retries=0), server.on("/", reply), "cut off|broke off")


def test_nonsense_instead_of_http_is_a_problem(open_http: Open, server: Standin) -> None:
    for raw in (
        b"hello there\r\n\r\n",
        b"\0\1\2\3" * 100,
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x" * 70_000,
    ):
        fails(open_http(retries=0), server.on("/", Reply(raw=raw)), "connection|HTTP|broke|cut off")
        server.on("/", Reply())
        open_http().store.hosts.answered(server.place)


def test_offline_opens_no_socket(
    open_http: Open, server: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    url = server.on("/", Reply(b"kept"))
    open_http().get(Request(url, ttl=0.001))
    http = open_http(offline=True)
    monkeypatch.setattr(socket, "socket", None)
    monkeypatch.setattr(socket, "getaddrinfo", None)
    error = fails(http, server.url + "/other", "offline")
    assert error.reason == "offline"
    assert http.get(Request(url, ttl=60)).content == b"kept", (
        "kept answers serve, whatever their age"
    )


def test_a_stop_ends_the_waiting(open_http: Open, server: Standin) -> None:
    http = open_http()
    url = server.on("/", Reply(status=429, headers={"Retry-After": "20"}))

    def stop() -> None:
        if server.requests:
            raise Cancelled("stopped")

    http.check = stop
    with pytest.raises(Cancelled):
        http.get(Request(url))


def test_requests_and_bytes_are_counted(http: Http, server: Standin) -> None:
    http.get(Request(server.on("/", Reply(b"12345")), ttl=60))
    http.get(Request(server.url + "/", ttl=60))
    assert (http.requests, http.bytes) == (1, 5)


def test_connections_are_kept_open_between_requests(http: Http, server: Standin) -> None:
    url = server.on("/", Reply(b"x"))
    for _ in range(5):
        http.get(Request(url))
    assert server.connections == 1


def test_cookies_are_not_kept(http: Http, server: Standin) -> None:
    url = server.on("/", Reply(b"x", headers={"Set-Cookie": "a=b; Path=/"}))
    http.get(Request(url))
    http.get(Request(url))
    assert all("cookie" not in request.headers for request in server.requests)


def test_the_environment_is_not_read(
    open_http: Open, server: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert open_http().get(Request(server.on("/", Reply(b"direct")))).content == b"direct"


def test_the_proxy_of_the_settings_is_used(open_http: Open, server: Standin) -> None:
    http = open_http(proxy=server.url, resolver=lambda *_: ["8.8.8.8"])
    server.on("/", Reply(b"by proxy"))
    assert http.get(Request("http://example.com/x")).content == b"by proxy"
    assert server.requests[0].target == "http://example.com/x"


SECRET = "s3cr3t-k3y"


def secret_for(server: Standin) -> Secret:
    return Secret(server.url, params={"api_key": SECRET}, headers={"X-Token": SECRET})


def test_a_key_travels_but_stays_out_of_answers_and_cache(
    http: Http, store: NetStore, server: Standin, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    response = http.get(
        Request(
            server.on("/", Reply(b"x")),
            params={"q": "1"},
            secret=secret_for(server),
            guard=False,
            ttl=60,
        )
    )
    assert server.requests[0].query == {"q": "1", "api_key": SECRET}
    assert server.requests[0].headers["x-token"] == SECRET
    assert (
        SECRET not in repr(response)
        and SECRET not in caplog.text
        and SECRET not in repr(secret_for(server))
    )
    assert SECRET not in repr(store.cache.entries()) + repr(
        store.cache.entry(store.cache.entries()[0].cache_id)
    )


def test_a_key_goes_to_no_other_origin(http: Http, server: Standin) -> None:
    secret = Secret("https://api.example.com:443", params={"api_key": SECRET})
    fails(http, server.on("/", Reply()), "another address", secret=secret)
    assert not server.requests


def test_a_request_with_a_key_follows_no_redirect(http: Http, server: Standin) -> None:
    url = server.on("/", Reply(status=302, headers={"Location": "/other"}))
    fails(http, url, "follows none", secret=secret_for(server), guard=False)
    assert len(server.requests) == 1


def test_no_problem_names_the_key(open_http: Open, server: Standin) -> None:
    http = open_http(retries=0, read_timeout=0.1)
    for reply in (
        Reply(raw=b""),
        Reply(status=500),
        Reply(delay=60.0),
        Reply(b"x", headers={"Content-Encoding": "br"}),
    ):
        server.on("/", reply)
        error = fails(http, server.url + "/", ".", secret=secret_for(server), guard=False)
        assert SECRET not in str(error) and error.__cause__ is None
        http.store.hosts.answered(server.place)
