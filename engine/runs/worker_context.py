"""What a worker works with, and what it is told: the seam between the job runner and everything it
drives."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from engine.wiring.request_budget import Spending
from workflows.research.deps import Deps
from workflows.research.events import Event
from workflows.research.model import RunConfig
from workflows.research.pipeline import Save
from workflows.research.state import ResearchState


class Pipeline(Protocol):
    """workflows.research.pipeline, or a fake."""

    def run(
        self, state: ResearchState, deps: Deps, *, step: str | None = None, save: Save
    ) -> ResearchState: ...
    def finish_partial(
        self, state: ResearchState, deps: Deps, ended_by: str = "user"
    ) -> ResearchState: ...


def never(*event: object) -> None:
    """Nobody stops this, and nobody is told."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the toolbox needs to know about one run. emit and check_cancelled go into its Deps.

    closed: ask nobody any more; what was answered before is answered again from the store. fresh:
    read pages anew, whatever is kept of them. quick: search by words alone. spending: what its
    clients were asked so far; it counts on.
    """

    research_id: str
    config: RunConfig
    docs: tuple[str, ...]
    as_of: str
    emit: Callable[[Event], None]
    check_cancelled: Callable[[], None]
    closed: bool = False
    fresh: bool = False
    quick: bool = False
    spending: Spending = field(default_factory=Spending)


@dataclass(slots=True)
class Switch:
    """Set by signal handlers: the first one asks to stop, the second one not even to wait for the
    report."""

    bell: threading.Event = field(default_factory=threading.Event)
    presses: int = 0

    def press(self, *_: object) -> None:
        self.presses += 1
        self.bell.set()
