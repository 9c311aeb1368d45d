"""Calls of every dialect against the scripted endpoint: answers, every failure on command, stops,
keys."""

import socket
import threading
import time
from collections.abc import Callable

import pytest

from tests.model_endpoint import Answer, Asked, ModelEndpoint, Status
from tools.errors import Cancelled, ModelError
from tools.models.calling import Caller, Patience
from tools.models.model import Endpoint, Image, Message, Request, Role, Timing
from tools.models.wire import Wire

DIALECTS = ("openai", "anthropic", "ollama")
KEY = "sk-test-0123456789abcdef"
SCHEMA = {
    "type": "object",
    "properties": {"kind": {"type": "string"}},
    "required": ["kind"],
    "additionalProperties": False,
}
Make = Callable[..., Role]


def make_request(text: str = "Is it so?", **more: object) -> Request:
    return Request((Message("system", "Be short."), Message("user", text)), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("provider", DIALECTS)
def test_an_answer_comes_without_thinking_with_its_usage(
    endpoint: ModelEndpoint, role: Make, provider: str, stream: bool
) -> None:
    endpoint.answers = lambda _: Answer(
        "It is <b>so</b>, 5 < 6.", thinking="Hm, <i>maybe</i> {not}.", usage=(21, 9)
    )
    shown: list[str] = []
    reply = Caller(Wire(), stream=stream)(role(provider), make_request(), on_text=shown.append)
    assert reply.text == "".join(shown) == "It is <b>so</b>, 5 < 6."
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.calls) == (21, 9, 1)
    assert (reply.model, reply.endpoint, reply.finish) == ("small-4b", "lab", "stop")
    assert reply.usage.seconds > 0
    call = endpoint.calls[0]
    assert (
        call.messages == [("system", "Be short."), ("user", "Is it so?")] and call.stream == stream
    )


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("provider", DIALECTS)
def test_a_schema_is_asked_for_and_its_answer_parsed(
    endpoint: ModelEndpoint, role: Make, provider: str, stream: bool
) -> None:
    endpoint.answers = '{"kind": "person"}'
    reply = Caller(Wire(), stream=stream)(
        role(provider), make_request(schema=SCHEMA, schema_name="kinds")
    )
    assert reply.data == {"kind": "person"} and endpoint.calls[0].schema == SCHEMA
    if provider == "openai":
        assert endpoint.calls[0].body["response_format"]["json_schema"]["strict"] is True
    if provider == "anthropic":
        assert endpoint.calls[0].body["tool_choice"] == {"type": "tool", "name": "kinds"}


def test_numbers_of_a_request_reach_the_endpoint(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    caller(role(max_tokens=300, temperature=0.0), make_request())
    caller(role("ollama", window=4096, temperature=0.7), make_request(max_tokens=50))
    caller(role("anthropic"), make_request())
    first, second, third = (call.body for call in endpoint.calls)
    assert (first["max_tokens"], first["temperature"], first["model"]) == (300, 0.0, "small-4b")
    assert second["options"] == {"temperature": 0.7, "num_predict": 50, "num_ctx": 4096}
    assert third["max_tokens"] == 4096 and third["system"] == "Be short."


@pytest.mark.parametrize("provider", DIALECTS)
def test_a_picture_goes_with_its_message(
    endpoint: ModelEndpoint, caller: Caller, role: Make, provider: str
) -> None:
    picture = Image(b"\x89PNG\r\n\x1a\n", "image/png")
    caller(role(provider), Request((Message("user", "What is this?", (picture,)),)))
    message = endpoint.calls[0].body["messages"][0]
    coded = "iVBORw0KGgo="
    if provider == "ollama":
        assert message["images"] == [coded]
    else:
        assert endpoint.calls[0].question == "What is this?" and coded in str(message["content"])


# failure -> kind, a part of the sentence, calls it takes
FAILURES = {
    "wrong_key": ("key", "refuses the key", 1),
    "wrong_model": ("model", "does not serve the model small-4b", 1),
    "too_long": ("context", "too long for small-4b", 1),
    "rate_limited": ("limit", "takes no more requests now", 3),
    "rate_limited_long": ("limit", "asks to wait 3600 s", 1),
    "no_quota": ("limit", "quota", 1),
    "server_error": ("server", "failed (status 500)", 3),
    "overloaded": ("server", "Overloaded", 3),
    "loading": ("server", "asks to wait 577 s", 1),
    "redirect": ("absent", "redirect", 1),
    "html": ("shape", "web page and no JSON", 1),
    "html_404": ("absent", "a web page at this address", 1),
    "empty": ("shape", "it is empty", 1),
    "not_json": ("shape", "it is not JSON", 1),
    "no_choices": ("shape", "no choices", 1),
    "error_in_200": ("server", "Provider returned error", 3),
    "words_in_200": ("model", "try pulling it first", 1),
    "error_in_stream": ("server", "Provider returned error", 3),
    "cut": ("cut", "broke off", 3),
    "cut_length": ("cut", "broke off", 3),
    "hang_up": ("cut", "broke off", 3),
    "silence": ("silent", "no answer within 0.1 s", 1),
    "silence_in_stream": ("silent", "nothing more came for 0.1 s", 1),
}


@pytest.mark.parametrize("name", FAILURES)
def test_every_failure_ends_in_a_sentence(
    endpoint: ModelEndpoint, caller: Caller, role: Make, name: str
) -> None:
    kind, part, calls = FAILURES[name]
    endpoint.fail(name, always=True)
    short = {"timing": Timing(5, 0.1, 20)} if kind == "silent" else {}
    with pytest.raises(ModelError) as caught:
        caller(role(**short), make_request(schema=SCHEMA))
    text = str(caught.value)
    assert caught.value.kind == kind and part in text, text
    assert text.startswith(f"lab ({endpoint.url}), asked for reasoning, ") and text[-1] in ".)"
    assert len(endpoint.calls) == calls and KEY not in text


@pytest.mark.parametrize(
    "name", ["rate_limited_wait", "server_error", "cut", "hang_up", "error_in_stream"]
)
def test_what_passes_is_tried_again(endpoint: ModelEndpoint, role: Make, name: str) -> None:
    endpoint.fail(name)
    slept: list[float] = []
    clock = lambda: time.monotonic() + sum(slept)  # noqa: E731
    caller = Caller(Wire(clock=clock), Patience(backoff=0.2), sleep=slept.append)
    assert caller(role(), make_request()).text == "It is so."
    assert len(endpoint.calls) == 2
    # Retry-After counts where it is given
    low, high = (0.95, 1.05) if name == "rate_limited_wait" else (0.05, 0.25)
    assert low <= sum(slept) <= high


@pytest.mark.parametrize(
    ("failure", "gone"),
    [
        (
            "no_schema",
            lambda body: "response_format" not in body and "JSON schema" in str(body["messages"]),
        ),
        ("no_schema_404", lambda body: "response_format" not in body),
        ("no_temperature", lambda body: "temperature" not in body),
        (
            "completion_tokens",
            lambda body: body.get("max_completion_tokens") == 9 and "max_tokens" not in body,
        ),
        ("no_stream_usage", lambda body: "stream_options" not in body and body["stream"]),
        ("no_system", lambda body: [m["role"] for m in body["messages"]] == ["user"]),
    ],
)
def test_what_a_model_does_not_take_is_left_out_and_remembered(
    endpoint: ModelEndpoint,
    caller: Caller,
    role: Make,
    failure: str,
    gone: Callable[[object], bool],
) -> None:
    endpoint.answers = 'Here you are: {"kind": "event"}'
    endpoint.fail(failure)
    for _ in range(2):
        assert caller(role(), make_request(schema=SCHEMA, max_tokens=9)).data == {"kind": "event"}
    assert (
        len(endpoint.calls) == 3 and gone(endpoint.calls[1].body) and gone(endpoint.calls[2].body)
    )
    assert "Be short." in endpoint.calls[2].text


@pytest.mark.parametrize("when", ["silence", "silence_in_stream", "endless"])
def test_a_stop_is_heard_within_a_moment_and_hangs_up(
    endpoint: ModelEndpoint, caller: Caller, role: Make, when: str
) -> None:
    endpoint.fail(when)
    begun = time.monotonic()

    def check() -> None:
        if time.monotonic() - begun > 0.05:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        caller(role(timing=Timing(1, 60, 180)), make_request(), check_cancelled=check)
    assert time.monotonic() - begun < 30
    until = time.monotonic() + 60
    while not endpoint.gone and time.monotonic() < until:
        time.sleep(0.01)
    assert endpoint.gone  # the server can stop working too


def test_a_stop_is_heard_while_waiting_for_another_attempt(
    endpoint: ModelEndpoint, role: Make
) -> None:
    endpoint.fail("rate_limited", always=True)
    begun = time.monotonic()

    def check() -> None:
        if time.monotonic() - begun > 0.1:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        Caller(Wire(), Patience(backoff=120, longest=120))(
            role(timing=Timing(1, 60, 180)), make_request(), check_cancelled=check
        )
    assert time.monotonic() - begun < 30


def test_an_answer_that_never_ends_is_ended(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    endpoint.fail("endless")
    with pytest.raises(ModelError, match="not there within 2 s"):
        caller(role(timing=Timing(5, 5, 0.2)), make_request())


@pytest.mark.lab
def test_a_slow_answer_that_streams_is_alive(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    endpoint.answers = lambda _: Answer("Slow and steady. " * 3, pause=0.1)
    assert (
        caller(role(timing=Timing(5, 5, 0.4)), make_request()).text.split()
        == ["Slow", "and", "steady."] * 3
    )


def test_silence_in_the_middle_of_an_answer_ends_it(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    endpoint.answers = lambda _: Answer("Slow and steady. " * 3, pause=5.0)
    with pytest.raises(ModelError, match=r"within 0\.\d+ s"):
        caller(role(timing=Timing(5, 5, 0.4)), make_request())


def test_a_slow_first_token_is_waited_for(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    endpoint.answers = lambda _: Answer("Late.", delay=0.05)
    assert caller(role(), make_request()).text == "Late."


def test_nothing_listening_and_unknown_names(caller: Caller) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        free = taken.getsockname()[1]
    for url, part in (
        (f"http://127.0.0.1:{free}/v1", "nothing is listening there"),
        ("ftp://localhost/v1", "not an http or https address"),
        ("http://localhost:99999/v1", "not an http or https address"),
        ("http://", "not an http or https address"),
        ("http://loc alhost/v1", "not an http or https address"),
    ):
        with pytest.raises(ModelError, match=part) as caught:
            caller(Role("reasoning", Endpoint("lab", url), "m"), make_request())
        assert caught.value.kind == "absent"


def test_the_key_goes_into_its_header_and_is_masked_where_it_is_repeated(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    for provider, header in (("openai", "authorization"), ("anthropic", "x-api-key")):
        endpoint.fail("echo_key")
        with pytest.raises(ModelError) as caught:
            caller(role(provider), make_request())
        assert KEY in endpoint.calls[-1].headers[header]
        assert KEY not in str(caught.value) and "•••" in str(caught.value)
    assert KEY not in repr(role()) and KEY not in repr(role().endpoint)


def test_no_key_goes_anywhere_else_on_a_redirect(
    caller: Caller, role: Make, endpoint: ModelEndpoint
) -> None:
    with ModelEndpoint() as other:
        endpoint.answers = lambda _: Status(307, "", {"Location": other.url + "/chat/completions"})
        with pytest.raises(ModelError, match="redirect"):
            caller(role(), make_request())
        assert other.calls == []


def test_text_that_was_shown_is_not_shown_twice(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    endpoint.fail("cut")
    shown: list[str] = []
    with pytest.raises(ModelError) as caught:
        caller(role(), make_request(), on_text=shown.append)
    assert caught.value.kind == "cut" and len(endpoint.calls) == 1
    assert "".join(shown) and "The answer is broken off in the middle".startswith("".join(shown))


def test_refusals_and_answers_of_nothing_but_thinking(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    endpoint.answers = lambda _: Answer(refusal="I cannot help with that.")
    for provider in ("openai", "anthropic"):
        with pytest.raises(ModelError) as caught:
            caller(role(provider), make_request())
        assert caught.value.kind == "refused"
    endpoint.answers = lambda _: Answer("", thinking="On and on", finish="length")
    with pytest.raises(
        ModelError, match="nothing but thinking, and then reached its maximum length"
    ):
        caller(role(), make_request())
    endpoint.answers = lambda _: Answer("", finish="length")
    with pytest.raises(ModelError, match="no text, and then reached its maximum length"):
        caller(role(), make_request())


def test_usage_is_estimated_where_none_is_told(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    endpoint.answers = lambda _: Answer("12345678", usage=None)
    usage = caller(role(), make_request()).usage
    assert usage.output_tokens == 2 and usage.input_tokens > 0


@pytest.mark.parametrize(
    "message", ["half a \ud83d face", "nul \x00 byte", "𝄞 clef", "a\u2028line", "data: [DONE]"]
)
def test_odd_characters_arrive_as_they_are(
    endpoint: ModelEndpoint, caller: Caller, role: Make, message: str
) -> None:
    endpoint.answers = lambda _: Answer(message.replace("\ud83d", "?"))
    assert caller(role(), make_request(message)).text == message.replace("\ud83d", "?")
    assert endpoint.calls[0].question.replace("�", "?") == message.replace("\ud83d", "?")


def test_many_calls_at_once_leave_no_thread_behind(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    before = threading.active_count()
    threads = [threading.Thread(target=lambda: caller(role(), make_request())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until = time.monotonic() + 60
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert len(endpoint.calls) == 8 and threading.active_count() <= before


def test_a_hundred_calls_cost_little_work(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    """The bound of a run is 1 s for its 40 calls, server and all; this allows for a busy
    machine."""
    endpoint.answers = "A sentence of an answer that is of the usual length. " * 6
    begun = time.thread_time()
    for _ in range(20):
        caller(role(), make_request())
    assert time.thread_time() - begun < 0.5


def test_answers_are_told_apart_by_what_was_asked(
    endpoint: ModelEndpoint, caller: Caller, role: Make
) -> None:
    def answers(call: Asked) -> str:
        return call.question.upper()

    endpoint.answers = answers
    assert [caller(role(), make_request(text)).text for text in ("one", "two")] == ["ONE", "TWO"]
