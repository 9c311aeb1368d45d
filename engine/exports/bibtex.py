"""bibtex: the sources as entries (format: ctan.org/pkg/bibtex; special characters as LaTeX reads
them)."""

import re
from collections import defaultdict

from engine.exports.names import Name
from engine.exports.reference import Item, parts_of, references
from tools.text.tokens import fold
from workflows.research.state import ResearchState

_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%",
    "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_SPECIAL = re.compile(r"[\\{}$&#%_~^]")
_KINDS = {
    "article-journal": "article", "book": "book", "chapter": "incollection",
    "paper-conference": "inproceedings", "thesis": "phdthesis", "report": "techreport",
}  # fmt: skip
# Where a style looks for what holds the work
_CONTAINERS = {
    "chapter": "booktitle",
    "paper-conference": "booktitle",
    "webpage": "howpublished",
    "thesis": "school",
}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
# Styles set titles in lower case: what has a capital after its first letter must stay as it is
_PROPER = re.compile(r"(?<![\w\\{])[^\W_]*[^\W_][A-Z][^\W_]*(?![\w}])")


def write(state: ResearchState, everything: bool = False) -> str:
    """everything: also the sources that are not cited."""
    return "\n".join(_entry(item) for item in references(state, everything))


def _entry(item: Item) -> str:
    text, issued = defaultdict(str, item), parts_of(item, "issued")
    kind, year = text["type"], str(issued[0]) if issued else ""
    fields = {
        "title": _title(text["title"]),
        "author": " and ".join(_person(name) for name in text["author"]),
        "year": year,
        _CONTAINERS.get(kind, "journal"): _escape(text["container-title"]),
        "volume": _escape(text["volume"]),
        "number": _escape(text["issue"]),
        "pages": _escape(text["page"]).replace("-", "--"),
        "institution" if kind == "report" else "publisher": _escape(text["publisher"]),
        "doi": _verbatim(text["DOI"]),
        "eprint": _verbatim(text["number"].removeprefix("arXiv:")),
        "archiveprefix": "arXiv" if text["number"] else "",
        "pmid": _verbatim(text["PMID"]),
        "pmcid": _verbatim(text["PMCID"]),
        "issn": _verbatim(text["ISSN"]),
        "isbn": _verbatim(text["ISBN"]),
        "language": _escape(text["language"]),
        "url": _verbatim(text["URL"]),
        "urldate": "-".join(f"{part:02d}" for part in parts_of(item, "accessed")),
        "note": _escape(text["note"]),
    }
    rows = {name: f"{{{value}}}" for name, value in fields.items() if value}
    if len(issued) > 1:
        rows["month"] = _MONTHS[issued[1] - 1]  # a macro of every style, so no braces
    key = f"{_first_author(item)}{year}{text['id'].lower()}"  # unique through the tag
    return (
        f"@{_KINDS.get(kind, 'misc')}{{{key},\n"
        + ",\n".join(f"  {name} = {value}" for name, value in rows.items())
        + "\n}\n"
    )


def _first_author(item: Item) -> str:
    authors = item.get("author") or [Name("")]
    return re.sub(r"[^a-z]", "", fold(authors[0].family))[:20] or "source"


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
