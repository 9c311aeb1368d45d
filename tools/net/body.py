"""Reading an answer's body: bounded before and after decompression."""

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tools.errors import SourceError

CHUNK = 65536
ACCEPTED = "gzip, deflate"  # brotli is not asked for: Python cannot read it by itself
_MOST_LAYERS = 3


class Lost(SourceError):
    """The connection failed or broke off: worth another attempt."""


class Unreachable(Lost):
    """No connection at all: the whole host is to be left alone for a while, not only this page."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one exchange: seconds to connect, between bytes, and in all; `largest` gives bytes
    by media type."""

    connect: float
    read: float
    total: float
    largest: Callable[[str], int]


def read_body(chunks: Iterable[bytes], headers: Mapping[str, str], limit: int) -> bytes:
    """The decoded body. headers: names in lower case.

    Raises SourceError when it grows above `limit` bytes, packed or unpacked, is cut off, or cannot
    be unpacked.
    """
    announced = headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise too_large(limit)
    layers = [layer.strip().lower() for layer in headers.get("content-encoding", "").split(",")]
    layers = [layer for layer in layers if layer not in ("", "identity")]
    if len(layers) > _MOST_LAYERS:
        raise SourceError("the answer is packed too many times")
    for layer in reversed(layers):
        chunks = _unpacked(chunks, layer, limit)
    return b"".join(_bounded(chunks, limit))


def too_large(limit: int) -> SourceError:
    return SourceError(f"the answer is larger than {limit / 1_000_000:g} MB")


def _bounded(chunks: Iterable[bytes], limit: int) -> Iterable[bytes]:
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > limit:
            raise too_large(limit)
        yield chunk


def _unpacked(chunks: Iterable[bytes], layer: str, limit: int) -> Iterable[bytes]:
    if layer not in ("gzip", "x-gzip", "deflate"):
        raise SourceError(f"the answer is packed in a way that was not asked for ({layer[:20]})")
    unpacker: _Unpacker | None = None
    for chunk in _bounded(chunks, limit):
        if unpacker is None and chunk:
            unpacker = _Unpacker(layer, chunk)
        if unpacker is not None:
            yield from unpacker.feed(chunk)
    if unpacker is not None and not unpacker.finished:
        raise Lost("the answer was cut off")


class _Unpacker:
    """zlib in bounded steps: one chunk never makes more than CHUNK bytes before the reader can say
    stop."""

    def __init__(self, layer: str, first: bytes) -> None:
        # "deflate" means zlib by the standard and raw deflate by some servers
        raw = layer == "deflate" and (first[0] & 0x0F) != 8
        self._bits = -zlib.MAX_WBITS if raw else zlib.MAX_WBITS + (16 if layer != "deflate" else 0)
        self._zlib = zlib.decompressobj(self._bits)

    @property
    def finished(self) -> bool:
        return self._zlib.eof

    def feed(self, chunk: bytes) -> Iterable[bytes]:
        while chunk:
            if self._zlib.eof:
                if not chunk.startswith(b"\x1f\x8b"):
                    return  # padding after the end
                self._zlib = zlib.decompressobj(self._bits)  # gzip files may be joined
            try:
                out = self._zlib.decompress(chunk, CHUNK)
            except zlib.error:
                raise SourceError("the answer could not be unpacked") from None
            if out:
                yield out
            chunk = self._zlib.unconsumed_tail or self._zlib.unused_data
            if not out and not self._zlib.eof:
                return
