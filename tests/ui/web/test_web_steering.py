"""Steering a finished research from its page, without scripts: what begins, what it says meanwhile,
what came of it."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from engine.models import Question, Turn
from engine.reports.about_reports import Withdrawn
from engine.reports.figures import quality
from tests.ui import fake_research
from tests.ui.fake_engine import FakeEngine
from tests.ui.web.test_pages import DONE, parsed
from tests.web_app import wait_for_work
from ui.web.views.revision_view import changes
from workflows.research.model import ClientReport, DeadEnd
from workflows.research.report.source_notes import unanswered

REPORT = f"/research/{DONE}"
S3 = fake_research.SOURCES["S3"].source_id


def page(browser: Any, path: str, status: int = 200) -> str:
    answer = browser.get(path)
    html: str = answer.text
    assert answer.status_code == status and parsed(html).inline == [], html[:400]
    return html


def test_a_source_is_left_out_and_the_report_says_which_revision_it_is(
    browser: Any, fake: FakeEngine
) -> None:
    html = page(browser, REPORT)
    assert (
        f'form="leave" name="source" value="{S3}"' in html and f'action="{REPORT}/exclude"' in html
    )
    answer = browser.post(f"{REPORT}/exclude", {"source": S3})
    assert answer.status_code == 303 and answer.headers["Location"] == REPORT
    html = page(browser, REPORT)
    assert fake.steering.calls == [("exclude", DONE, S3)]
    assert "made again without S3" in html and "revision 2" in html
    assert "Excluded by you." in html and f'form="take" name="source" value="{S3}"' in html


def test_a_document_is_taken_in_and_one_without_text_is_refused_with_the_reason(
    browser: Any, fake: FakeEngine
) -> None:
    assert browser.post(f"{REPORT}/include", {"source": "d1"}).headers["Location"] == REPORT
    assert "made again with Tender documents 2025" in page(browser, REPORT)
    browser.post(f"{REPORT}/include", {"source": "d3"})
    assert "was never read" in page(browser, f"{REPORT}/work")
    answer = browser.post(f"{REPORT}/include", {"source": " "})
    assert answer.status_code == 400 and "Name the source" in answer.text


@pytest.mark.lab
def test_what_takes_longer_says_how_far_it_is_and_can_be_stopped(
    browser: Any, fake: FakeEngine, app: Any
) -> None:
    free = threading.Event()
    fake.steering.still = free.wait
    browser.post(f"{REPORT}/deepen")
    html = page(browser, f"{REPORT}/work")
    assert (
        "Begun over the stored texts." in html
        and "hx-get" in html
        and 'http-equiv="refresh"' in html
    )
    again = browser.post(f"{REPORT}/replay")
    assert again.status_code == 409 and "already being changed" in again.text
    assert "Revision 2" not in page(browser, REPORT), "the report is read meanwhile"
    assert "HX-Refresh" not in browser.get(f"{REPORT}/work/progress").headers
    browser.post(f"{REPORT}/work/stop")
    assert "Stopping" in page(browser, f"{REPORT}/work")
    free.set()
    wait_for_work(app, "changes")
    assert "Stopped; the report is unchanged." in page(browser, f"{REPORT}/work")
    assert (
        fake.states[DONE].revision == 1
        and browser.get(f"{REPORT}/work/progress").headers["HX-Refresh"] == "true"
    )


def test_a_replay_says_whether_the_same_came_out(browser: Any, fake: FakeEngine) -> None:
    browser.post(f"{REPORT}/replay")
    assert "The same report came out" in page(browser, f"{REPORT}/work")
    fake.steering.differs = ("report", "synthesis", "claims")
    browser.post(f"{REPORT}/replay")
    html = page(browser, f"{REPORT}/work")
    assert (
        "the text of the report, the statements and their confidence." in html and "rescore" in html
    )
    assert fake.states[DONE].revision == 1


def test_pages_that_were_read_again_say_what_is_gone(browser: Any, fake: FakeEngine) -> None:
    browser.post(f"{REPORT}/recheck")
    html = page(browser, f"{REPORT}/work")
    assert (
        "3 pages read again: 1 unchanged, 1 without a cited passage, 1 could not be read." in html
    )
    assert "No longer there" in html and "status 410" in html


def test_a_source_retracted_since_is_said_on_opening_and_scored_anew(
    browser: Any, fake: FakeEngine
) -> None:
    assert "retracted since" not in page(browser, REPORT)
    state = fake.states[DONE]
    fake.states[DONE] = replace(state, revision=4)  # the lists are asked once for a revision
    fake.steering.retracted = (
        Withdrawn(S3, "S3", "Arbitrage <b>saturation", "Retracted 2026, data"),
    )
    html = page(browser, REPORT)
    assert "A source of this report was retracted since it was written." in html
    assert "Arbitrage &lt;b&gt;saturation" in html and f'href="#src-{S3}"' in html
    browser.post(f"{REPORT}/rescore")
    assert "retracted since" not in page(browser, REPORT) and fake.states[DONE].revision == 5


def test_only_documents_that_are_no_source_yet_are_offered(browser: Any, fake: FakeEngine) -> None:
    sources = fake.states[DONE].sources
    assert any(source.document_id == "d1" for source in sources)
    for rejected in (None, "Excluded by you."):
        changed_sources = tuple(replace(source, rejected=rejected) for source in sources)
        fake.states[DONE] = replace(fake.states[DONE], sources=changed_sources)
        assert ('<option value="d1">' in page(browser, REPORT)) == bool(rejected)


def test_a_query_for_which_the_budget_was_too_small_is_no_dead_end(
    browser: Any, fake: FakeEngine
) -> None:
    state = fake.states[DONE]
    unasked = DeadEnd("ramp", None, "arxiv", "budget", None, "arXiv: 4 further queries not asked.")
    fake.states[DONE] = replace(state, dead_ends=(*state.dead_ends, unasked))
    fake.states[DONE] = replace(
        fake.states[DONE], clients=(ClientReport("arxiv", 3, 6, answers=6, unasked=4),)
    )
    assert "2 dead ends" in dict(quality(fake.states[DONE]))["Searches"]
    log = page(browser, f"{REPORT}/log")
    assert (
        log.index("Dead ends</h2>")
        < log.index("Behind a paywall. If you have access")
        < log.index("Not searched</h2>")
    )
    assert (
        "At this depth these were not searched: 4 queries to arxiv." in log
        and "4 further" not in log
    )
    assert "Time ran out" not in log


def test_queries_left_over_by_a_deadline_are_not_put_down_to_the_budget(
    browser: Any, fake: FakeEngine
) -> None:
    fake.states[DONE] = replace(
        fake.states[DONE], clients=(ClientReport("arxiv", 3, 6, answers=1, late=2),)
    )
    log = page(browser, f"{REPORT}/log")
    assert "Time ran out before 2 queries to arxiv." in log and "budget of this depth" not in log


def test_sources_that_did_not_answer_are_one_line_with_their_reasons_folded(
    browser: Any, fake: FakeEngine
) -> None:
    state = fake.states[DONE]
    assert state.report is not None
    mute = tuple(
        ClientReport(name, problem=f"{name}: rate limited; skipped", label=name)
        for name in ("arxiv", "core")
    )
    state = replace(state, clients=(*mute, ClientReport("openalex", 3, 3, answers=3)))
    fake.states[DONE] = replace(
        state, report=replace(state.report, notes=(*state.report.notes, *unanswered(state)))
    )
    shown = page(browser, REPORT)
    line = "Not every source answered: 2 of 3 did not (arxiv, core)."
    assert shown.count(line) == 1 and f"<summary>{line}</summary>" in shown
    assert ">arxiv, core: rate limited.</li>" in shown


def test_a_revision_names_the_question_that_was_searched_for(fake: FakeEngine) -> None:
    before = fake.states[DONE]
    sought = Question("Q99", "How much cooler is asphalt under trees?", "primary", 0.25)
    plan = replace(before.plan, questions=(*before.plan.questions, sought))
    turns = (*before.conversation, Turn("", sought.text), Turn("", "And in winter?"))
    after = replace(before, plan=plan, round=before.round + 1, conversation=turns)
    assert changes(before, after) == (
        "Searched and read further for “How much cooler is asphalt under trees?”",
        "1 question asked about the report.",
    )


def test_revisions_are_listed_with_what_changed_and_each_can_be_read(
    browser: Any, fake: FakeEngine
) -> None:
    browser.post(f"{REPORT}/exclude", {"source": S3})
    browser.post(f"{REPORT}/deepen")
    html = page(browser, f"{REPORT}/revisions")
    assert (
        "Revision 3, current" in html
        and "1 source fewer." in html
        and "Searched and read further." in html
    )
    old = page(browser, f"{REPORT}/revision/1")
    assert "Revision 1 of 3" in old and f"{REPORT}/source/{S3}?revision=1#" in old
    assert "/exclude" not in old and 'id="change"' not in old and "/star" not in old
    text = page(browser, f"{REPORT}/source/{S3}?revision=1")
    assert f"{REPORT}/revision/1#" in text
    assert browser.get(f"{REPORT}/revision/3").headers["Location"] == REPORT
    assert "no revision 9" in page(browser, f"{REPORT}/revision/9", 404)


@pytest.mark.parametrize("path",
    ["/research/unknown/work", "/research/unknown/revisions", "/research/unknown/claim/C1",
                                  f"{REPORT}/claim/unknown",
                                  f"{REPORT}/source/{S3}?revision=7"])  # fmt: skip
def test_what_is_not_there_explains_itself(browser: Any, path: str) -> None:
    assert "What can be done" in page(browser, path, 404)


def test_nothing_is_changed_for_another_page_or_by_a_link(app: Any, fake: FakeEngine) -> None:
    client = app.test_client()
    client.get(REPORT)
    for action in ("exclude", "include", "deepen", "rescore", "replay", "recheck", "work/stop"):
        assert client.get(f"{REPORT}/{action}").status_code in (404, 405)
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-origin"}, {}):
            assert (
                client.post(f"{REPORT}/{action}", data={"source": S3}, headers=headers).status_code
                == 403
            )
    assert fake.steering.calls == []


def test_every_confidence_sign_leads_to_its_sum_and_says_who_judged(
    browser: Any, fake: FakeEngine
) -> None:
    html = page(browser, REPORT)
    assert f'class="conf" href="{REPORT}/claim/C1"' in html and "; judged by deberta-small" in html
    html = page(browser, f"{REPORT}/claim/C1")
    assert (
        "Why this confidence" in html
        and html.count("udged by deberta-small") == 1
        and "Confidence</th>" in html
    )
    assert f"{REPORT}/source/" in html and "Where the report says it" in html
    disputed = next(
        claim.claim_id for claim in fake.states[DONE].claims if claim.contradicting_evidence_ids
    )
    assert "Against it" in page(browser, f"{REPORT}/claim/{disputed}")


def test_a_statement_that_nobody_judged_has_its_sources_and_no_confidence(
    browser: Any, fake: FakeEngine
) -> None:
    state = fake.states[DONE]
    claims = tuple(
        replace(claim, confidence=None, level=None, indicator="", verifier="checks")
        for claim in state.claims
    )
    quality = replace(state.quality, overall_confidence=None)
    fake.states[DONE] = replace(state, claims=claims, quality=quality)
    html = page(browser, f"{REPORT}/claim/C1")
    assert (
        "Which sources say this" in html
        and "No judge checked this statement" in html
        and "3 independent sources" in html
    )
    assert "Confidence" not in html and 'class="conf"' not in html
    report = page(browser, REPORT)
    assert (
        'class="conf"' not in report
        and 'id="legend"' not in report
        and "overall confidence" not in report
    )
    assert "Confidence</dt><dd>not judged</dd>" in report
