"""The project's own checks in the work tree, and the repair of what fails: the model sees every
changed file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.errors import Cancelled, EditError, ZororaError
from tools.host import worktree
from tools.host.edits import Edit, parse_blocks
from tools.host.files import FileChange, plan_edits
from tools.host.shell import Bounds, Ran
from tools.host.worktree import WorkTree
from tools.models.prompts import fence
from workflows.code.carrying import Means, Work
from workflows.code.context import contents, diffs
from workflows.code.edit import ATTEMPTS, failure_note, unfenced
from workflows.code.project import Check

_REPAIRS = 2  # times the failing checks are shown to the model
_OUTPUT = 6000  # characters of a failing check that the model sees: its beginning and its end
_SECONDS = 600.0  # of one check
_MENTIONED = 4  # files that a traceback names and that the change has not touched
_TESTED = re.compile(r"^(?:Ran|running|# tests|ℹ tests) (\d{1,9})\b", re.M)


@dataclass(frozen=True, slots=True)
class Checked:
    """A check that ran; output: its end."""

    check: Check
    passed: bool
    output: str = ""


def check(work: Work, tree: WorkTree, planned: tuple[Check, ...]) -> tuple[Checked, ...]:
    """The project's own checks, if the person allows them; what fails is shown to the model and
    repaired, twice."""
    means = work.means
    if not planned:
        means.people.tell(
            "No test or linter of this project was found, so nothing checks the change."
        )
    checks = tuple(_installed(planned, means))
    if not checks or not work.files or not means.people.allow(checks):
        return ()
    checked = _run(work, tree, checks)
    for _ in range(_REPAIRS):
        failed = [result for result in checked if not result.passed]
        if not failed or not _repaired(work, failed):
            break
        checked = _run(work, tree, checks)
    return checked


def _installed(checks: tuple[Check, ...], means: Means) -> Iterator[Check]:
    """The checks that can run here; a linter nobody has installed says nothing about a change."""
    for check in checks:
        if worktree.installed(check.words, means.environ):
            yield check
        else:
            means.people.tell(f"{check.command}: left out, {check.words[0]} is not installed.")


def _repaired(work: Work, failed: list[Checked]) -> bool:
    """Whether the model mended what the failing checks say. Its edits may concern every file that
    was changed, and those that the output names."""
    report = "\n\n".join(f"$ {result.check.command}\n{result.output}" for result in failed)
    means = work.means
    means.look()
    means.people.tell(f"Showing {means.coder.name} what fails.")
    try:
        changes = _proposed(work, report)
        work.write(changes)
    except Cancelled:
        raise
    except ZororaError as error:
        means.people.tell(f"   {error}")
        return False
    for change in changes:
        means.people.tell(f"   {change.path}: mended")
    return True


def _proposed(work: Work, report: str) -> list[FileChange]:
    """Edits that fit and are allowed, at most three attempts."""
    coder, place = work.means.coder, work.place
    mentioned = [name for name in work.map.files if name in report and name not in work.files][
        :_MENTIONED
    ]
    request = f"{work.request}\n{report}"
    failures: list[str] = []
    for attempt in range(ATTEMPTS):
        values = {
            "request": fence(work.request, "request"),
            "report": fence(report, "output"),
            "diffs": fence(diffs(work.changes, coder.room // 3), "diff"),
            "files": fence(
                contents(place, [*work.files, *mentioned], request, coder.room), "files"
            ),
            "failed": failure_note(failures),
        }
        answer = coder.text("repair", values, sample=attempt)
        try:
            changes = _fitted(work, answer, mentioned)
            for change in changes:
                work.check_allowed(change.path, change.before, change.after)
            return changes
        except ZororaError as error:
            failures.append(str(error))
    raise EditError(f"{coder.name} could not mend it in {ATTEMPTS} attempts. Last: {failures[-1]}")


def _fitted(work: Work, answer: str, mentioned: list[str]) -> list[FileChange]:
    """The changes of an answer, one a file. Blocks without a path are for the only file that was
    changed."""
    only = work.files[0] if len(work.files) == 1 else ""
    edits: dict[str, list[Edit]] = {}
    for edit in parse_blocks(unfenced(answer)):
        name = edit.path or only
        if name not in (*work.files, *mentioned):
            raise EditError(
                "Begin each block with a line FILE: and the "
                "path of one of the files that are shown."
            )
        edits.setdefault(name, []).append(edit)
    changes = [plan_edits(work.place, name, blocks) for name, blocks in edits.items()]
    if all(change.after == change.before for change in changes):
        raise EditError("The edits change nothing.")
    return changes


def _run(work: Work, tree: WorkTree, checks: tuple[Check, ...]) -> tuple[Checked, ...]:
    means, results = work.means, []
    for check in checks:
        means.look()
        ran = worktree.run_check(
            tree, work.place.root, check.words, means.environ, Bounds(_SECONDS, look=means.look)
        )
        passed = (
            ran.status == 0 and ran.ended == "exited" and not _nothing_tested(check, ran.output)
        )
        means.people.tell(f"{check.command}: {'passed' if passed else _failed(ran)}")
        results.append(Checked(check, passed, "" if passed else _ends(ran.output)))
    return tuple(results)


def _ends(output: str) -> str:
    """The beginning and the end of a long output: the first failure and the summary."""
    if len(output) <= _OUTPUT:
        return output
    return f"{output[: _OUTPUT // 3]}\n...\n{output[-2 * _OUTPUT // 3 :]}"


def _nothing_tested(check: Check, output: str) -> bool:
    """Runners that find no test may be content with that; it says nothing about a change."""
    counts = _TESTED.findall(output) if check.kind == "tests" else []
    return bool(counts) and not any(int(count) for count in counts)


def _failed(ran: Ran) -> str:
    if ran.status == 0 and ran.ended == "exited":
        return "no test was run"
    return "took too long" if ran.ended == "timeout" else f"failed (exit status {ran.status})"
