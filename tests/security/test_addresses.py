# ruff: noqa: E501 -- addresses read better side by side
"""Addresses that lead into this computer or its network, in every form, through every door that takes an address."""

import socket
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standin import Reply, Standin, serve
from benchmarks.standin_services import mount
from engine import ResearchEngine
from engine.answers import RunOptions
from engine.models import Filters, ZororaError
from engine.runs.run_options import addresses
from tools import http
from tools.errors import SourceError
from tools.models import images
from tools.models.model import Endpoint, Role
from tools.net.guard import Guard, target_of
from tools.net.request import Request
from ui.web.access_token import Token
from ui.web.app import create_app

pytestmark = pytest.mark.lab
Tell = Callable[[str, int, int], None]

HOSTS = (
    # Loopback, private, link-local, metadata, reserved
    "127.0.0.1", "127.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.0.1", "169.254.169.254", "169.254.170.2",
    "100.64.0.1", "100.100.100.200", "0.0.0.0", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
    "192.88.99.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "168.63.129.16",
    # The same as numbers of every kind
    "2130706433", "0x7f000001", "0x7f.0.0.1", "0x7f.1", "017700000001", "0177.0.0.1", "0177.0.0.01", "127.1", "127.0.1", "0", "00",
    "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.16689662", "127.0.0.1.", "127.000.000.001", "4294967296", "0x100000000",
    # IPv6, mapped, translated, tunnelled, scoped
    "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]",
    "[::ffff:a9fe:a9fe]", "[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]",
    "[2001:0:7f00:1::]", "[2001:db8::1]", "[fe80::1]", "[fe80::1%25lo]", "[fc00::1]", "[fd00:ec2::254]", "[fec0::1]", "[ff02::1]", "[100::1]",
    # Signs that some reader takes for others
    "①②⑦.⓪.⓪.①", "１２７.0.0.1", "127。0。0。1", "127%2e0%2e0%2e1", "127.0.0.1%00.example.org", "localhost", "localhost.", "LOCALHOST", "ⓛocalhost",
    "localhost.localdomain", "ip6-localhost", "metadata.google.internal", "metadata", "router", "intranet.corp",
    # Names of public services that answer with these addresses, and a name that changes its answer
    "127.0.0.1.nip.io", "localtest.me", "rebind.example", "mixed.example",
    # Who is the host?
    "example.org@127.0.0.1", "127.0.0.1#@example.org", "example.org:80@127.0.0.1", "example.org%40127.0.0.1", "example.org\\@127.0.0.1",
    "127.0.0.1\\.example.org", "127.0.0.1;example.org", "[::1", "::1", "127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1: 80", "",
    "[v1.fe80::a+en1]", "[::1]x", "127.0.0.1\t", "127.0.0.1\r\nX: y", "127.0.0.1 ", "%31%32%37.0.0.1",
)  # fmt: skip
SCHEMES = (
    "file:///etc/passwd", "FILE:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:6379/_INFO", "dict://127.0.0.1:11211/stats",
    "ldap://127.0.0.1/", "jar:http://127.0.0.1!/", "netdoc:///etc/passwd", "data:text/html,x", "javascript:alert(1)", "view-source:http://127.0.0.1/",
    "blob:http://127.0.0.1/x", "ws://127.0.0.1/", "unix:///var/run/docker.sock", "http+unix://%2Fvar%2Frun%2Fdocker.sock/info", "/etc/passwd",
    "\\\\127.0.0.1\\share", "local://1", "corpus://cache/../../etc/passwd", "about:blank", "chrome://settings", "smb://127.0.0.1/c", "mailto:a@b.example",
)  # fmt: skip
PORTS = tuple(
    f"http://example.org:{port}/"
    for port in (
        0,
        1,
        21,
        22,
        23,
        25,
        110,
        143,
        389,
        2375,
        3306,
        5432,
        5000,
        6379,
        9200,
        11211,
        27017,
        65535,
    )
)
URLS = (*(f"http://{host}/x" for host in HOSTS), *SCHEMES, *PORTS)
PUBLIC = "93.184.215.14"


def resolver(host: str, port: int) -> Sequence[str]:
    """What a name server would say: private addresses for all but one name, and both kinds for another."""
    if host == "mixed.example":
        return [PUBLIC, "10.0.0.7"]
    return [PUBLIC] if host in ("example.org", "www.example.org") else ["127.0.0.1"]


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Every address that is connected to; names lead where `resolver` says."""
    addresses: list[Any] = []
    connect = socket.socket.connect

    def connected(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            addresses.append(tuple(address[:2]))
        connect(self, address)

    def looked_up(host: Any, port: Any, *more: Any, **kwargs: Any) -> Any:
        numeric = str(host).replace(".", "").isdigit() or ":" in str(host)
        answers = [str(host)] if numeric else resolver(str(host), 0)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answer, port)) for answer in answers]

    monkeypatch.setattr(socket.socket, "connect", connected)
    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    monkeypatch.setattr(http.Http, "wait", lambda *_: None)  # nobody is spared here
    yield addresses


@pytest.fixture
def server() -> Iterator[Standin]:
    with serve() as running:
        running.on("/", Reply(b"<p>The secret of the network.</p>"))
        yield running


@pytest.fixture
def engine(home: Path, server: Standin) -> Iterator[ResearchEngine]:
    """An engine that may fetch from one port of this computer and nothing else of it."""
    world = mount(server, characters=500)
    settings = {**world.settings, "embeddings.enabled": False, "storage.keyring": False}
    with ResearchEngine(home=home, environ={}, overrides=settings) as engine:
        engine.get_stats()
        yield engine


def strays(reached: Sequence[Any], *allowed: int) -> list[Any]:
    """Connections to other ports than these of loopback, and to all that is not public."""
    local_addresses = {("127.0.0.1", port) for port in allowed}
    return [
        address for address in reached if address not in local_addresses and address[0] != PUBLIC
    ]


def test_no_form_of_an_address_passes_the_guard(tell: Tell) -> None:
    through = []
    for url in (*URLS, *(url.replace("http://", "https://", 1) for url in URLS)):
        try:
            addresses = Guard(resolver=resolver).addresses(target_of(url))
        except SourceError:
            continue
        if addresses != [PUBLIC]:
            through.append((url, addresses))
    tell("forms of private addresses and schemes: the guard", 2 * len(URLS), len(through))
    assert through == []


def test_no_redirect_leads_into_the_network(
    engine: ResearchEngine, server: Standin, reached: list[Any], tell: Tell
) -> None:
    from engine.wiring import network_door

    door = network_door.door(engine.config, engine._opened.tools.net, fresh=True)
    tried = 0
    try:
        for number, url in enumerate(URLS):
            for status in (301 + number % 3, 307 + number % 2):
                location = {"Location": url.replace("\r\n", "")}
                place = server.on(f"/go/{number}/{status}", Reply(status=status, headers=location))
                tried += 1
                try:
                    door.get(Request(place, deadline=door.clock() + 2))
                except SourceError:
                    continue
    finally:
        door.close()
    through = strays(reached, server.port)
    tell("the same in redirects", tried, len(through))
    assert through == [] and tried > 250


def test_no_tool_no_page_and_no_program_fetches_them(
    engine: ResearchEngine, home: Path, server: Standin, reached: list[Any], tell: Tell
) -> None:
    token = Token(home / "web_token").renew()
    client = create_app({"ENGINE": engine, "PORT": 80}).test_client()
    headers = {"Authorization": f"Bearer {token}"}
    tried, through = 0, list[Any]()
    for url in URLS:
        for name, arguments in (
            ("extract_links", {"url": url}),
            ("get_full_content", {"source": url}),
            ("get_link_summaries", {"urls": [url]}),
            ("get_relevant_content", {"query": "secret", "sources": [url]}),
        ):
            answer = client.post(
                f"/api/v1/tools/{name}", json={"arguments": arguments}, headers=headers
            )
            tried += 1
            text = answer.get_data(as_text=True)
            if (
                (answer.status_code >= 500 and "could not be" not in text)
                or "root:" in text
                or "secret of the network" in text
            ):
                through.append((name, url, answer.status_code))
    through += strays(reached)
    tell("the same asked of the tools of API and MCP", tried, len(through))
    assert through == []


def test_no_research_fetches_them(
    engine: ResearchEngine, server: Standin, reached: list[Any], tell: Tell
) -> None:
    good: list[str] = []
    for url in URLS:
        try:
            good += addresses((url,))
        except ZororaError:
            continue  # refused before it begins
    options = RunOptions(
        sources=("web",), depth=1, clarify=False, follow=False, filters=Filters(urls=tuple(good))
    )
    state = engine.run("What is the secret of the network?", options)
    through = strays(reached, server.port) + [
        s.url for s in state.snapshots if not s.url.startswith(server.url)
    ]
    tell("the same named for a report", len(URLS), len(through))
    assert through == [] and len(good) > 30


def test_no_picture_of_a_model_is_fetched_from_them(
    engine: ResearchEngine, reached: list[Any], tell: Tell
) -> None:
    painter, through = (
        Role("image_generation", Endpoint("x", "http://127.0.0.1:1/v1"), "m"),
        list[Any](),
    )
    for url in URLS:
        for address in (url, url.replace("http://", "https://", 1)):
            try:
                through.append(
                    images._data({"url": address}, painter, engine.asking.pictures._fetch)
                )
            except ZororaError:
                continue
    through += strays(reached)
    tell("the same as addresses of pictures in a model's answer", 2 * len(URLS), len(through))
    assert through == []
