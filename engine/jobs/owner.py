"""Which process owns a job: boot id, process namespace, process id and process start time.

Process ids are used again, so the id alone says nothing; together with the start time and the boot
it names one process for ever. A process of another namespace (a container that shares the home)
cannot be looked up from here: its fate is unknown and the lease decides.
"""

import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from subprocess import TimeoutExpired

_PROC = Path("/proc")
_DEAD = ("Z", "X", "x")  # a zombie has ended; only its parent has not asked yet


@dataclass(frozen=True, slots=True)
class Owner:
    """boot: id of the running system. namespace: of process ids. started: as the system counts
    it."""

    boot: str
    namespace: str
    pid: int
    started: str

    def __str__(self) -> str:
        return f"{self.boot}/{self.namespace}/{self.pid}/{self.started}"


def read_owner(text: str) -> Owner:
    """An owner from its written form."""
    boot, namespace, pid, started = text.split("/")
    return Owner(boot, namespace, int(pid), started)


def current() -> Owner:
    """This process."""
    return of(os.getpid())


def of(pid: int) -> Owner:
    """The process with this id as it is now; a process that has ended already has the start time
    "gone"."""
    return Owner(boot_id(), _namespace(), pid, _started(pid) or "gone")


def fate(owner: Owner) -> str:
    """ "alive", "gone" or "unknown" (a process this one cannot look up)."""
    if not owner.boot or not boot_id():
        return "unknown"
    if owner.boot != boot_id():
        return "gone"
    if owner.namespace != _namespace():
        return "unknown"
    return "alive" if _started(owner.pid) == owner.started else "gone"


def stop(owner: Owner, number: signal.Signals) -> None:
    """Send a signal to exactly this process; nothing happens when it is gone or cannot be looked
    up."""
    if fate(owner) == "alive":
        with suppress(ProcessLookupError, PermissionError):
            os.kill(owner.pid, number)


@lru_cache(maxsize=1)
def boot_id() -> str:
    """The id of this boot; empty when the system does not tell."""
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return _run("sysctl", "-n", "kern.bootsessionuuid")


def _namespace() -> str:
    try:
        return str((_PROC / "self/ns/pid").readlink()).replace("/", "_")
    except OSError:
        return "pid"


def _started(pid: int) -> str | None:
    """Start time of a living process, None when there is none (or only a zombie)."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(errors="replace")
    except FileNotFoundError:
        return None if (_PROC / "self/stat").exists() else _started_by_ps(pid)
    except ProcessLookupError:
        return None
    except OSError:
        return _started_by_ps(pid)
    # The name in brackets may itself hold blanks and brackets
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in _DEAD else fields[19]


def _started_by_ps(pid: int) -> str | None:
    answer = _run("ps", "-o", "stat=,lstart=", "-p", str(pid))
    state, _, started = answer.partition(" ")
    return None if not answer or state[:1] in _DEAD else " ".join(started.split()).replace("/", "-")


def _run(*command: str) -> str:
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)  # noqa: S603
    except (OSError, TimeoutExpired):
        return ""
    return result.stdout.strip()
