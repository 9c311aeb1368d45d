"""Work on code for a person at the terminal: edit a file, make new ones, or a whole change on a
branch of its own.

What a person decides (a diff, a plan, commands to run) comes in as functions; nothing is written
without.
"""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from engine.answering import routing
from engine.resources import Opened
from tools.errors import ConfigError, NotFound
from tools.host.files import FileChange
from tools.host.place import Workplace
from tools.host.writing import write_all
from workflows.code import develop as developing
from workflows.code.asking import ROLE, Coder
from workflows.code.carrying import Means, People
from workflows.code.context import around
from workflows.code.develop import Developed
from workflows.code.edit import Proposal, explain, files_named, generate, propose
from workflows.code.planning import Plan
from workflows.code.project import Check, explore
from workflows.code.repository_map import repository_map

__all__ = ["Check", "Coding", "Developed", "FileChange", "Plan", "Workplace"]

# Where a project keeps the programs it was installed with, below its own folder
_OWN_PROGRAMS = (".venv/bin", "venv/bin", "node_modules/.bin")
# Files asked for in words that make something new are planned, though the line names a file: "write
# tests for a.py"
_MAKES = re.compile(
    r"(?:(?:please|can you|could you)\s+)?(?:write|create|generate|make|add|implement|build)\b",
    re.I,
)
_TESTS_FOR = re.compile(r"\btests?\b[^.]*\b(?:for|of)\b", re.I)


class Coding:
    """ResearchEngine.coding. The coding model is the role codestral, or the reasoning model where
    that has none."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def file_to_edit(self, place: Workplace, request: str) -> str | None:
        """One existing file is edited; for several, none, or tests to be written for one there is a
        plan: None.

        Raises NotFound when the request is to change a file that is not there.
        """
        files = files_named(place, request)
        makes = _MAKES.match(request)
        if len(files) == 1 and not (makes and _TESTS_FOR.search(request)):
            return files[0]
        route = routing.route(request)
        target = route.arguments.get("file", "") if route.workflow == "code" else ""
        if not files and target and not makes:
            raise NotFound(
                f"There is no {target!r} in {place.root}; only "
                "files in the working directory are edited."
            )
        return None

    def propose(self, place: Workplace, file: str, request: str) -> Proposal:
        """An edit of one file that fits; nothing is written. EditError after three attempts,
        ModelError, Refused."""
        coder = self._coder()
        repo_map = repository_map(place, explore(place).files)
        return propose(
            place, file, request, coder, around(place, repo_map, file, (), request, coder.room)
        )

    def explain(self, place: Workplace, request: str) -> str:
        """What the model says of the file or symbol that a request names. NotFound when it names
        neither."""
        return explain(place, request, self._coder())

    def generate(
        self,
        place: Workplace,
        request: str,
        approve: Callable[[Plan], bool],
    ) -> list[FileChange] | None:
        """The files of a plan that was approved, not written yet; None when it was not."""
        return generate(place, request, self._coder(), approve)

    def write(self, place: Workplace, changes: Sequence[FileChange]) -> None:
        """Make the changes: all of them, or none. Conflict when a file changed since it was
        read."""
        write_all(place, [change.change for change in changes])

    def develop(self, place: Workplace, request: str, people: People) -> Developed:
        """A whole change in a work tree of its own. Raises Refused without a repository, ModelError
        without a plan."""
        toolchain = with_programs(self._opened.config.toolchain, place.root)
        means = Means(self._coder(), people, toolchain, secrets.token_hex(3))
        return developing.develop(place, request, means)

    def _coder(self) -> Coder:
        models = self._opened.tools.models_of_run()
        if models is None or not models.has(ROLE):
            raise ConfigError(
                "No coding model is configured. `zorora models detect` looks for local ones, "
                f"`zorora models set {ROLE} ENDPOINT MODEL` chooses one."
            )
        return Coder(models)


def with_programs(toolchain: Mapping[str, str], root: Path) -> dict[str, str]:
    """Variables for the checks of a project: the user's own, and first on the path the programs the
    project has."""
    programs = dict(toolchain)
    folders = [str(root / program) for program in _OWN_PROGRAMS if (root / program).is_dir()]
    if folders:
        programs["PATH"] = ":".join([*folders, programs.get("PATH", "/usr/bin:/bin")])
    return programs
