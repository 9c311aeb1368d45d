"""Handles: `corpus://cache/<id>` names a stored text, `corpus://cache/<id>#section=<section-id>` a
part of it.

The id is the beginning of the text's sha256. No path of this machine is ever in a handle.
"""

import re
from dataclasses import dataclass

from tools.errors import NotFound, Refused

PREFIX = "corpus://cache/"
ID_LENGTH = 16
_HANDLE = re.compile(
    r"corpus://cache/([0-9a-f]{8,64})(?:#section=([\w.-]{1,200})|/([\w.-]{1,200}))?/?"
)
_LOCAL = re.compile(r"(?:file|local):|[~/\\.]|[A-Za-z]:[\\/]", re.I)


@dataclass(frozen=True, slots=True)
class Handle:
    """id: the beginning of a snapshot id, or the id of a document. section: id of a section, or
    empty."""

    id: str
    section: str = ""

    def __str__(self) -> str:
        return f"{PREFIX}{self.id}" + (f"#section={self.section}" if self.section else "")


def handle_of(snapshot_id: str, section: str | None = None) -> Handle:
    """The handle of a stored text, or of a section of it."""
    return Handle(snapshot_id[:ID_LENGTH], section or "")


def parse_handle(text: str) -> Handle:
    """A handle as it was written; the older form with the section behind a slash is read too.
    Refused for others."""
    match = _HANDLE.fullmatch(text.strip())
    if match is None:
        raise Refused(f"{text[:100]!r} is not a handle; one looks like {PREFIX}0123456789abcdef.")
    return Handle(match[1], match[2] or match[3] or "")


def is_handle(text: str) -> bool:
    return text.strip().startswith("corpus:")


def check_address(text: str) -> str:
    """An http(s) address. Refused for everything local, however it is written; NotFound for what is
    no address."""
    url = text.strip()
    if url.lower().startswith(("http://", "https://")) and len(url) < 4000:
        return url
    if _LOCAL.match(url) or "/" in url.split("?")[0].split(":")[0]:
        raise Refused(
            f"{url[:100]!r} is on this machine; give an http(s) address or a corpus:// handle."
        )
    raise NotFound(f"{url[:100]!r} is not an address; it should begin with https://.")
