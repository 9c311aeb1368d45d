"""A whole change: explore, plan, approve, do each task in a work tree of its own, check, offer the branch.

The user's own tree is never written. Nothing is deleted. What a person decides comes through `People`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from tools.errors import Cancelled, ZororaError
from tools.host import worktree
from tools.host.place import Workplace
from tools.host.shell import Bounds, Ran
from tools.host.worktree import WorkTree
from tools.host.writing import write_all
from workflows.code.asking import Coder
from workflows.code.edit import propose
from workflows.code.planning import Plan, Task, make_plan
from workflows.code.project import Check, Project, explore

_REPAIRS = 2  # times the failing checks are shown to the model
_OUTPUT = 4000  # characters of a failing check that the model sees, its end
_SECONDS = 600.0  # of one check
_CONTEXT = 12_000  # characters of other files that a task sees
_TESTED = re.compile(r"^(?:Ran|running|# tests|ℹ tests) (\d{1,9})\b", re.M)
Decision = Literal["approve", "modify", "cancel"]


class People(Protocol):
    """The person at the terminal."""

    def decide(self, plan: Plan) -> tuple[Decision, str]:
        """Approve a plan, cancel it, or say what is to be different."""

    def allow(self, checks: tuple[Check, ...]) -> bool:
        """Whether these exact commands may run; asked once."""

    def tell(self, text: str) -> None:
        """One line about what happens."""


@dataclass(frozen=True, slots=True)
class Done:
    """A task that was done or not. problem: why not."""

    task: Task
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A check that ran; output: its end."""

    check: Check
    passed: bool
    output: str = ""


@dataclass(frozen=True, slots=True)
class Developed:
    """What became of a change. branch: None when nothing was kept. uncommitted: files the branch does not know."""

    plan: Plan | None
    done: tuple[Done, ...] = ()
    checked: tuple[Checked, ...] = ()
    branch: str | None = None
    commit: str | None = None
    summary: str = ""
    uncommitted: int = 0


@dataclass(frozen=True, slots=True)
class Means:
    """What a change is made with. own: variables that name where the user's tools lie. suffix: makes a branch new."""

    coder: Coder
    people: People
    own: Mapping[str, str]
    suffix: str
    look: Callable[[], None] = lambda: None


def develop(place: Workplace, request: str, means: Means) -> Developed:
    """Make a change on a new branch. Raises Refused without a repository, ModelError when there is no plan.

    When it is cancelled or fails on the way the work tree goes; a branch stays only when it holds a commit.
    """
    repository = worktree.repository_of(place.root)
    worktree.check_committed(repository, place.root)
    project = explore(place)
    means.people.tell(f"Read {len(project.files)} files: {', '.join(project.languages) or 'no known language'}.")
    if project.more:
        means.people.tell(project.left_out())
    plan = _agreed(place, project, request, means)
    if plan is None:
        return Developed(None)
    waiting = worktree.uncommitted(repository)
    tree = worktree.add(repository, branch_name(request, means.suffix))
    kept = False
    try:
        inside = Workplace(tree.root / place.root.relative_to(repository), place.confirm)
        done = tuple(_carry_out(inside, task, request, means) for task in plan.tasks)
        checked = _check(inside, tree, project, request, plan, means)
        made = worktree.commit(tree, _message(request, plan, done), inside.root, plan.files, means.own)
        kept = made is not None
        summary = worktree.summary(tree) if kept else ""
        return Developed(plan, done, checked, tree.branch if kept else None, made, summary, waiting)
    finally:
        worktree.remove(tree, keep_branch=kept)


def branch_name(request: str, suffix: str) -> str:
    """A name for the branch: the first words of the request, and something that makes it new."""
    words = re.findall(r"[a-z0-9]+", request.lower())[:5]
    return f"zorora/{'-'.join(words)[:40] or 'change'}-{suffix}"


def _agreed(place: Workplace, project: Project, request: str, means: Means) -> Plan | None:
    """The plan a person approved; None when he cancelled."""
    remarks: list[str] = []
    while True:
        means.people.tell(f"Asking {means.coder.name} for a plan. Ctrl+C stops.")
        plan = make_plan(place, project, request, means.coder, remarks)
        decision, remark = means.people.decide(plan)
        if decision == "approve":
            return plan
        if decision == "cancel":
            return None
        remarks.append(remark)


def _carry_out(place: Workplace, task: Task, request: str, means: Means) -> Done:
    """One task: each of its files proposed and written. A file that cannot be changed ends the task, not the plan."""
    means.look()
    means.people.tell(f"{task.number}. {task.title}")
    wanted = f"{request}\n\nThis step: {task.title}. {task.what}"
    for name in task.files:
        try:
            others = _others(place, tuple(other for other in task.files if other != name))
            proposal = propose(place, name, wanted, means.coder, others)
            write_all(place, [proposal.change.change])
        except Cancelled:
            raise
        except ZororaError as error:
            means.people.tell(f"   {name}: {error}")
            return Done(task, f"{name}: {error}")
        means.people.tell(f"   {name}: {'new' if proposal.change.before is None else 'changed'}")
    return Done(task)


def _others(place: Workplace, names: tuple[str, ...]) -> str:
    """The other files of the task as they stand, as far as there is room."""
    from tools.host.files import open_text

    parts: list[str] = []
    room = _CONTEXT
    for name in names:
        if place.exists(name):
            try:
                text = open_text(place, name)[:room]
            except ZororaError as error:
                text = f"({error})"  # a picture beside the code does not keep the code from being changed
            parts.append(f"{name}:\n{text}")
            room -= len(text)
    return "\n\n".join(parts)


def _check(
    place: Workplace, tree: WorkTree, project: Project, request: str, plan: Plan, means: Means
) -> tuple[Checked, ...]:
    """The project's own checks, if the person allows them; what fails is shown to the model and mended, twice."""
    if not project.checks:
        means.people.tell("No test or linter of this project was found, so nothing checks the change.")
    checks = tuple(_installed(project.checks, means))
    if not checks or not means.people.allow(checks):
        return ()
    checked = _run(place, tree, checks, means)
    for _ in range(_REPAIRS):
        failed = [one for one in checked if not one.passed]
        if not failed:
            break
        report = "\n\n".join(f"{one.check.shown}\n{one.output}" for one in failed)
        changed = [_mend(place, name, request, report, means) for name in plan.files if name in report]
        if not any(changed):
            break
        checked = _run(place, tree, checks, means)
    return checked


def _installed(checks: tuple[Check, ...], means: Means) -> Iterator[Check]:
    """The checks that can run here; a linter nobody has installed says nothing about a change."""
    for check in checks:
        if worktree.installed(check.words, means.own):
            yield check
        else:
            means.people.tell(f"{check.shown}: left out, {check.words[0]} is not installed.")


def _mend(place: Workplace, name: str, request: str, report: str, means: Means) -> bool:
    """One file of the plan that the failing checks name, once more."""
    if not place.exists(name):
        return False
    try:
        wanted = f"{request}\n\nThese checks fail; mend what concerns this file."
        write_all(place, [propose(place, name, wanted, means.coder, report).change.change])
    except Cancelled:
        raise
    except ZororaError as error:
        means.people.tell(f"   {name}: {error}")
        return False
    means.people.tell(f"   {name}: mended")
    return True


def _run(place: Workplace, tree: WorkTree, checks: tuple[Check, ...], means: Means) -> tuple[Checked, ...]:
    found = []
    for check in checks:
        means.look()
        ran = worktree.run_check(tree, place.root, check.words, means.own, Bounds(_SECONDS, look=means.look))
        passed = ran.status == 0 and ran.ended == "exited" and not _nothing_tested(check, ran.output)
        means.people.tell(f"{check.shown}: {'passed' if passed else _failed(ran)}")
        found.append(Checked(check, passed, "" if passed else ran.output[-_OUTPUT:]))
    return tuple(found)


def _nothing_tested(check: Check, output: str) -> bool:
    """Runners that find no test may be content with that; it says nothing about a change."""
    counts = _TESTED.findall(output) if check.kind == "tests" else []
    return bool(counts) and not any(int(count) for count in counts)


def _failed(ran: Ran) -> str:
    if ran.status == 0 and ran.ended == "exited":
        return "no test was run"
    return "took too long" if ran.ended == "timeout" else f"failed (exit status {ran.status})"


def _message(request: str, plan: Plan, done: tuple[Done, ...]) -> str:
    title = " ".join(request.split())
    lines = [f"- {one.task.title}{'' if one.problem is None else ' (not done)'}" for one in done]
    return "\n".join([title[:72], "", *lines])
