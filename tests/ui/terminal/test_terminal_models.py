"""zorora models: lists, looking for local servers, choosing, testing, adding and removing, with the
real engine."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.research_engine import ResearchEngine
from tests.model_endpoint import ModelEndpoint
from tests.tables import each
from ui.terminal.commands import models
from ui.terminal.main import main
from ui.terminal.prompt import repl
from ui.terminal.screen import Screen
from ui.terminal.session import Session

Ran = tuple[int, str, str]
Zorora = Callable[..., Ran]


class Stream(io.StringIO):
    """A stream that may say that it is a terminal."""

    def __init__(self, text: str = "", tty: bool = False) -> None:
        super().__init__(text)
        self.tty = tty

    def isatty(self) -> bool:
        return self.tty


@pytest.fixture(scope="module")
def server() -> Iterator[ModelEndpoint]:
    with ModelEndpoint() as running:
        yield running


@pytest.fixture
def zorora(home: Path, server: ModelEndpoint, monkeypatch: pytest.MonkeyPatch) -> Zorora:
    """Run one command; `typed` is what the person types. The scripted endpoint is the only local
    server."""
    server.reset("yes")
    server.models = ("qwen-4b", "embed-small")
    rows = (("lmstudio", "LM Studio", server.url, "openai"),)
    monkeypatch.setattr("tools.models.detect.detect.__defaults__", (rows,))
    monkeypatch.setattr(
        "engine.llm.endpoint_names.BUILT_IN",
        {"lmstudio": (server.url, "openai", ""), "local": ("", "local", "")},
    )

    def run(*words: str, typed: str | None = None) -> Ran:
        person = typed is not None
        out, err = Stream(), Stream(tty=person)
        status = main(
            ["--home", str(home), "models", *words],
            screen=Screen(out, err, Stream(typed or "", tty=person)),
        )
        return status, out.getvalue(), err.getvalue()

    return run


def test_roles_and_endpoints_are_listed(zorora: Zorora) -> None:
    status, out, _ = zorora()
    assert (
        status == 0
        and "reasoning\tnone\t-\twrites reports" in out
        and "local\tinside this process" in out
    )
    payload = json.loads(zorora("list", "--json")[1])
    assert (
        payload["roles"][1]["role"] == "reasoning" and payload["endpoints"][0]["name"] == "lmstudio"
    )


def test_local_servers_are_found_and_what_they_serve_is_listed(
    zorora: Zorora, server: ModelEndpoint
) -> None:
    status, out, err = zorora("detect")
    assert status == 0 and out.startswith("lmstudio\tLM Studio\t") and out.endswith("\tqwen-4b\n")
    assert "zorora models set reasoning lmstudio qwen-4b" in err
    assert json.loads(zorora("detect", "--json")[1])[0]["models"] == ["qwen-4b"]
    assert zorora("served", "lmstudio")[1] == "lmstudio\tqwen-4b\nlmstudio\tembed-small\n"
    assert zorora("served")[0] == 2
    status, out, err = zorora("served", "http://127.0.0.1:9/v1")
    assert status == 1 and out == "" and "nothing is listening there" in err


def test_a_role_is_set_tested_and_unset(zorora: Zorora, server: ModelEndpoint) -> None:
    assert zorora("test")[0] == 1  # nothing to test
    assert zorora("set", "reasoning", "lmstudio", "qwen-4b")[0] == 0
    status, out, _ = zorora("test")
    assert status == 0 and out.startswith("reasoning: works. lmstudio (")
    server.fail("wrong_key")
    status, out, _ = zorora("test", "search")
    assert status == 1 and out.startswith("search: wrong key. ")
    assert json.loads(zorora("test", "--json")[1])["reasoning"]["ok"] is True
    assert "orchestrator\tqwen-4b (by reasoning)\tlmstudio" in zorora()[1]
    assert zorora("unset", "reasoning")[0] == 0 and "reasoning\tnone" in zorora()[1]


def test_endpoints_are_added_edited_and_removed(zorora: Zorora) -> None:
    status, _, err = zorora("add", "lab", "http://10.0.0.5:8000/v1", "--key", "LAB_API_KEY")
    assert status == 0 and "zorora keys set LAB_API_KEY" in err
    assert "lab\thttp://10.0.0.5:8000/v1\topenai\tLAB_API_KEY (not set)" in zorora()[1]
    assert zorora("edit", "lab", "--provider", "anthropic")[0] == 0
    assert "lab\thttp://10.0.0.5:8000/v1\tanthropic\tLAB_API_KEY (not set)" in zorora()[1]
    assert zorora("edit", "lab", "http://10.0.0.6/v1", "--key", "")[0] == 0
    assert "lab\thttp://10.0.0.6/v1\tanthropic\t-" in zorora()[1]
    assert zorora("set", "search", "lab", "m")[0] == 0 and zorora("remove", "lab")[0] == 1
    assert zorora("unset", "search")[0] == 0 and zorora("remove", "lab")[0] == 0
    assert "lab" not in zorora()[1]


@each(
    ("words", "code", "message"),
    [
        (("set", "reasoning"), 2, "Write it like this"),
        (("set",), 2, "Write it like this"),
        (("set", "resoning", "lmstudio", "m"), 2, "Did you mean reasoning?"),
        (("set", "reasoning", "nowhere", "m"), 1, "There is no model server called 'nowhere'"),
        (("unset", "writer"), 2, "There is no role"),
        (("test", "x" * 3000), 2, "There is no role"),
        (("add", "lab"), 2, "Write it like this"),
        (("add", "\x1b[2J", "http://x/v1"), 1, "not a valid server name"),
        (("edit", "lmstudioo"), 2, "Did you mean lmstudio?"),
        (("remove", "nobody"), 1, "does not exist"),
        (("fly",), 2, "fly"),
    ],
)
def test_wrong_words_end_with_one_sentence(
    zorora: Zorora, words: tuple[str, ...], code: int, message: str
) -> None:
    status, out, err = zorora(*words)
    assert (
        (status, out) == (code, "")
        and message in err
        and "\x1b" not in err
        and "Traceback" not in err
    )


def test_a_person_is_walked_through_the_choice(zorora: Zorora) -> None:
    status, out, err = zorora("set", typed="\n\n\n")
    assert status == 0 and out.startswith("reasoning: works.") and "1. qwen-4b" in err
    assert "reasoning\tqwen-4b\tlmstudio" in zorora()[1]
    status, out, err = zorora("set", typed="4\nnonsense\n1\nother-model\n")
    assert '"nonsense" is none of these' in err and "search\tother-model\tlmstudio" in zorora()[1]
    assert "Nothing was changed" in zorora("set", typed="search\nhttp://127.0.0.1:9/v1\n\n")[2]
    assert zorora("set", typed="x\ny\nz\n")[0] == 2


@pytest.mark.parametrize(
    ("typed", "used"), [("y\n", True), ("yes\n", True), ("\n", False), ("n\n", False), ("", False)]
)
def test_what_runs_is_offered_once_at_the_first_start(
    zorora: Zorora, home: Path, typed: str, used: bool
) -> None:
    for again in (False, True):
        err = Stream(tty=True)
        session = Session(Screen(Stream(tty=True), err, Stream(typed, tty=True)), home)
        models.offer(session)
        session.close()
        assert ("LM Studio is running with qwen-4b: use it?" in err.getvalue()) is not again
    with ResearchEngine(home=home, environ={}) as engine:
        assert (engine.models.roles()[1].model == "qwen-4b") is used


@pytest.mark.parametrize(
    ("typed", "message"), [("y\n\n\n\n", "reasoning: works."), ("\n", ""), ("", "")]
)
def test_at_the_prompt_the_list_leads_to_the_choice(
    zorora: Zorora, home: Path, typed: str, message: str
) -> None:
    out = Stream()
    session = Session(Screen(out, Stream(tty=True), Stream(typed, tty=True)), home, repl=True)
    assert repl.execute(session, "/models")
    session.close()
    assert "writes reports" in out.getvalue() and (
        message in out.getvalue() if message else "works" not in out.getvalue()
    )
