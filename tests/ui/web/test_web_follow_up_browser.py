"""A question about a report in a real browser: the answer comes on the page, can be stopped, and
moves little."""

import shutil
from typing import Any

import pytest

from benchmarks.screenshots import CHROMIUM, audit, opened
from tests.ui.fake_engine import FakeEngine
from tests.ui.web.test_pages import DONE
from tests.ui.web.test_web_browser import until

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(not shutil.which(CHROMIUM), reason="Chromium is not installed"),
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]
SHIFTS = """window.moved = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries())
    if (!entry.hadRecentInput) window.moved += entry.value; }).observe({ type: "layout-shift", buffered: false });"""  # noqa: E501


def ask(page: Any, question: str) -> None:
    page.fill("#further", question)
    page.click(".follow .main")


@pytest.mark.parametrize("width", [375, 1440])
def test_an_answer_comes_without_loading_the_page(
    chrome: Any, fake: FakeEngine, root: str, width: int
) -> None:
    with opened(chrome, width, "light") as (page, messages):
        page.goto(f"{root}/research/{DONE}")
        page.evaluate("window.same = true")
        fake.asking.waits.clear()
        ask(page, "And in <i>spring</i>?")
        until(page, "document.querySelector('.coming .prose p').textContent.length > 20")
        page.wait_for_timeout(600)  # what moves in the half second after a click is expected
        page.evaluate(SHIFTS)
        fake.asking.waits.set()
        until(page, "!!document.querySelector('#turn-1 .from a')")
        assert page.evaluate("window.same") is True
        assert (
            page.evaluate("document.querySelector('#turn-1 h2').textContent")
            == "And in <i>spring</i>?"
        )
        assert page.evaluate("window.moved") < 0.1
        assert page.evaluate("document.getElementById('further').value") == ""
        page.focus("#turn-1 .from a")
        assert audit(page, messages) == []


def test_an_answer_can_be_stopped_and_a_fault_is_said(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "dark") as (page, _):
        page.goto(f"{root}/research/{DONE}")
        fake.asking.waits.clear()
        ask(page, "Why?")
        until(page, "!!document.querySelector('.coming button')")
        page.click(".coming button")
        until(page, "!document.querySelector('.coming')")
        for _ in range(20):
            if fake.asking.stopped:
                break
            page.wait_for_timeout(100)
        assert fake.asking.stopped == 1 and fake.states[DONE].conversation == ()
        fake.asking.waits.set()
        del fake.states[DONE]
        ask(page, "Why?")
        until(page, "document.querySelector('#turns').textContent.includes('no finished report')")
