"""What is done with finished researches in the background: one piece of work for each, a few at a time."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.models import Cancelled, Conflict, Event, ZororaError

AT_ONCE = 2
LINES = 200
KEPT = 200
OnEvent = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Sentences:
    """What is said where a piece of work does not go on: too many at once, stopped, a fault of ours."""

    busy: str = "Other reports are being changed. Try again when they are finished."
    stopped: str = "Stopped; the report is unchanged."
    fault: str = "It ended unexpectedly; the report is unchanged, and the log gives the reason."


@dataclass(frozen=True, slots=True)
class Work:
    """One piece of work. lines: what was said so far, oldest first. text: of an answer that is being written.

    result: what it returned, when it went well.
    """

    action: str
    subject: str = ""
    running: bool = True
    stopping: bool = False
    lines: tuple[str, ...] = ()
    text: str = ""
    problem: str | None = None
    result: Any = None


SENTENCES = Sentences()


class Working:
    """Pieces of work by the research they belong to. The newest of each is remembered until the program ends."""

    def __init__(self, at_once: int = AT_ONCE, sentences: Sentences = SENTENCES) -> None:
        """at_once: how many pieces of work may go on together."""
        self._at_once, self._sentences = at_once, sentences
        self._lock = threading.Lock()
        self._works: dict[str, Work] = {}
        self._threads: dict[str, threading.Thread] = {}

    def of(self, research_id: str) -> Work | None:
        """The newest piece of work on a research."""
        return self._works.get(research_id)

    def start(self, research_id: str, work: Work, do: Callable[[OnEvent], Any], wait: float = 1.0) -> None:
        """Begin; short work is done when this returns. Conflict while another one goes on.

        do: gets a listener to hand to the engine; the listener raises Cancelled once `stop` was called.
        """
        with self._lock:
            running = self._works.get(research_id)
            if running and running.running:
                raise Conflict("This report is already being changed. Wait until that is done, or stop it.")
            if sum(one.running for one in self._works.values()) >= self._at_once:
                raise Conflict(self._sentences.busy)
            self._forget()
            self._works[research_id] = work
        thread = threading.Thread(target=self._run, args=(research_id, do), name="steering", daemon=True)
        self._threads[research_id] = thread
        thread.start()
        thread.join(wait)

    def stop(self, research_id: str) -> None:
        """Ask a piece of work to end; nothing of it is kept."""
        self._change(research_id, stopping=True)

    def check(self, research_id: str) -> None:
        """Cancelled once `stop` was called."""
        if self._works[research_id].stopping:
            raise Cancelled(self._sentences.stopped)

    def say(self, research_id: str, piece: str) -> None:
        """One more piece of the answer that is being written."""
        self._change(research_id, text=self._works[research_id].text + piece)

    def join(self) -> None:
        """Wait for all of it (tests)."""
        for thread in list(self._threads.values()):
            thread.join()

    def _forget(self) -> None:
        """The oldest pieces of work that are over, so that a server that runs for months does not grow."""
        over = [name for name, one in self._works.items() if not one.running]
        for name in over[: max(0, len(self._works) - KEPT + 1)]:
            del self._works[name]
            self._threads.pop(name, None)

    def _run(self, research_id: str, do: Callable[[OnEvent], Any]) -> None:
        def told(event: Event) -> None:
            self.check(research_id)
            if event.message:
                lines = (*self._works[research_id].lines, event.message)
                self._change(research_id, lines=lines[-LINES:])

        result, problem = None, self._sentences.fault
        try:
            result, problem = do(told), ""
        except ZororaError as wrong:
            problem = str(wrong)
        finally:
            self._change(research_id, running=False, result=result, problem=problem or None)

    def _change(self, research_id: str, **fields: Any) -> None:
        with self._lock:
            if research_id in self._works:
                self._works[research_id] = replace(self._works[research_id], **fields)
