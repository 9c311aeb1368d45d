"""The hostile web in a real browser: nothing from outside runs, and what is forged is refused in
words."""

import contextlib
import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from benchmarks.screenshots import CHROMIUM, opened
from tests.ui import fake_research
from tests.ui.fake_engine import FakeEngine
from tests.ui.web.test_pages import DONE, PAGES
from tests.ui.web.test_web_hostile import NASTY, poison
from tools.documents.model import Document
from workflows.research.report.model import Turn

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(not shutil.which(CHROMIUM), reason="Chromium is not installed"),
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]
EVIL = (
    NASTY
    + "<svg onload=alert(3)><a href='javascript:alert(4)'>x</a></textarea></title><iframe srcdoc=x>"
)
REPORT = f"/research/{DONE}"
TALK, QUICK = "talk_20261014_130000", "quick_20261014_130000"
MORE = (f"{REPORT}/claim/C1", f"{REPORT}/work", f"{REPORT}/revisions", f"{REPORT}/revision/1",
    "/about", "/feed.atom",
        f"{REPORT}/<script>alert(5)</script>", "/research/%3Cimg%20src=x%20onerror=alert(6)%3E",
        "/?q=" + "%22%3E%3Cscript%3Ealert(7)%3C/script%3E two", "/search?q=%3C/"
                                                                "textarea%3E%3Cscript%3E8",
        f"/research/{TALK}", f"/research/{QUICK}", f"/research/{QUICK}/log", f"/history?q={TALK}",
        "/compare", "/related?q=do+grid-scale+batteries+lower", "/settings?models=look",
        "/library?q=%3Cb%3E")  # fmt: skip
STRANGE = """() => [...document.querySelectorAll('script:not([src]), img, iframe, object, embed, [style], [srcdoc]')]
  .concat([...document.querySelectorAll('*')].filter(e => e.getAttributeNames().some(n => n.startsWith('on'))))
  .concat([...document.querySelectorAll('a[href]')].filter(
    a => !/^(https?|mailto):$/.test(new URL(a.getAttribute('href'), location).protocol)))
  .map(e => e.outerHTML.slice(0, 120))"""  # noqa: E501


@pytest.fixture
def poisoned(fake: FakeEngine) -> FakeEngine:
    """Every text of the outside is hostile: titles, quotes, questions, notes, file names, what
    models wrote."""
    state = poison(fake.states[DONE])
    written = replace(
        fake_research.WRITTEN[0], kind="written", text=EVIL, model=EVIL, prompt=EVIL, verifier=EVIL
    )
    claims = tuple(replace(claim, text=EVIL, verifier=EVIL, section=EVIL) for claim in state.claims)
    fake.states[DONE] = replace(
        state, original_query=EVIL, claims=claims, report=replace(state.report, title=EVIL),
        answer=replace(state.answer, written=(written,) * 3),
        conversation=(Turn("2026-10-14T13:00:00Z", EVIL, (written,)),),
    )  # fmt: skip
    talk, _ = fake.asking.conversations.ask(EVIL)
    fake.states[TALK] = replace(fake.states[talk], research_id=TALK)
    quick = fake.asking.search(EVIL)
    fake.states[QUICK] = replace(
        poison(quick), research_id=QUICK, original_query=EVIL, kind="search"
    )
    second = fake.states[fake_research.SECOND]
    fake.states[fake_research.SECOND] = poison(second)
    fake.texts = {name: EVIL + text for name, text in fake.texts.items()}
    fake.open = {name: replace(job, query=EVIL, question=EVIL, choices=(EVIL,),
        problem=EVIL if job.problem else None)
                 for name, job in fake.open.items()}  # fmt: skip
    old = fake.documents["d1"]
    fake.documents["d1"] = replace(old, name=EVIL, title=EVIL, folder=EVIL)
    fake.documents["d9"] = Document(
        "d9", EVIL, EVIL, "text/plain", 1, "2026-10-14T12:00:00Z", "failed", EVIL, folder="x"
    )
    fake.rows = {
        name: replace(row, value=EVIL) if row.type == "text" else row
        for name, row in fake.rows.items()
    }
    return fake


def test_nothing_of_the_outside_runs_on_any_page(
    chrome: Any, poisoned: FakeEngine, root: str
) -> None:
    poisoned.steering.exclude(DONE, "S3")
    with opened(chrome, 1440, "light") as (page, messages):
        ran: list[str] = []
        page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
        page.goto(root + REPORT)
        page.click("button:has-text('Read the pages again')")
        page.wait_for_selector("text=pages read again")
        for path in (*PAGES, *MORE):
            if "/progress" in path or path == "/feed.atom":
                continue
            page.goto(root + path)
            assert page.evaluate(STRANGE) == [], path
            heard = [text for text in messages if "404" not in text]
            assert (ran, heard) == ([], []), path
            messages.clear()


def test_hostile_words_stay_words_while_an_answer_is_made(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    fake.asking.waits.clear()
    with opened(chrome, 375, "light") as (page, messages):
        ran: list[str] = []
        page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
        for way, last in (("search", "Quick search"), ("ask", "Ask the model")):
            fake.models.set_role("reasoning", "http://127.0.0.1:9/v1", "<b>model</b>")
            page.goto(root)
            page.fill("#q", EVIL)
            page.click(f"button:has-text('{last}')")
            page.wait_for_selector("#work .prose" if way == "ask" else "#work")
            assert page.evaluate(STRANGE) == [] and "<script>" in page.inner_text("main")
            page.click("button:has-text('Stop')")
            page.wait_for_selector("text=nothing was kept")
            assert page.evaluate(STRANGE) == []
            page.click("text=Back to the question")
            assert "<script>" in page.input_value("#q")
        page.goto(f"{root}/library")
        page.click("button:has-text('Remove') >> nth=0")
        assert page.evaluate(STRANGE) == [] and (ran, messages) == ([], [])


def test_hostile_words_stay_words_where_scripts_move_them(
    chrome: Any, poisoned: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "light") as (page, messages):
        ran: list[str] = []
        page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
        poisoned.related = lambda query, limit=3: poisoned._entries()[:1]  # type: ignore[method-assign]
        page.goto(root)
        page.locator("#q").press_sequentially("<script>alert(1)</script> evil", delay=1)
        page.wait_for_selector("#related li")
        assert "<script>" in page.inner_text("#related") and page.evaluate(STRANGE) == []
        page.click("nav a[data-sheet]")
        page.wait_for_selector("dialog[open] #defaults, dialog[open] details.set")
        assert page.evaluate(STRANGE) == []
        page.goto(f"{root}/import")
        page.set_input_files("input[type=file]",
            [{"name": "<img src=x onerror=alert(1)>.json", "mimeType": "text/html",
                                                   "buffer": b"<script>alert(1)</"
                                                             b"script>"}])  # fmt: skip
        page.click("main button:has-text('Import')")
        assert "is not JSON" in page.inner_text("main")
        page.goto(f"{root}/library")
        page.set_input_files(
            "#files",
            [{"name": "<svg onload=alert(1)>.txt", "mimeType": "text/plain", "buffer": b"broken"}],
        )
        page.click("button:has-text('Upload')")
        page.wait_for_selector("text=holds pictures of pages")
        assert page.evaluate(STRANGE) == [] and ran == []
        assert [text for text in messages if "400" not in text] == []


@contextlib.contextmanager
def elsewhere(html: str) -> Iterator[str]:
    """The address of another site that serves one page."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = HTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


FORGED = (("/research", "q=x&sources=web"), (f"{REPORT}/exclude", "source=S1"),
    (f"{REPORT}/follow", "q=why"),
          ("/settings/keys", "name=HF_TOKEN&value=x"),
          ("/settings/models/role", "role=reasoning&model=x"),
          ("/history", f"do=purge&sure=1&id={DONE}"), ("/library/folder", "folder=/etc"),
          ("/settings", "research.depth=3"), ("/research", "q=x&to=search"),
          ("/research", "q=x&to=ask"),
          ("/library/folder/remove", "folder=x"), ("/library/d1/remove", "sure=1"))  # fmt: skip


def test_another_site_can_neither_change_nor_frame_nor_read_a_page(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    forms = "".join(
        f"<form method=post action='{root}{path}' id=f{n} target=t{n}>"
        + "".join(
            f"<input name='{p.partition('=')[0]}' value='{p.partition('=')[2]}'>"
            for p in data.split("&")
        )
        + "</form>"
        for n, (path, data) in enumerate(FORGED)
    )
    with elsewhere(f"<h1>other</h1>{forms}<iframe src='{root}/settings'></iframe>") as other:
        context = chrome.new_context()
        page = context.new_page()
        page.goto(root)  # the victim has a cookie
        page.goto(other)
        page.wait_for_timeout(300)
        assert all("Settings" not in (frame.title() or "") for frame in page.frames[1:])
        for number, (path, _) in enumerate(FORGED):
            with context.expect_page() as popup:
                page.evaluate(f"document.getElementById('f{number}').submit()")
            shown = popup.value
            shown.wait_for_load_state()
            assert "Another page requested this change" in shown.inner_text("main"), path
            shown.close()
        read = page.evaluate(
            "a => fetch(a, {credentials: 'include'}).then(r => r.text(), e => 'refused')",
            root + "/api/v1/keys",
        )
        assert read == "refused" and fake.calls == [] and fake.steering.calls == []
        context.close()


def test_wrong_hosts_climbing_paths_and_large_files_get_a_page_that_explains(
    chrome: Any, fake: FakeEngine, root: str, tmp_path: Path
) -> None:
    context = chrome.new_context()
    page = context.new_page()
    answer = context.request.get(root, headers={"Host": "evil.example"})
    assert answer.status == 403 and "--allow-host" in answer.text()
    for path in (
        "/static/..%2f..%2f..%2fetc%2fpasswd",
        "/library/..%2f..%2fetc",
        f"{REPORT}/source/..%2f..%2fx",
        "/nowhere",
    ):
        page.goto(root + path)
        assert "Page not found" in page.inner_text("h1") and page.locator("a[href='/']").count(), (
            path
        )
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.goto(f"{root}{REPORT}#%E0%A4%A")  # no name of anything, and no script stops over it
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.className") == "cite" and broken == []
    context.clear_cookies()
    page.click(".after button:has-text('Star')")
    page.click("button:has-text('Send it')")  # what was sent with an old cookie is sent once more
    page.wait_for_selector("button.star")
    assert fake.calls.pop()[0] == "star"
    large = tmp_path / "large.bin"
    with large.open("wb") as file:
        file.truncate(51 * 1024 * 1024)
    page.goto(f"{root}/library")
    page.set_input_files("#files", str(large))
    page.click("button:has-text('Upload')")
    page.wait_for_selector("text=larger than 50 MB")
    page.goto(root)
    page.evaluate("document.getElementById('q').removeAttribute('maxlength')")
    page.fill("#q", "x" * 20_001)
    page.click("text=Start")
    assert "Up to 20,000 are possible" in page.inner_text("#q-problem")
    page.evaluate("document.getElementById('q').removeAttribute('maxlength')")
    page.evaluate("document.getElementById('q').value = 'x'.repeat(1100000)")
    page.click("text=Start")
    assert "Too large" in page.inner_text("h1") and "20 000 characters" in page.inner_text("main")
    assert fake.calls == []
    context.close()
