"""The chance of blocks to be main text, and how good it has to be for a block to be kept."""

import time
from typing import Any

import pytest
from lxml import html

from tools.documents.parsers.html import main_text
from tools.documents.parsers.html.block_classifier import chances
from tools.documents.parsers.html.main_text import main_blocks
from tools.documents.parsers.html.markup import placed_blocks

NO_KIND = [0.0] * 7
ARTICLE = [1.0, *[0.0] * 6]
DISCUSSION = [1.0, 1.0, *[0.0] * 5]
PROSE = (
    "The wind farm number {} delivered more power in its year of operation than its planners "
    "had expected."
)
TEXT = "".join(f"<p>{PROSE.format(n)}</p>" for n in range(20))
MENU = (
    "<ul class='nav-menu'>"
    + "".join(f"<li><a href='/{n}'>Topic {n}</a></li>" for n in range(12))
    + "</ul>"
)
COMMENTS = (
    f"<div class='comments'>{''.join(f'<p>{PROSE.format(n)} I agree.</p>' for n in range(4))}</div>"
)
PAGE = (
    "<html><body><div "
    f"class='sidebar'>{MENU}</div><article>{TEXT}</article>{COMMENTS}</body></html>"
)


def read(kinds: list[float], page: str = PAGE) -> dict[str, float]:
    blocks = placed_blocks(html.document_fromstring(page).body)
    probabilities = chances(blocks, "Wind farms", kinds)
    return {placed.block.text: chance for placed, chance in zip(blocks, probabilities, strict=True)}


def test_running_text_has_a_good_chance_and_a_menu_a_bad_one() -> None:
    extracted = read(NO_KIND)
    assert min(chance for text, chance in extracted.items() if text.endswith("expected.")) > 0.8
    assert max(chance for text, chance in extracted.items() if text.startswith("Topic")) < 0.2


def test_an_article_is_read_without_its_comments_and_a_discussion_with_them() -> None:
    article, discussion = read(ARTICLE), read(DISCUSSION)
    comments = [text for text in article if text.endswith("I agree.")]
    assert comments and {article[text] for text in comments} == {0.0}
    assert all(discussion[text] > 0.0 for text in comments)


def test_an_article_that_is_nothing_but_comments_is_read_with_them() -> None:
    assert min(read(ARTICLE, f"<html><body>{COMMENTS}</body></html>").values()) > 0.0


def test_a_page_without_blocks_has_no_chances() -> None:
    assert chances([], "", NO_KIND) == []


def test_a_block_is_kept_whose_chance_is_at_least_a_half(monkeypatch: pytest.MonkeyPatch) -> None:
    def alternating(blocks: list[Any], *_: object) -> list[float]:
        return [0.5 if number % 2 else 0.499 for number in range(len(blocks))]

    monkeypatch.setattr(main_text, "chances", alternating)
    tree = html.document_fromstring(f"<html><body>{TEXT}{TEXT}</body></html>")
    blocks = placed_blocks(tree.body)
    assert main_blocks(tree, blocks, title="", is_web_page=True) == blocks[1::2]


MANUAL = "<div><p>{long}</p><p>no</p><p>{long}</p><div class='box'><p>doubtful</p></div></div>"


def text_blocks(page: str, of_text: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are kept of a page whose blocks have these chances."""
    monkeypatch.setattr(
        main_text, "chances", lambda blocks, *_: [of_text[placed.block.text] for placed in blocks]
    )
    tree = html.document_fromstring(page)
    blocks = main_blocks(tree, placed_blocks(tree.body), title="", is_web_page=True)
    return [placed.block.text for placed in blocks]


@pytest.mark.parametrize(
    ("box", "size", "expected"),
    [
        (0.19, 2000, ["no"]),  # a box that is plainly none of the text stays out
        (0.21, 2000, ["no", "doubtful"]),
        (0.21, 135, []),  # too little text to tell
        (0.21, 165, ["no", "doubtful"]),
    ],
)
def test_an_element_of_a_manual_that_is_mostly_text_is_text_throughout(
    monkeypatch: pytest.MonkeyPatch, box: float, size: int, expected: list[str]
) -> None:
    long = "word " * (size // 5)
    chance = {long.strip(): 0.9, "no": 0.3, "doubtful": box, PROSE: 0.9}
    page = f"<body>{f'<p>{PROSE}</p>' * 40}{MANUAL.format(long=long)}</body>"
    assert [
        text for text in text_blocks(page, chance, monkeypatch) if text in ("no", "doubtful")
    ] == expected


def test_a_page_with_its_text_straight_in_its_body_is_text_throughout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = "word " * 400
    page = f"<body><p>{long}</p><pre>code</pre><div><p>menu</p></div><p>{long}</p></body>"
    chance = {long.strip(): 0.9, "code": 0.3, "menu": 0.3}
    assert "code" in text_blocks(page, chance, monkeypatch)
    assert "menu" not in text_blocks(page, chance, monkeypatch)


def test_on_a_page_made_for_sharing_each_block_speaks_for_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = "word " * 400
    page = (
        "<head><meta property='og:title' "
        f"content='x'></head><body>{MANUAL.format(long=long)}</body>"
    )
    chance = {long.strip(): 0.9, "no": 0.3, "doubtful": 0.3}
    assert set(text_blocks(page, chance, monkeypatch)) == {long.strip()}


def test_a_deep_page_costs_little() -> None:
    depth, many = 3000, 20_000
    page = f"<html><body>{'<div>' * depth}{'<p>one more line of words</p>' * many}</body></html>"
    tree = html.document_fromstring(page, parser=html.HTMLParser(huge_tree=True))
    started = time.process_time()
    assert len(main_blocks(tree, placed_blocks(tree.body), title="", is_web_page=True)) <= many
    assert time.process_time() - started < 20
