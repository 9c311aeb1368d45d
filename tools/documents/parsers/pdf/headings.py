"""Which paragraphs of a PDF are headings, and which one is its title."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tools.documents.model import BlockKind
from tools.documents.parsers.lines import CAPTION
from tools.documents.parsers.pdf.layout import join_pieces
from tools.documents.parsers.pdf.paragraphs import Paragraph, is_set_on
from tools.documents.sections import is_usual_name, plain_title

MAX_HEADING = 150
_NUMBERED = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+[^\W\d_]")
_LARGER = 1.12
_STAMP = re.compile(
    r"\barxiv:|\b(?:bio|med|chem)rxiv\b|\bdoi\b|https?://|\bwww\.|©|\bissn\b|\bisbn\b|\bvol(?:ume)?\.?\s*\d|"
    r"\bpreprint\b|\bdownloaded from\b|\bsubmitted to\b|\baccepted\b.{0,20}\d{4}"
    r"|\bjournal of\b|\bproceedings of\b|"
    r"^(?:technical |research )?(?:article|paper|report|letter|review article"
    r"|original research)$|^page \d",
    re.I,
)
# Authors with the marks of their affiliations
_PEOPLE = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]|\w@\w|(?:[^,]{2,40},){3}")
# What points from a title to a note: a star, a dagger, a raised number; not the star of A*
_MARK = re.compile(r"(?:\s|(?<=[^\W\d_]{2})|(?<=[)!?”]))[*∗†‡§¶⁰¹²³⁴⁵⁶⁷⁸⁹]+$")
_SURELY_TITLE = 1.5  # in units of the usual size
Style = tuple[int, bool]


def mark_outline(paragraphs: Sequence[Paragraph], outline: Sequence[tuple[int, str, int]]) -> bool:
    """Marks the paragraphs that bookmarks name, and those set alike; whether at least half of the
    bookmarks fit."""
    pages: dict[int, list[Paragraph]] = {}
    for paragraph in paragraphs:
        pages.setdefault(paragraph.page, []).append(paragraph)
    headings: list[Paragraph] = []
    for level, title, page in outline:
        plain = plain_title(title)
        short = [
            p
            for p in pages.get(page, ())
            if _may_be_heading(p) and len(_whole(p)) <= 2 * len(title) + 12
        ]
        match = next((p for p in short if plain and plain_title(_whole(p)) == plain), None)
        if match is not None:
            _raise(match, level)
            headings.append(match)
    # Bookmarks of the title and the authors alone leave out all sections
    bare = len({page for _, _, page in outline}) == 1 and len(pages) > 1
    if bare or len(headings) < max(2, len(outline) / 2):
        for paragraph in headings:
            paragraph.level = 0
        return False
    _mark_alike(paragraphs, headings)
    return True


def mark_headings(paragraphs: Sequence[Paragraph]) -> None:
    """Sets `level` where size, weight, numbering or a usual name ("References") make a paragraph a
    heading."""
    body, bold_body = _usual_type(paragraphs)
    headings = [p for p in paragraphs if _is_heading(p, body, bold_body)]
    many = len(headings) > 8 and len(headings) > len(paragraphs) / 2
    if many or sum(len(p.text) for p in headings) > 0.3 * sum(len(p.text) for p in paragraphs):
        return  # a poster, a form, a figure: size says nothing about structure there
    sizes = sorted(
        {round(p.first.size) for p in headings if p.first.size > _LARGER * body}, reverse=True
    )
    for paragraph in headings:
        numbered = _NUMBERED.match(_whole(paragraph))
        depth = numbered.group(1).count(".") + 1 if numbered else 0
        size = round(paragraph.first.size)
        rank = sizes.index(size) + 1 if size in sizes else len(sizes) + 1
        _raise(paragraph, min(6, max(depth + 1 if depth else 0, min(rank, 4))))


def mark_title(paragraphs: list[Paragraph], meta_title: str) -> tuple[str, str]:
    """The title of a document and how it was found: the one that the file states and the first page
    shows, else what is set largest there.

    Where it stands on the first page it becomes a heading.
    """
    _join_title(paragraphs)
    if meta_title and _is_foreign(meta_title, paragraphs):
        meta_title = ""
    title = plain_title(meta_title)
    first = [p for p in paragraphs if p.page == 1 and (p.level or _may_be_heading(p))]
    printed_title = next((p for p in first if title and plain_title(_whole(p)) == title), None)
    if not meta_title:
        printed_title = largest_text(paragraphs)
    if printed_title is not None:
        _raise(printed_title, 1)
    if meta_title:
        return meta_title, "metadata"
    return (_MARK.sub("", printed_title.text), "layout") if printed_title else ("", "")


def _join_title(paragraphs: list[Paragraph]) -> None:
    """Puts together a title whose lines stand as paragraphs: where its page has little other text,
    nothing tells how far apart lines are."""
    title = largest_text(paragraphs)
    at = next((number for number, p in enumerate(paragraphs) if p is title), None)
    while title and at is not None and at + 1 < len(paragraphs):
        last, below = title.lines[-1], paragraphs[at + 1]
        if not (_may_be_title(below) and is_set_on(last, below.first)) or _PEOPLE.search(
            below.text
        ):
            return
        title.lines += below.lines
        title.text = join_pieces(title.lines)
        del paragraphs[at + 1]


def _is_foreign(stated: str, paragraphs: Sequence[Paragraph]) -> bool:
    """Whether the first page shows a title, and not the one that the file states."""
    largest = largest_text(paragraphs)
    if largest is None or largest.first.size < _SURELY_TITLE * _usual_type(paragraphs)[0]:
        return False
    page = plain_title(" ".join(_whole(p) for p in paragraphs if p.page == 1))
    return plain_title(stated).replace(" ", "") not in page.replace(" ", "")


def largest_text(paragraphs: Sequence[Paragraph]) -> Paragraph | None:
    """The title of a document as its first page shows it: the largest text at its top that is no
    stamp or heading."""
    first = [
        p
        for p in paragraphs
        if p.page == 1 and p.lines and not p.first.turned and len(p.text) <= 300
    ][:14]
    eligible = [p for p in first[:10] if _may_be_title(p)]
    if len(first) < 2 or not eligible:
        return None
    best = max(eligible, key=lambda p: round(p.first.size, 1))
    return best if best.first.size >= 1.1 * _usual_type(paragraphs)[0] else None


def _may_be_title(paragraph: Paragraph) -> bool:
    text = paragraph.text
    letters = sum(c.isalpha() for c in text)
    if len(text) < 4 or letters < 0.5 * len(text.replace(" ", "")) or is_usual_name(text):
        return False
    if paragraph.kind is not None or paragraph.aside or paragraph.marker:
        return False
    return not (_NUMBERED.match(text) or _STAMP.search(text) or CAPTION.match(text))


def _may_be_heading(paragraph: Paragraph) -> bool:
    item = paragraph.kind == BlockKind.LIST_ITEM
    return (
        bool(paragraph.lines)
        and not paragraph.aside
        and (item or (paragraph.kind is None and not paragraph.level))
    )


def _whole(paragraph: Paragraph) -> str:
    """The text of a paragraph; what was taken for a list item with its number."""
    return f"{paragraph.marker} {paragraph.text}" if paragraph.marker else paragraph.text


def _raise(paragraph: Paragraph, level: int) -> None:
    paragraph.text, paragraph.marker = _whole(paragraph), ""
    paragraph.kind, paragraph.level = None, level


def _mark_alike(paragraphs: Sequence[Paragraph], headings: Sequence[Paragraph]) -> None:
    """Headings that the bookmarks leave out, set in the type of one that they name."""
    levels: dict[Style, int] = {}
    for paragraph in headings:
        levels.setdefault(_style(paragraph), paragraph.level)
    body, bold_body = _usual_type(paragraphs)
    for paragraph in paragraphs:
        is_marked = paragraph.marker or not _may_be_heading(paragraph)
        level = 0 if is_marked else levels.get(_style(paragraph), 0)
        if level and _is_heading(paragraph, body, bold_body):
            paragraph.level = level


def _style(paragraph: Paragraph) -> Style:
    return (round(paragraph.first.size), paragraph.first.bold) if paragraph.lines else (0, False)


def _usual_type(paragraphs: Iterable[Paragraph]) -> tuple[float, bool]:
    """The size that most characters are set in, and whether most are bold: weight says nothing
    there."""
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    for paragraph in paragraphs:
        if paragraph.lines:
            sizes[round(paragraph.first.size, 1)] += len(paragraph.text)
            bold[paragraph.first.bold] += len(paragraph.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0, bold[True] > bold[False]


def _is_heading(paragraph: Paragraph, body: float, bold_body: bool) -> bool:
    if not _may_be_heading(paragraph) or len(paragraph.lines) > 3 or paragraph.first.turned:
        return False
    text, first = _whole(paragraph), paragraph.first
    letters = sum(c.isalpha() for c in text)
    if (
        len(text) > MAX_HEADING
        or not text[0].isalnum()
        or letters < 0.5 * len(text.replace(" ", ""))
    ):
        return False
    if is_usual_name(text) and not text[0].islower() and first.size >= 0.75 * body:
        return True
    if (
        text[-1] in ".,;:"
        or letters < 3
        or _PEOPLE.search(text)
        or (paragraph.marker and not _NUMBERED.match(text))
    ):
        return False
    larger = first.size > _LARGER * body
    weighty = (
        first.bold and not bold_body and first.size >= 0.97 * body and len(paragraph.lines) <= 2
    )
    return larger or weighty
