"""Models that work inside the process on the settings page: facts first, fetched in the background,
removed."""

import threading
from pathlib import Path
from typing import Any

import pytest

from benchmarks.standin import Asked, Reply, Standin
from tests.file_server import file_route
from tests.standin import server, store
from tests.tiny_reader import tiny_model
from tests.tools.test_model_manifest import list_only
from tests.ui.fake_engine import FakeEngine
from tests.ui.web.conftest import bearer
from tests.ui.web.test_web_models import text
from tests.web_app import wait_for_work
from tools import model_manifest
from tools.net.store import NetStore

__all__ = ["server", "store"]

ORDER = {"role": "reader", "name": "plain"}


@pytest.fixture
def data(
    fake: FakeEngine,
    server: Standin,
    store: NetStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> bytes:
    """The one reader that is listed; the server has it."""
    opened: Any = fake.models._opened
    opened.net = store
    opened.home.mkdir(exist_ok=True)
    (opened.home / "config.toml").write_text(f'[http]\nallow_fetch_hosts = ["{server.place}"]\n')
    opened.reload()
    path = tiny_model(tmp_path / "plain.onnx")
    list_only(path, tmp_path, monkeypatch)
    listed = tmp_path / "models.toml"
    address = server.on("/plain.onnx", file_route(path.read_bytes()))
    listed.write_text(listed.read_text().replace("https://files.example/plain.onnx", address))
    return path.read_bytes()


def test_the_facts_stand_beside_the_button(browser: Any, data: bytes) -> None:
    page, offer = text(browser.get("/settings")), model_manifest.offers()[0]
    for fact in ("A listed reader, MIT", offer.sha256, offer.address, "For tests."):
        assert fact in page
    assert "models get judge --from FILE" in page and "Installed:" not in page


def test_a_model_is_fetched_and_removed_with_buttons(
    browser: Any, fake: FakeEngine, data: bytes
) -> None:
    answer = browser.post("/settings/models/file", ORDER)
    assert answer.status_code == 303 and answer.headers["Location"].endswith("/settings#models")
    page = text(browser.get("/settings"))
    assert "The model is installed." in page and "Installed: A listed reader, MIT" in page
    assert ">Download<" not in page and [file.role for file in fake.models.files()] == ["reader"]
    assert browser.post("/settings/models/file/remove", {"role": "reader"}).status_code == 303
    assert (
        "A listed reader was removed." in text(browser.get("/settings"))
        and fake.models.files() == []
    )
    assert browser.post("/settings/models/file/remove", {"role": "reader"}).status_code == 404


@pytest.mark.lab
def test_it_goes_on_in_the_background(browser: Any, app: Any, server: Standin, data: bytes) -> None:
    go_on = threading.Event()

    def late(request: Asked) -> Reply:
        go_on.wait(20)
        return file_route(data)(request)

    server.on("/plain.onnx", late)
    browser.post("/settings/models/file", ORDER)
    page = text(browser.get("/settings"))
    assert "The model is being downloaded in the background." in page and "Refresh" in page
    browser.post("/settings/models/file", ORDER)
    assert "A model is being downloaded already." in text(browser.get("/settings"))
    go_on.set()
    wait_for_work(app, "downloads")
    assert "Installed: A listed reader" in text(browser.get("/settings"))


def test_what_went_wrong_is_said(
    browser: Any, fake: FakeEngine, server: Standin, data: bytes
) -> None:
    server.on("/plain.onnx", Reply(b"<html><b>sign in</b></html>"))
    browser.post("/settings/models/file", ORDER)
    page = text(browser.get("/settings"))
    assert (
        "was not downloaded: its address answered with a web page" in page
        and "sign in</b>" not in page
    )
    assert fake.models.files() == []


@pytest.mark.parametrize(
    "form", [{"role": "judge"}, {"role": "poet"}, {}, {"role": "reader", "name": "nobody"}]
)
def test_only_what_is_listed_is_fetched(
    browser: Any, server: Standin, data: bytes, form: dict[str, str]
) -> None:
    assert browser.post("/settings/models/file", form).status_code == 404
    browser.post(
        "/settings/models/file",
        {"role": "reader", "name": "x", "from": server.url, "source": server.url},
    )
    assert server.requests == []


def test_programs_can_do_the_same(app: Any, fake: FakeEngine, server: Standin, data: bytes) -> None:
    client, headers = app.test_client(), bearer(fake)

    def call(method: str, path: str, body: Any = None) -> Any:
        return client.open(f"/api/v1/models/{path}", method=method, json=body, headers=headers)

    (offer,) = call("GET", "offers").json
    assert (offer["name"], offer["licence"], offer["download_size"]) == ("plain", "MIT", len(data))
    assert (
        call("POST", "files", {"role": "reader", "name": "nobody"}).status_code == 404
        and server.requests == []
    )
    begun = call("POST", "files?wait=20", {"role": "reader"})
    assert begun.status_code == 202 and (begun.json["done"], begun.json["running"]) == (
        len(data),
        False,
    )
    assert call("GET", "files/progress").json["problem"] is None
    assert [row["title"] for row in call("GET", "files").json] == ["A listed reader"]
    assert (
        call("DELETE", "files/reader").json == []
        and call("DELETE", "files/reader").status_code == 404
    )


@pytest.mark.parametrize("path", ["file", "file/remove"])
def test_other_pages_can_press_none_of_the_buttons(
    browser: Any, server: Standin, data: bytes, path: str
) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.example"}, {}):
        answer = browser.client.post(f"/settings/models/{path}", data=ORDER, headers=headers)
        assert answer.status_code in (400, 403)
    assert server.requests == []
