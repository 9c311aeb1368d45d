"""What the forms do: starting, marks, history, library, settings."""

import io
import re
import zipfile
from dataclasses import replace
from typing import Any

import pytest

from tests.ui.fake_engine import FAILED, RUNNING, FakeEngine
from tests.ui.web.test_pages import DONE
from tests.web_app import wait_for_work


def test_a_question_is_started_with_its_choices(browser: Any, fake: FakeEngine) -> None:
    answer = browser.post("/research", {
        "q": "  Do batteries lower prices? ", "depth": "3",
        "sources": ["academic", "local", "nonsense"],
        "since": "2024-01-01", "site": "agency.example, https://other.example/x", "lang": "en",
    })  # fmt: skip
    _, query, options = fake.calls[0]
    assert answer.status_code == 303 and answer.headers["Location"] == "/research/started_1"
    assert query == "Do batteries lower prices?"
    assert (
        options.depth == 3 and options.sources == ("academic", "local") and options.clarify is True
    )
    assert (
        options.filters.sites == ("agency.example", "other.example")
        and options.filters.since == "2024-01-01"
    )


@pytest.mark.parametrize(("data", "message"), [
    ({"q": "   ", "sources": "web"}, "Write a question first."),
    ({"q": "x" * 20_001, "sources": "web"}, "20,001 characters"),
    ({"q": "Why?"}, "at least one kind of source"),
    ({"q": "Why?", "sources": "web", "depth": "9"}, "Depth is 1"),
    ({"q": "Why?", "sources": "web", "since": "yesterday"}, "yesterday is not a date"),
    ({"q": "?", "sources": "web"}, "is not enough to search for"),
    ({"q": "Why?", "sources": "web", "site": "agency.example, not a site!"},
        "“not a site!” is not a site"),
])  # fmt: skip
def test_a_form_that_cannot_be_used_comes_back_as_it_was(
    browser: Any, fake: FakeEngine, data: dict[str, str], message: str
) -> None:
    answer = browser.post("/research", data)
    assert answer.status_code == 400 and message in answer.text and fake.calls == []
    assert data["q"].strip()[:100] in answer.text


def test_a_bookmarked_question_opens_its_newest_research_and_starts_nothing(
    browser: Any, fake: FakeEngine
) -> None:
    from tests.ui.fake_research import QUESTION

    results = browser.client.get("/search", query_string={"q": QUESTION.upper(), "depth": "2"})
    assert results.headers["Location"].endswith(DONE)
    other = browser.client.get("/search", query_string={"q": QUESTION, "depth": "3"})
    assert other.status_code == 200 and 'value="3" checked' in other.text
    assert fake.calls == []


def test_marks_are_kept(browser: Any, fake: FakeEngine) -> None:
    browser.post(f"/research/{DONE}/star", {"on": "0"})
    browser.post(f"/research/{DONE}/marks", {"tags": "a,  b c ,a,", "note": " see annex "})
    browser.post(f"/research/{DONE}/delete")
    browser.post(f"/research/{DONE}/delete", {"now": "1"})
    browser.post(f"/research/{DONE}/undelete")
    assert fake.calls == [
        ("star", DONE, False), ("note", DONE, "see annex"), ("tag", DONE, ("a", "b c")),
        ("delete", DONE, False),
        ("delete", DONE, True), ("undelete", DONE),
    ]  # fmt: skip


def test_again_and_deeper_ask_the_same_question(browser: Any, fake: FakeEngine) -> None:
    browser.post(f"/research/{DONE}/again")
    browser.post(f"/research/{DONE}/again", {"deeper": "1"})
    browser.post(f"/research/{FAILED}/again")
    browser.post(f"/research/{FAILED}/resume", {"force": "1"})
    assert [call[2].depth for call in fake.calls[:3]] == [2, 3, 1]
    assert fake.calls[3] == ("resume", FAILED, True)


def test_a_running_research_is_stopped(browser: Any, fake: FakeEngine) -> None:
    assert browser.post(f"/research/{RUNNING}/cancel").headers["Location"] == f"/research/{RUNNING}"
    assert fake.calls == [("cancel", RUNNING)]
    assert "Stop and keep the results so far" in browser.get(f"/research/{RUNNING}").text
    fake.open[RUNNING] = replace(fake.open[RUNNING], stopping=True)
    html = browser.get(f"/research/{RUNNING}").text
    assert "Stopping; the results so far are kept." in html and ">Stopping</span></button>" in html
    assert (
        '<button class="btn" disabled>' in html
        and "Stop and keep the results so far</span>" not in html
    )


def test_the_theme_is_kept_in_the_cookie(browser: Any) -> None:
    assert browser.post("/theme", {"theme": "dark", "next": "/help"}).headers["Location"] == "/help"
    assert '<html lang="en" data-theme="dark">' in browser.get("/").text
    browser.post("/theme", {"theme": '"><script>'})
    assert 'data-theme="dark"' in browser.get("/").text
    browser.post("/theme", {"theme": "auto"})
    assert "data-theme" not in browser.get("/").text.split(">")[1]


def test_several_researches_at_once(browser: Any, fake: FakeEngine) -> None:
    answer = browser.post("/history", {"do": "export", "id": [DONE, DONE]})
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert archive.namelist() == [f"001_{DONE}.md"]
    browser.post("/history", {"do": "delete", "id": [DONE]})
    browser.post("/history", {"do": "tag", "id": [DONE], "tags": "new"})
    browser.post("/history", {"star": DONE, f"on-{DONE}": "1"})
    assert fake.calls == [
        ("delete", DONE, False),
        ("tag", DONE, ("storage", "markets", "new")),
        ("star", DONE, True),
    ]
    browser.post("/history", {"do": "delete"})
    assert "Select the reports first." in browser.get("/history").text


def test_a_filter_that_makes_no_sense_is_said(browser: Any) -> None:
    answer = browser.get("/history?min_confidence=7")
    assert answer.status_code == 400 and "is not between 0 and 1" in answer.text
    assert browser.get("/history?since=soon").status_code == 400


def test_a_filter_that_makes_no_sense_leaves_the_others_in_force(
    browser: Any, fake: FakeEngine
) -> None:
    queries: list[Any] = []
    history = fake.history
    fake.history = lambda query: queries.append(query) or history(query)  # type: ignore[method-assign, func-returns-value]
    html = browser.get(
        "/history?q=trees&starred=1&since=broken&min_confidence=7&until=2025-01-31"
    ).text
    assert (
        "Since: broken is not a date" in html
        and "Confidence from: 7 is not between 0 and 1" in html
    )
    query = queries[-1]
    assert (query.text, query.starred, query.until) == ("trees", True, "2025-01-31")
    assert (query.since, query.min_confidence) == (None, None)
    late = browser.get("/history?since=2025-05-01&until=2024-01-01").text
    assert "Since 2025-05-01 is later than until 2024-01-01" in late


def test_open_researches_stand_above_the_finished_ones(browser: Any) -> None:
    html = browser.get("/history").text
    assert html.index("Waiting for you") < html.index('aria-pressed="')


def test_files_are_read_and_failures_say_why(browser: Any, app: Any, fake: FakeEngine) -> None:
    files = [(io.BytesIO(b"good text"), "notes.txt"), (io.BytesIO(b"broken"), "scan.pdf")]
    answer = browser.post("/library/upload", {"files": files}, content_type="multipart/form-data")
    assert answer.status_code == 303
    wait_for_work(app, "reading")
    html = browser.get("/library").text
    assert "scan.pdf" in html and "pictures of pages and no text" in html and "notes.txt" in html


def test_no_file_too_many_files_and_too_large_ones(
    browser: Any, app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.post("/library/upload", content_type="multipart/form-data")
    assert "Choose at least one file first." in browser.get("/library").text
    many = [(io.BytesIO(b"x"), f"{n}.txt") for n in range(51)]
    answer = browser.post("/library/upload", {"files": many}, content_type="multipart/form-data")
    assert answer.status_code == 403 and "51 files are too many" in answer.text
    monkeypatch.setattr("ui.web.pages.library.FILE_MB", 0)
    browser.post(
        "/library/upload",
        {"files": [(io.BytesIO(b"xx"), "big.txt")]},
        content_type="multipart/form-data",
    )
    wait_for_work(app, "reading")
    assert "larger than 0 MB" in browser.get("/library").text


def test_an_oversized_request_is_refused_before_it_is_read(browser: Any, app: Any) -> None:
    app.config["MAX_CONTENT_LENGTH"] = 10_000
    answer = browser.post(
        "/library/upload",
        {"files": [(io.BytesIO(b"x" * 20_000), "a.txt")]},
        content_type="multipart/form-data",
    )
    assert answer.status_code == 413 and "Too large" in answer.text
    answer = browser.post("/research", {"q": "x" * 2_000_000, "sources": "web"})
    assert answer.status_code == 413


def test_a_folder_is_added_and_read(browser: Any, app: Any, fake: FakeEngine) -> None:
    browser.post("/library/folder", {"folder": "Documents/Tender"})
    browser.post("/library/refresh")
    wait_for_work(app, "reading")
    assert ("root", "Documents/Tender") in fake.calls and (
        "ingest",
        ("Documents/Tender",),
    ) in fake.calls
    answer = browser.post("/library/folder", {"folder": "/etc"})
    assert (
        answer.status_code == 400
        and "belongs to the system" in answer.text
        and 'value="/etc"' in answer.text
    )
    assert browser.post("/library/folder", {"folder": " "}).status_code == 303


def test_a_document_is_removed(browser: Any, fake: FakeEngine) -> None:
    asks = browser.post("/library/d2/remove").text
    assert "uploaded here is deleted" in asks and "Keep it" in asks and fake.calls == []
    browser.post("/library/d2/remove", {"sure": "1"})
    assert fake.calls == [("remove", "d2")]
    assert browser.post("/library/d99/remove").status_code == 404


def test_a_folder_is_read_no_longer(browser: Any, fake: FakeEngine) -> None:
    default_roots, added = fake.roots()
    assert f'value="{added}"' in browser.get("/library").text
    assert browser.post("/library/folder/remove", {"folder": added}).status_code == 303
    assert fake.calls == [("set", "corpus.roots", "")]
    for path, status in ((default_roots, 403), ("/nowhere", 404), ("", 404)):
        assert browser.post("/library/folder/remove", {"folder": path}).status_code == status


def test_a_passage_is_marked_in_its_document(browser: Any) -> None:
    html = browser.get("/library/d1?start=0&end=14").text
    assert '<mark id="p1">Flow batteries</mark>' in html
    assert "<mark" not in browser.get("/library/d1?start=5&end=999999").text


def test_settings_of_one_section_stand_together(browser: Any, fake: FakeEngine) -> None:
    row = next(iter(fake.rows.values()))
    for name, section in (
        ("a.x", "sources.a"),
        ("b.x", "sources.b"),
        ("a.y", "sources.a"),
        ("b.y", "sources.b"),
    ):
        fake.rows[name] = replace(row, name=name, section=section)
    page = browser.get("/settings").text
    assert (
        page.count("<summary>Sources: a</summary>")
        == page.count("<summary>Sources: b</summary>")
        == 1
    )


def test_settings_are_saved_and_wrong_ones_come_back(browser: Any, fake: FakeEngine) -> None:
    browser.post(
        "/settings",
        {"place": "defaults", "research.depth": "3", "http.contact": "", "unknown": "x"},
    )
    assert fake.calls == [("set", "research.depth", "3")]
    answer = browser.post("/settings", {"place": "defaults", "research.depth": "9"})
    assert (
        answer.status_code == 400
        and "between 1 and 3" in answer.text
        and 'value="9"' in answer.text
    )


def test_a_source_is_asked_live_from_its_button(browser: Any, fake: FakeEngine) -> None:
    plain = browser.get("/settings").text
    assert 'name="check" value="openalex" formaction="/settings/clients/check#clients"' in plain
    page = browser.post("/settings/clients/check", {"check": "openalex", "client": ["core"]}).text
    assert fake.calls[-1] == ("check_sources", ("openalex",))
    assert (
        page.count("OpenAlex: answered in 0.3 s, 3 hits.") == 1
        and "<small>answered in 0.3 s, 3 hits.</small>" in page
    )
    assert 'value="core" checked' in page and 'value="arxiv" checked' not in page, (
        "what was ticked stays so"
    )
    everyone = browser.post("/settings/clients/check", {"check": ""}).text
    assert fake.calls[-1] == ("check_sources", ()) and "1 of 1 source answered" in everyone
    assert browser.post("/settings/clients/check", {"check": "nobody"}).status_code == 404
    assert fake.calls[-1] == ("check_sources", ("nobody",))


def test_clients_are_switched(browser: Any, fake: FakeEngine) -> None:
    fake.rows.update(
        {
            f"sources.{n}.enabled": fake.rows["research.depth"]
            for n in ("arxiv", "core", "duckduckgo")
        }
    )
    browser.post("/settings/clients", {"client": ["openalex", "core", "newsroom"]})
    assert fake.calls == [
        ("set", "sources.arxiv.enabled", "false"), ("set", "sources.core.enabled", "true"),
        ("set", "sources.duckduckgo.enabled", "false"),
    ]  # fmt: skip


def test_keys_are_replaced_and_removed(browser: Any, fake: FakeEngine) -> None:
    assert (
        browser.post("/settings/keys", {"name": "HF_TOKEN", "value": " hf_abc "}).status_code == 303
    )
    assert fake.secrets["HF_TOKEN"] == "hf_abc"
    page = browser.get("/settings").text  # said where the browser comes back to, once
    assert page.index('id="keys"') < page.index("The key was saved.") < page.index('id="clients"')
    assert page.count("The key was saved.") == 1
    asks = browser.post("/settings/keys", {"name": "HF_TOKEN", "remove": "1"}).text
    assert (
        "Remove this key?" in asks
        and "HF_TOKEN" in asks
        and "Keep it" in asks
        and "hf_abc" not in asks
    )
    assert fake.secrets["HF_TOKEN"] == "hf_abc"
    assert (
        browser.post("/settings/keys", {"name": "HF_TOKEN", "remove": "1", "sure": "1"}).status_code
        == 303
    )
    assert fake.secrets["HF_TOKEN"] == ""
    assert browser.post("/settings/keys", {"name": "HF_TOKEN", "value": " "}).status_code == 400
    assert browser.post("/settings/keys", {"name": "PATH", "value": "x"}).status_code == 404


def test_a_backup_is_made(browser: Any, fake: FakeEngine) -> None:
    browser.post("/settings/backup")
    assert "zorora-20261014.db" in browser.get("/settings").text


def test_exports_are_files(browser: Any, fake: FakeEngine) -> None:
    for name, _, suffix in fake.export_formats():
        if name == "pdf":
            continue  # its library alone takes a second to load; the lab makes one
        answer = browser.get(f"/research/{DONE}/export/{name}")
        assert answer.status_code == 200 and answer.headers["Content-Disposition"].endswith(
            suffix
        ), name
        assert re.match(r"attachment; filename=", answer.headers["Content-Disposition"])


def test_the_history_is_asked_for_what_the_filters_say(browser: Any, fake: FakeEngine) -> None:
    calls = []
    real = fake.history
    fake.history = lambda query: (calls.append(query), real(query))[1]  # type: ignore[method-assign]
    html = browser.get(
        "/history?kind=search&source_type=local&until=2026-05-01&min_confidence=0.5"
    ).text
    query = calls[-1]
    assert (query.kind, query.source_type, query.until, query.min_confidence) == (
        "search",
        "local",
        "2026-05-01",
        0.5,
    )
    assert '<option value="search" selected>' in html and '<option value="local" selected>' in html
    browser.get("/history?kind=<b>&source_type=moon")
    assert (calls[-1].kind, calls[-1].source_type) == (None, None)
    assert browser.get("/history?until=soon").status_code == 400
