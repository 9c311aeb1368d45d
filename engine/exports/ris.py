"""ris: the sources for reference managers (two letters, two blanks, a hyphen, a blank, the value; one per line)."""

from engine.exports.form import line, link_of, listed, names, year
from tools.research.source import Source
from workflows.research.state import ResearchState

_KINDS = {"academic": "JOUR", "newsroom": "NEWS", "web": "ELEC", "local": "GEN"}


def write(state: ResearchState) -> str:
    return "".join(_entry(source) for source in listed(state))


def _entry(source: Source) -> str:
    authors = [("AU", f"{family}, {given}" if given else family) for family, given in names(source)]
    rows = [
        ("TY", _KINDS.get(source.source_type, "GEN")),
        *authors,
        ("TI", line(source.title)),
        ("JO", line(source.venue)),
        ("PB", line(source.publisher)),
        ("PY", year(source)),
        ("DO", line(source.doi)),
        ("SN", line(source.issn)),
        ("UR", link_of(source)),
        ("ID", source.tag or source.source_id),
        ("LA", line(source.language)),
    ]
    return "".join(f"{tag}  - {value}\r\n" for tag, value in rows if value) + "ER  - \r\n\r\n"
