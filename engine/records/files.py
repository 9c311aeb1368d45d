"""The record files: one JSON file per research, replaced whole, never edited in place."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.files import fault, stage, sync, write_all
from engine.records.checking import check_types
from tools.errors import Refused, StorageError
from workflows.research.state import ResearchState


class RecordDamaged(StorageError):
    """A record file that is there and cannot be understood."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What tells whether a file changed: mtime in nanoseconds and size at a glance, sha256 for
    certain."""

    sha256: str
    size: int
    mtime: int


class RecordFiles:
    """The folder of the records. write: how bytes reach a file handle (tests hand in a full
    disk)."""

    def __init__(self, folder: Path, write: Callable[[int, bytes], None] = write_all) -> None:
        self.folder = folder
        self._write = write

    def stage(self, path: Path, record: Mapping[str, Any]) -> tuple[Path, Fingerprint]:
        """Write a record beside its place, to be put there inside the transaction that indexes it.
        Raises StorageError."""
        data = encode(record)
        temporary = stage(path, data, self._write)
        return temporary, _fingerprint(data, temporary.stat())

    def read(self, path: Path) -> tuple[dict[str, Any], Fingerprint]:
        """A record and its fingerprint.

        Raises FileNotFoundError when there is no file, RecordDamaged when it is not a record.
        """
        try:
            data = path.read_bytes()
            status = path.stat()
        except FileNotFoundError:
            raise
        except OSError as error:
            raise RecordDamaged(
                f"The record {path.name} cannot be read ({error.strerror or error})."
            ) from error
        return decode(path, data), _fingerprint(data, status)

    def state(self, path: Path, indexed: str = "") -> ResearchState:
        """The research of a record file. indexed: see `to_state`. Raises FileNotFoundError,
        RecordDamaged."""
        record, fingerprint = self.read(path)
        return self.to_state(path, record, trusted=fingerprint.sha256 == indexed)

    def to_state(
        self, path: Path, record: Mapping[str, Any], *, trusted: bool = False
    ) -> ResearchState:
        """The research of a record. Raises RecordDamaged when its parts have the wrong form.

        trusted: it is the one that was indexed, so its types were looked at then.
        """
        try:
            state = ResearchState.from_dict(record)
            if not trusted:
                check_types(state)
            return state
        except Refused as error:
            raise RecordDamaged(f"The record {path.name} is damaged: {error}") from error
        except (TypeError, ValueError, KeyError, AttributeError, RecursionError) as error:
            raise RecordDamaged(f"The record {path.name} is damaged: {error}.") from error

    def remove(self, path: Path) -> None:
        """Delete a record, durably; one that is gone already is fine."""
        try:
            path.unlink(missing_ok=True)
            sync(path.parent)
        except OSError as error:
            raise fault(path, error) from error

    def scan(self) -> Iterator[tuple[Path, int, int]]:
        """Every record file with its size and mtime."""
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if (
                        entry.name.endswith(".json")
                        and not entry.name.startswith(".")
                        and entry.is_file()
                    ):
                        status = entry.stat()
                        yield Path(entry.path), status.st_size, status.st_mtime_ns
        except FileNotFoundError:
            return
        except OSError as error:
            raise fault(self.folder / "records", error) from error


def _fingerprint(data: bytes, status: os.stat_result) -> Fingerprint:
    return Fingerprint(hashlib.sha256(data).hexdigest(), status.st_size, status.st_mtime_ns)


def encode(record: Mapping[str, Any]) -> bytes:
    """A record as the bytes of its file: UTF-8, lone surrogates replaced (they have no UTF-8
    form)."""
    try:
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        raise StorageError(f"This report cannot be written as a record: {error}.") from error
    return (text + "\n").encode("utf-8", "replace")


def decode(path: Path, data: bytes) -> dict[str, Any]:
    """The record of a file's bytes. Raises RecordDamaged."""
    try:
        record = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RecordDamaged(
            f"The record {path.name} is damaged: it is not complete JSON."
        ) from error
    if not isinstance(record, dict) or not isinstance(record.get("research_id"), str):
        raise RecordDamaged(f"The file {path.name} is not the record of a report.")
    return record
