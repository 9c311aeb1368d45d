"""csl: the sources as CSL JSON (schema: citation-style-language, csl-data)."""

import json
import re
from typing import Any

from engine.exports.form import line, link_of, listed, names
from tools.research.source import Source
from workflows.research.state import ResearchState

_KINDS = {"academic": "article-journal", "newsroom": "article-newspaper", "web": "webpage", "local": "document"}


def write(state: ResearchState) -> str:
    return json.dumps([_entry(source) for source in listed(state)], ensure_ascii=False, indent=1) + "\n"


def _entry(source: Source) -> dict[str, Any]:
    fields = {
        "id": source.tag or source.source_id,
        "type": _KINDS.get(source.source_type, "document"),
        "title": line(source.title),
        "author": [_person(family, given) for family, given in names(source)],
        "issued": _date(source.published),
        "container-title": line(source.venue),
        "publisher": line(source.publisher),
        "DOI": line(source.doi),
        "ISSN": line(source.issn),
        "PMID": line(source.pmid),
        "URL": link_of(source),
        "language": line(source.language),
    }
    return {name: value for name, value in fields.items() if value}


def _person(family: str, given: str) -> dict[str, str]:
    return {"family": family, "given": given} if given else {"literal": family}


def _date(published: str | None) -> dict[str, Any] | None:
    match = re.match(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", published or "")
    return {"date-parts": [[int(part) for part in match.groups() if part]]} if match else None
