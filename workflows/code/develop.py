"""A whole change: explore, plan, approve, do each task in a work tree of its own, check, offer the
branch.

The user's own tree is never written. Nothing is deleted. Tests that exist, and what steers them,
are changed only when the person says so (carrying.py). What a person decides comes through
`People`.
"""

import re
from dataclasses import dataclass

from tools.host import worktree
from tools.host.place import Workplace
from workflows.code.carrying import Done, Means, Work
from workflows.code.checking import Checked, check
from workflows.code.context import overview
from workflows.code.planning import Plan, choose_files, make_plan
from workflows.code.project import Project, explore
from workflows.code.repository_map import repository_map


@dataclass(frozen=True, slots=True)
class Developed:
    """What became of a change. branch: None when nothing was kept. uncommitted: files the branch
    does not know."""

    plan: Plan | None
    task_results: tuple[Done, ...] = ()
    checked: tuple[Checked, ...] = ()
    branch: str | None = None
    commit: str | None = None
    summary: str = ""
    uncommitted: int = 0


def develop(place: Workplace, request: str, means: Means) -> Developed:
    """Make a change on a new branch. Raises Refused without a repository, ModelError when there is
    no plan.

    When it is cancelled or fails on the way the work tree goes; a branch stays only when it holds a
    commit.
    """
    repository = worktree.repository_of(place.root)
    worktree.check_committed(repository, place.root)
    project = explore(place)
    means.people.tell(
        f"Read {len(project.files)} files: {', '.join(project.languages) or 'no known language'}."
    )
    if project.more:
        means.people.tell(project.left_out())
    plan = _agreed(place, project, request, means)
    if plan is None:
        return Developed(None)
    waiting = worktree.uncommitted(repository)
    tree = worktree.add(repository, branch_name(request, means.suffix))
    is_committed = False
    try:
        inside = Workplace(tree.root / place.root.relative_to(repository), place.confirm)
        work = Work(inside, request, means)
        work.ask_about_tests(plan)
        results = tuple(work.carry_out(task) for task in plan.tasks)
        checked = check(work, tree, project.checks)
        commit = worktree.commit(
            tree, _message(request, results), inside.root, work.files, means.environ
        )
        is_committed = commit is not None
        summary = worktree.summary(tree) if is_committed else ""
        return Developed(
            plan, results, checked, tree.branch if is_committed else None, commit, summary, waiting
        )
    finally:
        worktree.remove(tree, keep_branch=is_committed)


def branch_name(request: str, suffix: str) -> str:
    """A name for the branch: the first words of the request, and something that makes it new."""
    words = re.findall(r"[a-z0-9]+", request.lower())[:5]
    return f"zorora/{'-'.join(words)[:40] or 'change'}-{suffix}"


def _agreed(place: Workplace, project: Project, request: str, means: Means) -> Plan | None:
    """The plan a person approved; None when he cancelled."""
    remarks: list[str] = []
    repo_map = repository_map(place, project.files)
    files = choose_files(project, repo_map, request, means.coder)
    if files:
        means.people.tell(f"{means.coder.name} reads {', '.join(files)}.")
    code = overview(place, repo_map, request, means.coder.room, files)
    while True:
        means.people.tell(f"Asking {means.coder.name} for a plan. Ctrl+C stops.")
        plan = make_plan(place, project, request, means.coder, remarks, code)
        decision, remark = means.people.decide(plan)
        if decision == "approve":
            return plan
        if decision == "cancel":
            return None
        remarks.append(remark)


def _message(request: str, results: tuple[Done, ...]) -> str:
    title = " ".join(request.split())
    lines = [
        f"- {result.task.title}{'' if result.problem is None else ' (not done)'}"
        for result in results
    ]
    return "\n".join([title[:72], "", *lines])
