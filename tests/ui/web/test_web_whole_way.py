"""The whole way with nothing fake: documents in, a question asked in the browser, live progress,
report, passage."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.screenshots import CHROMIUM, ROOT, audit, opened, serving
from engine import ResearchEngine

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(not shutil.which(CHROMIUM), reason="Chromium is not installed"),
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]
EXAMPLES = sorted((ROOT / "examples").rglob("*.*"))


@pytest.fixture
def site(chrome: Any, home: Path) -> Iterator[tuple[Any, ResearchEngine, str]]:
    with ResearchEngine(home=home) as engine, serving(engine) as root:
        yield chrome, engine, root


def test_from_documents_to_the_passage_behind_a_sentence(
    site: tuple[Any, ResearchEngine, str], tmp_path: Path
) -> None:
    browser, engine, root = site
    with opened(browser, 1440, "light") as (page, messages):
        page.set_default_timeout(90_000)
        broken = tmp_path / "broken.pdf"
        broken.write_bytes(b"%PDF-1.4 nothing")
        page.goto(f"{root}/library")
        page.set_input_files("#files", [str(path) for path in (*EXAMPLES, broken)])
        page.click("button:has-text('Upload')")
        page.wait_for_selector("text=broken.pdf")
        page.wait_for_selector(f"text={len(engine.library())} documents")
        page.fill("#lq", "evening price")
        page.click("main button:has-text('Search')")
        page.click(".entry h2 a >> nth=0")
        assert page.locator("#p1").is_visible()

        page.goto(root)
        for kind in ("academic", "web", "newsroom"):
            page.uncheck(f"input[value={kind}]")
        page.fill("#q", "Do batteries lower evening electricity prices in Norvalen?")
        page.click("text=Start")
        page.wait_for_selector("#answer .passages")
        address = page.url
        assert audit(page, messages) == []

        quotations_stand_in_the_reader(engine, address.rpartition("/")[2])
        page.click("#answer .doc a >> nth=0")
        page.wait_for_selector(".pane mark.target")
        assert audit(page, messages) == []
        page.click(".pane h2 a")
        page.wait_for_url("**/source/**")
        marked = page.locator("mark").all_inner_texts()
        assert marked and audit(page, messages) == []

        page.goto(address)
        page.click(".after button:has-text('Star')")
        assert page.locator("button:has-text('Starred')").count() == 1
        page.goto(f"{root}/history?q=batteries&starred=1")
        page.click(".entry h2 a >> nth=0")
        assert page.url == address


def quotations_stand_in_the_reader(engine: ResearchEngine, research_id: str) -> None:
    """Every passage that the answer shows or a sentence cites is marked in the text of its
    source."""
    state = engine.load_research(research_id)
    assert state and state.report and state.answer and state.answer.passages
    used: dict[str, set[str]] = {}
    for passage in state.answer.passages:
        used.setdefault(passage.source_id, set()).update(passage.evidence_ids)
    for sentence in state.report.sentences():
        for citation in sentence.citations:
            used.setdefault(citation.source_id, set()).add(citation.evidence_id)
    for source_id, names in used.items():
        page = engine.reader(research_id, source_id)
        marked = {name for segment in page.segments for name in segment.evidence_ids}
        assert names <= marked, source_id
