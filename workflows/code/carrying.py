"""The tasks of a change, one after the other: each sees the differences made before it and the code
under test."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from tools.errors import Cancelled, Refused, ZororaError
from tools.host.diff import unified
from tools.host.files import FileChange
from tools.host.place import Workplace
from tools.host.writing import write_all
from workflows.code.asking import Coder
from workflows.code.context import around
from workflows.code.edit import propose
from workflows.code.planning import Plan, Task
from workflows.code.project import Check, explore
from workflows.code.protected import is_protected, weakens
from workflows.code.repository_map import RepositoryMap, repository_map

Decision = Literal["approve", "modify", "cancel"]


class People(Protocol):
    """The person at the terminal."""

    def decide(self, plan: Plan) -> tuple[Decision, str]:
        """Approve a plan, cancel it, or say what is to be different."""

    def allow(self, checks: tuple[Check, ...]) -> bool:
        """Whether these exact commands may run; asked once."""

    def allow_tests(self, names: tuple[str, ...]) -> bool:
        """Whether these files, which decide what is tested, may be changed."""

    def tell(self, text: str) -> None:
        """One line about what happens."""


@dataclass(frozen=True, slots=True)
class Means:
    """What a change is made with. environ: where the user's tools lie. suffix: makes a branch
    new."""

    coder: Coder
    people: People
    environ: Mapping[str, str]
    suffix: str
    look: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Done:
    """A task that was done or not. problem: why not."""

    task: Task
    problem: str | None = None


class Work:
    """What has been changed so far in the work tree, and what may be. place: the project inside
    it."""

    def __init__(self, place: Workplace, request: str, means: Means) -> None:
        self.place, self.request, self.means = place, request, means
        self._changes: dict[str, FileChange] = {}
        self._map: RepositoryMap | None = None
        self._answers: dict[str, bool] = {}  # what the person said of a protected file

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were changed or made."""
        return tuple(self._changes)

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """The changes of each file since the work tree was made."""
        return tuple(self._changes.values())

    @property
    def map(self) -> RepositoryMap:
        """The map of the work tree as it is now."""
        if self._map is None:
            self._map = repository_map(self.place, explore(self.place).files)
        return self._map

    def ask_about_tests(self, plan: Plan) -> None:
        """Ask once about all tests that an approved plan would change."""
        names = tuple(dict.fromkeys(name for task in plan.tasks for name in task.protected))
        if names:
            self._answers |= dict.fromkeys(names, self.means.people.allow_tests(names))

    def carry_out(self, task: Task) -> Done:
        """Each file of a task proposed and written. One that cannot be changed ends the task, not
        the plan."""
        people = self.means.people
        self.means.look()
        people.tell(f"{task.number}. {task.title}")
        request = f"{self.request}\n\nThis step: {task.title}. {task.what}"
        problem = None
        for name in task.files:
            try:
                change = self._proposed(name, request, task.files)
                self.write([change])
            except Cancelled:
                raise
            except ZororaError as error:
                people.tell(f"   {name}: {error}")
                problem = f"{name}: {error}"
                if isinstance(error, ProtectedTest):
                    continue  # the rest of the task is wanted all the same
                break
            people.tell(f"   {name}: {'new' if change.before is None else 'changed'}")
        return Done(task, problem)

    def check_allowed(self, name: str, before: str | None, after: str) -> None:
        """Raises ProtectedTest for a change of what decides what is tested, unless the person
        agrees."""
        if not is_protected(name, self._is_new(name)) and not weakens(name, before, after):
            return
        if name not in self._answers:
            self._answers[name] = self.means.people.allow_tests((name,))
        if not self._answers[name]:
            raise ProtectedTest("left as it is, since it decides what is tested.")

    def write(self, changes: Iterable[FileChange]) -> None:
        """Make changes that are allowed: all of them, or none."""
        applied = list(changes)
        for change in applied:
            self.check_allowed(change.path, change.before, change.after)
        write_all(self.place, [change.change for change in applied])
        for change in applied:
            first = self._changes.get(change.path, change)
            diff = unified(first.before, change.after, change.path)
            self._changes[change.path] = FileChange(
                change.path, first.before, change.after, diff, change.change
            )
        if self._map is not None:
            self._map = self._map.changed({change.path: change.after for change in applied})

    def _proposed(self, name: str, request: str, others: tuple[str, ...]) -> FileChange:
        if self._answers.get(name) is False:
            raise ProtectedTest("left as it is, since it decides what is tested.")
        coder = self.means.coder
        context = around(
            self.place, self.map, name, self.changes, f"{request} {' '.join(others)}", coder.room
        )
        return propose(self.place, name, request, coder, context).change

    def _is_new(self, name: str) -> bool:
        """Whether a file was not there when the work began."""
        if name in self._changes:
            return self._changes[name].before is None
        return not self.place.exists(name)


class ProtectedTest(Refused):
    """A test, or what steers tests, that the person did not give free."""
