"""Model servers at link-local addresses, where clouds answer with the keys of a machine: refused,
or listed by hand."""

import socket
from pathlib import Path
from typing import Any

import pytest

from engine.research_engine import ResearchEngine
from engine.settings.config import load
from engine.settings.settings_permissions import is_closed
from tests.model_endpoint import Answer, ModelEndpoint
from tools.errors import ConfigError, ModelError
from tools.models.faults import Fault
from tools.models.model import Timing
from tools.models.wire import Sent, Wire

WRITTEN = (
    "169.254.169.254", "169.254.170.2:8080", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376",
    "169.16689662", "[fe80::1]", "[fe80::1%25lo]", "[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]",
    "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]", "[fd00:ec2::254]", "168.63.129.16",
    "100.100.100.200",
)  # fmt: skip
SOON = Timing(2.0, 2.0, 2.0)


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Where connections were tried to; those beyond this computer fail, and names lead to a cloud's
    keys."""
    tried: list[Any] = []
    real = socket.getaddrinfo

    def connect(self: socket.socket, address: Any) -> None:
        tried.append(address)
        raise OSError("not in a test")

    def looked_up(host: str, *arguments: Any, **more: Any) -> Any:
        return real("169.254.169.254" if host.endswith(".internal") else host, *arguments, **more)

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    return tried


@pytest.mark.parametrize("host", [*WRITTEN, "metadata.google.internal", "innocent.internal"])
def test_no_model_is_asked_at_a_link_local_address(host: str, reached: list[Any]) -> None:
    for scheme in ("http", "https"):
        with pytest.raises(Fault):
            Wire().read(Sent(f"{scheme}://{host}/v1/models", timing=SOON))
    assert reached == []


@pytest.mark.parametrize("host", WRITTEN)
def test_none_is_asked_through_a_proxy_either(host: str, reached: list[Any]) -> None:
    with pytest.raises(Fault):
        Wire(proxy="http://127.0.0.1:9").read(Sent(f"http://{host}/v1/models", timing=SOON))
    assert reached == []


def test_one_that_is_listed_is_asked(reached: list[Any]) -> None:
    listed = frozenset(("169.254.1.2:11434", "[fe80::1]:80"))
    for url in ("http://169.254.1.2:11434/v1", "http://[fe80::1]/v1"):
        with pytest.raises(Fault, match="connection failed"):
            Wire(link_local=listed).read(Sent(url, timing=SOON))
    assert [address[:2] for address in reached] == [("169.254.1.2", 11434), ("fe80::1", 80)]
    with pytest.raises(Fault, match=r"allow_model_hosts"):
        Wire(link_local=listed).read(Sent("http://169.254.1.2:80/v1", timing=SOON))


def test_servers_on_this_computer_and_in_the_house_are_asked_as_before(reached: list[Any]) -> None:
    with ModelEndpoint(lambda _: Answer("yes")) as server:
        port = int(server.root.rpartition(":")[2])
        for host in ("127.0.0.1", "10.1.2.3", "192.168.1.5", "[fd12::5]"):
            with pytest.raises(Fault):
                Wire().read(Sent(f"http://{host}:{port}/v1/models", timing=SOON))
    assert [address[0] for address in reached] == [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.1.5",
        "fd12::5",
    ]


def test_settings_refuse_one_with_the_way_to_allow_it(home: Path) -> None:
    with ResearchEngine(home=home, environ={}) as engine:
        with pytest.raises(
            ConfigError, match=r"\[http\] allow_model_hosts in config.toml, by hand"
        ):
            engine.models.add_endpoint("desk", "http://169.254.169.254/v1")
        with pytest.raises(ConfigError, match="link-local"):
            engine.models.set_role("reasoning", "http://[fe80::1]:8080/v1", "m")
        assert not engine.config.paths.config.exists()
        engine.set_setting("http.allow_model_hosts", "169.254.1.2:80")
        engine.models.add_endpoint("desk", "http://169.254.1.2/v1")
    # One that was written by hand before is named, and not asked
    (home / "config.toml").write_text(
        '[endpoints.desk]\nurl = "http://169.254.1.2/v1"\n[models.reasoning]\nendpoint = "desk"\n'
        'model = "m"\n'
    )
    with ResearchEngine(home=home, environ={}) as engine:
        (role,) = [role for role in engine.models.roles() if role.role == "reasoning"]
        assert role.origin == "none" and "link-local" in (role.problem or "")
        with pytest.raises((ConfigError, ModelError), match="link-local"):
            engine.models.test("reasoning")


def test_no_page_allows_one(home: Path) -> None:
    assert load(home, environ={}).get("http.allow_model_hosts") == ()
    assert is_closed("http.allow_model_hosts", True) and is_closed("http.allow_model_hosts", False)
