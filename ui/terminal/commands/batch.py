"""Many questions out of a file: research --batch FILE."""

from collections.abc import Callable
from pathlib import Path

from engine.answers import RunOptions
from engine.models import RunStatus
from engine.runs.batch import Answered, Journal, questions
from ui.terminal.command import DONE, FAILED, INTERRUPTED, PARTIAL, Arguments, UsageError
from ui.terminal.commands import elsewhere
from ui.terminal.render.plain import plain
from ui.terminal.session import Session


def batch(session: Session, args: Arguments, run_options: Callable[[], RunOptions]) -> int:
    """Research every line of a file and print what became of each: id, status, question.

    run_options: what the flags of the command line choose for one run.
    """
    file = Path(_checked(args)).expanduser()
    asked_questions, options = questions(file), run_options()
    work = elsewhere.batch(
        session, args, Journal(session.engine.config.home, file, options, args.again)
    )
    earlier_answers = work.before(asked_questions)
    if earlier_answers:
        session.screen.note(
            f"{len(earlier_answers)} of {len(asked_questions)} were answered in an earlier run "
            "of this file; --again asks them again."
        )
    before = {result.question for result in earlier_answers}
    new = [question for question in asked_questions if question not in before]
    if args.detach:
        ids = work.queue(new, options)
        session.screen.listing(
            [{"research_id": research_id, "question": question} for research_id, question in ids],
            ("id", "question"),
            ids,
        )
        return DONE

    def report(answered: Answered) -> None:
        earlier_answers.append(answered)
        session.screen.note(
            f"{len(earlier_answers)} of {len(asked_questions)}  {answered.status}  "
            f"{plain(answered.question)[:100]}"
        )

    try:
        if new:
            work.run(new, options, report)
    except KeyboardInterrupt:
        session.screen.note(
            "" if args.cluster else "The others continue in the background: zorora jobs"
        )
        _print(session, earlier_answers)
        return INTERRUPTED
    place = {question: number for number, question in enumerate(asked_questions)}
    return _over(session, sorted(earlier_answers, key=lambda answered: place[answered.question]))


def _checked(args: Arguments) -> str:
    """The file of a batch. Raises UsageError with what does not go together."""
    if args.batch is None:
        raise UsageError(
            f"{elsewhere.NAME} and --again are for many questions: give a file of them with "
            "--batch FILE."
        )
    if args.query:
        raise UsageError("Write the questions into the file of --batch, or leave it out.")
    if args.detach and args.cluster:
        raise UsageError(
            f"--detach and {elsewhere.NAME} cannot be combined: the records come back to this "
            "process."
        )
    if args.output or args.format:
        raise UsageError(
            "A batch is kept in the history; export each report with: zorora export ID FORMAT"
        )
    return str(args.batch)


def _over(session: Session, answers: list[Answered]) -> int:
    """Print what became of every question, in the order of the file; the exit code."""
    _print(session, answers)
    session.last = next(
        (answer.research_id for answer in reversed(answers) if answer.research_id), session.last
    )
    if all(answer.status == RunStatus.COMPLETE for answer in answers):
        return DONE
    return PARTIAL if any(answer.research_id for answer in answers) else FAILED


def _print(session: Session, answers: list[Answered]) -> None:
    session.screen.listing(
        answers,
        ("id", "status", "question or problem"),
        [
            (result.research_id or "-", result.status, result.problem or result.question)
            for result in answers
        ],
    )
