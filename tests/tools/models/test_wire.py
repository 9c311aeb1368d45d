"""The way to an endpoint: certificates, proxies, sizes, packed answers, events cut anywhere."""

import gzip
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.model_endpoint import Answer, ModelEndpoint
from tests.tables import each
from tools.errors import ModelError
from tools.models.calling import Caller, Patience, data_of
from tools.models.faults import Fault
from tools.models.model import Endpoint, Message, Request, Role, Timing
from tools.models.wire import Sent, Wire

KEY = "sk-test-0123456789abcdef"


def ask(wire: Wire, url: str) -> str:
    role = Role("reasoning", Endpoint("lab", url, key=KEY), "m", timing=Timing(5, 5, 10))
    return Caller(wire, Patience(retries=0))(role, Request((Message("user", "?"),))).text


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for localhost that signs itself, made for this run, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        "-subj /CN=x"
    ).split()
    extra = ["-addext", "subjectAltName=DNS:localhost", "-out", str(cert), "-keyout", str(key)]
    try:
        subprocess.run([*command, *extra], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the openssl program is not there")
    return cert, key


def test_certificates_are_checked_and_a_wrong_one_gets_no_key(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with ModelEndpoint(lambda _: Answer("safe " * 50), tls=context) as server:
        port = server.root.rpartition(":")[2]
        with pytest.raises(ModelError, match="certificate cannot be trusted"):
            ask(Wire(), f"https://localhost:{port}/v1")
        trusting = ssl.create_default_context(cafile=str(certificate[0]))
        monkeypatch.setattr("tools.models.wire._trust", lambda: trusting)
        assert ask(Wire(), f"https://localhost:{port}/v1") == ("safe " * 50).strip()
        with pytest.raises(ModelError, match="certificate cannot be trusted"):
            ask(Wire(), f"https://127.0.0.1:{port}/v1")
        assert len(server.calls) == 1


def test_a_plain_server_asked_for_tls_is_a_sentence(endpoint: ModelEndpoint) -> None:
    with pytest.raises(ModelError) as caught:
        ask(Wire(), endpoint.url.replace("http:", "https:"))
    assert caught.value.kind == "absent" and endpoint.calls == []


def test_a_proxy_is_used_for_other_computers_and_never_for_this_one(
    endpoint: ModelEndpoint,
) -> None:
    endpoint.answers = "through the proxy"
    with ModelEndpoint("directly") as near:
        wire = Wire(proxy=endpoint.root)
        assert ask(wire, "http://far.example/v1") == "through the proxy"
        assert (
            ask(wire, near.url)
            == ask(wire, near.url.replace("127.0.0.1", "localhost"))
            == "directly"
        )
    assert endpoint.calls[0].headers["host"] == "far.example" and len(endpoint.calls) == 1


def test_a_proxy_that_refuses_a_tunnel_sees_no_key() -> None:
    heard = b""
    with socket.create_server(("127.0.0.1", 0)) as proxy:

        def refuse() -> None:
            nonlocal heard
            with proxy.accept()[0] as caller:
                heard = caller.recv(4096)
                caller.sendall(b"HTTP/1.1 403 Forbidden\r\n\r\n")

        thread = threading.Thread(target=refuse)
        thread.start()
        with pytest.raises(ModelError) as caught:
            ask(Wire(proxy=f"http://127.0.0.1:{proxy.getsockname()[1]}"), "https://far.example/v1")
        thread.join()
    assert (
        caught.value.kind == "absent"
        and heard.startswith(b"CONNECT far.example:443")
        and KEY.encode() not in heard
    )


def raw(answer: bytes) -> "Callable[[], tuple[str, threading.Thread, socket.socket]]":
    """A server that sends these bytes to the first caller."""

    def start() -> tuple[str, threading.Thread, socket.socket]:
        server = socket.create_server(("127.0.0.1", 0))

        def serve() -> None:
            with server.accept()[0] as caller:
                heard = caller.recv(65536)
                while not heard.endswith(b"}}") and not heard.startswith(
                    b"GET"
                ):  # unread bytes would reset the line
                    heard += caller.recv(65536)
                caller.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        return f"http://127.0.0.1:{server.getsockname()[1]}/v1", thread, server

    return start


WHOLE = b'{"choices": [{"message": {"content": "so"}, "finish_reason": "stop"}]}'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@each(
    ("answer", "message"),
    [
        (HEAD + b"\r\n" + WHOLE, "so"),
        (HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(WHOLE), "so"),
        (
            HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(WHOLE), WHOLE),
            "so",
        ),
        (
            b"HTTP/1.1 200 OK\r\n\r\ndata: "
            + WHOLE.replace(b"message", b"delta")
            + b"\r\n\r\ndata: [DONE]\r\n\r\n",
            "so",
        ),
        (HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(WHOLE)[:-9], "broke off"),
        (HEAD + b"Content-Encoding: gzip\r\n\r\nnot packed", "cannot be read"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nff\r\n{", "broke off"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "broke off"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 300, "broke off"),
        (b"", "broke off"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\xff\xfe\r\n\r\n",
            "cannot be read",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: [1]\r\n\r\n",
            "cannot be read",
        ),
        (HEAD + b"\r\n" + b"[" * 200_000, "cannot be read"),
    ],
)
def test_bytes_of_every_kind_are_an_answer_or_a_sentence(answer: bytes, message: str) -> None:
    url, thread, server = raw(answer)()
    try:
        text = ask(Wire(), url)
    except ModelError as error:
        text = str(error)
    finally:
        thread.join()
        server.close()
    assert message in text


def test_an_answer_has_a_largest_size() -> None:
    url, thread, server = raw(HEAD + b"\r\n" + b" " * 300_000)()
    with Wire().open(Sent(url, timing=Timing(5, 5, 10))) as exchange:
        exchange.head()
        with pytest.raises(Fault, match=r"larger than 0\.1 MB"):
            list(exchange.pieces(100_000))
    thread.join()
    server.close()


STREAM = (
    'event: a\ndata: {"x": "é"}\n\n: note\r\ndata:{"y": 1}\r\n\r\n{"z": 2}\ndata: one\ndata: '
    "two\n\nid: 5\ndata: [DONE]"
)
EVENTS = ['{"x": "é"}', '{"y": 1}', '{"z": 2}', "one\ntwo", "[DONE]"]


@each("size", [1, 2, 3, 5, 8, 1000])
def test_events_may_be_cut_anywhere(size: int) -> None:
    data = STREAM.encode()
    assert list(data_of(data[at : at + size] for at in range(0, len(data), size))) == EVENTS


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(Fault, match="too long"):
        list(data_of(b"data: " + b"x" * 65536 for _ in range(100)))
