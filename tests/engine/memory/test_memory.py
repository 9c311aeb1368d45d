"""Notes are kept by session; what was verified before is found again; a new question is offered
earlier ones."""

from pathlib import Path

import pytest

from engine.memory import store
from engine.memory.memory import ResearchMemory
from engine.research_engine import ResearchEngine
from tools.errors import NotFound, Refused
from workflows.research.model import Claim
from workflows.research.state import ResearchState


def finished(engine: ResearchEngine, query: str, *claims: str) -> str:
    states = [
        Claim(
            f"C{number}", text, verified=True, confidence=0.9, level="high", independent_sources=2
        )
        for number, text in enumerate(claims, 1)
    ]
    unverified = Claim("C99", f"{claims[0]} or not", verified=False)
    state = ResearchState(
        query, claims=(*states, unverified), status="complete", started_at="2026-01-02T10:00:00Z"
    )
    return engine._opened.storage.save_research(state)


def test_notes_of_the_session_come_first(engine: ResearchEngine) -> None:
    memory = engine.memory
    other = ResearchMemory(engine._opened)
    other.remember("Spindles predict memory.", "10.1/x", ["sleep", " sleep ", ""])
    note = memory.remember("Naps help memory a little.")
    assert note.session_id == memory.session and note.own
    recollection = memory.recall("memory")
    assert [note.text for note in recollection.notes] == [
        "Naps help memory a little."
    ] and recollection.elsewhere == 1
    wide = memory.recall("memory", all_sessions=True)
    assert [note.own for note in wide.notes] == [True, False] and wide.notes[1].tags == ("sleep",)
    assert [note.text for note in other.recall("memory").notes] == ["Spindles predict memory."]
    assert memory.recall("", all_sessions=True).notes[0].text == "Naps help memory a little."
    assert not memory.recall("volcanoes", all_sessions=True).notes


def test_deleting_a_session_takes_its_notes_and_vectors(engine: ResearchEngine) -> None:
    first, second = ResearchMemory(engine._opened), ResearchMemory(engine._opened)
    note = first.remember("One.")
    second.remember("Two.")
    with engine._opened.storage.database.write() as connection:
        store.put_vectors(connection, {note.note_id: b"\0\0"}, "m")
    assert [name for name, _, _ in engine.memory.sessions()] == [second.session, first.session]
    assert engine.memory.forget_session(first.session) == 1
    read = engine._opened.storage.database.read()
    assert [row.text for row in store.notes(read, 9)] == ["Two."] and not store.vectors(read, "m")
    with pytest.raises(NotFound):
        engine.memory.forget_session(first.session)


@pytest.mark.parametrize("text", ["", "  ", "\x00", "x" * 10_001])
def test_an_empty_or_endless_note_is_refused(engine: ResearchEngine, text: str) -> None:
    with pytest.raises(Refused):
        engine.memory.remember(text)


def test_odd_notes_are_kept(engine: ResearchEngine) -> None:
    engine.memory.remember("\ud800 memory '; DROP TABLE memory_notes; --", tags=["\u202e"])
    assert engine.memory.recall('memory" OR *').notes


def test_verified_claims_of_all_researches_are_found(engine: ResearchEngine) -> None:
    first = finished(
        engine, "Do naps help memory?", "Naps improve recall of word lists.", "Coffee is popular."
    )
    finished(engine, "What is coffee?", "Coffee is a drink.")
    recollection = engine.memory.recall("do naps improve recall")
    assert [(claim.research_id, claim.text) for claim in recollection.claims] == [
        (first, "Naps improve recall of word lists.")
    ]
    assert (
        recollection.claims[0].query == "Do naps help memory?"
        and recollection.claims[0].voices == 2
    )
    engine.delete(first)
    assert not engine.memory.recall("do naps improve recall").claims


def test_a_new_question_is_offered_the_earlier_ones(engine: ResearchEngine) -> None:
    first = finished(engine, "Do naps help memory?", "Naps improve recall.")
    finished(engine, "What is coffee?", "Coffee is a drink.")
    assert [
        entry.research_id for entry in engine.related("Does a nap help the memory of adults?")
    ] == [first]
    assert (
        not engine.related("How do volcanoes form?")
        and not engine.related("")
        and not engine.related("naps", 0)
    )


def test_meaning_finds_what_shares_no_word(home: Path) -> None:
    class Meaning:
        model, dimensions = "fake", 2
        text_count = 0

        def embed(self, texts: list[str], *, queries: bool = False):
            import numpy as np

            Meaning.text_count += len(texts)
            return np.array(
                [[1.0, 0.0] if "nap" in t or "rest" in t else [0.0, 1.0] for t in texts],
                dtype="float32",
            )

    with ResearchEngine(home=home, environ={}) as engine:
        engine._opened.tools.__dict__["embedder"] = Meaning()
        engine.memory.remember("A short rest at noon.")
        engine.memory.remember("Volcanoes erupt.")
        for _ in range(2):
            assert [note.text for note in engine.memory.recall("nap").notes] == [
                "A short rest at noon."
            ]
        assert Meaning.text_count == 4  # both notes once, the query twice
