"""Definition lists and footnotes of Markdown: each definition with its term, each note with what it
belongs to."""

import pytest

from tools.documents.model import Request
from tools.documents.parsers.formats import parse

Shown = tuple[str, int, str, list[str]]


def shown(page: str) -> list[Shown]:
    """(kind, level, text, context) of each block."""
    extracted = parse(Request(page.encode(), "page.md"))
    return [
        (
            str(b.kind),
            b.level,
            extracted.text[b.start : b.end],
            [extracted.text[start:end] for start, end in b.context],
        )
        for b in extracted.blocks
    ]


def test_a_definition_stands_with_its_term_and_what_follows_inside_it() -> None:
    page = (
        "brush\n: Press and drag.\n\n: A tablet gives the pressure.\n\ncircle\n: Click once.\n\n"
        "Words after it."
    )
    assert shown(page) == [
        ("list_item", 1, "brush: Press and drag.", []),
        ("paragraph", 1, "A tablet gives the pressure.", ["brush: Press and drag."]),
        ("list_item", 1, "circle: Click once.", []),
        ("paragraph", 0, "Words after it.", []),
    ]


def test_a_definition_right_below_a_heading_is_text_under_it() -> None:
    page = (
        "# Port\n\n: The port.\nIt is used.\n\n    Defaults to 80.\n\n"
        "    ```\n    80\n      81\n    ```\n\n    !!! note\n\n        Take care.\n\n"
        ": More of it.\n\n```\n: 80\n    81\n```\n\n"
        "Term\n: Meaning\n"
    )
    assert shown(page) == [
        ("heading", 1, "Port", []),
        ("paragraph", 0, "The port. It is used.", []),
        ("paragraph", 0, "Defaults to 80.", []),
        ("code", 0, "80\n  81", ["Defaults to 80."]),
        ("paragraph", 0, "Take care.", []),
        ("paragraph", 0, "More of it.", []),
        ("code", 0, ": 80\n    81", ["More of it."]),
        ("list_item", 1, "Term: Meaning", []),
    ]


@pytest.mark.parametrize(
    ("definition", "inside"),
    [
        (": - a\n  - b", [("list_item", 2, "a"), ("list_item", 2, "b")]),
        (":     ls -l", [("code", 1, "ls -l")]),
    ],
)
def test_a_term_before_a_list_or_code_leads_in_to_it(
    definition: str, inside: list[tuple[str, int, str]]
) -> None:
    term, *rest = shown(f"shown\n{definition}")
    assert term == ("list_item", 1, "shown", [])
    assert [(kind, level, text) for kind, level, text, _ in rest] == inside
    assert all(context == ["shown"] for *_, context in rest)


def test_notes_follow_the_paragraph_list_or_table_that_refers_to_them() -> None:
    page = (
        "Chroma is old[^1] and young.\n\n- first[^b]\n- second\n\n| a | b[^1] |\n|---|---|\n| 1 | "
        "2[^c] |\n\nLast.\n\n"
        "[^1]: See the book.\n\n    Its second part.\n[^b]: Of the list.\n[^c]: Of the table.\n"
    )
    assert [(kind, text) for kind, _, text, _ in shown(page)] == [
        ("paragraph", "Chroma is old and young."),
        ("footnote", "See the book. Its second part."),
        ("list_item", "first"),
        ("list_item", "second"),
        ("footnote", "Of the list."),
        ("table_row", "a | b"),
        ("table_row", "1 | 2"),
        ("footnote", "Of the table."),
        ("paragraph", "Last."),
    ]


def test_a_note_that_nothing_refers_to_and_a_mark_without_a_note_stay() -> None:
    assert [text for _, _, text, _ in shown("Text[^9].\n\n[^1]: Nobody points here.\n\nMore.")] == [
        "Text[^9].", "More.", "Nobody points here."
    ]  # fmt: skip
    assert [text for _, _, text, _ in shown("[^1]: a[^2]\n\n[^2]: b")] == ["a", "b"]
