"""A model endpoint on loopback that answers what a test says, in every dialect, and fails on
command.

    with ModelEndpoint(lambda asked: '{"kind": "concept"}') as endpoint:
        endpoint.fail("rate_limited", "cut")     # the next two calls
        ...
        endpoint.calls[0].text                   # what was asked

It speaks OpenAI's chat completions (/v1/chat/completions), Anthropic's messages (/v1/messages),
Ollama's own API (/api/chat) and images (/v1/images/generations), each streamed or whole, and lists
models as OpenAI, Ollama, LM Studio and llama.cpp do. `python -m tests.model_endpoint PORT` serves
it for trying things by hand.
"""

import base64
import json
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

PIECE = 7  # characters of one event of a stream
# One white point
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII="
)


@dataclass(frozen=True)
class Asked:
    """One call. text: all messages, in order, one below the other. path: of the request."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def messages(self) -> list[tuple[str, str]]:
        """(role, text) of each, the system prompt of Anthropic's form first."""
        system = [("system", str(self.body["system"]))] if "system" in self.body else []
        return system + [(m["role"], _text(m["content"])) for m in self.body.get("messages", ())]

    @property
    def text(self) -> str:
        return "\n".join(text for _, text in self.messages)

    @property
    def question(self) -> str:
        """The last message."""
        return self.messages[-1][1] if self.messages else ""

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema that was asked for, by whichever way."""
        tools = self.body.get("tools") or [{}]
        schema_entry = (self.body.get("response_format") or {}).get("json_schema") or {}
        return schema_entry.get("schema") or tools[0].get("input_schema") or self.body.get("format")

    @property
    def schema_name(self) -> str:
        """What the schema was called; empty where the dialect has no place for it."""
        tools = self.body.get("tools") or [{}]
        schema_entry = (self.body.get("response_format") or {}).get("json_schema") or {}
        return str(schema_entry.get("name") or tools[0].get("name") or "")

    @property
    def stream(self) -> bool:
        return bool(self.body.get("stream"))


@dataclass(frozen=True)
class Answer:
    """An answer in detail. thinking goes before the text in a <think> block. finish: stop or
    length.

    delay: seconds before the first byte. pause: seconds between two pieces. usage: None tells none.
    """

    text: str = ""
    thinking: str = ""
    finish: str = "stop"
    refusal: str = ""
    delay: float = 0.0
    pause: float = 0.0
    usage: tuple[int, int] | None = (20, 10)


@dataclass(frozen=True)
class Status:
    """An answer with this status and body."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


def _error(status: int, message: str, code: str | None = None, **headers: str) -> Status:
    body = {"error": {"message": message, "type": "invalid_request_error", "code": code}}
    return Status(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


HTML = "<!doctype html><html><body><h1>Welcome</h1></body></html>"
# Failures by name. Those that are no Status are done by the handler itself.
FAILURES: dict[str, Status | str] = {
    "wrong_key": _error(401, "Incorrect API key provided", "invalid_api_key"),
    "wrong_model": _error(
        404, "The model `x` does not exist or you do not have access to it.", "model_not_found"
    ),
    "too_long": _error(
        400, "This model's maximum context length is 4096 tokens.", "context_length_exceeded"
    ),
    "rate_limited": _error(429, "Rate limit reached"),
    "rate_limited_wait": _error(429, "Rate limit reached", Retry_After="1"),
    "rate_limited_long": _error(429, "Rate limit reached", Retry_After="3600"),
    "no_quota": _error(429, "You exceeded your current quota", "insufficient_quota"),
    "server_error": _error(500, "The server had an error"),
    "overloaded": Status(
        529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    ),
    "loading": Status(503, {"error": "Model x is currently loading", "estimated_time": 577.4}),
    "no_schema": _error(400, "response_format is not supported by this model"),
    "no_schema_404": _error(404, "No endpoints found that support the parameter response_format"),
    "no_temperature": _error(
        400, "Unsupported value: 'temperature' does not support 0 with this model."
    ),
    "completion_tokens": _error(
        400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    ),
    "no_stream_usage": _error(400, "Unknown parameter: stream_options"),
    "no_system": _error(400, "System role not supported"),
    "redirect": Status(302, "", {"Location": "http://127.0.0.1:9/elsewhere"}),
    "html": Status(200, HTML, {"Content-Type": "text/html"}),
    "html_404": Status(404, HTML, {"Content-Type": "text/html"}),
    "empty": Status(200, ""),
    "not_json": Status(200, '{"choices": [', {"Content-Type": "application/json"}),
    "no_choices": Status(200, {"choices": []}),
    "error_in_200": Status(200, {"error": {"message": "Provider returned error", "code": 502}}),
    "words_in_200": Status(200, {"error": "model 'small-4b' not found, try pulling it first"}),
    "echo_key": "echo_key",  # an error that repeats the key
    "cut": "cut",  # the stream ends in the middle
    "cut_length": "cut_length",  # fewer bytes than announced
    "hang_up": "hang_up",  # the connection closes before any answer
    "error_in_stream": "error_in_stream",
    "silence": "silence",  # nothing at all, for 70 s or until the endpoint closes
    "silence_in_stream": "silence_in_stream",
    "endless": "endless",  # pieces until the client goes
}

Answers = Callable[[Asked], "str | Answer | Status"]


class ModelEndpoint:
    """The server. answers: what to say to a call; models: names it lists. key: wanted when set.

    dead: closes every connection at once while True, as a server that died would.
    """

    def __init__(
        self,
        answers: Answers | str = "ok",
        models: tuple[str, ...] = ("small-4b",),
        key: str | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.answers = answers
        self.models = models
        self.key = key
        self.dead = False
        self.listing: str | None = None  # what /v1/models answers instead of the list
        self.calls: list[Asked] = []
        self.gone: list[str] = []  # paths of calls whose client went away early
        self.closing = threading.Event()
        self._failures: list[str] = []
        self._always: str | None = None
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.endpoint = self
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(
            target=lambda: self._server.serve_forever(0.01), daemon=True
        )
        self._thread.start()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """Address of the OpenAI and Anthropic dialects."""
        return self.root + "/v1"

    def fail(self, *names: str, always: bool = False) -> None:
        """Fail the next calls, one each; with `always` every call, by the one name."""
        unknown = [name for name in names if name not in FAILURES]
        assert not unknown, f"there is no failure {unknown}"
        with self._lock:
            self._always = names[0] if always else None
            self._failures = [] if always else [*self._failures, *names]

    def recover(self) -> None:
        """No more failures."""
        with self._lock:
            self._always, self._failures = None, []

    def reset(self, answers: Answers | str = "ok") -> None:
        """As new, for the next test."""
        self.recover()
        self.answers, self.models, self.key, self.listing, self.dead = (
            answers,
            ("small-4b",),
            None,
            None,
            False,
        )
        self.calls, self.gone = [], []

    def take(self, request: Asked) -> "str | Answer | Status":
        """What to do with a call."""
        with self._lock:
            self.calls.append(request)
            failure = self._always or (self._failures.pop(0) if self._failures else None)
        if failure:
            failure_status = FAILURES[failure]
            return (
                failure_status
                if isinstance(failure_status, Status)
                else Answer(f"!{failure_status}")
            )
        if self.key and self.key not in "".join(request.headers.values()):
            failure_status = FAILURES["wrong_key"]
            assert isinstance(failure_status, Status)
            return failure_status
        return self.answers(request) if callable(self.answers) else self.answers

    def close(self) -> None:
        self.closing.set()
        with suppress(OSError):  # ends the wait for the next connection, where the system allows it
            self._server.socket.shutdown(socket.SHUT_RDWR)
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> "ModelEndpoint":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    endpoint: ModelEndpoint

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        if self.server.endpoint.dead:
            return
        path = self.path.partition("?")[0]
        listing = self.server.endpoint.listing if path == "/v1/models" else None
        listing = listing or _listing(path, self.server.endpoint.models)
        self._whole(
            Status(200, listing) if listing is not None else Status(404, {"error": "not found"})
        )

    def do_POST(self) -> None:
        endpoint = self.server.endpoint
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if endpoint.dead:
            return
        path = urlsplit(self.path).path  # a proxy is asked for whole addresses
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Asked(path, json.loads(raw or b"{}"), headers)
        if path == "/api/show":
            self._whole(
                Status(
                    200,
                    {
                        "model_info": {"gemma3.context_length": 32768},
                        "capabilities": ["completion"],
                    },
                )
            )
            return
        answer = endpoint.take(request)
        try:
            self._answer(request, answer)
        except OSError:
            endpoint.gone.append(path)

    def _answer(self, request: Asked, reply: str | Answer | Status) -> None:
        if isinstance(reply, Status):
            self._whole(reply)
            return
        answer = reply if isinstance(reply, Answer) else Answer(reply)
        if answer.text.startswith("!") and answer.text[1:] in FAILURES:
            self._odd(answer.text[1:], request)
            return
        self.server.endpoint.closing.wait(answer.delay) if answer.delay else None
        if request.path.endswith("/images/generations"):
            self._whole(
                Status(
                    200, {"created": 1, "data": [{"b64_json": base64.b64encode(PICTURE).decode()}]}
                )
            )
        elif request.stream:
            self._stream(request, answer)
        else:
            self._whole(Status(200, _whole(request, answer)))

    def _odd(self, name: str, request: Asked) -> None:
        closing = self.server.endpoint.closing
        if name == "hang_up":
            self.close_connection = True
        elif name == "silence":
            self._watch(closing, 70)
        elif name == "echo_key":
            self._whole(
                _error(
                    401,
                    "Wrong key: "
                    f"{request.headers.get('authorization') or request.headers.get('x-api-key')}",
                )
            )
        elif name == "cut_length":
            self._head(200, {"Content-Type": "application/json", "Content-Length": "5000"})
            self.wfile.write(b'{"choices": [')
        else:
            self._broken_stream(name, request, closing)

    def _broken_stream(self, name: str, request: Asked, closing: threading.Event) -> None:
        self._head(200, {"Content-Type": _stream_type(request)})
        events = list(_events(request, Answer("The answer is broken off in the middle of a sen")))
        for event in events[: len(events) // 2]:
            self._send(event)
        if name == "error_in_stream":
            self._send(
                _line(request, {"error": {"message": "Provider returned error", "code": 502}})
            )
        elif name == "silence_in_stream":
            self._watch(closing, 70)
        elif name == "endless":
            while not closing.is_set():
                self._send(events[len(events) // 2])
                time.sleep(0.005)

    def _watch(self, closing: threading.Event, seconds: float) -> None:
        """Say nothing; note when the client goes away."""
        until = time.monotonic() + seconds
        self.connection.settimeout(0.02)
        while not closing.is_set() and time.monotonic() < until:
            try:
                if self.connection.recv(1) == b"":
                    self.server.endpoint.gone.append(self.path)
                    return
            except TimeoutError:
                continue

    def _stream(self, request: Asked, answer: Answer) -> None:
        self._head(200, {"Content-Type": _stream_type(request)})
        for event in _events(request, answer):
            self._send(event)
            if answer.pause:
                self.server.endpoint.closing.wait(answer.pause)

    def _send(self, event: bytes) -> None:
        self.wfile.write(event)
        self.wfile.flush()

    def _whole(self, answer: Status) -> None:
        text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        data = text.encode()
        self._head(
            answer.status,
            {
                "Content-Type": "application/json",
                **answer.headers,
                "Content-Length": str(len(data)),
            },
        )
        self.wfile.write(data)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


# --- shapes ---------------------------------------------------------------------------------------


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def _full(answer: Answer) -> str:
    return f"<think>{answer.thinking}</think>\n\n{answer.text}" if answer.thinking else answer.text


def _whole(request: Asked, answer: Answer) -> dict[str, Any]:
    into, out = answer.usage or (0, 0)
    model, text = request.body.get("model", ""), _full(answer)
    if request.path.endswith("/messages"):
        text = answer.text
        usage = {"usage": {"input_tokens": into, "output_tokens": out}} if answer.usage else {}
        block: dict[str, Any] = {"type": "text", "text": text}
        if request.body.get("tools") and (data := _as_json(text)) is not None:
            block = {"type": "tool_use", "id": "t1", "name": request.schema_name, "input": data}
        reason = {"stop": "end_turn", "length": "max_tokens"}.get(answer.finish, answer.finish)
        reason = "refusal" if answer.refusal else reason
        blocks = [{"type": "thinking", "thinking": answer.thinking}] * bool(answer.thinking) + [
            block
        ]
        return {
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": blocks,
            "stop_reason": reason,
        } | usage
    if request.path == "/api/chat":
        usage = {"prompt_eval_count": into, "eval_count": out} if answer.usage else {}
        message = {"role": "assistant", "content": text}
        return {
            "model": model,
            "message": message,
            "done": True,
            "done_reason": answer.finish,
        } | usage
    usage = {"usage": {"prompt_tokens": into, "completion_tokens": out}} if answer.usage else {}
    message = {
        "role": "assistant",
        "content": None if answer.refusal else text,
        "refusal": answer.refusal or None,
    }
    choice = {"index": 0, "message": message, "finish_reason": answer.finish}
    return {"object": "chat.completion", "model": model, "choices": [choice]} | usage


def _as_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _stream_type(request: Asked) -> str:
    return "application/x-ndjson" if request.path == "/api/chat" else "text/event-stream"


def _line(request: Asked, event: Mapping[str, Any]) -> bytes:
    data = json.dumps(event, ensure_ascii=False)
    if request.path == "/api/chat":
        return f"{data}\n".encode()
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {data}\n\n".encode()


def _events(request: Asked, answer: Answer) -> Iterator[bytes]:
    # Anthropic's thinking stands in blocks of its own
    text = answer.text if request.path.endswith("/messages") else _full(answer)
    pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    if request.path.endswith("/messages"):
        yield from (_line(request, event) for event in _anthropic(request, answer, pieces))
        return
    if request.path == "/api/chat":
        for piece in pieces:
            yield _line(
                request,
                {"model": request.body.get("model"), "message": {"content": piece}, "done": False},
            )
        yield _line(request, _whole(request, Answer(finish=answer.finish, usage=answer.usage)))
        return
    yield b": PROCESSING\n\n"
    for delta in ({"role": "assistant", "content": ""}, *({"content": piece} for piece in pieces)):
        yield _line(
            request, {"model": request.body.get("model"), "choices": [{"index": 0, "delta": delta}]}
        )
    end = {"refusal": answer.refusal} if answer.refusal else {}
    yield _line(request, {"choices": [{"index": 0, "delta": end, "finish_reason": answer.finish}]})
    if answer.usage and (request.body.get("stream_options") or {}).get("include_usage"):
        into, out = answer.usage
        yield _line(
            request, {"choices": [], "usage": {"prompt_tokens": into, "completion_tokens": out}}
        )
    yield b"data: [DONE]\n\n"


def _anthropic(request: Asked, answer: Answer, pieces: list[str]) -> Iterator[dict[str, Any]]:
    into, out = answer.usage or (0, 0)
    model = request.body.get("model", "")
    start = {"model": model, "content": [], "usage": {"input_tokens": into, "output_tokens": 1}}
    yield {"type": "message_start", "message": start}
    if answer.thinking:
        yield {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}}
        yield {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "thinking_delta", "thinking": answer.thinking},
        }
    as_tool = bool(request.body.get("tools")) and _as_json(answer.text) is not None
    yield {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "tool_use" if as_tool else "text"},
    }
    for piece in pieces:
        delta = (
            {"type": "input_json_delta", "partial_json": piece}
            if as_tool
            else {"type": "text_delta", "text": piece}
        )
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    reason = {"stop": "end_turn", "length": "max_tokens"}.get(answer.finish, answer.finish)
    reason = "refusal" if answer.refusal else reason
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reason},
        "usage": {"output_tokens": out},
    }
    yield {"type": "message_stop"}


def _listing(path: str, models: tuple[str, ...]) -> Any:
    """Lists of models as OpenAI, Ollama and LM Studio give them; llama.cpp's properties."""
    if path == "/v1/models":
        return {"object": "list", "data": [{"id": name, "object": "model"} for name in models]}
    if path == "/api/tags":
        return {"models": [{"name": name, "model": name} for name in models]}
    if path == "/api/v0/models":
        return {
            "data": [{"id": name, "type": "llm", "max_context_length": 16384} for name in models]
        }
    if path == "/props":
        return {"default_generation_settings": {"n_ctx": 2048}}
    return None


if __name__ == "__main__":
    with ModelEndpoint("This is the scripted endpoint; it says the same to everything.") as served:
        print(served.url)
        sys.stdin.read()
