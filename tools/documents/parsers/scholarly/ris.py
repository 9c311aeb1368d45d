"""RIS: lines "XX  - value", from TY to ER (format description of Research Information Systems)."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tools.documents.model import Extracted, Request
from tools.documents.parsers.authors_and_dates import iso_date
from tools.documents.parsers.encoding import text_of
from tools.documents.parsers.scholarly.entries import Record, extracted
from tools.documents.parsers.versions import with_version
from tools.sources.source import find_arxiv_id

_FIELD = re.compile(r"^\s{0,3}([A-Z][A-Z0-9])\s{0,3}-(?: (.*))?$")
_TITLES = frozenset(["TI", "T1", "CT", "BT"])


def parse(request: Request) -> Extracted:
    """All entries with a title; lines without a tag belong to the field before them."""
    text = text_of(request)
    return extracted([_record(fields) for fields in _entries(text)], with_version("zorora-ris"))


def _entries(text: str) -> Iterator[dict[str, list[str]]]:
    fields: dict[str, list[str]] = {}
    last = ""
    for line in text.split("\n"):
        match = _FIELD.match(line)
        if not match:
            if last and line.strip():
                fields[last][-1] += " " + line.strip()
            continue
        tag, value = match.group(1), (match.group(2) or "").strip()
        if tag in ("TY", "ER") and fields:
            if fields.keys() & _TITLES:
                yield fields
            fields, last = {}, ""
        if tag != "ER":
            fields.setdefault(tag, []).append(value)
            last = tag
    if fields.keys() & _TITLES:
        yield fields


def _record(fields: Mapping[str, Sequence[str]]) -> Record:
    def get(*tags: str) -> str:
        return next((value for tag in tags for value in fields.get(tag, ()) if value), "")

    addresses = [
        value for tag in ("UR", "L1", "L2", "LK") for value in fields.get(tag, ()) if value
    ]
    pages = "–".join(part for part in (get("SP"), get("EP")) if part)
    return Record(
        kind=get("TY").lower(),
        title=get("TI", "T1", "CT", "BT"),
        authors=tuple(
            _natural(name) for tag in ("AU", "A1") for name in fields.get(tag, ()) if name
        )[:500],
        published=iso_date(get("DA", "PY", "Y1").replace("//", "").rstrip("/")),
        venue=get("JO", "JF", "T2", "JA", "BT"),
        publisher=get("PB"),
        doi=get("DO", "M3") if "10." in get("DO", "M3") else "",
        url=next((url for url in addresses if url.startswith(("http://", "https://"))), ""),
        arxiv=next((url for url in addresses if "arxiv.org" in url and find_arxiv_id(url)), ""),
        issn=get("SN"),
        pmid=get("AN") if get("DB").lower() in ("pubmed", "medline") else "",
        language=get("LA"),
        abstract=get("AB", "N2"),
        pages=pages,
    )


def _natural(name: str) -> str:
    """ "Curie, Marie" -> "Marie Curie"."""
    pieces = [piece.strip() for piece in name.split(",")]
    return " ".join(piece for piece in (*pieces[1:2], pieces[0], *pieces[2:]) if piece)
