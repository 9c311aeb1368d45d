"""Every page answers in every state, in words, without anything inline, and with its links inside
the site."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from engine.answers import ClientStatus
from tests.tables import each
from tests.ui import fake_engine, fake_research
from tests.ui.fake_engine import FakeEngine

SOURCE = fake_research.SOURCES["S1"].source_id
DONE = "do_grid_scale_batteries_20261014_120200"
PAGES = (
    "/",
    "/?q=Why",
    "/history",
    "/history?q=batteries",
    "/history?bin=1",
    "/history?status=running&tag=x&min_confidence=0.5&since=2026-01-01&sort=oldest&before=x",
    "/history?kind=ask&source_type=newsroom&until=2026-12-31",
    "/library",
    "/library?q=flow",
    "/library?folder=Measurements",
    "/library/d1",
    "/library/d1?start=0&end=20",
    "/settings",
    "/settings/check",
    "/help",
    "/about",
    "/sign-in",
    f"/research/{DONE}",
    f"/research/{DONE}/graph",
    f"/research/{DONE}/log",
    f"/research/{DONE}/source/{SOURCE}",
    f"/research/{DONE}/source/{SOURCE}?show=all",
    f"/research/{fake_engine.RUNNING}",
    f"/research/{fake_engine.RUNNING}?all=1&refresh=0",
    f"/research/{fake_engine.RUNNING}/progress",
    f"/research/{fake_engine.WAITING}",
    f"/research/{fake_engine.QUEUED}",
    f"/research/{fake_engine.FAILED}",
    f"/research/{fake_engine.CANCELLED}",
    "/search?q=never+asked",
    "/compare",
    f"/compare?a={DONE}",
    f"/compare?a={DONE}&b={fake_research.SECOND}",
    "/import",
    "/help/api",
    f"/research/{DONE}/graph?layout=rings&hop=0&hop=1&kind=academic&kind=web",
)
MISSING = (
    "/nowhere",
    "/research/unknown",
    "/research/unknown/graph",
    "/library/unknown",
    f"/research/{DONE}/source/x",
)


class Reader(HTMLParser):
    """Collects what a page must not have, its ids and its links."""

    def __init__(self) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.ids: list[str] = []
        self.links: list[dict[str, str | None]] = []
        self.tags: list[str] = []
        self.fields: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        attributes = dict(attrs)
        self.inline += [
            f"{tag} {name}" for name in attributes if name == "style" or name.startswith("on")
        ]
        if tag == "style" or (tag == "script" and "src" not in attributes):
            self.inline.append(tag)
        if attributes.get("id"):
            self.ids.append(str(attributes["id"]))
        if tag == "a":
            self.links.append(attributes)
        if tag in ("input", "select", "textarea") and attributes.get("type") not in (
            "hidden",
            "checkbox",
            "radio",
        ):
            self.fields.append(str(attributes.get("id")))


def parsed(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    return reader


@each("path", PAGES)
def test_a_page_is_whole_with_nothing_inline_distinct_ids_and_a_label_for_every_field(
    browser: Any, path: str
) -> None:
    answer = browser.get(path)
    html = answer.text
    reader = parsed(html)
    assert answer.status_code == 200
    assert reader.inline == []
    assert "Undefined" not in html and "{{" not in html
    if "/progress" in path:
        return  # a part of a page
    assert reader.tags.count("h1") == 1 and reader.tags.count("main") == 1
    assert len(reader.ids) == len(set(reader.ids)), [
        i for i in reader.ids if reader.ids.count(i) > 1
    ]
    for name in reader.fields:
        assert f'for="{name}"' in html, name
    for link in reader.links:
        if str(link.get("href")).startswith("#"):
            assert str(link["href"])[1:] in reader.ids, link


@pytest.mark.parametrize("path", MISSING)
def test_what_is_not_there_explains_itself(browser: Any, path: str) -> None:
    answer = browser.get(path)
    html = answer.text
    assert answer.status_code == 404
    assert "What can be done" in html and "/history" in html
    assert parsed(html).inline == []


def test_links_to_other_sites_give_nothing_away(browser: Any) -> None:
    reader = parsed(browser.get(f"/research/{DONE}").text)
    away = [link for link in reader.links if re.match(r"https?:", str(link.get("href")))]
    assert away and all(link.get("rel") == "noopener noreferrer nofollow" for link in away)


def test_a_report_shows_every_part(browser: Any) -> None:
    html = browser.get(f"/research/{DONE}").text
    for part in (
        "answer",
        "p1",
        "sec-1",
        "disagree",
        "open",
        "sources",
        "about",
        "change",
        "further",
    ):
        assert f'id="{part}"' in html, part
    for words in (
        "14 October 2026",
        "10 sources searched",
        "Balanced, 2 rounds",
        ">Sources disagree</h2>",
        "5 independent sources say yes, 2 independent sources say no.",
        "restated by 5 independent sources",
        "1 more passage",
        "Disputed; S1 disagrees; judged by deberta-small",
        "edited quotation",
        "ibid., p.\u00a014",
        "Product 0.98, capped",
        "Cross-references, 5 independent",
        "abstract only",
        "may be outdated",
        "Predatory publisher, credibility 0.20",
        "Retracted 2021, data could not be reproduced",
        "could not be verified",
        "1 source found and not cited",
        "Go deeper",
    ):
        assert words in html, words


def test_nothing_stands_above_the_answer_but_the_question_and_one_line(browser: Any) -> None:
    html = browser.get(f"/research/{DONE}").text
    above = html[html.index("</h1>") : html.index('id="answer"')]
    assert above.count("<p") == 1 and "<button" not in above and "<form" not in above


def test_an_older_report_is_shown_with_its_parts(browser: Any) -> None:
    html = browser.get(f"/research/{fake_research.SECOND}").text
    for words in ("Verdict: contested", "Key findings", 'data-label="Usual duration"'):
        assert words in html, words
    assert 'class="answer"' not in html


def test_a_sentence_leads_to_its_sidenote_and_from_there_to_the_passage(browser: Any) -> None:
    html = browser.get(f"/research/{DONE}").text
    assert (
        f'<a class="cite" href="#n-s1" data-reader="/research/{DONE}/source/{SOURCE}#E1">S1</a>'
        in html
    )
    text = browser.get(f"/research/{DONE}/source/{SOURCE}").text
    assert '<span id="E1"></span><mark id="p1">In each of the five example markets' in text
    assert f"/research/{DONE}#s1" in text


def test_a_counted_sentence_has_no_evidence(browser: Any) -> None:
    html = browser.get(f"/research/{DONE}").text
    after = html.split("Three of five sources that name the mechanism call it the same thing.")[1]
    assert not after.lstrip().startswith('<span class="ev"')


def test_evidence_never_starts_a_line(browser: Any) -> None:
    assert not re.search(r'\s<span class="ev"', browser.get(f"/research/{DONE}").text)


def test_sentences_are_parted_by_a_space(browser: Any) -> None:
    assert not re.search(r'</span><span class="s"', browser.get(f"/research/{DONE}").text)


def test_a_running_research_shows_its_state_whole(browser: Any) -> None:
    html = browser.get(f"/research/{fake_engine.RUNNING}").text
    for words in (
        "Following citations: phase 2 of 6, round 2 of 2.",
        "No answer within 10 s.",
        "OpenAlex",
        "17 sources",
        "ninety minutes around sunset",
        'http-equiv="refresh"',
        "hx-get=",
    ):
        assert words in html, words
    still = browser.get(f"/research/{fake_engine.RUNNING}?refresh=0").text
    assert 'http-equiv="refresh"' not in still


def test_the_fragment_replaces_every_part_that_changes(browser: Any) -> None:
    html = browser.get(f"/research/{fake_engine.RUNNING}/progress").text
    for part in (
        "phases",
        "status",
        "counts",
        "reading",
        "log",
        "found",
        "clients",
        "claims",
        "halt",
    ):
        assert re.search(rf'id="{part}" hx-swap-oob=', html), part
    assert html.count('aria-live="polite"') == 1


def test_a_poll_of_a_research_that_is_over_loads_the_page_again(browser: Any) -> None:
    assert browser.get(f"/research/{DONE}/progress").headers["HX-Refresh"] == "true"
    assert browser.get(f"/research/{fake_engine.WAITING}/progress").headers["HX-Refresh"] == "true"
    assert (
        "HX-Refresh"
        not in browser.get(f"/research/{fake_engine.WAITING}/progress?waiting=1").headers
    )


def test_a_waiting_research_asks_its_question(browser: Any, fake: FakeEngine) -> None:
    html = browser.get(f"/research/{fake_engine.WAITING}").text
    assert "Which Example Storage Council is meant?" in html and "advisory board" in html
    browser.post(f"/research/{fake_engine.WAITING}/clarify", {"choice": "2"})
    browser.post(
        f"/research/{fake_engine.WAITING}/clarify",
        {"choice": "1", "text": "the one at the ministry"},
    )
    browser.post(f"/research/{fake_engine.WAITING}/clarify", {"choice": "2", "best": "1"})
    browser.post(f"/research/{fake_engine.WAITING}/clarify", {"cancel": "1"})
    assert [call[2] for call in fake.calls if call[0] == "clarify"] == [
        "2",
        "the one at the ministry",
        "1",
    ]
    assert fake.calls[-1] == ("cancel", fake_engine.WAITING)


def test_one_meaning_can_be_confirmed_denied_or_replaced(browser: Any, fake: FakeEngine) -> None:
    path = f"/research/{fake_engine.WAITING}"
    assert "<span>None of these</span>" in browser.get(path).text
    fake.open[fake_engine.WAITING] = replace(
        fake.open[fake_engine.WAITING], choices=("The advisory board",)
    )
    html = browser.get(path).text
    assert "<span>Yes: <bdi>The advisory board</bdi></span>" in html and "<span>No</span>" in html
    assert "None of these" not in html and "someone or something else" in html
    browser.post(f"{path}/clarify", {"choice": "no"})
    assert fake.calls[-1] == ("clarify", fake_engine.WAITING, "no")


def test_a_second_answer_says_which_one_was_given(browser: Any) -> None:
    answer = browser.post(f"/research/{fake_engine.RUNNING}/clarify", {"choice": "1"})
    assert answer.status_code == 409 and "answered already" in answer.text


def test_a_failed_research_says_why_and_what_to_do(browser: Any) -> None:
    html = browser.get(f"/research/{fake_engine.FAILED}").text
    assert "there is no network" in html and "Try again" in html and "Add documents" in html


def test_the_services_of_a_run_are_counted_and_folded_and_its_sources_named_by_their_site(
    browser: Any,
) -> None:
    running = browser.get(f"/research/{fake_engine.RUNNING}").text
    assert '<details id="services"><summary>1 of 5 services answered</summary>' in running
    assert (
        '<p class="url">gridoperator.gov.example</p>' in running
        and "/reports/winter-season" not in running
    )
    failed = browser.get(f"/research/{fake_engine.FAILED}").text
    assert '<details id="services" open>' in failed


def test_the_first_page_counts_what_can_be_asked(
    browser: Any, fake: FakeEngine, monkeypatch: Any
) -> None:
    clients = [
        *fake.sources(),
        ClientStatus("brave", "Brave", "web", True, needs_key=True, has_key=False),
    ]
    monkeypatch.setattr(fake, "sources", lambda: clients)
    html = browser.get("/").text
    assert "1 search service<" in html and "2 search services" not in html
    clients[-1] = replace(clients[-1], has_key=True)
    assert "2 search services" in browser.get("/").text


def test_the_history_counts_what_was_found_and_the_report_what_it_uses(browser: Any) -> None:
    assert "<span>10 sources found</span>" in browser.get("/history").text
    html = browser.get(f"/research/{DONE}").text
    assert "<dd>10 sources: 0 read, 6 cited, 3 set aside</dd>" in html


def test_the_first_page_says_how_long_a_depth_took_here_where_that_is_known(browser: Any) -> None:
    html = browser.get("/").text
    assert "about 48 s, follows citations once" in html and "up to 35 s" not in html


def test_the_first_page_is_small(browser: Any) -> None:
    html = browser.get("/").text
    parts = re.findall(r'(?:href|src)="(/static/[^"]+)"', html)
    total = len(html.encode())
    for part in parts:
        with browser.get(part) as answer:
            total += len(answer.data)
    assert len(parts) == 5 and total < 100_000


def test_static_files_with_a_version_may_be_kept_for_a_year(browser: Any) -> None:
    path = re.findall(r'href="(/static/zorora.css[^"]+)"', browser.get("/").text)[0]
    with browser.get(path) as answer, browser.get("/static/zorora.css") as plain:
        assert "immutable" in answer.headers["Cache-Control"]
        assert "immutable" not in plain.headers.get("Cache-Control", "")


def test_the_script_stays_small_and_htmx_is_what_vendored_md_says() -> None:
    import hashlib
    from pathlib import Path

    static = Path(__file__).resolve().parents[3] / "static"
    assert (static / "zorora.js").stat().st_size <= 8000
    assert (
        hashlib.sha256((static / "htmx.min.js").read_bytes()).hexdigest()
        in (static / "VENDORED.md").read_text()
    )


def test_the_feed_is_well_formed(browser: Any, fake: FakeEngine) -> None:
    from xml.etree import ElementTree

    tree = ElementTree.fromstring(browser.get("/feed.atom").data)
    assert [entry.tag.split("}")[1] for entry in tree if entry.tag.endswith("entry")]
