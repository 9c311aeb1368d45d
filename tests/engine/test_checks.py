"""Checks of citations: kept in the record and in zorora.db, carried to other computers, never lost
by other marks."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.records import marking
from engine.records.storage import LocalStorage
from engine.reports.reader_page import uses_of
from engine.research_engine import ResearchEngine
from tests.ui.fake_research import SOURCES, finished
from tools.errors import NotFound, Refused
from workflows.research.model import Check

ONE = Check("s1", "The basin is 6.5 m deep, “planned”.", "no")


def test_a_check_is_in_the_record_and_in_the_database(tmp_path: Path) -> None:
    storage = LocalStorage(tmp_path / "zorora.db")
    name = storage.save_research(finished())
    storage.mark(name, lambda user: replace(user, checks=marking.checked(user.checks, ONE)))
    storage.note(name, "Another note.")
    state = storage.load_research(name)
    assert state is not None and state.user.checks == (ONE,) and state.user.note == "Another note."
    storage.save_research(replace(finished(), revision=2))
    again = storage.load_research(name)
    assert again is not None and again.user.checks == (ONE,)
    storage.record_path(name).unlink()
    remains = storage.load_research(name)
    assert remains is not None and remains.user.checks == (ONE,)
    storage.close()


def test_a_source_is_checked_where_the_report_cites_it_and_nowhere_else(home: Path) -> None:
    source_id = SOURCES["S1"].source_id
    (use, text), *_ = uses_of(finished(), source_id)
    with ResearchEngine(home=home, environ={}) as engine:
        name = engine._opened.storage.save_research(finished())
        engine.steering.check(name, source_id, use, "no")
        state = engine.load_research(name)
        with pytest.raises(NotFound, match="no such sentence"):
            engine.steering.check(name, source_id, "p99", "no")
    assert state is not None and state.user.checks == (Check(source_id, text, "no"),)


def test_a_new_check_replaces_the_one_before_and_an_empty_mark_takes_it_back() -> None:
    other = replace(ONE, source_id="s2")
    both = marking.checked((ONE,), other)
    assert marking.checked(both, replace(ONE, mark="yes")) == (other, replace(ONE, mark="yes"))
    assert marking.checked(both, replace(ONE, mark="")) == (other,)


@pytest.mark.parametrize(
    "bad",
    [replace(ONE, mark="perhaps"), replace(ONE, text="x" * 30_000)],
)
def test_checks_of_a_record_from_elsewhere_that_are_none_are_refused(bad: Check) -> None:
    with pytest.raises(Refused):
        marking.checks((bad,))
