"""What the pages of scholarly papers do: columns, headings, titles of several lines, references."""

from tests.tables import each
from tests.tools.parsing.making import bitmap_pdf, lines, pdf
from tests.tools.parsing.test_pdf_blocks import BODY, blocks, read
from tools.documents.model import BlockKind
from tools.documents.parsers.pdf.characters import Piece
from tools.documents.parsers.pdf.rows import Cell, Row
from tools.documents.parsers.pdf.tables import with_tables

LEFT = [f"The {n} towns of the region count all their trees" for n in range(8)]


def test_a_sentence_goes_on_in_the_next_column() -> None:
    right = ["and parks once in ten years, which is not often.", *LEFT]
    text = blocks(read(pdf([[*lines(72, 700, LEFT), *lines(330, 700, right)]])))[0]
    assert "count all their trees and parks once in ten years" in text


def test_cells_beside_each_other_are_no_columns_of_running_text() -> None:
    left, right = ["client", "program", "library"], ["five servers", "of a cell"]
    page = [*lines(72, 700, left), *lines(330, 705, right)]
    assert blocks(read(pdf([page]))) == ["client program library", "five servers of a cell"]


def test_a_heading_in_plain_type_stands_apart_from_the_text_below_it() -> None:
    page = [(72, 720, 10, "A. Notation of the model"), *lines(72, 702, BODY)]
    assert blocks(read(pdf([page]))) == ["A. Notation of the model", " ".join(BODY)]


def test_a_formula_that_pushes_the_next_line_down_ends_no_sentence() -> None:
    page = [*lines(72, 720, BODY[:2]), *lines(72, 690, ["than Anything else in the region."])]
    assert len(blocks(read(pdf([page])))) == 1


@each(
    ("title", "whole"),
    [
        (("How Towns Keep", "Cool and Dry"), "How Towns Keep Cool and Dry"),
        (("Keeping Cool:", "A Study of Towns"), "Keeping Cool: A Study of Towns"),
        (("How Towns Keep", "Cool\u2020"), "How Towns Keep Cool"),
        (("How Trees Find", "the Sun with A*"), "How Trees Find the Sun with A*"),
    ],
)
def test_a_title_has_all_its_lines_and_no_mark(title: tuple[str, str], whole: str) -> None:
    page = [(200, 700, 18, title[0]), (150, 678, 18, title[1]), *lines(72, 620, BODY)]
    extracted = read(pdf([page]))
    assert extracted.title == whole
    assert len(blocks(extracted, BlockKind.HEADING)) == 1


def test_numbered_headings_in_large_type_stay_two() -> None:
    page = [
        *lines(72, 720, BODY),
        (72, 670, 14, "2 Design"),
        (72, 652, 14, "2.1 Rationale"),
        *lines(72, 630, BODY),
    ]
    assert blocks(read(pdf([page])), BlockKind.HEADING) == ["2 Design", "2.1 Rationale"]


@each(
    ("stated", "title"),
    [
        ("Proceedings Template - WORD", "How towns keep cool"),
        ("arXiv:math/9404236v1 [math.HO] 1 Apr 1994", "How towns keep cool"),
        ("How Towns Keep Cool", "How Towns Keep Cool"),
    ],
)
def test_a_stated_title_is_believed_where_the_first_page_shows_it(stated: str, title: str) -> None:
    page = [(72, 700, 18, "How towns keep cool"), *lines(72, 640, BODY)]
    assert read(pdf([page], info=f"/Title ({stated})")).title == title


def test_a_stated_title_is_believed_where_the_first_page_shows_none() -> None:
    assert read(pdf([lines(72, 700, BODY)], info="/Title (Trees of the Region)")).title == (
        "Trees of the Region"
    )


def test_bookmarks_of_the_title_alone_leave_out_no_sections() -> None:
    first = [(72, 700, 18, "How towns keep cool"), (72, 660, 14, "Ann Lee"), *lines(72, 620, BODY)]
    second = [(72, 700, -12, "1 Trees"), *lines(72, 670, BODY)]
    outline = [("How towns keep cool", 1), ("Ann Lee", 1)]
    headings = blocks(read(pdf([first, second], outline=outline)), BlockKind.HEADING)
    assert "1 Trees" in headings


def test_weight_says_nothing_where_most_text_is_bold() -> None:
    bold = [(72, 700 - 12 * n, -10, line) for n, line in enumerate(BODY * 3)]
    labels = [(72, 500 - 40 * n, 10, f"label {n}") for n in range(6)]
    page = [*bold, *labels, (72, 200, -10, "Then we have")]
    assert not blocks(read(pdf([page])), BlockKind.HEADING)


@each(
    "last",
    ["ACM 21, 7 (Jul. 1978), 558-565.", "79(2), 325 (1997), 12", "7, 59, 77, 97, 105, 116"],
)
def test_a_reference_that_ends_in_numbers_is_no_row_of_a_table(last: str) -> None:
    page = lines(
        72, 700, [*BODY[:2], "Time and the order of events in a distributed system.", last]
    )
    assert not blocks(read(pdf([page])), BlockKind.TABLE_ROW)


def test_a_row_of_numbers_is_a_row_of_a_table() -> None:
    page = lines(72, 700, ["3823 79 187 8938", "4011 82 190 9002", "4100 84 201 9100"])
    assert len(blocks(read(pdf([page])), BlockKind.TABLE_ROW)) == 3


def test_the_label_of_a_reference_is_no_column_of_a_table() -> None:
    page = []
    for n, label in enumerate(("[HK70]", "[PPR96]", "[Can+89]")):
        page += [(72, 700 - 30 * n, 10, label), (130, 700 - 30 * n, 10, f"Held, M. Trees {n}.")]
    found = read(pdf([page]))
    assert not blocks(found, BlockKind.TABLE_ROW)
    assert "[HK70] Held, M. Trees 0." in found.text


def test_bitmap_fonts_are_as_large_as_their_letters() -> None:
    page = [(72, 700, 17, "How towns keep cool"), *lines(72, 640, BODY)]
    plain = [(x, y, size, text.replace(",", "").replace(".", "")) for x, y, size, text in page]
    assert read(bitmap_pdf(plain)).title == "How towns keep cool"


def row(base: float, *cells: tuple[str, float, float]) -> Row:
    return Row([Cell([Piece(text, 1, x0, x1, base, 12)]) for text, x0, x1 in cells])


def test_rows_of_which_each_falls_into_one_column_are_no_table() -> None:
    across = "and it goes to nothing where that goes to infinity"
    rows = [
        row(670, ("c", 495, 503), ("of", 509, 519)),  # beside a formula in the margin
        row(652, (across, 94, 480), ("as said.", 490, 520)),
        row(634, ("What is F(0)?", 94, 258), ("Nothing.", 275, 349)),
        row(616, ("f(0) = 0", 94, 252), ("t = 0", 276, 357)),
    ]
    assert with_tables(rows)[:2] == rows[:2]


@each(("size", "headings"), [(8, ["REFERENCES"]), (7, [])])
def test_references_in_small_type_begin_under_their_heading(size: int, headings: list[str]) -> None:
    page = [*lines(72, 700, BODY), (72, 600, size, "REFERENCES"), *lines(72, 570, BODY)]
    assert blocks(read(pdf([page])), BlockKind.HEADING) == headings
