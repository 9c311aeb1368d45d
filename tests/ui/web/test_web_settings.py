"""The first screen of the settings: four answers in plain words, everything else folded below
them."""

import re
import shutil
from dataclasses import replace
from typing import Any

import pytest

from benchmarks import screenshots
from tests.ui.fake_engine import FakeEngine


def plain(page: Any) -> str:
    """The words of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.text).split())


def test_the_first_screen_answers_four_questions(browser: Any) -> None:
    words = plain(browser.get("/settings"))
    questions = (
        "Which model writes?",
        "Which keys are stored?",
        "Which sources are searched?",
        "Which folders are read?",
    )
    assert [words.index(question) for question in questions] == sorted(
        words.index(question) for question in questions
    )
    assert "Brave Search, CORE." in words and "4 of 5 search services, and your documents." in words
    assert (
        words.index("Which folders are read?")
        < words.index("Advanced")
        < words.index("Back up now")
    )


def test_sections_are_folded_until_they_have_something_to_say(browser: Any) -> None:
    def opened(page: str) -> list[str]:
        return re.findall(r'<details class="set" open>.*?<div class="part" id="(\w+)"', page)

    assert opened(browser.get("/settings").text) == []
    browser.post("/settings/keys", {"name": "HF_TOKEN", "value": "hf_abc"})
    assert opened(browser.get("/settings").text) == ["keys"]
    wrong = browser.post("/settings", {"place": "defaults", "research.depth": "9"}).text
    assert opened(wrong) == ["defaults"]
    assert opened(browser.post("/settings/models/detect").text) == ["models"]


def test_what_the_environment_sets_is_explained_with_its_name(
    browser: Any, fake: FakeEngine
) -> None:
    row = fake.rows["research.depth"]
    fake.rows["research.depth"] = replace(row, origin="environment", environment="ZORORA_DEPTH")
    words = plain(browser.get("/settings"))
    assert "Set by the environment variable ZORORA_DEPTH , which wins over this page" in words
    assert "Set by the environment variable of this name" in words, "a key too"


def test_tasks_of_models_are_named_by_what_they_do(browser: Any) -> None:
    words = plain(browser.get("/settings"))
    assert (
        "Writing and judging" in words
        and "Describing images" in words
        and "Intent detector" not in words
    )


@pytest.mark.lab
@pytest.mark.skipif(not shutil.which(screenshots.CHROMIUM), reason="Chromium is not installed")
@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_to_a_section_opens_it(chrome: Any, root: str, scripts: bool) -> None:
    context = chrome.new_context(
        java_script_enabled=scripts, viewport={"width": 1440, "height": 900}
    )
    page = context.new_page()
    page.goto(root)
    page.click("text=Add a key")
    page.wait_for_selector("#keys input[type=password]", state="attached")
    page.locator("#keys summary:has-text('Add')").first.click()
    page.locator("#keys input[type=password]:visible").first.fill("secret-of-a-test")
    page.locator("#keys button:has-text('Save'):visible").first.click()
    page.wait_for_selector("text=The key was saved")
    context.close()
