"""Large files: progress, resuming after a broken connection or a kill, and every server that does
it wrong."""

import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.standin import Asked, Reply, Standin
from tests.file_server import BINARY, file_route
from tools.errors import Cancelled, SourceError, StorageError
from tools.http import Http
from tools.net.download import ATTEMPTS, FileRequest, discard, download

DATA = bytes(range(256)) * 4000  # a megabyte


def nothing(done: int, total: int | None) -> None:
    """No progress."""


def request_of(url: str, folder: Path, **more: Any) -> FileRequest:
    return FileRequest(url, folder / ".part", allow_private=True, **more)


def ranges_of(server: Standin) -> list[str]:
    return [request.headers.get("range", "") for request in server.requests]


def test_a_file_comes_whole_with_progress(http: Http, server: Standin, tmp_path: Path) -> None:
    request = request_of(server.on("/m", file_route(DATA)), tmp_path, size=len(DATA))
    reports: list[tuple[int, int | None]] = []
    download(http, request, lambda done, total: reports.append((done, total)))
    assert request.part.read_bytes() == DATA and request.part.stat().st_mode & 0o077 == 0
    assert reports == sorted(reports) and len(reports) > 3 and reports[-1] == (len(DATA), len(DATA))
    download(http, request, nothing)  # it is there
    assert len(server.requests) == 1
    discard(request.part)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".part")] == []


def test_a_connection_that_breaks_is_resumed_at_once(
    http: Http, server: Standin, tmp_path: Path
) -> None:
    request = request_of(server.on("/m", file_route(DATA, cuts=(300_000, 200_000, 0))), tmp_path)
    download(http, request, nothing)
    assert request.part.read_bytes() == DATA
    assert ranges_of(server) == ["", "bytes=300000-", "bytes=500000-", "bytes=500000-"]
    assert all(request.headers["accept-encoding"] == "identity" for request in server.requests)


def test_an_interrupted_download_goes_on_later(http: Http, server: Standin, tmp_path: Path) -> None:
    request = request_of(server.on("/m", file_route(DATA)), tmp_path)

    def stop(done: int, total: int | None) -> None:
        raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        download(http, request, stop)
    size = request.part.stat().st_size
    assert 0 < size < len(DATA)
    download(http, request, nothing)
    assert request.part.read_bytes() == DATA and ranges_of(server)[1] == f"bytes={size}-"


def half(request: FileRequest, http: Http, server: Standin, path: str) -> None:
    """Leave half of the file behind, as a kill would."""
    server.on(path, file_route(DATA, cuts=(500_000,) + (0,) * ATTEMPTS))
    with pytest.raises(SourceError, match="cut off"):
        download(http, request, nothing)
    assert request.part.read_bytes() == DATA[:500_000]


def other_version(data: bytes) -> Callable[[Asked], Reply]:
    return file_route(data, etag='"two"')


def wrong_range(data: bytes) -> Callable[[Asked], Reply]:
    """A server that sends another part than the one that was asked for."""

    def reply(request: Asked) -> Reply:
        if "range" not in request.headers:
            return Reply(data, 200, {"ETag": '"one"'}, BINARY)
        return Reply(
            data[7:], 206, {"Content-Range": f"bytes 7-{len(data) - 1}/{len(data)}"}, BINARY
        )

    return reply


def never_satisfied(data: bytes) -> Callable[[Asked], Reply]:
    return lambda request: (
        Reply(b"", 416) if "range" in request.headers else Reply(data, media_type=BINARY)
    )


@pytest.mark.lab
@pytest.mark.parametrize(
    "serve",
    [lambda data: file_route(data, ranges=False), other_version, wrong_range, never_satisfied],
)
def test_what_cannot_be_resumed_begins_again(
    http: Http, server: Standin, tmp_path: Path, serve: Callable[[bytes], Callable[[Asked], Reply]]
) -> None:
    request = request_of(server.url + "/m", tmp_path)
    half(request, http, server, "/m")
    newer = DATA[::-1]
    server.on("/m", serve(newer))
    download(http, request, nothing)
    assert request.part.read_bytes() == newer


@pytest.mark.parametrize("etag", ["", 'W/"weak"'])
def test_a_part_of_a_version_without_a_name_is_not_continued(
    http: Http, server: Standin, tmp_path: Path, etag: str
) -> None:
    request = request_of(server.on("/m", file_route(DATA, etag=etag, cuts=(500_000,))), tmp_path)
    download(http, request, nothing)
    assert request.part.read_bytes() == DATA and ranges_of(server) == ["", ""]


def test_a_part_of_another_address_is_not_continued(
    http: Http, server: Standin, tmp_path: Path
) -> None:
    half(request_of(server.url + "/m", tmp_path), http, server, "/m")
    request = request_of(server.on("/other", file_route(b"x" * 900_000)), tmp_path)
    download(http, request, nothing)
    assert request.part.read_bytes() == b"x" * 900_000 and ranges_of(server)[-1] == ""


def test_a_damaged_note_on_the_part_begins_again(
    http: Http, server: Standin, tmp_path: Path
) -> None:
    request = request_of(server.url + "/m", tmp_path)
    half(request, http, server, "/m")
    (tmp_path / ".part.json").write_text("[1")
    server.on("/m", file_route(DATA))
    download(http, request, nothing)
    assert request.part.read_bytes() == DATA and ranges_of(server)[-1] == ""


def test_a_redirect_is_followed_with_its_range(http: Http, server: Standin, tmp_path: Path) -> None:
    server.on("/far", file_route(DATA, cuts=(400_000,)))
    request = FileRequest(
        server.on("/m", Reply(b"", 302, {"Location": "/far"})), tmp_path / ".part"
    )
    download(http, request, nothing)
    assert request.part.read_bytes() == DATA
    assert [
        request.headers.get("range") for request in server.requests if request.path == "/far"
    ] == [
        None,
        "bytes=400000-",
    ]


@pytest.mark.parametrize(
    ("reply", "size", "problem"),
    [
        (Reply(b"<html>sign in</html>"), None, "a web page"),
        (Reply(b"", 404), None, "status 404"),
        (Reply(b"x" * 10, media_type=BINARY), 20, "a file of 10 bytes where one of 20 is expected"),
        (Reply(b"x" * 30, media_type=BINARY, chunked=True), 20, "larger than"),
        (Reply(b"x" * 10, media_type=BINARY, chunked=True), 20, "cut off"),
        (Reply(b"x" * 10, media_type=BINARY, headers={"Content-Encoding": "gzip"}), None, "packed"),
        (Reply(b"x" * 10, media_type=BINARY, length=10**12), None, "larger than"),
    ],
)
def test_what_is_not_the_file_is_refused(
    http: Http, server: Standin, tmp_path: Path, reply: Reply, size: int | None, problem: str
) -> None:
    request = request_of(server.on("/m", reply), tmp_path, size=size)
    with pytest.raises(SourceError, match=problem):
        download(http, request, nothing)


def test_a_private_address_is_asked_only_when_the_user_named_it(
    open_http: Callable[..., Http], server: Standin, tmp_path: Path
) -> None:
    http = open_http(allow_fetch_hosts=())
    request = FileRequest(server.on("/m", file_route(DATA)), tmp_path / ".part")
    with pytest.raises(SourceError, match=r"private network|is not read"):
        download(http, request, nothing)
    assert server.requests == []


def test_too_little_space_is_said_before_anything_is_written(
    http: Http, server: Standin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = request_of(server.on("/m", file_route(DATA)), tmp_path, room=30_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=60_000_000))
    with pytest.raises(StorageError, match="81 MB are needed and 60 MB are free"):
        download(http, request, nothing)
    assert request.part.stat().st_size == 0


def test_a_full_disk_is_a_sentence(http: Http, server: Standin, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    (tmp_path / ".part").symlink_to("/dev/full")
    with pytest.raises(StorageError, match="is full"):
        download(http, request_of(server.on("/m", file_route(DATA)), tmp_path), nothing)
