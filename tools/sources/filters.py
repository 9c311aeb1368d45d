"""Limits of a run; apart from what asks the sources, since every command loads them."""

from dataclasses import dataclass


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
