"""The trajectory does not tell which thread was faster."""

from itertools import permutations

from workflows.research.events import Event
from workflows.research.trail import ordered

EVENTS = (
    Event("source_answered", "aggregate", "A: 1 hit.", {"client": "a", "query": "q"}),
    Event("note", "aggregate", "B takes over.", {"client": "b"}),
    Event("source_answered", "aggregate", "B: 2 hits.", {"client": "b", "query": "q"}),
)


def test_what_clients_say_at_the_same_time_stands_in_one_order() -> None:
    orders = {tuple(e.message for e in ordered(order)) for order in permutations(EVENTS)}
    assert len(orders) == 1


def test_notes_of_the_run_itself_keep_their_place() -> None:
    before, after = (
        Event("note", "aggregate", "Z first.", {}),
        Event("note", "aggregate", "A last.", {}),
    )
    messages = [e.message for e in ordered([before, *EVENTS, after])]
    assert (messages[0], messages[-1]) == ("Z first.", "A last.")
