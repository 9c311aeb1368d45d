"""A model inside this process: llama.cpp and a GGUF file, no server. Needs the extra `local-model`.

llama.cpp works on one question at a time, so calls take turns. It runs in a thread of its own, so
that a stop is noticed at once; the thread ends with the token it is at.
"""

import os
import queue
import secrets
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tools.errors import Check
from tools.models import openai_compat
from tools.models.dialect import Gathered
from tools.models.faults import Fault
from tools.models.model import DEFAULT_WINDOW, Request, Role
from tools.native import native_call

_STEP = 0.1

Load = Callable[[Path, int], Any]  # (file, window) -> an object with handle_chat_completions


class InProcess:
    """Loaded models, by file. load: opens a file; a test hands in a fake. clock: monotonic
    seconds."""

    def __init__(
        self, load: Load | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._load = load or _llama
        self._clock = clock
        self._models: dict[tuple[str, int], Any] = {}
        self._turn = threading.Lock()

    def gather(
        self,
        role: Role,
        request: Request,
        show: Callable[[str], None],
        check_cancelled: Check | None,
    ) -> Gathered:
        """The answer of a model, put together. show is handed each piece. Raises Fault,
        Cancelled."""
        events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        stop = threading.Event()
        threading.Thread(
            target=self._work, args=(role, request, events, stop), daemon=True, name="local model"
        ).start()
        gathered = Gathered()
        began, has_started = self._clock(), False
        until, patience = began + role.timing.total, began + role.timing.first
        try:
            while True:
                if check_cancelled:
                    check_cancelled()
                now = self._clock()
                if now >= until or (now >= patience and not has_started):
                    raise Fault(
                        "silent",
                        "no answer within "
                        f"{role.timing.first if not has_started else until - began:.3g} s",
                    )
                try:
                    event = events.get(timeout=_STEP)
                except queue.Empty:
                    continue
                if isinstance(event, Fault):
                    raise event
                if event is None:
                    gathered.is_complete, gathered.model = True, role.label
                    return gathered
                has_started, until = True, min(now + role.timing.total, began + role.timing.longest)
                show(openai_compat.event(event, gathered))
        finally:
            stop.set()

    def _work(
        self, role: Role, request: Request, events: "queue.SimpleQueue[Any]", stop: threading.Event
    ) -> None:
        with self._turn:
            if stop.is_set():
                return
            try:
                model = self._model(Path(role.model).expanduser(), role.window or DEFAULT_WINDOW)

                def receive(event: Any) -> bool:
                    events.put(_checked(event))
                    return stop.is_set()

                with native_call():
                    model.handle_chat_completions(dict(_arguments(role, request)), receive)
                events.put(None)
            except Fault as fault:
                events.put(fault)
            except (ValueError, RuntimeError, OSError) as error:
                events.put(Fault("server", f": {error}"))

    def _model(self, file: Path, window: int) -> Any:
        key = (str(file), window)
        if key not in self._models:
            if not file.is_file():
                raise Fault(
                    "model", endpoint_words=f"there is no file of this name at {file.parent}"
                )
            self._models.clear()  # two in memory would be one too many on most computers
            self._models[key] = self._load(file, window)
        return self._models[key]


def _checked(event: Any) -> Any:
    """An event, or the Fault that it tells of."""
    problem = event.get("error") if isinstance(event, dict) else None
    if not isinstance(problem, dict):
        return event
    too_long = problem.get("type") == "exceed_context_size_error"
    return Fault(
        "context" if too_long else "server", "" if too_long else f": {problem.get('message', '')}"
    )


def _arguments(role: Role, request: Request) -> Mapping[str, Any]:
    arguments: dict[str, Any] = {
        "messages": [
            {"role": message.role, "content": message.text} for message in request.messages
        ],
        "temperature": role.temperature,
        "max_tokens": role.most_tokens(request),
        "seed": request.sample,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.schema is not None:
        arguments["response_format"] = {"type": "json_object", "schema": dict(request.schema)}
    return arguments


def _llama(file: Path, window: int) -> Any:
    try:
        import xllamacpp  # an extra
    except ImportError:
        raise Fault(
            "absent", "the extra local-model is not installed (pip install 'zorora[local-model]')"
        ) from None
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2
    )
    # They spin while they wait: where other work needs the core, one more is far slower
    threads = max(1, cores // 2)
    with tempfile.TemporaryDirectory() as folder:
        parameters = xllamacpp.CommonParams()
        parameters.model.path, parameters.n_ctx = str(file), window
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
        parameters.cache_ram_mib, parameters.verbosity, parameters.warmup = 0, -1, False
        # It cannot go without a server. This one listens on a socket in a folder that is gone when
        # it is loaded
        parameters.hostnames, parameters.api_keys = (
            [f"{folder}/llama.sock"],
            [secrets.token_hex(16)],
        )
        parameters.ui = parameters.endpoint_slots = parameters.endpoint_props = False
        with native_call():
            return xllamacpp.Server(parameters)
