"""Import, comparison, deletion for good, watching: what their forms do, and what they refuse with a
reason."""

import io
import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from engine.answers import HistoryPage, HistoryQuery, IngestReport
from engine.models import IngestedFile, NotFound, Refused, UserMarks
from tests.ui import fake_engine
from tests.ui.fake_engine import FakeEngine
from tests.ui.fake_research import SECOND, WRITTEN
from tests.ui.web.test_pages import DONE
from tests.web_app import wait_for_work
from ui.web.background.work import READING, Background
from ui.web.filters import ticked
from ui.web.pages.library import folder_links
from workflows.research.report.model import Turn


def sent(browser: Any, *files: tuple[bytes, str]) -> Any:
    form = {"files": [(io.BytesIO(data), name) for data, name in files]}
    return browser.post("/import", form, content_type="multipart/form-data")


def test_one_record_is_opened_and_several_lead_to_the_history(
    browser: Any, fake: FakeEngine
) -> None:
    record = json.dumps(
        replace(fake.states[SECOND], research_id="brought_20260101_000000").to_dict()
    ).encode()
    answer = sent(browser, (record, "a.json"))
    assert (
        answer.status_code == 303
        and answer.headers["Location"] == "/research/brought_20260101_000000"
    )
    assert "Imported." in browser.get("/").text
    answer = sent(browser, (record, "a.json"), (record, "b.json"))
    page = browser.get("/history").text
    assert (
        answer.headers["Location"] == "/history" and "2 times: This report is already here" in page
    )
    assert "imported" not in page.lower()


def test_a_file_that_is_no_record_is_named_with_the_reason(browser: Any, fake: FakeEngine) -> None:
    record = json.dumps(fake.states[SECOND].to_dict()).encode()
    answer = sent(browser, (b"<script>", '<b>"x.json'), (record, "good.json"))
    html = answer.text
    assert (
        answer.status_code == 400
        and "not JSON" in html
        and "&lt;b&gt;" in html
        and "<b>&#34;x" not in html
    )
    assert "1 report was imported" in html
    assert "Choose a file first" in browser.post("/import", {}).text


def test_an_import_from_another_page_is_refused(app: Any, fake: FakeEngine) -> None:
    client = app.test_client()
    client.get("/import")
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-origin"}, {}):
        assert (
            client.post(
                "/import", data={"files": (io.BytesIO(b"{}"), "a.json")}, headers=headers
            ).status_code
            == 403
        )
    assert fake.calls == []


def test_two_ticked_researches_are_compared_and_other_numbers_are_explained(browser: Any) -> None:
    where = browser.post("/history", {"do": "compare", "id": [DONE, SECOND]}).headers["Location"]
    assert where == f"/compare?a={DONE}&b={SECOND}"
    html = browser.get(where).text
    assert "1 statement in both, " in html and "14% lower" in html and "3 shared sources" in html
    assert (
        browser.get(f"/compare/swap?a={DONE}&b={SECOND}").headers["Location"]
        == f"/compare?a={SECOND}&b={DONE}"
    )
    browser.post("/history", {"do": "compare", "id": [DONE]})
    assert "exactly two" in browser.get("/history").text


@pytest.mark.parametrize(("other", "status", "words"), [
    ("unknown", 404, "no report called"),
    (fake_engine.RUNNING, 409, "not finished yet"),
    (fake_engine.FAILED, 404, "ended without a result"),
    (DONE, 400, "two different"),
])  # fmt: skip
def test_what_cannot_be_compared_explains_itself(
    browser: Any, other: str, status: int, words: str
) -> None:
    answer = browser.get(f"/compare?a={DONE}&b={other}")
    assert answer.status_code == status and words in answer.text


def test_deleting_for_good_asks_once_more(browser: Any, fake: FakeEngine) -> None:
    page = browser.post("/history", {"do": "purge", "id": [DONE, '"><script>']}).text
    assert "cannot be undone" in page and "<script>alert" not in page and '"><script>' not in page
    assert not [call for call in fake.calls if call[0] == "delete"]
    browser.post("/history", {"do": "purge", "sure": "1", "id": [DONE]})
    assert fake.calls[-1] == ("delete", DONE, True)


def test_folders_are_watched_from_this_computer_alone(
    browser: Any, app: Any, fake: FakeEngine
) -> None:
    browser.post("/library/watch", {"on": "1"})
    assert (
        fake.calls[-2:]
        == [
            ("set", "corpus.watch", "true"),
            ("watch", True),
        ]
        and "Stop watching" in browser.get("/library").text
    )
    browser.post("/library/watch", {"on": "0"})
    assert fake.calls[-1] == ("watch", False)
    app.config["HOST"] = "192.0.2.1"
    assert browser.post("/library/watch", {"on": "1"}).status_code == 403


def test_a_record_with_its_texts_can_be_had(browser: Any, fake: FakeEngine) -> None:
    plain, whole = (
        json.loads(browser.get(f"/research/{DONE}/export/json{q}").data) for q in ("", "?texts=1")
    )
    assert "text" not in plain["snapshots"][0] and whole["snapshots"][0]["text"].startswith(
        "This review"
    )


def test_what_was_asked_afterwards_stands_under_the_report(browser: Any, fake: FakeEngine) -> None:
    state = fake.states[DONE]
    turn = Turn("2026-10-15T08:00:00Z", "And in <i>spring</i>?", WRITTEN[:1])
    fake.states[DONE] = replace(state, conversation=(turn,))
    html = browser.get(f"/research/{DONE}").text
    assert "And in &lt;i&gt;spring&lt;/i&gt;?" in html


def test_the_oldest_records_show_what_they_say(browser: Any, fake: FakeEngine) -> None:
    fake.states[DONE] = replace(
        fake.states[DONE], report=None, synthesis="# Old\n\nWords <b>of</b> then."
    )
    html = browser.get(f"/research/{DONE}").text
    assert "Words &lt;b&gt;of&lt;/b&gt; then." in html


def test_somebody_new_is_told_what_works_and_what_more_there_could_be(
    browser: Any, fake: FakeEngine
) -> None:
    assert "First steps" not in browser.get("/").text
    fake.states, fake.open = {}, {}
    html = browser.get("/").text
    assert (
        "First steps" in html
        and "4 sources can be searched without a key" in html
        and "CORE can be searched" in html
    )


def test_a_document_opens_at_a_section(browser: Any) -> None:
    html = browser.get("/library/d1?at=40").text
    assert "Capacity" in html and 'aria-current="true">Capacity' in html
    assert browser.get("/library/d1?at=999999999").status_code == 200
    assert browser.get("/library/d1?at=-5").status_code == 200


def test_earlier_researches_on_a_question_are_named_before_and_after_it_is_asked(
    browser: Any, fake: FakeEngine
) -> None:
    question = "Do grid-scale batteries lower prices?"
    link = f'href="/research/{DONE}"'
    assert link in browser.get("/related", query_string={"q": question}).text
    assert browser.get("/related?q=batteries").text.strip() == ""
    assert (
        "Similar questions you asked before" in browser.get("/", query_string={"q": question}).text
    )
    where = browser.post("/research", {"q": question, "sources": "web"}).headers["Location"]
    html = browser.get(where).text
    assert (
        "Similar questions you asked before" in html
        and link in html
        and f'href="{where}"' not in html
    )


@pytest.mark.lab
def test_folders_are_watched_again_when_the_server_comes_back(
    fake: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.settings import config
    from ui.web import server

    monkeypatch.setattr("waitress.server.BaseWSGIServer.run", lambda self: None)
    server.serve(fake, server.Serving(port=0, open_browser=False), lambda _: None)  # type: ignore[arg-type]
    assert not fake.watched.on
    fake.config = config.load(fake.config.home, environ={}, overrides={"corpus.watch": True})
    server.serve(fake, server.Serving(port=0, open_browser=False), lambda _: None)  # type: ignore[arg-type]
    assert fake.watched.on
    fake.watched = replace(fake.watched, on=False)
    server.serve(fake, server.Serving(host="0.0.0.0", port=0, open_browser=False), lambda _: None)  # type: ignore[arg-type]
    assert not fake.watched.on, "not while others reach the page"


def test_somebody_new_takes_the_examples(browser: Any, app: Flask, fake: FakeEngine) -> None:
    fake.documents = {}
    assert "Add the example documents" in browser.get("/library").text
    go = threading.Event()

    def ingest(paths: list[str], progress: Any = None) -> IngestReport:
        fake.calls.append(("ingest", *paths))
        go.wait(60)
        return IngestReport()

    fake.ingest = ingest  # type: ignore[assignment, method-assign]
    with app.app_context():
        app.extensions["zorora_reading"] = Background(replace(READING, wait=0.0))
        browser.post("/library/examples")
        reading = browser.get("/library").text
        browser.post("/library/examples")
        go.set()
        wait_for_work(app, "reading")
    assert (
        "The first documents are being read." in reading
        and "There is no document yet" not in reading
    )
    assert [Path(path).name for _, path in fake.calls] == ["examples"] and Path(
        fake.calls[0][1]
    ).is_dir()
    assert "being read now" in browser.get("/library").text


def test_passages_without_the_words_are_said_to_be_near_in_meaning_alone(
    browser: Any, fake: FakeEngine
) -> None:
    (hit,) = fake.search_library("flow")
    assert "1 passage for <em>flow</em>, best first" in browser.get("/library?q=flow").text
    fake.search_library = lambda *args: [replace(hit, text="Nothing marked.")]  # type: ignore[method-assign]
    page = browser.get("/library?q=xyzzy").text
    assert "No passage contains <em>xyzzy</em>. Closest in meaning: 1 passage." in page


def test_the_library_counts_passages_of_documents_alone(browser: Any) -> None:
    assert "documents, 960 passages" in browser.get("/library").text


def test_a_reading_says_file_by_file_what_was_read_and_refused(
    browser: Any, app: Flask, fake: FakeEngine
) -> None:
    files = (
        IngestedFile(
            "a.md",
            "added",
            "club",
            "d1",
            "Minutes <b>1",
            "2022-03-01",
            "file_name",
            unread=("x.png: An image.",),
        ),
        IngestedFile("old.md", "unchanged", "club", "d2", "Old minutes"),
        IngestedFile(
            "index.pdf",
            "refused",
            "club/2022",
            reason="This file is named .pdf but does not contain PDF.",
        ),
        *(IngestedFile(f"{n}.bin", "refused", reason="Binary.") for n in range(150)),
    )
    fake.ingest = lambda paths, progress=None, machines=None: IngestReport(files=files)  # type: ignore[method-assign]
    browser.post("/library/refresh")
    wait_for_work(app, "reading")
    page = browser.get("/library").text
    assert (
        "1 file read, 151 refused, 1 unchanged." in page
        and "does not contain PDF" in page
        and "2022/index.pdf" in page
        and "and 51 more" in page
    )
    assert "Minutes &lt;b&gt;1" in page and "x.png: An image." in page and "2022-03-01" in page
    assert "Old minutes" not in page.split("<h2>Add files</h2>")[0].split('id="h-indexing"')[-1]


def test_the_list_and_the_page_of_a_document_show_its_date(browser: Any, fake: FakeEngine) -> None:
    fake.documents["d1"] = replace(
        fake.documents["d1"], published="2025-03-14", published_from="text"
    )
    fake.documents["d2"] = replace(
        fake.documents["d2"], published="2024-05", published_from="created"
    )
    page = browser.get("/library").text
    assert "14 March 2025" in page and "created 2024-05" in page
    assert "14 March 2025" in browser.get("/library/d1").text


def test_a_reading_is_stopped_after_the_file_at_hand(
    browser: Any, app: Flask, fake: FakeEngine
) -> None:
    read, pressed = threading.Event(), threading.Event()

    def ingest(paths: list[str], progress: Any = None) -> None:
        for done in range(1, 4):
            progress(f"{done}.txt", done, 3, None)
            read.set()
            pressed.wait(60)

    fake.ingest = ingest  # type: ignore[assignment, method-assign]
    with app.app_context():
        fixed = app.extensions["zorora_reading"] = Background(replace(READING, wait=0.0))
        browser.post("/library/refresh")
        assert read.wait(60) and 'action="/library/stop"' in browser.get("/library").text
        browser.post("/library/stop")
        assert "Stopping after this file" in browser.get("/library").text
        pressed.set()
        wait_for_work(app, "reading")
    assert (fixed.state.done, fixed.state.running) == (2, False)
    assert "Stopped after 2 of 3. The files read so far are kept." in browser.get("/library").text


@pytest.mark.parametrize(
    ("folder", "links"),
    [
        ("", ["book", "notes"]),
        ("a/book", ["book", "one", "two"]),  # what is in it, below its own name
        ("a/book/one", ["book", "one", "two"]),  # what is beside it, where nothing is in it
        ("a/notes", ["book", "notes"]),
        ("unknown", ["a"]),
    ],
)
def test_folders_are_shown_a_level_at_a_time(folder: str, links: list[str]) -> None:
    folders = ["a", "a/book", "a/book/one", "a/book/two", "a/notes", ""]
    assert [name for _, name in folder_links(folder, folders)] == links


def test_a_folder_has_the_documents_of_the_folders_in_it(browser: Any, fake: FakeEngine) -> None:
    fake.documents["d1"] = replace(fake.documents["d1"], folder="a/b")
    fake.documents["d2"] = replace(fake.documents["d2"], folder="a/bc")
    fake.documents["d3"] = replace(fake.documents["d3"], folder="a")
    assert "Remove these 3 documents" in browser.get("/library?folder=a").text
    assert "Remove this document" in browser.get("/library?folder=a/b").text


def test_the_documents_of_a_folder_are_removed_together_after_one_more_question(
    browser: Any, fake: FakeEngine
) -> None:
    fake.documents["d3"] = replace(fake.documents["d3"], folder="Measurements")
    assert "Remove these 2 documents" in browser.get("/library?folder=Measurements").text
    assert "Remove these" not in browser.get("/library").text
    asks = browser.post("/library/clear", {"folder": "Measurements"}).text
    assert (
        "Remove 2 documents of “Measurements”?" in asks and "Keep them" in asks and fake.calls == []
    )
    browser.post("/library/clear", {"folder": "Measurements", "sure": "1"})
    assert fake.calls == [("remove", "d2"), ("remove", "d3")]
    assert browser.post("/library/clear", {"folder": "elsewhere"}).status_code == 404
    assert browser.post("/library/clear", {"folder": ""}).status_code == 404


def test_the_page_for_programs_sets_names_apart(browser: Any) -> None:
    page = browser.get("/help/api").text
    assert "with <code>wait</code>, 200 with the record" in page and "`" not in page
    assert ticked("a `<b>` <i>`c") == "a <code>&lt;b&gt;</code> &lt;i&gt;<code>c</code>"


def test_a_graph_of_nothing_offers_nothing_to_draw(browser: Any, fake: FakeEngine) -> None:
    assert "Redraw</button>" in browser.get(f"/research/{DONE}/graph").text
    assert (
        "Redraw</button>" in browser.get(f"/research/{DONE}/graph?hop=3").text
    )  # the way back to all of them
    fake.states[DONE] = replace(fake.states[DONE], citation_graph={})
    page = browser.get(f"/research/{DONE}/graph").text
    assert "Redraw</button>" not in page and "None of these sources is known to cite" in page


def test_two_tabs_undo_nothing_of_each_other(browser: Any, fake: FakeEngine) -> None:
    fake.states[DONE] = replace(
        fake.states[DONE], user=UserMarks(tags=("elsewhere", "kept"), note="From the other tab.")
    )
    had = {"had_tags": "kept, gone", "had_note": "Old."}
    browser.post(f"/research/{DONE}/marks", {"tags": "kept, gone, new", "note": "Old.", **had})
    assert fake.calls == [
        ("note", DONE, "From the other tab."),
        ("tag", DONE, ("kept", "new", "elsewhere")),
    ]
    fake.calls.clear()
    browser.post(f"/research/{DONE}/marks", {"tags": "kept", "note": "Mine.\r\nTwo lines.", **had})
    assert fake.calls[0] == ("note", DONE, "Mine.\nTwo lines.\n\nFrom the other tab.")
    assert "both texts are kept" in browser.get("/").text
    fake.calls.clear()
    browser.post(f"/research/{DONE}/marks",
        {"tags": "elsewhere", "note": "", "had_tags": "elsewhere, kept",
                                             "had_note": "From the other tab."})  # fmt: skip
    assert fake.calls == [("note", DONE, ""), ("tag", DONE, ("elsewhere",))]


def test_a_note_that_is_too_long_comes_back_in_its_form(browser: Any, fake: FakeEngine) -> None:
    def refuse(research_id: str, note: str) -> None:
        raise Refused("A note can have 20000 characters at most, this one has 100000.")

    fake.note = refuse  # type: ignore[method-assign]
    answer = browser.post(f"/research/{DONE}/marks", {"tags": "a, <b>", "note": "n" * 100_000})
    page = answer.text
    assert answer.status_code == 400 and "Not saved. A note can have 20000" in page
    assert (
        "n" * 100_000 in page
        and 'value="a, &lt;b&gt;"' in page
        and "<details open><summary" in page
    )


def test_tags_are_added_to_those_of_old_researches_too_and_none_is_cut(
    browser: Any, fake: FakeEngine
) -> None:
    fake.history = lambda query: HistoryPage((), None, 0)  # type: ignore[method-assign]
    fake.states[DONE] = replace(fake.states[DONE], user=UserMarks(tags=("old",)))
    browser.post("/history", {"id": [DONE], "do": "tag", "tags": "t" * 70 + ", new"})
    assert fake.calls == [
        ("tag", DONE, ("old", "t" * 70, "new"))
    ]  # the storage refuses what is too long and says so


def test_what_another_tab_removed_stops_nothing_and_a_single_deletion_can_be_undone(
    browser: Any, fake: FakeEngine
) -> None:
    def delete(research_id: str, now: bool = False) -> None:
        if research_id == "gone":
            raise NotFound("There is no report called 'gone'.")
        fake.calls.append(("delete", research_id, now))

    fake.delete = delete  # type: ignore[method-assign]
    browser.post("/history", {"id": ["gone", DONE], "do": "delete"})
    page = browser.get("/history").text
    assert (
        fake.calls == [("delete", DONE, False)]
        and "1 report moved to the bin. There is no report" in page
    )
    browser.post("/history", {"id": [DONE], "do": "delete"})
    page = browser.get("/history").text
    assert f'action="/research/{DONE}/undelete"' in page and "Put it back" in page
    browser.post("/history", {"id": ["gone"], "do": "purge", "sure": "1"})
    assert "Nothing was done. There is no report" in browser.get("/history").text


def test_one_research_is_put_back_from_its_place_in_the_bin(browser: Any, fake: FakeEngine) -> None:
    entries = fake.history(HistoryQuery()).entries
    fake.history = lambda query: HistoryPage(entries, None, len(entries))  # type: ignore[method-assign]
    assert f'name="back" value="{DONE}"' in browser.get("/history?bin=1").text
    browser.post("/history", {"back": DONE, "next": "/history?bin=1"})
    assert (
        fake.calls == [("undelete", DONE)] and "1 report put back." in browser.get("/history").text
    )


def test_a_search_without_a_hit_says_no_more_than_that(browser: Any) -> None:
    page = browser.get("/history?q=zzzqx").text
    assert "No report mentions <em>zzzqx</em>." in page and "Best match first" not in page


def test_a_stopped_research_in_the_bin_says_so(browser: Any, fake: FakeEngine) -> None:
    assert "Move to the bin" in browser.get(f"/research/{fake_engine.FAILED}").text
    gone = UserMarks(deleted_at="2026-10-14T12:00:00Z")
    fake.states[fake_engine.FAILED] = replace(
        fake.states[DONE], research_id=fake_engine.FAILED, report=None, synthesis="", user=gone
    )
    page = browser.get(f"/research/{fake_engine.FAILED}").text
    assert (
        "in the bin since 14 October 2026" in page
        and "Put it back" in page
        and "to the bin" not in page
    )


def test_a_part_of_the_library_that_is_empty_is_not_the_whole(browser: Any) -> None:
    for address in ("/library?folder=unknown", "/library?from=9999999999"):
        page = browser.get(address).text
        assert "There is no document yet" not in page and "This folder has no documents." in page


def test_the_library_shows_how_far_search_by_meaning_is_and_goes_on_with_it(
    browser: Any, fake: FakeEngine
) -> None:
    assert "h-meaning" not in browser.get("/library").text
    fake.vectors, fake.begun = (80, 2400), False
    page, fragment = browser.get("/library").text, browser.get("/library/meaning").text
    assert (
        fake.begun
        and "Being prepared: 80 of 2\u202f400 passages." in page
        and "htmx.min.js" in page
    )
    assert 'hx-get="/library/meaning"' in fragment and 'value="80"' in fragment
    assert "80 of 2\u202f400</progress>" in fragment
    fake.vectors = (2400, 2400)
    assert browser.get("/library/meaning").text.strip() == ""


def test_the_library_says_that_it_is_searched_by_words_alone(
    browser: Any, fake: FakeEngine
) -> None:
    assert "by words alone" not in browser.get("/library").text
    fake.words_alone = "Search is by words alone."
    assert "Search is by words alone." in browser.get("/library").text
