"""A large file fetched to the disk: piece by piece, with progress, and resumed where an earlier attempt ended.

What has come stays in `part` when the connection breaks, the program is killed or the disk is full; beside it stands
which version of the file it is a part of (`part`.json), so that the rest of another version is never put behind it.
"""

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tools.errors import SourceError, StorageError
from tools.http import Http
from tools.net.body import Lost, too_large

ATTEMPTS = 5  # in a row that bring nothing new
SECONDS = 6 * 3600.0  # one request
SPARE = 50_000_000  # bytes that stay free on the disk
_STEP = 250_000  # bytes between two reports of progress

Progress = Callable[[int, int | None], object]  # bytes that are there, bytes in all


@dataclass(frozen=True, slots=True)
class Wanted:
    """url: where the file is. part: where it is put. size: its bytes, None when nobody said.

    largest: bytes it may have. room: bytes that are needed on the disk besides. own: the user named the address, which
    may be one of his own network.
    """

    url: str
    part: Path
    size: int | None = None
    largest: int = 20_000_000_000
    room: int = 0
    own: bool = False


class _Stale(Lost):
    """The other side answered with another part of the file than the one that was asked for."""


def download(http: Http, wanted: Wanted, progress: Progress) -> None:
    """Fetch a file; `part` is whole then, and nothing is asked when it is already.

    Raises SourceError, StorageError, Cancelled; `part` is kept for the next time.
    """
    failures = 0
    with _opened(wanted.part) as file:
        while True:
            before = os.fstat(file.fileno()).st_size
            try:
                return _attempt(http, wanted, file, progress)
            except Lost as error:
                if isinstance(error, _Stale):
                    _note(wanted.part, {})
                failures = 0 if os.fstat(file.fileno()).st_size > before else failures + 1
                if failures >= ATTEMPTS:
                    raise
            http.wait(http.settings.backoff * 2**failures)


def discard(part: Path) -> None:
    """Forget an unfinished download."""
    part.unlink(missing_ok=True)
    _state_file(part).unlink(missing_ok=True)


def _attempt(http: Http, wanted: Wanted, file: IO[bytes], progress: Progress) -> None:
    state, start = _state(wanted), os.fstat(file.fileno()).st_size
    if state and start == state.get("total"):
        progress(start, start)
        return
    headers = {"Accept-Encoding": "identity"}
    if state and start:
        headers |= {"Range": f"bytes={start}-", "If-Range": state["version"]}

    def receive(status: int, answered: Mapping[str, str], pieces: Iterable[bytes]) -> None:
        begin = _begin(status, answered, start)
        total = _total(answered, begin)
        _check(wanted, answered, total, begin)
        _note(wanted.part, {"url": wanted.url, "version": _version(answered), "total": total or wanted.size})
        _write(file, begin, pieces, lambda done: report(done, total))

    def report(done: int, total: int | None) -> None:
        http.check()
        if done > (limit := wanted.size or wanted.largest):
            raise too_large(limit)
        progress(done, total or wanted.size)

    answer = http.get(
        wanted.url, headers=headers, ttl=None, deadline=http.clock() + SECONDS, guard=not wanted.own, interval=0.0,
        receive=receive,
    )  # fmt: skip
    if answer.status == 416:
        raise _Stale("there is nothing behind the part that is here")
    if answer.status not in (200, 206):
        raise SourceError(f"its address answered with status {answer.status}")
    if wanted.size and os.fstat(file.fileno()).st_size < wanted.size:
        raise Lost("the answer was cut off")


def _begin(status: int, answered: Mapping[str, str], start: int) -> int:
    """At which byte of the file an answer begins."""
    if status == 200:
        return 0
    if not answered.get("content-range", "").replace(" ", "").startswith(f"bytes{start}-"):
        raise _Stale("another part of the file came than the one that was asked for")
    return start


def _total(answered: Mapping[str, str], begin: int) -> int | None:
    length = answered.get("content-length", "")
    return begin + int(length) if length.isdecimal() else None


def _check(wanted: Wanted, answered: Mapping[str, str], total: int | None, begin: int) -> None:
    """Refuse what cannot be the file before it is fetched."""
    if answered.get("content-type", "").lower().startswith(("text/html", "application/xhtml")):
        raise SourceError("its address answered with a web page, not with a file")
    if answered.get("content-encoding", "identity") not in ("", "identity"):
        raise SourceError("it came packed in a way that was not asked for")
    if wanted.size and total and total != wanted.size:
        raise SourceError(f"its address offers a file of {total} bytes where one of {wanted.size} is expected")
    if (total or 0) > wanted.largest:
        raise too_large(wanted.largest)
    needed = (total or wanted.size or 0) - begin + wanted.room + SPARE
    if (free := shutil.disk_usage(wanted.part.parent).free) < needed:
        raise StorageError(
            f"There is too little space in {wanted.part.parent}: {needed / 1e6:.0f} MB are needed and "
            f"{free / 1e6:.0f} MB are free. Free some, and begin again."
        )


def _write(file: IO[bytes], begin: int, pieces: Iterable[bytes], report: Callable[[int], object]) -> None:
    done = reported = begin
    try:
        if os.fstat(file.fileno()).st_size != begin:
            file.truncate(begin)
        file.seek(begin)
        try:
            for piece in pieces:
                file.write(piece)
                done += len(piece)
                if done - reported >= _STEP:
                    report(done)
                    reported = done
        finally:
            file.flush()
        report(done)
    except OSError as error:  # of the disk; those of the network are Lost already
        raise _disk_fault(Path(file.name), error) from error


def _version(answered: Mapping[str, str]) -> str:
    """What names the version of a file in If-Range: a strong ETag or else its date; "" when there is neither."""
    etag = answered.get("etag", "")
    return etag if etag.startswith('"') else answered.get("last-modified", "")


def _state(wanted: Wanted) -> dict[str, Any]:
    """What the part on the disk is a part of; {} when it cannot be resumed."""
    try:
        state = json.loads(_state_file(wanted.part).read_text("utf-8"))
        usable = state["url"] == wanted.url and (state["version"] or state["total"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    if not usable:
        return {}
    return state if state["version"] or wanted.part.stat().st_size == state["total"] else {}


def _note(part: Path, state: Mapping[str, Any]) -> None:
    try:
        _state_file(part).write_text(json.dumps(state), "utf-8")
    except OSError as error:
        raise _disk_fault(part, error) from error


def _state_file(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _opened(part: Path) -> IO[bytes]:
    try:
        part.touch(mode=0o600)
        return part.open("r+b")
    except OSError as error:
        raise _disk_fault(part, error) from error


def _disk_fault(part: Path, error: OSError) -> StorageError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageError(f"The disk that holds {part.parent} is full. Free some space, and begin again.")
    return StorageError(f"{part.parent} cannot be written: {error.strerror or error}.")
