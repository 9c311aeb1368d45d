"""The one way in which pages and the JSON interface let work go on behind them: a thread, and a
state that is shown."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from flask import current_app

from engine.models import Cancelled, Conflict, Event, ZororaError

LINES = 200  # of one piece of work
FAILED = 50
REMEMBERED = 200  # pieces of work of a group


@dataclass(frozen=True, slots=True)
class Group:
    """Work of one kind. at_once: how many pieces of it go on together. wait: seconds that a request
    waits for its end.

    The sentences: it goes on already; too many others do; it was stopped; a fault of ours ended it.
    """

    name: str
    again: str
    fault: str
    stopped: str = "Stopped."
    busy: str = ""
    at_once: int = 1
    wait: float = 1.0


CHANGES = Group(
    "changes",
    again="This report is already being changed. Wait until that is done, or stop it.",
    busy="Other reports are being changed. Try again when they are finished.",
    stopped="Stopped; the report is unchanged.",
    fault="It ended unexpectedly; the report is unchanged, and the log gives the reason.",
    at_once=2,
)
QUESTIONS = Group(
    "questions",
    again="",  # each question is a piece of work of its own
    busy="Several questions are being answered. Try again in a moment.",
    stopped="Stopped; nothing was kept.",
    fault="It ended unexpectedly; nothing was kept, and the log gives the reason.",
    at_once=3,
)
READING = Group(
    "reading",
    again="Documents are being read already.",
    stopped="Stopped after {done:,} of {total:,}. The files read so far are kept.",
    fault="Reading stopped unexpectedly; the files read so far are kept.",
    wait=1.5,
)
DOWNLOADS = Group(
    "downloads",
    again="A model is being downloaded already.",
    fault="The download ended unexpectedly, and the log gives the reason.",
    wait=1.5,
)
LISTS = Group(
    "lists",
    again="The lists are being loaded already.",
    fault="Loading ended unexpectedly, and the log gives the reason.",
    wait=1.5,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """How far a piece of work is. name, done, total: what it is at, and how far. stopping: it ends
    after what it is at.

    failed: (name, reason) of the last things that could not be done. problem: why it ended without
    a result.
    """

    running: bool = False
    name: str = ""
    done: int = 0
    total: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    problem: str | None = None
    stopping: bool = False


@dataclass(frozen=True, slots=True)
class Work(Position):
    """One piece of work. lines: messages so far, oldest first. text: of an answer that is being
    written. result: what it returned.
    """

    action: str = ""
    subject: str = ""
    lines: tuple[str, ...] = ()
    text: str = ""
    result: Any = None


class Background:
    """The pieces of work of a group by a key. The newest of each key is remembered until the
    program ends."""

    def __init__(self, group: Group) -> None:
        self._group = group
        self._lock = threading.Lock()
        self._works: dict[str, Work] = {}
        self._threads: dict[str, threading.Thread] = {}

    @property
    def state(self) -> Work:
        """Of a group that does one thing at a time."""
        return self.of("") or Work()

    def of(self, key: str) -> Work | None:
        """The newest piece of work of a key."""
        return self._works.get(key)

    def start(
        self,
        do: Callable[["Reporter"], Any],
        key: str = "",
        work: Work | None = None,
        wait: float | None = None,
    ) -> None:
        """Begin; short work is done when this returns. Conflict while the same goes on, or too much
        else does."""
        with self._lock:
            running = [name for name, other in self._works.items() if other.running]
            if key in running:
                raise Conflict(self._group.again)
            if len(running) >= self._group.at_once:
                raise Conflict(self._group.busy)
            self._forget()
            self._works[key] = replace(work or Work(), running=True)
        thread = threading.Thread(
            target=self._run, args=(key, do), name=self._group.name, daemon=True
        )
        self._threads[key] = thread
        thread.start()
        thread.join(self._group.wait if wait is None else wait)

    def stop(self, key: str = "") -> None:
        """Ask a piece of work to end at its next report."""
        self.change(key, lambda work: replace(work, stopping=work.running))

    def check(self, key: str) -> None:
        """Cancelled once `stop` was called."""
        work = self._works[key]
        if work.stopping:
            raise Cancelled(self._group.stopped.format(done=work.done, total=work.total))

    def change(self, key: str, changed: Callable[[Work], Work]) -> None:
        with self._lock:
            if key in self._works:
                self._works[key] = changed(self._works[key])

    def _forget(self) -> None:
        """The oldest pieces of work that are over, so that a server that runs for months does not
        grow."""
        over = [name for name, work in self._works.items() if not work.running]
        for name in over[: max(0, len(self._works) - REMEMBERED + 1)]:
            del self._works[name]
            self._threads.pop(name, None)

    def _run(self, key: str, do: Callable[["Reporter"], Any]) -> None:
        result, problem = None, self._group.fault
        try:
            result, problem = do(Reporter(self, key)), ""
        except ZororaError as error:
            problem = str(error)
        finally:
            self.change(
                key,
                lambda work: replace(
                    work, running=False, stopping=False, problem=problem or None, result=result
                ),
            )


@dataclass(frozen=True, slots=True)
class Reporter:
    """What a piece of work reports with while it goes on. Each report raises Cancelled once it was
    asked to stop."""

    background: Background
    key: str

    def check(self) -> None:
        self.background.check(self.key)

    def event(self, event: Event) -> None:
        """A progress event of the engine; its message becomes a line."""
        self.check()
        if event.message:
            self.background.change(
                self.key, lambda work: replace(work, lines=(*work.lines, event.message)[-LINES:])
            )

    def text(self, piece: str) -> None:
        """One more piece of the answer that is being written."""
        self.background.change(self.key, lambda work: replace(work, text=work.text + piece))

    def count(self, name: str, count: int, total: int, problem: str | None) -> None:
        """How many of how many things are done. What was asked to stop at the last of them is
        done."""

        def counted(work: Work) -> Work:
            failed = (*work.failed, (name, problem))[-FAILED:] if problem else work.failed
            return replace(work, name=name, done=count, total=total, failed=failed)

        self.background.change(self.key, counted)
        if count < total:
            self.check()


def background(group: Group) -> Background:
    """The work of a group in this application."""
    return cast(
        Background, current_app.extensions.setdefault(f"zorora_{group.name}", Background(group))
    )
