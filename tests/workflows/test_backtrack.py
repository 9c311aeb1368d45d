"""What is tried instead of a search or a page that led nowhere, once, and what the record says of
it."""

import itertools
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from plain_deps import CLIENTS, World
from test_pipeline import QUESTION, research

from tests.tables import each
from tools.sources.source import ClientInfo, FetchedPage, Outcome, Source, make_source
from tools.text.tokens import stem
from workflows.research.gather import searches
from workflows.research.gather.aggregate import hand_out
from workflows.research.gather.backtrack import instead, synonyms
from workflows.research.gather.searches import LATE, Errand, ask, ask_all
from workflows.research.model import DeadEnd, Search, Understanding
from workflows.research.state import ResearchState

ABOUT = Understanding(primary_anchor="grid batteries", anchor_terms=("evening", "prices"))
KNOWN = tuple(
    make_source(f"https://{n}.example/", title, source_type="academic")
    for n, title in enumerate(
        ["Grid batteries and prices", "Batteries, prices, evening", "Cost of storage"]
    )
)
STATE = ResearchState(QUESTION, understanding=ABOUT, sources=KNOWN)


@each(
    ("query", "expected"),
    [
        ('"grid batteries" evening prices', "grid batteries evening prices"),
        (
            "grid batteries evening prices",
            "grid batteries prices",
        ),  # one source says evening, two say prices
        ("grid batteries photovoltaics prices", "grid batteries prices"),
        ("grid batteries", "grid accumulator"),
        ("grid", None),
    ],
)
def test_a_search_that_finds_nothing_is_made_wider(query: str, expected: str | None) -> None:
    assert instead(query, "no_results", STATE, ()) == expected


def test_what_was_tried_is_not_tried_again() -> None:
    assert (
        instead('"grid batteries"', "no_results", STATE, {"grid batteries"}) == "grid accumulator"
    )
    assert (
        instead(
            "zyxt",
            "no_results",
            replace(STATE, understanding=Understanding(primary_anchor="zyxt")),
            (),
        )
        is None
    )


@each(
    ("query", "expected"),
    [
        ("network charges", "grid batteries evening prices network charges"),
        ("grid batteries prices", "evening grid batteries prices"),
        ("grid batteries evening prices", '"grid batteries" evening prices'),
        ('"grid batteries" evening prices', None),
    ],
)
def test_a_search_beside_the_point_gets_the_anchors(query: str, expected: str | None) -> None:
    assert instead(query, "irrelevant", STATE, ()) == expected


def test_an_alternative_says_nothing_twice_and_asks_nothing_that_was_asked_in_other_words() -> None:
    state = replace(STATE, understanding=Understanding(primary_anchor="risk toxic algae lakes"))
    question = "What is the risk of toxic algae in lakes?"
    assert instead(question, "irrelevant", state, ()) == '"risk toxic algae lakes"'
    # The subject already holds all of it: this would be the question again
    assert (
        instead("toxic algae, lakes", "irrelevant", state, {question, '"risk toxic algae lakes"'})
        is None
    )


def test_what_an_earlier_round_asked_is_no_alternative() -> None:
    desk = Desk({})
    source = replace(
        STATE,
        asked=(
            Search("openalex", "grid batteries prices"),
            Search("arxiv", "grid accumulator evening prices"),
        ),
    )
    deps = replace(World({}).deps(), search=desk.search)
    ask(errand("grid batteries evening prices", most=3), source, deps, [])
    assert desk.requests == ["grid batteries evening prices", "grid accumulator evening prices"]


def test_no_word_is_its_own_synonym() -> None:
    assert len(synonyms()) > 150 and all(stem(other) != word for word, other in synonyms().items())


class Desk:
    """A client that finds what it is told to."""

    def __init__(self, hits: dict[str, Sequence[Source]]) -> None:
        self.hits = hits
        self.requests: list[str] = []

    def search(self, client: str, query: str, limit: int) -> Outcome:
        self.requests.append(query)
        return Outcome(client, query, tuple(self.hits.get(query, ())))


def errand(*queries: str, most: int) -> Errand:
    return Errand(ClientInfo("openalex", "OpenAlex", "academic", 6, 5.0, 20), queries, most)


def test_the_alternative_comes_at_once_and_before_less_important_queries() -> None:
    desk = Desk({"grid batteries prices": KNOWN[:1], "second": KNOWN[1:2]})
    deps = replace(World({}).deps(), search=desk.search)
    attempts = ask(
        errand("grid batteries evening prices", "second", "third", most=3), STATE, deps, []
    )
    assert desk.requests == ["grid batteries evening prices", "grid batteries prices", "second"]
    assert [(a.query, a.reason, a.instead) for a in attempts] == [
        ("grid batteries evening prices", "no_results", "grid batteries prices"),
        ("second", None, None),
        ("third", None, None),
    ]  # fmt: skip
    assert attempts[0].second and attempts[0].second.sources and attempts[2].outcome is None


def test_an_alternative_that_the_budget_does_not_allow_is_not_tried() -> None:
    desk = Desk({})
    (attempt,) = ask(
        errand("grid batteries evening prices", most=1),
        STATE,
        replace(World({}).deps(), search=desk.search),
        [],
    )
    assert (
        attempt.instead == "grid batteries prices"
        and attempt.second is None
        and len(desk.requests) == 1
    )
    assert attempt.untried == "not tried, the budget of this depth was used up"


def test_what_there_was_no_time_for_is_not_said_to_be_over_the_budget() -> None:
    desk = Desk({"second": KNOWN[:1]})
    tick = itertools.count(step=2.0)  # seconds: each look at the clock is two later
    deps = replace(World({}).deps(), search=desk.search, clock=lambda: next(tick))
    slow = errand("grid batteries evening prices", "second", "third", most=9)
    attempts = ask(replace(slow, client=replace(slow.client, deadline=3.0)), STATE, deps, [])
    assert desk.requests == ["grid batteries evening prices"]
    assert attempts[0].untried == "not tried, the time of the service was over"
    assert [(attempt.query, attempt.outcome, attempt.reason) for attempt in attempts[1:]] == [
        ("second", None, LATE),
        ("third", None, LATE),
    ]
    state = searches._record(STATE, [(slow.client, attempt) for attempt in attempts])
    assert (state.clients[0].unasked, state.clients[0].late) == (0, 2)
    assert not any(search.query == "second" for search in state.asked)  # the next round may ask it
    (end,) = state.dead_ends
    assert end.outcome == "not tried, the time of the service was over"


def test_what_a_client_found_before_its_deadline_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "_DEADLINE_SLACK", 0.0)
    desk, released = Desk({"grid batteries": KNOWN[:2]}), threading.Event()

    def search(client: str, query: str, limit: int) -> Outcome:
        if query == "second":
            released.wait(60)
        return desk.search(client, query, limit)

    deps = replace(World({}).deps(), search=search, clock=time.monotonic)
    slow = errand("grid batteries", "second", "third", most=3)
    slow = replace(slow, client=replace(slow.client, deadline=0.3))
    state, hits = ask_all(STATE, [slow], deps)
    released.set()
    assert [len(outcome.sources) for _, outcome in hits] == [2, 0]
    assert [report.found for report in state.clients] == [2]
    assert "OpenAlex: no further answer within 0 s; what it found before is kept." in [
        dead.outcome for dead in state.dead_ends
    ] + [report.problem for report in state.clients]
    assert [(report.unasked, report.late) for report in state.clients] == [(0, 1)]
    assert desk.requests[0] == "grid batteries" and "third" not in desk.requests


def test_hits_beside_the_point_are_a_dead_end_with_an_alternative(world: World) -> None:
    cooking = make_source("https://cook.example/", "Butter and cream", snippet="Churning milk.")
    desk = Desk({})
    plain = world.search

    def search(client: str, query: str, limit: int) -> Outcome:
        if client == "openalex":
            desk.requests.append(query)
            return Outcome(client, query, (cooking,))
        return plain(client, query, limit)

    state = research(world, deps=replace(world.deps(), search=search), depth=1)
    ends = [
        end for end in state.dead_ends if end.client == "openalex" and end.reason == "irrelevant"
    ]
    assert ends and ends[0].message.startswith("OpenAlex: only hits beside the point on “")
    assert ends[0].alternative in desk.requests and ends[0].outcome == "1 hit"
    assert len(desk.requests) <= CLIENTS[0].budget


def test_every_alternative_has_an_outcome_at_the_end(world: World) -> None:
    state, _ = closed(world, "paywall")
    tried = [end for end in state.dead_ends if end.alternative]
    assert tried and all(end.outcome for end in tried)
    record: dict[str, Any] = state.to_dict()
    assert ResearchState.from_dict(record).dead_ends == state.dead_ends


def closed(world: World, reason: str) -> tuple[ResearchState, list[tuple[str, str]]]:
    """A research at depth 2 in which the page of the study leads nowhere; and every search."""
    study = world.sources["openalex"][0]
    fetch = world.fetch

    def shut(source: Source) -> FetchedPage:
        if source.source_id == study.source_id:
            return FetchedPage(source.source_id, source.url, problem="It is closed.", reason=reason)
        return fetch(source)

    brave = ClientInfo("brave", "Brave", "web", 6, 5.0, 10)
    deps = replace(
        world.deps(enough_coverage=1.1, voices_for_coverage=9), clients=(*CLIENTS, brave)
    )
    world.sources["brave"] = []
    return research(world, deps=replace(deps, fetch=shut)), world.searches


def test_behind_a_paywall_the_work_is_looked_for_on_other_domains(world: World) -> None:
    state, searches = closed(world, "paywall")
    (end,) = [end for end in state.dead_ends if end.url and end.reason == "paywall"]
    assert (
        end.alternative == "University study -site:site1.example"
        and end.outcome == "nothing either"
    )
    assert searches.count(("brave", end.alternative)) == 1


def test_a_page_without_text_is_replaced_by_a_search_with_the_anchors(world: World) -> None:
    state, searches = closed(world, "irrelevant")
    (end,) = [end for end in state.dead_ends if end.url and end.reason == "irrelevant"]
    assert (
        end.alternative
        and "University study" in end.alternative
        and ("brave", end.alternative) in searches
    )


def test_an_open_copy_is_the_alternative_where_one_is_known(world: World) -> None:
    study = world.sources["openalex"][0]
    fetch = world.fetch

    def closed_page(source: Source) -> FetchedPage:
        page = fetch(source)
        same = source.source_id == study.source_id
        return replace(page, snapshot=None, problem="Closed.", reason="paywall") if same else page

    for readable in (True, False):
        tried: list[Sequence[str]] = []
        shut = FetchedPage(
            study.source_id, study.url, problem="Closed.", reason="paywall", exhausted=True
        )

        def copy(source: Source, urls: Sequence[str]) -> FetchedPage:
            tried.append(urls)  # noqa: B023
            return fetch(source) if readable else shut  # noqa: B023

        deps = replace(
            world.deps(), copies=lambda sources: [("https://open.example/",)] * len(sources)
        )
        state = research(world, deps=replace(deps, fetch=closed_page, fetch_copy=copy))
        ends = [end for end in state.dead_ends if end.url == study.url]
        assert tried == [("https://open.example/",)]
        assert [(end.alternative, end.outcome) for end in ends] == (
            [] if readable else [("an open copy", "none could be read")]
        )


def test_what_is_not_credible_sends_the_search_to_public_and_scholarly_pages(world: World) -> None:
    press = world.sources["wikipedia"][0]
    poor = World(
        world_texts(world), score=lambda source: 0.2 if source.title == press.title else 0.7
    )
    state, searches = closed(poor, "none")
    (end,) = [end for end in state.dead_ends if end.reason == "low_credibility"]
    assert end.client == "wikipedia" and "scores 0.20; below 0.35" in end.message
    assert end.alternative and end.alternative.endswith("site:.gov OR site:.edu")
    assert ("brave", end.alternative) in searches


def world_texts(world: World) -> dict[str, tuple[str, str]]:
    return {
        source.title: (client, world.texts[world.by_id[source.source_id]])
        for client, sources in world.sources.items()
        for source in sources
    }


def test_pages_have_two_searches_a_round_and_the_others_say_so() -> None:
    ends = tuple(
        DeadEnd(None, f"https://{n}.example/", None, "paywall", f"T{n} -site:{n}.example")
        for n in range(4)
    )
    state = replace(STATE, dead_ends=ends, round=2)
    clients = (ClientInfo("brave", "Brave", "web", 6, 5.0, 10),)
    _, (search,) = hand_out(state, clients, ("plain",), replace(World({}).deps(), clients=clients))
    assert search.queries == ("T0 -site:0.example", "T1 -site:1.example", "plain")


def test_switched_off_nothing_is_tried_otherwise(world: World) -> None:
    state = research(world, deps=world.deps(backtracking=False))
    assert not any(end.alternative for end in state.dead_ends)
