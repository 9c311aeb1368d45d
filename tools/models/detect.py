"""Which local servers run, what an endpoint serves, whether it works."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tools.errors import ModelError
from tools.models.calling import DIALECTS, Caller, fetch_json
from tools.models.dialect import whole_number
from tools.models.faults import Fault, sentence
from tools.models.model import Endpoint, FoundServer, Message, Reply, Request, Role, Timing
from tools.models.wire import Sent, Wire

DETECTING = Timing(0.5, 1.0, 1.0)
LISTING = Timing(5.0, 10.0, 10.0)
# Where local servers listen unless told otherwise. The OpenAI-compatible ones list their models at
# /v1/models.
SERVERS = (
    ("lmstudio", "LM Studio", "http://localhost:1234/v1", "openai"),
    ("ollama", "Ollama", "http://localhost:11434/v1", "ollama"),
    ("llamacpp", "llama.cpp", "http://localhost:8080/v1", "openai"),
    ("vllm", "vLLM", "http://localhost:8000/v1", "openai"),
)
# Classes of results, by the kind of the error, that may be shown where its words must not be
RESULTS = {
    "": "reached", "absent": "not reachable", "key": "wrong key", "model": "no such model",
    "silent": "too slow",
    "shape": "not a model server", "limit": "too many requests, or the quota is used up",
}  # fmt: skip
_NO_CHAT = ("embed", "rerank", "whisper", "tts", "moderation", "bge-", "minilm", "e5-", "clip")
_NO_LIST = "it lists no models; this is not a model server"
_WINDOWS = ("context_length", "max_model_len", "max_context_length", "context_window")


@dataclass(frozen=True, slots=True)
class Served:
    """A model an endpoint lists. window: tokens, None when it does not say. chat: whether it can
    answer questions."""

    name: str
    window: int | None = None
    chat: bool = True


@dataclass(frozen=True, slots=True)
class TestResult:
    """What a test found. result: its class in words (reached, wrong key, not reachable ...);
    message: one sentence.

    The message may repeat words of the server, so the web page shows the class alone. seconds:
    until the whole answer. models: what the endpoint lists, where it does.
    """

    ok: bool
    result: str
    message: str
    model: str = ""
    seconds: float = 0.0
    models: tuple[str, ...] = ()


def detect(wire: Wire, servers: Sequence[tuple[str, str, str, Any]] = SERVERS) -> list[FoundServer]:
    """The local servers that run, in the order of the table. All are asked at once, within a
    second."""

    def ask(row: tuple[str, str, str, Any]) -> FoundServer | None:
        name, label, url, provider = row
        try:
            served = listed(wire, Endpoint(name, url, provider), DETECTING)
        except ModelError:
            return None  # nothing listens there, or it is something else
        names = tuple(model.name for model in served if model.chat)
        return FoundServer(name, label, url, provider, names)

    with ThreadPoolExecutor(max(len(servers), 1), thread_name_prefix="detect") as pool:
        return [server for server in pool.map(ask, servers) if server is not None]


def listed(wire: Wire, endpoint: Endpoint, timing: Timing = LISTING) -> tuple[Served, ...]:
    """The models an endpoint lists, those for conversation first. Raises ModelError."""
    role = Role("the list of models", endpoint, "any", timing=timing)
    headers = DIALECTS.get(endpoint.provider, DIALECTS["openai"]).headers(endpoint.key)
    message = Sent(_openai_root(endpoint) + "/models", headers, None, timing)
    payload = fetch_json(wire, role, message, None, _NO_LIST)
    entries = payload.get("data", payload.get("models")) if isinstance(payload, dict) else payload
    if not isinstance(entries, list):
        raise sentence(Fault("shape", _NO_LIST), role)
    names = tuple(dict.fromkeys(served for entry in entries if (served := _served(entry))))
    return tuple(sorted(names, key=lambda served: not served.chat))


def test(caller: Caller, role: Role) -> TestResult:
    """Ask the endpoint of a role for one word. Never raises for what the endpoint does."""
    start = caller.wire.clock()
    models: tuple[Served, ...] = ()
    try:
        if role.endpoint.provider != "local":
            models = listed(caller.wire, role.endpoint)
    except ModelError as error:
        if error.kind in ("absent", "key", "silent"):
            return _failure(error)
    names = tuple(served.name for served in models)
    request = Request((Message("user", "Answer with the word yes."),), max_tokens=200)
    try:
        reply = caller(role, request)
    except ModelError as error:
        # Thinking models use up so short a limit without a word; they work all the same
        if not error.is_thought_alone:
            return _failure(error, names)
        reply = Reply("", model=role.label)
    took = round(caller.wire.clock() - start, 3)
    message = f"{role.endpoint} answers with {reply.model} in {took:.1f} s.{_advice(role, models)}"
    return TestResult(True, RESULTS[""], message, reply.model, took, names)


def test_listing(wire: Wire, role: Role) -> TestResult:
    """Whether the endpoint of a role can be reached and lists its model."""
    try:
        names = tuple(served.name for served in listed(wire, role.endpoint))
    except ModelError as error:
        return _failure(error)
    if names and role.model not in names:
        problem = f"{role.endpoint} does not list {role.model}."
        return TestResult(False, RESULTS["model"], problem, models=names)
    message = f"{role.endpoint} can be reached."
    return TestResult(True, RESULTS[""], message, role.model, models=names)


def _failure(error: ModelError, names: tuple[str, ...] = ()) -> TestResult:
    result = RESULTS.get(error.kind, "reached, but it failed")
    return TestResult(False, result, str(error), models=names)


def _advice(role: Role, models: Sequence[Served]) -> str:
    """That the model can take more than the settings let it."""
    window = next((served.window for served in models if served.name == role.model), None)
    if role.window or not window:
        return ""
    return (
        f" Its window has {window} tokens; models.{role.name}.window = {window} makes use of them."
    )


def _openai_root(endpoint: Endpoint) -> str:
    """Where /models is: Ollama lists them beside its own API under /v1."""
    url = endpoint.url.rstrip("/")
    is_root = endpoint.provider == "ollama" and not urlsplit(url).path.rstrip("/")
    return f"{url}/v1" if is_root else url


def _served(entry: Any) -> Served | None:
    if not isinstance(entry, dict):
        return None
    name = entry.get("id") or entry.get("name") or entry.get("model")
    if not isinstance(name, str) or not name.strip() or len(name) > 200 or not name.isprintable():
        return None
    return Served(name, _window(entry), not any(word in name.lower() for word in _NO_CHAT))


def _window(entry: Mapping[str, Any]) -> int | None:
    """The tokens of a model's window, under any of the names that servers give it."""
    meta = entry.get("meta")
    sizes = [entry.get(key) for key in _WINDOWS] + [
        meta.get("n_ctx_train") if isinstance(meta, dict) else None
    ]
    return next(filter(None, map(whole_number, sizes)), None)
