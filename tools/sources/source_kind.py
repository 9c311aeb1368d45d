"""Kinds of sources and the limits of a run; apart from `Source`, because commands that search
nothing read them too."""

from dataclasses import dataclass
from enum import StrEnum


class SourceKind(StrEnum):
    """Where a source comes from. SUPPORT: only of clients, which are asked about works and never
    searched."""

    ACADEMIC = "academic"
    WEB = "web"
    NEWSROOM = "newsroom"
    LOCAL = "local"
    SUPPORT = "support"


# What may be searched, as plain texts: they are written to records and settings
SOURCE_TYPES = tuple(kind.value for kind in SourceKind if kind is not SourceKind.SUPPORT)


@dataclass(frozen=True, slots=True)
class Filters:
    """since, until: ISO dates. urls are read first and stay in the pool. The default filters
    nothing."""

    since: str | None = None
    until: str | None = None
    sites: tuple[str, ...] = ()
    exclude_sites: tuple[str, ...] = ()
    lang: str | None = None
    urls: tuple[str, ...] = ()
