"""What a parser is given."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """Bytes from outside with the hints that came along.

    media_type: as declared, with parameters ("text/html; charset=latin-1"). url: base of relative
    links.
    """

    data: bytes
    name: str = ""
    media_type: str | None = None
    url: str = ""
