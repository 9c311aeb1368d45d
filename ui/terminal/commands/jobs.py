"""Commands on runs that need no report: jobs, answer, cancel, worker."""

from engine.answers import JobStatus
from engine.models import RunStatus
from ui.terminal.command import Arguments, text_of
from ui.terminal.render.plain import plain
from ui.terminal.session import Session


def jobs(session: Session, args: Arguments) -> None:
    """List runs that are queued, running or waiting."""
    runs = session.engine.jobs(over=args.all)
    session.screen.listing(
        runs,
        ("id", "status", "time", "question"),
        [(job.research_id, _where(job), f"{job.elapsed:.0f} s", job.query) for job in runs],
        "Nothing is running. `zorora jobs --all` also lists finished ones.",
    )


def _where(job: JobStatus) -> str:
    if job.status == RunStatus.QUEUED and job.position:
        return f"queued, {job.position}."
    if job.status == RunStatus.RUNNING and job.phase_number:
        return f"running, phase {job.phase_number}/6"
    return job.status.replace("_", " ")


def answer(session: Session, args: Arguments) -> None:
    """Answer what a run asked; it goes on in the background."""
    research_id = session.find(args.id)
    session.engine.clarify(
        research_id,
        text_of(args.answer, "Give the answer: a number, yes or no, or your own words."),
    )
    session.screen.note(f"Answered. Follow it with: zorora watch {research_id}")


def cancel(session: Session, args: Arguments) -> None:
    """Stop a run and keep what it found."""
    status = session.engine.cancel(session.find(args.id))
    state = plain(status.status) if status.over else "being stopped"
    session.screen.result(
        status,
        f"{status.research_id}: {state}. What was found is kept: zorora show {status.research_id}",
    )


def worker(session: Session, args: Arguments) -> None:
    """Run one queued job in this process; started by the engine, not by people."""
    if session.engine.work(args.job) is None:
        # Into the log, which names no question
        session.screen.note("This report is already being worked on.")
