"""The SSRF guard: which addresses may be asked, decided on the resolved address, which is then the
one connected to.

Names are never trusted: they are resolved once, every answer is checked, and the connection goes to
a checked address (transport.py), so a name that changes its answer between check and use gains
nothing.
"""

import ipaddress
import re
import socket
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from urllib.parse import urlsplit

from tools.errors import FailureReason, SourceError

PORTS = frozenset((80, 443, 8080, 8443))
DEFAULT_PORTS = {"http": 80, "https": 443}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolver = Callable[[str, int], Sequence[str]]  # (host, port) -> addresses as text

# IANA special-purpose registries (RFC 6890 and later), and one public address that cloud machines
# answer from.
_CLOSED_4 = tuple(
    map(
        ipaddress.IPv4Network,
        """0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
        192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
        224.0.0.0/4 240.0.0.0/4 168.63.129.16/32""".split(),
    )
)
# IPv6: only global unicast is open, and of it not these.
_OPEN_6 = ipaddress.IPv6Network("2000::/3")
_CLOSED_6 = tuple(
    map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))
)
# Wraps an IPv4 address; networks without IPv4 answer with these
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")

# Where clouds answer their machines, keys included: link-local addresses, and a few others by their
# fame
_METADATA = (
    ipaddress.ip_network("169.254.0.0/16"), ipaddress.ip_network("fe80::/10"),
    *map(ipaddress.ip_network, ("168.63.129.16", "100.100.100.200", "fd00:ec2::254")),
)  # fmt: skip

# Anything inet_aton of some platform would take for an address: 2130706433, 0x7f.1, 0177.0.0.1,
# 127.1
_ODD_NUMBER = re.compile(r"^(?:0x[0-9a-f]*|\d+)(?:\.(?:0x[0-9a-f]*|\d+)){0,3}\.?$", re.I)
_NAME = re.compile(
    r"^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_\-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_\-]{0,62}))*\.?$", re.I
)


class NameUnknown(SourceError):
    """The host's name could not be resolved."""


class Closed(SourceError):
    """The address itself is one that is not asked: malformed, of another kind, or in a private
    network."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes. origin is scheme://host:port, always with the port."""

    scheme: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self._bracketed}:{self.port}"

    @property
    def place(self) -> str:
        """host:port, as `allow_fetch_hosts` lists it."""
        return f"{self._bracketed}:{self.port}"

    @property
    def netloc(self) -> str:
        """What stands in the Host header."""
        return self._bracketed if DEFAULT_PORTS[self.scheme] == self.port else self.place

    @property
    def _bracketed(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


def target_of(url: str) -> Target:
    """Scheme, host and port of an http(s) address. Raises Closed for anything else or malformed."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Closed("the address is malformed") from None
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise Closed(f"only http and https addresses are read, not {scheme or 'this one'}")
    if parts.username is not None or parts.password is not None:
        raise Closed("an address with a user name in it is not read")
    return Target(scheme, _host(host), port if port is not None else DEFAULT_PORTS[scheme])


def _host(host: str) -> str:
    if ":" in host:
        try:
            return str(ipaddress.IPv6Address(host.partition("%")[0]))
        except ValueError:
            raise Closed("the address is malformed") from None
    try:
        ascii_host = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise Closed("the address is malformed") from None
    if not _NAME.match(ascii_host):
        raise Closed("the address is malformed")
    return ascii_host.lower().rstrip(".")


def is_public(address: Address) -> bool:
    """True when the address is on the open internet; wrapped IPv4 addresses are judged by what they
    wrap."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _CLOSED_4)
    if address.ipv4_mapped:
        return is_public(address.ipv4_mapped)
    if address in _NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address in _OPEN_6 and not any(address in network for network in _CLOSED_6)


def is_metadata(address: Address) -> bool:
    """Whether clouds answer a machine with its keys at an address: any link-local one, however it
    is wrapped."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id:
            address = ipaddress.IPv6Address(str(address).partition("%")[0])
        if address in _NAT64:
            return is_metadata(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if inner := address.ipv4_mapped or address.sixtofour:
            return is_metadata(inner)
    return any(address.version == network.version and address in network for network in _METADATA)


def literal_address(host: str) -> Address | None:
    """The address that a host is written as, in the unusual forms too; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host)) if _ODD_NUMBER.match(host) else None
    except OSError:
        return None


class Guard:
    """Checks and resolves where a page may be fetched from.

    allowed: "host:port" places of the user's own, exempt from the rules on ports and private
    addresses. resolve_seconds: how long a name may take to resolve.
    """

    def __init__(
        self,
        allowed: Collection[str] = (),
        resolver: Resolver | None = None,
        resolve_seconds: float = 5.0,
    ):
        self._allowed = frozenset(place.lower() for place in allowed)
        self._resolver = resolver or system_resolver
        self._seconds = resolve_seconds

    def exempt(self, target: Target) -> bool:
        """Whether the user named this place as his own."""
        return (
            target.place in self._allowed
            or target.place.replace("[", "").replace("]", "") in self._allowed
        )

    def addresses(self, target: Target, checked: bool = True) -> list[str]:
        """The addresses to connect to, in order. Raises SourceError when there is none, Closed when
        one is not public.

        checked: False for a configured base_url, which may lie in the user's own network.
        """
        if not checked or self.exempt(target):
            return self._resolve(target)
        if target.port not in PORTS:
            raise Closed(f"port {target.port} is not read")
        if _ODD_NUMBER.match(target.host) and not _plain_ipv4(target.host):
            raise Closed("the address is written as a number in an unusual form and is not read")
        resolved = self._resolve(target)
        if not all(is_public(ipaddress.ip_address(address)) for address in resolved):
            raise Closed("the address leads into a private network and is not read")
        return resolved

    def _resolve(self, target: Target) -> list[str]:
        if _plain_ipv4(target.host) or ":" in target.host:
            return [target.host]
        answers = _within(self._seconds, lambda: self._resolver(target.host, target.port))
        unique = list(dict.fromkeys(address.partition("%")[0] for address in answers))
        if not unique:
            raise NameUnknown("the name is not known")
        try:
            return [str(ipaddress.ip_address(address)) for address in unique]
        except ValueError:
            raise SourceError("its name leads nowhere") from None


def system_resolver(host: str, port: int) -> list[str]:
    """The addresses the system knows for a name. Raises OSError."""
    return [
        str(address[4][0]) for address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    ]


def _within(seconds: float, resolve: Callable[[], Sequence[str]]) -> Sequence[str]:
    """Run a name look-up with a limit: getaddrinfo itself has none, and half a minute is common
    when it fails."""
    answers: Future[Sequence[str]] = Future()

    def work() -> None:
        try:
            answers.set_result(resolve())
        except (OSError, UnicodeError) as error:
            answers.set_exception(error)

    threading.Thread(target=work, daemon=True, name="resolve").start()
    try:
        return answers.result(seconds)
    except TimeoutError:
        raise NameUnknown("its name could not be looked up in time") from None
    except (OSError, UnicodeError):
        raise NameUnknown(
            "the name is not known (or there is no network)", FailureReason.UNREACHABLE
        ) from None


def _plain_ipv4(host: str) -> bool:
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        return False
    return True
