"""Quick searches and conversations from the first page: watched, stopped, refused, kept; and the
same as events."""

import io
import json
import re
from typing import Any

import pytest

from engine.exports import FORMATS
from tests.model_endpoint import PICTURE
from tests.ui import fake_research
from tests.ui.fake_engine import FakeEngine
from tests.ui.web.conftest import bearer
from tests.ui.web.test_pages import parsed
from tests.ui.web.test_web_follow_up import streamed
from tests.web_app import wait_for_work
from ui.web.background.work import QUESTIONS
from ui.web.pages import side_questions

DONE = fake_research.finished().research_id


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_questions, "SOON", 0.1)


def begun(browser: Any, way: str, question: str = "What is a mill?") -> str:
    """The address of the page that is watched."""
    answer = browser.post("/research", {"q": question, "to": way})
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def done(app: Any) -> None:
    wait_for_work(app, "questions")


@pytest.mark.parametrize(("way", "address"), [("search", "quick_"), ("ask", "talk_")])
def test_a_question_leads_to_what_was_kept_of_it(
    browser: Any, fake: FakeEngine, way: str, address: str
) -> None:
    answer = browser.get(begun(browser, way))
    assert answer.status_code == 303 and f"/research/{address}" in answer.headers["Location"]
    html = browser.get(answer.headers["Location"]).text
    assert "What is a mill?" in html
    assert not [call for call in fake.calls if call[0] == "start"]


@pytest.mark.parametrize(
    ("way", "words"), [("search", "Step 3 of 3: writing the answer."), ("ask", "You asked: ")]
)
def test_a_slow_answer_is_watched_and_can_be_stopped(
    browser: Any, fake: FakeEngine, app: Any, way: str, words: str
) -> None:
    fake.asking.waits.clear()
    before = set(fake.states)
    address = begun(browser, way, "Why <b>now</b>?")
    page = browser.get(address).text
    assert (
        words in page and "Why &lt;b&gt;now&lt;/b&gt;?" in page and 'http-equiv="refresh"' in page
    )
    part = browser.get(f"{address}/progress")
    assert words in part.text and "HX-Refresh" not in part.headers
    assert browser.post(f"{address}/stop").status_code == 303
    done(app)
    assert browser.get(f"{address}/progress").headers["HX-Refresh"] == "true"
    over = browser.get(address)
    assert over.status_code == 200 and "nothing was kept" in over.text
    assert set(fake.states) == before


def test_without_a_model_it_is_said_where_to_choose_one(browser: Any, fake: FakeEngine) -> None:
    assert "Ask the model" not in browser.get("/").text
    fake.asking.model = False
    page = browser.get(begun(browser, "ask")).text
    assert "No model is configured" in page and "/settings#models" in page and "/?q=What" in page


def test_with_a_model_the_first_page_offers_to_ask_it(browser: Any, fake: FakeEngine) -> None:
    fake.models.set_role("reasoning", "http://127.0.0.1:9/v1", "small")
    assert 'value="ask"' in browser.get("/").text


def test_questions_that_cannot_be_asked_come_back_in_the_form(
    browser: Any, fake: FakeEngine
) -> None:
    for question, words in (("  ", "Write a question first"), ("x" * 20_001, "20,001 characters")):
        answer = browser.post("/research", {"q": question, "to": "search"})
        assert answer.status_code == 400 and words in answer.text
    assert browser.get("/asked/nothing").status_code == 404
    assert browser.post("/asked/nothing/stop").status_code == 404
    assert browser.get("/asked/nothing/progress").headers["HX-Refresh"] == "true"


def test_a_conversation_is_starred_noted_exported_and_put_into_the_bin(
    browser: Any, fake: FakeEngine
) -> None:
    address = browser.get(begun(browser, "ask")).headers["Location"]
    html = browser.get(address).text
    for action in ("star", "marks", "delete", "export/md", "export/docx"):
        assert f'"{address}/{action}"' in html
    assert "Move this conversation to the bin" in html
    assert all((f'/export/{form.name}"' in html) == form.holds_turns for form in FORMATS)


def test_no_more_are_answered_at_once_than_can_be(browser: Any, fake: FakeEngine, app: Any) -> None:
    fake.asking.waits.clear()
    for _ in range(QUESTIONS.at_once):
        begun(browser, "search")
    answer = browser.post("/research", {"q": "One more?", "to": "search"})
    assert answer.status_code == 409 and "Try again in a moment" in answer.text
    fake.asking.waits.set()
    done(app)


def test_a_quick_search_offers_nothing_that_only_a_research_can(browser: Any) -> None:
    address = browser.get(begun(browser, "search", "Mills and wind?")).headers["Location"]
    html = browser.get(address).text
    assert "Go deeper" not in html and "Replay" not in html and 'value="further"' not in html
    assert "overall confidence" not in html and "Quick search" in html
    number = address.rsplit("/", 1)[1]
    answer = browser.get(f"/compare?a={number}&b={DONE}")
    assert answer.status_code == 409 and "is a quick search" in answer.text
    assert re.search(r'href="/\?q=Mills[^"]*"', html) or 'value="new"' in html


@pytest.mark.parametrize("way", ["search", "ask", "watched"])
def test_the_pages_have_one_heading_distinct_ids_and_whole_links(
    browser: Any, fake: FakeEngine, way: str
) -> None:
    if way == "watched":
        fake.asking.waits.clear()
    address = begun(browser, "ask" if way == "watched" else way)
    html = browser.get(address, follow_redirects=True).text
    fake.asking.waits.set()
    reader = parsed(html)
    assert (
        reader.tags.count("h1") == 1
        and reader.inline == []
        and len(reader.ids) == len(set(reader.ids))
    )
    for link in reader.links:
        assert not str(link.get("href")).startswith("#") or str(link["href"])[1:] in reader.ids, (
            link
        )
    for name in reader.fields:
        assert f'for="{name}"' in html, name


def program(app: Any, fake: FakeEngine, path: str, body: Any, **more: Any) -> Any:
    headers = {**bearer(fake), **more.pop("headers", {})}
    return app.test_client().post(f"/api/v1{path}", json=body, headers=headers, **more)


@pytest.mark.parametrize(("path", "body", "kinds"), [
    ("/ask", {"question": "What is a mill?"}, ["piece", "done"]),
    ("/search", {"query": "What is a mill?"}, ["step", "step", "step", "done"]),
    (f"/research/{DONE}/follow", {"question": "And in spring?"}, ["step", "piece", "done"]),
    ("/documents/ask", {"question": "What does the plan say?"}, ["done"]),
    ("/ask", {"question": "And?", "conversation_id": "nothing"}, ["problem"]),
])  # fmt: skip
def test_a_program_reads_an_answer_as_it_comes(
    app: Any, fake: FakeEngine, path: str, body: Any, kinds: list[str]
) -> None:
    answer = program(app, fake, path, body, headers={"Accept": "text/event-stream"})
    events = streamed(answer)
    assert answer.mimetype == "text/event-stream" and [kind for kind, _ in events] == kinds
    if kinds[-1] == "done":
        whole = program(app, fake, path, body).json
        assert set(events[-1][1]) == set(whole)  # the same answer, whichever way it is read


def test_a_conversation_goes_on_under_its_id(app: Any, fake: FakeEngine) -> None:
    first = program(app, fake, "/ask", {"question": "What is a mill?"}).json
    again = program(
        app, fake, "/ask", {"question": "And?", "conversation_id": first["conversation_id"]}
    ).json
    assert again["conversation_id"] == first["conversation_id"]
    assert [turn.question for turn in fake.states[first["conversation_id"]].conversation] == [
        "What is a mill?",
        "And?",
    ]


def test_pictures_are_made_and_described(app: Any, fake: FakeEngine) -> None:
    image = program(app, fake, "/images", {"prompt": "a mill"})
    assert (
        image.data == PICTURE
        and image.mimetype == "image/png"
        and "sandbox" in image.headers["Content-Security-Policy"]
    )
    form = {"files": [(io.BytesIO(PICTURE), "../../<b>.png")]}
    description = program(
        app, fake, "/images/describe", None, data=form, content_type="multipart/form-data"
    )
    assert description.json == {"text": "A picture of the kind image/png.", "model": "eyes"}
    fake.asking.model = False
    answer = program(app, fake, "/images", {"prompt": "a mill"})
    assert answer.status_code == 400 and "No model is configured" in answer.json["detail"]


def test_an_archive_holds_every_chosen_format(app: Any, fake: FakeEngine) -> None:
    import zipfile

    client = app.test_client()
    answer = client.get(f"/api/v1/export?id={DONE}&id={fake_research.SECOND}&format=json")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        records = [json.loads(archive.read(name)) for name in archive.namelist()]
    assert [record["research_id"] for record in records] == [DONE, fake_research.SECOND]
    assert client.get("/api/v1/export?id=unknown").status_code == 404
    assert client.get(f"/api/v1/export?id={DONE}&format=exe").status_code == 404
