"""csl: the sources as CSL JSON (schema: citation-style-language, csl-data)."""

import json
from typing import Any

from engine.exports.names import Name
from engine.exports.reference import Reference, references
from workflows.research.state import ResearchState

_KINDS = {
    "article": "article-journal", "preprint": "article", "book": "book", "chapter": "chapter",
    "conference": "paper-conference", "thesis": "thesis", "report": "report", "dataset": "dataset",
    "news": "article-newspaper", "page": "webpage",
}  # fmt: skip


def write(state: ResearchState, everything: bool = False) -> str:
    """everything: also the sources that are not cited."""
    return (
        json.dumps(
            [entry(reference) for reference in references(state, everything)],
            ensure_ascii=False,
            indent=1,
        )
        + "\n"
    )


def entry(reference: Reference) -> dict[str, Any]:
    """One item; what is not known is left out."""
    fields = {
        "id": reference.key,
        "type": _KINDS.get(reference.kind, "document"),
        "title": reference.title,
        "author": [_person(name) for name in reference.authors],
        "issued": _date(reference.published),
        "container-title": reference.container,
        "volume": reference.volume,
        "issue": reference.issue,
        "page": reference.pages,
        "publisher": reference.publisher,
        "DOI": reference.doi,
        "number": f"arXiv:{reference.arxiv_id}" if reference.arxiv_id else "",
        "PMID": reference.pmid,
        "PMCID": reference.pmcid,
        "ISSN": reference.issn,
        "ISBN": reference.isbn,
        "URL": reference.url,
        "accessed": _date(reference.accessed) if reference.url else None,
        "language": reference.language,
        "note": reference.note,
    }
    return {name: value for name, value in fields.items() if value}


def _person(name: Name) -> dict[str, str]:
    if name.literal:
        return {"literal": name.family}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
    }
    return {key: value for key, value in parts.items() if value}


def _date(parts: tuple[int, ...]) -> dict[str, Any] | None:
    return {"date-parts": [list(parts)]} if parts else None
