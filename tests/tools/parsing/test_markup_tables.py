"""Tables of HTML: forty of them, and in each the cell that is looked for stands under the right header."""

# ruff: noqa: E501 -- example markup reads better on one line

import pytest

from tests.tables import each
from tests.tools.parsing.test_markup import composed, texts
from tools.documents.model import Block, BlockKind
from tools.documents.parsers.blocks import Composed

GB = "<tr><th>Country</th><th>GW</th><th>Year</th></tr>"
ROWS = (
    "<tr><td>Spain</td><td>30</td><td>2023</td></tr><tr><td>Peru</td><td>2</td><td>2022</td></tr>"
)

# Markup, a text of the row, the column (or its number where there are no names), and the cell that stands there
TABLES = [
    (GB + ROWS, "Peru", "GW", "2"),
    (f"<thead>{GB}</thead><tbody>{ROWS}</tbody>", "Spain", "Year", "2023"),
    (f"<thead>{GB.replace('th>', 'td>')}</thead><tbody>{ROWS}</tbody>", "Spain", "GW", "30"),
    ("<tr><td><b>Country</b></td><td><strong>GW</strong></td></tr><tr><td>Spain</td><td>30</td></tr>", "Spain", "GW", "30"),
    ("<caption>Power</caption>" + GB + ROWS, "Peru", "Year", "2022"),
    ("<tr><th colspan=3>Wind power</th></tr>" + GB + ROWS, "Peru", "GW", "2"),
    ("<tr><th rowspan=2>Country</th><th colspan=2>GW</th></tr><tr><th>2022</th><th>2023</th></tr><tr><td>Spain</td><td>29</td><td>30</td></tr>", "Spain", "2023", "30"),
    ("<tr><th rowspan=2>Country</th><th colspan=2>GW</th></tr><tr><th>2022</th><th>2023</th></tr><tr><td>Spain</td><td>29</td><td>30</td></tr>", "Spain", "GW", "29"),
    (GB + "<tr><td rowspan=2>Spain</td><td>30</td><td>2023</td></tr><tr><td>29</td><td>2022</td></tr>", "29", "Country", "Spain"),
    (GB + "<tr><td rowspan=2>Spain</td><td>30</td><td>2023</td></tr><tr><td>29</td><td>2022</td></tr>", "29", "Year", "2022"),
    (GB + "<tr><td>Spain</td><td colspan=2>unknown</td></tr><tr><td>Peru</td><td>2</td><td>2022</td></tr>", "Spain", "Year", "unknown"),
    (GB + "<tr><td>Spain</td><td colspan=2>unknown</td></tr><tr><td>Peru</td><td>2</td><td>2022</td></tr>", "Peru", "Year", "2022"),
    (GB + "<tr><td>Spain</td><td></td><td>2023</td></tr>", "Spain", "Year", "2023"),
    (GB + "<tr><td>Spain</td><td>30</td></tr>", "Spain", "GW", "30"),
    (GB + "<tr><td>Spain</td><td rowspan=3>30</td><td>2023</td></tr><tr><td>Peru</td><td>2022</td></tr><tr><td>Chile</td><td>2021</td></tr>", "Chile", "Year", "2021"),
    (GB + "<tr><td>Spain</td><td rowspan=3>30</td><td>2023</td></tr><tr><td>Peru</td><td>2022</td></tr><tr><td>Chile</td><td>2021</td></tr>", "Peru", "GW", "30"),
    (GB + "<tr><td colspan=3>Europe</td></tr>" + ROWS, "Spain", "GW", "30"),
    (GB + "<tr><td>Spain</td><td>30<br>(est.)</td><td>2023</td></tr>", "Spain", "GW", "30 (est.)"),
    (GB + "<tr><td>Spain</td><td><p>30</p><p>more</p></td><td>2023</td></tr>", "Spain", "GW", "30 more"),
    (GB + "<tr><td>Spain</td><td><ul><li>wind<li>sun</ul></td><td>2023</td></tr>", "Spain", "GW", "wind; sun"),
    (GB + "<tr><td>Spain</td><td><code>a | b</code></td><td>2023</td></tr>", "Spain", "Year", "2023"),
    (GB + "<tr><td><a href=x>Spain</a><sup><a href='#n'>[1]</a></sup></td><td>30</td><td>2023</td></tr>", "Spain[1]", "GW", "30"),
    (GB + "<tr><th>Spain</th><td>30</td><td>2023</td></tr>", "Spain", "GW", "30"),
    (GB.replace("<th>Country</th>", "<th></th>") + "<tr><th>Spain</th><td>30</td><td>2023</td></tr>", "Spain", "Year", "2023"),
    (GB + "<tr><td>Spain</td><td><table><tr><th>Onshore</th><th>Offshore</th></tr><tr><td>29</td><td>1</td></tr></table></td><td>2023</td></tr>", "Spain", "GW", "Onshore: 29, Offshore: 1"),
    (GB + "<tr><td>Spain</td><td><table><tr><td>29</td><td>1</td></tr><tr><td>5</td><td>6</td></tr></table></td><td>2023</td></tr>", "Spain", "GW", "29, 1; 5, 6"),
    (GB + "<tr><td>Spain</td><td><table><tr><td>x</td><td><table><tr><td>y</td><td>z</td></tr></table></td></tr></table></td><td>2023</td></tr>", "Spain", "Year", "2023"),
    ("<tr><td>Spain</td><td>30</td></tr><tr><td>Peru</td><td>2</td></tr>", "Peru", 1, "2"),
    ("<tr><td>Spain</td><td>30</td></tr>", "Spain", 1, "30"),
    ("<tr><td rowspan=2>Europe</td><td>Spain</td></tr><tr><td>Italy</td></tr>", "Italy", 0, "Europe"),
    ("<tr><th>Capital</th><td>Madrid</td></tr><tr><th>Area</th><td>505,990 km<sup>2</sup></td></tr>", "Area", 1, "505,990 km^2"),
    ("<tr><td>?NNN</td><td width=20></td><td>A question mark.</td></tr><tr><td>:AAA</td><td></td><td>A colon.</td></tr>", ":AAA", 1, "A colon."),
    (GB + ROWS + "<tr><th>City</th><th>Metro</th><th>Opened</th></tr><tr><td>Lima</td><td>Line 1</td><td>2011</td></tr>", "Lima", "Opened", "2011"),
    (f"<colgroup><col><col></colgroup>{GB}<tbody>{ROWS}</tbody><tfoot><tr><td>All</td><td>32</td><td>-</td></tr></tfoot>", "All", "GW", "32"),
    (GB + "<tr><td>Spain<td>30<td>2023<tr><td>Peru<td>2<td>2022", "Peru", "Year", "2022"),
    (GB + "<tr><td colspan=abc>Spain</td><td rowspan=-4>30</td><td colspan=0>2023</td></tr>", "Spain", "Year", "2023"),
    ("<tr><th scope=col>Name</th><th scope=col colspan=2>Size</th></tr><tr><td>a</td><td>1</td><td>MB</td></tr>", "a", "Size", "1"),
    (GB + "<tr style='display:none'><td>Spain</td><td>99</td><td>1900</td></tr>" + ROWS, "Spain", "GW", "30"),
    (GB + "<tr><td>Spain</td><td>30<span style='display:none'>99</span></td><td>2023</td></tr>", "Spain", "GW", "30"),
    ("<tr><th>Error</th><th>Meaning</th></tr><tr><td><pre>EIO</pre></td><td>I/O <em>error</em>.</td></tr>", "EIO", "Meaning", "I/O error."),
]  # fmt: skip


def cells(page: Composed, block: Block) -> list[str]:
    row = page.text[block.start : block.end]
    return [cell.strip() for cell in f" {row} ".split(" | ")]


def test_there_are_forty_tables() -> None:
    assert len(TABLES) == 40


@each(("markup", "row", "column", "value"), TABLES)
def test_a_cell_stands_under_the_right_header(
    markup: str, row: str, column: str | int, value: str
) -> None:
    page = composed(f"<p>Before.</p><table>{markup}</table><p>After.</p>")
    row_block = next(
        b
        for b in page.blocks
        if b.kind == BlockKind.TABLE_ROW and not b.header and row in cells(page, b)
    )
    place = column
    if isinstance(column, str):
        headers = [b for b in page.blocks if b.header and (b.start, b.end) in row_block.context]
        place = next(
            cells(page, header).index(column) for header in headers if column in cells(page, header)
        )
    assert cells(page, row_block)[int(place)] == value


def test_the_caption_of_a_table_is_the_context_of_its_rows() -> None:
    page = composed(
        f"<figure><table>{GB}{ROWS}</table><figcaption>Wind power</figcaption></figure>"
    )
    row = next(b for b in page.blocks if page.text[b.start : b.end].startswith("Peru"))
    assert [page.text[start:end] for start, end in row.context] == [
        "Wind power",
        "Country | GW | Year",
    ]


LAYOUT = [
    "<table role=presentation><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>",
    "<table><tr><td>a</td></tr><tr><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td></tr></table>",
    f"<table><tr><td>a</td><td><p>b</p><p>c</p><p>d</p><p>{'long text ' * 100}</p></td></tr></table>",
]


@pytest.mark.parametrize("markup", LAYOUT)
def test_a_table_for_layout_is_text(markup: str) -> None:
    assert [text for text in texts(markup, BlockKind.PARAGRAPH) if len(text) == 1] == [
        "a",
        "b",
        "c",
        "d",
    ]


def test_a_data_table_inside_a_layout_table_keeps_its_rows() -> None:
    markup = (
        f"<table><tr><td>menu</td><td>{'text ' * 200}<table>{GB}{ROWS}</table></td></tr></table>"
    )
    assert texts(markup, BlockKind.TABLE_ROW) == [
        "Country | GW | Year",
        "Spain | 30 | 2023",
        "Peru | 2 | 2022",
    ]


@pytest.mark.lab
def test_spans_cannot_fill_the_memory() -> None:
    row = f"<tr><td colspan=1000 rowspan=1000>{'x' * 250}</td></tr>"
    assert (
        len(composed(f"<table><tr><th>a</th><th>b</th></tr>{row * 2000}</table>").text) < 5_000_000
    )
