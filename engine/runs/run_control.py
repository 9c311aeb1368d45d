"""Researches as the interfaces see them: start, run, follow, answer, cancel, resume, load."""

import signal
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from itertools import islice
from sqlite3 import IntegrityError
from statistics import median

from engine import ids
from engine.answers import JobStatus, LoggedEvent, RunOptions
from engine.clock import present
from engine.jobs import owner as owners
from engine.jobs.journal import Watcher
from engine.jobs.model import OVER, Claim, Fenced, Job, JobFacts
from engine.library.named_documents import with_named
from engine.maintenance.upkeep import Upkeep
from engine.resources import Opened
from engine.runs.initial_state import begin, run_config as config_of
from engine.runs.run_options import job_options, run_config, searchable
from engine.runs.worker import run_job
from engine.runs.worker_context import Switch
from engine.signals import handled
from tools.errors import Conflict, NotFound, Refused, StorageError
from workflows.research.events import Event, EventKind
from workflows.research.kinds import RunStatus
from workflows.research.state import ResearchState

POLL_SECONDS = 0.2
ENOUGH = 3  # past researches to say how long one takes
MAX_ANSWER = 500  # characters


class Researches:
    """The running side of the engine."""

    def __init__(self, opened: Opened) -> None:
        self._open = opened

    # --- beginning --------------------------------------------------------------------------------

    def start(self, query: str, options: RunOptions | None) -> str:
        """Queue a research and start a worker for it, if there is a free slot; its id."""
        self._open.extensions.check_background()
        research_id = self._add(query, options or RunOptions(), waiter=None)
        self._open.foreman.look(at_once=True)
        return research_id

    def run(
        self, query: str, options: RunOptions | None, on_event: Watcher | None
    ) -> ResearchState:
        """The whole research in this process; while others fill the slots it waits its turn."""
        research_id = self._add(query, options or RunOptions(), waiter=owners.current())
        return self._here(research_id, on_event)

    def resume(self, research_id: str, force: bool) -> None:
        """Queue a research that ended early again, in front."""
        self._open.extensions.check_background()
        self._open.jobs.requeue(research_id, force=force)
        self._open.foreman.look(at_once=True)

    def resume_here(self, research_id: str, force: bool, on_event: Watcher | None) -> ResearchState:
        """Bring a research to its end in this process; one that runs in another process is followed
        to its end."""
        try:
            self._open.jobs.requeue(research_id, force=force, waiter=owners.current())
        except Conflict:
            if self._open.jobs.get(research_id).status != RunStatus.RUNNING:
                raise
        return self._here(research_id, on_event)

    def work(self, research_id: str) -> ResearchState | None:
        """What `zorora worker` does: run one queued job, then start the next. None when another
        process has it."""
        with _signals() as switch:
            claim = self._turn(research_id, switch, None, dedicated=True)
            if claim is None:
                return None
            Upkeep(self._open).tidy_when_due()
            try:
                return run_job(self._open, claim, switch)
            finally:
                self._open.foreman.look(at_once=True)

    # --- following --------------------------------------------------------------------------------

    def status(self, research_id: str) -> JobStatus:
        """Where a research is; of one that has only a record (an import, a restored backup), what
        the record says."""
        self._open.foreman.look()
        job = self._open.jobs.find(research_id)
        if job is not None:
            status = as_status(job)
            if status.over:
                return status
            return replace(status, expected=self.usual_seconds(status.depth, status.sources))
        state = self._open.storage.load_research(research_id)
        if state is None:
            raise ids.unknown(research_id)
        return JobStatus(
            research_id=state.research_id,
            query=state.original_query,
            status=state.status if state.status in OVER else RunStatus.PARTIAL,
            depth=state.config.depth,
            created_at=state.started_at,
            started_at=state.started_at,
            finished_at=state.completed_at,
            elapsed=state.usage.seconds,
            phase="synthesis",
            phase_number=6,
            round=state.round,
            ended_by=state.ended_by,
            sources=state.config.sources,
            over=True,
        )

    def usual_seconds(self, depth: int, sources: Collection[str]) -> float | None:
        """The median of what such researches took, by depth and kinds of sources; None where too
        few are known."""
        past = self._open.jobs.past_seconds(depth, sources)
        return round(median(past), 1) if len(past) >= ENOUGH else None

    def jobs(self, over: bool) -> list[JobStatus]:
        self._open.foreman.look()
        return [as_status(job) for job in self._open.jobs.jobs(over=over)]

    def events(self, research_id: str, after: int, limit: int) -> list[LoggedEvent]:
        """Events after a number; of a research whose events are gone, those its record kept."""
        self._open.foreman.look()
        events = self._open.trail.events(research_id, after, limit)
        job = self._open.jobs.find(research_id)
        is_open = job is not None and job.status not in OVER
        if events or is_open or self._open.trail.events(research_id, limit=1):
            return events
        state = self._open.storage.load_research(research_id)
        if state is None:
            self._open.jobs.get(research_id)  # NotFound, when there is not even a job
            return []
        later = (entry for entry in state.trajectory if entry.seq > after)
        return [
            LoggedEvent(e.kind, e.phase, e.message, e.data, time=e.time, seq=e.seq)
            for e in islice(later, limit)
        ]

    def preview(self, research_id: str) -> ResearchState | None:
        """The state of the last checkpoint of a job that is not over."""
        job = self._open.jobs.get(research_id)
        checkpoint = self._open.trail.last_checkpoint(research_id)
        return begin(job, checkpoint, job.created_at).state if checkpoint else None

    # --- steering ---------------------------------------------------------------------------------

    def cancel(self, research_id: str) -> JobStatus:
        self._open.jobs.cancel(research_id)
        self._open.foreman.look(at_once=True)
        return as_status(self._open.jobs.get(research_id))

    def clarify(self, research_id: str, answer: str) -> None:
        """Answer what a research asked. Conflict tells the answer that was there first."""
        text = " ".join(
            answer.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ").split()
        )
        if not text:
            raise Refused(
                "The answer is empty. Say a number, yes or no, or describe the one you mean."
            )
        self._open.jobs.answer(research_id, text[:MAX_ANSWER])
        self._open.foreman.look(at_once=True)

    # --- inside -----------------------------------------------------------------------------------

    def _add(self, query: str, options: RunOptions, waiter: owners.Owner | None) -> str:
        text, options = with_named(searchable(query), options, self._open)
        job_config = job_options(options, self._open.config, self._open.versions())
        depth = run_config(options, self._open.config).depth
        for research_id in ids.candidates(text, present()):
            if self._open.storage.has(research_id):
                continue
            created_at = self._open.now()
            job = Job(research_id, text, RunStatus.QUEUED, depth, created_at, options=job_config)
            # Where another process has just taken this name, the next one is tried
            with suppress(IntegrityError):
                self._open.jobs.add(job, waiter=waiter)
                return research_id
        raise StorageError("No name was left for this report.")

    def _here(self, research_id: str, on_event: Watcher | None) -> ResearchState:
        with _signals() as switch:
            claim = self._turn(research_id, switch, on_event)
            if claim is None:
                return self._follow(research_id, switch, on_event)
            Upkeep(self._open).tidy_when_due()
            try:
                return run_job(self._open, claim, switch, on_event)
            except Fenced:
                return self._follow(research_id, switch, on_event)
            finally:
                self._open.foreman.look(at_once=True)

    def _turn(
        self, research_id: str, switch: Switch, on_event: Watcher | None, *, dedicated: bool = False
    ) -> Claim | None:
        """Wait for a slot. None when another process has the job, or it is over, by then."""
        me, place = owners.current(), 0
        while True:
            try:
                claim = self._open.jobs.claim(research_id, me, dedicated=dedicated)
            except Conflict:
                return None
            if claim:
                return claim
            position = self._open.jobs.get(research_id).position or 0
            if on_event and position != place:
                message = f"Other reports are running; yours is number {position} in the queue."
                on_event(Event(EventKind.NOTE, "", message, {}))
                place = position
            self._open.foreman.look()
            if switch.bell.wait(POLL_SECONDS):
                if dedicated:
                    return None  # the job stays queued; whoever looks next starts another worker
                self.cancel(research_id)

    def _follow(self, research_id: str, switch: Switch, on_event: Watcher | None) -> ResearchState:
        """The events of a job that another process runs, until it is over or waits."""
        last_seq = 0
        while True:
            status = self.status(research_id)
            for event in self._open.trail.events(research_id, after=last_seq):
                last_seq = event.seq
                if on_event:
                    on_event(event)
            if status.over or status.status == RunStatus.WAITING:
                break
            if switch.bell.wait(POLL_SECONDS):
                switch.bell.clear()
                self.cancel(research_id)
        state = self._open.storage.load_research(research_id) or self.preview(research_id)
        if state is None:
            raise NotFound(
                f"{research_id} ended without a record: {status.problem or status.status}."
            )
        return replace(state, status=status.status)


def as_status(job: Job) -> JobStatus:
    """A job as the interfaces see it."""
    facts = {item.name: getattr(job, item.name) for item in fields(JobFacts)}
    if job.status == RunStatus.RUNNING and job.beat_at is not None:
        facts["elapsed"] += min(60.0, max(0.0, time.time() - job.beat_at))
    facts["elapsed"] = round(facts["elapsed"], 1)
    over = job.status in OVER and not job.finishing
    return JobStatus(
        **facts,
        sources=config_of(job.options).sources,
        over=over,
        stopping=job.cancel_at is not None and not over,
    )


@contextmanager
def _signals() -> Iterator[Switch]:
    """A switch that Ctrl+C, SIGTERM and a closed terminal press, for as long as the work lasts."""
    switch = Switch()
    with handled((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), switch.press):
        yield switch
