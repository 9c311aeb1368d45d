"""A large file downloaded to the disk: piece by piece, with progress, and resumed where an earlier
attempt ended.

What has come stays in `part` when the connection breaks, the program is killed or the disk is full;
beside it stands which version of the file it is a part of (`part`.json), so that the rest of
another version is never put behind it.
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
from tools.net.request import Request

ATTEMPTS = 5  # in a row that bring nothing new
SECONDS = 6 * 3600.0  # one request
SPARE = 50_000_000  # bytes that stay free on the disk
_STEP = 250_000  # bytes between two reports of progress

Progress = Callable[[int, int | None], object]  # bytes that are there, bytes in all


@dataclass(frozen=True, slots=True)
class FileRequest:
    """url: where the file is. part: where it is put. size: its bytes, None when unknown.

    largest: bytes it may have. room: bytes that are needed on the disk besides. allow_private: the
    user named the address, which may be one of his own network.
    """

    url: str
    part: Path
    size: int | None = None
    largest: int = 20_000_000_000
    room: int = 0
    allow_private: bool = False


class _Stale(Lost):
    """The other side answered with another part of the file than the one that was asked for."""


def download(http: Http, request: FileRequest, progress: Progress) -> None:
    """Fetch a file; `part` is whole then, and nothing is asked when it is already.

    Raises SourceError, StorageError, Cancelled; `part` is kept for the next time.
    """
    failures = 0
    with _opened(request.part) as file:
        while True:
            before = os.fstat(file.fileno()).st_size
            try:
                return _attempt(http, request, file, progress)
            except Lost as error:
                if isinstance(error, _Stale):
                    _note(request.part, {})
                failures = 0 if os.fstat(file.fileno()).st_size > before else failures + 1
                if failures >= ATTEMPTS:
                    raise
            http.wait(http.settings.backoff * 2**failures)


def discard(part: Path) -> None:
    """Forget an unfinished download."""
    part.unlink(missing_ok=True)
    _state_file(part).unlink(missing_ok=True)


def _attempt(http: Http, request: FileRequest, file: IO[bytes], progress: Progress) -> None:
    state, start = _state(request), os.fstat(file.fileno()).st_size
    if state and start == state.get("total"):
        progress(start, start)
        return
    headers = {"Accept-Encoding": "identity"}
    if state and start:
        headers |= {"Range": f"bytes={start}-", "If-Range": state["version"]}

    def receive(status: int, answer_headers: Mapping[str, str], pieces: Iterable[bytes]) -> None:
        begin = _begin(status, answer_headers, start)
        total = _total(answer_headers, begin)
        _check(request, answer_headers, total, begin)
        _note(
            request.part,
            {
                "url": request.url,
                "version": _version(answer_headers),
                "total": total or request.size,
            },
        )
        _write(file, begin, pieces, lambda size: report(size, total))

    def report(size: int, total: int | None) -> None:
        http.check()
        if size > (limit := request.size or request.largest):
            raise too_large(limit)
        progress(size, total or request.size)

    answer = http.get(
        Request(
            request.url, headers=headers, deadline=http.clock() + SECONDS,
            guard=not request.allow_private, interval=0.0, receive=receive,
        )
    )  # fmt: skip
    if answer.status == 416:
        raise _Stale("there is nothing behind the part that is here")
    if answer.status not in (200, 206):
        raise SourceError(f"its address answered with status {answer.status}")
    if request.size and os.fstat(file.fileno()).st_size < request.size:
        raise Lost("the answer was cut off")


def _begin(status: int, answer_headers: Mapping[str, str], start: int) -> int:
    """At which byte of the file an answer begins."""
    if status == 200:
        return 0
    if not answer_headers.get("content-range", "").replace(" ", "").startswith(f"bytes{start}-"):
        raise _Stale("another part of the file came than the one that was asked for")
    return start


def _total(answer_headers: Mapping[str, str], begin: int) -> int | None:
    length = answer_headers.get("content-length", "")
    return begin + int(length) if length.isdecimal() else None


def _check(
    request: FileRequest, answer_headers: Mapping[str, str], total: int | None, begin: int
) -> None:
    """Refuse what cannot be the file before anything of it is read."""
    if (
        answer_headers.get("content-type", "")
        .lower()
        .startswith(("text/html", "application/xhtml"))
    ):
        raise SourceError("its address answered with a web page, not with a file")
    if answer_headers.get("content-encoding", "identity") not in ("", "identity"):
        raise SourceError("it came packed in a way that was not asked for")
    if request.size and total and total != request.size:
        raise SourceError(
            f"its address offers a file of {total} bytes where one of {request.size} is expected"
        )
    if (total or 0) > request.largest:
        raise too_large(request.largest)
    _check_space(request, (total or request.size or 0) - begin + request.room + SPARE)


def _check_space(request: FileRequest, size: int) -> None:
    if (free := shutil.disk_usage(request.part.parent).free) < size:
        raise StorageError(
            f"There is too little space in {request.part.parent}: {size / 1e6:.0f} MB are needed "
            f"and {free / 1e6:.0f} MB are free. Free some, and begin again."
        )


def _write(
    file: IO[bytes], begin: int, pieces: Iterable[bytes], report: Callable[[int], object]
) -> None:
    size = reported = begin
    try:
        if os.fstat(file.fileno()).st_size != begin:
            file.truncate(begin)
        file.seek(begin)
        try:
            for piece in pieces:
                file.write(piece)
                size += len(piece)
                if size - reported >= _STEP:
                    report(size)
                    reported = size
        finally:
            file.flush()
        report(size)
    except OSError as error:  # of the disk; those of the network are Lost already
        raise _disk_fault(Path(file.name), error) from error


def _version(answer_headers: Mapping[str, str]) -> str:
    """What names the version of a file in If-Range: a strong ETag or else its date; "" when there
    is neither."""
    etag = answer_headers.get("etag", "")
    return etag if etag.startswith('"') else answer_headers.get("last-modified", "")


def _state(request: FileRequest) -> dict[str, Any]:
    """What the part on the disk is a part of; {} when it cannot be resumed."""
    try:
        state = json.loads(_state_file(request.part).read_text("utf-8"))
        is_whole = request.part.stat().st_size == state["total"]
        usable = state["url"] == request.url and (state["version"] or is_whole)
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return state if usable else {}


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
        return StorageError(
            f"The disk that holds {part.parent} is full. Free some space, and begin again."
        )
    return StorageError(f"{part.parent} cannot be written: {error.strerror or error}.")
