"""A route of the stand-in server that serves one file the way file servers do: ranges, ETag, broken
connections."""

from collections.abc import Callable

from benchmarks.standin import Asked, Reply

BINARY = "application/octet-stream"
ETAG = '"one"'


def file_route(
    data: bytes, *, etag: str = ETAG, ranges: bool = True, cuts: tuple[int, ...] = ()
) -> Callable[[Asked], Reply]:
    """cuts: after how many bytes the first answers break off, one each. ranges: False for a server
    without Range."""
    left = list(cuts)

    def reply(request: Asked) -> Reply:
        start, headers = 0, {"ETag": etag} if etag else {}
        byte_range = request.headers.get("range", "")
        if ranges and byte_range.startswith("bytes=") and request.headers.get("if-range") == etag:
            start = int(byte_range.removeprefix("bytes=").rstrip("-"))
            if start >= len(data):
                return Reply(b"", 416)
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        cut = left.pop(0) if left else None
        return Reply(data[start:], 206 if start else 200, headers, BINARY, cut=cut)

    return reply
