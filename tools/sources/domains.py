"""Hosts of addresses, and whose they are. Matching is by whole labels from the right, never by
substring."""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TypeVar
from urllib.parse import urlsplit

V = TypeVar("V")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.I)
_HOST = re.compile(r"^[\w.-]{1,253}$")
_ADDRESS = re.compile(r"^\d{1,3}(\.\d{1,3}){3}$")
_LABELS = 8  # a rule has at most five labels; hostile hosts have hundreds


def host_of(url: str) -> str:
    """The host of an address in lower case, without port, user and final dot; "" when there is
    none.

    An address without a scheme ("www.gov.uk/guidance") is understood. A backslash ends the host, as
    in browsers.
    """
    text = url.strip().replace("\\", "/")
    if "://" not in text and not text.startswith("//"):
        if _SCHEME.match(text) and not re.match(r"^[^/:]+:\d+(/|$)", text):
            return ""
        text = "//" + text
    try:
        host = (urlsplit(text).hostname or "").rstrip(".").lower()
    except ValueError:
        return ""
    return host if _HOST.match(host) else ""


@lru_cache(maxsize=4096)
def suffixes(host: str) -> tuple[str, ...]:
    """The host and each of its parents, longest first: a.b.org, b.org, org. None for addresses in
    numbers."""
    labels = host.split(".")[-_LABELS:]
    if len(labels) < 2 or not all(labels) or _ADDRESS.match(host):
        return ()
    return tuple(".".join(labels[start:]) for start in range(len(labels)))


def longest(host: str, table: Mapping[str, V]) -> V | None:
    """The entry of `table` for the host itself or its nearest parent."""
    return next((table[suffix] for suffix in suffixes(host) if suffix in table), None)


@lru_cache(maxsize=4096)
def registrable_domain(url_or_host: str) -> str:
    """The part of a host that somebody registered: www.bbc.co.uk -> bbc.co.uk, a.github.io ->
    a.github.io.

    The longest suffix of the public suffix list (publicsuffix.org) and one label more. Addresses
    in numbers and hosts of which no rule knows the end are returned whole.
    """
    host = host_of(url_or_host)
    if not host or "." not in host or _ADDRESS.match(host):
        return host
    rules, labels = _public_suffixes(), host.split(".")
    for start in range(max(0, len(labels) - _LABELS), len(labels)):
        suffix = ".".join(labels[start:])
        wildcard = ".".join(["*", *labels[start + 1 :]])
        if f"!{suffix}" in rules:
            return suffix
        if suffix in rules or wildcard in rules:
            return ".".join(labels[max(0, start - 1) :])
    return host


@lru_cache(maxsize=1)
def _public_suffixes() -> frozenset[str]:
    text = files("tools.data").joinpath("public_suffixes.txt").read_text("utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("//"))


def hosts_many_authors(domain: str) -> bool:
    """Whether a registrable domain hosts independent authors, so that being on it makes nobody one
    voice."""
    return any(domain == host or domain.endswith("." + host) for host in _many_authors())


@lru_cache(maxsize=1)
def _many_authors() -> frozenset[str]:
    lines = files("tools.data").joinpath("many_authors.txt").read_text("utf-8").splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))
