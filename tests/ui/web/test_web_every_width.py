"""All pages at four widths, light and dark, with and without scripts, over 5, 95 and 200 sources;
tasks in clicks."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks import screenshots
from benchmarks.screenshot_answers import ANSWERS
from benchmarks.screenshot_states import STATES
from benchmarks.screenshots import fake_site
from engine.answers import RunOptions
from tests.ui.fake_engine import FakeEngine
from tests.ui.fake_research import SECOND
from tests.ui.web.test_web_wide import put
from tests.ui.wide_research import ID

pytestmark = [
    pytest.mark.lab,
    pytest.mark.skipif(not shutil.which(screenshots.CHROMIUM), reason="Chromium is not installed"),
]
LAST_WEEK = "do_tides_drive_mills"
WIDTHS = (320, 375, 768, 1440)
# What scrolls sideways, and what stands out of its box: neither may be there at any width
OUT = """() => [document.documentElement.scrollWidth - document.documentElement.clientWidth,
  [...document.querySelectorAll('main :is(a,button,label,h1,h2,h3,p,td,th)')].filter((one) => {
    if (!one.checkVisibility()) return false;
    const box = one.getBoundingClientRect(), inside = one.closest('.table, .box, svg, .sr, .toc, .tip, pre, .sprite');
    return !inside && box.width > 1 && box.height > 1 && (box.right > innerWidth + 1 || box.left < -1);
  }).map((one) => one.outerHTML.slice(0, 90))]"""  # noqa: E501


def addresses(fake: FakeEngine, root: str) -> dict[str, str]:
    """Every page by its name, the report and what belongs to it over many sources."""
    pages = {name: address() for name, address in fake_site(root, fake).pages.items()}
    report = f"{root}/research/{ID}"
    source = fake.states[ID].sources[0].source_id
    pages |= {"report": report, "matrix": f"{report}/matrix", "wide-graph": f"{report}/graph"}
    pages |= {
        "whole": f"{report}?all=1",
        "wide-log": f"{report}/log",
        "wide-reader": f"{report}/source/{source}",
    }
    pages["questions"] = f"{root}/library/questions?ask=What%20does%20it%20cost%3F"
    pages["scope"] = f"{root}/?doc=d1"
    return pages


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("count", [5, 95, 200])
def test_every_page_fits_at_every_width(
    chrome: Any, fake: FakeEngine, root: str, count: int, scripts: bool
) -> None:
    put(fake, count)
    wrong = []
    pages = addresses(fake, root)
    # The pages that do not hang on the number of sources are walked once
    if count != 5:
        pages = {
            name: pages[name]
            for name in ("report", "matrix", "wide-graph", "wide-reader", "history")
        }
    for width in WIDTHS:
        context = chrome.new_context(
            viewport={"width": width, "height": 900}, java_script_enabled=scripts,
            reduced_motion="reduce",
            color_scheme="dark" if width in (320, 1440) else "light",
        )  # fmt: skip
        page = context.new_page()
        messages: list[str] = []
        page.on("console", lambda message, messages=messages: messages.append(message.text))
        for name, address in pages.items():
            page.goto(address)
            sideways, out = page.evaluate(OUT)
            heard = [text for text in messages if not (name == "error" and "404" in text)]
            wrong += [
                (width, name, what)
                for what in (*([sideways] if sideways > 0 else []), *out, *heard)
            ]
            messages.clear()
        context.close()
    assert wrong == []


@pytest.mark.parametrize("name",
    ["long-title", "long-title-history", "sources-none", "sources-one", "pane",
                                  "report-hebrew", "report-chinese", "answer-overview",
                                  "answer-absent"])  # fmt: skip
def test_extreme_texts_and_amounts_fit_at_every_width(
    chrome: Any, tmp_path: Any, name: str
) -> None:
    wrong = []
    for width in WIDTHS:
        state, fake = STATES[name], FakeEngine(tmp_path / str(width))
        scheme = "dark" if width in (320, 1440) else "light"
        with (
            screenshots.serving(fake) as address,
            screenshots.opened(chrome, width, scheme) as (page, messages),
        ):
            page.goto(address + state.prepare(fake))
            state.act(page)
            sideways, out = page.evaluate(OUT)
            wrong += [(width, what) for what in (*([sideways] if sideways > 0 else []), *out)]
            wrong += [(width, what) for what in screenshots.audit(page, messages)]
    assert wrong == []


@pytest.mark.parametrize("width", [768, 1440])
@pytest.mark.parametrize(
    "name", ["report", "matrix", "history", "library", "settings", "home", "questions", "scope"]
)
def test_pages_are_accessible_between_phone_and_desk(
    chrome: Any, fake: FakeEngine, root: str, name: str, width: int
) -> None:
    put(fake, 95)
    with screenshots.opened(chrome, width, "light" if width == 1440 else "dark") as (
        page,
        messages,
    ):
        page.goto(addresses(fake, root)[name])
        assert screenshots.audit(page, messages) == []


def first_of_answer(page: Any) -> tuple[Any, Any, Any]:
    """Boxes of the answer's first words, of its first source (none where nothing is found) and of
    the follow-up."""
    answer = page.locator("#answer")
    words = answer.locator(
        ".reply, .written-by p, .passages blockquote, .steps, .cards h3, .cards p, blockquote"
    )
    source = answer.locator(".written-by .cite, .from .doc, .cards .tag, .meta a[href*='/source/']")
    boxes = (
        words.locator("visible=true").first.bounding_box(),
        page.locator(".follow").bounding_box(),
    )
    seen = source.locator("visible=true")
    return boxes[0], seen.first.bounding_box() if seen.count() else None, boxes[1]


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (375, 812)])
def test_every_form_of_answer_begins_in_view(
    chrome: Any, fake: FakeEngine, root: str, name: str, width: int, height: int
) -> None:
    path = STATES[f"answer-{name}"].prepare(fake)
    page = chrome.new_page(viewport={"width": width, "height": height})
    page.goto(root + path)
    words, source, foot = first_of_answer(page)
    assert words["y"] + min(words["height"], 40) <= foot["y"], (words, foot)
    if name != "absent":
        assert source and source["y"] + source["height"] <= foot["y"], (source, foot)
    page.close()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (375, 812)])
def test_the_answer_and_its_first_source_are_in_view(
    chrome: Any, fake: FakeEngine, root: str, width: int, height: int
) -> None:
    put(fake, 95)
    # One that a model wrote has its first source in the first sentence, the other beside the first
    # passage
    written = ("#answer .written-by p", "#answer .written-by .cite")
    for name, places in (
        (fake.done, written),
        (ID, ("#answer .passages blockquote", "#answer .from .doc")),
    ):
        page = chrome.new_page(viewport={"width": width, "height": height})
        page.goto(f"{root}/research/{name}")
        foot = page.locator(".follow").bounding_box()
        for place in places:
            box = page.locator(place).first.bounding_box()
            assert box["y"] + min(box["height"], 40) <= foot["y"], (name, place, box, foot)
        page.close()


class Clicks:
    """Counts what a person presses."""

    def __init__(self, page: Any) -> None:
        self.page, self.count = page, 0

    def on(self, what: str) -> None:
        self.count += 1
        self.page.locator(what).locator("visible=true").first.click()
        self.page.wait_for_load_state()


def find_last_week(do: Clicks) -> None:
    do.on("nav >> text=History")
    do.on("text=Last week")
    listed = do.page.locator(".entry h2 a")
    assert [listed.nth(n).get_attribute("href") for n in range(listed.count())] == [
        f"/research/{LAST_WEEK}"
    ]


def why_this_credibility(do: Clicks) -> None:
    do.on("#sources summary:has-text('Why')")
    do.page.wait_for_selector("table.sum")


def check_a_sentence(do: Clicks) -> None:
    do.on("#p1 .doc a")
    do.page.wait_for_selector(".pane form.check-it")


def bibtex(do: Clicks) -> None:
    do.on("summary:has-text('Export')")
    with do.page.expect_download() as got:
        do.on("text=BibTeX .bib")
    assert "@" in Path(got.value.path()).read_text("utf-8")


def add_a_folder_and_ask(do: Clicks) -> None:
    do.page.fill("#folder", "Documents/Tender")
    do.on("text=Add folder")
    do.on("nav >> text=New")
    do.page.fill("#q", "What does it cost?")
    do.on("button:has-text('Start')")
    do.page.wait_for_selector("h1:has-text('What does it cost?')")
    assert "/research/" in do.page.url


def store_a_key(do: Clicks) -> None:
    do.on("text=Add a key")
    do.on("summary:has-text('Add')")
    do.page.locator("input[type=password] >> visible=true").fill("a-key-of-a-test")
    do.on("button:has-text('Save')")
    do.page.wait_for_selector("text=The key was saved")


def stop(do: Clicks) -> None:
    do.on("#halt")


def compare(do: Clicks) -> None:
    for name in (ID, SECOND):
        do.page.wait_for_selector(f"input[value='{name}']")
        do.on(f"input[value='{name}']")
    do.on("button:has-text('Compare')")
    do.page.wait_for_selector("text=Two reports side by side")


def share(do: Clicks) -> None:
    do.on("summary:has-text('Export')")
    with do.page.expect_download() as got:
        do.on("text=Web page, one file")
    assert "<blockquote" in Path(got.value.path()).read_text("utf-8")


TASKS = (
    ("/", find_last_week, 2), ("REPORT", why_this_credibility, 1), ("REPORT", check_a_sentence, 1),
    ("REPORT", bibtex, 2), ("/library", add_a_folder_and_ask, 3), ("/", store_a_key, 3),
    ("RUNNING", stop, 1),
    ("/history", compare, 3), ("REPORT", share, 2),
)  # fmt: skip


@pytest.mark.parametrize(
    ("start", "task", "most"), TASKS, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_task_takes_no_more_clicks(
    chrome: Any, fake: FakeEngine, root: str, start: str, task: Any, most: int
) -> None:
    put(fake, 5)
    begun = (datetime.now(UTC) - timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
    fake.states[LAST_WEEK] = replace(
        fake.states[fake.done], research_id=LAST_WEEK, started_at=begun
    )
    place = {"REPORT": f"/research/{fake.done}", "RUNNING": "/research/running"}.get(start, start)
    if start == "RUNNING":
        place = f"/research/{fake.start('Do tides drive mills?', RunOptions())}"
    page = chrome.new_page(viewport={"width": 1440, "height": 900})
    page.goto(root + place)
    do = Clicks(page)
    task(do)
    assert do.count <= most
    assert task is not stop or any(call[0] == "cancel" for call in fake.calls)
    page.close()


def test_a_local_model_takes_three_clicks(
    chrome: Any, fake: FakeEngine, root: str, monkeypatch: Any
) -> None:
    from engine.llm.about_models import FoundServer

    server = FoundServer("ollama", "Ollama", "http://127.0.0.1:11434", "ollama", ("small-4b",))
    monkeypatch.setattr(type(fake.models), "detect", lambda self: [server])
    page = chrome.new_page(viewport={"width": 1440, "height": 900})
    page.goto(root)
    for _ in range(100):  # a busy machine finds the server after the first page
        if page.get_by_text("Use it").count():
            break
        page.wait_for_timeout(100)
        page.reload()
    do = Clicks(page)
    do.on("text=Use it")
    do.on("button:has-text('Use it')")
    page.wait_for_selector("text=New reports use it")
    assert do.count <= 3
    page.close()
