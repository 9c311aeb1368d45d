"""The answer card in the terminal: first, whole, alone with --brief, and in the exit status."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from engine.models import Citation, Evidence
from tests.ui.terminal.conftest import SLEEP
from workflows.research.answer.model import (
    Answer,
    AnswerCard,
    AnswerItem,
    AnswerPart,
    AnswerPassage,
    Lead,
    OtherDocument,
    Searched,
    ShortAnswer,
)
from workflows.research.model import ClientReport

ANSI = re.compile(r"\x1b\[[0-9;]*m")
Run = Callable[..., Any]

ABSENT = Answer("not_found", "fact", absent_terms=("zeppelin",), searched=Searched(240, 9))


@pytest.mark.parametrize("more", [(), ("--json",), ("--brief",), ("--brief", "--json")])
def test_nothing_found_is_seen_by_a_script(zorora: Run, fake: Any, more: tuple[str, ...]) -> None:
    report_state = fake.states[SLEEP]
    silent = ClientReport("openalex", problem="openalex: no network", reason="unreachable")
    for state, status in (
        (report_state, 0),
        (replace(report_state, answer=ABSENT), 4),
        (replace(report_state, answer=ABSENT, sources=(), clients=(silent,)), 1),
    ):
        fake.result = state
        fake.asking = SimpleNamespace(
            quick=SimpleNamespace(search=lambda query, notify, result=state: result)
        )
        assert zorora("research", "tea", *more).code == status
        assert zorora("search", "tea", *more).code == status


def answered(fake: Any, **parts: Any) -> None:
    """Let the next report have an answer with a passage of the document and one of the network."""
    state = fake.states[SLEEP]
    evidence = (
        Evidence(
            "E1", "source5", "a" * 64, 0, 24, "Sleep keeps what we saw.", "", 0.0, "paragraph"
        ),
        Evidence("E2", "source1", "b" * 64, 0, 20, "Spindles are counted", "", 0.0, "list_item"),
        Evidence("E3", "source1", "b" * 64, 21, 31, "\x1b[2Jand dim", "", 0.0, "list_item"),
    )
    passage = AnswerPassage(Lead("Sleep keeps what we saw."), "paragraph", ("E1",),
        "Sleep keeps what we saw.",
                        marks=((0, 5),), heading_path=("Notes", "Night"), source_id="source5",
                        tag="S5",
                        strength="2024-05-01")  # fmt: skip
    two = AnswerPassage(Lead("Spindles are counted"), "list_item", ("E2", "E3"),
        "Spindles are counted\n\x1b[2Jand dim",
                        source_id="source1", tag="S1",
                        strength="one source, peer-reviewed")  # fmt: skip
    short = ShortAnswer("Sleep", (Citation("S5", "source5", "E1"),), "reader", 0.9)
    answer = replace(Answer("answered", "fact", short=short, passages=(passage, two)), **parts)
    fake.result = replace(state, answer=answer, evidence=evidence)


def test_the_answer_stands_first_with_its_passages_whole(zorora: Run, fake: Any) -> None:
    answered(fake)
    out = zorora("research", "q").out
    parts = ("Sleep [S5]", "Notes › Night", "  Sleep keeps what we saw.", "[S5] notes.md, "
                                                                          "2024-05-01",
             "  - Spindles are counted\n  - ␛[2Jand dim", "[S1] Sleep and the consolidation of "
                                                          "memory, Nature, 2024-05",
             "peer-reviewed", "Verdict: contested", "Sources")  # fmt: skip
    places = [out.index(part) for part in parts]
    assert places == sorted(places)


def test_brief_prints_the_answer_and_nothing_else(zorora: Run, fake: Any) -> None:
    answered(fake)
    ran = zorora("research", "q", "--brief")
    assert ran.out.startswith("Sleep [S5]\n\nNotes › Night\n") and ran.err == ""
    assert ran.out.endswith(
        "[S1] Sleep and the consolidation of memory, Nature, 2024-05, one source, peer-reviewed\n"
    )
    assert "Verdict" not in ran.out and SLEEP not in ran.out and "\x1b" not in ran.out
    long = AnswerPassage(
        Lead("word"), "paragraph", (), "word " * 100, source_id="source5", tag="S5"
    )
    answered(fake, passages=(long,))
    assert (
        max(map(len, zorora("research", "q", "--brief").out.splitlines())) > 490
    )  # a paragraph is a line
    assert zorora("research", "q", "--brief", "--format", "md").code == 2
    record = json.loads(zorora("research", "q", "--brief", "--json").out)
    assert list(record) == ["research_id", "original_query", "status", "answer", "sources"]
    assert record["answer"]["short"]["text"] == "Sleep"
    assert [source["tag"] for source in record["sources"]] == ["S5"]


def test_brief_colours_the_terminal_alone(zorora: Run, fake: Any) -> None:
    answered(fake)
    assert "\x1b[1m" in zorora("research", "q", "--brief", tty=True).out
    fake.result = replace(fake.result, answer=replace(ABSENT, closest=fake.result.answer.passages))
    ran = zorora("research", "q", "--brief")
    assert ran.code == 4
    assert ran.out.startswith(
        "Not found: “zeppelin” is in none of the 240 texts searched.\n\nClosest"
    )
    assert (
        "- Sleep keeps what we saw.\n  [S5] notes.md, 2024-05-01" in ran.out
        and "Night" not in ran.out
    )


def test_how_it_was_researched_is_shown_when_asked_for(zorora: Run) -> None:
    whole, short = zorora("show", SLEEP, "--all").out, zorora("show", SLEEP).out
    for part in ("Found but not read", "Set aside", "retracted 2010", "Quality"):
        assert part in whole and part not in short
    assert "Base: 0.85" in short and "not judged" not in short


def test_tables_code_items_and_cards_keep_their_form(zorora: Run, fake: Any) -> None:
    rows = ("Name | Value", "timeout | 30 s", "retries | 5")
    evidence = (
        Evidence("E1", "source5", "a" * 64, 0, 12, rows[0], "", 0.0, "context"),
        Evidence("E2", "source5", "a" * 64, 13, 27, rows[1], "", 0.0, "table_row"),
        Evidence("E3", "source5", "a" * 64, 28, 39, rows[2], "", 0.0, "table_row"),
        Evidence("E4", "source5", "a" * 64, 40, 60, "if ready:\n    go()", "", 0.0, "code"),
    )
    table = AnswerPassage(Lead("retries"), "table_row", ("E2", "E3"), "\n".join(rows), ("E1",),
        marks=((28, 35),),
                          source_id="source5", tag="S5")  # fmt: skip
    code = AnswerPassage(
        Lead("go()"),
        "code",
        ("E4",),
        "if ready:\n    go()",
        heading_path=("Timers",),
        source_id="source5",
        tag="S5",
    )
    card = AnswerCard("source5", "S5", "My notes", "2024", "local", (code,), ("sleep", "naps"))
    item = AnswerItem("Naps in May", "list_item", ("E2",), "source5", "S5")
    answered(fake, short=None, passages=(table,), items=(item,), cards=(card,))
    fake.result = replace(fake.result, evidence=evidence)
    out = zorora("research", "q", tty=True, width=100).out
    lines = [line.rstrip() for line in ANSI.sub("", out).splitlines()]
    assert "  Name      Value" in lines and "  retries   5" in lines
    assert lines[lines.index("    if ready:") - 1] == "Timers" and "        go()" in lines
    assert (
        "- Naps in May [S5]" in lines
        and "2024 · distinctive words: sleep, naps" in lines[lines.index("My notes") + 1]
    )
    narrow = ANSI.sub("", zorora("research", "q", tty=True, width=14).out)
    assert "Name: retries" in " ".join(narrow.split()) and "Value: 5" in " ".join(narrow.split())


def test_empty_cells_at_either_end_of_a_row_keep_their_place(zorora: Run, fake: Any) -> None:
    rows = ("| Adult | Child", "| 14 EUR | 7 EUR", "Night | 20 EUR |")
    ends = [sum(len(row) + 1 for row in rows[:number]) for number in range(4)]
    kinds = ("context", "table_row", "table_row")
    fares = tuple(
        Evidence(f"E{n}", "source5", "a" * 64, ends[n], ends[n + 1] - 1, row, "", 0.0, kinds[n])
        for n, row in enumerate(rows)
    )
    table = AnswerPassage(
        Lead("Night"), "table_row", ("E1", "E2"), "\n".join(rows), ("E0",), source_id="source5",
        tag="S5",
    )  # fmt: skip
    answered(fake, short=None, passages=(table,))
    fake.result = replace(fake.result, evidence=fares)
    out = ANSI.sub("", zorora("research", "q", tty=True, width=100).out)
    lines = [line.rstrip() for line in out.splitlines()]
    for line in ("          Adult    Child", "          14 EUR   7 EUR", "  Night   20 EUR"):
        assert line in lines


def test_groups_of_documents_have_names_and_the_first_of_the_others(zorora: Run, fake: Any) -> None:
    others = tuple(OtherDocument(f"Note {n}", "2024", f"note{n}.md") for n in range(14))
    cards = (
        AnswerCard("source5", "S5", "My notes", None, "local", group="Sleep, naps"),
        AnswerCard("source5", "S5", "My diary", None, "local", group="Sleep, naps", others=others),
        AnswerCard("source5", "S5", "My bills", None, "local", group="Rent"),
    )
    answered(fake, short=None, passages=(), cards=cards)
    for brief in ((), ("--brief",)):
        out = zorora("research", "q", *brief).out
        assert out.count("Sleep, naps (16 documents)") == 1 and "Rent (1 document)" in out
        assert "- Note 9, note9.md, 2024" in out and "Note 10" not in out
        assert "4 more: zorora show" in out


def test_the_answer_of_a_report_that_scrolls_away_is_told_again_below(
    zorora: Run, fake: Any
) -> None:
    answered(fake, short=None)
    out = ANSI.sub("", zorora("research", "q", tty=True).out)  # a terminal of 25 rows
    last = out.split("In short")[1]
    assert "- Sleep keeps what we saw. [S5]" in last and last.index("counted [S1]") < last.index(
        "again"
    )
    assert "In short" not in zorora("research", "q").out
    first, *others = fake.result.answer.passages
    answered(fake, short=None, passages=(replace(first, lead=Lead(first.lead.text[:11])), *others))
    cut = ANSI.sub("", zorora("research", "q", tty=True).out).split("In short")[1]
    assert f"- {first.lead.text[:11]}…" in cut
    absent = replace(ABSENT, closest=fake.result.answer.passages)
    fake.result = replace(fake.result, answer=absent)
    assert ANSI.sub("", zorora("research", "q", tty=True).out).count("Not found: ") == 2
    cut_off = replace(first, lead=Lead(first.lead.text[:11]))
    fake.result = replace(fake.result, answer=replace(ABSENT, closest=(cut_off,)))
    assert f"- {first.lead.text[:11]}…" in zorora("research", "q").out


def test_a_part_that_is_not_answered_is_said(zorora: Run, fake: Any) -> None:
    parts = (AnswerPart("Who slept?", "answered"), AnswerPart("Who paid?", "not_found"))
    answered(fake, status="partial", parts=parts)
    ran = zorora("research", "q")
    assert "Not found: Who paid?" in ran.out and ran.code == 0
