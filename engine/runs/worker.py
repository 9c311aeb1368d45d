"""Runs one job in this process, from its last checkpoint to its record.

The pipeline works in a thread of its own, so that this one can hear a signal, the cancel flag or a
lost claim at any moment and keep the promise of two seconds: a phase that does not return in time
is left behind (its thread is a daemon and its claim is closed) and the last checkpoint is what
remains.

The order of writing loses nothing at any moment: snapshots before what refers to them (the tools),
a checkpoint after every step, the record and the final status in one transaction.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.clock import now
from engine.jobs.journal import Journal, Watcher
from engine.jobs.model import Checkpoint, Claim, Ending, Fenced, Job
from engine.jobs.storage import Trail, pack
from engine.jobs.store import JobStore
from engine.records.storage import LocalStorage
from engine.runs.initial_state import FIRST_STEP, FURTHER, SPENDING, Beginning, begin
from engine.runs.run_account import UsageMeter, with_trajectory
from engine.runs.worker_context import Order, Pipeline, Switch, never
from engine.wiring.request_budget import Spending
from tools.errors import Cancelled, StorageError, ZororaError
from workflows.research import codec, pipeline
from workflows.research.deps import Deps
from workflows.research.events import Event, EventKind
from workflows.research.kinds import RunStatus
from workflows.research.state import STATE_VERSION, ResearchState

if TYPE_CHECKING:
    from engine.resources import Opened

# The kernel may hand a signal to any thread, and that does not wake this one, which alone runs
# Python's handlers: it looks by itself this often
_LISTEN_SECONDS = 0.5
GRACE_SECONDS = 1.0  # a phase may finish its thought after a cancel
# The steps that ask and read; stopped half-way they have found something
GATHERING = ("aggregate", "follow")
REPORT_SECONDS = 8.0  # for the report of what was found
_FAREWELL: dict[str, str] = {
    RunStatus.COMPLETE: "The report is complete.",
    RunStatus.PARTIAL: "The report ended early; what was found is kept.",
    RunStatus.CANCELLED: "The report was stopped before anything was read.",
    RunStatus.FAILED: "The report failed.",
}
log = logging.getLogger("zorora.worker")


@dataclass(slots=True)
class Aside:
    """Work in a thread of its own. left: nobody waits for it any more, and whatever it still says
    is ignored."""

    finish: threading.Event = field(default_factory=threading.Event)
    is_abandoned: bool = False


def run_job(
    opened: "Opened", claim: Claim, switch: Switch, on_event: Watcher | None = None
) -> ResearchState:
    """Work on a claimed job until it ends or waits for its user; the state then.

    Raises Fenced when another process took over (nothing is written then), StorageError when
    nothing can be written.
    """
    return _Run(opened, claim, switch, on_event).work()


def settle(jobs: JobStore, records: LocalStorage, research_id: str) -> None:
    """Write the record of a job that ended without one: what its last checkpoint holds."""
    trail = Trail(jobs)
    job = jobs.get(research_id)
    try:
        state = begin(job, trail.last_checkpoint(research_id), job.created_at).state
        final_state = replace(
            state, status=job.status, ended_by=job.ended_by, completed_at=job.finished_at
        )
        records.save_research(with_trajectory(final_state, trail))
        jobs.mark_saved(research_id)
    except StorageError as fault:
        log.warning("The record of %s could not be written yet: %s", research_id, fault)
    except Exception:
        # A record that cannot be made must not stop whoever looks at the queue, again and again
        log.exception("The record of %s cannot be written", research_id)
        jobs.mark_saved(research_id)


class _Run:
    def __init__(
        self, opened: "Opened", claim: Claim, switch: Switch, on_event: Watcher | None
    ) -> None:
        self.jobs, self.records, self.tools = opened.jobs, opened.storage, opened.tools
        self.phases: Pipeline = opened.extensions.pipeline or pipeline
        self.claim = claim
        self.switch = switch
        self.trail = Trail(self.jobs)
        beat = opened.config.get("jobs.heartbeat")
        self.journal = Journal(self.jobs, claim, beat=beat, on_event=on_event, bell=switch.bell)
        self.job: Job = self.jobs.get(claim.research_id)
        self.began: Beginning = begin(
            self.job, self.trail.last_checkpoint(claim.research_id), now()
        )
        self.latest = self.began.state
        self.next_step = self.began.step or FIRST_STEP
        self.spent = self.began.spending  # by the steps that are finished
        self.problem: str | None = None
        self.main = Aside()
        self.meter = UsageMeter(self.tools, self.began.state.usage)

    def work(self) -> ResearchState:
        self.journal.start()
        try:
            state = self._pipeline()
            self._still_ours()
            if state is not None and state.status == RunStatus.WAITING:
                return self._wait(state)
            return self._end(state)
        except Fenced:
            raise
        except Exception as fault:
            # Otherwise the job would stay with this process for as long as it lives
            self._unsaved(fault)
            raise StorageError(
                f"The report could not be saved; its last checkpoint remains. {fault}"
            ) from fault
        finally:
            self.main.is_abandoned = True
            self.journal.close()

    # --- the pipeline, in its thread -------------------------------------------------------------

    def _pipeline(self) -> ResearchState | None:
        """The state the pipeline returned; None when it was stopped or failed."""
        results: list[ResearchState] = []
        self._beside(self.main, lambda: results.append(self._steps()))
        while not self.main.finish.is_set() and not self._stopping():
            self.switch.bell.wait(_LISTEN_SECONDS)
            self.switch.bell.clear()
        if self._stopping() and not results and not self.journal.fault:
            self.journal.emit(Event("note", self.next_step, "Stopping; what was found is kept."))
        self.main.finish.wait(GRACE_SECONDS)
        self.main.is_abandoned = True
        return results[0] if results else None

    def _steps(self) -> ResearchState:
        order, state = self._order(), self.began.state
        if order.docs and state.config.documents is None:
            state = replace(state, config=self.tools.prepare(order))
            self.save(self.began.step or "", state)
        order = replace(order, config=state.config)

        def save(step: str, state: ResearchState) -> None:
            # A step that waits for the user's answer runs again
            self.save(
                step, state, None if state.status == RunStatus.WAITING else order.spending.plain()
            )

        with self.tools.deps(order) as deps:
            after = self.phases.run(state, deps, step=self.began.step, save=save)
            return self._answered(after, deps)

    def _answered(self, state: ResearchState, deps: Deps) -> ResearchState:
        """With an answer to the question that was searched for, where somebody searched further."""
        further = self.job.options.get(FURTHER)
        if not further or state.report is None:
            return state
        from engine.answering.further_search import answer_further  # few runs need what it hangs on

        return answer_further(
            state, str(further), self.records.load_research(state.research_id), deps
        )

    def _beside(self, aside: Aside, work: Callable[[], object]) -> None:
        """Run in a daemon thread. A fault becomes `problem`."""

        def body() -> None:
            try:
                work()
            except Cancelled:
                pass
            except Fenced as fault:
                self.journal.fault = fault
            except ZororaError as fault:
                self._failed(aside, str(fault), fault)
            except Exception as fault:  # noqa: BLE001
                message = (
                    f"Zorora has a bug ({type(fault).__name__}: {fault}); the log has the details."
                )
                self._failed(aside, message, fault)
            finally:
                aside.finish.set()
                self.switch.bell.set()

        threading.Thread(target=body, name=f"run {self.claim.research_id}", daemon=True).start()

    def _failed(self, aside: Aside, problem: str, fault: Exception) -> None:
        if not aside.is_abandoned:
            log.error("%s: %s", self.claim.research_id, problem, exc_info=fault)
            self.problem = problem

    def _order(self) -> Order:
        began, state = self.began, self.began.state
        words = (self.claim.research_id, state.config, began.docs, state.as_of)
        return Order(*words, self._emit, self.check_cancelled, spending=Spending(self.spent))

    def _emit(self, event: Event) -> None:
        if not self.main.is_abandoned:
            self.journal.emit(event)

    def save(self, step: str, state: ResearchState, spent: Mapping[str, Any] | None = None) -> None:
        """The pipeline's `save`: step is the one to run next. spent: None = as before."""
        self.check_cancelled(only_left=True)
        self.latest, self.next_step, self.spent = state, step, spent or self.spent
        self.journal.count(sources=len(state.sources))
        self.journal.checkpoint(Checkpoint(STATE_VERSION, step, state.round, self._body(state)))

    def _body(self, state: ResearchState) -> bytes:
        return pack({**codec.plain(state), SPENDING: dict(self.spent)})

    def check_cancelled(self, only_left: bool = False) -> None:
        if self.main.is_abandoned or (not only_left and self._stopping()):
            raise Cancelled("The report was stopped.")

    def _stopping(self) -> bool:
        return self.switch.presses > 0 or self.journal.stop.is_set()

    def _still_ours(self) -> None:
        """A lost claim ends the work at once; a fault of the disk is tried to be written down as
        any other."""
        if isinstance(self.journal.fault, Fenced):
            raise self.journal.fault
        if self.journal.fault:
            self.problem = str(self.journal.fault)

    # --- how it ends -----------------------------------------------------------------------------

    def _wait(self, state: ResearchState) -> ResearchState:
        question = state.understanding.clarification
        self.journal.close()
        with self.journal.transaction():
            self.trail.checkpoint(
                self.claim,
                Checkpoint(STATE_VERSION, FIRST_STEP, state.round, self._body(state)),
                now(),
            )
            self.jobs.wait(
                self.claim,
                question.question if question else "",
                question.choices if question else (),
            )
        return state

    def _end(self, state: ResearchState | None) -> ResearchState:
        if state is not None:
            status = RunStatus.COMPLETE if state.status == RunStatus.RUNNING else state.status
            return self._final(replace(state, status=status))
        ended_by = "error" if self.problem else "user"
        state = replace(self.latest, ended_by=ended_by, status=self._early(_has_read(self.latest)))
        self._record(state, finishing=True)
        return self._final(self._partial_report(state))

    def _early(self, something: bool) -> str:
        return (
            RunStatus.PARTIAL
            if something
            else (RunStatus.FAILED if self.problem else RunStatus.CANCELLED)
        )

    def _partial_report(self, state: ResearchState) -> ResearchState:
        """The same state with a report of what was found so far, if that can be made in time."""
        if self.switch.presses > 1 or not (state.sources or self.next_step in GATHERING):
            return state
        aside, states, results = Aside(), [state], []

        def gather() -> None:
            states.append(
                replace(self._half_step(state), status=state.status, ended_by=state.ended_by)
            )
            results.append(self._finish(states[-1]))

        self._beside(aside, gather)
        aside.finish.wait(REPORT_SECONDS)
        aside.is_abandoned = True
        if not results:  # too busy a machine for a report: what was found is kept without one
            return states[-1]
        return replace(
            results[0], status=self._early(_has_read(results[0])), ended_by=state.ended_by
        )

    def _half_step(self, state: ResearchState) -> ResearchState:
        """What the step that was stopped had found: run again, with nobody asked and everything
        that was answered or read so far coming from the store. The checkpoint stays where it was,
        so that `resume` does it all.
        """
        if self.problem or self.next_step not in GATHERING:
            return state
        states: list[ResearchState] = []

        def take(step: str, state: ResearchState) -> None:
            states.append(state)
            raise Cancelled("One step was enough.")

        with (
            suppress(Cancelled),
            self.tools.deps(replace(self._ending_order(state), closed=True)) as deps,
        ):
            self.phases.run(
                replace(state, status=RunStatus.RUNNING), deps, step=self.next_step, save=take
            )
        return states[0] if states else state

    def _finish(self, state: ResearchState) -> ResearchState:
        with self.tools.deps(self._ending_order(state)) as deps:
            return self.phases.finish_partial(state, deps, "error" if self.problem else "user")

    def _ending_order(self, state: ResearchState) -> Order:
        """An order nobody cancels any more, and whose progress nobody follows. Somebody waits for
        what comes of it, and vectors of what was just read would take most of that time; `resume`
        makes them.
        """
        return replace(
            self._order(), config=state.config, emit=never, check_cancelled=never, quick=True
        )

    def _final(self, state: ResearchState) -> ResearchState:
        message = self.problem or _FAREWELL.get(state.status, "")
        if EventKind.RESEARCH_FINISHED not in self.journal.kinds:
            self.journal.emit(
                Event("research_finished", "synthesis", message, {"status": state.status})
            )
        self.journal.close()
        return self._record(state, finishing=False)

    def _unsaved(self, fault: Exception) -> None:
        """Free the job although its record could not be written; whoever looks next tries to write
        it again."""
        log.error("%s could not be saved", self.claim.research_id, exc_info=fault)
        self.journal.close()
        ending = Ending(RunStatus.FAILED, f"It could not be saved: {fault}", "error")
        with suppress(ZororaError, sqlite3.Error):
            self.jobs.end(self.claim, ending, saved=False)

    def _record(self, state: ResearchState, *, finishing: bool) -> ResearchState:
        """The record and the status, in one transaction that first checks the claim."""
        with self.journal.transaction():
            state = replace(
                state,
                research_id=self.claim.research_id,
                completed_at=now(),
                usage=self.meter.total(state.usage, self.journal.elapsed()),
            )
            state = with_trajectory(state, self.trail)
            self.records.save_research(state)
            ending = Ending(state.status, self.problem, state.ended_by, finishing)
            self.jobs.end(self.claim, ending, saved=True)
        return state


def _has_read(state: ResearchState) -> bool:
    """Whether there is a text that a partial report can be made of."""
    return bool(state.evidence) or any(source.snapshot_id for source in state.sources)
