"""What a format is, and what the formats share: plain lines, safe addresses, the order of
sources."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from tools.sources.source import Source
from tools.text.plain import line
from workflows.research.state import ResearchState


@dataclass(frozen=True, slots=True)
class Format:
    """write: the research as text or bytes. write_with_texts: the same with the texts of its
    snapshots inside.

    write_all: the same with the sources that are not cited. excerpts: texts are always inside, in
    parts.
    """

    name: str
    label: str
    suffix: str
    media_type: str
    write: Callable[[ResearchState], str | bytes]
    write_with_texts: Callable[[ResearchState, Callable[[str], str]], str] | None = None
    write_all: Callable[[ResearchState], str] | None = None
    excerpts: bool = False


def address(url: str | None) -> str:
    """An http(s) address that needs no further quoting, or an empty text."""
    cleaned = line(url).replace(" ", "%20")
    try:
        parts = urlsplit(cleaned)
        allowed = parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return ""
    return quote(cleaned, safe="/:?#[]@!$&()*+,;=%~._-'") if allowed else ""


def link_of(source: Source) -> str:
    """Where a source can be found: its DOI, else its address, else nothing (a local document)."""
    if source.doi:
        return address(f"https://doi.org/{quote(source.doi, safe='/:;()._-')}")
    return address(source.url)


def listed(state: ResearchState) -> list[Source]:
    """The sources of a bibliography, by tag (S1, S2 ...): those that were not set aside."""
    sources = [source for source in state.sources if not source.rejected]
    return sorted(
        sources,
        key=lambda s: (int(s.tag[1:]) if s.tag and s.tag[1:].isdecimal() else 10**9, s.source_id),
    )


def year(source: Source) -> str:
    """The year of publication, or an empty text."""
    match = re.match(r"\d{4}", source.published or "")
    return match.group() if match else ""
