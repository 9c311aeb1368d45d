"""The plan of a change: numbered tasks with their files, made by a model and checked before anybody
sees it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.errors import ModelError, ZororaError
from tools.host.place import Workplace, is_secret
from tools.models.prompts import fence
from tools.text.plain import line
from workflows.code.asking import Coder
from workflows.code.project import Project
from workflows.code.protected import is_protected
from workflows.code.repository_map import RepositoryMap

MOST_TASKS, MOST_FILES = 8, 6
_PROJECT_SHOWN = 2000  # characters of a project's description beside its map
_LOOK = {
    "type": "object",
    "properties": {
        "files": {
            "type": "array", "minItems": 1, "maxItems": 8,
            "items": {"type": "string", "minLength": 1, "maxLength": 300},
        }
    },
    "required": ["files"],
}  # fmt: skip
_SCHEMA = {
    "type": "object",
    "properties": {
        "tasks": {
            "type": "array", "minItems": 1, "maxItems": MOST_TASKS,
            "items": {
                "type": "object",
                "properties": {
                    "title": {"type": "string", "minLength": 3, "maxLength": 120},
                    "what": {"type": "string", "minLength": 3, "maxLength": 1000},
                    "files": {
                        "type": "array", "minItems": 1, "maxItems": MOST_FILES,
                        "items": {"type": "string", "minLength": 1, "maxLength": 300},
                    },
                },
                "required": ["title", "what", "files"],
            },
        }
    },
    "required": ["tasks"],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Task:
    """One step of a plan. files: paths inside the project; new: those that do not exist yet."""

    number: int
    title: str
    what: str
    files: tuple[str, ...]
    new: frozenset[str] = frozenset()
    sensitive: frozenset[str] = frozenset()

    @property
    def protected(self) -> tuple[str, ...]:
        """Tests and settings of tests that exist, and settings of tests that would be new."""
        return tuple(name for name in self.files if is_protected(name, is_new=name in self.new))


@dataclass(frozen=True, slots=True)
class Plan:
    """Tasks in the order in which they are done."""

    tasks: tuple[Task, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """Every file of the plan, once."""
        return tuple(dict.fromkeys(name for task in self.tasks for name in task.files))

    def described(self) -> str:
        """For the person who approves it."""
        lines = []
        for task in self.tasks:
            lines.append(f"{task.number}. {task.title}")
            lines.append(f"   {task.what}")
            lines += [f"   {_marked(name, task)}" for name in task.files]
        return "\n".join(lines)


def _marked(name: str, task: Task) -> str:
    kinds = (
        ("new", task.new),
        ("usually contains secrets", task.sensitive),
        ("decides what is tested", task.protected),
    )
    marks = [mark for mark, names in kinds if name in names]
    return f"{name} ({', '.join(marks)})" if marks else name


def make_plan(
    place: Workplace,
    project: Project,
    request: str,
    coder: Coder,
    remarks: Sequence[str] = (),
    code: str = "",
) -> Plan:
    """A plan whose files lie inside the project. Raises ModelError.

    remarks: what the person wants otherwise. code: the map of the project and the files that the
    request concerns.
    """

    def problems(data: Any) -> Sequence[str]:
        return [
            wrong
            for task in data["tasks"]
            for name in task["files"]
            if (wrong := _wrong(place, name))
        ]

    if remarks:
        message = "What is to be different from your last plan:\n" + fence(
            "\n".join(remarks), "remarks"
        )
    else:
        message = ""
    values = {
        "request": fence(request, "request"),
        "project": fence(project.described(), "project"),
        "code": f"Its code:\n{fence(code, 'code')}" if code else "",
        "remarks": message,
    }
    data = coder.data("plan", values, _SCHEMA, problems)
    return Plan(tuple(_task(place, number, row) for number, row in enumerate(data["tasks"], 1)))


def choose_files(
    project: Project, repo_map: RepositoryMap, request: str, coder: Coder
) -> list[str]:
    """The files that the model wants to read first; none where all fit into a question, or it names
    none that exist."""
    if repo_map.characters <= coder.room // 2:
        return []

    def problems(data: Any) -> Sequence[str]:
        return [
            f"There is no file {name[:100]!r} in the map."
            for name in data["files"]
            if name not in repo_map.files
        ]

    values = {
        "request": fence(request, "request"),
        "project": fence(project.described()[:_PROJECT_SHOWN], "project"),
        "map": fence(repo_map.described(coder.room, request), "map"),
    }
    try:
        return [str(name) for name in coder.data("look", values, _LOOK, problems)["files"]]
    except ModelError:
        return []  # the plan is asked for with the files that the words of the request lead to


def _wrong(place: Workplace, name: str) -> str:
    try:
        place.check_writable(name)
    except ZororaError as error:
        return str(error)
    return f"{name!r} is a folder, not a file" if (place.root / name).is_dir() else ""


def _task(place: Workplace, number: int, row: Any) -> Task:
    files = tuple(dict.fromkeys(place.name(name) for name in row["files"]))
    new = frozenset(name for name in files if not place.exists(name))
    sensitive = frozenset(name for name in files if is_secret(tuple(name.split("/"))))
    return Task(number, line(row["title"]), line(row["what"]), files, new, sensitive)
