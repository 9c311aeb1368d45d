"""Asking only some documents, and choosing a folder of this computer."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks import screenshots
from engine.library.folder_suggestions import suggest
from tests.ui.fake_engine import FakeEngine


def test_only_the_documents_that_were_ticked_are_searched(browser: Any, fake: FakeEngine) -> None:
    page = browser.get("/?doc=d1").text
    assert (
        "Only in your documents" in page
        and 'name="sources"' not in page
        and "Quick search" not in page
    )
    answer = browser.post("/research", data={"q": "What does it cost?", "doc": "d1"})
    assert answer.status_code == 303
    options = fake.calls[-1][2]
    assert options.documents == ("d1",) and options.sources == ("local",)


def test_a_folder_stands_for_the_documents_in_it(browser: Any, fake: FakeEngine) -> None:
    folder = fake.documents["d1"].folder
    browser.post("/research", data={"q": "What does it cost?", "folder": folder})
    expected = {
        d.document_id for d in fake.documents.values() if d.folder == folder and d.snapshot_id
    }
    assert set(fake.calls[-1][2].documents) == expected


@pytest.mark.parametrize("tail", ["doc=gone", "folder=gone"])
def test_documents_that_are_gone_are_not_replaced_by_everything(
    browser: Any, fake: FakeEngine, tail: str
) -> None:
    assert "no longer in the library" in browser.get(f"/?{tail}").text
    name, value = tail.split("=")
    answer = browser.post("/research", data={"q": "What?", name: value})
    assert answer.status_code == 400 and not any(call[0] == "start" for call in fake.calls)


def test_the_library_offers_to_ask_only_some(browser: Any) -> None:
    page = browser.get("/library").text
    assert "Ask only these" in page and 'form="scope"' in page
    assert "/?doc=d1" in browser.get("/library/d1").text


def test_folders_are_proposed_as_a_path_is_typed(tmp_path: Path) -> None:
    for name in ("Tender 2024", "Tender 2025", ".hidden", "Other"):
        (tmp_path / name).mkdir()
    (tmp_path / "Tender.txt").write_text("a file")
    both = [str(tmp_path / name) for name in ("Tender 2024", "Tender 2025")]
    assert suggest(f"{tmp_path}/tend", ()) == both
    assert suggest(f"{tmp_path}/", ()) == [str(tmp_path / "Other"), *both]
    assert suggest(f"{tmp_path}/.h", ()) == [str(tmp_path / ".hidden")]
    assert str(tmp_path) in suggest("", [str(tmp_path / "Other")])
    assert suggest(f"{tmp_path}/none/", ()) == suggest("a" * 5000 + "/", ()) == []
    assert suggest("\x00", ()) == suggest("", ())


def test_folders_are_listed_only_to_this_computer(browser: Any, app: Any, tmp_path: Path) -> None:
    (tmp_path / "Tender").mkdir()
    answer = browser.get("/library/folders", query_string={"path": f"{tmp_path}/t"})
    assert answer.text == str(tmp_path / "Tender")
    app.config["HOST"] = "0.0.0.0"
    assert browser.get("/library/folders?path=/").status_code == 403


@pytest.mark.lab
@pytest.mark.skipif(not shutil.which(screenshots.CHROMIUM), reason="Chromium is not installed")
def test_three_clicks_from_the_library_to_an_answer(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with screenshots.opened(chrome, 1440, "light") as (page, messages):
        page.goto(f"{root}/library")
        page.check("input[value=d1]")
        page.click("text=Ask only these")
        page.fill("#q", "What does it cost?")
        assert screenshots.audit(page, messages) == []
        page.click("text=Start")
        assert fake.calls[-1][2].documents == ("d1",)
