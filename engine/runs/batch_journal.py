"""Which research answers which question of a batch file, so that the same command goes on where it
was.

One small file a batch in the home, `batches/KEY.jsonl`: a line for each research that was started
or kept. The key stands for the place of the file of questions and for the options; other options
are another batch.
"""

import hashlib
import json
import os
from pathlib import Path

from engine.answers import RunOptions
from engine.files import fault, write_all
from engine.home import make_folder
from tools.open_databases import read_file, refuse_open

FOLDER = "batches"


class Journal:
    """What became of the questions of one file with these options. again: take every question as
    new, and note anew."""

    def __init__(self, home: Path, file: Path, options: RunOptions, again: bool = False) -> None:
        key = hashlib.sha256(
            f"{file.expanduser().resolve()}\n{options!r}".encode("utf-8", "replace")
        ).hexdigest()[:16]
        self._path = home / FOLDER / f"{key}.jsonl"
        self._ids = {} if again else _read_lines(self._path)

    def get(self, question: str) -> str | None:
        """The id of the research that was last started for a question."""
        return self._ids.get(question)

    def note(self, question: str, research_id: str) -> None:
        """Keep the research of a question. Raises StorageError with a sentence."""
        self._ids[question] = research_id
        # A line that a crash cut off ends where the next one begins
        line = "\n" + json.dumps(
            {"question": question, "research_id": research_id}, ensure_ascii=False
        )
        make_folder(self._path.parent)
        refuse_open(self._path)
        try:
            handle = os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
            try:
                write_all(handle, line.encode("utf-8", "replace"))
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise fault(self._path, error) from error


def _read_lines(path: Path) -> dict[str, str]:
    """The last research of each question; a line that is not whole is left out."""
    try:
        lines = read_file(path).decode("utf-8", "replace").split("\n")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise fault(path, error) from error
    results = {}
    for line in lines:
        try:
            entry = json.loads(line)
            results[str(entry["question"])] = str(entry["research_id"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return results
