"""run_shell: one program from a list, without a shell, with a clean environment, a time limit and a
limit of output.

arguments.py and git.py decide what may run. Here the process is held: it starts in the working
directory, reads nothing, may write no file (a limit of the system, besides the tables), and dies
with everything it started.
"""

import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.errors import Cancelled, Refused, StorageError
from tools.host.arguments import checked, split
from tools.host.environment import environment, program
from tools.host.git import check_git
from tools.host.place import Workplace
from tools.host.programs import PROGRAMS, ShellRules

DEFAULT = ShellRules()
_TICK = 0.1
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]{1,400}@")
_PUT_IN = re.compile(r" --no-dereference\b| '?--exclude=[^\s']{1,200}'?")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Set in the child before the program takes its place: no file may grow, no core dump, bounded
# memory and time
_LIMITS = """
import os, resource, sys
def limit(what, most):
    try:
        resource.setrlimit(what, (most, most))
    except (ValueError, OSError):
        pass
limit(resource.RLIMIT_FSIZE, 0)
limit(resource.RLIMIT_CORE, 0)
limit(resource.RLIMIT_CPU, int(sys.argv[1]))
limit(resource.RLIMIT_AS, 4_000_000_000)
os.execv(sys.argv[2], sys.argv[3:])
"""

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


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended. output: standard output and error together, made plain. ended: exited,
    timeout, cut."""

    output: str
    status: int
    ended: str = "exited"
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a program may run and how many bytes of its output are kept. look: raises Cancelled
    to stop it."""

    seconds: float
    output: int = DEFAULT.output
    look: Callable[[], None] | None = None


def run_shell(
    place: Workplace,
    command: str,
    rules: ShellRules = DEFAULT,
    timeout: float | None = None,
    check_cancelled: Callable[[], None] | None = None,
) -> str:
    """Run one listed program and give its output with its exit status. Raises Refused for
    everything else."""
    arguments = split(command)
    words = check(place, arguments)
    _check_allowed(arguments, rules)
    seconds = max(1.0, min(timeout or rules.seconds, rules.seconds))
    ran = run(place.root, words, seconds, rules.output, check_cancelled)
    notes = {
        "timeout": f"(stopped after {ran.seconds:.0f} seconds)",
        "cut": f"(the output is cut at {rules.output // 1000} kB)",
    }
    status = "" if ran.ended != "exited" or ran.status == 0 else f"(exit status {ran.status})"
    parts = [
        part
        for part in (_bare(words[0], ran.output).rstrip("\n"), notes.get(ran.ended, status))
        if part
    ]
    return "\n".join(parts) or "(no output)"


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
        others = f". There are git and {', '.join(sorted(PROGRAMS))}"
        more = f" ({_ADVICE[name]})" if name in _ADVICE else others
        raise Refused(f"{name[:80]!r} is not one of the programs that can be run{more}.")
    return (name, *checked(place, name, program, words[1:]))


def _bare(name: str, output: str) -> str:
    """Output without what nobody asked for: keys in the addresses of remotes, options that were put
    in."""
    if name == "git":
        return _CREDENTIALS.sub("", output)
    return _PUT_IN.sub("", output) if name == "diff" else output


def _check_allowed(cut: list[str], rules: ShellRules) -> None:
    """What the setting shell.allowed leaves of the programs."""
    if rules.allowed is None:
        return
    first = rules.allowed.get(cut[0])
    if first is None:
        raise Refused(f"The setting shell.allowed leaves {cut[0]} out.")
    if "*" not in first and (cut[1:2] or [""])[0] not in first:
        raise Refused(
            f"The setting shell.allowed lets {cut[0]} begin with "
            f"{', '.join(first) or 'nothing'} only."
        )


def run(
    root: Path,
    words: Sequence[str],
    seconds: float,
    output: int,
    check_cancelled: Callable[[], None] | None = None,
) -> Ran:
    """Run a checked command: the name of a program and its arguments."""
    limited = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        _LIMITS,
        str(int(seconds) + 1),
        program(words[0]),
        *words,
    ]
    return run_approved(limited, root, environment(root), Bounds(seconds, output, check_cancelled))


def run_approved(
    command: Sequence[str], root: Path, environ: Mapping[str, str], bounds: Bounds
) -> Ran:
    """Run a command whose program is a full path, as it stands: for commands that a person has seen
    and approved."""
    began = time.monotonic()
    try:
        process = subprocess.Popen(  # noqa: S603
            command,
            cwd=root,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise StorageError(
            f"The program could not be started: {error.strerror or error}."
        ) from error
    with process:
        try:
            data, ended = _read_output(process, began + bounds.seconds, bounds)
        except (Cancelled, KeyboardInterrupt):
            end(process)
            raise
        if ended == "exited":
            process.wait()
        end(process)
    ended = "cut" if ended == "exited" and len(data) > bounds.output else ended
    text = plain(data[: bounds.output].decode("utf-8", "replace"))
    return Ran(text, process.returncode, ended, time.monotonic() - began)


def _read_output(
    process: "subprocess.Popen[bytes]", until: float, bounds: Bounds
) -> tuple[bytes, str]:
    """(output, how it ended), as far as limits let it go."""
    assert process.stdout is not None
    data = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            seconds = until - time.monotonic()
            if seconds <= 0:
                return bytes(data), "timeout"
            if bounds.look:
                bounds.look()
            if not selector.select(min(seconds, _TICK)):
                continue
            piece = os.read(process.stdout.fileno(), 65536)
            if not piece:
                return bytes(data), "exited"
            data += piece
            if len(data) > bounds.output:
                return bytes(data), "cut"


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process with everything it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
    process.wait()


def plain(text: str) -> str:
    """Output without control characters: a program must not steer the terminal it is shown on."""
    return _CONTROL.sub("\ufffd", text.replace("\r\n", "\n"))
