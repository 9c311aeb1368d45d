"""All that a phase may touch. The engine builds it (engine/wiring/run_deps.py), tests build it from
plain fakes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.documents.model import Passage, Snapshot
from tools.judging.checks import Checks
from tools.judging.judge import Judge
from tools.models.roles import Models
from tools.sources.source import ClientInfo, Credibility, FetchedPage, Outcome, Source
from workflows.research.answer.collection import TextCollection
from workflows.research.events import Event, EventKind
from workflows.research.modelled.work import Work
from workflows.research.run_settings import Settings


@dataclass(frozen=True, slots=True)
class Deps:
    """Effects of a run. Every callable is safe to use from several threads.

    clients:     the clients of this run, in a fixed order, "local" among them when documents are
                 allowed.
    search:      one request to one client (name, query, limit); never raises except Cancelled.
    fetch:       read a source's page or open copy into a snapshot, indexed; never raises except
                 Cancelled. The same source fetched before (this run or an earlier life of it) is
                 answered from the store.
    store_text:  keep a text that came with a source (an abstract) as a snapshot and index it.
    references:  the works a source cites; citing: the works that cite it (source, limit).
    allot:       settle, before any of them is asked, who answers the questions of a hop (source,
                 "references" or "citing"); gives an Outcome with the reason budget for each client
                 that could not take all of its.
    complete:    works with what services know of them beyond a citation (title, authors, venue,
                 retraction), same ids; and the outcome of each request.
    copies:      addresses of open copies of each of some sources, best first.
    fetch_copy:  read a source, whose own page would not do, at addresses of open copies.
    left:        requests that a client may still make in this run.
    moved:       sources that turned out to be another one (old id -> the id that stays).
    text:        the text of a snapshot.
    retrieve:    hybrid retrieval over the named snapshots (query, snapshot_ids, k), best first.
    score:       credibility of a source given the number of voices behind its best claim (None =
                 unknown).
    emit:        progress, thread-safe. check_cancelled: raises Cancelled.
    clock:       monotonic seconds. now: ISO time for the trajectory.
    models:      the models of this run, None when none is configured: every step has a way without.
    work:        the same within the calls of this run; the pipeline makes it from models.
    tag_letter:  the letter before the number of a source's tag.
    judge:       says whether a passage supports a claim; its name is recorded with what it decided.
    collection:  the texts that the question is put to: documents that the run may use, and what it
                 has read.
    source_of:   the source that a text of the user's documents belongs to, and its snapshot; None
                 for other texts.
    """

    settings: Settings
    clients: tuple[ClientInfo, ...]
    search: Callable[[str, str, int], Outcome]
    fetch: Callable[[Source], FetchedPage]
    store_text: Callable[[Source, str, str], Snapshot]
    references: Callable[[Source, int], Outcome]
    citing: Callable[[Source, int], Outcome]
    text: Callable[[str], str]
    retrieve: Callable[[str, Collection[str], int], Sequence[Passage]]
    score: Callable[[Source, int | None, str], Credibility]
    emit: Callable[[Event], None]
    check_cancelled: Callable[[], None]
    clock: Callable[[], float]
    now: Callable[[], str]
    collection: Callable[[Any], TextCollection]
    source_of: Callable[[str], tuple[Source, Snapshot] | None]
    tag_letter: Callable[[Source], str] = lambda source: "S"
    judge: Judge = field(default_factory=Checks)
    models: Models | None = None
    work: Work | None = None
    allot: Callable[[Sequence[tuple[Source, str]]], Sequence[Outcome]] = lambda tasks: ()
    complete: Callable[[Sequence[Source]], tuple[Sequence[Source], Sequence[Outcome]]] = (
        lambda sources: (sources, ())
    )
    copies: Callable[[Sequence[Source]], Sequence[tuple[str, ...]]] = lambda sources: (
        [()] * len(sources)
    )
    fetch_copy: Callable[[Source, Sequence[str]], FetchedPage] = lambda source, urls: FetchedPage(
        source.source_id, source.url
    )
    left: Callable[[str], int] = lambda client: 1_000_000
    moved: Callable[[Mapping[str, str]], None] = lambda ids: None

    def note(self, phase: str, message: str, **data: Any) -> None:
        """Tell of something that is no step of the pipeline by itself."""
        self.emit(Event(EventKind.NOTE, phase, message, data))
