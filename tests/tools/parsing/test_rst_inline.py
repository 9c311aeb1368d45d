"""Inline markup, enumerations and examples of reStructuredText read as docutils shows them."""

from tests.tables import each
from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.formats import parse
from tools.documents.parsers.text.rst_words import plain_words


def read(text: str) -> Extracted:
    return parse(Request(text.encode(), "manual.rst"))


@each(
    ("source", "shown"),
    [
        ("``__init__`` and `Task.__name__` stay", "__init__ and Task.__name__ stay"),
        ("remove __ne__ methods", "remove __ne__ methods"),
        ("see msgpack_ and other__.", "see msgpack and other."),
        ("in :file:`~/lock.*` and ``./**/*.py``", "in ~/lock.* and ./**/*.py"),
        ("*one* **two** \\*args a*b", "one two *args a*b"),
        ("a ``\\d+`` and \\\\d", "a \\d+ and \\d"),
        ("`a ``b`` c`_", "a b c"),
        ("\ue0007\ue001 ``x``", "7\ue001 x"),
    ],
)
def test_inline_markup_becomes_the_words_it_shows(source: str, shown: str) -> None:
    assert plain_words(source) == shown


def test_a_line_that_begins_like_an_item_and_goes_on_at_the_margin_is_text() -> None:
    extracted = read(
        ".. _x:\n\nTerms\n=====\n\n3. You may copy\nand change it.\n\n1. one\n2. two\n\na) last\n  "
        " item\n"
    )
    blocks = [
        (block.kind, extracted.text[block.start : block.end]) for block in extracted.blocks[1:]
    ]
    assert blocks == [
        (BlockKind.PARAGRAPH, "3. You may copy and change it."),
        (BlockKind.LIST_ITEM, "one"),
        (BlockKind.LIST_ITEM, "two"),
        (BlockKind.LIST_ITEM, "last item"),
    ]


def test_an_interpreter_session_keeps_its_indented_lines() -> None:
    extracted = read(
        ".. _x:\n\nUse\n===\n\n>>> f({\n    'a': 1})\n{}\n\n.. parsed-literal::\n\n   :prompt:`>` "
        "*run*\n"
    )
    code = [extracted.text[b.start : b.end] for b in extracted.blocks if b.kind == BlockKind.CODE]
    assert code == [">>> f({\n    'a': 1})\n{}", "> run"]
