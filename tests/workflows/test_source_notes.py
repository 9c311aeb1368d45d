"""What is said of sources that gave nothing: one line at the head, advice for what a person can act
on."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from plain_deps import CLIENTS, World

from tests.tables import each
from tools.documents.model import Snapshot
from tools.sources.source import FetchedPage, Outcome, make_source
from workflows.research import pipeline
from workflows.research.gather.searches import Attempt, _record
from workflows.research.model import ClientReport, DeadEnd, RunConfig
from workflows.research.report.source_notes import (
    advice,
    all_silent,
    failure,
    reasons,
    unanswered,
    unread_pages,
)
from workflows.research.state import ResearchState

QUESTION = "Do grid-scale batteries lower evening electricity prices?"
STATE = ResearchState(QUESTION)
NO_NETWORK = "the name is not known (or there is no network); skipped"


def mute(names: Sequence[str], problem: str = "rate limited; skipped") -> tuple[ClientReport, ...]:
    reason = "unreachable" if problem == NO_NETWORK else "error"
    return tuple(
        ClientReport(n, requests=1, problem=f"{n}: {problem}", label=n, reason=reason)
        for n in names
    )


def test_services_that_did_not_answer_are_one_line_and_at_most_five_by_name() -> None:
    answering = ClientReport("openalex", 3, 3, answers=3, problem="OpenAlex: its 30 s were over")
    state = replace(STATE, clients=(*mute(["arXiv", "CORE"]), answering))
    assert unanswered(state) == ["Not every source answered: 2 of 3 did not (arXiv, CORE)."]
    assert reasons(state) == ["arXiv, CORE: rate limited."]
    many = replace(STATE, clients=(*mute([f"S{n}" for n in range(7)]), answering))
    assert unanswered(many) == [
        "Not every source answered: 7 of 8 did not (S0, S1, S2, S3, S4 and 2 more)."
    ]
    assert unanswered(replace(STATE, clients=(answering,))) == []


def test_without_a_network_no_list_of_services_is_printed() -> None:
    local = ClientReport("local", 2, 1, answers=1)
    sources = (make_source("local://1", "Notes", source_type="local", document_id="d1"),)
    state = replace(
        STATE, sources=sources, clients=(*mute([f"S{n}" for n in range(12)], NO_NETWORK), local)
    )
    assert unanswered(state) == ["You were offline, so only your own documents were searched."]


def test_an_offline_run_names_what_nothing_was_kept_from() -> None:
    report = ClientReport("openalex", 3, 3, answers=3)
    state = replace(
        STATE, config=RunConfig(offline=True), clients=(*mute(["arXiv"], "nothing is kept"), report)
    )
    (line,) = unanswered(state)
    assert line.endswith("nothing was kept from arXiv.") and "offline" in line


@pytest.mark.parametrize(
    ("reason", "offline", "message"),
    [
        (NO_NETWORK, False, "--sources local"),
        ("rate limited; skipped", False, "zorora sources --check"),
        ("nothing is kept of it", True, "without --offline"),
    ],
)
def test_when_nothing_could_be_asked_it_is_said_what_to_do(
    reason: str, offline: bool, message: str
) -> None:
    empty = ClientReport("local", answers=4)
    state = replace(
        STATE, config=RunConfig(offline=offline), clients=(*mute(["arXiv", "CORE"], reason), empty)
    )
    assert all_silent(state) and message in failure(state) and unanswered(state) == []
    assert not all_silent(
        replace(state, clients=(*state.clients, ClientReport("crossref", answers=1)))
    )
    assert not all_silent(replace(state, sources=(make_source("https://a.example/", "A"),)))


def read_of(count: int, unread: int) -> ResearchState:
    sources = [make_source(f"https://site{n}.example/", f"Page {n}") for n in range(count)]
    ids = [source.source_id for source in sources]
    snapshots = [Snapshot(key, key, "u", "text/html", "t", "e", "full", 9) for key in ids[unread:]]
    return replace(STATE, sources=tuple(sources), read=tuple(ids), snapshots=tuple(snapshots))


@each(
    ("count", "unread", "message"),
    [
        (20, 18, "the other 2 pages"), (20, 20, "abstracts alone"), (20, 10, "the other 10 pages"),
        (20, 9, ""),
        (3, 3, ""), (4, 2, "the other 2 pages"),
    ],
)  # fmt: skip
def test_the_head_of_a_report_says_when_most_pages_could_not_be_read(
    count: int, unread: int, message: str
) -> None:
    lines = unread_pages(read_of(count, unread))
    assert bool(lines) == bool(message)
    if lines:
        assert (
            lines[0].startswith(f"{unread} of {count} pages could not be read")
            and message in lines[0]
        )


def test_pages_that_could_not_be_read_are_told_before_everything_else() -> None:
    world = World(
        {
            f"Study {n}": ("wikipedia", f"Batteries lower evening prices by {n}%.")
            for n in range(2, 12)
        }
    )
    readable = {source.source_id for source in world.sources["wikipedia"][:2]}
    deps = world.deps()

    def fetch(source: object) -> FetchedPage:
        page = world.fetch(source)  # type: ignore[arg-type]
        closed = FetchedPage(
            page.source_id, page.url, problem="site.example: closed", reason="paywall"
        )
        return page if page.source_id in readable else closed

    state = pipeline.run(ResearchState(QUESTION), replace(deps, fetch=fetch), save=lambda *_: None)
    assert state.report is not None
    assert (
        state.report.notes[0]
        == "8 of 10 pages could not be read, so this report rests on the other 2 pages and on "
        "abstracts."
    )
    ends = [end for end in state.dead_ends if end.url]
    assert len(ends) == 8 and all(
        end.message.startswith("“Study ") and "site.example: closed" in end.message for end in ends
    )


@each(
    ("end", "message"),
    [
        (DeadEnd(None, "https://a.example", None, "paywall"), "add it to your documents"),
        (DeadEnd(None, "https://a.example", None, "error"), "Open the address yourself"),
        (DeadEnd("q", None, "arxiv", "error"), "zorora sources --check arxiv"),
        (DeadEnd("q", None, "arxiv", "no_results"), "Other words"),
        (
            DeadEnd("q", None, "arxiv", "no_results", "other", outcome="nothing either"),
            "Other words",
        ),
        (DeadEnd("q", None, "arxiv", "no_results", "other", outcome="3 hits", found=3), ""),
    ],
)
def test_a_dead_end_names_what_a_person_can_do(end: DeadEnd, message: str) -> None:
    assert (message in advice(end)) if message else advice(end) == ""


def test_what_was_never_asked_is_no_dead_end_and_no_failure_of_a_service_that_answered() -> None:
    arxiv, local = CLIENTS[0], CLIENTS[2]
    answered = Attempt("a", Outcome(arxiv.name, "a", (make_source("https://a.example/", "A"),)))
    attempts = [
        (arxiv, answered),
        *((arxiv,
            Attempt("b", Outcome(arxiv.name, "b", problem="X: stopped", reason=reason), reason))
          for reason in ("stopped", "offline", "budget")),
        (arxiv, Attempt("c", None)),
        (local, Attempt("a", Outcome(local.name, "a"), "no_results")),
    ]  # fmt: skip
    state = _record(STATE, attempts)
    assert state.dead_ends == ()
    reports = {report.client: report for report in state.clients}
    assert (
        reports["openalex"].problem,
        reports["openalex"].answers,
        reports["openalex"].unasked,
    ) == (None, 1, 1)
    assert reports["local"].answers == 1
    never = _record(STATE, attempts[1:2])
    assert never.clients[0].problem == "X: stopped" and never.dead_ends == ()
