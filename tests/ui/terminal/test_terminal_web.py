"""`web` and `open`: where the page is, with a display and without one; what a taken port says."""

import socket
import webbrowser
from collections.abc import Callable
from typing import Any

import pytest

from engine.models import ConfigError, StorageError
from ui.terminal import addresses
from ui.web import server

SLEEP = "sleep_and_memory_20260102_101500"
Run = Callable[..., Any]


class Window(webbrowser.BaseBrowser):
    """A browser that remembers what it was told to open."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
        self.opened.append(url)
        return True


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Window:
    """A display with a browser on it."""
    window = Window()
    monkeypatch.setattr(webbrowser, "get", lambda using=None: window)
    monkeypatch.setattr(webbrowser, "open", window.open)
    return window


@pytest.fixture
def no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a display."""

    def get(using: str | None = None) -> webbrowser.BaseBrowser:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", get)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[server.Serving]:
    """What the server was asked to do; it says where it is and ends at once."""
    servings: list[server.Serving] = []

    def serve(
        engine: Any,
        how: server.Serving,
        say: Callable[[str], object],
        ready: Callable[[int], object],
    ) -> None:
        servings.append(how)
        say(f"Zorora is at http://localhost:{how.port}/")
        ready(how.port)

    monkeypatch.setattr(server, "serve", serve)
    monkeypatch.setattr(addresses, "answering", lambda host, port: False)
    return servings


def test_with_a_display_the_browser_is_opened(
    zorora: Run, served: list[server.Serving], window: Window
) -> None:
    ran = zorora("web", "--port", "5123")
    assert ran.code == 0 and served[0].open_browser and served[0].port == 5123
    assert "Zorora is at http://localhost:5123/" in ran.err and "ssh" not in ran.err


def test_without_one_the_address_and_the_ssh_line_are_printed(
    zorora: Run, served: list[server.Serving], no_window: None
) -> None:
    ran = zorora("web", "--port", "5123")
    assert not served[0].open_browser
    assert "ssh -L 5123:127.0.0.1:5123 " in ran.err


def test_no_browser_is_respected(zorora: Run, served: list[server.Serving], window: Window) -> None:
    ran = zorora(
        "web",
        "--no-browser",
        "--allow-host",
        "a.example",
        "--allow-host",
        "b.example",
        "--new-token",
    )
    assert not served[0].open_browser and "ssh" not in ran.err
    assert served[0].allow_hosts == ("a.example", "b.example") and served[0].new_token


def test_a_text_browser_is_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "get", lambda using=None: webbrowser.GenericBrowser("lynx"))
    assert addresses.display() is None


def test_open_goes_to_the_page_that_is_served(
    zorora: Run, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "answering", lambda host, port: True)
    ran = zorora("open", SLEEP)
    assert ran.out == f"http://localhost:5000/research/{SLEEP}\n" and window.opened == [
        ran.out.strip()
    ]


def test_open_serves_the_page_first_when_nobody_does(
    zorora: Run, served: list[server.Serving], no_window: None
) -> None:
    ran = zorora("open", SLEEP)
    assert len(served) == 1 and f"/research/{SLEEP}" in ran.err


def test_a_taken_port_is_said(zorora: Run, no_window: None) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ran = zorora("web", "--port", str(port), "--no-browser")
    assert ran.code == 1 and f"Port {port} is taken" in ran.err and ran.out == ""


def test_a_home_that_cannot_be_used_is_said_before_anything_is_served(
    zorora: Run, fake: Any, served: list[server.Serving], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> bytes:
        raise StorageError("/nowhere cannot be written.")

    monkeypatch.setattr(fake, "secret_key", refuse)
    ran = zorora("web")
    assert ran.code == 1 and "/nowhere cannot be written" in ran.err and not served


def test_a_server_that_cannot_start_is_a_sentence(
    zorora: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def serve(*_: object) -> None:
        raise ConfigError("It cannot listen there.")

    monkeypatch.setattr(server, "serve", serve)
    ran = zorora("web", "--no-browser")
    assert (ran.code, ran.err) == (1, "zorora: It cannot listen there.\n")


def test_ctrl_c_ends_the_server_quietly(zorora: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def serve(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(server, "serve", serve)
    ran = zorora("web", "--no-browser")
    assert ran.code == 0 and "Stopped." in ran.err


def test_the_address_of_a_research(fake: Any) -> None:
    from types import SimpleNamespace

    session: Any = SimpleNamespace(engine=fake)
    assert addresses.page(session, "ä b") == "http://localhost:5000/research/%C3%A4%20b"
