"""Whether a command may be run: git by its own rules, every other program by its row in the
table."""

import re
from collections.abc import Sequence

from tools.errors import Refused
from tools.host.arguments import checked
from tools.host.git import check_git
from tools.host.place import Workplace
from tools.host.programs import PROGRAMS

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_ADVICE = {
    "sed": "read_file shows lines, edit_file changes them",
    "awk": "cut, grep and sort are there",
    "xargs": "name the files themselves",
    "env": "variables cannot be set",
    "sudo": "nothing runs as another user",
    "rm": "nothing is ever deleted",
    "mv": "apply_patch renames files",
    "cp": "write_file makes files",
    "mkdir": "use make_directory",
    "touch": "use write_file",
    "tee": "use write_file",
    "curl": "nothing connects to a network; use web_search or get_full_content",
    "wget": "nothing connects to a network; use web_search or get_full_content",
    "cd": "commands run in the working directory; name files by their path from there",
}


def check(place: Workplace, words: Sequence[str]) -> tuple[str, ...]:
    """The command as it may be run. Raises Refused with the reason."""
    if not words:
        raise Refused("The command is empty.")
    name = words[0]
    if "/" in name or "\\" in name or name.startswith("."):
        raise Refused(f"{name[:80]!r}: programs are named without a path.")
    if _ASSIGNMENT.match(name):
        raise Refused("Variables cannot be set for a command.")
    if name == "git":
        return ("git", *check_git(place, words[1:]))
    program = PROGRAMS.get(name)
    if program is None:
        if name in _ADVICE:
            more = f" ({_ADVICE[name]})"
        else:
            more = f". There are git and {', '.join(sorted(PROGRAMS))}"
        raise Refused(f"{name[:80]!r} is not one of the programs that can be run{more}.")
    return (name, *checked(place, name, program, words[1:]))
