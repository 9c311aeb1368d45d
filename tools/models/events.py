"""A streamed answer cut into its events: server-sent events, or one JSON object a line."""

from collections.abc import Iterable, Iterator

_LONGEST_LINE = 4_000_000  # bytes


def data_of(pieces: Iterable[bytes]) -> Iterator[str]:
    """The data of each event, as text; `[DONE]` included. Pieces may break anywhere, also inside a
    character.

    Lines that are a JSON object by themselves (Ollama) are events too. Comments, names and ids are
    left out.
    """
    waiting: list[str] = []
    for line in _lines(pieces):
        if line.startswith("data:"):
            waiting.append(line[5:].removeprefix(" "))
        elif line.startswith("{"):
            yield line
        elif not line and waiting:
            yield "\n".join(waiting)
            waiting = []
    if waiting:
        yield "\n".join(waiting)


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for piece in pieces:
        rest += piece
        if b"\n" not in piece and b"\r" not in piece:
            if len(rest) > _LONGEST_LINE:
                raise ValueError("a line of the stream is too long")
            continue
        *whole, rest = rest.replace(b"\r\n", b"\n").split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace").rstrip("\r")
    if rest:
        yield rest.decode("utf-8", "replace").rstrip("\r")
