"""Sections of a text: from headings to spans, what kind each is, and strict look-up by name.

Sections do not overlap: each reaches from the end of its heading to the next heading of any level.
`whole_span` gives a section together with its subsections.
"""

import difflib
import re
from collections.abc import Iterable, Sequence

from tools.documents.model import Block, BlockKind, Section
from tools.errors import NotFound
from tools.text.tokens import fold

MAX_TITLE = 300
MAX_SUGGESTIONS = 5

# Folded titles, without numbering, that say what a section is for. Body sections have aliases too:
# they are how a person asks for them.
_CANONICAL = {
    "abstract": "abstract|summary|executive summary|zusammenfassung|resume|resumen|synopsis",
    "introduction": "introduction|intro|background|einleitung|introduccion|motivation|overview",
    "related work": "related work|related works|literature review|prior work|previous work|state "
    "of the art",
    "methods": "methods|method|methodology|materials and methods|methods and "
    "materials|experimental setup|"
    "experimental methods|study design|data and methods|methoden|patients and methods",
    "results": "results|findings|results and discussion|experiments|experimental "
    "results|evaluation|ergebnisse",
    "discussion": "discussion|general discussion|diskussion|implications",
    "limitations": "limitations|limitations of the study|threats to validity",
    "conclusion": "conclusion|conclusions|concluding remarks|summary and conclusions|conclusion "
    "and future work|"
    "conclusions and future work|outlook|fazit|schlussfolgerung",
    "appendix": "appendix|appendices|supplementary material|supplementary materials|supporting "
    "information|anhang",
    "references": "references|bibliography|works cited|literature cited|references and notes|notes "
    "and references|"
    "reference list|cited literature|sources|citations|further reading|literature|literatur|"
    "literaturverzeichnis|quellen|bibliographie|bibliografia|referencias|riferimenti bibliografici|"
    "external links|einzelnachweise|weblinks|参考文献|参考资料|文献",
    "contents": "contents|table of contents|toc|list of figures|list of "
    "tables|inhalt|inhaltsverzeichnis|sommaire|"
    "table des matieres|indice|on this page|in this article|目次|目录",
    "front matter": "front matter|title page|half title|copyright|copyright page|copyright "
    "notice|imprint|"
    "impressum|dedication|acknowledgements|acknowledgments|acknowledgement|acknowledgment|danksagung|"
    "about the author|about the authors|author information|author affiliations|author "
    "contributions|"
    "authors contributions|funding|conflict of interest|conflicts of interest|competing interests|"
    "declaration of competing interest|declarations|colophon|epigraph|cover|license|licence",
}
_ALIASES = {alias: name for name, aliases in _CANONICAL.items() for alias in aliases.split("|")}
_KINDS = {"references": "references", "contents": "contents", "front matter": "front_matter"}
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix|kapitel|teil|chapitre)\s+)?"
    r"(?:§\s*)?(?:\d+(?:\.\d+)*|[ivxlc]{1,6}(?=[.):\s])|[a-z](?=[.)]))[.):]*\s+",
)
_BEHIND = re.compile(
    r"\s?(?:\[(?:edit|edit source|bearbeiten"
    r"|quelltext bearbeiten|modifier|editar)(?:\s?\|[^\]]{0,80})?\]|[¶#])\s?$",
    re.I,
)
_NOT_WORD = re.compile(r"[^\w]+")
_SLUG = re.compile(r"[^a-z0-9]+")


def sections_of(text: str, blocks: Iterable[Block], opening: str = "") -> tuple[Section, ...]:
    """The sections that the headings among its blocks cut a text into, in order; text before the
    first heading is a section of its own.

    `opening` is the title of that first part ("Beginning" when empty); it counts as front matter
    when it is short and an abstract or introduction follows. A text without headings has no
    sections.
    """
    headings = [block for block in blocks if block.kind == BlockKind.HEADING]
    if not headings:
        return ()
    titles = [
        _BEHIND.sub("", " ".join(text[heading.start : heading.end].split()))[:MAX_TITLE]
        for heading in headings
    ]
    sections: list[Section] = []
    id_counts: dict[str, int] = {}
    start, end = _trim(text, 0, headings[0].start)
    if end > start:
        kind = "front_matter" if _is_title_block(end - start, titles[0]) else "body"
        title = opening.strip()[:MAX_TITLE] or "Beginning"
        sections.append(Section(_section_id(title, id_counts), title, 1, start, end, kind))
    stops = [heading.start for heading in headings[1:]] + [len(text)]
    lineage: list[tuple[int, str]] = []
    for heading, title, stop in zip(headings, titles, stops, strict=True):
        start, end = _trim(text, heading.end, stop)
        kind = _inherited(lineage, heading.level, kind_of(title))
        sections.append(
            Section(_section_id(title, id_counts), title, heading.level, start, end, kind)
        )
    return tuple(sections)


def kind_of(title: str) -> str:
    """body, front_matter, references or contents, by the words of a heading."""
    return _KINDS.get(canonical_name(title), "body")


def canonical_name(title: str) -> str:
    """The usual name of a section ("Materials and Methods" is "methods"), else its plain title."""
    plain = plain_title(title)
    return _ALIASES.get(plain, plain)


def is_usual_name(title: str) -> bool:
    """Whether a heading is one of the usual names of a part ("References", "3 Methods")."""
    return plain_title(title) in _ALIASES


def plain_title(title: str) -> str:
    """A heading folded, without numbering and punctuation: "2.1 Métodos:" is "metodos"."""
    return " ".join(_NOT_WORD.split(_NUMBERING.sub("", fold(title).strip(), count=1))).strip()


def find_section(sections: Sequence[Section], name: str) -> Section:
    """The one section of that id, title or usual name; NotFound with suggestions when none or
    several match.

    Looked up in this order, each strictly: section id, exact title, plain title, usual name
    ("methods" finds "3. Materials and Methods").
    """
    reference, plain, usual = name.strip(), plain_title(name), canonical_name(name)
    tests = (
        [s for s in sections if s.section_id == reference.removeprefix("section=")],
        [s for s in sections if s.title == reference],
        [s for s in sections if plain and plain_title(s.title) == plain],
        [s for s in sections if usual and canonical_name(s.title) == usual],
    )
    for test in tests:
        if len(test) == 1:
            return test[0]
        if test:
            ids = ", ".join(section.section_id for section in test[:MAX_SUGGESTIONS])
            raise NotFound(f"{len(test)} sections are called {name!r}; name one by its id: {ids}.")
    raise NotFound(f"There is no section {name!r}.{_suggestions(sections, plain)}")


def whole_span(sections: Sequence[Section], section: Section) -> tuple[int, int]:
    """Start and end of a section including its subsections (deeper levels that follow it)."""
    end = section.end
    following = [other for other in sections if other.start >= section.end and other is not section]
    for other in sorted(following, key=lambda item: (item.start, item.end)):
        if other.level <= section.level:
            break
        end = max(end, other.end)
    return section.start, end


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    inner = part.strip()
    if not inner:
        return start, start
    start += len(part) - len(part.lstrip())
    return start, start + len(inner)


def _is_title_block(length: int, next_title: str) -> bool:
    return length <= 3000 and canonical_name(next_title) in ("abstract", "introduction", "contents")


def _inherited(lineage: list[tuple[int, str]], level: int, kind: str) -> str:
    """The kind of a heading, taken from the section above it when it says nothing itself."""
    while lineage and lineage[-1][0] >= level:
        lineage.pop()
    if kind == "body" and lineage:
        kind = lineage[-1][1]
    lineage.append((level, kind))
    return kind


def _section_id(title: str, id_counts: dict[str, int]) -> str:
    """The words of a title with hyphens; equal ones are numbered. `taken`: ids given, with the last
    number tried."""
    base = _SLUG.sub("-", fold(title)).strip("-")[:60].strip("-") or "section"
    section_id = base
    while section_id in id_counts:
        id_counts[base] += 1
        section_id = f"{base}-{id_counts[base]}"
    id_counts[section_id] = 1
    return section_id


def _suggestions(sections: Sequence[Section], plain: str) -> str:
    if not sections:
        return " This text has no sections."
    titles = {plain_title(section.title): section for section in sections}
    near = difflib.get_close_matches(
        plain[:100], [t for t in titles if t], n=MAX_SUGGESTIONS, cutoff=0.5
    )
    near += [t for t in titles if plain and plain in t and t not in near]
    nearest = [titles[t] for t in near[:MAX_SUGGESTIONS]] or list(sections[:MAX_SUGGESTIONS])
    listed = ", ".join(f"{section.title!r} ({section.section_id})" for section in nearest)
    return f" {'Did you mean' if near else 'The first ones are'} {listed}{'?' if near else '.'}"
