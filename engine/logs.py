"""The log file: five files of 2 MB, owner-only, without secrets and without what was asked."""

import logging
import os
import re
from collections.abc import Collection
from contextlib import suppress
from copy import copy
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from engine.settings.settings_values import HIDDEN

log = logging.getLogger("zorora.engine")
BYTES, FILES = 2_000_000, 5
FORMAT = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"

# The words of a question in the name of its research, and in that of its record; the time after
# them tells which it is
_ASKED = re.compile(
    r"(?<![a-z0-9_])[a-z0-9_]{1,60}_(?=\d{8}_\d{6})|(?<=\d{4}-\d\d-\d\d_)[a-z0-9_]{1,60}_(?=\d{6}(?:_\d{1,6})?\.json)"
)
_ACTS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class LogFile(RotatingFileHandler):
    """A rotating file that several processes write to: when another has rotated it, this one
    follows."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path,
            maxBytes=BYTES,
            backupCount=FILES - 1,
            encoding="utf-8",
            errors="replace",
            delay=True,
        )
        self._path = path

    def shouldRollover(self, record: logging.LogRecord) -> int:
        stream = self.stream
        if stream is not None and not self._is_current(stream):
            stream.close()
            self.stream = self._open()
        return int(super().shouldRollover(record))

    def handleError(self, record: logging.LogRecord) -> None:
        """A full disk must not end a research: what cannot be logged is lost."""

    def close(self) -> None:
        """The same at the end: what was not written by then is tried once more."""
        with suppress(OSError):
            super().close()

    def _open(self) -> TextIOWrapper:
        handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return os.fdopen(handle, "a", encoding="utf-8", errors="replace")

    def _is_current(self, stream: TextIOWrapper) -> bool:
        try:
            there, ours = self._path.stat(), os.fstat(stream.fileno())
        except OSError:
            return False
        return (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino)


class WithoutSecrets(logging.Formatter):
    """Writes a record with every known secret hidden, and the words of questions left out, also in
    tracebacks.

    A message is one line, whatever an address or a title in it holds; the lines of a traceback are
    indented. So no text from outside can look like an entry of its own, or act in a terminal.
    """

    def __init__(self, secrets: Collection[str]) -> None:
        super().__init__(FORMAT)
        self._secrets = sorted(secrets, key=len, reverse=True)

    def formatMessage(self, record: logging.LogRecord) -> str:
        return _visible(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        return "\n".join(
            f"    {_visible(line)}" for line in super().formatException(ei).split("\n")
        )

    def format(self, record: logging.LogRecord) -> str:
        record = copy(record)
        record.exc_text = None  # another handler may have kept its own form of the traceback there
        text = super().format(record)
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return _ASKED.sub("…", text)


def _visible(text: str) -> str:
    """Without what acts: control characters, line ends and marks of direction are written as their
    numbers."""
    return text if text.isprintable() else _ACTS.sub(lambda match: ascii(match[0])[1:-1], text)


def stop(handler: logging.Handler) -> None:
    """Send nothing more to a log file, and close it."""
    logging.getLogger().removeHandler(handler)
    handler.close()


def start(path: Path, *, secrets: Collection[str] = ()) -> logging.Handler:
    """Send the warnings of the loggers to the log file; a second call replaces the first. Opens the
    file at the first line."""
    root = logging.getLogger()
    for earlier in [handler for handler in root.handlers if isinstance(handler, LogFile)]:
        stop(earlier)
    handler = LogFile(path)
    handler.setFormatter(WithoutSecrets(secrets))
    handler.setLevel(logging.WARNING)
    root.addHandler(handler)
    root.setLevel(min(logging.WARNING, root.level) if root.level else logging.WARNING)
    return handler
