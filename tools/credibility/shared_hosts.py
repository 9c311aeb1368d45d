"""Hosts where many independent authors publish; listed in tools/data/many_authors.txt."""

from functools import lru_cache
from pathlib import Path

_LIST = Path(__file__).resolve().parent.parent / "data" / "many_authors.txt"


def hosts_many_authors(domain: str) -> bool:
    """Whether a registrable domain hosts independent authors, so that being on it makes nobody one
    voice."""
    return any(domain == host or domain.endswith("." + host) for host in _hosts())


@lru_cache(maxsize=1)
def _hosts() -> frozenset[str]:
    lines = _LIST.read_text(encoding="utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))
