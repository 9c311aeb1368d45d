"""Reports of many sources: what their page may weigh, how long it may be, and that nothing is lost
behind its caps."""

import shutil
from dataclasses import replace
from typing import Any

import pytest

from benchmarks import history, pages, screenshots
from tests.ui.fake_engine import FakeEngine
from tests.ui.fake_research import finished
from tests.ui.wide_research import ID, PLACES, quote, wide
from ui.web.views.citations import TIP, Citing

WEIGHT, HEIGHT = 150_000, 8_000
ADDRESS = f"/research/{ID}"
in_chromium = pytest.mark.skipif(
    not shutil.which(screenshots.CHROMIUM), reason="Chromium is not installed"
)


def put(fake: FakeEngine, count: int) -> None:
    state, texts = wide(count)
    fake.states[ID] = state
    fake.texts.update(texts)


@pytest.mark.parametrize("count", [95, 200])
def test_a_report_of_many_sources_stays_light_and_says_what_it_leaves_out(
    browser: Any, fake: FakeEngine, count: int
) -> None:
    put(fake, count)
    short, whole = (browser.get(ADDRESS + tail).text for tail in ("", "?all=1"))
    assert len(short.encode()) < WEIGHT
    assert short.count("<meter") < 20 and short.count('class="facing') == 3
    assert f'href="{ADDRESS}?all=1#sources"' in short
    for number in range(count):
        assert f'id="src-{fake.states[ID].sources[number].source_id}"' in whole
        assert quote(number) in whole
    assert f'id="src-{fake.states[ID].sources[90].source_id}"' in short


def test_the_research_of_the_benchmark_stays_light(browser: Any, fake: FakeEngine) -> None:
    fake.states[ID] = pages.wide_state(history.Words(1), 1)
    assert len(browser.get(ADDRESS).data) < WEIGHT


def test_pairs_are_shown_one_an_attribute_and_grouped_by_it(browser: Any, fake: FakeEngine) -> None:
    put(fake, 95)
    page = browser.get(ADDRESS).text
    part = page[page.index('id="disagree"') : page.index('id="open"')]
    assert "44 more pairs" in part
    assert [part.count(f">{name}</h3>") for name in ("Depth", "Silt", "Dredging")] == [1, 1, 1]


def test_tags_notices_and_questions_are_capped(browser: Any, fake: FakeEngine) -> None:
    put(fake, 95)
    page = browser.get(ADDRESS).text
    assert "32 more tags" in page and "17 more questions" in page and "more notes" in page
    for number, place in enumerate(PLACES):
        assert f"Who dredged the {place} basin in {1990 + number}?" in page


def test_a_tooltip_names_three_sources_and_counts_the_others() -> None:
    state, _ = wide(30)
    claim = finished().claims[4]
    names = tuple(evidence.evidence_id for evidence in state.evidence)
    citing = Citing(state)
    glyph = citing.claim_glyph(replace(claim, contradicting_evidence_ids=names))
    assert (
        glyph is not None
        and f"and {30 - TIP} more disagree" in glyph.tip
        and glyph.tip.count("S") == TIP
    )


@pytest.mark.lab
@in_chromium
@pytest.mark.parametrize("count", [1, 5, 95, 200])
@pytest.mark.parametrize("width", [320, 375, 1440])
def test_it_fits_every_width_and_is_no_longer_than_it_may_be(
    chrome: Any, fake: FakeEngine, root: str, count: int, width: int
) -> None:
    put(fake, count)
    with screenshots.opened(chrome, width, "light") as (page, messages):
        page.goto(root + ADDRESS)
        assert screenshots.audit(page, messages) == []
        if width == 1440:
            assert page.evaluate("document.documentElement.scrollHeight") < HEIGHT


@pytest.mark.lab
@in_chromium
def test_a_link_to_a_source_that_is_left_out_opens_the_whole_page(
    chrome: Any, fake: FakeEngine, root: str
) -> None:
    put(fake, 200)
    last = fake.states[ID].sources[-1].source_id
    with screenshots.opened(chrome, 1440, "light") as (page, messages):
        page.goto(f"{root}{ADDRESS}#src-{last}")
        page.wait_for_url("**all=1**")
        assert page.locator(f"[id='src-{last}']").count() == 1 and messages == []


def test_the_matrix_is_sorted_and_filtered_by_its_address(browser: Any, fake: FakeEngine) -> None:
    put(fake, 95)
    page = browser.get(f"{ADDRESS}/matrix").text
    assert "20 of 95" in page and "75 more sources" in page and len(page.encode()) < WEIGHT
    newest = browser.get(f"{ADDRESS}/matrix?sort=date").text
    assert newest.index(">S95</b>") < newest.index(">S94</b>") and ">S1</b>" not in newest
    unsorted = browser.get(f"{ADDRESS}/matrix?q=1934&sort=nonsense&k=nonsense").text
    assert "1 of 95" in unsorted and ">S5</b>" in unsorted
    assert "No source matches" in browser.get(f"{ADDRESS}/matrix?q=zeppelin").text


@pytest.mark.parametrize("count", [0, 1])
def test_a_report_of_hardly_any_source_has_its_pages(
    browser: Any, fake: FakeEngine, count: int
) -> None:
    put(fake, count)
    assert browser.get(ADDRESS).status_code == browser.get(f"{ADDRESS}/matrix").status_code == 200


@pytest.mark.lab
@in_chromium
@pytest.mark.parametrize("width", [320, 1440])
def test_the_matrix_fits_and_filters_as_words_are_typed(
    chrome: Any, fake: FakeEngine, root: str, width: int
) -> None:
    put(fake, 95)
    with screenshots.opened(chrome, width, "dark") as (page, messages):
        page.goto(f"{root}{ADDRESS}/matrix")
        assert screenshots.audit(page, messages) == []
        page.fill("#words", "1934")
        page.wait_for_selector("text=1 of 95", state="attached")
        assert "q=1934" in page.url and page.locator(".matrix tbody tr").count() == 1
