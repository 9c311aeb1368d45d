"""The models on the settings page: roles, servers, looking for local ones, tests that show a class
alone."""

from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from tests.model_endpoint import ModelEndpoint, Status
from tests.ui.fake_engine import FakeEngine
from tests.web_app import wait_for_work


@pytest.fixture(scope="module")
def running() -> Iterator[ModelEndpoint]:
    with ModelEndpoint() as server:
        yield server


@pytest.fixture
def server(running: ModelEndpoint, monkeypatch: pytest.MonkeyPatch) -> ModelEndpoint:
    """The only local server there is."""
    running.reset("yes")
    rows = (("lmstudio", "LM Studio", running.url, "openai"),)
    monkeypatch.setattr("tools.models.detect.detect.__defaults__", (rows,))
    fields = {
        "lmstudio": (running.url, "openai", ""),
        "openai": ("https://api.openai.com/v1", "openai", "OPENAI_API_KEY"),
    }
    monkeypatch.setattr("engine.llm.endpoint_names.BUILT_IN", fields | {"local": ("", "local", "")})
    return running


def text(answer: Any) -> str:
    return unescape(answer.text)


def test_a_running_server_is_found_and_used_with_one_button(
    browser: Any, fake: FakeEngine, server: ModelEndpoint
) -> None:
    page = text(browser.post("/settings/models/detect"))
    assert "LM Studio is running" in page and "<option>small-4b</option>" in page
    answer = browser.post(
        "/settings/models/role", {"role": "reasoning", "endpoint": "lmstudio", "model": "small-4b"}
    )
    assert answer.status_code == 303 and answer.headers["Location"].endswith("/settings#models")
    role = next(role for role in fake.models.roles() if role.role == "reasoning")
    assert (role.model, role.endpoint) == ("small-4b", "lmstudio")
    assert "small-4b writes" in text(browser.get("/")) and "the model that writes" in text(
        browser.get("/settings")
    )
    browser.post("/settings/models/role", {"role": "reasoning", "model": "small-4b", "clear": "1"})
    assert "None. Reports quote" in text(browser.get("/"))


def test_servers_are_named_like_their_products_and_depths_like_on_the_first_page(
    browser: Any,
) -> None:
    page = text(browser.get("/settings"))
    assert '<option value="lmstudio">LM Studio</option>' in page and ">llama.cpp<" in page
    assert '<option value="2" selected>balanced</option>' in page


def test_the_start_page_offers_what_runs(
    browser: Any, app: Any, fake: FakeEngine, server: ModelEndpoint
) -> None:
    del app.extensions["zorora_servers"]
    browser.get("/")  # begins to look, and waits a moment only
    wait_for_work(app, "servers")
    page = text(browser.get("/"))
    assert (
        "LM Studio is running with small-4b." in page
        and 'href="/settings?models=look#models"' in page
    )
    assert "<option>small-4b</option>" in text(browser.get("/settings?models=look"))
    fake.models.set_role("reasoning", "lmstudio", "small-4b")
    assert "is running with" not in text(browser.get("/"))


def test_nothing_running_and_nothing_loaded_are_said(
    browser: Any, server: ModelEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.models = ()
    assert "is running and has no model loaded" in text(browser.post("/settings/models/detect"))
    rows = (("dead", "Dead", "http://127.0.0.1:9/v1", "openai"),)
    monkeypatch.setattr("tools.models.detect.detect.__defaults__", (rows,))
    assert "No model server is running on this computer" in text(
        browser.post("/settings/models/detect")
    )


def test_a_test_shows_the_class_and_never_the_words_of_the_server(
    browser: Any, server: ModelEndpoint
) -> None:
    browser.post(
        "/settings/models/role", {"role": "search", "address": server.url, "model": "small-4b"}
    )
    assert "Search: reached. The answer took" in text(
        browser.post("/settings/models/test", {"role": "search"})
    )
    hostile = {
        "error": {"message": "<script>alert(1)</script> token=abc", "code": "invalid_api_key"}
    }
    server.answers = lambda _: Status(401, hostile)
    page = browser.post("/settings/models/test", {"role": "search"}).text
    assert "Search: wrong key." in page and "alert(1)" not in page and "token=abc" not in page
    assert browser.post("/settings/models/test", {"role": "vision"}).status_code == 400


def test_servers_are_added_changed_listed_and_removed(
    browser: Any, fake: FakeEngine, server: ModelEndpoint
) -> None:
    form = {"name": "lab", "url": server.url, "provider": "openai", "key": "LAB_API_KEY"}
    assert browser.post("/settings/models/endpoint", form).status_code == 303
    page = text(browser.get("/settings"))
    assert server.url in page and "LAB_API_KEY" in page
    assert "lab serves small-4b." in text(
        browser.post("/settings/models/served", {"endpoint": "lab"})
    )
    browser.post("/settings/models/endpoint", {**form, "url": "http://127.0.0.1:9/v1", "key": ""})
    assert "lab could not be reached." in text(
        browser.post("/settings/models/served", {"endpoint": "lab"})
    )
    browser.post("/settings/models/role", {"role": "search", "endpoint": "lab", "model": "m"})
    refused = browser.post("/settings/models/endpoint/remove", {"name": "lab"})
    assert refused.status_code == 409 and "lab is used for search" in text(refused)
    browser.post("/settings/models/role", {"role": "search", "clear": "1"})
    assert browser.post("/settings/models/endpoint/remove", {"name": "lab"}).status_code == 303
    assert "lab" not in [endpoint.name for endpoint in fake.models.endpoints()]
    assert browser.post("/settings/models/endpoint/remove", {"name": "openai"}).status_code == 404


@pytest.mark.parametrize(
    ("path", "form", "message"),
    [
        ("role", {"role": "writer", "endpoint": "openai", "model": "m"}, "There is no role"),
        (
            "role",
            {"role": "search", "endpoint": "nowhere", "model": "m"},
            "There is no model server",
        ),
        (
            "role",
            {"role": "search", "address": "javascript://x", "model": "m"},
            "must be an address",
        ),
        ("endpoint", {"name": "<b>", "url": "http://x/v1"}, "not a valid server name"),
        ("endpoint", {"name": "lab", "url": "ftp://x"}, "must be an address"),
        ("endpoint", {"name": "lab", "url": "http://x", "key": "PATH"}, "not a valid key name"),
        ("endpoint", {}, "not a valid server name"),
        ("served", {"endpoint": "nowhere"}, "There is no model server"),
    ],
)
def test_what_cannot_be_is_refused_above_the_form(
    browser: Any, server: ModelEndpoint, path: str, form: dict[str, str], message: str
) -> None:
    answer = browser.post(f"/settings/models/{path}", form)
    assert (
        answer.status_code == 400
        and message in text(answer)
        and "<b>" not in answer.text.split("main")[0]
    )


@pytest.mark.parametrize(
    "path", ["role", "test", "detect", "served", "endpoint", "endpoint/remove"]
)
def test_other_pages_can_press_none_of_the_buttons(
    browser: Any, fake: FakeEngine, server: ModelEndpoint, path: str
) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}, {}):
        answer = browser.client.post(
            f"/settings/models/{path}", data={"role": "reasoning"}, headers=headers
        )
        assert answer.status_code in (400, 403)
    assert server.calls == []
