"""Whole changes to small repositories in three languages with a scripted model that knows only what
it is shown.

The model is competent and blind: it names a file or changes a line only where the prompt holds the
lines that tell it so (code_repositories.toml); else it guesses wrongly. So what is measured is what
`/develop` shows, how it applies and checks what comes back, and that neither tests nor the user's
own files change.
"""

import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.options import Options, Row, at_least, at_most, shown
from engine.settings.config import load
from tools.errors import ModelError, ZororaError
from tools.host.place import Workplace
from tools.models.model import Endpoint, Reply, Request, Role, Usage
from tools.models.roles import Models
from workflows.code.asking import Coder
from workflows.code.carrying import Decision, Means
from workflows.code.develop import develop
from workflows.code.planning import Plan
from workflows.code.project import Check
from workflows.code.protected import is_protected, weakens

REPOSITORIES = Path(__file__).with_name("code_repositories.toml")
SOLVED = 10  # of 12: shared/spec/terminal.md, "Code work"
PROGRAMS = {"Python": "python3", "JavaScript": "node", "Rust": "cargo"}
_NAME = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one repository. solved: its hidden tests pass on the branch."""

    name: str
    language: str
    solved: bool
    weakened: bool
    touched: bool
    note: str = ""


def run(options: Options) -> list[Row]:
    """The figures of this benchmark."""
    repositories = tomllib.loads((options.data or REPOSITORIES).read_text("utf-8"))["repository"]
    toolchain = load(Path(tempfile.gettempdir()) / "zorora-none").toolchain
    able = [
        repository
        for repository in repositories
        if shutil.which(PROGRAMS[repository["language"]], path=toolchain.get("PATH"))
    ]
    outcomes = [outcome_of(repository, toolchain) for repository in able]
    solved = sum(outcome.solved for outcome in outcomes)
    unsolved = ", ".join(
        f"{outcome.name} ({outcome.note.splitlines()[0]})"
        for outcome in outcomes
        if not outcome.solved
    )
    return [
        shown("repositories", len(outcomes)),
        shown("languages", len({outcome.language for outcome in outcomes})),
        at_least("solved, by hidden tests", solved, "", min(SOLVED, len(outcomes))),
        at_most("tests weakened", sum(outcome.weakened for outcome in outcomes), "", 0),
        at_most("user's tree touched", sum(outcome.touched for outcome in outcomes), "", 0),
        *([shown("not solved", unsolved)] if unsolved else []),
    ]


def outcome_of(repository: Mapping[str, Any], toolchain: Mapping[str, str]) -> Outcome:
    """Develop the request of a repository on a branch, and try its hidden tests there."""
    with tempfile.TemporaryDirectory(prefix="zorora-code-") as folder:
        root = Path(folder) / repository["name"]
        make(root, repository)
        before, model = state_of(root), Script(repository)
        labels = repository["name"], repository["language"]
        try:
            result = develop(
                Workplace(root),
                repository["request"],
                Means(Coder(model.models), Trusting(), toolchain, "1"),
            )
        except ZororaError as error:
            return Outcome(*labels, False, False, state_of(root) != before, str(error))
        touched = state_of(root) != before
        if result.branch is None:
            note = "; ".join(
                filter(None, [*model.missing, *(done.problem for done in result.task_results)])
            )
            return Outcome(*labels, False, False, touched, note)
        weakened = bool(weakened_tests(root, result.branch))
        passed = hidden_tests(root, result.branch, repository, toolchain)
        note = "" if passed else "; ".join(model.missing) or "the hidden tests fail"
        return Outcome(*labels, passed, weakened, touched, note)


def make(root: Path, repository: Mapping[str, Any]) -> None:
    """Write the files of a repository and commit them."""
    for name, text in repository["files"].items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text.removeprefix("\n"))
    if long := repository.get("long"):
        path = root / long["file"]
        filler = [
            f"def tool_{n}(value):\n    return value + {n}\n\n\n"
            for n in range(long["before"] + long["after"])
        ]
        path.write_text(
            "".join(
                [*filler[: long["before"]], path.read_text(), "\n\n", *filler[long["before"] :]]
            )
        )
    for words in (("init", "-q", "-b", "main"), ("add", "."), (*_NAME, "commit", "-qm", "first")):
        git(root, *words)


def state_of(root: Path) -> dict[str, object]:
    """The user's own files, what git says of them, and where HEAD stands."""
    files = {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*"))
             if path.is_file() and ".git" not in path.parts}  # fmt: skip
    return {"files": files, "status": git(root, "status", "--porcelain"),
        "head": git(root, "rev-parse", "HEAD"),
            "branch": git(root, "branch", "--show-current")}  # fmt: skip


def weakened_tests(root: Path, branch: str) -> list[str]:
    """The files that decide what is tested and differ on the branch, new test files apart."""
    lines = [
        line.split("\t")
        for line in git(root, "diff", "--name-status", f"HEAD...{branch}").splitlines()
    ]
    names = [name for status, name in lines if is_protected(name, is_new=status == "A")]
    return names + [
        name
        for status, name in lines
        if status != "A"
        and weakens(name, git(root, "show", f"HEAD:{name}"), git(root, "show", f"{branch}:{name}"))
    ]


def hidden_tests(
    root: Path, branch: str, repository: Mapping[str, Any], toolchain: Mapping[str, str]
) -> bool:
    """Whether the tests that nobody saw pass on the branch."""
    tree, hidden = root.parent / "hidden", repository["hidden"]
    git(root, "worktree", "add", "-q", str(tree), branch)
    (tree / hidden["name"]).parent.mkdir(exist_ok=True)
    (tree / hidden["name"]).write_text(hidden["text"])
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(root.parent), **toolchain}
    done = subprocess.run(
        hidden["command"], cwd=tree, env=environ, capture_output=True, timeout=_SECONDS
    )
    return done.returncode == 0


def git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=root, capture_output=True, text=True, check=True
    ).stdout


class Trusting:
    """A person who approves plans and commands, and gives no test free."""

    def decide(self, plan: Plan) -> tuple[Decision, str]:
        return "approve", ""

    def allow(self, checks: tuple[Check, ...]) -> bool:
        return True

    def allow_tests(self, names: tuple[str, ...]) -> bool:
        return False

    def tell(self, text: str) -> None:
        """Nobody reads along."""


@dataclass
class Script:
    """The model of one repository. missing: what it would have had to see."""

    repository: Mapping[str, Any]
    missing: list[str] = field(default_factory=list)
    repairs: int = 0

    @property
    def models(self) -> Models:
        return Models(
            {"reasoning": Role("reasoning", Endpoint("script", "http://127.0.0.1:1"), "m-1")}, self
        )

    def __call__(self, role: Role, request: Request, **more: Any) -> Reply:
        text = "\n".join(message.text for message in request.messages)
        step = str(request.prompt).partition("@")[0]
        if step == "plan":
            files = (
                self.repository["plan"]
                if self._sees(step, self.repository, text)
                else [[self.repository["blind"]]]
            )
            tasks = [
                {"title": f"Change {names[0]}", "what": "As it is asked for.", "files": names}
                for names in files
            ]
            return _reply({"tasks": tasks})
        if step == "look":
            raise ModelError(
                "It chooses no files."
            )  # what is shown rests on the words of the request alone
        if step == "repair":
            return _reply(self._repair(text))
        return _reply(self._edit(step, text))

    def _edit(self, step: str, text: str) -> str:
        for edit in self.repository["edits"]:
            if f"The file {edit['file']}, with line numbers:" in text and self._sees(
                edit["file"], edit, text
            ):
                return f"<<<<<<< OLD\n{edit['old']}\n=======\n{edit['new']}\n>>>>>>> NEW"
        return "```\nI cannot tell.\n```" if step == "create" else "I cannot tell."

    def _repair(self, text: str) -> str:
        """The next of the repairs; one that was refused or does not fit is not tried again."""
        repairs = self.repository.get("repair", [])
        if self.repairs >= len(repairs) or not self._sees("repair", repairs[self.repairs], text):
            return "I cannot tell."
        self.repairs += 1
        return str(repairs[self.repairs - 1]["answer"])

    def _sees(self, step: str, reply_spec: Mapping[str, Any], text: str) -> bool:
        unseen = [line for line in reply_spec["sees"] if line not in text]
        self.missing += [f"{step} does not see {line!r}" for line in unseen]
        return not unseen


def _reply(answer: Any) -> Reply:
    import json

    text, data = (answer, None) if isinstance(answer, str) else (json.dumps(answer), answer)
    return Reply(text, data, "m-1", "script", usage=Usage(0, 0, 0.0, None, 1))
