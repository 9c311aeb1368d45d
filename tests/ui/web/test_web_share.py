"""What a report is shared as: bibliographies of what is cited, a PDF without its extra, what the
copy buttons copy."""

import json
import shutil
from dataclasses import replace
from typing import Any

import pytest

from benchmarks import screenshots
from engine import exports
from engine.exports import pdf
from tests.ui.fake_engine import FakeEngine
from tests.ui.fake_research import UNUSED, finished
from tools.errors import ConfigError


@pytest.mark.parametrize("name", ["bibtex", "ris", "csl"])
def test_a_bibliography_has_what_is_cited_and_all_of_it_when_asked(
    browser: Any, fake: FakeEngine, name: str
) -> None:
    cited, everything = (
        browser.get(f"/research/{fake.done}/export/{name}{tail}").text for tail in ("", "-all")
    )
    title = UNUSED.title.split()[-1]
    assert title not in cited and title in everything
    assert f"{name}-all" in browser.get(f"/research/{fake.done}").text


def test_a_document_of_the_user_is_listed_with_its_date_and_file_name() -> None:
    items = json.loads(exports.export(finished(), "csl").data)
    local = next(item for item in items if item["id"] == "S6")
    source = next(source for source in finished().sources if source.tag == "S6")
    assert local["issued"]["date-parts"] == [[int(source.published or "")]]
    assert local["note"] == f"File {source.url.rpartition('/')[2]}"


@pytest.mark.parametrize("name", ["md", "html"])
def test_a_document_of_the_user_is_listed_without_a_score(name: str) -> None:
    state = finished()
    scored = (
        replace(state.sources[0].credibility, score=0.5) if state.sources[0].credibility else None
    )
    sources = tuple(
        replace(source, credibility=source.credibility or scored) for source in state.sources
    )
    lines = exports.export(replace(state, sources=sources), name).data.decode("utf-8").splitlines()
    listed = {
        tag: next(line for line in lines if f"{tag}</b>" in line or f"**{tag}**" in line)
        for tag in ("S1", "S6")
    }
    assert "redibility" in listed["S1"] and "redibility" not in listed["S6"]
    weighed = next(line for line in lines if "Most authoritative" in line)
    assert "S1" in weighed and "S6" not in weighed


def test_what_is_copied_comes_first_in_the_menu(browser: Any, fake: FakeEngine) -> None:
    page = browser.get(f"/research/{fake.done}").text
    assert (
        page.index("Copy with citations")
        < page.index("Copy the link")
        < page.index("Markdown <small>")
    )


def test_only_bibliographies_have_a_form_with_everything(browser: Any, fake: FakeEngine) -> None:
    for name in ("md-all", "bibtex-some", "bibtex-all-all"):
        assert browser.get(f"/research/{fake.done}/export/{name}").status_code == 404


def test_without_its_extra_a_pdf_is_printed_by_the_browser(
    browser: Any, fake: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str, *_: Any, **__: Any) -> Any:
        raise ConfigError(pdf.MISSING)

    monkeypatch.setattr(fake, "export", missing)
    answer = browser.get(f"/research/{fake.done}/export/pdf")
    assert answer.status_code == 303 and answer.location.endswith("?all=1")
    page = browser.get(answer.location).text
    assert "data-print" in page and "in the print dialog of your browser" in page
    assert "data-print" not in browser.get(answer.location).text


@pytest.mark.lab
@pytest.mark.skipif(not shutil.which(screenshots.CHROMIUM), reason="Chromium is not installed")
def test_the_link_and_the_text_with_its_citations_are_copied(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with screenshots.opened(chrome, 1440, "light") as (page, messages):
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.goto(f"{root}/research/{fake.done}")
        for words, expected in (
            ("Copy the link", f"{root}/research/{fake.done}"),
            ("Copy with citations", "## Sources"),
        ):
            page.click("details.menu > summary")
            page.click(f"text={words}")
            page.wait_for_selector("text=Copied")
            assert expected in page.evaluate("navigator.clipboard.readText()")
            page.wait_for_selector(f"text={words}", state="attached")
            page.keyboard.press("Escape")
        assert screenshots.audit(page, messages) == []
