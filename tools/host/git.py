"""What git may be asked: commands that only look, in this folder's own repository, with nothing of
a program in them.

A repository's own settings can name programs (filters, an fsmonitor, external diffs, signature
checkers, hooks): each is switched off on the command line, and the settings of the user and the
machine are not read at all (shell.py).
"""

import fnmatch
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from tools.errors import Refused
from tools.host.arguments import (
    END,
    FLAG,
    OPERAND,
    check_path,
    check_value,
    joined,
    options,
    words_of,
)
from tools.host.environment import environment, program
from tools.host.place import SECRET_FOLDERS, SECRET_NAMES, Workplace, is_secret
from tools.host.programs import NUMBER, TEXT, Program

_SETTINGS = (
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat",
    "core.untrackedCache=false", "core.attributesFile=/dev/null", "core.excludesFile=/dev/null",
    "core.sshCommand=false", "core.askPass=false", "core.editor=false", "diff.external=",
    "diff.orderFile=/dev/null", "diff.submodule=short", "diff.ignoreSubmodules=all",
    "status.submoduleSummary=false", "submodule.recurse=false", "log.showSignature=false",
    "gpg.program=false", "gpg.ssh.program=false", "gpg.x509.program=false", "blame.ignoreRevsFile=",
    "mailmap.file=/dev/null", "protocol.allow=never", "credential.helper=",
    "safe.bareRepository=explicit",
)  # fmt: skip
# Keys of the repository that name programs and need their own name to be switched off
_NAMED = re.compile(
    r"(filter\..+)\.(?:clean|smudge|process|required)|(diff\..+)\.(?:command|textconv)", re.I
)
_SETTINGS_SECONDS = 5.0


def _sub(flags: str, texts: str = "", numbers: str = "", most: int | None = None) -> Program:
    values = {**dict.fromkeys(texts.split(), TEXT), **dict.fromkeys(numbers.split(), NUMBER)}
    return Program(frozenset(flags.split()), values, (TEXT,), most, numbers=True)


_DIFF = (
    "-p -u --patch -s --no-patch --stat --shortstat --numstat --dirstat --summary --name-only "
    "--name-status --raw -w -b"
    " --ignore-all-space --ignore-space-change --ignore-blank-lines --word-diff --minimal "
    "--patience --histogram -R -M"
    " -C --find-renames --find-copies --no-renames --no-color --check --full-index --binary -a "
    "--text -W -z --relative"
    " --function-context --exit-code --quiet"
)
_DIFF_TEXTS = "-S -G --diff-filter --color --diff-algorithm --abbrev"
_DIFF_NUMBERS = "-U --unified --inter-hunk-context"
_LOG = (
    f"{_DIFF} --oneline --graph --decorate --no-decorate --all --branches --tags --remotes "
    "--merges --no-merges"
    " --reverse --first-parent --topo-order --date-order --abbrev-commit --follow --left-right "
    "--cherry-pick --boundary"
    " -m -c --cc -i --regexp-ignore-case -E -F --all-match --invert-grep --source --full-history "
    "-g --walk-reflogs"
    " --parents"
)
_LOG_TEXTS = (
    f"{_DIFF_TEXTS} --since --until --after --before --author --committer --grep --format "
    "--pretty --date -L"
)
_LOG_NUMBERS = f"{_DIFF_NUMBERS} -n --max-count --skip"
COMMANDS: Mapping[str, Program] = {
    "status": _sub(
        "-s --short -b --branch --porcelain --long -v --ignored -u -uno -unormal -uall -z",
        "--untracked-files",
    ),
    "log": _sub(_LOG, _LOG_TEXTS, _LOG_NUMBERS),
    "show": _sub(_LOG, _LOG_TEXTS, _LOG_NUMBERS),
    "diff": _sub(f"{_DIFF} --cached --staged --merge-base", _DIFF_TEXTS, _DIFF_NUMBERS),
    "blame": _sub("-w -e -s -l -t -f -n -p --porcelain --root --show-email", "-L --since --date"),
    "grep": _sub(
        "-n -i -l -L -c -w -E -F -G -P -I -v -h -H -o -p -W -z -q --cached --heading --break --and "
        "--or"
        " --not --all-match --line-number --ignore-case --count --name-only --files-with-matches "
        "--word-regexp"
        " --full-name",
        "-e",
        "-A -B -C --max-depth",
    ),
    "ls-files": _sub(
        "-c -d -m -o -i -s -u -z -t -v --cached --deleted --modified --others --ignored --stage "
        "--unmerged"
        " --exclude-standard --full-name --directory",
        "-x --exclude",
    ),
    "ls-tree": _sub("-r -t -l -d -z --name-only --name-status --full-tree --full-name"),
    "rev-parse": _sub(
        "--short --abbrev-ref --symbolic-full-name --show-toplevel --is-inside-work-tree --verify "
        "--show-prefix --all"
    ),
    "rev-list": _sub(
        "--all --count --merges --no-merges --first-parent --reverse --objects",
        "--since --until",
        "-n",
    ),
    "branch": _sub(
        "-a -r -v -vv --list --show-current --all --remotes --no-color", "--sort --format", ""
    ),
    "tag": _sub("-l --list -n", "--sort --format"),
    "describe": _sub("--tags --all --long --always --contains --exact-match", "--match --abbrev"),
    "shortlog": _sub(
        "-s -n -e --summary --numbered --email --all --no-merges", "--since --until --format"
    ),
    "remote": _sub("-v --verbose", most=0),
    "reflog": _sub("", "", "-n", most=0),
    "cat-file": _sub("-p -t -s -e"),
    "merge-base": _sub("--all --is-ancestor --octopus --fork-point"),
    "count-objects": _sub("-v -H", most=0),
    "version": _sub("", most=0),
}
_WITH_PROGRAMS = {  # commands that may run filters and drivers, and how they are told not to
    "log": ("--no-ext-diff", "--no-textconv"),
    "show": ("--no-ext-diff", "--no-textconv"),
    "diff": ("--no-ext-diff", "--no-textconv", "--ignore-submodules=all"),
    "grep": ("--no-textconv",),
    "blame": ("--no-textconv",),
    "status": ("--ignore-submodules=all",),
}
# Options of log that show what is in files; of the others each does
_CONTENT = frozenset(
    "-p -u --patch -U --unified -c --cc -m -W --function-context --binary --word-diff".split()
)
# Without these, an operand makes something
_LISTS_ONLY = {
    "branch": ("--list",),
    "tag": ("-l", "--list"),
}


def check_git(place: Workplace, words: Sequence[str]) -> tuple[str, ...]:
    """The arguments for git as they may be run. Raises Refused."""
    name = words[0] if words else ""
    program = COMMANDS.get(name)
    if program is None:
        what = "options before the command" if name.startswith("-") else f"{name[:60]!r}"
        raise Refused(
            f"git: {what} cannot be used here; choose one of {', '.join(sorted(COMMANDS))}."
        )
    cut = list(options(f"git {name}", program, words[1:]))
    _check_operands(place, name, program, cut)
    if any("%G" in word for word in words_of(cut, TEXT)):
        raise Refused(f"git {name}: a format with %G asks a program about signatures.")
    for word in words_of(cut, NUMBER):
        check_value(place, f"git {name}", NUMBER, word)
    check_repository(place.root)
    disarmed = [
        part for setting in (*_SETTINGS, *_own_programs(place.root)) for part in ("-c", setting)
    ]
    start = ("--no-pager", "--no-optional-locks", f"--work-tree={place.root}", *disarmed)
    return (
        *start,
        name,
        *_WITH_PROGRAMS.get(name, ()),
        *joined(cut),
        *words_of(cut, OPERAND, END),
        *_past_secrets(name, cut),
    )


def _past_secrets(name: str, cut: Sequence[tuple[str, str]]) -> list[str]:
    """Words that keep what usually holds secrets out of what git prints, unless a person allowed
    the file by name."""
    if not _searches_contents(name, cut):
        return []
    allowed = [word.rpartition("/")[2].lower() for word in words_of(cut, OPERAND)]
    files = [
        name
        for name in SECRET_NAMES
        if not any(fnmatch.fnmatchcase(word, name) for word in allowed)
    ]
    folders = [f"{name}/**" for name in SECRET_FOLDERS]
    return [f":(exclude,icase,glob)**/{pattern}" for pattern in (*files, *folders)]


def _searches_contents(name: str, cut: Sequence[tuple[str, str]]) -> bool:
    """Whether a command prints what is in files and takes words that leave some out."""
    if name == "log":
        return not _CONTENT.isdisjoint(words_of(cut, FLAG))
    if name == "diff":  # of two files of the past ("HEAD:a HEAD~1:a") it takes no more words
        return not any(":" in word for word in words_of(cut, OPERAND))
    return name in ("grep", "show")


def _check_operands(
    place: Workplace, name: str, program: Program, cut: Sequence[tuple[str, str]]
) -> None:
    operands, flags = words_of(cut, OPERAND), words_of(cut, FLAG)
    if program.most is not None and len(operands) > program.most:
        raise Refused(f"git {name} takes no further words here.")
    if operands and name in _LISTS_ONLY and set(flags).isdisjoint(_LISTS_ONLY[name]):
        raise Refused(f"git {name} only lists here; write git {name} --list {operands[0][:60]}.")
    if name in ("log", "show"):
        operands += _files_of_line_ranges(cut)
    if name == "grep" and "-e" not in flags:
        del operands[:1]  # the pattern
    for word in operands:
        _check_operand(place, name, word)


def _files_of_line_ranges(cut: Sequence[tuple[str, str]]) -> list[str]:
    """The files of options like -L 1,9:FILE."""
    return [
        value.rpartition(":")[2] for option, (_, value) in pairwise(cut) if option == (FLAG, "-L")
    ]


def _check_operand(place: Workplace, name: str, word: str) -> None:
    """A revision, a file, or both with a colon between them."""
    if word.startswith(":("):
        raise Refused(f"git {name} {word[:60]!r}: name files by their path.")
    for part in word.split(":"):
        if part.startswith("/") or ".." in part.split("/"):
            raise Refused(f"git {name} {word[:60]!r} is outside the working directory.")
        folder = ":" in word and part.rstrip("/").rpartition("/")[2].lower() in SECRET_FOLDERS
        if place_has(place, part) and not folder:
            check_path(place, "git", part)
        elif folder or is_secret(tuple(part.split("/"))):
            raise Refused(f"{part[:60]!r} usually contains secrets; it stays closed.")


def place_has(place: Workplace, path: str) -> bool:
    """Whether a word names something in the folder, by itself or through links."""
    return bool(path) and os.path.lexists(place.root / path)


def check_repository(root: Path) -> None:
    """The repository must be this folder's own. Raises Refused for one that lies, or points,
    elsewhere."""
    git = root / ".git"
    if not os.path.lexists(git):
        raise Refused("The working directory is not the top of a git repository.")
    if not _is_own(git):
        raise Refused(
            "The repository of the working directory points to another place; it is not used."
        )


def _is_own(git: Path) -> bool:
    """Whether a repository lies in its folder, or belongs to a work tree that git made there."""
    if git.is_symlink() or (git / "commondir").exists():
        return False
    if not git.is_file():
        return True
    elsewhere = git.parent / _line_of(git).removeprefix("gitdir:").strip()
    back, common = elsewhere / "gitdir", elsewhere / "commondir"
    # git keeps the way back in every work tree it made, which lies in the repository it belongs to,
    # where nobody but git writes; a made-up pointer has none
    if not back.is_file() or Path(os.path.realpath(_line_of(back))) != git or not common.is_file():
        return False
    owner = Path(os.path.realpath(elsewhere / _line_of(common)))
    return Path(os.path.realpath(elsewhere)).parent == owner / "worktrees"


def _line_of(file: Path) -> str:
    return file.read_text("utf-8", "replace").strip()


def _own_programs(root: Path) -> list[str]:
    """Settings that switch off the filters and drivers which this repository names."""
    command = [program("git"), "config", "--list", "--name-only", "-z"]
    try:
        listed = subprocess.run(  # noqa: S603
            command, cwd=root, env=environment(root), stdin=subprocess.DEVNULL, capture_output=True,
            timeout=_SETTINGS_SECONDS, check=True,
        )  # fmt: skip
    except (subprocess.SubprocessError, OSError) as error:
        raise Refused(
            "The settings of this repository cannot be read; git is not run in it."
        ) from error
    programs: dict[str, None] = {}
    for key in os.fsdecode(listed.stdout).split("\0"):
        match = _NAMED.fullmatch(key)
        if match and "=" in key:  # -c would read the name only up to there
            raise Refused(
                "A setting of this repository names a program that "
                "cannot be switched off; git is not run."
            )
        if match and match[1]:
            programs |= dict.fromkeys(
                f"{match[1]}.{part}=" for part in ("clean", "smudge", "process")
            )
            programs[f"{match[1]}.required=false"] = None
        elif match:
            programs |= dict.fromkeys(f"{match[2]}.{part}=" for part in ("command", "textconv"))
    return list(programs)
