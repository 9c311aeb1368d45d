"""Fixtures of the interfaces."""

import functools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.ui.fake_engine import FakeEngine
from ui.web.access_token import Failures
from ui.web.app import DEFAULTS, create_app
from ui.web.background.work import Work
from ui.web.context import KEY, Opened


@pytest.fixture
def fake(tmp_path: Path) -> FakeEngine:
    """An engine in memory."""
    return FakeEngine(tmp_path)


@pytest.fixture(scope="session")
def flask_app() -> Flask:
    """One application for all tests, so that templates are compiled once."""
    return create_app({"ENGINE": object()})


@pytest.fixture
def app(flask_app: Flask, fake: FakeEngine) -> Flask:
    """The web application over the fake engine as if just started."""
    flask_app.extensions[KEY] = Opened(fake, None, None)
    flask_app.extensions["zorora_failures"] = Failures(time.monotonic)
    flask_app.extensions["zorora_token_path"] = lambda: fake.config.home / "web_token"
    names = ("changes", "downloads", "lists", "pages", "questions", "reading", "retractions")
    for name in (f"zorora_{name}" for name in names):
        flask_app.extensions.pop(name, None)
    flask_app.extensions["zorora_servers"] = SimpleNamespace(
        of=lambda key: Work(), state=Work()
    )  # the machine of the tests is not looked at
    flask_app.config.update(DEFAULTS)
    flask_app.config["SECRET_KEY"] = None
    return flask_app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A visitor of the application."""
    return app.test_client()


@pytest.fixture(scope="session")
def chrome() -> Iterator[Any]:
    """A real browser, for tests of the lab. What a click or a wait leads to is whole when it returns."""
    from playwright.sync_api import Locator, Page

    from benchmarks.screenshots import chromium

    with pytest.MonkeyPatch.context() as patched, chromium() as browser:
        for kind, name in ((Page, "click"), (Page, "wait_for_selector"), (Locator, "click"), (Locator, "wait_for")):
            patched.setattr(kind, name, whole(getattr(kind, name)))
        yield browser


def whole(act: Callable[..., Any]) -> Callable[..., Any]:
    """An act of the browser that ends with the page it led to; playwright's own ends where that page begins."""

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
    """A test client that behaves like a browser on our own pages: it brings the form's token and says where it is."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(path, **more)

    def post(self, path: str, data: dict[str, Any] | None = None, **more: Any) -> Any:
        page = self.client.get("/help").get_data(as_text=True)
        token = page.split('name="csrf" value="')[1].split('"')[0]
        headers = {"Sec-Fetch-Site": "same-origin", **more.pop("headers", {})}
        return self.client.post(path, data={"csrf": token, **(data or {})}, headers=headers, **more)


@pytest.fixture
def browser(app: Flask) -> Browser:
    """A browser with a cookie."""
    return Browser(app.test_client())
