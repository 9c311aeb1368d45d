"""bibtex: the sources as entries (format: ctan.org/pkg/bibtex; special characters as LaTeX reads
them)."""

import re

from engine.exports.names import Name
from engine.exports.reference import Reference, references
from tools.text.tokens import fold
from workflows.research.state import ResearchState

_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%",
    "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_SPECIAL = re.compile(r"[\\{}$&#%_~^]")
_KINDS = {
    "article": "article", "book": "book", "chapter": "incollection", "conference": "inproceedings",
    "thesis": "phdthesis", "report": "techreport",
}  # fmt: skip
# Where a style looks for what holds the work
_CONTAINERS = {
    "chapter": "booktitle",
    "conference": "booktitle",
    "page": "howpublished",
    "thesis": "school",
}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
# Styles set titles in lower case: what has a capital after its first letter must stay as it is
_PROPER = re.compile(r"(?<![\w\\{])[^\W_]*[^\W_][A-Z][^\W_]*(?![\w}])")


def write(state: ResearchState, everything: bool = False) -> str:
    """everything: also the sources that are not cited."""
    return "\n".join(_entry(reference) for reference in references(state, everything))


def _entry(reference: Reference) -> str:
    fields = {
        "title": _title(reference.title),
        "author": " and ".join(_person(name) for name in reference.authors),
        "year": reference.year,
        _CONTAINERS.get(reference.kind, "journal"): _escape(reference.container),
        "volume": _escape(reference.volume),
        "number": _escape(reference.issue),
        "pages": _escape(reference.pages).replace("-", "--"),
        "institution" if reference.kind == "report" else "publisher": _escape(reference.publisher),
        "doi": _verbatim(reference.doi),
        "eprint": _verbatim(reference.arxiv_id),
        "archiveprefix": "arXiv" if reference.arxiv_id else "",
        "pmid": _verbatim(reference.pmid),
        "pmcid": _verbatim(reference.pmcid),
        "issn": _verbatim(reference.issn),
        "isbn": _verbatim(reference.isbn),
        "language": _escape(reference.language),
        "url": _verbatim(reference.url),
        "urldate": "-".join(f"{part:02d}" for part in reference.accessed) if reference.url else "",
        "note": _escape(reference.note),
    }
    rows = {name: f"{{{value}}}" for name, value in fields.items() if value}
    if len(reference.published) > 1:
        rows["month"] = _MONTHS[reference.published[1] - 1]  # a macro of every style, so no braces
    kind = _KINDS.get(reference.kind, "misc")
    return (
        f"@{kind}{{{_key(reference)},\n"
        + ",\n".join(f"  {name} = {value}" for name, value in rows.items())
        + "\n}\n"
    )


def _key(reference: Reference) -> str:
    """first author + year + tag: readable, and unique through the tag."""
    name = (
        re.sub(r"[^a-z]", "", fold(reference.authors[0].family))[:20] if reference.authors else ""
    )
    return f"{name or 'source'}{reference.year}{reference.key.lower()}"


def _person(name: Name) -> str:
    # Braces keep the name of an organisation in one piece
    if name.literal:
        return f"{{{_escape(name.family)}}}"
    family = f"{name.particle} {name.family}".strip()
    return ", ".join(_escape(part) for part in (family, name.suffix, name.given) if part)


def _title(text: str) -> str:
    return _PROPER.sub(lambda match: f"{{{match.group()}}}", _escape(text))


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: _ESCAPES[match.group()], text)


def _verbatim(text: str) -> str:
    """Identifiers are read verbatim, so that braces cannot be escaped, only left out."""
    return re.sub(r"[{}\\]", "", text)
