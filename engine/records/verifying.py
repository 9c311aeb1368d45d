"""Holding all records against the stored texts, or a sample of them, within a bounded time."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from engine.records.files import RecordDamaged, RecordFiles
from engine.records.quotations import unresolved
from tools.documents.snapshots import SnapshotFiles, TextDamaged
from tools.errors import NotFound

SAMPLE, SAMPLE_SECONDS = 100, 5.0  # records, and texts besides theirs, of a quick look
SECONDS = 1800.0  # of a thorough one
Progress = Callable[[str, int, int], object]  # what is looked at, number of it, of how many
T = TypeVar("T")


@dataclass
class Verification:
    """What is wrong with records and texts.

    damaged_records: names of those that cannot be read. changed_records: name of a record and the
    first sentence in it that stands nowhere. missing_texts, damaged_texts: ids. records, texts: how
    many of how many were looked at.
    """

    damaged_records: list[str] = field(default_factory=list)
    changed_records: list[tuple[str, str]] = field(default_factory=list)
    missing_texts: set[str] = field(default_factory=set)
    damaged_texts: set[str] = field(default_factory=set)
    records: tuple[int, int] = (0, 0)
    texts: tuple[int, int] = (0, 0)


class Verifier:
    """Verifies what lies in two folders. quick: a sample, within seconds."""

    def __init__(
        self, findings: Path, snapshots: Path, *, quick: bool, progress: Progress | None = None
    ) -> None:
        self._files, self._snapshots = RecordFiles(findings), SnapshotFiles(snapshots)
        self._quick, self._progress = quick, progress or (lambda what, number, total: None)
        self._text_ids: set[str] = set()  # texts that were looked at
        self._result = Verification()

    def verify(self) -> Verification:
        """Read records with the texts they quote, then the other texts. Raises StorageError."""
        self._ends = time.monotonic() + (SAMPLE_SECONDS if self._quick else SECONDS)
        paths = sorted(path for path, _, _ in self._files.scan())
        self._result.records = (self._each("record", paths, self._verify_record), len(paths))
        ids = list(self._snapshots.ids())
        self._each("text", [key for key in ids if key not in self._text_ids], self._text)
        self._result.texts = (len(self._text_ids.intersection(ids)), len(ids))
        return self._result

    def _each(self, what: str, everything: Sequence[T], verify: Callable[[T], object]) -> int:
        """All of them, or a sample, until the time is over; how many."""
        sample = everything
        if self._quick and len(everything) > SAMPLE:
            sample = random.sample(everything, SAMPLE)
        for number, item in enumerate(sample):
            if time.monotonic() > self._ends:
                return number
            verify(item)
            self._progress(what, number + 1, len(sample))
        return len(sample)

    def _verify_record(self, path: Path) -> None:
        try:
            state = self._files.state(path)
        except FileNotFoundError:
            return  # deleted since the folder was listed
        except RecordDamaged:
            self._result.damaged_records.append(path.name)
            return
        if sentences := unresolved(state, self._text).changed:
            self._result.changed_records.append((path.name, sentences[0]))

    def _text(self, snapshot_id: str) -> str | None:
        self._text_ids.add(snapshot_id)
        try:
            return self._snapshots.get(snapshot_id)
        except NotFound:
            self._result.missing_texts.add(snapshot_id)
        except TextDamaged:
            self._result.damaged_texts.add(snapshot_id)
        return None
