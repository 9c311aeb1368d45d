"""A record that was changed says something that its texts do not: opening it says so, and the
doctor finds it."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.answers import OK, PROBLEM, Check, RunOptions
from engine.maintenance import doctor
from engine.records import verifying
from engine.records.quotations import Unresolved, unresolved
from engine.research_engine import ResearchEngine
from tests.web_app import web_app
from tools.documents.snapshots import SnapshotFiles
from ui.terminal.main import main
from workflows.research.model import Claim
from workflows.research.report.model import Citation, Sentence, Turn

TEXT = (
    "# Storage\n\nBatteries lowered the winter evening price by 9% in 2024.\n\nPumped hydro did "
    "not change it.\n"
)
SETTINGS = {"embeddings.enabled": False}
Edit = Callable[[Any], None]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A home with a finished research over one document, to be copied; and the id of the
    research."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "storage.md").write_text(TEXT)
    options = RunOptions(
        sources=("local",), depth=1, docs=(str(folder / "storage.md"),), clarify=False
    )
    with ResearchEngine(home=folder / "home", environ={}, overrides=SETTINGS) as engine:
        return folder / "home", engine.run(
            "How did batteries change evening prices?", options
        ).research_id


@pytest.fixture
def engine(home: Path, finished: tuple[Path, str]) -> Iterator[ResearchEngine]:
    shutil.copytree(finished[0], home)
    with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
        yield engine


@pytest.fixture
def research_id(finished: tuple[Path, str]) -> str:
    return finished[1]


def edited(engine: ResearchEngine, research_id: str, edit: Edit) -> None:
    """Change the record as an editor would."""
    path = engine.record_path(research_id)
    record = json.loads(path.read_bytes())
    edit(record)
    path.write_text(json.dumps(record, ensure_ascii=False))


def everywhere(node: Any, only: str) -> None:
    """8% for 9% in every text of this key below a node."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == only and isinstance(value, str):
                node[key] = value.replace("9%", "8%")
            else:
                everywhere(value, only)
    elif isinstance(node, list):
        for child in node:
            everywhere(child, only)


def shifted(record: Any) -> None:
    for passage in record["evidence"]:
        passage["start"] += 1
        passage["end"] += 1


def all_of_it(record: Any) -> None:
    for key in ("quote", "text", "claim", "synthesis"):
        everywhere(record, key)


EDITS: dict[str, Edit] = {
    "the passage": lambda record: everywhere(record["evidence"], "quote"),
    "the answer": lambda record: everywhere(record["answer"], "text"),
    "the statement": lambda record: everywhere(record["claims"], "text"),
    "the finding": lambda record: everywhere(record["findings"], "claim"),
    "the text of the report": lambda record: everywhere(record, "synthesis"),
    "all of it alike": all_of_it,
    "the place of the passage": shifted,
}


@pytest.mark.lab
@pytest.mark.parametrize("what", EDITS)
def test_opening_a_changed_record_says_so_everywhere(
    engine: ResearchEngine, research_id: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    edited(engine, research_id, EDITS[what])
    state = engine.load_research(research_id)
    assert state is not None and state.report is not None
    note = state.report.notes[0]
    assert (
        "do not stand in the stored texts: “" in note
        or "does not stand in the stored texts: “" in note
    )
    assert "The record was changed after it was written; do not rely on it." in note
    assert "price by" in note  # the sentence itself is named
    page = web_app(engine).test_client().get(f"/research/{research_id}").get_data(as_text=True)
    assert "do not rely on it" in page
    assert main(["--home", str(engine.config.home), "show", research_id]) == 0
    assert "do not rely on it" in " ".join(capsys.readouterr().out.split())
    for form in ("md", "html"):
        assert "do not rely on it" in engine.export(research_id, form).data.decode()
    assert (
        b"do not rely on it" not in engine.export(research_id, "json").data
    )  # the record goes out as it is
    (check,) = [check for check in engine.upkeep.doctor() if check.name == "records"]
    assert check.state == PROBLEM and engine.record_path(research_id).name in check.message
    assert [
        check.state for check in engine.upkeep.doctor(quick=True) if check.name == "records"
    ] == [PROBLEM]


def test_a_record_as_it_was_written_resolves_whole(
    engine: ResearchEngine, research_id: str
) -> None:
    state = engine.load_research(research_id)
    assert state is not None and state.evidence and state.report is not None
    assert state.answer is not None and "9%" in state.answer.passages[0].lead.text
    assert unresolved(state, engine._opened.text_or_none) == Unresolved()
    assert state == engine._opened.storage.load_research(research_id)
    checks = {check.name: check for check in engine.upkeep.doctor()}
    assert checks["records"].message == "1 record; every quotation stands in its text."
    assert checks["texts"].state == OK


def test_marks_notes_and_questions_are_no_change(engine: ResearchEngine, research_id: str) -> None:
    engine.star(research_id)
    engine.note(research_id, "8% or 9%?")
    engine.follow_up(research_id, "By how much did batteries lower the price?")
    state = engine.load_research(research_id)
    assert state is not None and state.conversation
    assert unresolved(state, engine._opened.text_or_none) == Unresolved()


def test_texts_that_are_gone_or_damaged_are_said_apart(
    engine: ResearchEngine, research_id: str
) -> None:
    files = SnapshotFiles(engine.config.paths.snapshots)
    state = engine._opened.storage.load_research(research_id)
    assert state is not None
    for snapshot in state.snapshots:
        files.path(snapshot.snapshot_id).write_bytes(b"rubbish")
    with ResearchEngine(home=engine.config.home, environ={}) as again:
        record = again.load_research(research_id)
        assert record is not None and record.report is not None
        assert f"{len(state.evidence)} quotation" in record.report.notes[0]
        assert (
            "cannot be checked" in record.report.notes[0]
            and "gone or damaged" in record.report.notes[0]
        )


def test_a_sentence_that_cites_a_passage_of_nowhere_is_changed(
    engine: ResearchEngine, research_id: str
) -> None:
    state = engine._opened.storage.load_research(research_id)
    assert state is not None
    result = unresolved(replace(state, evidence=()), engine._opened.text_or_none)
    assert result.changed and result.missing == 0


def test_the_doctor_shows_how_far_it_is_and_a_sample_is_enough_for_a_quick_look(
    engine: ResearchEngine, research_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = engine.record_path(research_id)
    record = json.loads(path.read_bytes())
    for number in range(9):
        engine.import_record(
            json.dumps({**record, "research_id": f"copy_{number}_20250101_000000"}).encode()
        )
    steps: list[tuple[str, int, int]] = []
    checks = {
        check.name: check
        for check in engine.upkeep.doctor(progress=lambda *check: steps.append(check))
    }
    assert [step for step in steps if step[0] == "record"] == [
        ("record", number, 10) for number in range(1, 11)
    ]
    assert checks["records"].message.startswith("10 records;")
    monkeypatch.setattr(verifying, "SAMPLE", 4)
    quick = {check.name: check for check in engine.upkeep.doctor(quick=True)}
    assert (
        quick["records"].message == "4 of 10 records looked at; every quotation stands in its text."
    )
    monkeypatch.setattr(verifying, "SECONDS", -1.0)
    late = {check.name: check for check in engine.upkeep.doctor()}
    assert late["records"].message.startswith("0 of 10 records looked at")


def test_the_command_takes_a_sample_when_asked(
    engine: ResearchEngine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_looks: list[bool] = []

    def checks(config: object, *, quick: bool, progress: object) -> list[Check]:
        quick_looks.append(quick)
        return []

    monkeypatch.setattr(doctor, "checks", checks)
    assert main(["--home", str(engine.config.home), "doctor", "--quick"]) == 0
    assert main(["--home", str(engine.config.home), "doctor"]) == 0
    assert quick_looks == [True, False]


def test_a_statement_after_its_lead_in_and_a_sentence_of_a_passage_are_quotations(
    home: Path, tmp_path: Path
) -> None:
    text = (
        "# Logs\n\nThere are disadvantages of a log:\n\n- A log slows the database. It grows.\n"
        "- A log needs a host.\n"
    )
    (tmp_path / "logs.md").write_text(text)
    options = RunOptions(
        sources=("local",), depth=1, docs=(str(tmp_path / "logs.md"),), clarify=False
    )
    with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
        state = engine.run("What are the disadvantages of a log?", options)
        lead = "There are disadvantages of a log:"
        (item,) = [piece for piece in state.evidence if piece.quote.startswith("A log slows the")][
            :1
        ]
        (context,) = [piece for piece in state.evidence if piece.quote == lead][:1]
        claim = Claim("C9", f"{lead} {item.quote}", evidence_ids=(item.evidence_id,))
        sentence = Sentence(
            "s1",
            "quote",
            "It grows.",
            citations=(Citation("S1", item.source_id, item.evidence_id),),
        )
        turn = Turn("", "And?", (sentence,))
        edited = replace(state, claims=(claim,), conversation=(turn,))
        assert context and unresolved(edited, engine.snapshot_text) == Unresolved()
        clipped = replace(turn, sentences=(replace(sentence, text="A log slows"),))
        assert unresolved(replace(edited, conversation=(clipped,)), engine.snapshot_text).changed
        lie = replace(claim, text=f"There are advantages: {item.quote}")
        assert unresolved(replace(edited, claims=(lie,)), engine.snapshot_text).changed == (
            lie.text,
        )


def test_a_statement_under_two_lead_ins_is_a_quotation(home: Path, tmp_path: Path) -> None:
    text = (
        "# Forgiveness\n\nTo apply for forgiveness and prove your employment:\n\n- Open the form.\n"
        "- Enter the following in the third section:\n  - Employment ends: check still employed.\n "
        " - Name of office.\n"
    )
    (tmp_path / "loan.md").write_text(text)
    options = RunOptions(
        sources=("local",), depth=1, docs=(str(tmp_path / "loan.md"),), clarify=False
    )
    with ResearchEngine(home=home, environ={}, overrides=SETTINGS) as engine:
        state = engine.run("What is to be entered about employment for forgiveness?", options)
        assert any(claim.text.count(":") > 2 for claim in state.claims)
        state = replace(state, answer=None, passages=())  # by itself, not as the lead of a passage
        assert unresolved(state, engine.snapshot_text) == Unresolved()
        wrong = [
            replace(claim, text=claim.text.replace("third", "fourth")) for claim in state.claims
        ]
        assert unresolved(replace(state, claims=tuple(wrong)), engine.snapshot_text).changed
