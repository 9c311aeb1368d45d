"""Many questions out of a file: research --batch FILE."""

from pathlib import Path
from typing import TYPE_CHECKING

from ui.terminal.command import DONE, FAILED, INTERRUPTED, PARTIAL, Arguments, UsageError
from ui.terminal.plain import plain
from ui.terminal.session import Session

if TYPE_CHECKING:
    from engine.batch import Answered


def batch(session: Session, args: Arguments) -> int:
    """Research every line of a file and print what became of each: id, status, question."""
    from engine.batch import Batch, questions
    from ui.terminal.do_research import run_options
    from ui.terminal.files import Delivery

    if args.batch is None:
        raise UsageError("--cluster is for many questions: give a file of them with --batch FILE.")
    if args.query:
        raise UsageError("Write the questions into the file of --batch, or leave it out.")
    if args.output or args.format:
        raise UsageError("A batch is kept in the history; export each research with: zorora export ID FORMAT")
    asked = questions(Path(args.batch).expanduser())
    options = run_options(session, args, Delivery())
    if args.detach:
        return _detached(session, asked, args)
    done: list[Answered] = []

    def told(one: "Answered") -> None:
        done.append(one)
        session.screen.note(f"{len(done)} of {len(asked)}  {one.status}  {plain(one.question)[:100]}")

    work = Batch(session.engine)
    try:
        found = work.there(asked, options, args.cluster, told) if args.cluster else work.here(asked, options, told)
    except KeyboardInterrupt:
        session.screen.note("" if args.cluster else "The others go on in the background: zorora jobs")
        _print(session, done, args)
        return INTERRUPTED
    _print(session, found, args)
    session.last = next((one.research_id for one in reversed(found) if one.research_id), session.last)
    if all(one.status == "complete" for one in found):
        return DONE
    return PARTIAL if any(one.research_id for one in found) else FAILED


def _detached(session: Session, asked: list[str], args: Arguments) -> int:
    from ui.terminal.do_research import run_options
    from ui.terminal.files import Delivery

    if args.cluster:
        raise UsageError("--detach and --cluster do not go together: the records come back to this process.")
    options = run_options(session, args, Delivery())
    ids = [(session.engine.start(one, options), one) for one in asked]
    if args.json:
        session.screen.json([{"research_id": research_id, "question": one} for research_id, one in ids])
    else:
        session.screen.rows(("id", "question"), ids)
    return DONE


def _print(session: Session, done: "list[Answered]", args: Arguments) -> None:
    if args.json:
        session.screen.json(done)
        return
    rows = [(one.research_id or "-", one.status, one.problem or one.question) for one in done]
    session.screen.rows(("id", "status", "question or problem"), rows)
