"""Asking a report further: with and without scripts, streamed, broken off, from outside."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from engine.models import Report, ResearchState, Turn
from tests.engine.pretend import wait_for
from tests.ui import fake_research
from tests.ui.fake_engine import RUNNING, FakeEngine

DONE = fake_research.finished().research_id
ADDRESS = f"/research/{DONE}/follow"


def streamed(answer: Any) -> list[tuple[str, Any]]:
    """The events of a stream."""
    text = answer.text
    return [
        (name, json.loads(data)) for name, data in re.findall(r"event: (\w+)\ndata: (.*)\n\n", text)
    ]


def test_a_form_without_scripts_leads_back_to_the_answer(browser: Any, fake: FakeEngine) -> None:
    answer = browser.post(ADDRESS, {"q": "And in spring?"})
    assert answer.status_code == 303 and answer.headers["Location"].endswith(
        f"/research/{DONE}#turn-1"
    )
    html = browser.get(f"/research/{DONE}").text
    turn = html[html.index('id="turn-1"') :]
    assert "And in spring?" in turn
    assert (
        'id="t1-p1"' in turn and f"/research/{DONE}/source/" in turn
    )  # an answer like that of the report
    assert len(re.findall(r' id="([^"]+)"', html)) == len(set(re.findall(r' id="([^"]+)"', html)))


def test_with_scripts_the_answer_comes_in_pieces_and_then_whole(
    browser: Any, fake: FakeEngine
) -> None:
    answer = browser.post(
        ADDRESS, {"q": "And in <b>spring</b>?"}, headers={"Accept": "text/event-stream"}
    )
    assert answer.mimetype == "text/event-stream" and "no-store" in answer.headers["Cache-Control"]
    events = streamed(answer)
    assert [name for name, _ in events] == ["step", "piece", "done"]
    first = fake_research.ANSWER.passages[0].text
    assert events[0][1] == "Writing the answer." and events[1][1].strip() == first
    assert "And in &lt;b&gt;spring&lt;/b&gt;?" in events[2][1] and 'id="t1-p1"' in events[2][1]


def test_what_no_text_answers_offers_to_search_further(browser: Any, fake: FakeEngine) -> None:
    browser.post(ADDRESS, {"q": "Something unknown?"})
    html = browser.get(f"/research/{DONE}").text
    assert (
        'value="Something unknown?"' in html
        and "Not found: “unknown” is in none of the 6 texts" in html
    )
    answer = browser.post(ADDRESS, {"q": "Something unknown?", "to": "further"})
    assert answer.status_code == 303 and answer.headers["Location"].endswith(f"/research/{DONE}")
    assert fake.calls[-1] == ("further", DONE, "Something unknown?")
    notice = browser.get(f"/research/{DONE}").text
    assert (
        "Searching further for “Something unknown?”. The answer will appear below the report."
        in notice
    )


def test_a_question_can_be_taken_to_the_first_page(browser: Any) -> None:
    answer = browser.post(ADDRESS, {"q": "Cost?", "to": "new", "depth": "3"})
    assert answer.status_code == 303 and answer.headers["Location"].endswith("/?q=Cost?&depth=3")


@pytest.mark.parametrize("accept", ["text/html", "text/event-stream"])
def test_questions_that_cannot_be_asked_are_answered_in_words(browser: Any, accept: str) -> None:
    headers = {"Accept": accept}
    assert browser.post(ADDRESS, {"q": "   "}, headers=headers).status_code == 400
    long = browser.post(ADDRESS, {"q": "x" * 100_000}, headers=headers)
    assert long.status_code == 400 and "100,000 characters" in long.text


@pytest.mark.parametrize("research_id", ["never_asked", RUNNING])
def test_an_unknown_research_is_said_to_be_unknown(browser: Any, research_id: str) -> None:
    assert browser.post(f"/research/{research_id}/follow", {"q": "Why?"}).status_code == 404
    answer = browser.post(
        f"/research/{research_id}/follow", {"q": "Why?"}, headers={"Accept": "text/event-stream"}
    )
    assert "no finished report" in dict(streamed(answer))["problem"]


def test_another_page_cannot_ask(browser: Any, fake: FakeEngine) -> None:
    answer = browser.post(ADDRESS, {"q": "Why?"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert fake.states[DONE].conversation == ()


def test_a_page_that_is_closed_stops_the_answer(browser: Any, fake: FakeEngine) -> None:
    fake.asking.waits.clear()
    answer = browser.post(
        ADDRESS, {"q": "Why?"}, headers={"Accept": "text/event-stream"}, buffered=False
    )
    pieces = answer.iter_encoded()
    assert b"asked" in next(pieces)
    answer.close()
    wait_for(lambda: fake.asking.stopped)
    assert fake.asking.stopped == 1
    assert fake.states[DONE].conversation == ()


def test_a_conversation_has_a_page_that_says_that_nothing_was_checked(
    browser: Any, fake: FakeEngine
) -> None:
    note = "A conversation with a model. Nothing was searched, and nothing in it was checked."
    turn = Turn(
        "2026-10-15T08:00:00Z",
        "What is a mill?",
        text="A <b>mill</b>.\n\nIt grinds.",
        model="small",
    )
    report = Report("What is a mill?", notes=(note,))
    fake.states[DONE] = ResearchState(
        "What is a mill?", DONE, status="complete", kind="ask", report=report, conversation=(turn,)
    )
    html = browser.get(f"/research/{DONE}").text
    assert (
        "A &lt;b&gt;mill&lt;/b&gt;." in html
        and note in html
        and "nothing was searched or checked" in html
    )
    assert (
        "checked against the texts" not in html
        and "Search further" not in html
        and "credibility" not in html.lower()
    )


def test_a_page_says_who_wrote_an_answer_what_it_took_and_what_did_not_pass(
    browser: Any, fake: FakeEngine
) -> None:
    browser.post(ADDRESS, {"q": "And in spring?"})
    state = fake.states[DONE]
    turn = replace(state.conversation[-1], refused=2, calls=3, tokens_in=900, tokens_out=100)
    fake.states[DONE] = replace(state, conversation=(turn,))
    html = browser.get(f"/research/{DONE}").text
    assert (
        "Quoted, because none of the 2 sentences that a model wrote passed. 3 model calls, "
        "1\u202f000 tokens." in html
    )
    fake.states[DONE] = replace(state, conversation=(replace(turn, model="small", refused=1),))
    html = browser.get(f"/research/{DONE}").text
    assert "1 of its sentences did not pass and was left out. 3 model calls" in html
