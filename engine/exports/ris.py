"""ris: the sources for reference managers (two letters, two blanks, a hyphen, a blank, the value;
one per line)."""

from engine.exports.reference import Reference, references
from workflows.research.state import ResearchState

_KINDS = {
    "article": "JOUR", "preprint": "UNPB", "book": "BOOK", "chapter": "CHAP",
    "conference": "CPAPER", "thesis": "THES", "report": "RPRT", "dataset": "DATA", "news": "NEWS",
    "page": "ELEC",
}  # fmt: skip


def write(state: ResearchState, everything: bool = False) -> str:
    """everything: also the sources that are not cited."""
    return "".join(_entry(reference) for reference in references(state, everything))


def _entry(reference: Reference) -> str:
    first, last = reference.page_range
    rows = [
        ("TY", _KINDS.get(reference.kind, "GEN")),
        *(("AU", name.sorted_form()) for name in reference.authors),
        ("TI", reference.title),
        ("T2" if reference.kind in ("chapter", "conference") else "JO", reference.container),
        ("VL", reference.volume),
        ("IS", reference.issue),
        ("SP", first),
        ("EP", last),
        ("PB", reference.publisher),
        ("PY", reference.year),
        ("DA", _date(reference.published) if len(reference.published) > 1 else ""),
        ("DO", reference.doi),
        ("SN", reference.issn or reference.isbn),
        ("AN", reference.pmid or (f"arXiv:{reference.arxiv_id}" if reference.arxiv_id else "")),
        ("C2", reference.pmcid),
        ("UR", reference.url),
        ("Y2", _date(reference.accessed) if reference.url else ""),
        ("ID", reference.key),
        ("LA", reference.language),
        ("N1", reference.note),
    ]
    return "".join(f"{tag}  - {value}\r\n" for tag, value in rows if value) + "ER  - \r\n\r\n"


def _date(parts: tuple[int, ...]) -> str:
    """ "2024/05/31", with empty places for what is not known."""
    return "/".join(f"{part:02d}" for part in parts) + "/" * (3 - len(parts)) if parts else ""
