"""What comes from outside stays text: titles, quotes, names, questions, notes, addresses."""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.tables import each
from tests.ui import fake_engine, fake_research
from tests.ui.fake_engine import FakeEngine
from tests.ui.web.test_pages import DONE, PAGES, parsed
from tests.web_app import web_app
from tools.documents.model import Document
from tools.errors import StorageError
from ui.web import errors
from workflows.research.answer.model import (
    Answer,
    AnswerCard,
    AnswerItem,
    AnswerPart,
    OtherDocument,
    ShortAnswer,
)
from workflows.research.report.model import ReportSection

NASTY = '"><script>alert(1)</script><img src=x onerror=alert(2)>{{7*7}}\x02<b>\x03\u202eevil\x07'


def poison(value: Any, nasty: str = NASTY) -> Any:
    """The same state with hostile text in every place that comes from outside."""
    state = value
    sources = tuple(
        replace(s, title=nasty, authors=(nasty,), venue=nasty,
            url="javascript:alert(1)//" + s.source_id, doi=None,
                rejected=nasty if s.rejected else None,
                credibility=replace(s.credibility, category=nasty,
                    breakdown=nasty) if s.credibility else None)
        for s in state.sources
    )  # fmt: skip
    claims = tuple(replace(c, text=nasty, differs=nasty) for c in state.claims)
    evidence = tuple(replace(e, quote=nasty) for e in state.evidence)
    report = replace(
        state.report,
        title=nasty,
        sections=tuple(
            ReportSection(nasty, tuple(replace(s, text=nasty) for s in part.sentences))
            for part in state.report.sections
        ),
        notes=(nasty,),
        open=(nasty,),
    )
    return replace(
        state, original_query=nasty, sources=sources, claims=claims, evidence=evidence,
        report=report,
        user=replace(state.user, tags=(nasty,), note=nasty),
        contradictions=tuple(replace(c, subject=nasty,
            explanation=nasty) for c in state.contradictions),
        answer=poisoned_answer(nasty) if state.answer else None,
    )  # fmt: skip


def poisoned_answer(nasty: str) -> Answer:
    """An answer with hostile text in each of its parts."""
    passages = tuple(
        replace(passage, lead=replace(passage.lead, text=nasty), text=nasty, heading_path=(nasty,),
            tag=nasty,
                date=nasty, place=nasty, strength=nasty,
                evidence_ids=passage.evidence_ids if number else ())
        for number, passage in enumerate(fake_research.ANSWER.passages)
    )  # fmt: skip
    source = fake_research.SOURCES["S1"].source_id
    return replace(
        fake_research.ANSWER, status="partial", verdict=None, passages=passages, closest=passages,
        absent_terms=(nasty,), parts=(AnswerPart(nasty, "not_found"),),
        short=ShortAnswer(nasty, passages[0].lead.citations, "reader", 0.9),
        items=(AnswerItem(nasty, "list_item", ("E1",), source, nasty),),
        cards=(AnswerCard(source, nasty, nasty, nasty, nasty, passages[:1], (nasty,), nasty,
                          (OtherDocument(nasty, nasty, nasty),)),),
        written=tuple(replace(sentence, text=nasty) for sentence in fake_research.WRITTEN),
    )  # fmt: skip


@pytest.fixture
def poisoned(fake: FakeEngine) -> FakeEngine:
    fake.states[DONE] = poison(fake.states[DONE])
    fake.texts = {name: NASTY + text for name, text in fake.texts.items()}
    fake.open = {
        name: replace(job, query=NASTY, question=NASTY, choices=(NASTY,))
        for name, job in fake.open.items()
    }
    fake.documents["d9"] = Document(
        "d9", NASTY, NASTY, "text/plain", 1, fake_engine.BEGUN, "failed", NASTY, folder=NASTY
    )
    return fake


@each("path", PAGES)
def test_hostile_text_stays_text(browser: Any, poisoned: FakeEngine, path: str) -> None:
    answer = browser.get(path)
    html = answer.text
    reader = parsed(html)
    assert answer.status_code == 200
    assert reader.inline == [] and "<script>alert" not in html and NASTY not in html
    assert "img" not in reader.tags and "<b>\x03" not in html
    for link in reader.links:
        assert not str(link.get("href")).lower().startswith(("javascript:", "data:", "vbscript:"))


@pytest.mark.parametrize(
    "text", ["<script>", "' OR 1=1 --", "../../etc/passwd", "x" * 600, "\u202e", "%00", "a&b=c#d"]
)
def test_a_search_with_hostile_words_answers(browser: Any, text: str) -> None:
    for path in ("/history", "/library", "/search", "/"):
        answer = browser.client.get(path, query_string={"q": text})
        assert answer.status_code in (200, 302), path
        assert parsed(answer.text).inline == []


@each("name", [
    "..%2f..%2fetc%2fpasswd", "..%5c..%5cwindows", "%00", "a%0d%0aX-Evil:1", "%F0%9F%98%80",
    "-" * 400, "%ff", "a b", "%2e%2e",
])  # fmt: skip
def test_strange_names_of_researches_are_not_found(browser: Any, name: str) -> None:
    for path in (f"/research/{name}", f"/research/{DONE}/source/{name}", f"/research/{DONE}/export/"
                                                                         f"{name}",
                 f"/library/{name}", f"/static/{name}", f"/api/v1/research/{name}"):  # fmt: skip
        answer = browser.get(path)
        assert answer.status_code in (308, 404), path
        assert "X-Evil" not in answer.headers
        answer.close()


@pytest.mark.parametrize(
    "target", ["//evil.example/x", "https://evil.example", "\\\\evil", "javascript:alert(1)"]
)
def test_no_form_leads_away(browser: Any, target: str) -> None:
    for path, data in (
        ("/theme", {"theme": "dark"}),
        (f"/research/{DONE}/star", {"on": "1"}),
        ("/history", {"star": DONE}),
    ):
        where = browser.post(path, {**data, "next": target}).headers["Location"]
        assert where.startswith("/") and "evil" not in where


def test_an_uploaded_name_is_a_title_only(browser: Any, fake: FakeEngine) -> None:
    names = ["../../etc/passwd", "C:\\temp\\a.txt", "a\x00b\x07.txt", "." * 3, "x" * 900 + ".pdf"]
    files = [(io.BytesIO(b"text"), name) for name in names]
    browser.post("/library/upload", {"files": files}, content_type="multipart/form-data")
    uploads = [call[1] for call in fake.calls if call[0] == "upload"]
    assert len(uploads) == len(names)
    for name in uploads:
        assert "/" not in name and "\\" not in name and name.isprintable() and 0 < len(name) <= 200


def test_an_exported_page_may_not_run_anything(browser: Any) -> None:
    answer = browser.get(f"/research/{DONE}/export/html")
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["Content-Disposition"].startswith("attachment")


def test_matches_are_marked_and_nothing_else_is(browser: Any, app: Any) -> None:
    from ui.web.filters import marked

    assert str(marked("a \x02b<i>\x03 c")) == "a <mark>b&lt;i&gt;</mark> c"
    assert str(marked("\x03a\x02\x02b")) == "a<mark>b</mark>"
    assert str(marked("\x02a\x00\x03")) == "<mark>a</mark>"


def test_an_error_inside_says_a_number_and_no_details(
    browser: Any, fake: FakeEngine, caplog: Any
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("password=hunter2 at /secret/path")

    fake.history = broken  # type: ignore[method-assign,assignment]
    for path in ("/history", "/api/v1/research"):
        answer = browser.get(path)
        text = answer.text
        assert answer.status_code == 500 and "hunter2" not in text and "Traceback" not in text
        number = re.findall(r'<code>(\w{4})</code>|"log_entry": ?"(\w{4})"', text)[0]
        assert any("".join(number) in record.getMessage() for record in caplog.records)


def test_where_an_error_inside_happened_is_shown_only_where_that_was_asked_for(
    fake: FakeEngine,
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("password=" + secret)

    secret = "hunter" + "2"
    fake.history = broken  # type: ignore[method-assign,assignment]
    for host, is_allowed, shown in (
        ("127.0.0.1", True, True),
        ("127.0.0.1", False, False),
        ("192.0.2.1", True, False),
    ):
        app = web_app(fake, HOST=host, SHOW_FAULTS=is_allowed)
        with app.test_request_context("/history"):
            page = errors.answer(_raised(broken)).get_data(as_text=True)
        assert ("in broken" in page and "RuntimeError" in page) is shown
        assert "hunter2" not in page


def _raised(fails: Callable[[], object]) -> Exception:
    try:
        fails()
    except RuntimeError as fault:
        return fault
    raise AssertionError("it did not fail")


def test_a_page_without_a_key_still_says_what_is_wrong(fake: FakeEngine) -> None:
    def broken() -> bytes:
        raise StorageError("The home directory cannot be written.")

    fake.secret_key = broken  # type: ignore[method-assign]
    answer = web_app(fake).test_client().get("/")
    assert (
        answer.status_code == 503
        and b"cannot be written" in answer.data
        and b"zorora doctor" in answer.data
    )


def test_a_page_that_failed_is_tried_again_with_its_query(browser: Any, fake: FakeEngine) -> None:
    def broken(*_: object) -> None:
        raise StorageError("zorora.db has been held by another program for 10 s.")

    fake.history = broken  # type: ignore[method-assign, assignment]
    answer = browser.get("/history?q=evening+prices&tag=a")
    assert answer.status_code == 503
    assert '<a href="/history?q=evening+prices&amp;tag=a">Try again</a>' in answer.text


def test_a_record_with_dangling_references_is_shown(browser: Any, fake: FakeEngine) -> None:
    state = fake.states[DONE]
    fake.states[DONE] = replace(
        state, evidence=(), claims=(), sources=state.sources[:1], authority=(), snapshots=()
    )
    assert browser.get(f"/research/{DONE}").status_code == 200
    assert browser.get(f"/research/{DONE}/graph").status_code == 200
    fake.states[DONE] = replace(fake_research.finished(DONE), report=None)
    assert browser.get(f"/research/{DONE}").status_code == 200
