"""The table of documents and questions: what its address says, and how it looks at every width."""

import csv
import io
import shutil
from typing import Any

import pytest

from benchmarks import screenshots
from tests.ui.fake_engine import FakeEngine

ADDRESS = "/library/questions?ask=What%20does%20it%20cost%3F%0AIs%20it%20unknown%3F"


def test_a_column_a_question_and_a_row_a_document(browser: Any, fake: FakeEngine) -> None:
    page = browser.get(ADDRESS).text
    assert page.count('<th scope="col"') == 3 and page.count('<tr role="row"><th scope="row"') == 1
    assert "/library/d1?start=0" in page and '<span class="sr">Nothing</span>' in page
    assert "No document matches" in browser.get(f"{ADDRESS}&q=zeppelin").text
    empty = browser.get("/library/questions").text
    assert "Show the table" in empty and "<table" not in empty


def test_the_table_is_a_file_as_well(browser: Any) -> None:
    answer = browser.get(ADDRESS.replace("questions?", "questions.csv?"))
    assert "attachment" in answer.headers["Content-Disposition"]
    rows = list(csv.reader(io.StringIO(answer.text, newline="")))
    assert rows[0][3:] == ["What does it cost?", "Is it unknown?"] and rows[1][3] and not rows[1][4]


def test_many_and_odd_questions_are_bounded(browser: Any) -> None:
    lines = "%0A".join(f"Question {number}%3Cb%3E" for number in range(40))
    page = browser.get(f"/library/questions?ask={lines}&sort=nonsense&all=x").text
    assert page.count('<th scope="col"') == 9 and "<b>?" not in page
    assert browser.get("/library/questions?ask=x&doc=gone").status_code == 400


def test_a_report_over_documents_leads_to_it(browser: Any, fake: FakeEngine) -> None:
    assert 'formaction="/library/questions"' in browser.get("/library").text


@pytest.mark.lab
@pytest.mark.skipif(not shutil.which(screenshots.CHROMIUM), reason="Chromium is not installed")
@pytest.mark.parametrize("width", [320, 1440])
def test_it_fits_every_width(chrome: Any, root: str, width: int) -> None:
    with screenshots.opened(chrome, width, "dark") as (page, messages):
        page.goto(root + ADDRESS)
        assert screenshots.audit(page, messages) == []
