"""Conversations, policy documents and pictures over a real engine, with a scripted endpoint."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine import ResearchEngine
from engine.answering.conversations import UNCHECKED
from engine.answering.pictures import NO_EYES, NO_PAINTER
from engine.answering.quick_search import ENDPOINT_SAYS, NO_DOCUMENTS
from engine.answers import HistoryQuery
from tests.finished import COUNT, record
from tests.model_endpoint import PICTURE, Asked, ModelEndpoint
from tools.errors import Cancelled, Conflict, ModelError, NotFound, ParseError, Refused
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.state import ResearchState


@pytest.fixture
def endpoint(engine: ResearchEngine) -> Iterator[ModelEndpoint]:
    """A model that repeats the question, for every role."""
    with ModelEndpoint(lambda request: f"You asked: {request.question[:60]}") as endpoint:
        for role in ("reasoning", "vision", "image_generation"):
            engine.models.set_role(role, endpoint.url, "small", "openai")
        yield endpoint


def test_a_conversation_is_kept_listed_reopened_and_goes_on(
    engine: ResearchEngine, endpoint: ModelEndpoint
) -> None:
    talk, pieces = engine.asking.conversations, list[str]()
    name, turn = talk.ask("What is a confounder?", on_text=pieces.append)
    assert turn.text == "".join(pieces).strip() == "You asked: What is a confounder?"
    again, _ = talk.ask("And an example?", name)
    assert again == name
    assert (
        "What is a confounder?" in endpoint.calls[-1].text
    )  # the model is told what was said before
    (entry,) = engine.history(HistoryQuery(kind="ask")).entries
    assert (entry.research_id, entry.kind) == (name, "ask")
    assert not engine.history(HistoryQuery(kind="research")).entries
    state = engine.load_research(name)
    assert state is not None and state.report is not None
    assert [turn.question for turn in state.conversation] == [
        "What is a confounder?",
        "And an example?",
    ]
    assert state.report.notes == (UNCHECKED,) and not any(
        turn.sentences for turn in state.conversation
    )
    for form in ("md", "html", "json"):
        data = engine.export(name, form).data
        assert b"And an example?" in data and b"nothing in it was checked" in data
    with pytest.raises(Refused, match="is a conversation"):
        engine.steering.replay(name)
    assert engine.search_history("confounder")[0].research_id == name


@pytest.mark.lab
def test_a_conversation_survives_the_database_and_the_bin(
    engine: ResearchEngine, endpoint: ModelEndpoint
) -> None:
    talk = engine.asking.conversations
    name, _ = talk.ask("What is a confounder?")
    engine.delete(name)
    with pytest.raises(Conflict, match="in the bin"):
        talk.ask("And?", name)
    engine.undelete(name)
    engine.upkeep.repair()
    assert [entry.kind for entry in engine.history(HistoryQuery(kind="ask")).entries] == ["ask"]
    talk.ask("And?", name)
    state = engine.load_research(name)
    assert state is not None and len(state.conversation) == 2
    assert engine.follow_up(name, "Go on").turn.text == "You asked: Go on"


@pytest.mark.lab
def test_a_long_conversation_folds(engine: ResearchEngine, endpoint: ModelEndpoint) -> None:
    talk = engine.asking.conversations
    name, _ = talk.ask("Say 17 of Norland")
    for number in range(6):
        talk.ask(f"Question {number}", name)
    state = engine.load_research(name)
    assert state is not None and len(state.conversation) == 7
    assert [summary.last for summary in state.summaries] == [1, 2] and "17" in state.summaries[
        0
    ].text
    talk.ask("Last", name)
    assert "17" in endpoint.calls[-2].text  # summaries go before what is remembered in full


def test_what_a_conversation_cannot_do_is_said(engine: ResearchEngine) -> None:
    talk = engine.asking.conversations
    with pytest.raises(ModelError, match="No model is configured"):
        talk.ask("Hello")
    with pytest.raises(Refused, match="empty"):
        talk.ask("  ")
    with pytest.raises(NotFound, match="no conversation"):
        talk.ask("Hello", "nothing_20260101_000000")
    research_id = engine.import_record(record()).research_id
    with pytest.raises(Refused, match="zorora follow"):
        talk.ask("Hello", research_id)


@pytest.mark.parametrize("failure", ["wrong_key", "empty", "html"])
def test_a_failed_answer_leaves_no_conversation(
    engine: ResearchEngine, endpoint: ModelEndpoint, failure: str
) -> None:
    endpoint.fail(failure, always=True)
    if failure == "empty":
        endpoint.recover()
        endpoint.answers = "<think>hm</think>"
    with pytest.raises(ModelError):
        engine.asking.conversations.ask("Hello")
    assert not engine.history().entries


def test_a_silent_model_is_left_at_once(engine: ResearchEngine, endpoint: ModelEndpoint) -> None:
    endpoint.fail("silence", always=True)
    stop, began = threading.Event(), time.monotonic()
    threading.Timer(0.2, stop.set).start()

    def check() -> None:
        if stop.is_set():
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        engine.asking.conversations.ask("Hello", check_cancelled=check)
    assert (
        time.monotonic() - began < 20
    )  # it is silent for a minute and more; the machine may be busy
    assert not engine.history().entries


def test_own_documents_are_not_shown_to_a_model_elsewhere(
    engine: ResearchEngine, endpoint: ModelEndpoint
) -> None:
    research_id = engine.import_record(record("local")).research_id
    # The same server under a name that is not this computer's
    far = endpoint.url.replace("127.0.0.1", "localhost.example")
    engine.models.set_role("reasoning", far, "small", "openai")
    for _ in range(7):
        reply = engine.follow_up(research_id, COUNT)
    assert reply.found and not reply.turn.sentences and not reply.turn.calls
    assert not endpoint.calls


# --- policy documents -----------------------------------------------------------------------------


def test_policy_documents_are_asked_where_an_endpoint_is_set(
    engine: ResearchEngine, endpoint: ModelEndpoint
) -> None:
    engine.models.set_role("nehanda", endpoint.url, "rag", "openai")
    policy = engine.asking.quick.policy("What does the plan say?")
    assert policy.text == "You asked: What does the plan say?" and policy.note == ENDPOINT_SAYS
    assert policy.answer is None


def test_a_quick_search_records_what_each_model_took(
    engine: ResearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    took = {"model": "m-1", "calls": 2, "tokens_in": 30, "tokens_out": 4}

    def scripted(state: ResearchState, deps: Deps) -> ResearchState:
        deps.emit(Event("model_asked", "synthesis", "Written.", took))
        return replace(state, status="complete", kind="search")

    monkeypatch.setattr("engine.answering.quick_search.quick_search.quick", scripted)
    state = engine.load_research(
        engine.asking.quick.search("Do batteries lower prices?").research_id
    )
    assert state is not None
    usage = state.usage
    assert (usage.calls, usage.tokens_in, usage.tokens_out, usage.http_requests) == (2, 30, 4, 0)
    assert usage.models == {"m-1": {"calls": 2, "tokens_in": 30, "tokens_out": 4, "cost": None}}


def test_without_an_endpoint_the_library_answers(engine: ResearchEngine, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=NO_DOCUMENTS[:20]):
        engine.asking.quick.policy("What does the plan say?")
    (tmp_path / "plan.txt").write_text(
        "The city council will fit 120 heat pumps in public buildings by 2027.\n\nIt meets on "
        "Mondays.\n"
    )
    engine.upload("plan.txt", (tmp_path / "plan.txt").read_bytes())
    policy = engine.asking.quick.policy(
        "How many heat pumps will the council fit in public buildings?"
    )
    assert (
        policy.found
        and policy.answer is not None
        and "120 heat pumps" in policy.answer.passages[0].lead.text
    )
    assert [document.title for document in policy.documents] == ["plan"]
    nothing = engine.asking.quick.policy("Who won the cup final of 1998?")
    assert not nothing.found and nothing.answer is not None and not nothing.answer.passages


# --- pictures -------------------------------------------------------------------------------------


def test_pictures_are_made_and_described(
    engine: ResearchEngine, endpoint: ModelEndpoint, tmp_path: Path
) -> None:
    assert engine.asking.pictures.make("a mill").data == PICTURE
    path = tmp_path / "mill.png"
    path.write_bytes(PICTURE)
    seen: list[Asked] = endpoint.calls
    assert (
        engine.asking.pictures.describe(path, "What colour is it?").text
        == "You asked: What colour is it?"
    )
    assert "image" in str(seen[-1].body["messages"][-1]["content"])


def test_pictures_without_a_model_or_a_picture_are_answered_in_words(
    engine: ResearchEngine, tmp_path: Path
) -> None:
    pictures = engine.asking.pictures
    with pytest.raises(ModelError, match=NO_PAINTER[:30]):
        pictures.make("a mill")
    with pytest.raises(Refused, match="not a supported size"):
        pictures.make("a mill", "9x9")
    path = tmp_path / "mill.png"
    path.write_bytes(PICTURE)
    with pytest.raises(ModelError, match=NO_EYES[:30]):
        pictures.describe(path)
    with pytest.raises(NotFound, match="is a folder"):
        pictures.describe(tmp_path)
    with pytest.raises(NotFound, match="cannot be read"):
        pictures.describe(tmp_path / "none.png")


def test_what_is_no_picture_is_not_sent(
    engine: ResearchEngine, endpoint: ModelEndpoint, tmp_path: Path
) -> None:
    path = tmp_path / "page.png"
    path.write_text("<html>")
    with pytest.raises(ParseError, match="not a PNG"):
        engine.asking.pictures.describe(path)
    assert not endpoint.calls
