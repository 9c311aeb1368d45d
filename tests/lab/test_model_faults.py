"""Whole researches with a model whose endpoint fails in every way there is: a report comes all the
same and says so."""

import itertools
import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.obliging import answer
from engine.answers import RunOptions
from engine.research_engine import ResearchEngine
from tests.lab.faults import Corrupt, Faults, Lost, proven
from tests.lab.places import ROOT
from tests.model_endpoint import FAILURES, Answer, Asked, ModelEndpoint, Status
from workflows.research.state import ResearchState

pytestmark = pytest.mark.lab

QUESTION = "How do batteries change evening electricity prices?"
KEY = "sk-lab-9f27c1d04e5b6a73"
DOCUMENTS = ("evening-prices-2024.md", "operators-log.txt")
LONGEST = 60.0  # seconds of one research; an endpoint that says nothing costs its patience, once
REFUSAL = "I cannot help with that."
PATIENCE = {"models.reasoning.first_token": 1, "models.reasoning.timeout": 2}
# "lab (http://…), asked for reasoning, refuses the key …"; "small-4b, asked for reasoning, …"
SAID = re.compile(r"asked for reasoning|the model|no model")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[ModelEndpoint]:
    with ModelEndpoint() as running, pytest.MonkeyPatch.context() as patch:
        # It is tried elsewhere
        patch.setattr("tools.models.calling.backoff", lambda attempt, first: 0.01)
        yield running


@pytest.fixture(scope="module")
def engine(
    tmp_path_factory: pytest.TempPathFactory, endpoint: ModelEndpoint
) -> Iterator[ResearchEngine]:
    """An engine with two documents, and a model of the endpoint that wants a key."""
    settings = {
        "embeddings.enabled": False, "storage.keyring": False, "models.reasoning.endpoint": "lab",
        "models.reasoning.model": "small-4b", **PATIENCE,
    }  # fmt: skip
    home = tmp_path_factory.mktemp("models") / "home"
    with ResearchEngine(home=home, environ={}, overrides=settings) as engine:
        engine.models.add_endpoint("lab", endpoint.url, "openai", "LAB_KEY")
        engine.set_key("LAB_KEY", KEY)
        engine.ingest([ROOT / "examples" / "batteries" / name for name in DOCUMENTS])
        yield engine


def willing(request: Asked) -> str:
    reply = answer(request.schema_name or "answer", request.text)
    return reply if isinstance(reply, str) else json.dumps(reply)


def researched(engine: ResearchEngine) -> ResearchState:
    """A research that must end, with every quotation in its text and nothing of the key
    anywhere."""
    engine._opened.reload()  # what was learned of the endpoint in the test before is forgotten
    began = time.monotonic()
    state = engine.run(QUESTION, RunOptions(depth=1, sources=("local",), clarify=False))
    assert time.monotonic() - began < LONGEST
    assert state.status == "complete" and state.report is not None
    with proven(Lost):
        assert any(sentence.citations for sentence in state.report.sentences())
    with proven(Corrupt):
        for item in state.evidence:
            assert engine.snapshot_text(item.snapshot_id)[item.start : item.end] == item.quote
    assert KEY not in engine.export(state.research_id, "json").data.decode()
    return state


def messages_of(engine: ResearchEngine, state: ResearchState) -> str:
    """What the run said about its model, in events and in the notes of the report."""
    assert state.report is not None
    messages = [event.message for event in engine.events(state.research_id, limit=5000)]
    return "\n".join([*messages, *state.report.notes])


@pytest.mark.parametrize("failure", sorted(FAILURES))
def test_an_endpoint_that_always_fails_costs_its_part_of_the_work(
    failure: str, engine: ResearchEngine, endpoint: ModelEndpoint, faults: Faults
) -> None:
    endpoint.reset(willing)
    endpoint.fail(failure, always=True)
    state = researched(engine)
    assert state.report is not None
    written = [sentence for sentence in state.report.sentences() if sentence.kind == "written"]
    assert endpoint.calls and not written
    assert KEY in str(endpoint.calls[0].headers) and KEY not in messages_of(engine, state)
    assert SAID.search(messages_of(engine, state)), messages_of(engine, state)
    faults.count(f"model: {failure.replace('_', ' ')}, always")


def test_an_endpoint_that_fails_now_and_then_is_asked_again(
    engine: ResearchEngine, endpoint: ModelEndpoint, faults: Faults
) -> None:
    passing = (
        "rate_limited_wait",
        "server_error",
        "cut",
        "not_json",
        "empty",
        "hang_up",
        "no_choices",
    )
    calls = itertools.count()

    def sometimes(request: Asked) -> str | Answer | Status:
        number = next(calls)
        name = passing[number // 3 % len(passing)]
        failure = FAILURES[name]
        if number % 3 or number >= 3 * len(passing):
            return willing(request)
        return failure if isinstance(failure, Status) else Answer(f"!{failure}")

    endpoint.reset(sometimes)
    state = researched(engine)
    assert state.usage.calls > 3 and "answered by small-4b" in messages_of(engine, state)
    for failure in passing[: len(endpoint.calls) // 3]:
        faults.count(f"model: {failure.replace('_', ' ')}, once")


@pytest.mark.parametrize("kind", ["absent", "refusing", "slow", "thinking without end"])
def test_a_model_that_gives_nothing_is_done_without(
    kind: str, engine: ResearchEngine, endpoint: ModelEndpoint, faults: Faults, tmp_path: Path
) -> None:
    answers: dict[str, Callable[[Asked], Answer | str]] = {
        "refusing": lambda request: Answer(REFUSAL, refusal=REFUSAL),
        "slow": lambda request: Answer("yes", delay=5.0),
        "thinking without end": lambda request: Answer("", thinking="Hm. " * 3000, finish="length"),
        "absent": lambda request: "yes",
    }
    endpoint.reset(answers[kind])
    if kind == "absent":
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            engine.models.add_endpoint(
                "lab", f"http://127.0.0.1:{free.getsockname()[1]}/v1", "openai"
            )
    try:
        state = researched(engine)
    finally:
        engine.models.add_endpoint("lab", endpoint.url, "openai", "LAB_KEY")
    assert state.report is not None
    assert not [
        sentence
        for sentence in state.report.sentences()
        if sentence.kind == "written" or REFUSAL in sentence.text
    ]
    assert SAID.search(messages_of(engine, state)), messages_of(engine, state)
    faults.count(f"model: {kind}")
