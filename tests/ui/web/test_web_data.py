"""The lists of retractions and journals on the settings page: shown, and loaded in the
background."""

import threading
from dataclasses import replace
from typing import Any

from flask import Flask

from tests.ui.fake_engine import FakeEngine
from tests.web_app import wait_for_work
from ui.web.background.work import LISTS, Background


def test_lists_are_shown_and_loaded_on_demand(browser: Any, app: Flask, fake: FakeEngine) -> None:
    app.extensions.pop("zorora_lists", None)
    page = browser.get("/settings").text
    assert "Retraction Watch" in page and "61 204" in page.replace("\u202f", " ").replace(
        "\xa0", " "
    ).replace(",", " ")
    assert "not loaded" in page
    assert browser.post("/settings/data").headers["Location"].endswith("/settings#data")
    assert fake.calls == [("data",)]
    page = browser.get("/settings").text
    assert "Some lists were not loaded." in page and "Unavailable (status 503)" in page


def test_a_load_under_way_is_not_begun_twice(browser: Any, app: Flask, fake: FakeEngine) -> None:
    app.extensions["zorora_lists"] = updating = Background(LISTS)
    go = threading.Event()
    updating.start(lambda reporter: go.wait(60), wait=0.0)
    browser.post("/settings/data")
    page = browser.get("/settings").text
    assert (
        "being loaded already" in page and "Refresh</a>" in page and "Update the lists" not in page
    )
    go.set()
    wait_for_work(app, "lists")
    assert fake.calls == []
    assert "Update the lists" in browser.get("/settings").text


def test_loading_needs_the_token_of_a_form(browser: Any, fake: FakeEngine) -> None:
    assert browser.client.post("/settings/data").status_code in (400, 403)
    assert fake.calls == []


def test_clients_that_only_support_others_can_be_switched(browser: Any, fake: FakeEngine) -> None:
    sources = fake.sources()
    fake.sources = lambda: [
        *sources,
        replace(sources[0], name="unpaywall", label="Unpaywall", kind="support"),
    ]  # type: ignore[method-assign]
    assert "Unpaywall" in browser.get("/settings").text
