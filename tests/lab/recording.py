"""Every change that a program makes to the files of one folder, in order, as the system calls say
it (Linux).

    python -m tests.lab.recording OUT FOLDER PROGRAM...

runs a program under ptrace with all its threads and children, and writes a pickled list of
`Change`. SQLite's own writes are seen as well as ours. The shared memory beside a write-ahead log
is left out: it is mapped, not written, and worth nothing after a crash.
"""

import ctypes
import os
import pickle
import platform
import signal
import struct
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = {
    "x86_64": {
        1: "write", 18: "pwrite", 20: "writev", 296: "writev", 77: "ftruncate", 76: "truncate",
        2: "open", 85: "unknown", 257: "openat", 82: "rename", 264: "renameat", 316: "renameat",
        87: "unlink", 84: "unlink", 263: "unlinkat", 83: "mkdir", 258: "mkdirat", 86: "link",
        265: "linkat", 88: "unknown", 266: "unknown", 74: "fsync", 75: "fsync", 285: "fallocate",
        326: "unknown", 40: "unknown",
    },
    "aarch64": {
        64: "write", 68: "pwrite", 66: "writev", 70: "writev", 46: "ftruncate", 45: "truncate",
        56: "openat", 38: "renameat", 276: "renameat", 35: "unlinkat", 34: "mkdirat", 37: "linkat",
        36: "unknown", 82: "fsync", 83: "fsync", 47: "fallocate", 285: "unknown", 71: "unknown",
    },
}  # fmt: skip
TRACEME, CONT_SYSCALL, SETOPTIONS, SYSCALL_INFO = 0, 24, 0x4200, 0x420E
# Calls marked, fork, vfork, clone, exec; the program ends with the tracer
FOLLOW = 1 | 2 | 4 | 8 | 16 | 1 << 20
WALL = 0x40000000
AT_FDCWD = -100


@dataclass(frozen=True, slots=True)
class Change:
    """kind: create, write, truncate, rename, unlink, mkdir, link, sync. Paths are relative to the
    folder."""

    kind: str
    path: str
    at: int = 0
    data: bytes = b""
    to: str = ""


def record(folder: Path, words: Sequence[str], out: Path) -> list[Change]:
    """Run a program and return what it changed in the folder. Raises CalledProcessError when it
    fails."""
    command = [sys.executable, "-m", "tests.lab.recording", str(out), str(folder.resolve()), *words]
    subprocess.run(command, cwd=ROOT, check=True, stdin=subprocess.DEVNULL)
    changes: list[Change] = pickle.loads(out.read_bytes())
    return changes


def possible() -> bool:
    """Whether this system lets itself be recorded."""
    if platform.system() != "Linux" or platform.machine() not in NUMBERS:
        return False
    pid = os.fork()
    if pid == 0:
        os._exit(0 if _ptrace(TRACEME, 0, 0, 0) == 0 else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


class Tracer:
    """One run of one program."""

    def __init__(self, folder: str) -> None:
        self.folder = folder.rstrip("/") + "/"
        self.changes: list[Change] = []
        self._names = NUMBERS[platform.machine()]
        self._begun: dict[int, list[Change]] = {}  # thread -> what its present call will have done
        self._info = ctypes.create_string_buffer(96)

    def run(self, words: Sequence[str]) -> int:
        """Follow the program to its end; its exit status."""
        pid = os.fork()
        if pid == 0:
            _ptrace(TRACEME, 0, 0, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            os.execvp(words[0], list(words))
        os.waitpid(pid, 0)
        _ptrace(SETOPTIONS, pid, 0, FOLLOW)
        _ptrace(CONT_SYSCALL, pid, 0, 0)
        result, pids = 0, {pid}
        while pids:
            thread, status = os.waitpid(-1, WALL)
            if os.WIFSTOPPED(status):
                fresh = thread not in pids
                pids.add(thread)
                _ptrace(CONT_SYSCALL, thread, 0, self._stopped(thread, status, fresh))
                continue
            pids.discard(thread)
            if thread == pid:
                result = os.waitstatus_to_exitcode(status)
        return result

    def _stopped(self, thread: int, status: int, fresh: bool) -> int:
        """Look at a stop; the signal to hand on."""
        number = os.WSTOPSIG(status)
        if number == signal.SIGTRAP | 0x80:
            self._syscall(thread)
            return 0
        if status >> 16 or (fresh and number == signal.SIGSTOP):
            return 0
        return number

    def _syscall(self, thread: int) -> None:
        _ptrace(SYSCALL_INFO, thread, 96, ctypes.addressof(self._info))
        raw = self._info.raw
        if raw[0] == 1:
            number, *args = struct.unpack_from("<7Q", raw, 24)
            if name := self._names.get(number):
                self._begun[thread] = self._begin(thread, name, args)
        elif raw[0] == 2:
            (value,) = struct.unpack_from("<q", raw, 24)
            for change in self._begun.pop(thread, ()):
                if value >= 0:
                    self._keep(change, value)

    def _keep(self, change: Change, value: int) -> None:
        if change.kind == "write" and value < len(change.data):
            change = Change("write", change.path, change.at, change.data[:value])
        self.changes.append(change)

    def _begin(self, thread: int, name: str, args: list[int]) -> list[Change]:
        """What a call is about to do in the folder."""
        change = getattr(self, f"_{name}")(thread, args)
        return [part for part in change if part.path and not part.path.endswith("-shm")]

    # --- calls on open files ----------------------------------------------------------------------

    def _write(self, thread: int, args: list[int]) -> list[Change]:
        if not (path := self._open_path(thread, args[0])):
            return []
        flags, position = self._position(thread, args[0])
        at = Path(self.folder + path).stat().st_size if flags & os.O_APPEND else position
        return [Change("write", path, at, self._memory(thread, args[1], args[2]))]

    def _pwrite(self, thread: int, args: list[int]) -> list[Change]:
        path = self._open_path(thread, args[0])
        return (
            [Change("write", path, args[3], self._memory(thread, args[1], args[2]))] if path else []
        )

    def _writev(self, thread: int, args: list[int]) -> list[Change]:
        if path := self._open_path(thread, args[0]):
            raise NotImplementedError(f"writev to {path} is not recorded")
        return []

    def _ftruncate(self, thread: int, args: list[int]) -> list[Change]:
        return [Change("truncate", self._open_path(thread, args[0]), args[1])]

    def _fsync(self, thread: int, args: list[int]) -> list[Change]:
        return [Change("sync", self._open_path(thread, args[0], folders=True))]

    def _fallocate(self, thread: int, args: list[int]) -> list[Change]:
        return [Change("grow", self._open_path(thread, args[0]), args[2] + args[3])]

    # --- calls on names ---------------------------------------------------------------------------

    def _open(self, thread: int, args: list[int]) -> list[Change]:
        return self._openat(thread, [AT_FDCWD, *args])

    def _openat(self, thread: int, args: list[int]) -> list[Change]:
        flags = args[2]
        if not flags & (os.O_CREAT | os.O_TRUNC) or not (
            path := self._path_of(thread, args[0], args[1])
        ):
            return []
        if Path(self.folder + path).exists():
            return [Change("truncate", path, 0)] if flags & os.O_TRUNC else []
        return [Change("create", path)]

    def _truncate(self, thread: int, args: list[int]) -> list[Change]:
        return [Change("truncate", self._path_of(thread, AT_FDCWD, args[0]), args[1])]

    def _rename(self, thread: int, args: list[int]) -> list[Change]:
        return self._renameat(thread, [AT_FDCWD, args[0], AT_FDCWD, args[1]])

    def _renameat(self, thread: int, args: list[int]) -> list[Change]:
        path, to = self._path_of(thread, args[0], args[1]), self._path_of(thread, args[2], args[3])
        return [Change("rename", path, to=to)]

    def _unlink(self, thread: int, args: list[int]) -> list[Change]:
        return [Change("unlink", self._path_of(thread, AT_FDCWD, args[0]))]

    def _unlinkat(self, thread: int, args: list[int]) -> list[Change]:
        return [Change("unlink", self._path_of(thread, args[0], args[1]))]

    def _mkdir(self, thread: int, args: list[int]) -> list[Change]:
        return [Change("mkdir", self._path_of(thread, AT_FDCWD, args[0]))]

    def _mkdirat(self, thread: int, args: list[int]) -> list[Change]:
        return [Change("mkdir", self._path_of(thread, args[0], args[1]))]

    def _link(self, thread: int, args: list[int]) -> list[Change]:
        return self._linkat(thread, [AT_FDCWD, args[0], AT_FDCWD, args[1]])

    def _linkat(self, thread: int, args: list[int]) -> list[Change]:
        path, to = self._path_of(thread, args[0], args[1]), self._path_of(thread, args[2], args[3])
        return [Change("link", path, to=to)]

    def _unknown(self, thread: int, args: list[int]) -> list[Change]:
        """Calls that nobody here should make on our files; the whole tree is compared at the
        end."""
        return []

    # --- looking into the program -----------------------------------------------------------------

    def _open_path(self, thread: int, number: int, folders: bool = False) -> str:
        """The path of an open file below the folder; empty for any other."""
        try:
            path = str(Path(f"/proc/{thread}/fd/{_signed(number)}").readlink())
        except OSError:
            return ""
        if folders and path + "/" == self.folder:
            return "."
        return (
            path[len(self.folder) :]
            if path.startswith(self.folder) and not path.endswith(" (deleted)")
            else ""
        )

    def _position(self, thread: int, number: int) -> tuple[int, int]:
        lines = Path(f"/proc/{thread}/fdinfo/{_signed(number)}").read_text().splitlines()
        fields = dict(line.split(":", 1) for line in lines if ":" in line)
        return int(fields["flags"], 8), int(fields["pos"])

    def _path_of(self, thread: int, place: int, address: int) -> str:
        """The path of a name that a call was given, when it lies below the folder."""
        name = Path(os.fsdecode(self._text(thread, address)))
        if not name.is_absolute():
            base = "cwd" if _signed(place) == AT_FDCWD else f"fd/{_signed(place)}"
            try:
                name = Path(f"/proc/{thread}/{base}").readlink() / name
            except OSError:
                return ""
        path = str(name.parent.resolve() / name.name)
        return path[len(self.folder) :] if path.startswith(self.folder) else ""

    def _text(self, thread: int, address: int) -> bytes:
        data = b""
        while b"\0" not in data:
            # To the end of the page, so that nothing beyond it is touched
            data += self._memory(thread, address + len(data), 4096 - (address + len(data)) % 4096)
        return data.split(b"\0", 1)[0]

    def _memory(self, thread: int, address: int, length: int) -> bytes:
        with Path(f"/proc/{thread}/mem").open("rb", buffering=0) as memory:
            return os.pread(memory.fileno(), length, address)


def _signed(number: int) -> int:
    return ctypes.c_int32(number & 0xFFFFFFFF).value


def _ptrace(request: int, pid: int, address: int, data: int) -> int:
    call = ctypes.CDLL(None, use_errno=True).ptrace
    call.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    call.restype = ctypes.c_long
    return int(call(request, pid, address, data))


def main(out: str, folder: str, words: Sequence[str]) -> int:
    """Record one program into a file; its exit status."""
    tracer = Tracer(folder)
    status = tracer.run(words)
    Path(out).write_bytes(pickle.dumps([Change(*_fields(change)) for change in tracer.changes]))
    return status


def _fields(change: Change) -> tuple[str, str, int, bytes, str]:
    return change.kind, change.path, change.at, change.data, change.to


if __name__ == "__main__":
    # Pickled under the name by which it is read again, not as __main__
    from tests.lab import recording

    sys.exit(recording.main(sys.argv[1], sys.argv[2], sys.argv[3:]))
