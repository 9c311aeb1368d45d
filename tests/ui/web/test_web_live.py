"""What scripts add, in a real browser: sheets, the graph, dropped files, progress that stands
still, waiting tabs."""

import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import screenshot_states
from benchmarks.pages import wide_state
from benchmarks.screenshots import CHROMIUM, audit, opened
from tests.ui import fake_research
from tests.ui.fake_engine import RUNNING, FakeEngine
from tests.ui.web.test_pages import DONE
from tests.ui.web.test_web_browser import until
from workflows.research.report.model import Turn

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(not shutil.which(CHROMIUM), reason="Chromium is not installed"),
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
    ),
]
GRAPH = f"/research/{DONE}/graph"
# a button more on the page
UNASKED = "Object.defineProperty(Notification, 'permission', {get: () => 'default'})"
SHIFTS = """() => new Promise(done => { const moved = [];
  new PerformanceObserver(list => { for (const one of list.getEntries()) for (const { node, previousRect, currentRect }
      of one.sources) moved.push([(node?.outerHTML ?? node?.textContent ?? "").slice(0, 200),
        JSON.stringify(previousRect), JSON.stringify(currentRect)]); })
    .observe({type: 'layout-shift', buffered: true}); setTimeout(() => done(moved), 200); })"""  # noqa: E501

PLACES = """() => [...document.querySelectorAll('h1, h2, section, .now, .now form, .box, #phases li, .clients tr')]
  .map((one, at) => [at, one.closest('[id]')?.id, JSON.stringify(one.getBoundingClientRect())])"""  # noqa: E501


def test_settings_open_over_a_half_written_question_and_are_saved_there(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "light") as (page, messages):
        page.goto(root)
        page.fill("#q", "half a question")
        page.click("nav a[data-sheet]")
        page.click("dialog summary:has-text('Defaults')")
        assert audit(page, messages) == []
        form = page.locator("dialog form:has([name='research.depth'])").first
        form.locator("[name='research.depth']").select_option("thorough")
        form.locator("button").first.click()
        page.wait_for_selector("dialog .notice:has-text('Saved')")
        assert "Saved" in page.evaluate("document.activeElement.textContent")
        fake.secrets["BRAVE_SEARCH_API_KEY"] = "brave-key-77aa"
        page.keyboard.press("Escape")
        page.click("nav a[data-sheet]")
        for answer in (
            "Keep it",
            "Remove it",
        ):  # a key is removed after one more question, within the sheet
            page.wait_for_selector("dialog #keys", state="attached")
            if not page.locator("dialog #keys").is_visible():
                page.click("dialog summary:has-text('Keys')")
            page.click("dialog button:has-text('Remove')")
            # The list of keys has "Remove it" in a sentence as well
            page.click(f"dialog .acts >> text={answer}")
            page.wait_for_selector("dialog #keys", state="attached")
            assert bool(fake.secrets["BRAVE_SEARCH_API_KEY"]) == (answer == "Keep it")
        page.keyboard.press("Escape")
        assert page.input_value("#q") == "half a question" and page.url == f"{root}/"
        assert page.evaluate("document.activeElement.textContent") == "Settings"


def test_keys_are_listed_over_any_page_and_on_a_phone_settings_are_a_page(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "dark") as (page, messages):
        page.goto(f"{root}/history")
        page.keyboard.press("?")
        page.wait_for_selector("dialog[open] kbd")
        page.keyboard.press("h")  # keys of the page rest while the sheet is open
        assert page.locator("dialog[open]").count() == 1 and audit(page, messages) == []
    with opened(chrome, 375, "light") as (page, _):
        page.goto(root)
        page.click("nav a[data-sheet]")
        page.wait_for_url("**/settings")


def test_the_graph_is_walked_with_keys_zoomed_and_dragged(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "light") as (page, messages):
        page.goto(root + GRAPH)
        page.focus(".graph [tabindex]")
        page.keyboard.press("ArrowRight")
        first = page.evaluate("document.activeElement.dataset.id")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowLeft")
        assert first and page.evaluate("document.activeElement.dataset.id")
        assert page.locator("svg.picked line.near").count() > 0
        page.keyboard.press("+")
        assert (
            page.evaluate("document.querySelector('svg[data-graph]').viewBox.baseVal.width") < 960
        )
        page.keyboard.press("0")
        assert (
            page.evaluate("document.querySelector('svg[data-graph]').viewBox.baseVal.width") == 960
        )
        box = page.locator("a[data-id] circle").first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y + 10, steps=4)
        page.mouse.up()
        assert page.url.endswith("/graph"), "a drag is no click"
        assert page.locator("a[data-id][transform]").count() == 1 and messages == []
        page.keyboard.press("Tab")
        page.focus("a[data-id]")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/research/{DONE}#src-*")


def test_the_graph_is_filtered_at_once_and_without_scripts_by_its_button(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "light") as (page, _):
        page.goto(root + GRAPH)
        before = page.locator("a[data-id]:visible").count()
        page.uncheck("[name=kind][value=academic]")
        assert 0 < page.locator("a[data-id]:visible").count() < before
        page.check("[name=layout][value=rings]")
        page.wait_for_url("**layout=rings**")
        assert page.locator("circle.ring").count() >= 1
    context = chrome.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(root + GRAPH)
    page.uncheck("[name=kind][value=academic]")
    page.click("text=Draw")
    assert page.locator("a[data-kind=academic]").count() == 0
    context.close()


def test_dropped_files_are_sent(chrome: Any, fake: FakeEngine, root: str) -> None:
    with opened(chrome, 1440, "light") as (page, messages):
        page.goto(f"{root}/library")
        page.evaluate("""() => { const data = new DataTransfer();
            data.items.add(new File(["good"], "dropped.txt")); data.items.add(new File(["good"], "second.txt"));
            for (const type of ["dragenter", "dragover", "drop"])
              document.body.dispatchEvent(
                new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: data})); }""")  # noqa: E501
        page.wait_for_selector("li :text('dropped.txt')")
        assert messages == [] and {"dropped.txt", "second.txt"} <= {
            d.name for d in fake.documents.values()
        }


def test_nothing_moves_while_progress_comes(chrome: Any, fake: FakeEngine, root: str) -> None:
    screenshot_states.late(fake)  # tells of forty pages and a dozen claims
    events, first = fake.events(RUNNING), fake.open[RUNNING]
    why = "arXiv: the name is not known, or it asked for a pause that is longer than this run"
    refused = {"client": "arxiv", "label": "arXiv", "found": 0, "seconds": 125.0, "problem": why}
    events[6:6] = [replace(events[4], seq=events[4].seq, data=refused)]
    heard: list[int] = [0]
    fake.events = lambda _, after=0, limit=500: [e for e in events if after < e.seq <= heard[0]]  # type: ignore[method-assign]
    steps: tuple[tuple[int, dict[str, Any]], ...] = (
        (
            3,
            {
                "status": "running",
                "phase": "aggregate",
                "phase_number": 1,
                "round": 1,
                "counts": {"queries": 1},
            },
        ),
        (
            9,
            {
                "phase": "follow",
                "phase_number": 2,
                "round": 2,
                "counts": {"queries": 14, "sources": 17, "claims": 7},
            },
        ),
        (
            99,
            {
                "phase": "credibility",
                "phase_number": 4,
                "elapsed": 755.0,
                "counts": {"queries": 131, "sources": 1140, "pages": 234, "claims": 158},
            },
        ),
    )
    fake.models.roles = lambda: (SimpleNamespace(role="reasoning", model="writer-4b"),)  # type: ignore
    for width in (375, 1280, 1440):
        heard[0] = 0
        fake.open[RUNNING] = replace(
            first, status="queued", position=2, phase="", phase_number=None, counts={}
        )
        with opened(chrome, width, "light") as (page, messages):
            page.add_init_script(UNASKED)
            page.goto(f"{root}/research/{RUNNING}")
            assert page.locator("#tell").is_visible()
            places = page.evaluate(PLACES)
            for seen, more in steps:
                heard[0], fake.open[RUNNING] = seen, replace(fake.open[RUNNING], **more)
                until(
                    page,
                    "document.getElementById('counts')"
                    f".textContent.includes('{more['counts']['queries']} quer')",
                )
                # What HTMX put in the place of something else is no shift for the browser: its box
                # is compared
                assert page.evaluate(PLACES) == places, (width, seen)
            assert page.evaluate(SHIFTS) == [], width
            assert page.title().startswith("4/6 ") and messages == []


def test_a_question_as_long_as_a_page_takes_three_lines_in_a_list(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    fake.states[DONE] = replace(
        fake.states[DONE], original_query="Do batteries lower prices in winter? " * 50
    )
    with opened(chrome, 375, "light") as (page, _):
        for path, link in (
            ("/", ".short a"),
            ("/?q=Do batteries lower prices?", ".earlier a"),
            ("/history", "h2 a"),
        ):
            page.goto(root + path)
            lines = (
                f"[...document.querySelectorAll('{link}')].map(a => "
                "a.getBoundingClientRect().height)"
            )
            assert 40 < max(page.evaluate(lines)) < 80, path


def test_a_hidden_tab_says_in_its_title_when_the_report_is_there(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 1440, "light") as (page, _):
        page.add_init_script("Object.defineProperty(document, 'hidden', {get: () => true})")
        page.goto(f"{root}/research/{RUNNING}")
        fake.states[RUNNING] = replace(fake.states[DONE], research_id=RUNNING)
        del fake.open[RUNNING]
        page.wait_for_selector("#answer")
        until(page, "document.title.startsWith('Ready: Do grid-scale')")
        page.goto(f"{root}/research/{DONE}")
        assert page.title().startswith("Do grid-scale")


def test_a_report_of_two_hundred_sources_and_a_hundred_claims_is_usable_within_a_second(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    from benchmarks import history

    wide = wide_state(history.Words(1), 1)
    first = fake_research.CLAIMS[0]
    claims = tuple(replace(first, claim_id=f"W{n}", text=f"Claim {n} holds.") for n in range(100))
    fake.states[wide.research_id] = replace(wide, claims=claims)
    with opened(chrome, 1440, "light") as (page, messages):
        page.goto(root)
        page.goto(f"{root}/research/{wide.research_id}?all=1")  # compiles the template once
        timings = []
        for _ in range(4):  # the best of a few: what the page takes, not what else the machine does
            page.goto(f"{root}/research/{wide.research_id}?all=1", wait_until="load")
            page.keyboard.press("j")
            timings.append(
                page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
            )
            if timings[-1] < 1000:
                break
        assert min(timings) < 1000, timings
        assert page.locator("#sources li[id^='src-']").count() >= 200 and messages == []


@pytest.mark.parametrize(("question", "answer"), [
    ("هل تخفض البطاريات الكبيرة أسعار الكهرباء في المساء؟", "تخفض البطاريات أسعار المساء بنسبة "
                                                            "٩٪."),
    ("大型電池は夕方の電気料金を下げるのか", "大型電池は夕方の電気料金を九パーセント下げた。"),
])  # fmt: skip
def test_other_scripts_and_directions_fit_and_read_their_way(
    chrome: Any, fake: FakeEngine, root: str, question: str, answer: str
) -> None:
    state = fake.states[DONE]
    sentence = replace(fake_research.WRITTEN[0], text=answer)
    report = replace(fake_research.REPORT, title=question)
    written = replace(fake_research.ANSWER, written=(sentence,) * 4)
    fake.states[DONE] = replace(state, original_query=question, report=report, answer=written,
                                conversation=(Turn("2026-10-14T13:00:00Z", question, (sentence,)),
                                    ))  # fmt: skip
    for width in (375, 1440):
        with opened(chrome, width, "light") as (page, messages):
            page.goto(f"{root}/research/{DONE}")
            assert audit(page, messages) == []
            if question[0] == "ه":
                assert (
                    page.evaluate("getComputedStyle(document.querySelector('h1')).direction")
                    == "rtl"
                )
                assert (
                    page.evaluate(
                        "getComputedStyle(document.querySelector('#answer .prose p')).direction"
                    )
                    == "rtl"
                )


def test_the_main_job_with_the_keyboard_alone(chrome: Any, fake: FakeEngine, root: str) -> None:
    with opened(chrome, 1440, "light") as (page, messages):
        page.goto(root)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        reach(page, "document.activeElement.id === 'q'")
        page.keyboard.type("Do batteries lower prices?")
        reach(page, "document.activeElement.textContent === 'Start'")
        page.keyboard.press("Enter")
        page.wait_for_url("**/research/started_*")
        page.goto(f"{root}/research/{DONE}")
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_selector(".pane mark.target")
        page.keyboard.press("Escape")
        assert page.locator(".pane").count() == 0
        reach(page, "document.activeElement.matches('.menu > summary')")
        page.keyboard.press("Enter")
        assert page.locator(".menu ul").first.is_visible()
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        assert not page.locator(".menu ul").first.is_visible()
        assert page.evaluate("document.activeElement.matches('.menu > summary')")
        assert messages == []


def reach(page: Any, condition: str, most: int = 80) -> None:
    """Press Tab until something has the focus; every stop on the way must be visible."""
    for _ in range(most):
        if page.evaluate(condition):
            return
        page.keyboard.press("Tab")
        shown = (
            "(e => e === document.body || e.getClientRects().length > 0)(document.activeElement)"
        )
        assert page.evaluate(shown), page.evaluate("document.activeElement.outerHTML.slice(0, 120)")
    raise AssertionError(condition)


def test_after_a_form_the_focus_is_where_it_was_or_on_what_is_said(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    focus = "document.activeElement.textContent.trim()"
    with opened(chrome, 1440, "light") as (page, messages):
        page.goto(f"{root}/history?q=batteries")
        page.focus("button.star >> nth=0")
        page.keyboard.press("Enter")
        until(page, "document.activeElement.classList.contains('star')")
        page.focus("button:has-text('Move to bin')")
        page.keyboard.press("Enter")
        until(page, f"{focus} === 'Select the reports first.'")
        page.goto(root)
        page.fill("#q", "Why?")
        page.click("summary:has-text('Limits')")
        page.fill("#site", "nonsense")
        page.click("text=Start")
        until(page, f"{focus}.startsWith('“nonsense” is not a site')")
        assert page.input_value("#q") == "Why?" and page.locator("#site").is_visible()
        page.goto(f"{root}/library")
        page.fill("#folder", "/etc")
        page.keyboard.press("Enter")
        until(page, f"{focus}.includes('belongs to the system')")
        assert page.input_value("#folder") == "/etc"
        assert [text for text in messages if "400" not in text] == []


def test_too_many_or_too_large_files_are_said_before_they_are_sent(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    with opened(chrome, 375, "light") as (page, messages):
        page.goto(f"{root}/library")
        page.set_input_files(
            "#files",
            [{"name": f"{n}.txt", "mimeType": "text/plain", "buffer": b"x"} for n in range(51)],
        )
        page.click("button:has-text('Upload')")
        assert "51 files are too many" in page.inner_text("[role=alert]")
        page.evaluate("document.querySelector('#files').dataset.mb = 0.00001")
        page.set_input_files(
            "#files", [{"name": "a.txt", "mimeType": "text/plain", "buffer": b"x" * 99}]
        )
        page.click("button:has-text('Upload')")
        assert "1 MB together" in page.inner_text("[role=alert]") and page.url.endswith("/library")
        assert page.locator("button:has-text('Upload')").is_enabled()
        assert messages == [] and not [call for call in fake.calls if call[0] == "upload"]


def test_the_exported_page_stands_alone_accessible_and_quiet(chrome: Any, tmp_path: Path) -> None:
    from engine.exports import export

    file = tmp_path / "report.html"
    file.write_bytes(export(fake_research.finished(), "html").data)
    for width, scheme in ((375, "light"), (1440, "dark")):
        with opened(chrome, width, scheme) as (page, messages):
            urls: list[str] = []
            page.on("request", lambda request, urls=urls: urls.append(request.url))
            page.goto(file.as_uri())
            assert audit(page, messages) == [] and urls == [file.as_uri()]
