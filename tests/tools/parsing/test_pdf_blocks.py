"""What the layout of a PDF says: paragraphs across columns and pages, lists, tables, captions,
notes, code, titles."""

import random

import pytest

from tests.tables import each
from tests.tools.parsing.making import Placed, lines, pdf
from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.formats import parse
from tools.documents.parsers.legibility import is_language
from tools.documents.parsers.pdf.characters import Piece
from tools.documents.parsers.pdf.layout import paragraphs_of
from tools.documents.parsers.pdf.rows import rows_of
from tools.documents.parsers.pdf.signs import is_invisible, mend, with_spaces
from tools.documents.parsers.torn_words import Vocabulary, join_lines
from tools.errors import ParseError

BODY = [
    "The committee looked at both methods for a whole year and found that the first one is",
    "the better choice for small towns, since it needs less money and fewer people to run it",
    "than anything else that had been tried before in the region, as the report says.",
]


def read(data: bytes, name: str = "") -> Extracted:
    return parse(Request(data, name))


def blocks(extracted: Extracted, *kinds: BlockKind) -> list[str]:
    return [
        extracted.text[b.start : b.end] for b in extracted.blocks if not kinds or b.kind in kinds
    ]


def test_a_bullet_far_from_its_text_marks_it_and_one_without_text_nothing() -> None:
    page = [
        (72, 720, 10, "Bring these things along:"),
        (72, 706, 14, "•"),
        (100, 706, 10, "a lamp that burns for a"),
        (100, 694, 10, "whole night"),
        (72, 682, 14, "•"),
        (100, 682, 10, "a rope"),
        (72, 670, 14, "•"),
        *lines(72, 640, BODY),
    ]
    extracted = read(pdf([page]))
    assert blocks(extracted, BlockKind.LIST_ITEM) == [
        "a lamp that burns for a whole night",
        "a rope",
    ]
    assert blocks(extracted, BlockKind.PARAGRAPH)[1:] == [" ".join(BODY)]


def test_list_items_have_their_lead_in_and_level() -> None:
    page = [
        (72, 720, 10, "Bring these things along:"),
        (80, 706, 10, "• a lamp that burns for a"),
        (88, 694, 10, "whole night"),
        (80, 682, 10, "• a rope"),
        (95, 670, 10, "1. of hemp"),
        (
            72,
            640,
            10,
            "Then the walk begins and goes on for two days through the woods near the old river.",
        ),
    ]
    extracted = read(pdf([page]))
    items = [b for b in extracted.blocks if b.kind == BlockKind.LIST_ITEM]
    assert [extracted.text[b.start : b.end] for b in items] == [
        "a lamp that burns for a whole night",
        "a rope",
        "of hemp",
    ]
    assert [b.level for b in items] == [1, 1, 2]
    context = [extracted.text[start:end] for start, end in items[2].context]
    assert context == ["Bring these things along:", "a rope"]


def test_a_dash_of_a_sentence_begins_no_list_item_where_a_line_begins_with_it() -> None:
    inside = [BODY[0], "– so its members say – " + BODY[1][:60], BODY[2]]
    extracted = read(pdf([lines(72, 720, [*inside, "The parts were", "– a lamp", "– a rope"])]))
    assert blocks(extracted, BlockKind.LIST_ITEM) == ["a lamp", "a rope"]
    assert blocks(extracted)[0].startswith(" ".join(inside[:2]))


def test_columns_that_stay_in_place_are_a_table_with_its_header_and_caption() -> None:
    rows = [
        ("Town", "Trees", "Parks"),
        ("Aville", "1,200", "4"),
        ("Beton", "900", "2"),
        ("Ceeburg", "75", "1"),
    ]
    placed = [
        (x, 690 - 14 * n, 10, cell)
        for n, row in enumerate(rows)
        for x, cell in zip((72, 200, 300), row, strict=True)
    ]
    extracted = read(
        pdf([[*lines(72, 740, BODY[:2]), (72, 706, 10, "Table 1: Trees by town."), *placed]])
    )
    row = next(b for b in extracted.blocks if extracted.text[b.start : b.end] == "Beton | 900 | 2")
    assert [extracted.text[start:end] for start, end in row.context] == [
        "Table 1: Trees by town.", "Town | Trees | Parks"
    ]  # fmt: skip


def test_a_cell_of_several_lines_stays_one_cell() -> None:
    placed = []
    for n, (name, text) in enumerate(
        [("North", ("cold and", "dry")), ("South", ("warm and", "wet")), ("East", ("mild", ""))]
    ):
        top = 700 - 40 * n
        placed += [
            (72, top, 10, name),
            (200, top, 10, text[0]),
            *([(200, top - 12, 10, text[1])] if text[1] else []),
        ]
    assert blocks(read(pdf([placed])), BlockKind.TABLE_ROW) == [
        "North | cold and dry", "South | warm and wet", "East | mild"
    ]  # fmt: skip


def test_a_page_break_joins_a_sentence_past_foot_matter_notes_and_figures() -> None:
    first = [
        (72, 760, 8, "Annual report of the committee"),
        *lines(
            72,
            700,
            [
                *BODY,
                "We praise the second method less than the first, which in our view is the best "
                "that",
            ],
        ),
        (72, 90, 7, "1 See the appendix for the details of the count."),
        (300, 40, 8, "11"),
    ]
    second = [
        (72, 760, 8, "Annual report of the committee"),
        (72, 720, 10, "Figure 2: How the towns voted."),
        *lines(
            72, 690, ["Europe has seen so far. The others were not tried in small towns at all."]
        ),
        (300, 40, 8, "12"),
    ]
    extracted = read(pdf([first, second]))
    assert "the best that Europe has seen so far." in extracted.text
    assert "Annual report" not in extracted.text and "12" not in extracted.text
    assert blocks(extracted, BlockKind.CAPTION) == ["Figure 2: How the towns voted."]
    assert blocks(extracted, BlockKind.FOOTNOTE) == [
        "1 See the appendix for the details of the count."
    ]
    assert extracted.text[extracted.pages[1].start :].startswith("Europe has seen")


def test_a_word_torn_at_the_end_of_a_page_is_mended() -> None:
    first = lines(
        72, 700, [*BODY[:2], "It is known for the care with which it was made, and the govern-"]
    )
    second = lines(
        72, 700, ["ment took it over in the end, as everybody had hoped for a long time."]
    )
    assert "and the government took it over" in read(pdf([first, second])).text


def test_the_words_of_a_table_of_contents_are_not_taken_for_page_numbers() -> None:
    contents = [
        (x, 700 - 14 * n, 10, text)
        for n in range(4)
        for x, text in ((72, f"Part {n}"), (500, str(n + 2)))
    ]
    pages = [contents, *([*lines(72, 700, BODY), (300, 40, 8, str(n))] for n in (2, 3, 4))]
    assert "Part 3 | 5" in read(pdf(pages)).text


@each(
    ("top", "title"),
    [
        (
            [
                (72, 740, 9, "arXiv:2103.15348v2 [cs.CV] 21 Jun 2021"),
                (72, 700, 18, "How towns keep cool"),
            ],
            "How towns keep cool",
        ),
        ([(72, 740, 22, "Abstract"), (72, 700, 18, "How towns keep cool")], "How towns keep cool"),
        (
            [(72, 740, 20, "Journal of Trees"), (72, 700, 18, "How towns keep cool")],
            "How towns keep cool",
        ),
        ([(72, 740, 18, "3.1 Layout of the towns")], "Paper 7"),
    ],
)
def test_a_title_is_no_stamp_no_running_head_and_no_heading_of_a_section(
    top: list[object], title: str
) -> None:
    extracted = read(pdf([[*top, *lines(72, 600, BODY)]]), "paper_7.pdf")  # type: ignore[list-item]
    assert extracted.title == title


@each(
    ("top", "title"),
    [
        (
            [(72, 720, 36, "Introducing to"), (72, 676, 36, "All the Committee on Towns")],
            "… to All the Committee on Towns",
        ),
        (
            [(72, 720, 36, "Introducing to"), (72, 660, 36, "All the Committee on Towns")],
            "… to",
        ),  # far below
        ([(72, 720, 36, "Introducing to"), (72, 686, 28, "All the Committee on Towns")], "… to"),
        ([(72, 720, 36, "Introducing to"), (72, 676, -36, "All the Committee on Towns")], "… to"),
        (
            [(72, 720, 36, "Introducing to"), (72, 676, 36, "Al Lee, Bo Chen, Cy Dee, Di Fox")],
            "… to",
        ),
    ],
)
def test_a_title_has_all_its_lines_where_its_page_has_few(top: list[Placed], title: str) -> None:
    pages = [[*top, (72, 500, 10, "March 2024")], lines(72, 720, BODY)]
    assert read(pdf(pages)).title == title.replace("…", "Introducing")


def test_a_title_in_a_font_of_one_width_is_no_program() -> None:
    pieces = [
        Piece("Towns at Night", 1, 72, 500, 700, 36, mono=True),
        *(Piece(line, 1, 72, 500, 600 - 12 * n, 10) for n, line in enumerate(BODY)),
        Piece("print(1)", 1, 72, 120, 500, 10, mono=True),
    ]
    kinds = [paragraph.kind for paragraph in paragraphs_of([rows_of(pieces)])]
    assert kinds == [None, None, BlockKind.CODE]


def test_text_drawn_twice_to_look_bold_is_read_once() -> None:
    page = [(72, 700, 12, "A bold line"), (72.4, 700, 12, "A bold line"), *lines(72, 660, BODY)]
    assert read(pdf([page])).text.count("A bold line") == 1


@each(
    ("raw", "text"),
    [
        ("\x1crst o\x1ece \x1bects \x1dow wa\x1fe", "first office ffects flow waffle"),
        ("\x0crst o\x0ece", "first office"),
        ("\ufb01nd \ufb02ow", "find flow"),
        ("\x10quoted\x11 a\x15b", "“quoted” a–b".replace("”", "”")),
        ("\uf0b7 item", "• item"),
        ("\uf06c item", "• item"),  # Wingdings
        ("\uf06c\uf071 \uf06e", "\uf06c\uf071 \uf06e"),  # words of a font without a map
        ("T\uf768\uf765 \uf731\uf739\uf737\uf730s", "The 1970s"),
        ("5\x1c", "5\x1c"),
        ("Acc´el´erateur Lin´eaire", "Accélérateur Linéaire"),
        ("M¨uller, Gar¸con, na¨ıve, Ho¸rava, ˇCech", "Müller, Garçon, naïve, Hoŗava, Čech"),
        ("´el`eve, m`ere", "élève, mère"),
        ("`alpha and `e' and ´end´ and x ´ y", "`alpha and `e' and ´end´ and x ´ y"),
        ("˜g, Mˆ, 5´ 3, 51˚30´E", "˜g, Mˆ, 5´ 3, 51˚30´E"),  # no such letters; places
        ("/˜ada, wˆi, xˆn", "/˜ada, wˆi, xˆn"),  # addresses, variables
        ("up-\u00ad\u2010to-\u2010date", "up-to-date"),
        ("a\u200bb \u200bc\u2060d\ufeff e\u200cf", "ab cd ef"),
        ("می\u200cخواهم و\u200c ", "می\u200cخواهم و\u200c "),  # Persian writes words so
    ],
)
def test_signs_of_broken_fonts_are_read_as_they_are_meant(raw: str, text: str) -> None:
    assert mend(raw) == text


def test_what_is_not_seen_is_no_piece_of_a_page() -> None:
    assert not list(filter(is_invisible, ("", "word", "a\u200b", "\u00ad")))
    assert is_invisible("\u200b\u200b")


def test_a_sign_that_a_font_gives_for_its_spaces_is_a_space() -> None:
    apostrophes = [line.replace(" ", "'") for line in BODY]
    assert read(pdf([lines(72, 660, apostrophes)])).text == " ".join(BODY)


@each(
    "text",
    [
        "l'eau, l'air et l'aide, d'un ami qu'il n'a pas vu, c'est tout ce qu'on dit " * 9,
        "['red','green','blue','white'], " * 20,
        "org.example.reader.pages.Text\n" * 30,
        "state-of-the-art,up-to-date\n" * 30,
    ],
)
def test_signs_between_letters_are_no_spaces_elsewhere(text: str) -> None:
    assert with_spaces(text) == text


ENGLISH = " ".join(BODY) * 3
GERMAN = (
    "Der Ausschuss hat die beiden Verfahren ein ganzes Jahr lang geprüft und ist zu dem Ergebnis "
    "gekommen, dass das "
    "erste für kleine Städte besser geeignet ist, weil es weniger Geld kostet und nicht so viele "
    "Leute braucht. "
) * 3


def shifted(text: str, by: int) -> str:
    return "".join(chr(ord(c) + by) if 32 < ord(c) + by < 127 and c != " " else c for c in text)


@each(
    "text", [ENGLISH, GERMAN, "12 14 18 | 19 20\n" * 80, "Übersicht", "", "漢字仮名交じり文" * 40]
)
def test_language_and_tables_pass(text: str) -> None:
    assert is_language(text)


@pytest.mark.parametrize("by", [-29, 3, 7])
def test_shifted_letters_are_no_language(by: int) -> None:
    assert not is_language(shifted(ENGLISH, by)) and not is_language(shifted(GERMAN, by))


def test_a_pdf_whose_text_is_no_language_says_so() -> None:
    letters = random.Random(4).sample([chr(n) for n in range(97, 123)], 26)
    secret = str.maketrans("abcdefghijklmnopqrstuvwxyz", "".join(letters))
    with pytest.raises(ParseError, match="not language"):
        read(pdf([lines(72, 700, [line.translate(secret) for line in BODY * 4])]))


@each(
    ("parts", "text"),
    [
        (["one", "two"], "one two"),
        (["exam-", "ple"], "example"),
        (["exam\u00ad", "ple"], "example"),
        (["exam\ufffe", "ple"], "example"),
        (["co\u00adop", "x"], "coop x"),
        (["Smith-", "Jones"], "Smith-Jones"),
        (["well-", "known"], "well-known"),
        (["state-of-the\ufffe", "art"], "state-of-the-art"),
        (["open\ufffe", "source"], "open-source"),
        (["copy\ufffe", "right"], "copyright"),
        (["10-", "20"], "10- 20"),
        (
            ["see https://example.org/a/", "b.html for it"],
            "see https://example.org/a/b.html for it",
        ),
        (["see https://example.org.", "The next"], "see https://example.org. The next"),
        (["", "  a   b ", "", "c"], "a b c"),
        ([], ""),
    ],
)
def test_lines_of_a_paragraph_are_joined(parts: list[str], text: str) -> None:
    vocabulary = Vocabulary.of(
        ["a well-known fact", "an open source of water", "open-minded", "a copy that is right"]
    )
    assert join_lines(parts, vocabulary) == text
