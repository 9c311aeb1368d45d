"""A small pool of bounded child processes that turn bytes from outside into text.

Nothing starts before the first parse. One template process (tools.documents.parse_worker) is
started then; readers are forked from it, hold the limits and are replaced after 200 files or any
fault. All methods are thread-safe.
"""

import contextlib
import logging
import os
import signal
import socket
import threading
import time
import weakref
from collections.abc import Mapping, Sequence, Set
from typing import Any

from tools.documents import parse_wire
from tools.documents.detect import family
from tools.documents.model import Extracted, Request
from tools.documents.parse_processes import Limits, Reader, Template
from tools.errors import ParseError

log = logging.getLogger(__name__)

_MB = 1024 * 1024
# Of an answer that has another shape
_NONSENSE = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    OverflowError,
)


class ParsePool:
    """`parse` from any thread; `close` (or the end of the program) ends the child processes."""

    def __init__(
        self,
        workers: int = 2,
        seconds: float = 20.0,
        memory_mb: int = 512,
        recycle: int = 200,
        max_mb: int = 200,
    ) -> None:
        self._readers = _Readers(max(1, workers), Limits(seconds, memory_mb, recycle, max_mb))
        self._finalizer = weakref.finalize(self, self._readers.close)

    def parse(
        self, data: bytes, *, name: str = "", media_type: str | None = None, url: str = ""
    ) -> Extracted:
        """The text of some bytes with its structure.

        name: of the file, a hint. media_type: as declared, with charset, a hint. url: base of
        relative links. Raises ParseError with a sentence: not readable, too large, too much
        computing time or memory, a crash.
        """
        limits = self._readers.limits
        if len(data) > limits.max_mb * _MB:
            raise ParseError(
                f"This file is {len(data) / _MB:.0f} MB, the limit is {limits.max_mb} MB."
            )
        files = [Request(data, name, media_type, url)]
        families = _families(files)
        try:
            [result] = self._readers.ask(self._readers.take(families), files)
        except _Died as died:
            if not died.was_used:
                raise
            # The reader may have been killed while it was idle, or been worn out by files before
            # this one.
            [result] = self._readers.ask(self._readers.take(families, fresh=True), files)
        if isinstance(result, ParseError):
            raise result
        return result

    def parse_all(self, files: Sequence[tuple[bytes, str]]) -> list[Extracted | ParseError]:
        """What `parse` makes of each of some small files (content, name), or why it makes nothing.

        One message takes them to a reader. Where it ends over one of them, each is read alone.
        """
        requests = [Request(data, name) for data, name in files]
        results: list[Extracted | ParseError] = []
        if len(files) > 1:
            with contextlib.suppress(ParseError):
                results += self._readers.ask(self._readers.take(_families(requests)), requests)
        return results + [self._alone(data, name) for data, name in files[len(results) :]]

    def _alone(self, data: bytes, name: str) -> Extracted | ParseError:
        try:
            return self.parse(data, name=name)
        except ParseError as error:
            return error

    def close(self) -> None:
        """Ends all child processes; parses under way fail with a ParseError. Can be called
        twice."""
        self._finalizer()

    def __enter__(self) -> "ParsePool":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class _Died(ParseError):
    """A reader died over a file. used: it had read others before."""

    def __init__(self, sentence: str, was_used: bool) -> None:
        super().__init__(sentence)
        self.was_used = was_used


class _Readers:
    """The readers and who has them. At most `count` exist at a time."""

    def __init__(self, count: int, limits: Limits) -> None:
        self.limits = limits
        self._count = count
        self._changed = threading.Condition()
        self._starting = threading.Lock()
        self._idle: list[Reader] = []
        self._busy = 0
        self._template: Template | None = None
        self._closed = False
        self._owner = os.getpid()

    def take(self, families: Set[str], fresh: bool = False) -> Reader:
        """A reader for families of formats (`fresh`: a new one); waits while all are busy."""
        with self._changed:
            self._forget_after_fork()
            while self._busy >= self._count and not self._closed:
                self._changed.wait()
            if self._closed:
                raise ParseError("The document reader is closed.")
            self._busy += 1
            fitting = [] if fresh else [r for r in self._idle if families <= r.loaded]
            reader = fitting[-1] if fitting else self._idle[0] if self._idle else None
            if reader:
                self._idle.remove(reader)
        try:
            if reader and fitting and _is_alive(reader):
                return reader
            if reader:  # it lacks an extractor, or died while it was idle
                self._end(reader)
            return self._start(families)
        except BaseException:
            self._leave()
            raise

    def ask(self, reader: Reader, files: Sequence[Request]) -> list[Extracted | ParseError]:
        """What a reader makes of files, up to the first that it broke over. It goes back into the
        pool or is ended."""
        deadline = time.monotonic() + self.limits.patience
        healthy = False
        try:
            hints = [
                {
                    "name": file.name,
                    "media_type": file.media_type,
                    "url": file.url,
                    "size": len(file.data),
                }
                for file in files
            ]
            body = b"".join([file.data for file in files])
            parse_wire.send(reader.sock, {"files": hints}, body, deadline)
            answer, reply = parse_wire.receive(reader.sock, 4 * self.limits.max_mb * _MB, deadline)
            reader.files += len(files)
            replies = _replies(answer, reply, len(files))
            healthy = reader.files < self.limits.recycle and not any(
                "fault" in facts for facts, _ in replies
            )
            return [_result(facts, text, self.limits) for facts, text in replies]
        except parse_wire.Closed as exc:
            raise self._obituary(reader, exc.late) from None
        finally:
            self._give(reader, healthy)

    def close(self) -> None:
        """Ends the template, and with it every reader."""
        if os.getpid() != self._owner:
            return
        self._closed = True
        template = self._template
        if template:
            template.stop()
        with self._changed:
            for reader in self._idle:
                reader.sock.close()
            self._idle.clear()
            self._changed.notify_all()

    def _start(self, families: Set[str]) -> Reader:
        """A new reader; a template that died is replaced once."""
        for attempt in (1, 2):
            template = None
            try:
                template = self._running_template()
                for family_name in sorted(families):
                    template.load(family_name)
                return Reader(template, self.limits)
            except (parse_wire.Closed, OSError) as exc:
                if self._closed:  # by the end of the program, while the template started
                    raise ParseError("The document reader is closed.") from None
                log.warning("the document reader's template failed (attempt %d): %s", attempt, exc)
                self._drop(template)
        raise ParseError("The document reader could not be started; see the log, or try again.")

    def _running_template(self) -> Template:
        with self._starting:
            if self._closed:
                raise ParseError("The document reader is closed.")
            if self._template is None:
                self._template = _new_template()
                if self._closed:  # closed while it started
                    self._template.stop()
            return self._template

    def _drop(self, template: Template | None) -> None:
        """Ends a template that failed; the next parse starts another."""
        with self._starting:
            if self._template is template:
                self._template = None
        if template:
            template.stop()

    def _obituary(self, reader: Reader, late: bool) -> ParseError:
        """Why a reader did not answer. Ends it."""
        if late:
            return ParseError(
                "Reading this file did not finish within "
                f"{self.limits.patience:g} s and was stopped."
            )
        if self._closed:
            return ParseError("The document reader was closed while it read this file.")
        status = self._end(reader)
        if status & 127 in (signal.SIGPROF, signal.SIGXCPU):
            seconds = f"{self.limits.seconds:g} s"
            return ParseError(
                f"Reading this file took more than {seconds} of computing time and was stopped."
            )
        if status & 127 in set(signal.Signals):
            how = signal.Signals(status & 127).name
        else:
            how = f"exit {status >> 8}"
        limit = self.limits.memory_mb
        sentence = (
            f"The reader crashed on this file ({how}); it is damaged, or needs more than "
            f"{limit} MB of memory."
        )
        return _Died(sentence, reader.files > 0)

    def _give(self, reader: Reader, healthy: bool) -> None:
        if not healthy or self._closed:
            self._end(reader)
        else:
            with self._changed:
                self._idle.append(reader)
        self._leave()

    def _leave(self) -> None:
        with self._changed:
            self._busy -= 1
            self._changed.notify()

    def _end(self, reader: Reader) -> int:
        reader.sock.close()
        if reader.pid == 0:
            return 0
        pid, reader.pid = reader.pid, 0
        try:
            return reader.template.end(pid)
        except parse_wire.Closed:
            return 0  # the template is gone and its readers with it

    def _forget_after_fork(self) -> None:
        """In a forked copy of the program the child processes belong to the original."""
        if os.getpid() == self._owner:
            return
        for reader in self._idle:
            reader.sock.close()
        if self._template:
            self._template.disown()
        self._idle, self._busy, self._template, self._owner = [], 0, None, os.getpid()
        self._starting = threading.Lock()


def _new_template() -> Template:
    """A template with an empty environment; with the program's own where Python does not start
    without it."""
    try:
        return Template()
    except parse_wire.Closed:
        return Template(bare=False)


def _is_alive(reader: Reader) -> bool:
    """Whether an idle reader is still there: its socket neither ended nor holds stray bytes."""
    try:
        reader.sock.settimeout(0)
        reader.sock.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _families(files: Sequence[Request]) -> frozenset[str]:
    return frozenset(family(file.data, file.name, file.media_type) for file in files)


def _replies(
    answer: Mapping[str, Any], body: bytearray, most: int
) -> list[tuple[Mapping[str, Any], bytes]]:
    """The reply to each file with its text; ParseError when a reader answered something else."""
    try:
        replies: list[Mapping[str, Any]] = answer["replies"]
        if not 0 < len(replies) <= most:
            raise ValueError(f"{len(replies)} replies to {most} files")
        texts = parse_wire.split(body, [int(reply["size"]) for reply in replies])
        return list(zip(replies, texts, strict=True))
    except _NONSENSE as exc:
        raise _nonsense(exc) from None


def _result(reply: Mapping[str, Any], text: bytes, limits: Limits) -> Extracted | ParseError:
    """What a reader's reply says."""
    if "refused" in reply:
        return ParseError(str(reply["refused"]))
    if reply.get("fault") == "memory":
        return ParseError(f"Reading this file needs more than {limits.memory_mb} MB of memory.")
    if "fault" in reply:
        log.warning("a parser failed: %s", reply.get("detail"))
        return ParseError(
            f"This file could not be read: it is damaged or unusual ({reply['fault']})."
        )
    try:
        return parse_wire.from_header(reply, text)
    except _NONSENSE as exc:
        return _nonsense(exc)


def _nonsense(error: Exception) -> ParseError:
    log.warning("a reader answered nonsense: %r", error)
    return ParseError("This file could not be read: its reader gave an invalid answer.")
