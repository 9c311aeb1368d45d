"""Host tools: files, patches, programs of the user's machine, inside the working directory. The
work: tools/host."""

from typing import TYPE_CHECKING

from tools.errors import Refused
from tools.toolset.context import current

if TYPE_CHECKING:
    from tools.host.place import Workplace


def _place() -> "Workplace":
    place = current().place
    if place is None:
        raise Refused("Files and programs are used only at the prompt, with a person there.")
    return place


def read_file(path: str, start: int = 1, lines: int = 2000) -> str:
    """A text file with line numbers."""
    from tools.host import files

    return files.read_file(_place(), path, start, lines)


def write_file(path: str, content: str) -> str:
    """Make a file, or replace one that was read."""
    from tools.host import files

    return files.write_file(_place(), path, content)


def edit_file(path: str, old: str, new: str, replace_all: bool = False) -> str:
    """Replace a text that stands in a file exactly once."""
    from tools.host import files

    return files.edit_file(_place(), path, old, new, replace_all)


def make_directory(path: str) -> str:
    """Make a folder."""
    from tools.host import files

    return files.make_directory(_place(), path)


def list_files(path: str = ".", pattern: str = "", recursive: bool = False) -> str:
    """Names in a folder."""
    from tools.host import files

    return files.list_files(_place(), path, pattern, recursive)


def get_working_directory() -> str:
    """The folder that files and programs are used in."""
    return str(_place().root)


def apply_patch(patch: str) -> str:
    """Apply a unified diff, all of it or nothing."""
    from tools.host import files

    return files.apply_patch(_place(), patch)


def run_shell(command: str, timeout: float | None = None) -> str:
    """Run one of the listed programs, without a shell."""
    from tools.host import shell

    context = current()
    return shell.run_shell(_place(), command, context.shell, timeout, context.check)
