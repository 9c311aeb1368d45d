"""Fixtures of the interfaces."""

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.ui.fake_engine import FakeEngine
from tests.web_app import web_app
from ui.web.access_token import Token
from ui.web.background.work import Work


@pytest.fixture
def fake(tmp_path: Path) -> FakeEngine:
    """An engine in memory."""
    return FakeEngine(tmp_path)


@pytest.fixture
def app(fake: FakeEngine) -> Flask:
    """The web application over the fake engine; it does not look at the machine of the tests."""
    app = web_app(fake)
    app.extensions["zorora_servers"] = SimpleNamespace(of=lambda key: Work(), state=Work())
    return app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A visitor of the application."""
    return app.test_client()


@pytest.fixture(scope="session")
def chrome() -> Iterator[Any]:
    """A real browser, for tests of the lab. What a click or a wait leads to is whole when it
    returns."""
    from playwright.sync_api import Locator, Page

    from benchmarks.screenshots import chromium

    with pytest.MonkeyPatch.context() as patched, chromium() as browser:
        for kind, name in (
            (Page, "click"),
            (Page, "wait_for_selector"),
            (Locator, "click"),
            (Locator, "wait_for"),
        ):
            patched.setattr(kind, name, whole(getattr(kind, name)))
        yield browser


def whole(act: Callable[..., Any]) -> Callable[..., Any]:
    """An act of the browser that ends with the page it led to; playwright's own ends where that
    page begins."""

    @functools.wraps(act)
    def acted(on: Any, *args: Any, **kwargs: Any) -> Any:
        done = act(on, *args, **kwargs)
        getattr(on, "page", on).wait_for_load_state()
        return done

    return acted


@pytest.fixture
def root(fake: FakeEngine) -> Iterator[str]:
    """The address of a running server over the fake engine."""
    from benchmarks.screenshots import serving

    with serving(fake) as address:
        yield address


class Browser:
    """A test client that behaves like a browser on our own pages: it brings the form's token and
    says where it is."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self._token = ""  # of the cookie of this browser

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(path, **more)

    def post(self, path: str, data: dict[str, Any] | None = None, **more: Any) -> Any:
        if not self._token:
            page = self.client.get("/help").text
            self._token = page.split('name="csrf" value="')[1].split('"')[0]
        headers = {"Sec-Fetch-Site": "same-origin", **more.pop("headers", {})}
        return self.client.post(
            path, data={"csrf": self._token, **(data or {})}, headers=headers, **more
        )


def bearer(engine: Any) -> dict[str, str]:
    """The header of a program that has a new access token of this home directory."""
    secret = Token(Path(engine.config.home) / "web_token").renew()
    return {"Authorization": f"Bearer {secret}"}


@pytest.fixture
def browser(app: Flask) -> Browser:
    """A browser with a cookie."""
    return Browser(app.test_client())
