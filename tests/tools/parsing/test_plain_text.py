"""Plain text: what its lines show without any markup."""

import pytest

from tests.tables import each
from tools.documents.model import BlockKind, Request
from tools.documents.parsers.formats import parse


def kinds(text: str) -> list[tuple[str, int, str]]:
    extracted = parse(Request(text.encode(), "a.txt"))
    return [(str(b.kind), b.level, extracted.text[b.start : b.end]) for b in extracted.blocks]


def test_a_program_is_code_under_the_name_of_its_file() -> None:
    source = (
        "import os\n\n\ndef area(width, height):\n    # - in metres\n    return width * height\n"
    )
    extracted = parse(Request(source.encode(), "area.py"))
    assert extracted.title == "area.py" and extracted.metadata["title_from"] == "file_name"
    assert [(str(b.kind), extracted.text[b.start : b.end]) for b in extracted.blocks] == [
        ("code", "import os"), ("code", "def area(width, height):\n    # - in metres\n    return "
                                        "width * height")
    ]  # fmt: skip


WRAPPED = """The committee looked at both methods for a whole year and found that
the first one is the better choice for small towns, since it needs
less money and fewer people to run it."""


def test_wrapped_lines_are_one_paragraph_and_a_speech_has_one_a_line() -> None:
    assert [text for _, _, text in kinds(f"{WRAPPED}\n\n{WRAPPED}")] == [
        " ".join(WRAPPED.split("\n"))
    ] * 2
    speech = [
        "Fellow citizens, " + "we have come far and there is much to do. " * 5 for _ in range(4)
    ]
    assert [text for _, _, text in kinds("\n".join(speech))] == [line.strip() for line in speech]


def test_lines_that_end_early_go_on_with_a_small_letter() -> None:
    by_hand = [
        "The committee looked at both methods for a whole year and found the first",
        "to be the better choice for small towns, since it needs less",
        "money and fewer people to run it than anything that had been tried",
        "before. It says so in the report.",
    ]
    entry = [
        "--fast::",
        "   Leaves out the checks that take long, which is of use when",
        "   many runs follow.",
    ]
    lines = ["if a river has been crossed", "then wait for whoever comes", "else go on"]
    block_kinds = kinds("\n\n".join("\n".join(part) for part in (by_hand, entry, by_hand, lines)))
    assert [text for _, _, text in block_kinds] == [
        " ".join(by_hand), "--fast:: " + " ".join(map(str.strip, entry[1:])), " ".join(by_hand),
        "\n".join(lines)
    ]  # fmt: skip


def test_a_few_short_lines_stay_as_they_stand() -> None:
    assert kinds(f"{WRAPPED}\n\nTown hall\nMain Street 5\n12345 Aville")[1] == (
        "paragraph", 0, "Town hall\nMain Street 5\n12345 Aville"
    )  # fmt: skip


@each(
    ("text", "level", "title"),
    [
        ("Cooling\n=======\n\nWords follow.", 1, "Cooling"),
        ("=======\nCooling\n=======\nWords follow.", 1, "Cooling"),
        ("THE COOLING OF TOWNS\n\nWords follow.", 2, "THE COOLING OF TOWNS"),
        ("2.1 Cooling towns\n\nWords follow.", 3, "2.1 Cooling towns"),
        ("CHAPTER IV\n\nWords follow.", 1, "CHAPTER IV"),
        ("# Cooling\nWords follow.", 1, "Cooling"),
        ("                Preamble\n\nWords follow.", 3, "Preamble"),
    ],
)
def test_headings_are_underlined_numbered_or_in_capitals(text: str, level: int, title: str) -> None:
    block_kinds = kinds(text)
    assert block_kinds[0] == ("heading", level, title) and block_kinds[1][2] == "Words follow."


def test_the_second_kind_of_underline_is_the_second_level() -> None:
    block_kinds = kinds("A\n===\n\nx\n\nB\n---\n\ny\n\nC\n===\n\nz")
    assert [level for kind, level, _ in block_kinds if kind == "heading"] == [1, 2, 1]


def test_lists_have_lead_in_levels_and_lines_that_go_on() -> None:
    text = "Bring these:\n- a lamp that burns\n  all night\n- a rope\n    1. of hemp\n- salt"
    assert kinds(text) == [
        ("paragraph", 0, "Bring these:"), ("list_item", 1, "a lamp that burns all night"),
        ("list_item", 1, "a rope"),
        ("list_item", 2, "of hemp"), ("list_item", 1, "salt"),
    ]  # fmt: skip


def test_columns_and_code_are_kept_apart_from_prose() -> None:
    table = "Town      Trees\nAville    1200\nBeton     900"
    assert [text for _, _, text in kinds(table)] == ["Town | Trees", "Aville | 1200", "Beton | 900"]
    assert kinds(f"{WRAPPED}\n\n    if x:\n        y = {{1}}\n    print(x)")[1] == (
        "code", 0, "if x:\n    y = {1}\nprint(x)"
    )  # fmt: skip


def test_a_file_of_very_many_lines_has_a_bounded_number_of_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tools.documents.parsers.blocks.MAX_BLOCKS", 1000)
    entries = [
        f"{n} something was logged here and it is long enough to fill a line of this file."
        for n in range(5000)
    ]
    extracted = parse(Request("\n\n".join(entries).encode(), "a.log"))
    assert 1000 <= len(extracted.blocks) < 1200 and extracted.text.count("logged") == 5000
    assert all(b.kind == BlockKind.PARAGRAPH for b in extracted.blocks)


def test_a_rule_alone_is_no_table() -> None:
    assert parse(
        Request(b"+---+  +---+\n+---+  +---+\n+---+  +---+\n\nText of a mill.", "a.txt")
    ).text
