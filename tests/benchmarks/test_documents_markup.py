"""Sentences and cells are counted on pages small enough to read."""

from benchmarks.documents_markup import reads_as_shown, stands_under
from tools.documents.model import Request
from tools.documents.parsers.html.page import parse


def test_a_sentence_counts_only_where_it_stands_whole_and_as_it_is_shown() -> None:
    page = parse(
        Request(b"<p>Use <code>open()</code>,\n then 2<sup>8</sup>.</p><p>Next one.</p>", "a.html")
    )
    assert reads_as_shown(page, "Use open(), then 2^8.")
    assert not reads_as_shown(page, "then 2^8. Next one.")


def test_a_cell_counts_only_under_the_header_of_its_own_table() -> None:
    first = (
        "<tr><th>Year</th><th>GW</th></tr><tr><td>2022</td><td>2</td></tr><tr><td>2023</"
        "td><td>3</td></tr>"
    )
    second = "<tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr>"
    page = parse(
        Request(f"<p>x</p><table>{first}</table><table>{second}</table>".encode(), "a.html")
    )
    assert stands_under(page, "2023", "GW", "3") and not stands_under(page, "2023", "Year", "3")
    assert stands_under(page, "c", "#2", "d") and not stands_under(page, "c", "GW", "d")
