"""What a format is, and what the formats share: plain lines, safe addresses, the order of
sources."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

from engine.reports.figures import file_name
from engine.web_addresses import web_parts
from tools.sources.source import Source
from tools.text.plain import line

# What XML 1.0 cannot hold, escaped or not
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Format:
    """write: the research as text or bytes. takes: what `write` can be given besides: "everything"
    (also the sources that are not cited), "texts" (gives the text of a snapshot, for whole texts
    inside) or "excerpts" (gives it too, for parts that are always inside). holds_turns: whether the
    questions and answers of a conversation stand in it.
    """

    name: str
    label: str
    suffix: str
    media_type: str
    write: Callable[..., str | bytes]
    takes: str = ""
    holds_turns: bool = False


def address(url: str | None) -> str:
    """An http(s) address that needs no further quoting, or an empty text."""
    cleaned = line(url).replace(" ", "%20")
    return quote(cleaned, safe="/:?#[]@!$&()*+,;=%~._-'") if web_parts(cleaned) else ""


def link_of(source: Source) -> str:
    """Where a source can be found: its DOI, else its address, else nothing (a local document)."""
    if source.doi:
        return address(f"https://doi.org/{quote(source.doi, safe='/:;()._-')}")
    return address(source.url)


def described(source: Source) -> str:
    """Who, what, where, when; the file of a document of the user's."""
    who = ", ".join(line(author) for author in source.authors[:3]) + (
        " et al." if len(source.authors) > 3 else ""
    )
    file = line(file_name(source)) if source.is_local else ""
    parts = (who, line(source.title), line(source.venue), year(source), file)
    return ", ".join(dict.fromkeys(part for part in parts if part))


def year(source: Source) -> str:
    """The year of publication, or an empty text."""
    match = re.match(r"\d{4}", source.published or "")
    return match.group() if match else ""
