"""What travels between the parse pool and its child processes: framed JSON and bytes, never
pickles.

A child has read hostile bytes and may be under their control: whatever it sends is checked and can
at worst be a wrong text. Frame: 4 bytes header length, 8 bytes body length (big endian), header
(JSON), body.
"""

import json
import socket
import struct
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tools.documents.blocks import decode_blocks, encode_blocks
from tools.documents.model import Entry, Extracted, Link, Page, Section

_FRAME = struct.Struct(">IQ")
MAX_HEADER = 64 * 1024 * 1024


class Closed(Exception):
    """The other side went away, or did not speak in time (`late`)."""

    def __init__(self, late: bool = False) -> None:
        super().__init__("too late" if late else "closed")
        self.late = late


def send(
    sock: socket.socket, header: Mapping[str, Any], body: bytes = b"", deadline: float | None = None
) -> None:
    """Sends one frame; Closed when the other side is gone or `deadline` (monotonic seconds) is
    over."""
    encoded = json.dumps(header).encode("ascii")
    for part in (_FRAME.pack(len(encoded), len(body)) + encoded, body):
        with _in_time(sock, deadline):
            sock.sendall(part)


def receive(
    sock: socket.socket, max_body: int, deadline: float | None = None
) -> tuple[dict[str, Any], bytearray]:
    """Receives one frame; Closed when it does not come, comes too late, or is larger than
    allowed."""
    header_size, body_size = _FRAME.unpack(_exactly(sock, _FRAME.size, deadline))
    if header_size > MAX_HEADER or body_size > max_body:
        raise Closed
    try:
        header = json.loads(_exactly(sock, header_size, deadline))
    except (ValueError, RecursionError):
        raise Closed from None
    if not isinstance(header, dict):
        raise Closed
    return header, _exactly(sock, body_size, deadline)


def split(body: bytes | bytearray, sizes: Iterable[int]) -> list[bytes]:
    """The parts of a body, by their sizes; ValueError when they are not all of it."""
    parts, at = [], 0
    for size in sizes:
        parts.append(bytes(memoryview(body)[at : at + size]))
        at += size
    if at != len(body) or any(len(part) != size for part, size in zip(parts, sizes, strict=True)):
        raise ValueError("the parts of a message are not its body")
    return parts


def to_header(extracted: Extracted) -> dict[str, Any]:
    """An extraction without its text, as JSON values."""
    return {
        "media_type": extracted.media_type,
        "extractor": extracted.extractor,
        "title": extracted.title,
        "sections": [
            [s.section_id, s.title, s.level, s.start, s.end, s.kind] for s in extracted.sections
        ],
        "pages": [[p.page, p.start] for p in extracted.pages],
        "links": [[link.url, link.text] for link in extracted.links],
        "entries": [[e.title, e.url, dict(e.fields)] for e in extracted.entries],
        "metadata": dict(extracted.metadata),
        "references": [[e.title, e.url, dict(e.fields)] for e in extracted.references],
        "blocks": encode_blocks(extracted.blocks),
    }


def from_header(header: Mapping[str, Any], body: bytes) -> Extracted:
    """The extraction of a frame; ValueError, TypeError, KeyError, AttributeError or OverflowError
    for other shapes."""
    text = body.decode("utf-8")
    spans = [
        Section(str(i), str(t), int(lv), int(a), int(z), str(k))
        for i, t, lv, a, z, k in header["sections"]
    ]
    pages = [Page(int(number), int(start)) for number, start in header["pages"]]
    if any(not 0 <= s.start <= s.end <= len(text) for s in spans) or any(
        not 0 <= p.start <= len(text) for p in pages
    ):
        raise ValueError("a span lies outside the text")
    return Extracted(
        text=text,
        media_type=str(header["media_type"]),
        extractor=str(header["extractor"]),
        title=str(header["title"]),
        sections=tuple(spans),
        pages=tuple(pages),
        links=tuple(Link(str(url), str(label)) for url, label in header["links"]),
        entries=_entries(header["entries"]),
        metadata=dict(header["metadata"]),
        references=_entries(header["references"]),
        blocks=decode_blocks(text, header["blocks"]),
    )


def _entries(rows: Iterable[Any]) -> tuple[Entry, ...]:
    return tuple(Entry(str(title), str(url), _fields(fields)) for title, url, fields in rows)


def _fields(fields: Mapping[str, Any]) -> dict[str, object]:
    """JSON has no tuples; the fields of a source are tuples."""
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()
    }


def _exactly(sock: socket.socket, size: int, deadline: float | None) -> bytearray:
    data = bytearray(size)
    view, at = memoryview(data), 0
    while at < size:
        with _in_time(sock, deadline):
            count = sock.recv_into(view[at:])
        if not count:
            raise Closed
        at += count
    view.release()
    return data


@contextmanager
def _in_time(sock: socket.socket, deadline: float | None) -> Iterator[None]:
    """Lets the next call on the socket end by the deadline; its faults are Closed."""
    try:
        if deadline is not None:
            # 0 would mean: do not wait at all
            sock.settimeout(max(deadline - time.monotonic(), 1e-6))
        yield
    except TimeoutError:
        raise Closed(late=True) from None
    except OSError:
        raise Closed from None
