"""The progress page tells what is going on, and how long it may still take."""

from dataclasses import replace
from typing import Any

from engine.answers import ClientStatus, JobStatus, LoggedEvent
from engine.reports.figures import used_by_requests
from tests.ui.fake_engine import RUNNING
from ui.web.views.progress_view import (
    phase_seconds,
    progress,
    reading,
    remaining,
    writing,
    written,
)


def event(seq: int, at: float, kind: str, phase: str = "aggregate", **data: Any) -> LoggedEvent:
    return LoggedEvent(kind, phase, "", data, at, seq=seq)


def test_what_is_being_read_are_the_pages_that_have_not_come_yet() -> None:
    events = [event(1, 1, "page_asked", source_id="a", title="First"),
              event(2, 1, "page_asked", source_id="b", url="u"),
              event(3, 2, "page_fetched", source_id="a", ok=True)]  # fmt: skip
    assert reading(events) == ("u",)
    assert reading([*events, event(4, 3, "phase_started", "follow")]) == ()


def test_time_left_is_said_roughly_and_only_where_the_past_tells() -> None:
    job = JobStatus("r", "q", "running", 2, "", elapsed=20.0)
    assert remaining(job) == ""
    assert remaining(replace(job, expected=48.0)) == "about 30 s left"
    assert remaining(replace(job, expected=21.0)) == "about 5 s left"
    assert remaining(replace(job, expected=12.0)) == "longer than the usual 12 s"
    assert (
        remaining(replace(job, status="queued", elapsed=0.0, expected=48.0))
        == "about 48 s once it starts"
    )
    assert remaining(replace(job, status="waiting_for_input", expected=48.0)) == ""


def test_the_time_of_a_phase_is_the_sum_of_its_rounds() -> None:
    events = [event(1, 2, "phase_started"), event(2, 12, "phase_started", "follow"),
        event(3, 15, "phase_started"),
              event(4, 20, "phase_started", "cross_reference")]  # fmt: skip
    assert phase_seconds(events, 26.0) == {"aggregate": 15.0, "follow": 3.0, "cross_reference": 6.0}
    assert phase_seconds([], 5.0) == {}


def test_every_client_that_may_be_asked_has_its_row_from_the_beginning() -> None:
    clients = [ClientStatus("a", "A", "academic", True, False, False),
               ClientStatus("k", "K", "academic", True, True, False),
               ClientStatus("b", "B", "web", True, False, False),
               ClientStatus("c", "C", "academic", False, False, False)]  # fmt: skip
    job = JobStatus("r", "q", "running", 2, "", sources=("academic", "local"))
    view = progress(
        job, [event(1, 1, "source_answered", client="x", found=3, seconds=1.0)], None, clients
    )
    assert [(row.label, row.state) for row in view.clients] == [
        ("A", ""),
        ("K", "no key"),
        ("Your documents", ""),
        ("x", "answered"),
    ]


def test_the_reason_of_a_client_does_not_name_it_again() -> None:
    job = JobStatus("r", "q", "running", 2, "", sources=("academic",))
    answer = event(
        1,
        1,
        "source_answered",
        client="a",
        label="A",
        found=0,
        problem="A: there is no network; skipped",
    )
    (row,) = progress(
        job, [answer], None, [ClientStatus("a", "A", "academic", True, False, False)]
    ).clients
    assert (row.state, row.problem) == ("failed", "there is no network")


def test_what_is_written_is_shown_as_it_passes_in_the_order_of_the_report() -> None:
    def passed(seq: int, text: str, section: int, heading: str = "") -> LoggedEvent:
        return event(
            seq,
            1,
            "sentence_passed",
            "synthesis",
            text=text,
            tags=["S1", "S2"],
            section=section,
            heading=heading,
        )

    note = LoggedEvent(
        "note",
        "synthesis",
        "Writing section 1 of 2: Costs.",
        {"section": 1, "sections": 2},
        1,
        seq=1,
    )
    events = [
        passed(2, "It costs 3.", 1, "Costs"),
        note,
        passed(3, "It works.", 0),
        passed(4, "It works.", 0),
    ]
    assert writing(events) == "Writing section 1 of 2: Costs."
    assert written(events) == (
        ("", ["It works. [S1][S2]"]),
        ("Costs", ["It costs 3. [S1][S2]"]),
    )
    assert writing([*events, event(5, 2, "synthesis_finished", "synthesis")]) == ""
    assert written([]) == () and writing([]) == ""


def test_what_models_take_is_counted_while_they_work() -> None:
    events = [
        event(1, 1, "model_asked", calls=2, tokens_in=1000, tokens_out=200, cost=None),
        event(2, 1, "model_asked", calls=1, tokens_in=100, tokens_out=0, cost=0.25),
    ]
    use = ["3 model calls", "1\u202f300 tokens", "0.2500 paid"]
    job = JobStatus("r", "q", "running", 2, "")
    assert progress(job, events, None, []).counts == tuple(use)
    assert used_by_requests([events[0].data]) == ["2 model calls", "1\u202f200 tokens"]
    assert used_by_requests([]) == []


def test_the_page_shows_what_is_written_with_and_without_scripts(browser: Any) -> None:
    for address in (f"/research/{RUNNING}", f"/research/{RUNNING}/progress"):
        assert "Batteries &lt;b&gt;cover&lt;/b&gt; the sunset. [S1]" in browser.get(address).text
