"""The whole house walked through: a phone without scripts, a desk with them, nothing fake but the
network."""

import csv
import io
import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bibtexparser
import docx
import networkx
import pypdfium2
import pytest
import rispy
from lxml import etree

from benchmarks.screenshots import CHROMIUM, ROOT, audit, opened, serving
from benchmarks.standin import Reply, serve
from benchmarks.standin_services import mount
from engine import ResearchEngine
from engine.exports import FORMATS
from tests.model_endpoint import ModelEndpoint
from tools.models import detect

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(not shutil.which(CHROMIUM), reason="Chromium is not installed"),
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]
PHONE = {"width": 375, "height": 800}
PRICES = "Do batteries lower evening electricity prices in Norvalen?"
HEAT = "Do street trees lower summer heat in Ostervale?"
LATER = 120_000  # milliseconds that a research may take beside other work


@pytest.fixture
def house(home: Path) -> Iterator[Any]:
    """A real engine that has read nothing yet, and the address of its page."""
    with ResearchEngine(home=home, environ={}) as engine, serving(engine) as root:
        yield SimpleNamespace(engine=engine, root=root)


def researched(page: Any, root: str, question: str) -> str:
    """Ask on the first page, over the documents alone; the address of the report when it is
    there."""
    page.goto(root)
    for kind in ("academic", "web", "newsroom"):
        page.uncheck(f"input[value={kind}]")
    page.check("input[name=depth][value='1']")
    page.fill("#q", question)
    page.click("text=Start")
    page.wait_for_selector("#answer", timeout=LATER)
    return str(page.url)


READERS: dict[str, Callable[[bytes], object]] = {
    "md": lambda data: data.decode().startswith("# "),
    "html": lambda data: etree.HTML(data).findall(".//h1"),
    "pdf": lambda data: len(pypdfium2.PdfDocument(data)),
    "docx": lambda data: docx.Document(io.BytesIO(data)).paragraphs,
    "json": lambda data: json.loads(data)["sources"],
    "bibtex": lambda data: bibtexparser.parse_string(data.decode()).entries,
    "ris": lambda data: rispy.loads(data.decode()),
    "csl": json.loads,
    "matrix": lambda data: list(csv.reader(io.StringIO(data.decode(), newline=""))),
    "graphml": lambda data: networkx.read_graphml(io.BytesIO(data)).nodes,
    "dot": lambda data: (
        data.decode().strip().startswith("digraph") and data.decode().strip().endswith("}")
    ),
}


def test_on_a_phone_without_scripts_a_research_is_made_marked_exported_binned_and_brought_back(
    chrome: Any, house: Any, tmp_path: Path
) -> None:
    context = chrome.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.set_default_timeout(LATER)
    texts = [str(path) for path in sorted((ROOT / "examples").rglob("*.md"))]
    refused_uploads(page, house.root, tmp_path)
    (tmp_path / "tool.exe").write_bytes(b"MZ\0\0" * 99)
    page.set_input_files("#files", [*texts, str(tmp_path / "tool.exe")])
    page.click("button:has-text('Upload')")
    # Named with its reason; the page loads itself again until then
    page.wait_for_selector("text=tool.exe")
    first = researched(page, house.root, PRICES)
    second = researched(page, house.root, HEAT)
    page.goto(first)
    marked(page)
    exported(context, page, first)
    page.goto(first)
    page.fill("#further", "How large was the price in winter?")
    page.click(".follow .main")
    page.wait_for_url("**#turn-1")
    record = context.request.get(f"{first}/export/json?texts=1").body()
    binned(page, house.root, first)
    brought_back(page, house.root, first, record)
    page.goto(f"{house.root}/compare?a={name_of(first)}&b={name_of(second)}")
    assert "in only one" in page.inner_text("main")
    context.close()


def name_of(address: str) -> str:
    return address.partition("#")[0].rpartition("/")[2]


def refused_uploads(page: Any, root: str, folder: Path) -> None:
    """Too many and too large ones get a page that says why and leads back."""
    many = [{"name": f"{n}.txt", "mimeType": "text/plain", "buffer": b"x"} for n in range(51)]
    large = []
    for number in range(5):
        large.append(folder / f"{number}.bin")
        with large[-1].open("wb") as file:
            file.truncate(41 * 1024 * 1024)
    for files, words in (
        (many, "51 files are too many"),
        ([str(path) for path in large], "one upload 200 MB"),
    ):
        page.goto(f"{root}/library")
        page.set_input_files("#files", files)
        page.click("button:has-text('Upload')")
        page.wait_for_selector(f"text={words}")
        page.click("main a[href='/library']")
    for path in large:
        path.unlink()


def marked(page: Any) -> None:
    """Star, tags and note."""
    page.click(".after button:has-text('Star')")
    page.click("summary:has-text('tags and note')")
    page.fill("#tags", "norvalen, <b>bold</b>")
    page.fill("#mynote", "Read again\nin spring.")
    page.click(".marks button:has-text('Save')")
    assert page.locator("button:has-text('Starred')").count() == 1
    assert "<b>bold</b>" in page.inner_text(".tags") and "in spring." in page.inner_text(".mynote")


def exported(context: Any, page: Any, address: str) -> None:
    """Every entry of the menu is a file that others can read."""
    page.click("summary:has-text('Export')")
    links = [link.get_attribute("href") for link in page.locator(".menu ul a").all()]
    names = {str(link).rpartition("/")[2].partition("?")[0] for link in links}
    assert {form.name for form in FORMATS} == {name.removesuffix("-all") for name in names}
    for link in links:
        answer = context.request.get(address.partition("/research/")[0] + str(link))
        assert answer.ok and "attachment" in answer.headers["content-disposition"], link
        assert READERS[str(link).rpartition("/")[2].partition("?")[0].removesuffix("-all")](
            answer.body()
        ), link


def binned(page: Any, root: str, address: str) -> None:
    """Found in the history, into the bin, back, and gone for good after a page that asks."""
    page.goto(f"{root}/history?q=norvalen&tag=norvalen&starred=1")
    box = page.locator(f"input[name=id][value='{name_of(address)}']")
    box.check()
    with page.expect_download() as download:
        page.click("button:has-text('Export')")
    with zipfile.ZipFile(download.value.path()) as archive:
        assert [name.endswith(".md") for name in archive.namelist()] == [True]
    for put in ("button:has-text('Put it back')", None):
        page.goto(f"{root}/history")
        box.check()
        page.click("button:has-text('Move to bin')")
        assert "moved to the bin" in page.inner_text(".notice") and box.count() == 0
        page.goto(address)  # a deep link to a research in the bin says so
        assert "has been in the bin since" in page.inner_text("main")
        if put:
            page.click(put)
    page.goto(f"{root}/history?bin=1")
    box.check()
    page.click("button:has-text('Delete for good')")
    assert "cannot be undone" in page.inner_text("main")
    page.click("button:has-text('Delete for good')")
    page.goto(address)
    assert "Page not found" in page.inner_text("h1")


def brought_back(page: Any, root: str, address: str, record: bytes) -> None:
    """The record that was exported, with its marks, its question and its passages."""
    page.goto(f"{root}/import")
    page.set_input_files(
        "#files", [{"name": "record.json", "mimeType": "application/json", "buffer": record}]
    )
    page.click("main button:has-text('Import')")
    assert page.url == address.partition("#")[0] and "Imported." in page.inner_text("main")
    assert "in spring." in page.inner_text(".mynote") and page.locator("#turn-1").count() == 1
    page.click("#answer .doc a >> nth=0")
    page.wait_for_selector("mark")


@pytest.fixture
def slow(home: Path) -> Iterator[Any]:
    """An engine whose only search service takes five minutes, so that its researches can be left
    and stopped."""
    with serve() as standin, ResearchEngine(home=home) as engine:
        for name, value in mount(standin).settings.items():
            words = str(value).lower() if isinstance(value, bool) else value
            engine.set_setting(
                name, ", ".join(words) if isinstance(words, tuple | list) else str(words)
            )
        for client in engine.sources():
            if client.kind != "local":
                engine.set_setting(
                    f"sources.{client.name}.enabled",
                    "true" if client.name == "searxng" else "false",
                )
        for name in ("sources.searxng.deadline", "http.read_timeout"):
            engine.set_setting(name, "300")
        standin.on("/searxng/search", Reply(b"{}", media_type="application/json", delay=290.0))
        with serving(engine) as root:
            yield SimpleNamespace(engine=engine, root=root)


def test_a_research_is_left_come_back_to_and_stopped(chrome: Any, slow: Any) -> None:
    with opened(chrome, 1440, "light") as (page, messages):
        page.set_default_timeout(LATER)
        page.goto(slow.root)
        page.check("input[name=depth][value='1']")
        page.fill("#q", "Do tides drive mills?")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("#status")
        address = page.url
        page.goto(f"{slow.root}/history")  # left, found again, and also from the first page
        page.click("a:has-text('Do tides drive mills?') >> nth=0")
        page.wait_for_url(address)
        page.goto(slow.root)
        page.click("aside a:has-text('Do tides drive mills?')")
        page.wait_for_url(address)
        for name in ("graph", "log", "export/md"):  # deep links to what is not there yet
            page.goto(f"{address}/{name}")
            assert "404" in page.inner_text(".errno")
        messages.clear()
        page.goto(address)
        # Stopped earlier it has no report
        page.wait_for_selector(".phases li:first-child[aria-current]")
        page.click("text=Stop and keep the results so far")
        page.wait_for_selector("text=This report was stopped before anything was read")
        page.wait_for_selector("button:has-text('Run again')")
        assert audit(page, messages) == []
        page.click("button:has-text('to the bin')")
        assert "Moved to the bin" in page.inner_text(".notice")
        page.goto(slow.root)
        page.fill("#q", "What is new about mills?")
        page.click("text=Quick search")
        page.wait_for_selector("#work:has-text('Step 2 of 3')")
        page.click("button:has-text('Stop')")
        page.wait_for_selector("text=nothing was kept")
        assert messages == [] and not slow.engine.history().entries


def test_a_first_visit_finds_a_model_asks_it_and_watches_a_folder(
    chrome: Any, house: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    with ModelEndpoint(lambda request: f"You asked: {request.question[:60]}") as endpoint:
        port = int(endpoint.url.rsplit(":", 1)[1].split("/")[0])
        house.engine.models.add_endpoint("lmstudio", f"http://127.0.0.1:{port}/v1", "openai", "")
        rows = tuple(
            (name, label, f"http://127.0.0.1:{port}/v1", look)
            for name, label, _, look in detect.SERVERS[:1]
        )
        monkeypatch.setattr("tools.models.detect.detect.__defaults__", (rows,))
        with opened(chrome, 1440, "light") as (page, messages):
            page.set_default_timeout(LATER)
            page.goto(house.root)
            assert "First steps" in page.inner_text("aside")
            for path in ("/history", "/library", "/compare", "/history?bin=1"):
                page.goto(house.root + path)
                assert page.locator("main a").count() or page.locator("main button").count(), path
            page.goto(house.root)
            page.click("text=Find a model")
            page.click("text=Look for models on this computer")
            page.click("button:has-text('Use it')")
            page.wait_for_selector(".notice:has-text('Saved')")
            page.goto(house.root)
            page.fill("#q", "What is a mill?")
            page.click("text=Ask the model")
            page.wait_for_selector("#turn-1")
            assert (
                "You asked: What is a mill?" in page.inner_text("main")
                and audit(page, messages) == []
            )
            page.fill("#further", "And in wind?")
            page.click("main form.follow button >> nth=0")
            page.wait_for_selector("#turn-2")
            page.goto(f"{house.root}/library")
            page.fill("#folder", str(papers))
            page.click("button:has-text('Add folder')")
            page.click("button:has-text('Watch for changes')")
            assert "are watched" in page.inner_text(".notice")
            (papers / "mills.txt").write_text(
                "Tide mills grind at ebb. The mill of Norland ground 9 tonnes in 1831."
            )
            for _ in range(40):
                page.goto(f"{house.root}/library")
                if page.locator(".entry:has-text('mills')").count():
                    break
                page.wait_for_timeout(250)
            page.click(".entry:has-text('mills') button:has-text('Remove')")
            page.click("text=Keep it")
            assert page.locator(".entry:has-text('mills')").count() == 1
            page.click("button:has-text('Remove from the list')")
            assert "will not be read again" in page.inner_text(".notice") and messages == []
