"""Serving: the port, the address, the sentences; and pages over a real engine."""

import contextlib
import resource
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from waitress.server import BaseWSGIServer

from engine import ResearchEngine
from engine.models import ConfigError
from engine.records.storage import LocalStorage
from engine.web_addresses import host_name
from tests.engine.pretend import wait_for
from tests.tables import each
from tests.ui import fake_research
from tests.ui.fake_engine import FakeEngine
from tests.web_app import web_app
from ui.web import connection_limits, server
from ui.web.access_token import Token

ROOT = Path(__file__).resolve().parents[3]


def test_a_taken_port_is_said_plainly() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(
            ConfigError, match=f"Port {port} is taken by another program.*--port {port + 1}"
        ):
            server.listen("127.0.0.1", port)


@each(
    ("host", "port"),
    [("127.0.0.1", 70_000), ("no such host", 0), ("256.0.0.1", 0), ("127.0.0.1", -1)],
)
def test_an_address_that_cannot_be_had_is_said_plainly(host: str, port: int) -> None:
    with pytest.raises(ConfigError, match="--host and --port"):
        server.listen(host, port)


def test_the_server_answers_and_says_where_it_is(
    fake: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    output: list[str] = []
    addresses: list[str] = []
    ready = threading.Event()
    monkeypatch.setattr("webbrowser.open", lambda address: (addresses.append(address), ready.set()))

    class Stop(Exception):
        pass

    def run(self: Any) -> None:
        ready.wait(60)
        raise Stop

    monkeypatch.setattr("waitress.server.BaseWSGIServer.run", run)
    with pytest.raises(Stop):
        server.serve(fake, server.Serving(port=0), output.append)  # type: ignore[arg-type]
    assert output[0].startswith("Zorora is at http://localhost:") and addresses == [
        output[0].rpartition(" ")[2]
    ]


def test_a_server_with_a_token_shows_it_once(
    fake: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waitress.server.BaseWSGIServer.run", lambda self: None)
    output: list[str] = []
    how = server.Serving(port=0, open_browser=False, token=True)
    server.serve(fake, how, output.append)  # type: ignore[arg-type]
    server.serve(fake, how, output.append)  # type: ignore[arg-type]
    assert sum("access token" in line for line in output) == 1


def test_a_server_goes_on_with_vectors_that_are_missing(
    fake: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "RESUMED_AFTER", 0.0)
    monkeypatch.setattr(
        "waitress.server.BaseWSGIServer.run", lambda self: wait_for(lambda: fake.begun)
    )
    server.serve(fake, server.Serving(port=0, open_browser=False), lambda line: None)  # type: ignore[arg-type]
    assert fake.begun


LARGE = "Content-Length: 600000000"


def test_a_large_body_is_not_taken_in_from_who_may_not_send_it(
    fake: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The headers alone are sent: an answer means that nobody waits for the rest, which would fill
    a temporary file."""
    secret, whole = Token(fake.config.home / "web_token").renew(), BaseWSGIServer.run
    good = f"Authorization: Bearer {secret}"
    expected = {
        f"Host: evil.example\r\n{LARGE}": "403", "Host: evil.example\r\nTransfer-Encoding: "
                                                 "chunked": "403",
        f"Host: evil.example\r\nExpect: 100-continue\r\n{LARGE}": "403", "Host: localhost\r\n"
                                                                         f"{LARGE}": "401",
        f"Host: localhost\r\nAuthorization: Bearer x\r\n{LARGE}": "401",
        f"Host: evil.example\r\n{good}\r\n{LARGE}": "403",
        f"Host: localhost\r\n{good}\r\nExpect: 100-continue\r\n{LARGE}": "100",
        f"Host: localhost\r\n{good}\r\nContent-Length: 2000000000": "413",
    }  # fmt: skip
    got: dict[str, str] = {}

    def ask(served: Any) -> None:
        for headers in expected:
            with socket.create_connection(("127.0.0.1", served.effective_port), timeout=20) as line:
                line.sendall(f"POST /library/upload HTTP/1.1\r\n{headers}\r\n\r\n".encode())
                with contextlib.suppress(TimeoutError):
                    got[headers] = line.recv(4096).decode().split()[1]
        # The loop may close all, and the trigger with it, before the trigger is written to
        with contextlib.suppress(OSError):
            served.trigger.pull_trigger(
                lambda: served.asyncore.close_all(served._map, ignore_all=True)
            )

    def run(served: Any) -> None:
        threading.Thread(target=ask, args=(served,)).start()
        with contextlib.suppress(OSError):
            whole(served)

    monkeypatch.setattr("waitress.server.BaseWSGIServer.run", run)
    server.serve(fake, server.Serving(port=0, open_browser=False, token=True), lambda line: None)  # type: ignore[arg-type]
    assert got == expected


@each(("host", "name"), [
    ("127.0.0.1", "localhost"), ("0.0.0.0", "localhost"), ("::1", "localhost"),
    ("192.0.2.7", "192.0.2.7"),
    ("2001:db8::1", "[2001:db8::1]"), ("desk.lan", "desk.lan"),
])  # fmt: skip
def test_the_address_to_open(host: str, name: str) -> None:
    assert host_name(host) == name


def test_the_server_module_loads_no_web_framework() -> None:
    code = (
        "import ui.web.server, sys; sys.exit(any(n in sys.modules for n in ('flask', "
        "'waitress', 'jinja2')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


@pytest.fixture
def real(home: Path) -> Any:
    """A real engine that holds one finished research."""
    with ResearchEngine(home=home, environ={}) as engine:
        state = fake_research.finished()
        storage = LocalStorage(engine.config.home / "zorora.db")
        storage.save_research(state)
        storage.close()
        yield engine


def test_pages_over_a_real_engine(real: ResearchEngine) -> None:
    client = web_app(real).test_client()
    done = fake_research.finished().research_id
    source = fake_research.SOURCES["S1"].source_id
    for path in ("/", "/history", "/history?q=batteries", "/library", "/library?q=x", "/settings",
        "/settings/check",
                 f"/research/{done}", f"/research/{done}/source/{source}", f"/research/{done}/"
                                                                           "graph",
                 "/api/v1/research", f"/api/v1/research/{done}", "/api/v1/settings",
                 "/api/v1/sources", "/api/v1/stats",
                 "/feed.atom"):  # fmt: skip
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.text[:500])
    assert client.get("/research/unknown").status_code == 404
    assert (
        client.get(f"/research/{done}/source/{source}").text.count(
            "The stored text of this source is gone"
        )
        == 1
    )


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8080/x", "http://[::1", "http://2130706433/", "http://127.0.0.1:22/"]
)
def test_an_address_that_is_not_asked_is_no_fault_of_a_service(
    real: ResearchEngine, url: str
) -> None:
    secret = Token(real.config.home / "web_token").renew()
    client = web_app(real).test_client()
    payload = {"arguments": {"url": url}}
    answer = client.post(
        "/api/v1/tools/extract_links", json=payload, headers={"Authorization": f"Bearer {secret}"}
    )
    assert answer.status_code == 403 and "could not be read" in answer.json["detail"]


def test_marks_survive_in_a_real_engine(real: ResearchEngine) -> None:
    client = web_app(real).test_client()
    done = fake_research.finished().research_id
    token = client.get("/").text.split('name="csrf" value="')[1].split('"')[0]
    headers = {"Sec-Fetch-Site": "same-origin"}
    client.post(
        f"/research/{done}/marks",
        data={"csrf": token, "tags": "one, two", "note": "a note"},
        headers=headers,
    )
    client.post(f"/research/{done}/star", data={"csrf": token, "on": "1"}, headers=headers)
    html = client.get(f"/research/{done}").text
    assert "a note" in html and "Starred" in html and ">two</a>" in html
    client.post(f"/research/{done}/delete", data={"csrf": token}, headers=headers)
    assert "Put it back" in client.get(f"/research/{done}").text
    assert done in client.get("/history?bin=1").text


def test_a_page_is_served_over_a_socket(fake: FakeEngine) -> None:
    from benchmarks.screenshots import serving

    with serving(fake) as root, urllib.request.urlopen(root + "/help") as answer:
        assert answer.status == 200 and "Server" not in answer.headers


@contextlib.contextmanager
def serving_in_background(fake: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server that runs in a thread, as `serve` sets it up."""
    started, whole, servers = threading.Event(), BaseWSGIServer.run, []

    def run(served: Any) -> None:
        servers.append(served)
        started.set()
        with contextlib.suppress(OSError):
            whole(served)

    monkeypatch.setattr("waitress.server.BaseWSGIServer.run", run)
    how = server.Serving(port=0, open_browser=False)
    thread = threading.Thread(target=server.serve, args=(fake, how, lambda line: None))
    thread.start()
    try:
        assert started.wait(60)
        yield servers[0].effective_port
    finally:
        with contextlib.suppress(OSError):  # it has ended already
            servers[0].trigger.pull_trigger(
                lambda: servers[0].asyncore.close_all(servers[0]._map, ignore_all=True)
            )
        thread.join(60)


def answered(port: int, seconds: float = 20.0) -> bool:
    """Whether a reader gets a page."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as line:
        line.sendall(b"GET /help HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        with contextlib.suppress(TimeoutError):
            return line.recv(12) == b"HTTP/1.1 200"
    return False


def test_connections_that_send_no_whole_request_shut_nobody_out(
    fake: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_in_background(fake, monkeypatch) as port, contextlib.ExitStack() as stack:
        for number in range(130):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" if number % 2 else b"")
        assert answered(port)


@pytest.mark.lab
def test_headers_that_come_too_slowly_end_the_connection(
    fake: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "REQUEST_SECONDS", 0.5)
    with serving_in_background(fake, monkeypatch) as port:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as silent:
            assert silent.recv(1) == b""
        with (
            socket.create_connection(("127.0.0.1", port), timeout=20) as dripping,
            pytest.raises(OSError),
        ):
            for byte in b"GET /help HTTP/1.1\r\nX-Slow: " + b"x" * 1000:
                dripping.sendall(bytes([byte]))
                time.sleep(0.005)
        assert answered(port)


MANY_FILES = """
import os, resource, sys
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (4096 if hard < 0 else min(4096, hard), hard))
held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
from ui.terminal.main import main
sys.exit(main(["--home", sys.argv[1], "web", "--no-browser", "--port", "0"]))
"""


@pytest.mark.lab
@pytest.mark.skipif(
    0 < resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 2000,
    reason="too few files may be open here",
)
def test_a_server_with_more_than_1024_files_open_goes_on(home: Path) -> None:
    """select() takes no descriptor above 1,023: the server ended there."""
    with subprocess.Popen(
        [sys.executable, "-c", MANY_FILES, str(home)], cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            assert "Zorora is at" in line, line + process.stderr.read()
            assert answered(int(line.rstrip("/\n").rpartition(":")[2]), seconds=60)
        finally:
            process.kill()
