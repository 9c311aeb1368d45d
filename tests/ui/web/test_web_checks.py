"""Checking cited sentences: on the reader's page without scripts, in the pane with them, and over
the interface."""

import shutil
from typing import Any

import pytest

from benchmarks import screenshots
from tests.ui.fake_engine import FakeEngine
from tests.ui.fake_research import ANSWER, SOURCES, WRITTEN
from workflows.research.model import Check

S1 = SOURCES["S1"].source_id


def checks(fake: FakeEngine) -> tuple[Check, ...]:
    return fake.states[fake.done].user.checks


def test_a_passage_is_marked_and_taken_back_on_the_page_of_its_source(
    browser: Any, fake: FakeEngine
) -> None:
    address = f"/research/{fake.done}/source/{S1}"
    page = browser.get(address).text
    assert (
        'data-use="p1"' in page
        and 'aria-pressed="true"' not in page.partition('id="checks"')[2].partition("</section>")[0]
    )
    answer = browser.post(f"{address}/check", {"use": "p1", "mark": "no", "was": "", "at": "k-p1"})
    assert answer.status_code == 303 and answer.location.endswith(f"{S1}#k-p1")
    assert checks(fake) == (Check(S1, ANSWER.passages[0].lead.text, "no"),)
    part = browser.get(address).text.partition('data-use="p1"')[2].partition("</form>")[0]
    assert 'value="no" aria-pressed="true"' in part
    assert ", 1 disputed" in browser.get(f"/research/{fake.done}").text
    browser.post(f"{address}/check", {"use": "p1", "mark": "no", "was": "no"})
    assert checks(fake) == ()


def test_the_report_shows_what_was_checked_where_it_stands(browser: Any, fake: FakeEngine) -> None:
    address = f"/research/{fake.done}"
    assert 'class="mine"' not in browser.get(address).text
    fake.steering.check(fake.done, S1, "p1", "no")
    passage = browser.get(address).text.partition('id="p1"')[2].partition("</li>")[0]
    assert '<p class="mine">disputed by you</p>' in passage
    sentence = WRITTEN[0]
    source = sentence.citations[0].source_id
    fake.steering.check(fake.done, source, sentence.sentence_id, "yes")
    html = browser.get(address).text.partition(f'id="{sentence.sentence_id}"')[2]
    assert '<span class="mine">checked by you</span>' in html.partition("</p>")[0]


@pytest.mark.parametrize(("use", "mark"), [("p99", "yes"), ("p1", "perhaps"), ("<b>", "no")])
def test_what_is_not_cited_or_no_mark_is_refused(
    browser: Any, fake: FakeEngine, use: str, mark: str
) -> None:
    answer = browser.post(f"/research/{fake.done}/source/{S1}/check", {"use": use, "mark": mark})
    assert answer.status_code == 404 and checks(fake) == ()


@pytest.mark.parametrize("name", ["md", "html", "docx"])
def test_what_was_checked_and_noted_is_exported(browser: Any, fake: FakeEngine, name: str) -> None:
    fake.steering.check(fake.done, S1, "p1", "part")
    data = browser.get(f"/research/{fake.done}/export/{name}").data
    if name != "docx":
        assert (
            "Only partly" in data.decode()
            and "annex C" in data.decode()
            and "Checked by you" in data.decode()
        )
    assert data


@pytest.mark.lab
@pytest.mark.skipif(not shutil.which(screenshots.CHROMIUM), reason="Chromium is not installed")
@pytest.mark.parametrize("width", [375, 1440])
def test_the_pane_keeps_a_mark_and_goes_on(
    chrome: Any, fake: FakeEngine, root: str, width: int
) -> None:
    with screenshots.opened(chrome, width, "light") as (page, messages):
        page.goto(f"{root}/research/{fake.done}")
        page.click("#p1 .doc a")
        page.wait_for_selector(".pane form.check-it")
        page.click(".pane form.check-it button[value=yes]")
        page.wait_for_selector(".pane button[value=yes][aria-pressed=true]")
        assert [check.mark for check in checks(fake)] == ["yes"]
        assert page.inner_text("#p1 .mine") == "checked by you"
        page.click(".pane form.check-it button[value=yes]")
        page.wait_for_selector("#p1 .mine", state="detached")
        page.keyboard.press("j")
        page.wait_for_selector(".pane .pane-top :text('Passage')")
        assert screenshots.audit(page, messages) == []
