"""Answers that take a while: one thread of work, told piece by piece as server-sent events or
waited for."""

import json
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from flask import Response, request, stream_with_context

from engine.models import Cancelled, Conflict, ZororaError
from ui.web import errors

BEAT = 0.5  # seconds between two signs of life, by which a closed page is noticed
# Requests that last: they never hold all threads of the server
HELD = threading.BoundedSemaphore(6)
EVENTS = "text/event-stream"
FULL = "Several questions are being answered. Try again in a moment."

Say = Callable[[str, str], None]  # the kind of a piece (piece, step) and its text
Check = Callable[[], None]  # raises Cancelled once nobody listens any more
T = TypeVar("T")
Do = Callable[[Say, Check], T]


def wants_events() -> bool:
    """Whether the one who asks can read an answer as it comes."""
    return EVENTS in request.headers.get("Accept", "")


@contextmanager
def place() -> Iterator[None]:
    """A place among the requests that last. Conflict when there is none left."""
    if not HELD.acquire(blocking=False):
        raise Conflict(FULL)
    try:
        yield
    finally:
        HELD.release()


def stream(name: str, do: Do[T], end: Callable[[T], Any]) -> Response:
    """Work as server-sent events: piece and step as they come, then done (what `end` makes of the
    result) or problem.

    Each event's data is JSON. A client that goes away makes the work's next check raise Cancelled.
    """
    if not HELD.acquire(blocking=False):
        raise Conflict(FULL)
    work = _Work(name, do)
    work.start()
    events = stream_with_context(_events(work, end))
    answer = Response(events, mimetype=EVENTS, headers={"Cache-Control": "no-store"})
    answer.call_on_close(work.is_gone.set)
    return answer


class _Work(threading.Thread):
    """pieces: what is told, None at the end. gone: nobody listens any more."""

    def __init__(self, name: str, do: Do[Any]) -> None:
        super().__init__(name=name, daemon=True)
        self.pieces: queue.Queue[tuple[str, str] | None] = queue.Queue()
        self.is_gone = threading.Event()
        self.result: Any = None
        self.problem: Exception = RuntimeError(f"{name} ended without an answer")
        self._do = do

    def run(self) -> None:
        try:
            self.result = self._do(lambda *piece: self.pieces.put(piece), self._check)
        except ZororaError as problem:
            self.problem = problem
        finally:
            HELD.release()
            self.pieces.put(None)

    def _check(self) -> None:
        if self.is_gone.is_set():
            raise Cancelled("The page was closed.")


def _events(work: _Work, end: Callable[[Any], Any]) -> Iterator[str]:
    try:
        yield ": asked\n\n"
        while True:
            try:
                piece = work.pieces.get(timeout=BEAT)
            except queue.Empty:
                yield ": still there\n\n"
                continue
            if piece is None:
                break
            yield _event(*piece)
        yield _last(work, end)
    finally:
        work.is_gone.set()


def _last(work: _Work, end: Callable[[Any], Any]) -> str:
    try:
        if work.result is None:
            raise work.problem
        return _event("done", end(work.result))
    except (ZororaError, RuntimeError) as problem:
        return _event("problem", errors.describe(problem).sentence)


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
