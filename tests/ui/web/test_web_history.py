"""Finding reports again: periods, search as you type, collections, and actions on all that were
found."""

import io
import shutil
import zipfile
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from benchmarks import screenshots
from engine.answers import HistoryPage, HistoryQuery
from tests.ui.fake_engine import FakeEngine
from tools.errors import ConfigError
from ui.web.pages.history import PERIODS, begin_of


def test_a_period_begins_at_a_local_midnight() -> None:
    for name, _, days in PERIODS:
        begin = datetime.fromisoformat(begin_of(name) or "")
        assert (begin.hour, begin.minute) == (0, 0) and begin.tzinfo is not None
        assert (datetime.now().date() - begin.date()).days == days
    assert begin_of("decade") is None


def test_last_weeks_reports_are_one_click_away(browser: Any, fake: FakeEngine) -> None:
    queries: list[HistoryQuery] = []
    real = fake.history
    fake.history = lambda query: (queries.append(query), real(query))[1]  # type: ignore[method-assign]
    assert 'href="/history?period=week"' in browser.get("/history").text
    page = browser.get("/history?period=week&q=batteries").text
    assert (
        queries[-1].since == begin_of("week")
        and 'href="/history?period=week" aria-current' not in page
    )
    assert '<input type="hidden" name="period" value="week">' in page


def paged(fake: FakeEngine, size: int) -> None:
    """Let the history come in pages of `size`."""
    entries = fake.history(HistoryQuery(limit=100)).entries

    def history(query: HistoryQuery) -> HistoryPage:
        start = int(query.before or 0)
        more = str(start + size) if start + size < len(entries) else None
        return HistoryPage(entries[start : start + size], more, len(entries), {}, {"storage": 1})

    fake.history = history  # type: ignore[method-assign, assignment]


def test_all_that_was_found_is_exported_in_the_chosen_format(
    browser: Any, fake: FakeEngine
) -> None:
    state = fake.states[fake.done]
    for number in range(4):
        fake.states[f"more{number}"] = replace(state, research_id=f"more{number}")
    paged(fake, 2)
    assert "not only this page" in browser.get("/history?tag=storage").text
    answer = browser.post(
        "/history?tag=storage", {"do": "export", "every": "1", "format": "bibtex"}
    )
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        names = archive.namelist()
        assert sum(name.endswith(".bib") for name in names) == len(fake.states)
        assert ("not-exported.txt" in names) == (len(names) > len(fake.states))


def test_a_format_that_needs_an_extra_is_a_sentence(browser: Any, fake: FakeEngine) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise ConfigError("A PDF needs the extra.")

    fake.export = refuse  # type: ignore[method-assign]
    assert (
        browser.post("/history", {"do": "export", "id": [fake.done], "format": "pdf"}).status_code
        == 303
    )
    assert "A PDF needs the extra." in browser.get("/history").text


def test_a_collection_has_a_page_of_its_own(browser: Any) -> None:
    page = browser.get("/history?tag=storage").text
    assert (
        ">storage</h1>" in page
        and "The reports of one collection" in page
        and "Add to a collection" in page
    )


@pytest.mark.lab
@pytest.mark.skipif(not shutil.which(screenshots.CHROMIUM), reason="Chromium is not installed")
def test_the_history_is_searched_as_words_are_typed(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with screenshots.opened(chrome, 1440, "light") as (page, messages):
        page.goto(f"{root}/history")
        page.fill("#q", "zeppelin")
        page.wait_for_selector("[data-results] em:has-text('zeppelin')")
        assert page.locator(".entry").count() == 0 and "q=zeppelin" in page.url
        page.fill("#q", "batteries")
        page.wait_for_selector(".entry")
        assert page.evaluate("document.activeElement.id") == "q"
        assert screenshots.audit(page, messages) == []
