"""One question to one endpoint, brought to an answer: attempts, waits, and what the endpoint turns
out not to take."""

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tools.errors import Check, SourceError
from tools.models import anthropic, ollama, openai_compat
from tools.models.dialect import Dialect, Gathered
from tools.models.faults import Fault, of_answer, sentence
from tools.models.in_process import InProcess
from tools.models.model import OnText, Reply, Request, Role, Usage, estimate, estimate_request
from tools.models.structured import parse_json, without_halves
from tools.models.thinking import Visible, strip
from tools.models.wire import LARGEST, LARGEST_ERROR, Exchange, Sent, Wire
from tools.net.body import Lost, read_body
from tools.net.pacing import backoff, wait_in_steps

DIALECTS: dict[str, Dialect] = {
    "openai": openai_compat,
    "anthropic": anthropic,
    "ollama": ollama,
}
_STREAMS = ("text/event-stream", "application/x-ndjson", "application/stream+json")


@dataclass(frozen=True, slots=True)
class Patience:
    """Attempts after the first, seconds before the second (doubled each time), longest wait for an
    endpoint."""

    retries: int = 2
    backoff: float = 0.5
    longest: float = 30.0


class Caller:
    """Calls endpoints. Safe to use from several threads; remembers what each model does not
    take."""

    def __init__(
        self,
        wire: Wire,
        patience: Patience = Patience(),
        *,
        stream: bool = True,
        sleep: Callable[[float], None] = time.sleep,
        inside: InProcess | None = None,
    ) -> None:
        self.wire = wire
        self._patience = patience
        self._stream = stream
        self._sleep = sleep
        self._without: dict[tuple[str, str], frozenset[str]] = {}
        self._inside = inside or InProcess(clock=wire.clock)
        self._lock = threading.Lock()

    def __call__(
        self,
        role: Role,
        request: Request,
        *,
        on_text: OnText | None = None,
        check_cancelled: Check | None = None,
    ) -> Reply:
        """The answer of a role's endpoint. Raises ModelError, Cancelled.

        Answers are streamed, so that silence is noticed; an endpoint that will not is asked for the
        whole.
        """
        start, attempt = self.wire.clock(), 0
        until = start + role.timing.total
        showing = Visible(on_text)
        while True:
            try:
                gathered = self._once(role, request, until, showing, check_cancelled)
                showing.end()
                return self._reply(role, request, gathered, start)
            except Fault as fault:
                if self._leave_out(role, request, fault):
                    continue
                wait = (
                    backoff(attempt, self._patience.backoff) if fault.wait is None else fault.wait
                )
                # Text that was shown cannot be taken back, and would be shown twice; data is not
                # shown as it is
                has_text = showing.has_text and request.schema is None
                if has_text or not fault.again or not self._may_wait(wait, attempt, until):
                    raise sentence(fault, role) from None
            attempt += 1
            wait_in_steps(wait, self.wire.clock, self._sleep, check_cancelled)

    def _once(
        self,
        role: Role,
        request: Request,
        until: float,
        showing: Visible,
        check_cancelled: Check | None,
    ) -> Gathered:
        if role.endpoint.provider == "local":
            return self._inside.gather(role, request, showing.feed, check_cancelled)
        dialect = DIALECTS[role.endpoint.provider]
        without = self._without.get(_taker(role), frozenset())
        stream = self._stream and "no_stream" not in without
        question = dialect.question(role, request, stream, without)
        timing = replace(role.timing, total=max(until - self.wire.clock(), 0.0))
        if not stream:
            timing = replace(timing, first=timing.total)  # the answer comes at its end
        body = json.dumps(question, ensure_ascii=False).encode("utf-8", "replace")
        headers = {"Content-Type": "application/json", **dialect.headers(role.endpoint.key)}
        message = Sent(role.endpoint.url.rstrip("/") + dialect.PATH, headers, body, timing)
        gathered = Gathered()
        with self.wire.open(message, check_cancelled) as exchange:
            self._read(exchange, dialect, gathered, showing)
        return gathered

    def _read(
        self, exchange: Exchange, dialect: Dialect, gathered: Gathered, showing: Visible
    ) -> None:
        status, headers = exchange.head()
        if status != 200:
            raise of_answer(status, headers, _body(exchange, headers, LARGEST_ERROR), time.time())
        media_type = headers.get("content-type", "").lower()
        if media_type.startswith(_STREAMS) and "content-encoding" not in headers:
            return _stream(exchange.pieces(), dialect, gathered, showing)
        body = _body(exchange, headers)
        if body.lstrip().startswith((b"data:", b"event:", b":")):
            return _stream((body,), dialect, gathered, showing)
        dialect.whole(_payload(body), gathered)
        showing.feed("".join(gathered.text))

    def _reply(self, role: Role, request: Request, gathered: Gathered, start: float) -> Reply:
        if gathered.finish == "refused" or (gathered.refusal and not gathered.text):
            raise sentence(Fault("refused", endpoint_words=gathered.refusal), role)
        written, arguments = "".join(gathered.text), "".join(gathered.arguments)
        text = strip(written) or (arguments if request.schema is not None else "")
        if not text:
            error = sentence(Fault("shape", _nothing(gathered, written)), role)
            error.is_thought_alone = bool(written.strip())
            raise error
        data = _data(arguments, text) if request.schema is not None else None
        finish = "stop" if gathered.finish in ("", "tool") else gathered.finish
        usage = self._usage(request, gathered, written + arguments, start)
        return Reply(text, data, gathered.model or role.label, role.endpoint.name, finish, usage)

    def _usage(self, request: Request, gathered: Gathered, written: str, start: float) -> Usage:
        tokens_in, tokens_out = gathered.input_tokens, gathered.output_tokens
        return Usage(
            input_tokens=estimate_request(request) if tokens_in is None else tokens_in,
            output_tokens=estimate(written) if tokens_out is None else tokens_out,
            seconds=round(self.wire.clock() - start, 6),
            cost=gathered.cost,
            calls=1,
        )

    def _leave_out(self, role: Role, request: Request, fault: Fault) -> bool:
        """Note what this model does not take; False when nothing is left that could be left out."""
        with self._lock:
            left_out = self._without.get(_taker(role), frozenset())
            for name in fault.without:
                if name not in left_out and (name != "no_schema" or request.schema is not None):
                    self._without[_taker(role)] = left_out | {name}
                    return True
            return False

    def _may_wait(self, seconds: float, attempt: int, until: float) -> bool:
        if attempt >= self._patience.retries or seconds > self._patience.longest:
            return False
        return self.wire.clock() + seconds < until


def fetch_json(
    wire: Wire, role: Role, message: Sent, check_cancelled: Check | None, not_json: str
) -> Any:
    """The JSON values of one whole answer. Raises ModelError, Cancelled.

    not_json: what an answer is that holds no JSON, for the sentence.
    """
    try:
        status, headers, content = wire.read(message, check_cancelled)
        if status != 200:
            raise of_answer(status, headers, content, time.time())
        return json.loads(content)
    except Fault as fault:
        raise sentence(fault, role) from None
    except (ValueError, RecursionError):
        raise sentence(Fault("shape", not_json), role) from None


def _taker(role: Role) -> tuple[str, str]:
    return role.endpoint.url, role.model


def _stream(pieces: Iterable[bytes], dialect: Dialect, into: Gathered, showing: Visible) -> None:
    for data in data_of(pieces):
        if data.strip() == "[DONE]":
            into.is_complete = True
            break
        if data.strip():
            showing.feed(dialect.event(_payload(data.encode("utf-8", "replace")), into))
    if not into.is_complete:
        raise Fault("cut", "the stream ended before the answer did", again=True)


def _payload(body: bytes) -> Any:
    if body.lstrip()[:1] == b"<":
        raise Fault(
            "shape",
            "it is a web page and no JSON (is this the address of the endpoint? most end in /v1)",
        )
    try:
        data = json.loads(body.decode("utf-8-sig", "replace"))
        # Half characters (a lone \\ud800) are taken by no terminal, file or database
        return without_halves(data) if b"\\ud" in body.lower() else data
    except (ValueError, RecursionError):
        raise Fault("shape", "it is not JSON" if body.strip() else "it is empty") from None


def _body(exchange: Exchange, headers: dict[str, str], largest: int = LARGEST) -> bytes:
    pieces = exchange.pieces(largest)
    if "content-encoding" not in headers:
        return b"".join(pieces)
    try:
        return read_body(pieces, headers, 64_000_000)
    except Lost:
        raise Fault("cut", "the answer was cut off", again=True) from None
    except SourceError as error:
        raise Fault("shape", str(error)) from None


def _nothing(gathered: Gathered, written: str) -> str:
    what = "nothing but thinking" if written.strip() else "no text"
    cut = ", and then reached its maximum length (max_tokens)"
    return f"it contains {what}{cut if gathered.finish == 'length' else ''}"


def _data(arguments: str, text: str) -> Any:
    """The answer as data: what the one tool was called with, else the text."""
    data = parse_json(arguments) if arguments else None
    return parse_json(text) if data is None else data


_LONGEST_LINE = 4_000_000  # bytes


def data_of(pieces: Iterable[bytes]) -> Iterator[str]:
    """The data of each event, as text; `[DONE]` included. Pieces may break anywhere, also inside a
    character.

    Lines that are a JSON object by themselves (Ollama) are events too. Comments, names and ids are
    left out.
    """
    waiting: list[str] = []
    for line in _lines(pieces):
        if line.startswith("data:"):
            waiting.append(line[5:].removeprefix(" "))
        elif line.startswith("{"):
            yield line
        elif not line and waiting:
            yield "\n".join(waiting)
            waiting = []
    if waiting:
        yield "\n".join(waiting)


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for piece in pieces:
        rest += piece
        if b"\n" not in piece and b"\r" not in piece:
            if len(rest) > _LONGEST_LINE:
                raise Fault("shape", "a line of the stream is too long")
            continue
        *whole, rest = rest.replace(b"\r\n", b"\n").split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace").rstrip("\r")
    if rest:
        yield rest.decode("utf-8", "replace").rstrip("\r")
