"""Lists of retractions, predatory publishers and open-access journals, from the CSV files their
makers publish.

Retraction Watch (Crossref): 20 named columns and a comma at the end of every line, dates M/D/YYYY
H:MM, lists ended by ";", PubMed id 0 for none. Stop Predatory Journals: url, name, abbr; hijacked
journals with their own columns. DOAJ's journal CSV: titles and two ISSN columns. A bad row costs
itself: it is skipped or cut, counted and named.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Protocol
from urllib.parse import urlsplit

from tools.credibility.credibility_tables import issn_key, tables, title_key
from tools.errors import ParseError
from tools.sources.domains import host_of, longest
from tools.sources.source import find_doi
from tools.sources.work_ids import pubmed_id

RETRACTION_COLUMNS = (
    "Title",
    "OriginalPaperDOI",
    "OriginalPaperPubMedID",
    "RetractionNature",
    "RetractionDate",
)
NATURES = {
    "retraction": "retracted",
    "expression of concern": "concern",
    "correction": "correction",
    "reinstatement": "reinstated",
}
_PROBLEMS_NAMED = 20
_ARCHIVE = "web.archive.org"

Row = tuple[str | None, ...]
Cells = Mapping[str, str]


class _Reader(Protocol):
    """What csv.reader gives."""

    line_num: int

    def __next__(self) -> list[str]:
        """The next row."""


class _Skip(Exception):
    """This row cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """Rows ready for their table. skipped: rows that could not be used. problems: the first of
    them, in words."""

    rows: tuple[Row, ...]
    skipped: int = 0
    problems: tuple[str, ...] = ()


def parse_retractions(data: bytes) -> Parsed:
    """Rows (doi, pmid, title, kind, date, reason, notice DOI). Raises ParseError when it is another
    kind of file."""
    return _parse(data, "Retraction Watch", RETRACTION_COLUMNS, _retraction)


def parse_predatory(data: bytes, kind: str = "publisher") -> Parsed:
    """Rows (kind, name, key, host). kind: publisher or journal; a file of hijacked journals is told
    by its columns."""
    header = data[:2000].decode("utf-8", "replace").split("\n", 1)[0]
    if "hijackedurl" in header:
        return _parse(data, "hijacked journals", ("hijacked", "hijackedurl"), _hijacked)
    return _parse(
        data, "predatory publishers", ("url", "name"), lambda cells: _publisher(cells, kind)
    )


def parse_journals(data: bytes) -> Parsed:
    """Rows (issn, title, key, publisher), one for each ISSN of a journal of DOAJ."""
    return _parse(data, "DOAJ journals", ("Journal title", "Publisher"), _journal)


def iso_date(text: str) -> str | None:
    """ISO date of M/D/YYYY with or without a time; None when there is no such day."""
    try:
        return datetime.strptime(text.strip().partition(" ")[0], "%m/%d/%Y").date().isoformat()
    except ValueError:
        return None


def _parse(
    data: bytes, what: str, columns: Sequence[str], make: Callable[[Cells], list[Row]]
) -> Parsed:
    rows: list[Row] = []
    problems: dict[int, str] = {}  # by line
    reader = csv.reader(_text(data))
    header = _header(reader, what, columns)
    last = 0  # rows before those of the last line, which may be cut off
    number = 0
    cells: list[str] | str = []
    for number, cells in _lines(reader):
        last = len(rows)
        try:
            if isinstance(cells, str):
                raise _Skip(cells)
            rows.extend(make(dict(zip(header, cells, strict=False))))
        except _Skip as why:
            problems[number] = str(why)
    if not data.endswith((b"\n", b"\r")) and len(cells) < len(header):
        del rows[last:]  # half a DOI is the DOI of another work
        problems[number] = "the file ends in the middle of it"
    if not rows:
        raise ParseError(f"The file of {what} contains no usable row; the list in use is kept.")
    first = islice(problems.items(), _PROBLEMS_NAMED)
    return Parsed(
        tuple(rows), len(problems), tuple(f"line {number}: {problem}" for number, problem in first)
    )


def _text(data: bytes) -> io.TextIOWrapper:
    try:
        data.decode("utf-8")
        encoding = "utf-8-sig"
    except UnicodeDecodeError:
        encoding = "cp1252"  # older copies were saved by a spreadsheet
    return io.TextIOWrapper(io.BytesIO(data), encoding=encoding, errors="replace", newline="")


def _header(reader: _Reader, what: str, columns: Sequence[str]) -> list[str]:
    try:
        header = [name.strip() for name in next(reader)]
    except StopIteration:
        header = []
    except csv.Error as error:
        raise ParseError(
            f"This is not a file of {what}: it cannot be read as CSV ({error})."
        ) from error
    missing = [name for name in columns if name not in header]
    if missing:
        raise ParseError(
            f"This is not a file of {what}: it lacks the columns {', '.join(missing)}."
        )
    return header


def _lines(reader: "_Reader") -> Iterator[tuple[int, list[str] | str]]:
    """Lines with their numbers; one that cannot be read as CSV is given as the reason. Empty lines
    are left out."""
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield reader.line_num, f"not readable as CSV ({error})"
            continue
        if any(cell.strip() for cell in cells):
            yield reader.line_num, cells


def _retraction(cells: Cells) -> list[Row]:
    kind = NATURES.get(cells.get("RetractionNature", "").strip().lower())
    if kind is None:
        raise _Skip(f"unknown nature {cells.get('RetractionNature', '')[:40]!r}")
    doi = find_doi(cells.get("OriginalPaperDOI"))
    pmid = pubmed_id("", cells.get("OriginalPaperPubMedID"))
    if not doi and not pmid:
        raise _Skip("no DOI and no PubMed id")
    when = iso_date(cells.get("RetractionDate", ""))
    reasons = [part.strip().lstrip("+") for part in cells.get("Reason", "").split(";")]
    title = " ".join(cells.get("Title", "").split())
    reason = "; ".join(part for part in reasons if part) or None
    return [(doi, pmid, title, kind, when, reason, find_doi(cells.get("RetractionDOI")))]


def _publisher(cells: Cells, kind: str) -> list[Row]:
    name = " ".join(cells.get("name", "").split())
    host = listed_host(cells.get("url", ""))
    key = _telling(name)
    if not host and not key:
        raise _Skip(f"neither an address of its own nor a telling name ({name[:60]!r})")
    return [(kind, name or host, key, host)]


def _hijacked(cells: Cells) -> list[Row]:
    # The name is that of the authentic journal: only the address tells the copy from it
    name = " ".join(cells.get("hijacked", "").split())
    urls = (cells.get("hijackedurl", ""), cells.get("althijackedurl", ""))
    hosts = dict.fromkeys(host for url in urls if (host := listed_host(url)))
    if not hosts:
        raise _Skip(f"no address of its own ({name[:60]!r})")
    return [("hijacked", f"{name} (hijacked copy)", None, host) for host in hosts]


def _journal(cells: Cells) -> list[Row]:
    title = " ".join(cells.get("Journal title", "").split())
    columns = ("Journal ISSN (print version)", "Journal EISSN (online version)")
    issns = dict.fromkeys(key for name in columns if (key := issn_key(cells.get(name, ""))))
    if not title or not issns:
        raise _Skip(f"no title or no ISSN ({title[:60]!r})")
    return [
        (issn, title, title_key(title), cells.get("Publisher", "").strip() or None)
        for issn in issns
    ]


def listed_host(url: str) -> str | None:
    """The host that an entry names; None where naming it would strike others: a platform, a
    university, an archive."""
    host = host_of(url)
    if host == _ARCHIVE:
        inner = urlsplit(url).path.find("http")
        return listed_host(url[url.find("http", 8) :]) if inner > 0 else None
    host = host.removeprefix("www.")
    credibility_tables = tables()
    if (
        "." not in host
        or host in credibility_tables.platforms
        or longest(host, credibility_tables.suffixes) is not None
    ):
        return None
    return host


def _telling(name: str) -> str | None:
    """The key of a name that can be matched exactly without striking namesakes."""
    key = title_key(name)
    if key in tables().venues or (" " not in key and len(key) < 8):
        return None
    return key
