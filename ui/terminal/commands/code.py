"""Commands on code: code (edit a file, make new ones) and develop (a whole change on a branch of
its own)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from engine.code.coding import Check, Developed, FileChange, Plan, Workplace
from engine.models import Refused
from ui.terminal.command import DONE, FAILED, PARTIAL, Arguments, text_of
from ui.terminal.hangup import interrupted_by_hangup
from ui.terminal.render.plain import plain
from ui.terminal.screen import Screen
from ui.terminal.session import Session

ASKED = 3  # times somebody is asked again whose answer is none of the choices
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def code(session: Session, args: Arguments) -> None:
    """Edit the file that is named; without one, plan, and after approval make new files. `explain`
    writes nothing."""
    request = _request(args, "code")
    if request.split()[0].casefold() == "explain":
        return _explain(session, request)
    with interrupted_by_hangup():
        place = _workplace(session)
        coding = session.engine.coding
        file = coding.file_to_edit(place, request)
        if file is None:
            return _generate(session, place, request)
        session.screen.note(f"Reading {plain(file)} and asking the coding model. Ctrl+C stops.")
        proposal = coding.propose(place, file, request)
    for number, failure in enumerate(proposal.failures, 1):
        session.screen.note(f"Attempt {number} did not fit: {plain(failure)}")
    _offer(session, place, [proposal.change])


def develop(session: Session, args: Arguments) -> int:
    """Explore, plan, approve, carry out in a work tree of its own, check, offer the branch."""
    request = _request(args, "develop")
    if not session.screen.interactive:
        raise Refused(
            "`develop` asks for approval of its plan, so it needs a person at a terminal."
        )
    with interrupted_by_hangup():
        result = session.engine.coding.develop(_workplace(session), request, Person(session.screen))
    if args.json:
        session.screen.json(_as_data(result))
    else:
        _tell(session, result)
    return _status(result)


class Person:
    """The person at the terminal, as the work asks him."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def decide(self, plan: Plan) -> tuple[Any, str]:
        """approve, modify with what is to be different, or cancel."""
        self._screen.note("\n" + plain(plan.described(), lines=True) + "\n")
        for _ in range(ASKED):
            typed = self._screen.ask("[a]pprove, [m]odify or [c]ancel? ").casefold()
            if typed in ("a", "approve", "y", "yes"):
                return "approve", ""
            if typed in ("m", "modify"):
                remark = self._screen.ask("What should change? ")
                if remark:
                    return "modify", remark
            if typed in ("c", "cancel", "n", "no"):
                break
        return "cancel", ""

    def allow(self, checks: tuple[Check, ...]) -> bool:
        """Whether the project's own checks may run."""
        heading = "These commands of the project would run in the copy:"
        return self._agrees(heading, [check.command for check in checks], "Run them?")

    def allow_tests(self, names: tuple[str, ...]) -> bool:
        """Whether files that decide what is tested may be changed."""
        heading = "These files decide what is tested, and the plan would change them:"
        return self._agrees(heading, names, "Change them?")

    def _agrees(self, heading: str, items: Sequence[str], question: str) -> bool:
        self._screen.note("\n".join([heading, *(f"  {plain(item)}" for item in items)]))
        return self._screen.confirm(f"{question} [y/N]")

    def tell(self, text: str) -> None:
        """One line about what happens."""
        # What is indented belongs to the line above
        self._screen.note("  " * text.startswith(" ") + plain(text))


def _request(args: Arguments, command: str) -> str:
    return text_of(
        args.request, f'Say what to do: zorora {command} "fix the rounding in prices.py"'
    )


def _explain(session: Session, request: str) -> None:
    with interrupted_by_hangup():
        session.screen.note("Reading the code and asking the coding model. Ctrl+C stops.")
        text = session.engine.coding.explain(_workplace(session), request)
    session.screen.result({"explanation": text}, plain(text, lines=True))


def _workplace(session: Session) -> Workplace:
    """The folder the person stands in; what usually contains secrets is opened only after a yes."""
    place: Workplace = session.engine.tools.workplace_at(Path.cwd(), session.screen.agrees)
    return place


def _generate(session: Session, place: Workplace, request: str) -> None:
    if not session.screen.interactive:
        raise Refused(
            "No existing file is named, so a plan has to be "
            "approved: that needs a person at a terminal."
        )
    session.screen.note(
        "No file to edit is named: asking the coding model for a plan. Ctrl+C stops."
    )

    def approve(plan: Plan) -> bool:
        session.screen.note("\n" + plain(plan.described(), lines=True) + "\n")
        agreed = session.screen.confirm(
            "Write these files? Each is shown before anything is saved. [y/N]"
        )
        if agreed:
            session.screen.note(
                f"Asking for {len(plan.files)} files."
                if len(plan.files) > 1
                else "Asking for the file."
            )
        return agreed

    changes = session.engine.coding.generate(place, request, approve)
    if changes is None:
        session.screen.note("Cancelled. Nothing was written.")
    else:
        _offer(session, place, changes)


def _offer(session: Session, place: Workplace, changes: Sequence[FileChange]) -> None:
    """Show what would become of the files, and write them after a yes."""
    if not session.screen.as_json:
        session.screen.show(coloured(change.diff) for change in changes)
    applied = False
    if session.screen.interactive:
        names = ", ".join(plain(change.path) for change in changes)
        applied = session.screen.confirm(f"Apply to {names}? [y/N]")
        if applied:
            session.engine.coding.write(place, changes)
    if session.screen.as_json:
        rows = [
            {"file": change.path, "new": change.before is None, "diff": change.diff}
            for change in changes
        ]
        session.screen.json({"changes": rows, "applied": applied})
    session.screen.note("Applied." if applied else "Nothing was changed.")


def coloured(diff: str) -> Text:
    """A unified diff with its lines in the usual colours."""
    text = Text()
    for line in diff.rstrip("\n").split("\n"):
        head = line.startswith(("+++", "---"))
        text.append(
            plain(line, lines=True) + "\n", style="bold" if head else _COLOURS.get(line[:1], "")
        )
    text.rstrip()
    return text


def _tell(session: Session, result: Developed) -> None:
    screen = session.screen
    if result.plan is None:
        screen.note("Cancelled. Nothing was changed.")
        return
    screen.print()
    screen.rows(
        ("", "task", "what became of it"),
        [
            (row.task.number, plain(row.task.title), plain(row.problem or "done"))
            for row in result.task_results
        ],
    )
    for check in result.checked:
        screen.print(f"{'passed' if check.passed else 'FAILED'}  {plain(check.check.command)}")
        if not check.passed:
            last_lines = plain(check.output, lines=True).strip().split("\n")[-15:]
            screen.print("\n".join(f"    {line}" for line in last_lines))
    if result.branch is None:
        screen.note("Nothing was changed, so there is no branch. Your files are as they were.")
        return
    screen.print(
        f"\nBranch {plain(result.branch)}, commit {plain(result.commit)}. Your own files are as "
        "they were."
    )
    screen.print(plain(result.summary, lines=True))
    if result.uncommitted:
        count = result.uncommitted
        files = "One of your files is" if count == 1 else f"{count} of your files are"
        screen.note(f"{files} not committed; the branch does not include that.")
    for what, command in (
        ("look", f"git diff HEAD...{result.branch}"),
        ("take", f"git merge {result.branch}"),
        ("drop", f"git branch -D {result.branch}"),
    ):
        screen.print(f"{what:<6}{plain(command)}")


def _status(result: Developed) -> int:
    if result.plan is None:
        return DONE
    if result.branch is None:
        return FAILED
    whole = all(task_result.problem is None for task_result in result.task_results) and all(
        check.passed for check in result.checked
    )
    return DONE if whole else PARTIAL


def _as_data(result: Developed) -> dict[str, Any]:
    tasks = [
        {
            "number": outcome.task.number,
            "title": outcome.task.title,
            "files": outcome.task.files,
            "problem": outcome.problem,
        }
        for outcome in result.task_results
    ]
    checks = [
        {"command": check.check.command, "passed": check.passed, "output": check.output}
        for check in result.checked
    ]
    return {
        "approved": result.plan is not None, "branch": result.branch, "commit": result.commit,
        "tasks": tasks, "checks": checks, "summary": result.summary,
        "uncommitted": result.uncommitted,
    }  # fmt: skip
