"""Which blocks of a page are kept: main text of web pages, all text of manuals, in the structure of
the page."""

from tools.documents.model import BlockKind, Extracted, Request
from tools.documents.parsers.html.page import parse

PROSE = "".join(
    f"<p>The wind farm number {n} delivered more power in its year of operation than its planners "
    "had expected.</p>"
    for n in range(20)
)
ITEMS = "<ul><li>Blades are checked twice a year by climbers.</li><li>Oil is changed</li></ul>"
TABLE = (
    "<table><tr><th>Site</th><th>Power in megawatts</th></tr><tr><td>North</td><td>12</td></tr>"
    "<tr><td>South ridge</td><td>15</td></tr></table>"
)
AROUND = "<nav><a href='/a'>Home</a></nav>"
TEASERS = "<footer><p>Subscribe to our newsletter to get all offers each week.</p></footer>"


def read(body: str, *, head: str = "", url: str = "") -> Extracted:
    page = (
        f"<html><head><title>Wind</title>{head}</head><body>{AROUND}<article>{body}</"
        f"article>{TEASERS}</body></html>"
    )
    return parse(Request(data=page.encode(), media_type="text/html", name="page.html", url=url))


def texts(extracted: Extracted, kind: BlockKind) -> list[str]:
    return [
        extracted.text[block.start : block.end] for block in extracted.blocks if block.kind == kind
    ]


def test_lists_and_tables_of_a_web_page_keep_their_structure() -> None:
    extracted = read(f"<h1>Wind</h1>{PROSE}{ITEMS}{TABLE}{PROSE}", url="https://example.org/wind")
    assert len(texts(extracted, BlockKind.LIST_ITEM)) == 2
    assert texts(extracted, BlockKind.TABLE_ROW)[-1] == "South ridge | 15"
    assert "newsletter" not in extracted.text


def test_a_manual_is_read_whole_but_for_its_menu() -> None:
    extracted = read(PROSE)
    assert "newsletter" in extracted.text and "Home" not in extracted.text


def test_a_saved_web_page_is_read_as_a_web_page() -> None:
    assert "newsletter" not in read(PROSE, head="<meta property='og:title' content='Wind'>").text
    assert (
        "newsletter"
        not in read(
            PROSE, head='<script type="application/ld+json">{"@type": "Article"}</script>'
        ).text
    )


def test_a_title_shown_twice_in_a_row_is_written_once() -> None:
    extracted = read(f"<h1>Wind on the hills</h1><h2>Wind on the hills</h2>{PROSE}")
    assert extracted.text.count("Wind on the hills") == 1
