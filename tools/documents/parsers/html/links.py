"""The links of a page or of a note, which is read as the page it describes."""

from typing import Any
from urllib.parse import urljoin, urlsplit

from tools.documents.model import Link
from tools.text.normalise import snapshot_text

MAX_LINKS = 500


def links_of(tree: Any, url: str) -> tuple[Link, ...]:
    """The links of a page with the words that carry them. url: what they are relative to."""
    base_tag = next((tag for tag in tree.iter("base") if tag.get("href") is not None), None)
    base = _joined(url, base_tag.get("href")) if base_tag is not None else url
    links: dict[str, str] = {}
    for element in tree.iter("a"):
        target = _joined(base or url, (element.get("href") or "").strip())
        if not target or (len(links) >= MAX_LINKS and target not in links):
            continue
        text = " ".join("".join(element.itertext()).split())[:200]
        links[target] = links.get(target) or text
    return tuple(Link(target, text) for target, text in links.items())


def _joined(base: str, target: str) -> str:
    """An absolute http(s) address without its fragment; "" for anything else."""
    if not target or target.startswith("#") or len(target) > 2000 or ":" not in base + target:
        return ""
    try:
        address = urljoin(base, target)
        parts = urlsplit(address)
        if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
            return ""
    except ValueError:
        return ""
    return snapshot_text(address.split("#", 1)[0])
