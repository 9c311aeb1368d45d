"""bibtex: the sources as entries (format: ctan.org/pkg/bibtex; special characters as LaTeX reads them)."""

import re

from engine.exports.form import line, link_of, listed, names, year
from tools.research.source import Source
from tools.text.tokens import fold
from workflows.research.state import ResearchState

_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_SPECIAL = re.compile(r"[\\{}$&#%_~^]")


def write(state: ResearchState) -> str:
    return "\n".join(_entry(source) for source in listed(state))


def _entry(source: Source) -> str:
    people = names(source)
    fields = {
        "title": _escape(line(source.title)),
        "author": " and ".join(_person(family, given) for family, given in people),
        "year": year(source),
        "journal": _escape(line(source.venue)),
        "publisher": _escape(line(source.publisher)),
        "doi": _verbatim(line(source.doi)),
        "eprint": _verbatim(line(source.arxiv_id)),
        "archiveprefix": "arXiv" if source.arxiv_id else "",
        "issn": _verbatim(line(source.issn)),
        "url": _verbatim(link_of(source)),
    }
    rows = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return f"@{_kind(source)}{{{_key(source, people)},\n" + ",\n".join(rows) + "\n}\n"


def _kind(source: Source) -> str:
    return "article" if source.source_type == "academic" and source.venue else "misc"


def _key(source: Source, people: list[tuple[str, str]]) -> str:
    """first author + year + tag: readable, and unique through the tag."""
    name = re.sub(r"[^a-z]", "", fold(people[0][0]))[:20] if people else ""
    return f"{name or 'source'}{year(source)}{(source.tag or source.source_id).lower()}"


def _person(family: str, given: str) -> str:
    # Braces keep the name of an organisation in one piece
    return f"{_escape(family)}, {_escape(given)}" if given else f"{{{_escape(family)}}}"


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: _ESCAPES[match.group()], text)


def _verbatim(text: str) -> str:
    """Identifiers are read verbatim, so that braces cannot be escaped, only left out."""
    return re.sub(r"[{}\\]", "", text)
