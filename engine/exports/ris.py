"""ris: the sources for reference managers (two letters, two blanks, a hyphen, a blank, the value;
one per line)."""

from collections import defaultdict
from collections.abc import Sequence

from engine.exports.reference import Item, parts_of, references
from workflows.research.state import ResearchState

_KINDS = {
    "article-journal": "JOUR", "article": "UNPB", "book": "BOOK", "chapter": "CHAP",
    "paper-conference": "CPAPER", "thesis": "THES", "report": "RPRT", "dataset": "DATA",
    "article-newspaper": "NEWS", "webpage": "ELEC",
}  # fmt: skip


def write(state: ResearchState, everything: bool = False) -> str:
    """everything: also the sources that are not cited."""
    return "".join(_entry(item) for item in references(state, everything))


def _entry(item: Item) -> str:
    text, issued = defaultdict(str, item), parts_of(item, "issued")
    first, _, last = text["page"].partition("-")
    rows = [
        ("TY", _KINDS.get(text["type"], "GEN")),
        *(("AU", name.sorted_form()) for name in text["author"]),
        ("TI", text["title"]),
        (
            "T2" if text["type"] in ("chapter", "paper-conference") else "JO",
            text["container-title"],
        ),
        ("VL", text["volume"]),
        ("IS", text["issue"]),
        ("SP", first.strip()),
        ("EP", last.strip(" -")),
        ("PB", text["publisher"]),
        ("PY", str(issued[0]) if issued else ""),
        ("DA", _date(issued) if len(issued) > 1 else ""),
        ("DO", text["DOI"]),
        ("SN", text["ISSN"] or text["ISBN"]),
        ("AN", text["PMID"] or text["number"]),
        ("C2", text["PMCID"]),
        ("UR", text["URL"]),
        ("Y2", _date(parts_of(item, "accessed"))),
        ("ID", text["id"]),
        ("LA", text["language"]),
        ("N1", text["note"]),
    ]
    return "".join(f"{tag}  - {value}\r\n" for tag, value in rows if value) + "ER  - \r\n\r\n"


def _date(parts: Sequence[int]) -> str:
    """ "2024/05/31", with empty places for what is not known."""
    return "/".join(f"{part:02d}" for part in parts) + "/" * (3 - len(parts)) if parts else ""
