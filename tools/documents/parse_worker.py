"""Inside the parse pool's child processes: the template that forks readers, and the reader that
parses.

The template imports the extractors once and forks readers from itself, so that their import cost is
paid once per pool. It is a fresh interpreter (never a fork of the program), does no parsing of
foreign bytes, and ends when the program goes away: its control socket reaches its end. Readers die
with the template.
"""

import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from tools.documents import parse_wire
from tools.documents.model import Request
from tools.documents.parsers.formats import parse
from tools.errors import ParseError

MAX_MESSAGE = 65536
_OBJECTS_BETWEEN_COLLECTIONS = 20_000  # a page makes thousands and hardly a cycle
# What a family of formats needs of our parsers and other people's libraries
# (tools.documents.detect.family).
_MODULES = {
    "text": ("tools.documents.parsers.text.plain",),
    "markdown": ("tools.documents.parsers.text.markdown", "markdown_it", "lxml.etree"),
    "html": ("tools.documents.parsers.html.page", "lxml.etree"),
    "pdf": ("tools.documents.parsers.pdf.pages", "pypdfium2"),
    "xml": ("lxml.etree",),
    "tex": ("tools.documents.parsers.text.tex", "pylatexenc.latex2text"),
    "rst": ("tools.documents.parsers.text.rst",),
}
# What the first file of a family would make, each reader would make again for itself
_WARM_UPS = {
    "html": Request(
        b"<html><head><title>t</title></head><body><article><p>One sentence of a "
        b"page.</p></article></body></html>"
    ),
    "markdown": Request(b"# t\n\nOne sentence of a note, of 2024.", "note.md"),
}
_FORBIDDEN = (
    "socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn",
    "pty.", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.chmod",
    "os.chown", "os.truncate", "os.putenv", "os.kill", "shutil.", "tempfile.", "ftplib.", "http.",
    "urllib.", "smtplib.", "ctypes.dlopen",
)  # fmt: skip
_PR_SET_PDEATHSIG = 1


def template(fd: int) -> NoReturn:
    """The template's loop: answers load, fork and end on the control socket until the program goes
    away."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    control = socket.socket(fileno=fd)
    readers: set[int] = set()
    _say(control, {"ok": True})
    while True:
        message, fds = _hear(control)
        if message is None:
            break
        if message["do"] == "load":
            _say(control, {"ok": _load(str(message["family"]))})
        elif message["do"] == "fork":
            pid = _fork(control, fds[0], message)
            readers.add(pid)
            os.close(fds[0])
            _say(control, {"pid": pid})
        else:
            pid = int(message["pid"])
            readers.discard(pid)
            _say(control, {"status": _end(pid)})
    for pid in readers:
        _end(pid)
    os._exit(0)


def _say(control: socket.socket, message: Mapping[str, Any]) -> None:
    with contextlib.suppress(parse_wire.Closed):  # the program went away: the next read says so
        parse_wire.send(control, message)


def _hear(control: socket.socket) -> tuple[dict[str, Any] | None, list[int]]:
    try:
        data, fds, _, _ = socket.recv_fds(control, MAX_MESSAGE, 1)
    except OSError:
        return None, []
    return (json.loads(data) if data else None), list(fds)


def _load(family: str) -> bool:
    """Imports what a family of formats needs; a library that is missing is reported when a file
    needs it."""
    try:
        for name in _MODULES.get(family, ()):
            importlib.import_module(name)
        if family in _WARM_UPS:
            parse(_WARM_UPS[family])
    except ImportError:
        return False
    gc.collect()
    gc.freeze()  # readers share these pages instead of copying them at their first collection
    return True


def _fork(control: socket.socket, fd: int, limits: Mapping[str, Any]) -> int:
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        control.close()
        _die_with(parent)
        _serve(socket.socket(fileno=fd), limits)
        code = 0
    finally:
        os._exit(code)


def _end(pid: int) -> int:
    """Kills a reader and collects it; its wait status, or 0 when it is gone already."""
    try:
        ended_pid, status = os.waitpid(pid, os.WNOHANG)
        if ended_pid:
            return status
        os.kill(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1]
    except (ChildProcessError, ProcessLookupError):
        return 0


def _serve(sock: socket.socket, limits: Mapping[str, Any]) -> None:
    """A reader's life: one message of files after another until the socket ends."""
    _confine(int(limits["memory"]))
    while True:
        try:
            header, body = parse_wire.receive(sock, int(limits["max_body"]))
        except parse_wire.Closed:
            return
        files = header["files"]
        contents = parse_wire.split(body, [file["size"] for file in files])
        del body
        replies, texts = [], []
        for file in files:
            _limit_cpu(float(limits["seconds"]))
            reply, text = _answer(
                Request(contents.pop(0), file["name"], file["media_type"], file["url"])
            )
            replies.append({**reply, "size": len(text)})
            texts.append(text)
            if "fault" in reply:  # this process may be worn out; another one reads the rest
                break
        signal.setitimer(signal.ITIMER_PROF, 0)
        try:
            parse_wire.send(sock, {"replies": replies}, b"".join(texts))
        except parse_wire.Closed:
            return


def _answer(request: Request) -> tuple[dict[str, Any], bytes]:
    """The reply to one file. Any fault of an extractor becomes a reply: this is the boundary of
    foreign code."""
    try:
        extracted = parse(request)
        return parse_wire.to_header(extracted), extracted.text.encode("utf-8")
    except ParseError as exc:
        return {"refused": str(exc)}, b""
    except RecursionError:
        return {"refused": "This file is nested too deeply to read."}, b""
    except MemoryError:
        return {"fault": "memory", "detail": ""}, b""
    except Exception as exc:  # noqa: BLE001 (one of the places where foreign code may fail in any way)
        return {"fault": type(exc).__name__, "detail": traceback.format_exc()[-4000:]}, b""


def _die_with(parent: int) -> None:
    """This process is killed when the template dies, however it dies (Linux; elsewhere the socket's
    end does it)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _confine(memory: int) -> None:
    """Memory and core-dump limits, and no way out from Python: no sockets, processes or writing of
    files."""
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):  # macOS has no usable limit on address space
        ceiling = _address_space() + memory
        resource.setrlimit(resource.RLIMIT_AS, (ceiling, ceiling))
    sys.addaudithook(_forbid)


def _address_space() -> int:
    """Bytes of address space in use; 0.5 GB where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 512 * 1024 * 1024


def _limit_cpu(seconds: float) -> None:
    """Computing time of this file beyond its limit kills, also inside foreign code; the clock does
    not count.

    The timer knows fractions of a second and can be set again for every file; the limit of the
    process stays behind it.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    ceiling = int(usage.ru_utime + usage.ru_stime + seconds) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (ceiling, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _forbid(event: str, arguments: tuple[Any, ...]) -> None:
    """The audit hook of a reader (https://peps.python.org/pep-0578/); it cannot be taken off
    again."""
    if event.startswith(_FORBIDDEN):
        raise PermissionError(f"a parser may not use {event}")
    if event == "open":
        mode, flags = arguments[1], arguments[2]
        writing = isinstance(mode, str) and any(letter in mode for letter in "wax+")
        if writing or (isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)):
            raise PermissionError("a parser may not write files")
