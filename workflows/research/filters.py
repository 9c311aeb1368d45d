"""Limits for one run; apart from the other nouns of a run, since every command loads them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Filters:
    """since / until are ISO dates; urls are read first and stay in the pool."""

    since: str | None = None
    until: str | None = None
    sites: tuple[str, ...] = ()
    exclude_sites: tuple[str, ...] = ()
    lang: str | None = None
    urls: tuple[str, ...] = ()
