"""Redirects, pinned addresses, certificates: every hop is checked, and the connection goes where
the check looked."""

import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standin import Reply, Standin, serve
from tools.errors import SourceError
from tools.http import Http
from tools.net.request import Request
from tools.net.store import NetStore

Open = Callable[..., Http]


def to(location: str, status: int = 302) -> Reply:
    return Reply(status=status, headers={"Location": location})


def test_redirects_are_followed_and_the_last_address_is_told(http: Http, server: Standin) -> None:
    server.on("/a", to("/b", 301))
    server.on("/b", to("c?x=1", 308))
    server.on("/c", Reply(b"here"))
    response = http.get(Request(server.url + "/a"))
    assert response.content == b"here" and response.url == server.url + "/c?x=1"


@pytest.mark.parametrize("loop", [["/a", "/a"], ["/a", "/b", "/a"]])
def test_a_circle_of_redirects_ends(http: Http, server: Standin, loop: list[str]) -> None:
    for here, there in pairwise(loop):
        server.on(here, to(there))
    with pytest.raises(SourceError, match="too often"):
        http.get(Request(server.url + loop[0]))
    assert len(server.requests) == 6, "the first request and five redirects"


@pytest.mark.parametrize(
    "location",
    """http://127.0.0.1:8080/ http://localhost:8080/ http://169.254.169.254/latest/meta-data/ http://[::1]:8080/
    http://0x7f000001/ http://2130706433/ http://10.0.0.1/ //192.168.0.1/ file:///etc/passwd gopher://127.0.0.1/
    http://[::ffff:127.0.0.1]/ http://user@127.0.0.1/ http://[bad/ http://example.com:22/ ftp://example.com/
    javascript:alert(1) data:text/html,x http://metadata.example/""".split(),
)
def test_redirects_into_closed_places_are_refused(
    open_http: Open, server: Standin, location: str
) -> None:
    def resolver(host: str, port: int) -> list[str]:
        return {"metadata.example": ["169.254.169.254"], "localhost": ["127.0.0.1"]}[host]

    with pytest.raises(SourceError):
        open_http(resolver=resolver).get(Request(server.on("/", to(location))))
    assert len(server.requests) == 1


def test_the_exemption_of_a_base_url_does_not_reach_its_redirects(
    open_http: Open, server: Standin
) -> None:
    http = open_http(allow_fetch_hosts=())
    server.on("/inside", Reply(b"secret of the network"))
    assert http.get(Request(server.url + "/inside", guard=False)).status == 200
    with pytest.raises(SourceError, match=r"port|private"):
        http.get(Request(server.on("/", to("/inside")), guard=False))


def test_a_redirect_without_a_place_is_an_answer(http: Http, server: Standin) -> None:
    assert http.get(Request(server.on("/", Reply(status=302)))).status == 302


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The addresses that connections were tried to; none is made."""
    addresses: list[Any] = []

    def connect(self: socket.socket, address: Any) -> None:
        addresses.append(address)
        raise OSError("unreachable")

    monkeypatch.setattr(socket.socket, "connect", connect)
    return addresses


def test_a_name_that_changes_between_check_and_use_gains_nothing(
    open_http: Open, reached: list[Any]
) -> None:
    answers = [["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"]]
    http = open_http(retries=0, resolver=lambda *_: answers.pop(0))
    with pytest.raises(SourceError, match="connection failed"):
        http.get(Request("http://rebind.example/"))
    assert reached == [("93.184.216.34", 80)] and len(answers) == 2
    http.store.hosts.answered("rebind.example:80")
    with pytest.raises(SourceError, match="private network"):
        http.get(Request("http://rebind.example/"))
    assert len(reached) == 1


def test_the_next_address_of_a_host_is_tried(open_http: Open, reached: list[Any]) -> None:
    http = open_http(retries=0, resolver=lambda *_: ["2606:4700::1111", "93.184.216.34"])
    with pytest.raises(SourceError):
        http.get(Request("https://two.example/"))
    assert [address[0] for address in reached] == ["2606:4700::1111", "93.184.216.34"]


def test_the_name_stands_in_the_host_header_while_the_address_is_pinned(
    open_http: Open, server: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = socket.getaddrinfo

    def only_numbers(host: Any, *args: Any, **kwargs: Any) -> Any:
        assert host == "127.0.0.1", f"{host} was looked up a second time"
        return real(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", only_numbers)
    place = f"paper.example:{server.port}"
    http = open_http(resolver=lambda *_: ["127.0.0.1"], allow_fetch_hosts=(place,))
    server.on("/", Reply(b"x"))
    assert http.get(Request(f"http://{place}/")).content == b"x"
    assert server.requests[0].headers["host"] == place


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for secure.example that signs itself, made for this run, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=x"
    ).split()
    extra = ["-addext", "subjectAltName=DNS:secure.example", "-out", str(cert), "-keyout", str(key)]
    try:
        subprocess.run([*command, *extra], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the openssl program is not there")
    return cert, key


@pytest.fixture
def secure(certificate: tuple[Path, Path]) -> Iterator[tuple[Standin, list[str | None]]]:
    """A TLS server and the names that callers asked for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    names: list[str | None] = []
    context.sni_callback = lambda _sock, name, _context: names.append(name)
    with serve(wrap=lambda sock: context.wrap_socket(sock, server_side=True)) as server:
        server.on("/", Reply(b"safe"))
        yield server, names


def test_tls_checks_the_name_although_the_address_is_pinned(
    open_http: Open,
    secure: tuple[Standin, list[str | None]],
    certificate: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, names = secure
    places = tuple(f"{name}.example:{server.port}" for name in ("secure", "other"))
    settings = {"resolver": lambda *_: ["127.0.0.1"], "allow_fetch_hosts": places, "retries": 0}
    with pytest.raises(SourceError, match="certificate cannot be trusted"):
        open_http(**settings).get(Request(f"https://{places[0]}/"))
    names.clear()
    trusting = ssl.create_default_context(cafile=str(certificate[0]))
    monkeypatch.setattr("tools.net.transport._context", lambda: trusting)
    http = open_http(**settings)
    assert http.get(Request(f"https://{places[0]}/")).content == b"safe"
    assert names == ["secure.example"]
    with pytest.raises(SourceError, match="certificate cannot be trusted"):
        http.get(Request(f"https://{places[1]}/"))


def test_plain_http_on_a_tls_port_is_a_problem(
    open_http: Open, secure: tuple[Standin, list[str | None]], store: NetStore
) -> None:
    server, _ = secure
    with pytest.raises(SourceError):
        open_http(allow_fetch_hosts=(server.place,), retries=0).get(Request(server.url + "/"))
