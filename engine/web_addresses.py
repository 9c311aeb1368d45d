"""What counts as a web address wherever one is read, shown or exported."""

from urllib.parse import SplitResult, urlsplit

# What a server on this computer alone, or on all its addresses, is bound to
HERE = ("127.0.0.1", "::1", "localhost", "0.0.0.0", "::")  # noqa: S104 - compared, not bound


def host_name(host: str) -> str:
    """The name to open in a browser for a bound address."""
    return "localhost" if host in HERE else f"[{host}]" if ":" in host else host


def web_parts(text: str) -> SplitResult | None:
    """The parts of an http or https address with a host; None for every other text."""
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if is_web else None
