"""The answer card: short answers, absence, passages block by block, cards of documents."""

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from benchmarks.screenshots import CHROMIUM, audit, opened
from engine.models import Citation, ResearchState
from engine.reports.report_document import (
    NO_DIFFERENCE,
    Answer,
    AnswerPassage,
    Block,
    Document,
    Quotation,
    Remark,
    Reply,
)
from tests.tables import each
from tests.ui import fake_research
from tests.ui.fake_engine import FakeEngine
from ui.web.views import block_view
from workflows.research.answer.model import (
    AnswerCard,
    AnswerItem,
    AnswerPart,
    Lead,
    OtherDocument,
    Searched,
    ShortAnswer,
)
from workflows.research.model import Contradiction, Evidence

STATE = fake_research.finished()
DONE = STATE.research_id
S1 = fake_research.SOURCES["S1"].source_id


def shown(answer: Answer, state: ResearchState = STATE) -> list[Block]:
    return Document(state).answer(answer)


def reply(answer: Answer) -> Reply:
    (block,) = (block for block in shown(answer) if isinstance(block, Reply))
    return block


def with_blocks(
    *blocks: tuple[str, str], marks: tuple[tuple[int, int], ...] = (), header: str = ""
) -> Quotation:
    """One passage of these blocks (kind, text), after a line of context."""
    evidence, start = [], 0
    for number, (kind, text) in enumerate(blocks):
        evidence.append(
            Evidence(f"B{number}", S1, "x", start, start + len(text), text, "q", 0.9, kind)
        )
        start += len(text) + 1
    context = [Evidence("H", S1, "x", 900, 900 + len(header), header, "q", 0.9)] if header else []
    state = replace(STATE, evidence=(*evidence, *context))
    text = "\n".join([*([header] if header else []), *(text for _, text in blocks)])
    passage = AnswerPassage(
        Lead(text, (Citation("S1", S1, "B0"),)), blocks[0][0],
        tuple(e.evidence_id for e in evidence), text,
        ("H",) if header else (), marks, source_id=S1, tag="S1",
    )  # fmt: skip
    return Document(state).quotation(passage)


def test_numbered_steps_keep_their_numbers_and_what_stands_under_them_its_bullets(
    browser: Any, fake: FakeEngine
) -> None:
    text = "1. Open.\n2. Import:\n  - CSV\n3. Quit."
    levels = {"Open.": 1, "Import:": 1, "CSV": 2, "Quit.": 1}
    evidence = tuple(
        Evidence(
            f"B{n}", S1, "x", at := text.index(q), at + len(q), q, "q", 0.9, "list_item", level
        )
        for n, (q, level) in enumerate(levels.items())
    )
    cite = Citation("S1", S1, "B0")
    passage = AnswerPassage(
        Lead("Open.", (cite,)),
        "list_item",
        tuple(e.evidence_id for e in evidence),
        text,
        source_id=S1,
    )
    answer = Answer("answered", "how_to", passages=(passage,))
    fake.states[DONE] = replace(STATE, answer=answer, evidence=(*STATE.evidence, *evidence))
    html = browser.get(f"/research/{DONE}").text
    items = re.findall(r'<li dir="auto"([^>]*)>(?:<mark>)?([A-Z][a-zA-Z]+)', html)
    assert [(label.strip(), word) for label,
        word in items if word in ("Open", "Import", "CSV", "Quit")] == [
        ('value="1"', "Open"), ('value="2"', "Import"), ('class="deep1 bullet"', "CSV"),
        ('value="3"', "Quit"),
    ]  # fmt: skip


def test_a_short_answer_stands_first_with_its_source_in_one_line(
    browser: Any, fake: FakeEngine
) -> None:
    short = ShortAnswer("9% <lower>", (Citation("S1", S1, "E7"),), "reader", 0.95)
    answer = replace(fake_research.ANSWER, intent="fact", verdict=None, written=(), short=short)
    fake.states[DONE] = replace(STATE, answer=answer)
    html = browser.get(f"/research/{DONE}").text
    assert '<h2 class="reply" dir="auto">9% &lt;lower&gt;</h2>' in html
    assert 'href="#p1" dir="auto">S1, Storage in the evening peak' in html


def test_what_no_judge_settled_is_called_passages_that_bear_on_it() -> None:
    unjudged = replace(fake_research.ANSWER, verdict=None, written=())
    assert block_view.caption(unjudged) == "Passages that bear on this"
    assert block_view.caption(replace(unjudged, intent="fact")) == ""


def test_absence_names_the_terms_and_keeps_the_closest_passages_apart(
    browser: Any, fake: FakeEngine
) -> None:
    parts = (AnswerPart("Which Zeppelin version do we run?", "not_found"),)
    near = fake_research.ANSWER.passages
    answer = Answer(
        "not_found", "fact", parts, absent_terms=("zeppelin",), closest=near, searched=Searched(240)
    )
    fake.states[DONE] = replace(STATE, answer=answer)
    html = browser.get(f"/research/{DONE}").text
    card = html[html.index('<div class="answer">') : html.index('class="row after"')]
    assert "Not found: “Zeppelin” is in none of the 240 texts searched." in card
    assert (
        "4 closest passages</summary>" in card
        and 'class="passages"' not in card.split("<details")[0]
    )


def test_a_part_that_is_not_answered_is_named() -> None:
    parts = (AnswerPart("How large?", "answered"), AnswerPart("How heavy?", "not_found"))
    assert shown(Answer("partial", "fact", parts)) == [Remark("Not found: How heavy?")]


def test_table_rows_stand_under_their_header_with_the_words_that_answer_marked() -> None:
    header, row = "Setting | Default | Range", "write_buffer | 64 MB | 8 MB to 4 GB"
    start = len(header) + 1 + row.index("64 MB")
    columns, groups = block_view.layout(
        with_blocks(("table_row", row), marks=((start, start + 5),), header=header)
    )
    ((_, (piece,)),) = groups
    assert columns == ("Setting", "Default", "Range")
    cells = [block_view.with_marks(cell, marks) for cell, marks in piece.cells()]
    assert cells == ["write_buffer", "<mark>64 MB</mark>", "8 MB to 4 GB"]


def test_empty_cells_at_either_end_of_a_row_keep_their_place_on_the_page() -> None:
    header, row = "| Adult | Child", "| 14 EUR |"
    start = len(header) + 1 + row.index("14")
    columns, groups = block_view.layout(
        with_blocks(("table_row", row), marks=((start, start + 6),), header=header)
    )
    ((_, (piece,)),) = groups
    assert columns == ("", "Adult", "Child")
    cells = [block_view.with_marks(cell, marks) for cell, marks in piece.cells()]
    assert cells == ["", "<mark>14 EUR</mark>", ""]


def test_items_that_follow_each_other_are_one_list_and_code_stays_code(browser: Any) -> None:
    passage = with_blocks(
        ("paragraph", "Do this:"), ("list_item", "Stop."), ("list_item", "Go."), ("code", "a\n  b")
    )
    _, groups = block_view.layout(passage)
    assert [(kind, len(pieces)) for kind, pieces in groups] == [
        ("paragraph", 1),
        ("list_item", 2),
        ("code", 1),
    ]


@each(("date", "words"), [
    ("2026-06-03", "3 June 2026"), ("2026-06", "June 2026"), ("2026", "2026"),
    ("2026-99", "2026-99"),
])  # fmt: skip
def test_a_passage_has_its_date_in_words_once(date: str, words: str) -> None:
    passage = replace(fake_research.ANSWER.passages[0], date=date, strength=f"{date}, page 3")
    assert block_view.passage_facts(passage) == [words, "page 3"]


@each(("searched", "words"), [
    (Searched(1, 1, own=True), "“Zeppelin” is not in your document."),
    (Searched(2, 1, own=True), "“Zeppelin” is in none of your 2 documents."),
    (Searched(1, 1), "“Zeppelin” is not in the text searched."),
    (Searched(1200, 1), "“Zeppelin” is in none of the 1,200 texts searched."),
])  # fmt: skip
def test_absence_is_said_of_one_text_as_of_many(searched: Searched, words: str) -> None:
    parts = (AnswerPart("When was the Zeppelin built?", "not_found"),)
    assert (
        words
        in reply(
            Answer("not_found", "fact", parts, absent_terms=("zeppelin",), searched=searched)
        ).text
    )


def test_documents_are_cards_and_those_beyond_six_fold(browser: Any, fake: FakeEngine) -> None:
    cards = tuple(
        AnswerCard(
            S1,
            "S1",
            f"Minutes <{n}>",
            "2026-05-08",
            "minutes",
            fake_research.ANSWER.passages[:1],
            ("dredging",),
        )
        for n in range(8)
    )
    fake.states[DONE] = replace(STATE, answer=Answer("answered", "overview", cards=cards))
    html = browser.get(f"/research/{DONE}").text
    assert (
        "Minutes &lt;7&gt;" in html and "2 more documents</summary>" in html and "dredging" in html
    )


def test_groups_of_documents_have_names_and_list_those_without_a_card(
    browser: Any, fake: FakeEngine
) -> None:
    others = (
        OtherDocument("Minutes of May", "2026-05-01", "may.md"),
        OtherDocument("June", None, "June"),
    )
    cards = tuple(
        AnswerCard(
            S1,
            "S1",
            f"Minutes {n}",
            None,
            "local",
            group=f"Dredging <{n // 2}>",
            others=others if n % 2 else (),
        )
        for n in range(8)
    )
    fake.states[DONE] = replace(STATE, answer=Answer("answered", "overview", cards=cards))
    html = browser.get(f"/research/{DONE}").text
    assert (
        html.count("Dredging &lt;0&gt; (4 documents)") == 1
        and "2 more documents of this group" in html
    )
    assert '<li dir="auto">Minutes of May, may.md, 2026-05-01</li><li dir="auto">June</li>' in html
    # Nobody has to open it to see what there is: one group, of two cards
    assert "1 more group: Dredging &lt;3&gt; (4 documents)</summary>" in html


def test_a_search_for_disagreement_that_found_none_says_so(browser: Any, fake: FakeEngine) -> None:
    passage = replace(fake_research.ANSWER.passages[0], heading_path=("Tides", "High <water>"))
    card = AnswerCard(S1, "S1", "Minutes", None, "local", (passage,))
    answer = Answer("answered", "disagreement", cards=(card,))
    fake.states[DONE] = replace(STATE, answer=answer, contradictions=())
    html = browser.get(f"/research/{DONE}").text
    assert NO_DIFFERENCE in html and "Tides › High &lt;water&gt;</p>" in html
    differing = Contradiction(
        "X1", "C1", "C2", "E1", "E2", "figures", "", "", "4 in one, 5 in the other"
    )
    fake.states[DONE] = replace(STATE, answer=answer, contradictions=(differing,))
    assert NO_DIFFERENCE not in browser.get(f"/research/{DONE}").text


def test_items_of_a_list_keep_their_tags(browser: Any, fake: FakeEngine) -> None:
    items = (
        AnswerItem("DELETE", "list_item", ("E7",), S1, "S1"),
        AnswerItem("WAL", "list_item", ("E7",), S1, "S1"),
    )
    fake.states[DONE] = replace(STATE, answer=Answer("answered", "list", items=items))
    html = browser.get(f"/research/{DONE}").text
    assert 'DELETE<span class="ev">[<a class="cite"' in html


def test_the_reader_marks_the_passages_of_the_answer(browser: Any, fake: FakeEngine) -> None:
    fake.states[DONE] = replace(STATE, answer=replace(fake_research.ANSWER, written=()),
        report=replace(
        fake_research.REPORT, sections=(), disagreements=()
    ))  # fmt: skip
    html = browser.get(f"/research/{DONE}/source/{S1}").text
    assert (
        '<mark id="p1">The winter evening mean was 9% lower' in html
        and f'href="/research/{DONE}#p1"' in html
    )


def test_every_kind_of_block_is_drawn_by_the_page() -> None:
    drawn = (Path(__file__).parents[3] / "templates" / "fragments" / "blocks.html").read_text()
    missing = {
        kind.__name__ for kind in get_args(Block) if f'kind == "{kind.__name__}"' not in drawn
    }
    assert missing == {"Heading", "Facing"}, "those of parts, and pairs, which stand face to face"


def test_a_record_of_the_api_carries_the_answer(browser: Any) -> None:
    record = browser.get(f"/api/v1/research/{DONE}").json
    assert (
        record["answer"]["status"] == "answered" and record["answer"]["passages"][0]["lead"]["text"]
    )


@pytest.mark.lab
@pytest.mark.skipif(not shutil.which(CHROMIUM), reason="Chromium is not installed")
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.parametrize("width", [375, 1440])
def test_a_source_opens_beside_the_text_at_its_passage(
    chrome: Any, fake: FakeEngine, root: str, width: int
) -> None:
    fake.states[DONE] = replace(STATE, answer=replace(fake_research.ANSWER, written=()))
    with opened(chrome, width, "light") as (page, messages):
        page.goto(f"{root}/research/{DONE}")
        places = "['#p1 .prose', '#p2 .prose'].map(one => document.querySelector(one).offsetTop)"
        before = page.evaluate(places)
        page.click("#p2 .doc a")
        page.wait_for_selector(".pane mark.target")
        assert page.evaluate(places) == before, "the text has moved"
        assert (
            "Across both winters" in page.inner_text(".pane mark.target")
            and audit(page, messages) == []
        )
        page.keyboard.press("k")
        page.wait_for_selector(".pane mark.target:has-text('The winter evening mean')")
        page.keyboard.press("Escape")
        assert page.locator(".pane").count() == 0
        assert page.evaluate("document.activeElement.closest('li').id") == "p1"
        page.click("#p2 .doc a")
        page.wait_for_selector(".pane mark.target")
        page.go_back()
        page.wait_for_selector(".pane", state="detached")
        assert page.url == f"{root}/research/{DONE}"


@pytest.mark.lab
@pytest.mark.skipif(not shutil.which(CHROMIUM), reason="Chromium is not installed")
@pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.parametrize("width", [375, 1440])
def test_the_answer_its_source_and_the_follow_up_are_in_view(
    chrome: Any, fake: FakeEngine, root: str, width: int
) -> None:
    short = ShortAnswer("9%", (Citation("S1", S1, "E7"),), "reader", 0.95)
    answer = replace(fake_research.ANSWER, intent="fact", verdict=None, written=(), short=short)
    fake.states[DONE] = replace(STATE, answer=answer)
    with opened(chrome, width, "dark") as (page, messages):
        page.set_viewport_size({"width": width, "height": 812 if width == 375 else 900})
        page.goto(f"{root}/research/{DONE}")
        foot = page.locator(".follow").bounding_box()
        assert foot and foot["y"] + foot["height"] <= (813 if width == 375 else 901)
        for part in (".reply", "#p1 .doc", "#p1 .prose"):
            box = page.locator(part).bounding_box()
            assert box and box["y"] + box["height"] <= foot["y"], part
        assert audit(page, messages) == []
