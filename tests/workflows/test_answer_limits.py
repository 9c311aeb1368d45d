"""The numbers that decide what of the texts is shown: each at its edge, so that none can move
unnoticed."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest
from plain_deps import FakeCollection, World, documents_of

from tests.tables import each
from tools.documents.blocks import blocks_of_text
from tools.documents.model import Block, BlockKind, Passage
from tools.documents.parsers.blocks import compose
from tools.documents.parsers.text.markdown import blocks_of_markdown
from tools.reading.reader import READ, Candidate, Reading
from tools.reading.thesaurus import related
from workflows.research.answer.absence import Presence
from workflows.research.answer.collection import TextInfo
from workflows.research.answer.draft import Draft
from workflows.research.answer.forms import FORMS
from workflows.research.answer.forms.central import pieces
from workflows.research.answer.forms.comparison import (
    _parts,
    compared_things,
    comparison,
)
from workflows.research.answer.forms.instructions import _is_step, instructions
from workflows.research.answer.forms.listing import listing
from workflows.research.answer.forms.overview import cards
from workflows.research.answer.model import Answer, AnswerPassage, Lead, Searched
from workflows.research.answer.named_texts import title_stems
from workflows.research.answer.phase import rank_part
from workflows.research.answer.ranking import Ranked, rank_chunks
from workflows.research.answer.sections import sections_of
from workflows.research.answer.selection import (
    Selected,
    overlaps,
    select,
    select_shown,
    sure_enough,
)
from workflows.research.answer.windows import (
    Unit,
    Window,
    begins_late,
    grown_lead,
    is_cut,
    lead_text,
    units_within,
    window_around,
)
from workflows.research.answer.wording import is_named, word_for, word_in_english
from workflows.research.kinds import AnswerStatus
from workflows.research.model import RunConfig
from workflows.research.state import ResearchState
from workflows.research.understand.intent import Intent, intent_of
from workflows.research.understand.parts import Part, parts_of

QUESTION = "What is said of the mill?"


class Scored:
    """A reader that takes its scores from a table: by text, else what the search gave."""

    name = "scored"

    def __init__(
        self, passages: Mapping[str, float] | None = None, units: Mapping[str, float] | None = None
    ) -> None:
        self.passages, self.units = passages or {}, units or {}
        self.count = 0

    def read(
        self, question: str, candidates: Sequence[Candidate], *, units: bool = False
    ) -> list[Reading]:
        table = self.units if units else self.passages
        self.count = max(self.count, len(candidates))
        return [
            Reading(table.get(candidate.text, candidate.retrieval if not units else 0.5))
            for candidate in candidates
        ]


class Found(FakeCollection):
    """A collection in which each query finds what a table says, with its score."""

    def __init__(
        self, texts: Sequence[str], hits: Mapping[str, Sequence[tuple[int, float]]] | None = None
    ) -> None:
        """hits: by query the numbers of texts with their scores; a query that is not named finds
        all."""
        super().__init__(
            World({f"Text {n}": ("local", text) for n, text in enumerate(texts)}),
            ResearchState("?"),
        )
        self._hits = hits or {}

    def search(
        self, query: str, limit: int, among: object = None, meaning: bool = True
    ) -> Sequence[Passage]:
        keys = [info.snapshot_id for info in self.texts()]
        rows = self._hits.get(query, [(n, 1 - n / 1000) for n in range(len(keys))])
        return [
            Passage(keys[n], 0, len(self.text(keys[n])), self.text(keys[n]), score)
            for n, score in rows
        ][:limit]


class Marked(FakeCollection):
    """Markdown documents by title, with the blocks that their parser gives."""

    def __init__(self, documents: Mapping[str, str]) -> None:
        parsed = {title: compose(blocks_of_markdown(text)) for title, text in documents.items()}
        world = World({title: ("local", document.text) for title, document in parsed.items()})
        super().__init__(world, ResearchState("?"))
        self._parsed = {document.text: document.blocks for document in parsed.values()}

    def blocks(self, snapshot_id: str) -> Sequence[Block]:
        return self._parsed[self.text(snapshot_id)]


def probability(points: float) -> float:
    """The score of a chunk that is so many points ahead of one of 0.5, in the order of passages."""
    return 1 / (1 + math.exp(-points / 0.17))


def part_of(question: str = QUESTION) -> Part:
    return parts_of(question)[0]


def shown(selected: Sequence[Selected], collection: FakeCollection) -> list[str]:
    return [
        collection.text(passage.snapshot_id)[passage.window.start : passage.window.end]
        for passage in selected
    ]


def steps_of(draft: Draft, collection: FakeCollection) -> list[str]:
    return [
        collection.text(step.snapshot_id)[step.block.start : step.block.end] for step in draft.steps
    ]


LETTERS = "abcdefghijklmnopqrstuvwxyz"
MILLS = [
    f"The mill {first}{second}ra grinds {first}{second}lo."
    for first in LETTERS[:7]
    for second in LETTERS[:10]
]


# --- which passages are read and chosen -----------------------------------------------------------


def test_fifty_chunks_are_read_and_of_the_best_twelve_the_sentences() -> None:
    collection = Found(MILLS)
    collection.reader = reader = Scored()
    ranked = rank_chunks(part_of(), collection)
    assert (len(ranked), reader.count) == (50, 50)
    for last, first in ((11, True), (12, False)):  # one that a model finds best by far
        passage, reading = ranked[last].passage, replace(ranked[last].reading, by_model=3.0)
        rated = [*ranked[:last], Ranked(passage, reading), *ranked[last + 1 :]]
        (best,) = select(part_of(), rated, collection, 1)
        assert (best.snapshot_id == ranked[last].passage.snapshot_id) == first


def test_eight_passages_are_made_ready() -> None:
    collection = Found(MILLS)
    assert len(select(part_of(), rank_chunks(part_of(), collection), collection)) == 8


@pytest.mark.parametrize(("questions", "answers"), [(29, True), (31, False)])
def test_the_answer_to_a_question_begins_within_300_characters(
    questions: int, answers: bool
) -> None:
    collection = Found(["Is it old? " + "Is it so? " * questions + "The mill is old."])
    collection.reader = Scored(units={"Is it old?": 0.9})
    (best,) = select(part_of(), rank_chunks(part_of(), collection), collection)
    text = collection.text(best.snapshot_id)[best.lead.start : best.lead.end]
    assert (text == "The mill is old.") == answers


@pytest.mark.parametrize(("ahead", "first"), [(0.19, 0), (0.24, 1)])
def test_the_share_of_the_question_that_is_shown_counts_for_the_order(
    ahead: float, first: int
) -> None:
    texts = ["The mill has a weir.", "The weir is old."]
    collection = Found(texts)
    collection.reader = Scored(dict(zip(texts, (0.5, probability(ahead)), strict=True)))
    part = part_of("Where are mill weir?")
    chosen = select(part, rank_chunks(part, collection), collection)
    assert shown(chosen, collection)[0] == texts[first]


class Abstracts(Found):
    """Texts that are abstracts of works."""

    def info(self, snapshot_id: str) -> TextInfo:
        return replace(super().info(snapshot_id), abstract=True)


@each(
    ("question", "ahead", "first"),
    [
        ("Does the mill grind corn?", 0.7, False),
        ("Does the mill grind corn?", 0.8, True),
        ("What is a mill?", 0.45, True),
        ("When was the mill built?", 0.45, True),
        ("How many mills are there?", 0.45, True),
    ],
)
def test_the_end_of_an_abstract_counts_more_unless_a_figure_is_asked_for(
    question: str, ahead: float, first: bool
) -> None:
    aim, statement = "The aim is to see what the mill is.", "It is the mill that was not seen yet"
    collection = Abstracts([f"{aim} {statement}."])
    collection.reader = Scored(units={aim: 0.2 + ahead, f"{statement}.": 0.2})
    (passage,) = select(part_of(question), rank_chunks(part_of(question), collection), collection)
    text = collection.text(passage.snapshot_id)
    assert (text[passage.lead.start : passage.lead.end] == aim) == first


@pytest.mark.parametrize(("words", "whole"), [(99, True), (105, False)])
def test_a_hundred_words_of_an_abstract_are_shown(words: int, whole: bool) -> None:
    sentences = ["The mill grinds corn."] + ["That mill grinds corn there still."] * (
        (words - 4) // 6 + 1
    )
    text = " ".join(" ".join(sentences).split()[:words]) + "."
    collection = Abstracts([text])
    part = part_of("Does the mill grind corn?")
    (passage,) = select(part, rank_chunks(part, collection), collection)
    assert (passage.window.start == 0) == whole and passage.window.end == len(text)


@each(
    ("name", "ahead", "first"),
    [("title", 0.8, 0), ("title", 0.98, 1), ("heading", 0.23, 0), ("heading", 0.29, 1)],
)
def test_a_document_or_section_that_the_question_names_is_preferred(
    name: str, ahead: float, first: int
) -> None:
    line, other = "The mill is old.", "The mill was sold."
    page = f"# Mill\n\n{line}" if name == "heading" else line
    collection = Marked({"Mill" if name == "title" else "Text": page, "Other text": other})
    collection.reader = Scored()
    keys = [info.snapshot_id for info in collection.texts()]
    passages = [
        Passage(key, 0, len(collection.text(key)), collection.text(key), 0.5) for key in keys
    ]
    ranked = [Ranked(passages[0], Reading(0.5)), Ranked(passages[1], Reading(probability(ahead)))]
    assert shown(select(part_of(), ranked, collection), collection)[0].endswith(
        (line, other)[first]
    )


@pytest.mark.parametrize(("ahead", "first"), [(0.09, 0), (0.11, 1)])
@each(
    ("reading", "other"),
    [
        (Reading(0.5, by_model=0.1), Reading(0)),
        (Reading(0.5, 0, [(0, 3, 1.0)], 0.05), Reading(0, 0, [(0, 3, 0.1353)], 0.05)),
    ],
)
def test_what_a_reading_model_says_counts_for_the_order(
    reading: Reading, other: Reading, ahead: float, first: int
) -> None:
    lines = ("The mill is old.", "The mill was sold.")
    collection = Found(lines)
    collection.reader = Scored()
    hits = collection.search("", 2)
    ranked = [Ranked(hits[0], reading), Ranked(hits[1], replace(other, score=probability(ahead)))]
    assert shown(select(part_of(), ranked, collection), collection)[0] == lines[first]


@pytest.mark.parametrize(("by_model", "first"), [(1.55, 1), (1.58, 0)])
def test_what_the_reader_holds_impossible_has_a_chance_of_one_in_ten_thousand(
    by_model: float, first: int
) -> None:
    lines = ("The mill is old.", "The mill was sold.")
    collection = Found(lines)
    collection.reader = Scored()
    hits = collection.search("", 2)
    ranked = [Ranked(hits[0], Reading(0.0, by_model)), Ranked(hits[1], Reading(0.5))]
    assert shown(select(part_of(), ranked, collection), collection)[0] == lines[first]


@each(
    ("log_odds", "count"),
    [
        # the first: a little more than 1.5 below the likeliest, a little less
        ((0.0, 1.6, 1.6), 2),
        ((0.0, 1.4, 1.4), 3),
        # the second
        ((2.1, 0.0, 2.1), 2),
        ((1.9, 0.0, 1.9), 3),
        # the third
        ((0.8, 0.8, 0.0), 2),
        ((0.7, 0.7, 0.0), 3),
        ((None, None, None), 3),
    ],
)
def test_a_passage_that_a_model_finds_far_less_likely_than_the_best_is_left_out(
    log_odds: Sequence[float | None], count: int
) -> None:
    collection = Found(["The mill is old.", "The mill was sold.", "A mill has a wheel."])
    collection.reader = Scored()
    readings = [Reading(0.5, log_odds=odds) for odds in log_odds]
    ranked = list(map(Ranked, collection.search("", 3), readings))
    assert len(select_shown(part_of(), ranked, collection)) == count
    assert len(select(part_of(), ranked, collection)) == 3  # what a writer is given


@each(("read", "is_chosen"), [(READ, False), (READ + 1, True)])
def test_passages_are_chosen_from_all_that_a_model_read(read: int, is_chosen: bool) -> None:
    lines = [f"The mill {number} is old." for number in range(READ + 1)]
    collection = Found(lines)
    collection.reader = Scored()
    readings = [
        Reading(0.5, by_model=float(number == READ), begins=[(0, 3, 0.0)] * (number < read))
        for number in range(READ + 1)
    ]
    ranked = list(map(Ranked, collection.search("", READ + 1), readings))
    assert (lines[-1] in shown(select(part_of(), ranked, collection), collection)) == is_chosen


@each(("share", "lead"), [(0.2, "The mill is old."), (0.3, "It was sold.")])
def test_where_a_model_finds_the_answer_counts_for_the_lead(share: float, lead: str) -> None:
    text = "The mill is old. It was sold."
    collection = Found([text])
    collection.reader = Scored(units={"The mill is old.": 0.5, "It was sold.": 0.25})
    (hit,) = collection.search("", 1)
    start = text.index("It")
    reading = Reading(0.5, begins=[(0, 3, 0.0), (start, start + 2, share)], lead_weight=1.0)
    (passage,) = select(part_of(), [Ranked(hit, reading)], collection)
    assert text[passage.lead.start : passage.lead.end] == lead


def test_whether_something_is_so_is_answered_by_the_conclusion_whatever_a_model_finds() -> None:
    text = "The aim is to see what the mill is. It was sold."
    collection = Abstracts([text])
    collection.reader = Scored()
    (hit,) = collection.search("", 1)
    reading = Reading(0.5, by_model=0.2, begins=[(0, 3, 1.0)], begins_weight=1.0, lead_weight=1.0)
    for question, lead, by_model in (
        ("Does the mill grind corn?", "It was sold.", 0.2),
        ("How does the mill grind corn?", "The aim is to see what the mill is.", 0.2),
    ):
        part = part_of(question)
        (passage,) = select(part, [Ranked(hit, reading)], collection)
        assert text[passage.lead.start : passage.lead.end] == lead
        assert passage.by_model == pytest.approx(by_model)


@pytest.mark.parametrize(
    ("ahead", "first"), [(0.3, "The mill is old."), (0.33, "The mill was sold.")]
)
def test_the_beginning_of_a_document_named_in_the_question_counts_for_the_order(
    ahead: float, first: str
) -> None:
    beginning, later = "The mill is old.", "The mill was sold."
    between = "Corn. " * 163
    text = f"{beginning}\n\n{between:<980}\n\n{later}"
    collection = Found([text])
    key = collection.texts()[0].snapshot_id
    collection._infos[key] = replace(collection.info(key), title="Mill")
    collection.reader = Scored()
    start = text.index(later)
    assert start == 1000
    ranked = [
        Ranked(Passage(key, 0, len(beginning), beginning, 0.5), Reading(0.5)),
        Ranked(Passage(key, start, len(text), later, 0.5), Reading(probability(ahead))),
    ]
    passage = select(part_of(), ranked, collection)[0]
    assert text[passage.lead.start : passage.lead.end] == first


@each(
    ("texts", "asked", "shared", "beside"),
    [
        (Found, 8, 1, True),
        (Abstracts, 4, 3, True),
        (Abstracts, 6, 4, False),
    ],
)
def test_an_abstract_covers_seven_tenths_of_the_best(
    texts: type[Found], asked: int, shared: int, beside: bool
) -> None:
    terms = "karva lorun mestik pavol tirsan wesdil yorgat zumler".split()[:asked]
    collection = texts([f"Here {' '.join(terms)} meet.", f"There {' '.join(terms[:shared])}."])
    part = part_of(f"Where are {' '.join(terms)}?")
    chosen = select(part, rank_chunks(part, collection), collection)
    assert (len(chosen) == 2) == beside


def test_an_abstract_without_a_word_of_the_question_is_not_shown() -> None:
    collection = Abstracts(["They live in the forest."])
    part = part_of("Where does the karva lorun nest?")
    assert select(part, rank_chunks(part, collection), collection) == []


@each(
    ("asked", "shared", "log_odds", "beside"),
    [
        (8, 7, None, True),  # an eighth less
        (6, 5, None, False),  # a sixth less
        (6, 5, 0.0, False),
        (6, 5, 0.1, True),
    ],
)
def test_a_passage_adds_to_one_that_says_more_where_it_is_likelier_to_answer(
    asked: int, shared: int, log_odds: float | None, beside: bool
) -> None:
    terms = "karva lorun mestik pavol tirsan wesdil yorgat zumler".split()[:asked]
    collection = Found([f"Here {' '.join(terms)} meet.", f"There {' '.join(terms[:shared])}."])
    part = part_of(f"Where are {' '.join(terms)}?")
    ranked = [
        replace(chunk, reading=replace(chunk.reading, log_odds=odds))
        for chunk, odds in zip(
            rank_chunks(part, collection),
            (None if log_odds is None else 0.0, log_odds),
            strict=True,
        )
    ]
    assert (len(select_shown(part, ranked, collection)) == 2) == beside
    assert len(select(part, ranked, collection)) == 2  # what a writer is given


@pytest.mark.parametrize(("score", "first"), [(0.65, 0), (0.55, 1)])
def test_a_passage_found_by_like_words_counts_three_fifths(score: float, first: int) -> None:
    texts = ["The mill is old.", "The windmill was sold."]
    part = part_of()
    collection = Found(texts, {part.query: [(0, score)], "windmill": [(1, 1.0)]})
    collection.reader = Scored()
    ranked = rank_chunks(part, collection, related="windmill")
    assert ranked[0].passage.text == texts[first]


@pytest.mark.parametrize(("shared", "count"), [(17, 1), (16, 2)])
def test_passages_that_share_85_of_a_hundred_words_are_one(shared: int, count: int) -> None:
    words = [f"w{letter}x" for letter in LETTERS[:20]]
    other = [word if n < shared else f"{word}y" for n, word in enumerate(words)]
    assert _passages_of(words, other) == count


@pytest.mark.parametrize("figure", ["2019", "not"])
def test_passages_are_two_where_another_word_stands_in_the_lead(figure: str) -> None:
    words = [f"w{letter}x" for letter in LETTERS[:20]]
    assert _passages_of(words, [figure, *words[1:]]) == 2


def _passages_of(words: Sequence[str], other: Sequence[str]) -> int:
    """How many of two passages are shown, whose lead is their first ten words."""
    halves = [(" ".join(text[:10]), " ".join(text[10:])) for text in (words, other)]
    texts = [f"{lead}. {rest.capitalize()}." for lead, rest in halves]
    collection = Found(texts)
    part = replace(part_of("Where is the wax?"), question=" ".join(words[:3]))
    ranked = [Ranked(hit, Reading(0.5)) for hit in collection.search("", 9)]
    return len(select(part, ranked, collection))


@pytest.mark.parametrize(("shared", "same"), [(33, True), (27, False)])
def test_a_passage_may_stand_in_another_by_three_tenths(shared: int, same: bool) -> None:
    block = Block(BlockKind.PARAGRAPH, 0, 200)

    def selected(start: int, end: int) -> Selected:
        window = Window(start, end, (block,), (), block.kind, ())
        return Selected("s", window, Unit(start, end, block), 0.5, 0.5)

    assert overlaps(selected(0, 100), [selected(100 - shared, 200)]) == same


@pytest.mark.parametrize(("score", "alone"), [(0.95, True), (0.85, False)])
def test_nine_in_ten_is_sure_enough_for_words_to_stand_alone(score: float, alone: bool) -> None:
    block = Block(BlockKind.PARAGRAPH, 0, 20)
    window = Window(0, 20, (block,), (), block.kind, ())
    part = replace(part_of(), intent=Intent.FACT)
    assert sure_enough(part, Selected("s", window, Unit(0, 20, block), 0.5, (0, 4), score)) == alone


# --- windows --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("room", "cut"), [(31, True), (29, False)])
def test_a_longer_sentence_is_begun_where_thirty_words_of_room_are_left(
    room: int, cut: bool
) -> None:
    first = "Mills " + "grind " * (118 - room) + "corn."
    text = f"{first} {'Wheat ' * 60}grows."
    block = Block(BlockKind.PARAGRAPH, 0, len(text))
    window = window_around(text, [block], Unit(0, len(first), block))
    assert (window.end > len(first)) == cut == is_cut(text, [block], window)


@pytest.mark.parametrize(
    ("after", "shown", "cut"),
    [
        ("- {words}", 2, True),
        ("- short", 3, False),
        ("\nA paragraph.", 3, False),
        ("\n## Next\n- {words}", 2, False),
    ],
)
def test_a_list_of_which_more_would_fit_no_passage_goes_on(
    after: str, shown: int, cut: bool
) -> None:
    after = after.format(words="grain " * 120)
    composed = compose(blocks_of_markdown(f"# Mills\n- {'Wheat ' * 60}\n- {'Oats ' * 50}\n{after}"))
    text, blocks = composed.text, composed.blocks
    window = window_around(text, blocks, Unit(blocks[1].start, blocks[1].end, blocks[1]))
    assert (len(window.blocks), is_cut(text, blocks, window)) == (shown, cut)


def test_a_passage_neither_begins_nor_ends_with_the_caption_of_a_figure() -> None:
    text = "The dialog\n\nOpen it.\n\nThe menu\n\nShut it.\n\nThe end"
    kinds = {"The dialog": "caption", "Open it.": "paragraph", "The menu": "caption",
             "Shut it.": "paragraph", "The end": "caption"}  # fmt: skip
    blocks = [
        Block(BlockKind(kind), at := text.index(words), at + len(words))
        for words, kind in kinds.items()
    ]
    for main, shown in ((1, blocks[1:4]), (0, blocks[:4]), (4, blocks[1:])):
        window = window_around(
            text, blocks, Unit(blocks[main].start, blocks[main].end, blocks[main])
        )
        assert list(window.blocks) == shown


def test_a_sentence_before_a_table_is_shown_with_its_rows() -> None:
    for head in ("", "| Key | Use |\n|---|---|\n"):
        rows = "| 5 | opens it |\n| 6 | shuts it |\n"
        table = head + rows if head else f"<table>{'<tr><td>5<td>opens<tr><td>6<td>shuts'}</table>"
        page = (
            f"# Keys\n\nPress one of these, or the default 5, which includes:\n\n{table}\n\nMore."
        )
        composed = compose(blocks_of_markdown(page))
        text, lead = composed.text, composed.blocks[1]
        window = window_around(text, composed.blocks, Unit(lead.start, lead.end, lead))
        shown = [text[block.start : block.end] for block in window.blocks]
        assert shown[0].endswith("includes:") and shown[-1].startswith("6 | shuts"), head


@each(
    ("section", "end"),
    [
        (
            "These limits hold:\n\n### Mills\n\nThree.\n\n### Pumps\n\n- One.\n\n## Wells\n\nNone.",
            "One.",
        ),
        ("These limits hold.\n\n### Mills\n\nThree.", "hold."),
        ("These limits hold:\n\n## Wells\n\nNone.", "hold:"),
        (f"These limits hold:\n\n### Mills\n\n{'Three. ' * 120}", "hold:"),
    ],
)
def test_what_a_lead_in_leads_to_may_stand_under_headings(section: str, end: str) -> None:
    composed = compose(blocks_of_markdown(f"# Limits\n\n## Default\n\n{section}"))
    text, lead = composed.text, composed.blocks[2]
    window = window_around(text, composed.blocks, Unit(lead.start, lead.end, lead))
    assert text[window.start : window.end].startswith("These limits hold")
    assert text[window.start : window.end].endswith(end)


def test_the_name_of_a_picture_is_no_answer_but_a_sentence_below_it_is() -> None:
    page = "Press the button.\n\n![The open window at night](a.png)\n\n"
    page += "![It opens to the left.](b.png)\n\n![Bergen has rain on 240 days](c.png)\n"
    composed = compose(blocks_of_markdown(page))
    text = composed.text
    units = units_within(text, composed.blocks, 0, len(text))
    leads = [text[unit.start : unit.end] for unit in units]
    assert "The open window at night" in text
    assert leads[:2] == ["Press the button.", "It opens to the left."]
    assert leads[2:] == ["Bergen has rain on 240 days"]


def test_of_code_that_is_too_long_the_lines_around_the_one_that_answers_are_shown() -> None:
    lines = [
        f"      --option-{n} value     set the number of mills that grind corn of kind {n}"
        for n in range(40)
    ]
    text = "\n".join(["Usage: mill [flags]", *lines])
    block = Block(BlockKind.CODE, 0, len(text))
    units = units_within(text, [block], text.index("--option-20"), len(text))
    assert text[units[0].start : units[0].end] == lines[20].strip()
    window = window_around(text, [block], units[0])
    quoted = text[window.start : window.end]
    assert quoted.startswith(lines[20])  # with its indentation
    assert quoted.split("\n") == lines[20 : 20 + len(quoted.split("\n"))]
    assert 100 < len(quoted.split()) <= 120


@pytest.mark.parametrize(("words", "whole"), [(120, True), (121, False)])
def test_an_item_that_is_too_long_to_be_shown_whole_answers_by_its_sentences(
    words: int, whole: bool
) -> None:
    text = "Win together: we share. " + "Mills " + "grind " * (words - 6) + "corn."
    units = units_within(text, [Block(BlockKind.LIST_ITEM, 0, len(text))], 0, len(text))
    assert len(units) == (1 if whole else 2)


@pytest.mark.parametrize(("mark", "together"), [("(iiiiii)", True), ("(iiiiiii)", False)])
def test_blocks_stand_beside_each_other_where_a_mark_of_eight_characters_parts_them(
    mark: str, together: bool
) -> None:
    text = f"Mills grind.\n{mark} Wheat grows."
    blocks = [
        Block(BlockKind.LIST_ITEM, 0, 12),
        Block(BlockKind.LIST_ITEM, text.index("Wheat"), len(text)),
    ]
    window = window_around(text, blocks, Unit(0, 12, blocks[0]))
    assert (len(window.blocks) == 2) == together


def placed(*parts: tuple[BlockKind, str]) -> tuple[str, list[Block]]:
    """A text of blocks, one under the other."""
    blocks, at = [], 0
    for kind, part in parts:
        blocks.append(Block(kind, at, at + len(part)))
        at += len(part) + 1
    return "\n".join(part for _, part in parts), blocks


@pytest.mark.parametrize(("room", "begun"), [(30, True), (29, False)])
def test_what_is_led_in_to_is_begun_where_thirty_words_of_room_are_left_or_the_lead_in_goes(
    room: int, begun: bool
) -> None:
    lead = "Wheat " + "grows " * (117 - room) + "well."
    code = "\n".join(f"mill --kind {number}" for number in range(40))
    text, blocks = placed(
        (BlockKind.PARAGRAPH, lead), (BlockKind.PARAGRAPH, "Then:"), (BlockKind.CODE, code)
    )
    window = window_around(text, blocks, Unit(0, len(lead), blocks[0]))
    quoted = text[window.start : window.end]
    assert quoted == (f"{lead}\nThen:\n" + "\n".join(code.split("\n")[:10]) if begun else lead)


@pytest.mark.parametrize(("length", "together"), [(1300, True), (1320, False)])
def test_what_has_no_spaces_counts_by_its_length(length: int, together: bool) -> None:
    lead = "Mills " + "grind " * 10 + "corn."  # with 108 words of twelve characters 120
    text, blocks = placed((BlockKind.PARAGRAPH, lead), (BlockKind.CODE, "x" * length))
    window = window_around(text, blocks, Unit(0, len(lead), blocks[0]))
    assert (len(window.blocks) == 2) == together


@each(
    ("file", "called"),
    [
        ("founder-year-1/index.md", {"founder", "year", "1"}),
        ("mill_rules/README.md", {"mill", "rule"}),
        ("readme.md", {"readm"}),
        ("mill/wheel.md", {"wheel"}),
    ],
)
def test_a_text_is_called_as_its_file_or_the_folder_of_a_common_one(
    file: str, called: set[str]
) -> None:
    assert title_stems(TextInfo("t", "d", "", file)) == called


def test_a_passage_counts_what_its_items_need_once() -> None:
    lead_in = "You " + "really " * 58 + "need:"
    # with its bullet ten words
    items = [(BlockKind.LIST_ITEM, " ".join([f"item{n}", *["word"] * 8])) for n in range(9)]
    text, blocks = placed((BlockKind.PARAGRAPH, lead_in), *items)
    span = (0, len(lead_in))
    blocks = [blocks[0], *(block._replace(context=(span,)) for block in blocks[1:])]
    window = window_around(text, blocks, Unit(blocks[3].start, blocks[3].end, blocks[3]))
    assert len(window.blocks) == 6 + (window.start == 0)


@pytest.mark.parametrize(
    ("size", "shown", "late"), [(28, [0, 1, 2, 3], False), (50, [2, 3, 4], True)]
)
def test_a_list_is_shown_before_what_follows_it_and_says_where_it_begins_late(
    size: int, shown: list[int], late: bool
) -> None:
    text, blocks = placed(
        *((BlockKind.LIST_ITEM, f"step{n}{' grind' * (size - 2)}") for n in range(4)),
        (BlockKind.PARAGRAPH, f"Done{' well' * 18}."),
    )
    window = window_around(text, blocks, Unit(blocks[2].start, blocks[2].end, blocks[2]))
    assert [blocks.index(block) for block in window.blocks] == shown
    assert begins_late(text, blocks, window) == late


@each(
    ("level", "goes_on"), [(1, True), (0, False)]
)  # of the paragraph: within the item, or behind the list
def test_a_paragraph_within_an_item_does_not_end_the_list(level: int, goes_on: bool) -> None:
    text, blocks = placed(
        (BlockKind.LIST_ITEM, f"Fill in{' the form' * 40}"),
        (BlockKind.PARAGRAPH, f"It{' really' * 60} is short."),
        (BlockKind.LIST_ITEM, f"Send{' it' * 60}"),
    )
    blocks[:] = [block._replace(level=n) for block, n in zip(blocks, (1, level, 1), strict=True)]
    last, first = (window_around(text, blocks, Unit(b.start, b.end, b)) for b in blocks[::-2])
    assert begins_late(text, blocks, last) == is_cut(text, blocks, first) == goes_on


def test_rows_of_a_table_that_are_not_shown_are_told() -> None:
    text, blocks = placed(
        (BlockKind.TABLE_ROW, "Spaces | Needed"),
        *((BlockKind.TABLE_ROW, f"{n} | {'one ' * 45}") for n in range(4)),
        (BlockKind.TABLE_ROW, "Doors | Width"),
        (BlockKind.TABLE_ROW, "2 | 90"),
    )
    for header, rows in ((0, range(1, 5)), (5, range(6, 7))):
        head = blocks[header] = blocks[header]._replace(header=True)
        for row in rows:
            blocks[row] = blocks[row]._replace(context=((head.start, head.end),))
    signs = []
    for row in (1, 2, 4, 6):
        window = window_around(text, blocks, Unit(blocks[row].start, blocks[row].end, blocks[row]))
        signs.append((begins_late(text, blocks, window), is_cut(text, blocks, window)))
    assert signs == [(False, True), (True, True), (True, False), (False, False)]


def test_a_passage_that_opens_within_an_inner_list_names_the_item_above() -> None:
    inner = [f"It has a {word} {'and a wheel ' * 9}" for word in ("sail", "vane")]
    text, blocks = placed(
        (BlockKind.LIST_ITEM, f"Windmills{' grind' * 80}"),
        *((BlockKind.LIST_ITEM, item) for item in inner),
        (BlockKind.LIST_ITEM, "Watermills stand by a brook"),
    )
    parent = (blocks[0].start, blocks[0].end)
    blocks[1:3] = [block._replace(context=(parent,)) for block in blocks[1:3]]
    window = window_around(text, blocks, Unit(blocks[3].start, blocks[3].end, blocks[3]))
    assert window.blocks == (blocks[2], blocks[3])
    assert window.context == (parent,)


@pytest.mark.parametrize(
    ("following", "grown"),
    [
        ("Turning it off loses evidence.", True),
        (f"It{' really' * 30} is so.", True),  # 40 words with the first sentence
        (f"It{' really' * 31} is so.", False),
        ("This is why:", False),
    ],
)
def test_a_lead_goes_on_with_what_follows_while_there_is_room(following: str, grown: bool) -> None:
    text = f"Leave the computer on after suspicious activity. {following}"
    blocks = blocks_of_text(text)
    (first, *_) = units_within(text, blocks, 0, len(text))
    assert grown_lead(text, blocks, first, len(text)) == (len(text) if grown else first.end)
    assert (
        grown_lead(text, blocks, first, len(text) - 1) == first.end
    )  # no further than the passage


@pytest.mark.parametrize(("count", "cut"), [(40, False), (41, True)])
def test_a_lead_has_forty_words(count: int, cut: bool) -> None:
    text = "Mills " + "grind " * (count - 2) + "corn."
    unit = Unit(0, len(text), Block(BlockKind.PARAGRAPH, 0, len(text)))
    assert (lead_text(text, unit)[1] < len(text)) == cut


# --- forms ----------------------------------------------------------------------------------------


def items(count: int, words: int = 1) -> str:
    return "Mills:\n\n" + "\n".join(
        f"- mill {'grinding ' * (words - 2)}{LETTERS[n % 26] * (n // 26 + 2)}" for n in range(count)
    )


def test_a_list_is_shown_with_forty_items_beside_its_passage() -> None:
    text = items(100, words=40)
    collection = Found([text])
    blocks = [
        block
        for block in collection.blocks(collection.texts()[0].snapshot_id)
        if block.kind == BlockKind.LIST_ITEM
    ]
    assert len(blocks) == 100
    part = part_of("Which mills are there?")
    draft = listing(part, rank_chunks(part, collection), collection)
    assert len(draft.items) == 40
    listed = {item.block.start for item in draft.items}
    shown_leads = (*draft.passages, *draft.further)
    assert not listed & {passage.lead.start for passage in shown_leads}


@pytest.mark.parametrize(("count", "listed"), [(3, True), (2, False)])
def test_three_items_make_a_list(count: int, listed: bool) -> None:
    collection = Found([items(count, words=70)])
    part = part_of("Which mills are there?")
    draft = listing(part, rank_chunks(part, collection), collection)
    assert bool(draft.items) == listed


@pytest.mark.parametrize(("words", "whole"), [(49, True), (51, False)])
def test_a_section_of_250_words_is_shown_whole(words: int, whole: bool) -> None:
    paragraphs = [f"{'Mill ' * (words - 1)}{letter * 3}." for letter in LETTERS[:5]]
    text = "\n\n".join(paragraphs)
    collection = Found([text])
    part = part_of("How do I mill?")
    draft = instructions(part, rank_chunks(part, collection), collection)
    assert (len(shown(draft.passages, collection)[0].split()) == 5 * words) == whole


def test_the_numbered_steps_of_a_document_named_like_the_thing_need_not_name_it() -> None:
    texts = {
        "Croutons": "Croutons are good.\n\n# Ingredients\n\n- Bread\n- Oil\n\n# Directions\n\n1. "
        "Heat it.\n2. Cut it.",
        "Salad": "# Directions\n\n1. Wash the leaves.\n2. Add croutons.",
    }
    collection = Marked(texts)
    part = part_of("How do I make croutons?")
    draft = instructions(part, rank_chunks(part, collection), collection)
    assert steps_of(draft, collection) == ["Heat it.", "Cut it."]
    elsewhere = part_of("How do I make salad with croutons?")
    draft = instructions(elsewhere, rank_chunks(elsewhere, collection), collection)
    assert steps_of(draft, collection) == ["Wash the leaves.", "Add croutons."]


def test_of_a_document_with_several_lists_of_steps_the_best_passage_stays() -> None:
    handbook = (
        "# Cancel a demo\n\n1. Remove the event.\n2. Tell the team.\n\n# Become a trainer\n\n"
        "To become a trainer apply to the panel.\n\n# Leave\n\n1. Write to us.\n2. Hand over."
    )
    collection = Marked({"Trainer handbook": handbook})
    part = part_of("How do I become a trainer?")
    draft = instructions(part, rank_chunks(part, collection), collection)
    assert "apply to the panel" in shown(draft.passages, collection)[0]


def test_a_card_of_minutes_does_not_show_those_present() -> None:
    names = ("Ada Okafor", "Ben Stone", "Mia Rue")
    talk = "The {} of the mill was mended by the smith on a quiet day."
    minutes = {
        f"Minutes {word}": "# Present\n\n"
        + "\n".join(f"- {name}" for name in (*names, f"{word} Guest"))
        + f"\n\n# Talk\n\n{talk.format(word)}"
        for word in (f"{letter * 4}wheel" for letter in LETTERS[:13])
    }
    collection = Marked(minutes)
    draft = cards(collection.texts(), collection)
    assert draft.cards
    for card in draft.cards:
        text = collection.text(card.snapshot_id)
        shown_texts = [text[p.window.start : p.window.end] for p in card.passages]
        assert shown_texts == [talk.format(collection.info(card.snapshot_id).title.split()[1])]


def test_items_without_numbers_are_no_steps_and_stand_in_the_passage() -> None:
    collection = Marked({"Croutons": "Croutons need:\n\n- stale bread\n- olive oil"})
    part = part_of("How do I make croutons?")
    draft = instructions(part, rank_chunks(part, collection), collection)
    assert not draft.steps and "olive oil" in shown(draft.passages, collection)[0]


@each(
    ("before", "numbered"),
    [
        ("1. ", True),
        ("2) ", True),
        (" " * 20 + "1. ", True),
        ("• ", False),
        ("In 1. ", False),
        ("100. ", False),
    ],
)
def test_a_step_has_nothing_but_its_number_before_it(before: str, numbered: bool) -> None:
    text = f"Heat oil.\n{before}Cut bread."
    for whole in (text, text[len("Heat oil.\n") :]):
        assert (
            _is_step(whole, Block(BlockKind.LIST_ITEM, whole.index("Cut"), len(whole))) == numbered
        )


def test_a_comparison_shows_a_passage_on_both_and_one_on_each() -> None:
    both = [f"Steel and bronze {verb} {verb}er." for verb in ("melt", "bend", "rust", "ring")]
    steel = [f"Steel {verb} {verb}er." for verb in ("shine", "break")]
    bronze = [f"Bronze {verb} {verb}er." for verb in ("tint", "chime")]
    collection = Found(
        [*both, *steel, *bronze], {"steel": [(4, 0.9), (5, 0.8)], "bronze": [(6, 0.9), (7, 0.8)]}
    )
    collection.reader = Scored()
    part = part_of("What is the difference between steel and bronze?")
    draft = comparison(part, rank_chunks(part, collection), collection)
    assert shown(draft.passages, collection) == [both[0], steel[0], bronze[0]]


def test_one_on_each_comes_before_one_on_both_that_a_model_doubts() -> None:
    class Doubting(Scored):
        def read(
            self, question: str, candidates: Sequence[Candidate], *, units: bool = False
        ) -> list[Reading]:
            odds = 1.0 if question.startswith("What is steel") else -1.0
            readings = super().read(question, candidates, units=units)
            return [replace(reading, log_odds=odds) for reading in readings]

    both, steel, bronze = "Steel and bronze melt.", "Steel shines.", "Bronze tints."
    collection = Found([both, steel, bronze], {"steel": [(1, 0.9)], "bronze": [(2, 0.9)]})
    collection.reader = Doubting()
    part = part_of("What is the difference between steel and bronze?")
    draft = comparison(part, rank_chunks(part, collection), collection)
    assert shown(draft.passages, collection) == [steel, both, bronze]


def test_a_comparison_takes_the_next_passage_for_one_that_is_shown_already() -> None:
    both = [f"Steel and bronze {verb} {verb}er." for verb in ("melt", "bend", "rust", "ring")]
    collection = Found(
        [*both, "Steel shines.", "Bronze tints."],
        {"steel": [(0, 0.9), (4, 0.8)], "bronze": [(0, 0.9)]},
    )
    collection.reader = Scored()
    part = part_of("What is the difference between steel and bronze?")
    draft = comparison(part, rank_chunks(part, collection), collection)
    assert shown(draft.passages, collection) == [both[0], "Steel shines.", both[1]]


@each(
    ("question", "queries"),
    [
        ("Compare a standard and a compressed schedule",
         ["standard schedule", "compressed schedule"]),
        ("What is the difference between a work group and a board meeting?",
         ["work group", "board meeting"]),
        ("Oak or pine panels in winter?", ["oak panels winter", "pine panels winter"]),
    ],
)  # fmt: skip
def test_each_thing_is_searched_without_the_words_of_the_others(
    question: str, queries: list[str]
) -> None:
    asked = _parts(part_of(question), Found(["Steel rusts."]))
    assert [part.query for part, named in asked if named is None] == queries
    assert [part.question for part, _ in asked] == [f"What is {query}?" for query in queries]


def test_texts_that_things_name_are_asked_what_the_question_asks_besides() -> None:
    collection = Marked({"Report of Aville": "Tram.", "Report of Orvel": "Bus.", "Log": "Rain."})
    keys = {info.title: info.snapshot_id for info in collection.texts()}
    question = "Compare the views of Aville and Orvel on what a tram should cost"
    (aville, of_aville), (orvel, of_orvel) = _parts(part_of(question), collection)
    assert aville.question == "Compare the views of Aville and on what a tram should cost"
    assert of_aville == {keys["Report of Aville"]} and of_orvel == {keys["Report of Orvel"]}
    assert "aville" not in orvel.topic.terms and "views" in orvel.topic.terms
    (bare, of_all), _ = _parts(part_of("Compare Aville and Orvel"), collection)
    assert bare.question == "What is aville?" and of_all is None


def test_four_things_are_compared_and_not_five() -> None:
    things = ["steel", "bronze", "copper", "tin", "zinc"]
    for count in (4, 5):
        question = (
            f"What is the difference between {', '.join(things[: count - 1])} and "
            f"{things[count - 1]}?"
        )
        assert compared_things(question) == (tuple(things[:4]) if count == 4 else ())


# --- sections -------------------------------------------------------------------------------------


def passage(source: str, words: int, score: float, number: int = 0) -> AnswerPassage:
    text = f"{source} {number} " + "word " * (words - 2)
    lead = Lead(text)
    return AnswerPassage(
        lead, "paragraph", (f"E{source}{number}",), text.strip(), source_id=source, score=score
    )


def state_of(further: Sequence[AnswerPassage], depth: int = 1, best: float = 0.5) -> ResearchState:
    first = (passage("S0", 10, best),)
    answer = Answer(AnswerStatus.ANSWERED, Intent.FACT, (), passages=first, searched=Searched(1, 1))
    return replace(
        ResearchState("?", config=RunConfig(depth=depth)), answer=answer, passages=tuple(further)
    )


def test_a_section_has_three_passages_of_one_text() -> None:
    (section,) = sections_of(state_of([passage("S1", 10, 0.5, n) for n in range(5)]))
    assert len(section.passages) == 3


@pytest.mark.parametrize(("depth", "sections"), [(1, 5), (2, 5), (3, 8)])
def test_a_report_has_so_many_sections(depth: int, sections: int) -> None:
    further = [passage(f"S{source}", 10, 0.5, n) for source in range(1, 13) for n in (0, 1)]
    assert len(sections_of(state_of(further, depth))) == sections


@pytest.mark.parametrize(("depth", "words"), [(1, 400), (2, 700), (3, 1500)])
def test_the_body_of_a_report_has_so_many_words(depth: int, words: int) -> None:
    fits, too_long = passage("S1", words - 10, 0.5), passage("S1", words - 9, 0.5)
    assert sections_of(state_of([fits], depth))
    assert not sections_of(state_of([too_long], depth))


@pytest.mark.parametrize(
    ("score", "doubtful", "worth"),
    [(0.91, False, True), (0.89, False, False), (1.0, True, False)],
)
def test_a_passage_nearly_as_good_as_the_best_is_worth_showing_where_it_is_not_doubtful(
    score: float, doubtful: bool, worth: bool
) -> None:
    further = replace(passage("S1", 10, score), is_doubtful=doubtful)
    assert bool(sections_of(state_of([further], best=1.0))) == worth


# --- absence and wording --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [
        (
            "Why is the Old Grey Mill Of Bosk so slow?",
            False,
        ),  # five of ten words: a name in a question
        (
            "Why is the Old Grey Mill Of Bosk So slow?",
            True,
        ),  # six of ten: the question is written as a title
        ("Why is the grey mill of the iBosk slow?", False),
    ],
)
def test_capitals_name_something_in_at_most_half_of_the_words(
    question: str, is_answered: bool
) -> None:
    collection = Found(["The old grey mill is slow and nobody mends it now."])
    assert rank_part(part_of(question), collection).presence.may_answer == is_answered


def test_small_words_set_against_each_other_are_what_is_asked_about() -> None:
    texts = ["The harbour was closed.", "Drafters write must. An old statute has shall in it."]
    answer = rank_part(part_of("Should I use shall or must?"), Found(texts))
    assert answer.presence == Presence(True)
    assert answer.ranked[0].passage.text.startswith("Drafters write must.")


@pytest.mark.parametrize(("before", "is_answered"), [(11, True), (12, False)])
def test_twelve_passages_are_read_for_their_meaning(before: int, is_answered: bool) -> None:
    texts = [f"Taxes {chr(97 + n)} are due." for n in range(before)]
    collection = Found([*texts, "Bees fly in summer."])
    collection.reader = Scored()
    assert (
        rank_part(
            part_of("Why do bees swarm in warm summer nights?"), collection
        ).presence.may_answer
        == is_answered
    )


def test_a_passage_that_covers_little_may_answer_by_its_meaning() -> None:
    question = part_of("Why do bees swarm in warm summer nights?")
    assert rank_part(question, Found(["Bees fly in summer."])).presence.may_answer


@pytest.mark.parametrize(("name", "typed"), [("Zorbex", True), ("Zorbe", False)])
def test_a_name_of_six_letters_may_be_misspelled(name: str, typed: bool) -> None:
    collection = Found(
        [f"The mill of {name[:-1]}ix is old." if typed else f"The mill of {name[:-1]}i is old."]
    )
    part = part_of(f"How old is the mill of {name}?")
    assert (word_for(part, collection).missing == ()) == typed


@each(
    ("nearly", "typed"),
    [
        ("They garner votes.", False),
        ("Ask the mill of Garner.", True),
        ("Garner is old.", True),  # never without a capital
        ("Garner is old. Others garner votes.", False),
    ],
)
def test_a_name_is_a_misspelling_of_a_name_alone(nearly: str, typed: bool) -> None:
    wording = word_for(part_of("Where is the mill of Gartner?"), Found([nearly, "A mill."]))
    assert (wording.missing == ()) == typed
    assert wording.part.question == f"Where is the mill of {'garner' if typed else 'Gartner'}?"


@each(
    ("question", "definition"),
    [
        ("What is the difference between a mill and a forge?", "What is mill?"),
        ("Was ist der Unterschied zwischen einer Mühle und einer Schmiede?", "Was ist muhle?"),
        ("Quelle est la différence entre un moulin et une forge ?", "Qu'est-ce que moulin ?"),
        ("¿Cuál es la diferencia entre un molino y una forja?", "¿Qué es molino?"),
        ("Qual è la differenza tra un mulino e una fucina?", "Che cos'è mulino?"),
        ("Qual é a diferença entre um moinho e uma forja?", "O que é moinho?"),
        ("Wat is het verschil tussen een molen en een smederij?", "Wat is molen?"),
    ],
)
def test_what_each_thing_is_is_asked_in_the_language_of_the_comparison(
    question: str, definition: str
) -> None:
    (subpart, _), _ = _parts(part_of(question), Found(["A mill.", "A forge."]))
    assert subpart.question == definition
    assert (subpart.intent, intent_of(definition)) == (Intent.DEFINITION, Intent.DEFINITION)


def test_an_elided_name_is_a_name() -> None:
    for question in ("Qui a découvert l'Australie ?", "Qui a découvert d’Australie ?"):
        assert is_named("australie", question)


@pytest.mark.parametrize(("before", "typed"), [(19, True), (20, False)])
def test_twenty_passages_show_how_a_word_is_written(before: int, typed: bool) -> None:
    texts = [f"They garner {letter}." for letter in LETTERS[:before]]
    wording = word_for(
        part_of("Where is the mill of Gartner?"), Found([*texts, "The mill of Garner."])
    )
    assert (wording.missing == ()) == typed


@pytest.mark.parametrize(
    ("word", "nearly", "typed"), [("airplane", "airline", False), ("aerplane", "airplane", True)]
)
def test_a_word_in_no_list_of_words_may_be_a_misspelling(
    word: str, nearly: str, typed: bool
) -> None:
    wording = word_for(part_of(f"How old is the {word}?"), Found([f"The {nearly} is old."]))
    assert wording.missing == (() if typed else (word,))


@each(
    ("question", "added"),
    [
        ("How do I back up the mill?", " backup"),
        ("How do I back the mill up?", ""),  # other words stand between
        ("How do I back up a backup?", ""),
        ("How do I shut down the mill?", ""),  # no text writes it so
        ("What do I put up over the mill?", ""),
        ("Wer kam back up zur Mühle?", ""),
    ],
)
def test_a_verb_of_two_words_is_looked_for_in_one_too(question: str, added: str) -> None:
    part = word_for(part_of(question), Found(["A backup of the mill is made."])).part
    assert part.question == question + added
    assert part.query == question + added


def test_words_that_only_begin_alike_are_akin_in_another_language_alone() -> None:
    texts = Found(["The permissions were old, and they are of the king."])
    assert word_for(part_of("How old are the permisos?"), texts).missing == ("permisos",)
    in_english = word_in_english(part_of("¿Cuándo fueron los permisos?"), texts)
    assert in_english is not None and in_english.part.topic.terms == ("permissions",)


def test_two_words_of_like_meaning_are_searched_for_where_they_are_alike_by_three_fifths() -> None:
    for term in ("doctor", "car", "house", "road", "child", "illness", "bridge", "mill", "price"):
        near = [word for word, likeness in list(related(term).items())[:2] if likeness >= 0.6]
        wording = word_for(part_of(f"Where is the {term}?"), Found([f"The {term} is old."]))
        assert wording.related.split() == ([term, *near] if near else []), term


def test_the_language_of_the_texts_is_that_of_half_of_the_five_nearest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = {
        "en": "The bridge of the city was built in the year of the fire, and it is the longest of "
        "all.",
        "de": "Die Brücke der Stadt wurde in dem Jahr nach dem Feuer gebaut, und sie ist nicht "
        "breit.",
    }
    nearest = [SimpleNamespace(text=texts[code]) for code in ("en", "en", "de", "de", "de", "en")]
    collection = documents_of(texts)
    monkeypatch.setattr(FakeCollection, "search", lambda self, query, limit, *_: nearest[:limit])
    (part,) = parts_of("Wann wurde die Brücke der Stadt gebaut?")
    assert word_in_english(part, collection) is None
    nearest[2] = nearest[0]
    assert word_in_english(part, collection) is not None


@each(("heading", "shown"), [("References", False), ("Licence", False), ("Mills", True)])
def test_references_and_front_matter_say_nothing_of_a_text(heading: str, shown: bool) -> None:
    mill, other = "The mill of the valley grinds by hand.", "Another mill of the hill turns slowly."
    collection = Marked({"Mills": f"# Old\n\n{mill}\n\n# {heading}\n\n{other}"})
    of_text = pieces(collection.texts()[0], collection)
    assert any(other in piece.text for piece in of_text) == shown


@each(
    ("question", "lead"),
    [
        ("Is the mill old?", "Yes, it is so."),
        ("May the mill be sold?", "Yes, it is so."),
        ("How old is the mill?", "The mill is old."),
    ],
)
def test_yes_or_no_leads_where_it_is_asked_for(question: str, lead: str) -> None:
    text = "The mill is old. Yes, it is so."
    collection = Found([text])
    collection.reader = Scored(units={"The mill is old.": 0.9, "Yes, it is so.": 0.1})
    (passage,) = select(
        part_of(question), rank_part(part_of(question), collection).ranked, collection
    )
    assert text[passage.lead.start : passage.lead.end] == lead


@each(("question", "count"), [("Is the mill old?", 4), ("How old is the mill?", 3)])
def test_four_passages_bear_on_a_claim_and_three_answer_a_fact(question: str, count: int) -> None:
    collection = Found([f"The mill of {letter * 9} is old." for letter in LETTERS[:6]])
    part = part_of(question)
    draft = FORMS[part.intent](part, rank_chunks(part, collection), collection)
    assert len(draft.passages) == count


@each(("title", "listed"), [("Mills that grind rye", True), ("Things that we saw", False)])
def test_a_list_answers_where_what_stands_above_says_as_much_as_its_item(
    title: str, listed: bool
) -> None:
    def words_of(town: str, count: int) -> str:
        return " ".join(f"{town}{letter * 4}" for letter in LETTERS[:count])

    items = "\n".join(f"- {' '.join([words_of(town, 20)] * 3)}" for town in "abc")
    text = f"We found:\n\n- Rye which {words_of('e', 20)} grind\n{items}"
    world = World({title: ("local", text)})
    collection = FakeCollection(world, ResearchState("?"))
    part = part_of("Which mills grind rye?")
    draft = listing(part, rank_chunks(part, collection), collection)
    assert bool(draft.items) == listed
