"""Answers of models outlive a crash of their run, and go when it ends."""

import threading
from pathlib import Path

import pytest

from engine import ResearchEngine
from engine.answers import RunOptions
from engine.runs.model_answers import KeptAnswers
from tests.model_endpoint import Answer, Asked, ModelEndpoint
from tools.errors import ModelError
from tools.models.model import Endpoint, Message, Reply, Request, Role
from tools.models.roles import Check, Models, OnText
from workflows.research.state import ResearchState

ROLE = Role("reasoning", Endpoint("script", "http://127.0.0.1:1"), "m-1")


class Counting:
    """Answers and counts."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(
        self,
        role: Role,
        request: Request,
        *,
        on_text: OnText | None = None,
        check_cancelled: Check | None = None,
    ) -> Reply:
        self.calls += 1
        return Reply(request.messages[-1].text.upper(), {"n": self.calls}, role.model)


def make_request(text: str) -> Request:
    return Request((Message("user", text),), prompt="claims@1")


def test_what_was_answered_before_a_crash_is_not_asked_again(tmp_path: Path) -> None:
    path, complete = tmp_path / "answers.jsonl", Counting()
    first = Models({"reasoning": ROLE}, complete, replies=KeptAnswers(path))
    reply = first.ask("reasoning", make_request("élan"))
    # As a kill in the middle of a line leaves it
    path.write_bytes(path.read_bytes() + b'{"key": "cut off')
    second = Models({"reasoning": ROLE}, complete, replies=KeptAnswers(path))
    again = second.ask("reasoning", make_request("élan"))
    assert (again.text, again.data, complete.calls) == (reply.text, reply.data, 1)
    second.ask("reasoning", make_request("other"))
    assert complete.calls == 2
    assert path.stat().st_mode & 0o777 == 0o600


def test_they_go_when_the_run_ends_and_a_folder_that_cannot_be_written_stops_nothing(
    tmp_path: Path,
) -> None:
    cache = KeptAnswers(tmp_path / "answers.jsonl")
    cache["a"] = Reply("x")
    cache.forget()
    assert not list(tmp_path.iterdir())
    cache.forget()
    elsewhere = KeptAnswers(tmp_path / "missing" / "answers.jsonl")
    elsewhere["a"] = Reply("x")
    assert elsewhere["a"].text == "x"


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    def failing(*_: object, **__: object) -> Reply:
        raise ModelError("No.", "server")

    cache = KeptAnswers(tmp_path / "answers.jsonl")
    with pytest.raises(ModelError):
        Models({"reasoning": ROLE}, failing, replies=cache).ask("reasoning", make_request("x"))
    assert not cache


def test_what_models_did_for_a_step_that_was_stopped_is_counted(home: Path) -> None:
    waits = threading.Event()

    def say(request: Asked) -> Answer:
        if len(endpoint.calls) > 1:
            waits.set()
        return Answer("{}", delay=30.0 if waits.is_set() else 0.0)

    with ModelEndpoint(say) as endpoint, ResearchEngine(home=home, environ={}) as engine:
        engine.models.add_endpoint("lmstudio", endpoint.url, "openai", "")
        engine.models.set_role("reasoning", "lmstudio", "m-1")
        engine.upload(
            "mills.txt",
            b"Tides drive mills on the coast. A tide mill works for some hours after each tide.",
        )
        results: list[ResearchState] = []
        options = RunOptions(depth=1, sources=("local",), clarify=False)
        run = threading.Thread(
            target=lambda: results.append(engine.run("Do tides drive mills?", options))
        )
        run.start()
        assert waits.wait(60)
        engine.cancel(engine.jobs()[0].research_id)
        run.join(60)
    (state,) = results
    # The endpoint tells 20 tokens in with every answer
    assert 1 <= state.usage.calls <= len(endpoint.calls) and state.usage.tokens_in >= 20
