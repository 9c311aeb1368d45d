"""A git work tree of one's own on a new branch, so that the user's files are never touched. No hook
runs.

git itself is started without a shell, with the environment of run_shell and with hooks and watchers
switched off; the user's own name and address are used for the commit, or a plain one where git
knows none.
"""

import os
import shutil
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tools.errors import Conflict, Refused, StorageError
from tools.host.environment import environment, program
from tools.host.shell import Bounds, Ran, run_approved

_SECONDS = 60.0
_FOLDER = "zorora-work-"  # of a work tree; the number of its process follows
_QUIET = tuple(
    part
    for setting in (
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "commit.gpgSign=false",
        "gc.auto=0",
    )
    for part in ("-c", setting)
)


@dataclass(frozen=True, slots=True)
class WorkTree:
    """root: where the files lie. branch: its name. repository: the user's own folder. base: the
    commit it began at."""

    root: Path
    branch: str
    repository: Path
    base: str


def repository_of(folder: Path) -> Path:
    """The top folder of the repository a folder lies in. Raises Refused when there is none."""
    ran = _git(folder, "rev-parse", "--show-toplevel")
    if ran.status != 0:
        raise Refused(
            f"{folder.name} is in no git repository. `git init` and a first commit make one."
        )
    return Path(os.path.realpath(ran.output.strip()))


def check_committed(repository: Path, folder: Path) -> None:
    """Raises Refused without a commit, and for a folder that is not in the last one."""
    if _git(repository, "rev-parse", "--verify", "--quiet", "HEAD").status != 0:
        raise Refused("The repository has no commit yet; make a first one, then start again.")
    inside = folder.relative_to(repository)
    if inside.parts and _git(repository, "cat-file", "-e", f"HEAD:{inside.as_posix()}").status != 0:
        raise Refused(
            f"The folder {inside} is not in the last commit; commit it first, then start again."
        )


def add(repository: Path, branch: str) -> WorkTree:
    """A work tree of the last commit in a temporary folder, on a new branch. What is not committed
    is not in it.

    Raises Refused without a commit, Conflict when the branch already exists.
    """
    check_committed(repository, repository)
    head = _git(repository, "rev-parse", "--verify", "--quiet", "HEAD")
    if _git(repository, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}").status == 0:
        raise Conflict(f"There is a branch {branch} already.")
    _sweep(repository)
    above = Path(os.path.realpath(tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-")))
    tree = WorkTree(above / repository.name, branch, repository, head.output.strip())
    try:
        ran = _git(repository, "worktree", "add", "--quiet", "-b", branch, str(tree.root), "HEAD")
    except BaseException:  # a stop in the middle
        remove(tree, keep_branch=False)
        raise
    if ran.status != 0:
        shutil.rmtree(above, ignore_errors=True)
        raise StorageError(f"git could not make a work tree: {ran.output.strip()[:300]}")
    packages = repository / "node_modules"
    if packages.is_dir() and repository.name != packages.name:
        # Node looks for packages in the folders above too, so the work tree itself stays as git
        # made it
        (above / packages.name).symlink_to(packages, target_is_directory=True)
    return tree


def _sweep(repository: Path) -> None:
    """Take away the work trees of processes that were killed; a branch stays if it holds a commit
    of its own."""
    listed = _git(repository, "worktree", "list", "--porcelain").output.split("\n\n")
    for lines in (entry.splitlines() for entry in listed):
        facts = dict(line.split(" ", 1) for line in lines if " " in line)
        root = Path(facts.get("worktree", "/"))
        number = root.parent.name.removeprefix(_FOLDER).partition("-")[0]
        ours = root.parent.name.startswith(_FOLDER) and facts.get("branch", "").startswith(
            "refs/heads/zorora/"
        )
        if ours and number.isdigit() and not _alive(int(number)):
            head = facts.get("HEAD", "")
            ran = _git(repository, "merge-base", "--is-ancestor", head, "HEAD")
            branch = facts["branch"].removeprefix("refs/heads/")
            remove(WorkTree(root, branch, repository, head), keep_branch=ran.status != 0)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def commit(
    tree: WorkTree,
    message: str,
    folder: Path,
    names: Sequence[str],
    programs: Mapping[str, str] = MappingProxyType({}),
) -> str | None:
    """Commit the named files of a folder inside, and nothing that a check left behind. programs: as
    for `run_check`.

    The short name of the commit; None when nothing changed.
    """
    there = [name for name in names if (folder / name).exists()]
    if there:
        _checked(
            _git(
                folder,
                "add",
                "--force",
                "--",
                *(f":(top,literal){(folder / name).relative_to(tree.root)}" for name in there),
            )
        )
    if _git(tree.root, "diff", "--cached", "--quiet").status == 0:
        return None
    name = _mine(tree, "name", programs, "Zorora")
    address = _mine(tree, "email", programs, "zorora@localhost")
    who = ("-c", f"user.name={name}", "-c", f"user.email={address}")
    _checked(_git(tree.root, "commit", "--quiet", "--no-verify", "-m", message, before=who))
    return _checked(_git(tree.root, "rev-parse", "--short", "HEAD")).output.strip()


def _mine(tree: WorkTree, what: str, programs: Mapping[str, str], otherwise: str) -> str:
    """The name or address of whoever commits, also from the settings in the user's home, which
    nothing else sees."""
    environ = {**environment(), "HOME": programs.get("HOME", "/nonexistent")}
    del environ["GIT_CONFIG_GLOBAL"]
    ran = run_approved(
        (program("git"), "config", f"user.{what}"), tree.root, environ, Bounds(_SECONDS)
    )
    return ran.output.strip() if ran.status == 0 and ran.output.strip() else otherwise


def summary(tree: WorkTree) -> str:
    """Which files changed by how many lines since the branch began."""
    return _checked(
        _git(tree.root, "diff", "--stat", "--no-ext-diff", "--no-textconv", tree.base, "HEAD")
    ).output.strip("\n")


def uncommitted(repository: Path) -> int:
    """How many files of the user's own tree differ from the last commit; those are not in the work
    tree."""
    ran = _git(
        repository, "--no-optional-locks", "status", "--porcelain", "--ignore-submodules=all"
    )
    return len(ran.output.splitlines()) if ran.status == 0 else 0


def remove(tree: WorkTree, keep_branch: bool) -> None:
    """Take the work tree away; its branch stays when it holds something to look at.

    It is done to the end, in a thread that no Ctrl+C reaches.
    """
    work = threading.Thread(target=_removed, args=(tree, keep_branch))
    work.start()
    stopped = None
    while work.is_alive():
        try:
            work.join()
        except KeyboardInterrupt as error:
            stopped = error
    if stopped is not None:
        raise stopped


def _removed(tree: WorkTree, keep_branch: bool) -> None:
    _git(tree.repository, "worktree", "remove", "--force", "--force", str(tree.root))
    shutil.rmtree(tree.root.parent, ignore_errors=True)
    _git(tree.repository, "worktree", "prune")
    if not keep_branch:
        _git(tree.repository, "branch", "--quiet", "-D", tree.branch)


def installed(words: Sequence[str], programs: Mapping[str, str]) -> bool:
    """Whether the program of a check is there to be run."""
    return shutil.which(words[0], path={**environment(), **programs}["PATH"]) is not None


def run_check(
    tree: WorkTree, folder: Path, words: Sequence[str], programs: Mapping[str, str], bounds: Bounds
) -> Ran:
    """Run a command of the project that a person has seen and approved, in the project's folder of
    the work tree.

    own: variables of the user's environment that name where his tools lie (PATH and the like). Its
    home is a folder beside the work tree, so that a test that writes there writes nothing of his.
    """
    home = tree.root.parent / ".home"
    home.mkdir(exist_ok=True)
    # A project installed for editing would otherwise be imported from the user's own folder
    places = [
        place
        for base in dict.fromkeys((folder, tree.root))
        for place in (base / "src", base)
        if place.is_dir()
    ]
    environ = {
        **environment(),
        **programs,
        "HOME": str(home),
        "TMPDIR": str(tree.root.parent),
        "PYTHONPATH": os.pathsep.join(map(str, places)),
        # A file mended within the second is not taken for the old one
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    path = shutil.which(words[0], path=environ["PATH"])
    if path is None:
        return Ran(f"The program {words[0]} is not installed.", 127)
    _with_packages(tree, folder)
    return run_approved((path, *words[1:]), folder, environ, bounds)


def _with_packages(tree: WorkTree, folder: Path) -> None:
    """The packages Node looks for beside a project that is a part of the repository."""
    inside = folder.relative_to(tree.root)
    packages, here = tree.repository / inside / "node_modules", folder / "node_modules"
    if inside.parts and packages.is_dir() and not here.exists():
        here.symlink_to(packages, target_is_directory=True)


def _git(folder: Path, *words: str, before: tuple[str, ...] = ()) -> Ran:
    command = (program("git"), "--no-pager", *_QUIET, *before, *words)
    return run_approved(command, folder, environment(), Bounds(_SECONDS))


def _checked(ran: Ran) -> Ran:
    if ran.status != 0:
        raise StorageError(f"git failed: {ran.output.strip()[:300] or f'exit status {ran.status}'}")
    return ran
