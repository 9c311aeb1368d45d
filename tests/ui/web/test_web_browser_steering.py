"""A research steered in a real browser, with nothing fake but the network: asked back, without a
source, replayed."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.screenshots import CHROMIUM, ROOT, audit, opened, serving
from benchmarks.standin import Reply, Standin, serve
from benchmarks.standin_services import mount
from engine import ResearchEngine
from engine.answers import RunOptions

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(not shutil.which(CHROMIUM), reason="Chromium is not installed"),
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]
WHO = (
    (
        "Jo Mercer (chemist)",
        "Jo Mercer is a chemist who studied salts at the University of Norland.",
        "chemist",
    ),
    (
        "Jo Mercer (footballer)",
        "Jo Mercer is a footballer of Norland United and scored 40 goals.",
        "footballer",
    ),
    ("Jo Mercer, keeper", "Jo Mercer is a footballer of Norland United.", "keeper"),
)
TEXT = {
    "chemist": "Jo Mercer is a chemist. Jo Mercer measured the solubility of 14 salts in 2019. "
    "Jo Mercer teaches chemistry at the University of Norland since 2015.",
    "footballer": "Jo Mercer is a footballer. Jo Mercer scored 40 goals for Norland United in "
    "2021.",
    "keeper": "Jo Mercer is a footballer of Norland United. Jo Mercer kept goal in 30 matches.",
}


@pytest.fixture
def standin() -> Iterator[Standin]:
    with serve() as running:
        yield running


@pytest.fixture
def asking(home: Path, standin: Standin) -> Iterator[tuple[ResearchEngine, str]]:
    """An engine whose only search service knows two people of one name; its workers read the same
    settings."""
    settings = mount(standin).settings
    hits = [
        {"title": title, "url": f"{standin.url}/who/{path}", "content": text}
        for title, text, path in WHO
    ]
    standin.on(
        "/searxng/search",
        Reply(json.dumps({"query": "", "results": hits}).encode(), media_type="application/json"),
    )
    for _, _, path in WHO:
        html = (
            f"<html><title>{path}</title><body><article><p>{TEXT[path]}</p></article></body></html>"
        )
        standin.on(f"/who/{path}", Reply(html.encode()))
    with ResearchEngine(home=home) as engine:
        for name, value in settings.items():
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
        with serving(engine) as root:
            yield engine, root


@pytest.mark.parametrize("scripts", [True, False])
def test_a_name_of_two_people_is_asked_back_and_answered(
    chrome: Any, asking: tuple[ResearchEngine, str], scripts: bool
) -> None:
    engine, root = asking
    context = chrome.new_context(
        java_script_enabled=scripts, viewport={"width": 375, "height": 800}
    )
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(root)
    for kind in ("academic", "newsroom", "local"):
        page.uncheck(f"input[value={kind}]")
    page.check("input[name=depth][value='1']")
    page.fill("#q", "Who is Jo Mercer?")
    page.click("text=Start")
    form = page.locator("dialog[open] form.ask-you" if scripts else "main form.ask-you")
    form.wait_for()
    assert "chemist" in form.inner_text() and "footballer" in form.inner_text()
    if scripts:
        assert page.evaluate("document.activeElement.name") == "choice"
        page.keyboard.press("Escape")
        page.wait_for_selector("main form.ask-you")  # closed, it stands on the page
        page.reload()
        form.wait_for()
    chemist = form.locator("label:has-text('chemist') input")
    chemist.check()
    form.locator("button:has-text('Continue')").click()
    page.wait_for_selector("#sources")
    (state,) = [engine.load_research(entry.research_id) for entry in engine.history().entries]
    assert state and "chemist" in (state.understanding.entity or "")
    assert "Taken as: Jo Mercer" in page.inner_text("main")
    context.close()


def test_a_source_is_left_out_and_the_first_report_can_still_be_read(
    chrome: Any, home: Path
) -> None:
    with (
        ResearchEngine(home=home) as engine,
        serving(engine) as root,
        opened(chrome, 1440, "light") as (page, messages),
    ):
        page.set_default_timeout(120_000)
        engine.ingest([str(path) for path in sorted((ROOT / "examples").rglob("*.md"))])
        options = RunOptions(depth=1, sources=("local",), clarify=False)
        state = engine.run("Do batteries lower evening electricity prices in Norvalen?", options)
        address = f"{root}/research/{state.research_id}"
        page.goto(address)
        tag = page.locator("#sources .srcs .tag").first.inner_text()
        page.locator("#sources button[form=leave]").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f".notice:has-text('made again without {tag}')")
        assert page.url == address and audit(page, messages) == []
        page.click("text=All revisions, and what changed")
        assert "Left out by you" in page.inner_text("main") and audit(page, messages) == []
        page.click("h2 a:has-text('Revision 1')")
        assert "Revision 1 of 2" in page.inner_text(".notice")
        page.locator("#sources .ref a >> nth=0").click()
        page.wait_for_url("**/source/**revision=1**")
        assert page.locator("mark").count() > 0
        page.goto(f"{address}/claim/C1?revision=1")
        assert (
            "No judge checked this statement" in page.inner_text("main")
            and audit(page, messages) == []
        )
        page.goto(address)
        page.click("#change button:has-text('Replay')")
        page.wait_for_selector("text=The same report came out")
        page.goto(address)
        page.click("#change button:has-text('Read the pages again')")
        page.wait_for_selector("text=cites no web page")
        assert messages == []
