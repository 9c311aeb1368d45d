"""Headings become sections; names find them strictly."""

import pytest

from tests.tables import each
from tools.documents.model import Block, BlockKind
from tools.documents.sections import (
    canonical_name,
    find_section,
    kind_of,
    plain_title,
    sections_of,
    whole_span,
)
from tools.errors import NotFound

TEXT = (
    "Intro words.\n\n1 Methods\n\nHow.\n\n1.1 Sample\n\nWho.\n\nReferences\n\n[1] A.\n\nA. Old "
    "ones\n\n[2] B."
)


def mark(start: int, end: int, level: int = 1) -> Block:
    """A heading at a place of a text."""
    return Block(BlockKind.HEADING, start, end, level)


def heading(title: str, level: int) -> Block:
    start = TEXT.index(title)
    return mark(start, start + len(title), level)


HEADINGS = [
    heading("1 Methods", 1),
    heading("1.1 Sample", 2),
    heading("References", 1),
    heading("A. Old ones", 2),
]


def test_sections_reach_to_the_next_heading_without_overlap() -> None:
    sections = sections_of(TEXT, HEADINGS)
    assert [TEXT[s.start : s.end] for s in sections] == [
        "Intro words.",
        "How.",
        "Who.",
        "[1] A.",
        "[2] B.",
    ]
    assert [s.section_id for s in sections] == [
        "beginning",
        "1-methods",
        "1-1-sample",
        "references",
        "a-old-ones",
    ]
    assert [s.kind for s in sections] == ["body", "body", "body", "references", "references"]


def test_a_whole_section_has_its_subsections() -> None:
    sections = sections_of(TEXT, HEADINGS)
    start, end = whole_span(sections, sections[1])
    assert TEXT[start:end] == "How.\n\n1.1 Sample\n\nWho."
    assert whole_span(sections, sections[-1]) == (sections[-1].start, sections[-1].end)


def test_a_text_without_headings_has_no_sections() -> None:
    assert sections_of("words", []) == ()


def test_a_title_block_before_the_abstract_is_front_matter() -> None:
    text = "A. Author, University\n\nAbstract\n\nWe did."
    sections = sections_of(text, [mark(23, 31)], "The title")
    assert (sections[0].title, sections[0].kind) == ("The title", "front_matter")


def test_equal_titles_get_different_ids() -> None:
    text = "A\n\nx\n\nA\n\ny\n\n方法\n\nz"
    marks = [mark(0, 1), mark(6, 7), mark(12, 14)]
    assert [s.section_id for s in sections_of(text, marks)] == ["a", "a-2", "section"]


@pytest.mark.lab
def test_thousands_of_equal_titles_are_numbered_at_once() -> None:
    text = "a\n\n" * 20_000
    sections = sections_of(text, [mark(n * 3, n * 3 + 1) for n in range(20_000)])
    assert len({s.section_id for s in sections}) == 20_000


@each(
    ("title", "plain", "usual", "kind"),
    [
        ("3. Materials and Methods:", "materials and methods", "methods", "body"),
        ("IV. RÉSULTATS", "resultats", "resultats", "body"),
        ("Table of Contents", "table of contents", "contents", "contents"),
        ("7 Works Cited", "works cited", "references", "references"),
        ("Acknowledgements", "acknowledgements", "front matter", "front_matter"),
        ("参考文献", "参考文献", "references", "references"),
        ("Chapter 2: The Sea", "the sea", "the sea", "body"),
        ("A new method", "a new method", "a new method", "body"),
        ("", "", "", "body"),
    ],
)
def test_headings_are_compared_by_their_plain_words(
    title: str, plain: str, usual: str, kind: str
) -> None:
    assert (plain_title(title), canonical_name(title), kind_of(title)) == (plain, usual, kind)


@each(
    "name",
    [
        "1-methods",
        "1 Methods",
        "methods",
        "Methodology",
        "section=1-methods",
        "MATERIALS AND METHODS",
    ],
)
def test_a_section_is_found_by_id_title_or_usual_name(name: str) -> None:
    assert find_section(sections_of(TEXT, HEADINGS), name).section_id == "1-methods"


def test_a_miss_suggests_what_there_is() -> None:
    with pytest.raises(NotFound, match="Did you mean '1 Methods'"):
        find_section(sections_of(TEXT, HEADINGS), "Method section")
    with pytest.raises(NotFound, match="The first ones are"):
        find_section(sections_of(TEXT, HEADINGS), "zzz")
    with pytest.raises(NotFound, match="no sections"):
        find_section((), "methods")


def test_two_sections_of_one_name_must_be_told_apart_by_id() -> None:
    text = "A\n\nx\n\nA\n\ny"
    with pytest.raises(NotFound, match="a, a-2"):
        find_section(sections_of(text, [mark(0, 1), mark(6, 7)]), "A")
