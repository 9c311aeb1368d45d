"""New files from a request that names none: a plan to approve, then each file proposed."""

from collections.abc import Callable

from tools.host.files import FileChange
from tools.host.place import Workplace
from workflows.code.asking import Coder
from workflows.code.context import around, overview
from workflows.code.edit import propose
from workflows.code.planning import Plan, make_plan
from workflows.code.project import explore
from workflows.code.repository_map import repository_map

Approve = Callable[[Plan], bool]


def generate(
    place: Workplace, request: str, coder: Coder, approve: Approve
) -> list[FileChange] | None:
    """The changes of an approved plan, none of them made yet; None when it was not approved.

    Raises ModelError when there is no plan, EditError when a file could not be proposed.
    """
    project = explore(place)
    repo_map = repository_map(place, project.files)
    plan = make_plan(
        place, project, request, coder, (), overview(place, repo_map, request, coder.room)
    )
    if not approve(plan):
        return None
    changes: dict[str, FileChange] = {}
    for task in plan.tasks:
        for name in task.files:
            if name not in changes:
                task_request = f"{request}\n\nThis step: {task.title}. {task.what}"
                beside = around(
                    place, repo_map, name, list(changes.values()), task_request, coder.room
                )
                changes[name] = propose(place, name, task_request, coder, beside).change
    return list(changes.values())
