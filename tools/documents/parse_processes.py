"""The child processes of the parse pool, seen from the program: the template and the readers forked
from it."""

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tools
from tools.documents import parse_wire

_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[2]); "
    "from tools.documents.parse_worker import template; template(int(sys.argv[1]))"
)
# Seconds for the template to start, load an extractor or fork: only a broken machine needs more
_PATIENCE = 60.0
_MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost. seconds: computing time; memory_mb: beyond an idle reader; recycle:
    files per reader."""

    seconds: float = 20.0
    memory_mb: int = 512
    recycle: int = 200
    max_mb: int = 200

    @property
    def patience(self) -> float:
        """Seconds by the clock after which a reader is taken for stuck: a busy machine may give it
        a twentieth."""
        return max(60.0, 20 * self.seconds)


class Template:
    """The process that readers are forked from, and the socket that steers it."""

    def __init__(self, bare: bool = True) -> None:
        self.loaded: set[str] = set()
        self._lock = threading.Lock()
        ours, theirs = socket.socketpair()
        path = [
            str(Path(tools.__file__).resolve().parent.parent),
            *(entry or str(Path.cwd()) for entry in sys.path),
        ]
        command = [
            sys.executable,
            "-I",
            "-X",
            "utf8",
            "-c",
            _START,
            str(theirs.fileno()),
            json.dumps(path),
        ]
        with theirs:
            # An empty environment: keys that the program was given there are not for readers of
            # foreign bytes.
            self._process = subprocess.Popen(  # noqa: S603 (our own interpreter and our own code)
                command,
                pass_fds=(theirs.fileno(),),
                env={} if bare else None,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # Ctrl+C in the terminal is for the program, which then closes the pool
                start_new_session=True,
            )
        self._control = ours
        try:
            self._heard()
        except parse_wire.Closed:
            self.stop()
            raise

    def load(self, reader_family: str) -> None:
        """Imports what a family of formats needs, once."""
        with self._lock:
            if reader_family not in self.loaded:
                self._exchange({"do": "load", "family": reader_family})
                self.loaded.add(reader_family)

    def fork(self, theirs: socket.socket, limits: Limits) -> int:
        """A new reader on that socket; its process id."""
        order = {
            "do": "fork",
            "memory": limits.memory_mb * _MB,
            "seconds": limits.seconds,
            "max_body": limits.max_mb * _MB,
        }
        with self._lock:
            return int(self._exchange(order, theirs)["pid"])

    def end(self, pid: int) -> int:
        """Kills a reader if it still runs; its wait status."""
        with self._lock:
            return int(self._exchange({"do": "end", "pid": pid})["status"])

    def stop(self) -> None:
        """Ends the process; its readers die with it."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)  # also wakes a thread that waits for an answer
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with self._lock:
            self._control.close()

    def disown(self) -> None:
        """Forgets the process without ending it."""
        self._control.close()
        self._process.returncode = 0

    def _exchange(
        self, message: Mapping[str, Any], passed: socket.socket | None = None
    ) -> dict[str, Any]:
        data = json.dumps(message).encode()
        try:
            if passed is None:
                self._control.sendall(data)
            else:
                socket.send_fds(self._control, [data], [passed.fileno()])
        except OSError:
            raise parse_wire.Closed from None
        return self._heard()

    def _heard(self) -> dict[str, Any]:
        return parse_wire.receive(self._control, 0, time.monotonic() + _PATIENCE)[0]


class Reader:
    """One child process: its socket and what was loaded when it was forked."""

    def __init__(self, template: Template, limits: Limits) -> None:
        ours, theirs = socket.socketpair()
        self.template = template
        self.loaded = frozenset(template.loaded)
        self.files = 0
        self.sock = ours
        try:
            with theirs:
                self.pid = template.fork(theirs, limits)
        except parse_wire.Closed:
            ours.close()
            raise
