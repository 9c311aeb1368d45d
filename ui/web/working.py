"""What is done with finished researches in the background: one piece of work for each, a few at a time."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.models import Cancelled, Conflict, Event, ZororaError

AT_ONCE = 2
LINES = 200
OnEvent = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Work:
    """One piece of work. lines: what was said so far, oldest first. result: what it returned, when it went well."""

    action: str
    subject: str = ""
    running: bool = True
    stopping: bool = False
    lines: tuple[str, ...] = ()
    problem: str | None = None
    result: Any = None


class Working:
    """Pieces of work by the research they belong to. The newest of each is remembered until the program ends."""

    def __init__(self) -> None:
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
            known = self._works.get(research_id)
            if known and known.running:
                raise Conflict("This research is being worked on already. Wait until that is done, or stop it.")
            if sum(one.running for one in self._works.values()) >= AT_ONCE:
                raise Conflict("Other researches are being worked on just now. Try again when they are done.")
            self._works[research_id] = work
        thread = threading.Thread(target=self._run, args=(research_id, do), name="steering", daemon=True)
        self._threads[research_id] = thread
        thread.start()
        thread.join(wait)

    def stop(self, research_id: str) -> None:
        """Ask a piece of work to end; nothing of it is kept."""
        self._change(research_id, stopping=True)

    def join(self) -> None:
        """Wait for all of it (tests)."""
        for thread in list(self._threads.values()):
            thread.join()

    def _run(self, research_id: str, do: Callable[[OnEvent], Any]) -> None:
        def told(event: Event) -> None:
            if self._works[research_id].stopping:
                raise Cancelled("It was stopped; the report is as it was.")
            if event.message:
                lines = (*self._works[research_id].lines, event.message)
                self._change(research_id, lines=lines[-LINES:])

        result, problem = None, "It ended unexpectedly; the report is as it was, and the log says why."
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
