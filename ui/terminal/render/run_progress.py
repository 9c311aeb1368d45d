"""Live progress: on a terminal one picture that is redrawn, elsewhere one line per event, always on
standard error.

`advance` folds an event into a View; drawing a View is a pure function. So progress is tested
without a terminal.
"""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.text import Text

from engine.jobs.model import RunProgress
from engine.jobs.progress import advanced
from engine.models import PHASES, Event, EventKind
from engine.reports.figures import used_by_requests
from ui.terminal.hangup import interrupted_by_hangup
from ui.terminal.render.live import living
from ui.terminal.render.plain import plain, shorten, wrapped
from ui.terminal.screen import Screen

LOG_LINES = 8
MANY = 14  # clients shown before the rest is counted
HEAD = 9  # rows of the picture that are neither clients nor log
ALWAYS_SAID = (
    EventKind.RESEARCH_STARTED,
    EventKind.QUERY_ANALYZED,
    EventKind.PLAN_CREATED,
    EventKind.PHASE_STARTED,
    EventKind.PHASE_SKIPPED,
    EventKind.TASK_FAILED,
    EventKind.WAITING_FOR_INPUT,
    EventKind.SYNTHESIS_FINISHED,
    EventKind.RESEARCH_FINISHED,
    EventKind.NOTE,
)


class Client(NamedTuple):
    """One source client so far: hits, seconds of its slowest answer, and its last problem."""

    hits: int = 0
    seconds: float = 0.0
    problem: str = ""


class View(NamedTuple):
    """Everything the picture shows. skipped: names of the phases this run leaves out. written:
    sentences that passed. requests: what is known of each request to a model.
    """

    query: str = ""
    elapsed: float = 0.0
    run: RunProgress = RunProgress()
    clients: Mapping[str, Client] = {}
    unread: int = 0
    skipped: frozenset[str] = frozenset()
    log: tuple[tuple[float, str], ...] = ()
    written: tuple[str, ...] = ()
    requests: tuple[Mapping[str, Any], ...] = ()


def advance(view: View, event: Event) -> View:
    """The view after one more event."""
    view = view._replace(
        elapsed=max(view.elapsed, event.elapsed),
        run=advanced(view.run, event),
        log=_log(view, event),
    )
    data = event.data
    if event.kind == EventKind.SOURCE_ANSWERED:
        return view._replace(
            clients={**view.clients, str(data.get("client", "?")): _answered(view, data)}
        )
    if event.kind == EventKind.PAGE_FETCHED:
        return view._replace(unread=view.unread + (not data.get("ok")))
    if event.kind == EventKind.SENTENCE_PASSED:
        tags = "".join(f"[{tag}]" for tag in data.get("tags") or ())
        return view._replace(written=(*view.written, plain(f"{data.get('text')} {tags}")))
    if event.kind == EventKind.MODEL_ASKED:
        return view._replace(requests=(*view.requests, data))
    if event.kind == EventKind.PHASE_SKIPPED:
        return view._replace(skipped=view.skipped | {event.phase})
    return view


def _answered(view: View, data: Mapping[str, Any]) -> Client:
    client = view.clients.get(str(data.get("client", "?")), Client())
    return Client(
        client.hits + int(data.get("found") or 0),
        max(client.seconds, float(data.get("seconds") or 0.0)),
        plain(data.get("problem") or client.problem),
    )


def _log(view: View, event: Event) -> tuple[tuple[float, str], ...]:
    if not event.message or event.kind in (
        EventKind.PHASE_FINISHED,
        EventKind.TASK_STARTED,
        EventKind.TASK_FINISHED,
    ):
        return view.log
    return (*view.log[-(LOG_LINES - 1) :], (event.elapsed, plain(event.message)))


class Progress:
    """Takes events from any thread and shows them. Use as `with watching(screen, query) as
    progress: ...`."""

    def __init__(
        self, screen: Screen, query: str, everything: bool = False, quiet: bool = False
    ) -> None:
        self.screen, self.everything, self.quiet = screen, everything, quiet
        self.view = View(query=plain(query))
        self._lock = threading.Lock()
        self._heard: set[tuple[object, ...]] = set()

    def __call__(self, event: Event) -> None:
        with self._lock:
            self.view = advance(self.view, event)
            self.show(event)

    def show(self, event: Event) -> None:
        """One line per event that says something new."""
        if event.message and not self.quiet and (self.everything or self._worth_a_line(event)):
            self.screen.note(f"{event.elapsed:7.1f} s  {plain(event.message)}")

    def _worth_a_line(self, event: Event) -> bool:
        if event.kind != EventKind.SOURCE_ANSWERED:
            return event.kind in ALWAYS_SAID or bool(event.data.get("problem"))
        # A client is asked many queries in a round: its first answer and its problems are enough
        heard = (event.data.get("client"), self.view.run.round, bool(event.data.get("problem")))
        new = heard not in self._heard
        self._heard.add(heard)
        return new


class Picture(Progress):
    """The view as rows for a terminal; console: as wide and as high as the terminal is when it is
    asked."""

    def __init__(self, screen: Screen, query: str, console: Console) -> None:
        super().__init__(screen, query)
        self._console = console
        self._began = time.monotonic()

    def show(self, event: Event) -> None:
        """Nothing: the picture is drawn from the view, several times a second."""

    def rows(self) -> list[str]:
        """What to draw now: rows without their ends, at most one less than the terminal has."""
        # The clock runs on between two events, so that a slow source does not look like a hang
        view = self.view._replace(elapsed=max(self.view.elapsed, time.monotonic() - self._began))
        room = max(1, self._console.height - 1)
        with self._console.capture() as captured:
            self._console.print(draw(view, room, self._console.width), end="")
        return captured.get().rstrip("\n").split("\n")[:room]


@contextmanager
def watching(
    screen: Screen, query: str, verbose: int = 0, quiet: bool = False
) -> Iterator[Progress]:
    """Shows progress while the body runs: the picture on a terminal, lines elsewhere or with -v;
    quiet: no lines.

    A request to end (SIGTERM, SIGHUP) comes out of it as KeyboardInterrupt, when the terminal is as
    it was.
    """
    console = screen.console(progress=True) if screen.live and not verbose else None
    with interrupted_by_hangup():
        if console is None or console.is_dumb_terminal:  # which cannot draw over what stands there
            yield Progress(screen, query, everything=verbose > 0, quiet=quiet and not verbose)
            return
        picture = Picture(screen, query, console)
        # The report, not the log, is what remains on the screen
        with living(screen.err, screen.source, picture.rows):
            yield picture


def draw(view: View, rows: int = 40, width: int = 80) -> RenderableType:
    """The picture of a view: question, phases, clients or what is written, the last lines of the
    log.

    What is higher than the terminal cannot be drawn over again, and would be left behind in its
    scroll-back.
    """
    room = max(6, rows - HEAD)
    lines = min(LOG_LINES, room // 3)
    many = min(MANY, room - lines - 1)
    head = Text(shorten(view.query, 300), style="bold", no_wrap=True, overflow="ellipsis")
    counts = Text(_counts(view), style="dim", no_wrap=True, overflow="ellipsis")
    log = [
        Text.assemble(
            (f"{elapsed:6.1f}  ", "dim"), shorten(message, 300), no_wrap=True, overflow="ellipsis"
        )
        for elapsed, message in list(view.log)[-lines:]
    ]
    middle = _written(view, many, width) if view.written else _clients(view, many)
    return Group(head, Text(""), _phases(view), counts, *middle, Text(""), *log)


def _phases(view: View) -> RenderableType:
    labels = []
    for number, (name, label) in enumerate(PHASES, 1):
        if name in view.skipped:
            labels.append(Text(f"– {label} (skipped)", style="dim"))
        elif name == view.run.phase:
            labels.append(Text("● ", style="cyan").append(label, style="bold"))
        elif number < (view.run.phase_number or 0):
            labels.append(Text(f"✓ {label}", style="cyan"))
        else:
            labels.append(Text(f"· {label}", style="dim"))
    is_between = view.run.phase not in dict(PHASES)
    between = [Text(f"{view.run.phase or 'starting'} …", style="dim")] if is_between else []
    return Group(Columns(labels, padding=(0, 3, 0, 0)), *between)


def _counts(view: View) -> str:
    counts = view.run.counts
    parts = [
        f"{view.elapsed:.0f} s",
        f"{counts.get('hits', 0)} hits",
        f"{counts.get('pages', 0)} texts read",
    ]
    if view.unread:
        parts.append(f"{view.unread} could not be read")
    parts.append(f"{counts.get('claims', 0)} claims")
    if view.run.rounds > 1:
        parts.append(f"round {max(1, view.run.round)} of {view.run.rounds}")
    return "  ·  ".join([*parts, *used_by_requests(view.requests)])


def _clients(view: View, many: int) -> list[RenderableType]:
    if not view.clients:
        return []
    first_clients = [(plain(name), client) for name, client in view.clients.items()][:many]
    width = max(len(name) for name, _ in first_clients)
    rows: list[RenderableType] = [Text("")]
    for name, client in first_clients:
        facts = f"  {client.seconds:>5.1f} s  {client.problem}".rstrip()
        line = Text(f"{name:<{width}}  {client.hits:>4} hits", no_wrap=True, overflow="ellipsis")
        rows.append(line.append(facts, style="dim"))
    more = len(view.clients) - many
    return [*rows, *([Text(f"and {more} more", style="dim")] if more > 0 else [])]


def _written(view: View, many: int, width: int) -> list[RenderableType]:
    """The end of what is written so far."""
    rows = wrapped("\n".join(view.written), width).split("\n")
    return [Text(""), *(Text(row, no_wrap=True) for row in rows[-max(1, many) :])]
