"""A real browser on the running server: accessibility, width, console, and what scripts add."""

import contextlib
import shutil
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Error

from benchmarks.screenshots import CHROMIUM, SCHEMES, WIDTHS, audit, fake_site, opened
from tests.ui.fake_engine import RUNNING, WAITING, FakeEngine
from tests.ui.web.test_pages import DONE

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(not shutil.which(CHROMIUM), reason="Chromium is not installed"),
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]

PAGES = ("home", "progress", "waiting", "failed", "report", "reader", "graph", "log", "history",
    "library",
         "library-search", "document", "settings", "help", "compare", "compare-choose",
         "import", "api", "error", "claim", "revisions")  # fmt: skip


def until(page: Any, expression: str) -> None:
    """Wait until an expression holds; playwright's own waiting needs eval, which our pages
    forbid."""
    for _ in range(300):
        with contextlib.suppress(Error):  # a page that goes away under the question
            if page.evaluate(expression):
                return
        page.wait_for_timeout(100)
    raise AssertionError(expression)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_fits_and_is_quiet(
    chrome: Any, fake: FakeEngine, root: str, name: str
) -> None:
    address = fake_site(root, fake).pages[name]()
    every = [(width, scheme) for width in WIDTHS for scheme in SCHEMES]
    # Narrow in one scheme and wide in the other see every rule of the style once; the fullest pages
    # are seen in all, and the longest, which is one list, in one
    chosen = {"report": every, "progress": every, "api": every[:1]}.get(name, [every[0], every[-1]])
    for width, scheme in chosen:
        with opened(chrome, width, scheme) as (page, messages):
            page.goto(address)
            heard = [text for text in messages if not (name == "error" and "404" in text)]
            assert audit(page, heard) == [], (name, width, scheme)


@pytest.mark.parametrize(("way", "seen", "width", "scheme"), [
    ("Quick search", "#answer .passages", 375, "light"), ("Ask the model", "#turn-1", 1440, "dark"),
])  # fmt: skip
def test_what_is_asked_beside_researches_is_watched_until_it_is_there(
    chrome: Any, fake: FakeEngine, root: str, way: str, seen: str, width: int, scheme: str
) -> None:
    fake.models.set_role("reasoning", "http://127.0.0.1:9/v1", "small")
    with opened(chrome, width, scheme) as (page, messages):
        fake.asking.waits.clear()
        page.goto(root)
        page.fill("#q", "What is new about mills?")
        page.click(f"button:has-text('{way}')")
        page.wait_for_selector("#work .field, #work .prose")
        assert audit(page, messages) == []
        fake.asking.waits.set()
        page.wait_for_selector(seen)
        assert audit(page, messages) == []
        page.go_back()
        assert page.url == f"{root}/" and page.input_value("#q") == "What is new about mills?"


@pytest.mark.parametrize("width", [320, 1000])
def test_pages_fit_between_and_below_the_designed_widths(
    chrome: Any, fake: FakeEngine, root: str, width: int
) -> None:
    site = fake_site(root, fake)
    with opened(chrome, width, "light") as (page, _):
        for name in ("home", "report", "history", "library", "settings", "progress", "reader"):
            page.goto(site.pages[name]())
            sideways = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert sideways <= 0, (name, width, sideways)


def test_progress_comes_without_loading_the_page_and_ends_in_the_report(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "light") as (page, messages):
        page.goto(f"{root}/research/{RUNNING}")
        page.evaluate("window.here = true")
        fake.open[RUNNING] = replace(
            fake.open[RUNNING], phase="synthesis", phase_number=6, elapsed=41.0
        )
        until(
            page,
            "document.getElementById('status').textContent.includes('Writing the report: phase 6')",
        )
        assert page.evaluate("window.here") is True
        current = page.locator("#phases [aria-current]").inner_text()
        assert " ".join(current.split()) == "6 Writing the report"
        fake.states[RUNNING] = replace(fake.states[DONE], research_id=RUNNING)
        del fake.open[RUNNING]
        page.wait_for_selector("#answer")
        assert page.title().startswith("Do grid-scale batteries")
        assert messages == []


def test_a_waiting_page_goes_on_when_another_window_answered(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "light") as (page, messages):
        page.goto(f"{root}/research/{WAITING}")
        page.fill("#free", "the one that wrote")
        fake.open[WAITING] = replace(fake.open[WAITING], status="running", phase="plan")
        page.wait_for_selector("#status")
        assert "Planning" in page.locator("#status").inner_text() and messages == []


def test_a_part_that_holds_the_focus_is_left_alone(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "light") as (page, _):
        page.goto(f"{root}/research/{RUNNING}")
        page.focus("#found a")
        fake.open[RUNNING] = replace(fake.open[RUNNING], counts={"sources": 99}, elapsed=50.0)
        until(page, "document.getElementById('counts').textContent.includes('99 sources')")
        assert page.evaluate("document.activeElement.closest('#found') !== null")


def test_a_server_that_stops_is_said_and_the_page_stays(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "light") as (page, _):
        page.goto(f"{root}/research/{RUNNING}")
        page.route("**/progress*", lambda route: route.abort())
        until(page, "document.getElementById('status').textContent.includes('does not answer')")
        assert page.locator(".log li").count() > 3


def test_without_javascript_the_page_refreshes_and_every_form_works(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    context = chrome.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{root}/research/{RUNNING}")
    assert "five seconds" in page.inner_text("main")
    page.goto(root)
    page.fill("#q", "Do batteries lower prices?")
    page.click("text=Start")
    assert (
        page.url.endswith("/research/started_1")
        and fake.calls[0][1] == "Do batteries lower prices?"
    )
    page.goto(f"{root}/research/{DONE}")
    page.click("button:has-text('Starred')")
    page.click("button:has-text('Dark')")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert fake.calls[1] == ("star", DONE, False)
    context.close()


def test_on_a_phone_a_tag_opens_the_sidenote_under_its_sentence(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 375, "light") as (page, _):
        page.goto(f"{root}/research/{DONE}")
        note = page.locator("#n-s1")
        assert not note.is_visible()
        page.click("#s1 .cite >> nth=0")
        assert note.is_visible() and "In each of the five example markets" in note.inner_text()
        page.click("#n-s1 .shut")
        assert not note.is_visible()


def test_on_a_wide_screen_the_first_tag_leads_to_the_passage(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "light") as (page, _):
        page.goto(f"{root}/research/{DONE}")
        assert page.locator("#n-s1").is_visible()
        page.click("#s1 .cite >> nth=0")
        page.wait_for_selector(".pane mark.target")
        page.click(".pane h2 a")  # the whole source
        page.wait_for_url("**/source/**#E1")
        assert page.locator("#p1").is_visible()
        page.click("#u1 a")
        page.wait_for_url(f"**/research/{DONE}#s1")


def test_sidenotes_do_not_cover_each_other(chrome: Any, fake: FakeEngine, root: str) -> None:
    with opened(chrome, 1440, "light") as (page, _):
        page.goto(f"{root}/research/{DONE}")
        boxes = page.evaluate("[...document.querySelectorAll('.note')].map(n => "
                              "[n.getBoundingClientRect().top, "
                              "n.getBoundingClientRect().bottom])")  # fmt: skip
        ordered = sorted(box for box in boxes if box[1] > box[0])
        assert all(a[1] <= b[0] + 0.5 for a, b in pairwise(ordered))


def test_keys_lead_through_the_pages(chrome: Any, fake: FakeEngine, root: str) -> None:
    with opened(chrome, 1440, "light") as (page, _):
        page.goto(root)
        page.keyboard.press("h")
        page.wait_for_url("**/history")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.type") == "search"
        page.keyboard.type("hln/")
        assert page.url.endswith("/history")
        page.goto(f"{root}/research/{DONE}")
        page.keyboard.press("j")
        assert page.evaluate("document.activeElement.closest('.s').id") == "s1"
        page.goto(root)
        page.fill("#q", "Why?")
        page.keyboard.press("Control+Enter")
        page.wait_for_url("**/research/started_*")


def test_a_link_from_another_site_opens_and_leaves_other_tabs_usable(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    context = chrome.new_context()
    tab = context.new_page()
    tab.goto(root)
    other = context.new_page()
    other.goto(root.replace("127.0.0.1", "localhost") + "/help")
    other.evaluate(f"location.href = '{root}/history'")
    other.wait_for_selector("text=Filter")
    tab.fill("#q", "Still usable?")
    tab.click("text=Start")
    tab.wait_for_url("**/research/started_*")
    context.close()


def test_another_page_cannot_start_a_research(chrome: Any, fake: FakeEngine, root: str) -> None:
    with opened(chrome, 1440, "light") as (page, _):
        page.set_content(f'<form method="post" action="{root}/research"><input name="q" value="x">'
                         '<input name="sources" '
                         'value="web"><button>Go</button></form>')  # fmt: skip
        page.click("button")
        page.wait_for_selector("text=Another page requested this change")
        assert fake.calls == []


def test_a_report_prints_with_its_evidence(chrome: Any, fake: FakeEngine, root: str) -> None:
    with opened(chrome, 1440, "light") as (page, _):
        page.goto(f"{root}/research/{DONE}")
        page.emulate_media(media="print")
        assert not page.locator(".masthead").is_visible() and page.locator("#n-s1").is_visible()
        assert not page.locator("text=About this report").is_visible()
        assert len(page.pdf()) > 10_000
