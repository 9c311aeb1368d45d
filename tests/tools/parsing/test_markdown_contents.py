"""What in a Markdown page is no text of it: lists of contents, names of pictures, marks."""

from tools.documents.model import Request
from tools.documents.parsers.formats import parse


def read(page: str) -> str:
    return parse(Request(page.encode(), "page.md")).text


def test_items_that_lead_to_sections_of_the_page_are_left_out() -> None:
    page = (
        "# Tuning\n\n- [How it works](#how-it-works)\n- The [difference](https://a.example/tuning.html#the-difference:)\n"
        "- [Elsewhere](other.md#far)\n- See [how it works](#how-it-works) before you begin with "
        "anything else\n\n"
        "## How it works\n\nSlowly.\n\n## The difference:\n\nNone."
    )
    assert read(page) == (
        "Tuning\n\n- Elsewhere\n- See how it works before you begin with anything else\n\n"
        "How it works\n\nSlowly.\n\nThe difference:\n\nNone."
    )


def test_a_list_of_sections_under_a_heading_of_its_own_is_text() -> None:
    page = (
        "# Groups\n\nWho works.\n\n## Working groups\n\n- [Build](#build)\n\n"
        "## Contents\n\n- [Build](#build)\n\n## Build\n\nIt builds."
    )
    assert read(page) == (
        "Groups\n\nWho works.\n\nWorking groups\n\n- Build\n\nContents\n\nBuild\n\nIt builds."
    )


def test_one_word_under_a_picture_is_the_name_of_its_file() -> None:
    assert (
        read("![activity_dia_3](a.png)\n\n![The pump from above](b.png)\n\nText.")
        == "The pump from above\n\nText."
    )


def test_one_word_of_a_picture_within_a_line_is_a_word_of_it() -> None:
    page = (
        "- [![help-wanted](a.svg)][1] for beginners\n- ![screen.png](b.png) as it looks\n\n[1]: /l"
    )
    assert read(page) == "- help-wanted for beginners\n- as it looks"


def test_an_underscore_within_a_word_is_no_mark() -> None:
    page = "_One_ of a_b_c, __init__ and *max_len_*, x_ and _y, größe_x_ and 2_000."
    assert read(page) == "One of a_b_c, init and max_len_, x_ and y, größe_x and 2_000."
