"""What stands on a page without being part of its text."""

# ruff: noqa: E501 -- example markup reads better on one line

from tests.tables import each
from tools.documents.parsers.html.markup import placed_blocks
from tools.documents.parsers.html.page import parse_tree
from tools.documents.parsers.html.page_furniture import furniture


def text_of(markup: str) -> list[str]:
    placed = placed_blocks(parse_tree(f"<html><body>{markup}</body></html>").find("body"))
    return [
        block.block.text
        for block, outside in zip(placed, furniture(placed), strict=True)
        if not outside
    ]


LINKS = "".join(f"<li><a href='#part{n}'>{n}. Part</a></li>" for n in range(1, 5))


@each(
    "markup",
    [
        "<nav><ul><li><a href='/'>Home</a></ul></nav>",
        "<div role=navigation>Home</div>",
        "<div class='breadcrumbs'><a>Home</a> › <a>Leave</a></div>",
        "<ol class='breadcrumb'><li><a>Home</a><li>Leave</ol>",
        "<div id='cookie-banner'><p>We use cookies to make this site better.</p></div>",
        "<div class='share-bar'><a>Tweet</a><a>Share</a></div>",
        "<p><small>This page last modified on 2022-01-20 21:38:08 UTC</small></p>",
        "<p>Last updated: 3 May 2024</p>",
        "<p>Zuletzt bearbeitet am 3. Mai 2024</p>",
        f"<h2>Contents</h2><ul>{LINKS}</ul>",
        f"<div class=toc>{LINKS}</div>",
        "<div><a href='#a'>1. One</a></div><div><a href='#b'>2. Two</a></div><div><a href='#c'>3. Three</a></div>",
        "<div id=siteSub>From the free manual</div><div id='jump-to-nav'>Jump to: search</div>",
        "<div role=dialog><p>Sign in to go on.</p></div>",
    ],
)
def test_navigation_contents_notices_and_dates_of_change_are_left_out(markup: str) -> None:
    assert text_of(f"{markup}<p>Text of the page.</p>") == ["Text of the page."]


@each(
    ("markup", "text"),
    [
        ("<p>Last updated values win over earlier ones when rows conflict.</p>", "Last updated values win"),
        ("<ul><li><a href='other.html'>One</a><li><a href='more.html'>Two</a><li><a href='x.html'>Three</a></ul>", "Two"),
        ("<ul><li><a href='#a'>One</a>: the first kind of leave.</ul>", "One: the first kind"),
        ("<div class='cookie-recipe'><p>Bake for ten minutes.</p></div>", "Bake"),
        ("<div class='menu'><p>Soup of the day</p></div>", "Soup"),
        (f"<div class='toc'><p>{'A whole text in an oddly named container. ' * 10}</p></div>", "A whole text"),
    ],
)  # fmt: skip
def test_text_that_looks_like_furniture_stays(markup: str, text: str) -> None:
    assert any(block.startswith(text) for block in text_of(f"<p>Before.</p>{markup}"))
