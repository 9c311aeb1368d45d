"""The blocks of a report keep what makes a passage readable: places of list items, words as they
were typed."""

from dataclasses import replace
from typing import Any

from tests.tables import each
from tests.ui import fake_research
from tools.sources.source import Source
from workflows.research.answer.model import (
    Answer,
    AnswerCard,
    AnswerItem,
    AnswerPart,
    AnswerPassage,
    Lead,
    Searched,
    ShortAnswer,
)
from workflows.research.model import Contradiction, Evidence
from workflows.research.report.blocks import (
    Bullets,
    Facing,
    Grid,
    ItemList,
    Paragraph,
    PartKind,
    Piece,
    Quotation,
    card_facts,
    item_mark,
    table_header,
)
from workflows.research.report.document import Document, absence_sentence
from workflows.research.report.markdown import block_markdown
from workflows.research.report.model import Disagreement, Report
from workflows.research.report.sentences import Sentence
from workflows.research.state import ResearchState

TEXT = "1. Open the shell.\n2. Import:\n  - CSV\n  - TSV\n3. Quit."


def listed(text: str, quotes: list[str]) -> AnswerPassage:
    names = tuple(f"E{number}" for number, _ in enumerate(quotes))
    return AnswerPassage(Lead(quotes[0]), "list_item", names, text, source_id="s", tag="S1")


def test_items_of_a_list_keep_their_numbers_and_their_depth() -> None:
    quotes = ["Open the shell.", "Import:", "CSV", "TSV", "Quit."]
    evidence = tuple(
        Evidence(f"E{number}", "s", "a" * 64, 100 + TEXT.index(quote),
            100 + TEXT.index(quote) + len(quote), quote,
                 "", 0.0, "list_item", level)
        for number, (quote, level) in enumerate(zip(quotes, (2, 2, 3, 3, 2), strict=True))
    )  # fmt: skip
    block = Document(ResearchState("How?", evidence=evidence)).quotation(listed(TEXT, quotes))
    assert [(p.level, p.marker) for p in block.pieces] == [
        (0, "1."),
        (0, "2."),
        (1, "-"),
        (1, "-"),
        (0, "3."),
    ]
    assert ">    - CSV" in block_markdown(block) and "> 1. Open the shell." in block_markdown(block)


def test_items_of_an_older_record_are_as_deep_as_they_are_indented() -> None:
    quotes = ["Import:", "CSV"]
    text = "Import:\n  - CSV"
    evidence = tuple(
        Evidence(q, "s", "a" * 64, at := text.index(q), at + len(q), q, "", 0.0, "list_item")
        for q in quotes
    )
    passage = replace(listed(text, quotes), evidence_ids=tuple(quotes))
    pieces = Document(ResearchState("How?", evidence=evidence)).quotation(passage).pieces
    assert [(p.level, p.marker) for p in pieces] == [(0, "-"), (1, "-")]


def test_an_item_that_begins_a_passage_keeps_its_depth_below_a_later_one() -> None:
    text = "- Send it.\n2. Ask:\n  - The board"
    levels = {"Send it.": 2, "Ask:": 1, "The board": 2}
    evidence = tuple(
        Evidence(quote, "s", "a" * 64, at := text.index(quote), at + len(quote), quote,
                 "", 0.0, "list_item", level)
        for quote, level in levels.items()
    )  # fmt: skip
    passage = replace(listed(text, list(levels)), evidence_ids=tuple(levels))
    pieces = Document(ResearchState("How?", evidence=evidence)).quotation(passage).pieces
    assert [(p.level, p.marker) for p in pieces] == [(1, "-"), (0, "2."), (1, "-")]


def test_a_header_with_an_empty_first_cell_names_the_columns() -> None:
    pieces = (
        Piece("context", "The fares | of the ferry"),
        Piece("context", "| Adult | Child"),
        Piece("table_row", "Night | 20 EUR |", ((0, 14),)),
    )
    assert table_header(pieces) is pieces[1]
    assert [cell for cell, _ in pieces[1].cells()] == ["", "Adult", "Child"]
    assert pieces[2].cells() == [("Night", [(0, 5)]), ("20 EUR", [(0, 6)]), ("", [])]
    assert Piece("table_row", "| 14 EUR", ((2, 8),)).cells() == [("", []), ("14 EUR", [(0, 6)])]


def test_lines_stay_apart_and_a_sentence_that_goes_on_says_so() -> None:
    text = "Owls *sat*\non a wall and"
    evidence = Evidence("E0", "s", "a" * 64, 0, len(text), text, "", 0.0, "paragraph")
    passage = AnswerPassage(Lead(text), "paragraph", ("E0",), text, tag="S1", is_cut=True)
    state = ResearchState("How?", evidence=(evidence,))
    block = Document(state).quotation(passage)
    assert block_markdown(block).startswith("> Owls \\*sat\\*\\\n> on a wall and …\n")
    whole = Document(state).quotation(replace(passage, is_cut=False))
    assert "…" not in block_markdown(whole)
    late = Document(state).quotation(replace(passage, is_cut=False, begins_late=True))
    assert [piece.text for piece in late.pieces] == ["…", text]
    row = replace(state, evidence=(replace(evidence, kind="table_row"),))
    assert [piece.text for piece in Document(row).quotation(passage).pieces] == [text, "…"]


def test_the_name_of_a_picture_is_not_shown_and_a_sentence_below_one_is() -> None:
    text = "Owls sat.\n\nThe unlock screen\n\nTwo owls sit on a wall."
    text += "\n\nFares\n\nAdult | 3"
    parts = (
        ("paragraph", 0, 9),
        ("caption", 11, 28),
        ("caption", 30, 53),
        ("caption", 55, 60),
        ("table_row", 62, len(text)),
    )
    evidence = tuple(
        Evidence(f"E{n}", "s", "a" * 64, start, end, text[start:end], "", 0.0, kind)
        for n, (kind, start, end) in enumerate(parts)
    )
    ids = tuple(f"E{n}" for n in range(5))
    passage = AnswerPassage(Lead(text[:9]), "paragraph", ids, text, tag="S1")
    pieces = Document(ResearchState("How?", evidence=evidence)).quotation(passage).pieces
    texts = ["Owls sat.", "Two owls sit on a wall.", "Fares", "Adult | 3"]
    assert [piece.text for piece in pieces] == texts


@each(
    ("kind", "text", "shown"),
    [
        ("table_row", "| Adult | 12 EUR", "Adult · 12 EUR"),
        ("list_item", "Adult | 12 EUR", "Adult | 12 EUR"),
    ],
)
def test_a_row_is_listed_without_bars(kind: str, text: str, shown: str) -> None:
    item = AnswerItem(text, kind, (), "s", "S1")
    blocks = Document(ResearchState("?")).answer(Answer("answered", "list", items=(item,)))
    lists = [block for block in blocks if isinstance(block, ItemList)]
    assert [item.text for block in lists for item in block.items] == [shown]


@each(
    ("level", "marker", "shown"),
    [(0, "3.", "3."), (0, "-", "•"), (1, "*", "\u2003•"), (0, "a)", "a)")],
)
def test_an_item_is_shown_with_its_number_or_a_bullet(level: int, marker: str, shown: str) -> None:
    assert item_mark(Piece("list_item", "Quit", (), level, marker)) == shown


def test_items_stand_behind_the_first_passage_whose_list_they_go_on_with() -> None:
    quote = Evidence("E0", "s", "a" * 64, 0, 3, "One", "", 0.0, "paragraph")
    item = AnswerItem("Look", "list_item", ("E0",), "s", "S1")
    answer = Answer("answered", "list", passages=(listed("One", ["One"]),) * 2, items=(item,))
    blocks = Document(ResearchState("Which?", evidence=(quote,))).answer(answer)
    order = [type(block) for block in blocks if isinstance(block, (ItemList, Quotation))]
    assert order == [Quotation, ItemList, Quotation]


def test_absent_words_are_named_as_they_were_typed() -> None:
    parts = (AnswerPart("Does the ZEPPELIN fly to Köln?", "not_found"),)
    answer = Answer(
        "not_found", "fact", parts, absent_terms=("zeppelin", "koln"), searched=Searched(9, 9)
    )
    assert (
        absence_sentence(answer)
        == "Not found: “ZEPPELIN”, “Köln” are in none of the 9 texts searched."
    )
    phrase = replace(answer, absent_terms=("zeppelin fly",))
    assert absence_sentence(phrase).startswith("Not found: “ZEPPELIN fly” is in none of")
    local_answer = replace(answer, absent_terms=(), searched=Searched(1, 9, own=True))
    assert absence_sentence(local_answer) == "Not found: nothing in your document answers this."


def test_a_word_that_stands_nowhere_is_said_beside_the_passages() -> None:
    parts = (AnswerPart("Who called the juror?", "answered"),)
    answer = Answer(
        "answered", "fact", parts, absent_terms=("juror",), searched=Searched(1200, 9, own=True)
    )
    assert list(Document(ResearchState("?")).remarks(answer)) == [
        "“juror” is in none of your 1,200 documents."
    ]


def remarks(answer: Answer) -> list[str]:
    return list(Document(ResearchState("?")).remarks(answer))


def test_passages_that_may_not_answer_are_said_to_be_so_unless_a_judge_let_words_through() -> None:
    passage = AnswerPassage(Lead("I call."), "paragraph", ("E1",), "I call.")
    who = AnswerPart("Who called?", "answered", "fact", is_doubtful=True)
    doubtful = Answer("answered", "fact", (who,), passages=(passage,))
    assert remarks(doubtful) == ["These passages may not answer the question."]
    both = replace(doubtful, parts=(who, AnswerPart("When?", "answered", "fact")))
    assert remarks(both) == ["These passages may not answer this: Who called?"]
    assert not remarks(replace(doubtful, short=ShortAnswer("I", (), "reader", 0.9)))
    assert not remarks(replace(doubtful, written=(Sentence("s", "written", "I call."),)))
    assert not remarks(replace(doubtful, passages=()))


def test_an_answer_says_with_which_words_it_was_searched_for() -> None:
    part = AnswerPart("Wann wurde die Brücke gebaut?", "answered", "fact", "bridge, built")
    remarks = Document(ResearchState("?")).remarks(Answer("answered", "fact", (part,)))
    assert list(remarks) == ["Searched as: bridge, built"]


@each(
    ("title", "kind", "path", "shown"),
    [
        ("Croutons", "local", ("Directions",), ("Croutons", "Directions")),
        ("Croutons", "local", (), ("Croutons",)),
        ("Croutons", "local", ("Croutons", "Directions"), ("Croutons", "Directions")),
        ("Sessions", "local", ("7 Sessions", "7.1 Bindings"), ("7 Sessions", "7.1 Bindings")),
        ("croutons.md", "local", ("Directions",), ("Directions",)),
        ("Croutons", "web", ("Directions",), ("Directions",)),
    ],
)
def test_a_passage_of_a_document_is_headed_by_its_title(
    title: str, kind: Any, path: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    source = Source("s", "local://folder/croutons.md", title, source_type=kind, tag="S1")
    passage = replace(listed("Heat it.", ["Heat it."]), heading_path=path)
    block = Document(ResearchState("How?", sources=(source,))).quotation(passage)
    assert (block.path, block.headings) == (shown, path[1:] if path[:1] == (title,) else path)


@each(
    ("authors", "shown"),
    [
        ((), ""),
        (("Ada Okafor",), "by Ada Okafor"),
        (tuple("ABC"), "by A, B, C"),
        (tuple("ABCD"), "by A, B, C et al."),
    ],
)
def test_a_card_names_up_to_three_authors(authors: tuple[str, ...], shown: str) -> None:
    assert card_facts(AnswerCard("s", "S1", "Minutes", None, "local", authors=authors)) == shown


def test_older_records_keep_their_parts() -> None:
    state = fake_research.second()
    parts = [part for part in Document(state).parts() if part.kind == PartKind.OLDER]
    assert [part.heading for part in parts] == [
        "", "Verdict: contested", "Key findings", "Batteries against the alternatives",
    ]  # fmt: skip
    assert [type(part.blocks[0]) for part in parts] == [Paragraph, Paragraph, Bullets, Grid]


def test_pairs_stand_in_the_order_of_the_report_direct_contradictions_first() -> None:
    names = {"X2": "nuanced", "X10": "direct", "X3": "direct", "X4": "figures"}
    contradictions = tuple(
        Contradiction(name, "", "", "", "", nature, "", "", "") for name, nature in names.items()
    )
    report = Report("How?", disagreements=tuple(map(Disagreement, names)))
    (part,) = Document(ResearchState("How?", contradictions=contradictions, report=report)).parts()
    clashes = (block.contradiction for block in part.blocks if isinstance(block, Facing))
    assert [clash.contradiction_id for clash in clashes if clash] == ["X10", "X3", "X2", "X4"]


@each(
    ("heading", "path"),
    [
        ("Rye Act", ["Rye Act"]),
        ("Rye Act (RA)", ["Rye Act (RA)"]),
        ("The Rye Act", ["The Rye Act"]),
        ("Scope", ["Rye Act", "Scope"]),
        ("Rye Actors", ["Rye Act", "Rye Actors"]),
    ],
)
def test_the_title_of_a_document_stands_before_its_headings_once(
    heading: str, path: list[str]
) -> None:
    source = Source("s", "local://aa/rye.md", "Rye Act", source_type="local")
    passage = AnswerPassage(Lead("Rye."), "paragraph", (), "Rye.", heading_path=(heading,))
    assert list(Quotation(passage, (), source).path) == path
