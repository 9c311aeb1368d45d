"""The answers models gave to a run that has not ended: one file a run, so that a run killed in the
middle does not ask again what was answered. The file goes when the run ends.

A line is a JSON object: the key under which Models reuses the answer (a hash of model, prompt
version and input), and the answer. A last line that a crash cut off is ignored.
"""

import json
import logging
import os
from collections import UserDict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tools.models.model import Reply

log = logging.getLogger("zorora.models")


class KeptAnswers(UserDict[str, Reply]):
    """Answers by key, kept in a file. Where the file cannot be written, they are kept in memory
    alone."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.data = dict(_read_replies(path))

    def __setitem__(self, key: str, reply: Reply) -> None:
        super().__setitem__(key, reply)
        row = {
            "key": key, "text": reply.text, "data": reply.data, "model": reply.model,
            "endpoint": reply.endpoint, "finish": reply.finish,
        }  # fmt: skip
        line = json.dumps(row, ensure_ascii=True) + "\n"
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                # One write, so that threads do not mix lines
                os.write(handle, line.encode("ascii"))
            finally:
                os.close(handle)
        except OSError as fault:
            log.warning(
                "%s cannot be written, so answers of models are not kept: %s",
                self._path.name,
                fault,
            )

    def forget(self) -> None:
        """Remove the file: the run has ended."""
        with suppress(OSError):
            self._path.unlink()


def _read_replies(path: Path) -> Iterator[tuple[str, Reply]]:
    try:
        lines = path.read_text("ascii", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        try:
            row = json.loads(line)
            yield (
                str(row["key"]),
                Reply(
                    row["text"], row["data"], str(row["model"]), str(row["endpoint"]), row["finish"]
                ),
            )
        except (ValueError, KeyError, TypeError):
            continue  # cut off by a crash; it is asked again
