"""What a program that is run gets to know of the machine: where programs lie, and next to nothing
of the user."""

import shutil
from pathlib import Path

from tools.errors import NotFound

FOLDERS = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin"
_GIT = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
}


def program(name: str) -> str:
    """Where a program lies, in the folders of the system only. NotFound when it is not
    installed."""
    path = shutil.which(name, path=FOLDERS)
    if path is None:
        raise NotFound(f"The program {name} is not installed on this machine.")
    return path


def environment(root: Path | None = None) -> dict[str, str]:
    """All that a program gets to know of the user's environment: nothing. root: git looks for no
    repository above."""
    return {
        **({"GIT_CEILING_DIRECTORIES": str(root.parent)} if root else {}),
        "PATH": FOLDERS,
        "HOME": "/nonexistent",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "PAGER": "cat",
        "NO_COLOR": "1",
        **_GIT,
    }
