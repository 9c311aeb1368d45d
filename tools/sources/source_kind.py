"""Kinds of sources; apart from `Source`, because commands that search nothing read them too."""

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
