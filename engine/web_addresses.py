"""What counts as a web address wherever one is read, shown or exported."""

from urllib.parse import SplitResult, urlsplit


def web_parts(text: str) -> SplitResult | None:
    """The parts of an http or https address with a host; None for every other text."""
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if is_web else None
