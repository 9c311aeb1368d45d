"""Answers that stand where they are easily lost: in a heading, behind a passage that is shown, in
another form of a verb; and what a question is searched as."""

from collections.abc import Sequence

import pytest
from test_answer import answered, collection_of, leads

from tests.tables import each
from tools.documents.model import Passage
from tools.documents.parsers.blocks import compose
from tools.documents.parsers.text.markdown import blocks_of_markdown
from tools.reading.answer_type import AnswerType, expected_answer
from tools.reading.reader import Reading
from tools.reading.thesaurus import related
from tools.text.inflection import past_forms, past_forms_asked
from tools.text.tokens import stem
from workflows.research.answer.selection import Ranked, Selected, make_passage, select
from workflows.research.answer.windows import Unit, headings_within, window_around, without
from workflows.research.answer.wording import word_for
from workflows.research.understand.parts import parts_of
from workflows.research.understand.topic import topic_of

MEETING = (
    "# Meeting 146\n\n### Moderator: Ada Berg\n\n### Notes: Ole Dahl\n\n## Mills\n\nCorn is ground."
)


def chunk(text: str, start: int, end: int, snapshot_id: str, score: float) -> Ranked:
    return Ranked(Passage(snapshot_id, start, end, text[start:end], score), Reading(score))


def shown(passages: Sequence[Selected], text: str) -> list[str]:
    return [text[p.window.start : p.window.end] for p in passages]


def test_a_chunk_of_headings_alone_is_shown_with_what_stands_below() -> None:
    composed = compose(blocks_of_markdown(MEETING))
    text, end = composed.text, composed.text.index("Mills")
    collection = collection_of({"Minutes": text})
    collection.blocks = lambda _: composed.blocks  # type: ignore[method-assign]
    (info,) = collection.texts()
    (part,) = parts_of("Who moderated meeting 146?")
    passage = make_passage(part, chunk(text, 0, end, info.snapshot_id, 0.9), collection)
    assert passage is not None
    assert "Moderator: Ada Berg" in text[passage.window.start : passage.window.end]
    titles = [text[unit.start : unit.end] for unit in headings_within(composed.blocks, 0, end)]
    assert titles == ["Meeting 146", "Moderator: Ada Berg", "Notes: Ole Dahl"]


def test_a_passage_shows_what_a_better_one_beside_it_does_not() -> None:
    sentences = [f"{name} {'and so on with many words ' * 8}ends.".strip() for name in "ABCD"]
    collection = collection_of({"Guide": "\n\n".join(sentences)})
    (info,) = collection.texts()
    text, blocks = collection.text(info.snapshot_id), collection.blocks(info.snapshot_id)
    (part,) = parts_of("What ends with many words?")
    middle, first = blocks[1], blocks[0]
    ranked = [
        chunk(text, middle.start, middle.end, info.snapshot_id, 0.9),
        chunk(text, first.start, first.end, info.snapshot_id, 0.5),
    ]
    passages = select(part, ranked, collection)
    texts = shown(passages, text)
    assert len(texts) == 2 and texts[1].startswith("A ") and texts[0].startswith("B ")
    assert not any(name in texts[1] for name in ("B and", "C and"))


def test_a_passage_whose_lead_is_shown_is_not_shown_again() -> None:
    composed = compose(blocks_of_markdown("One is here.\n\nTwo is there.\n\nThree is gone."))
    text, blocks = composed.text, composed.blocks
    units = [Unit(block.start, block.end, block) for block in blocks]
    whole = window_around(text, blocks, units[0])
    assert without(text, whole, units[1], whole) is None
    last = window_around(text, blocks[2:], units[2])
    rest = without(text, whole, units[0], last)
    assert rest is not None and text[rest.start : rest.end] == "One is here.\n\nTwo is there."


@each(
    ("verb", "forms"),
    [("leave", ("left",)), ("write", ("wrote", "written")), ("left", ()), ("walk", ())],
)
def test_irregular_verbs_have_past_forms(verb: str, forms: tuple[str, ...]) -> None:
    assert past_forms(verb) == forms
    assert all(related(verb)[stem(form)] == 1.0 for form in forms)


@each(
    ("question", "forms"),
    [
        ("Why did she leave the woods?", ["left"]),
        ("Didn't she write it?", ["wrote", "written"]),
        ("How do I ask for paid leave?", []),
        ("How long are messages kept?", []),
    ],
)
def test_what_is_asked_with_did_is_told_in_the_past(question: str, forms: list[str]) -> None:
    assert past_forms_asked(question) == forms


def test_a_verb_is_found_in_another_form() -> None:
    texts = {
        "Woods": "She left the woods, for she had more lives to live.",
        "Garden": "The woods are kept. Pines grow there.",
        "Log": "The harbour was closed in winter. Ships waited for a week.",
    }
    answer, collection = answered("Why did she leave the woods?", texts)
    assert leads(answer, collection)[0].startswith("She left the woods")
    (part,) = parts_of("Why did she leave the woods?")
    assert word_for(part, collection).part.query.endswith(" left")


@each(
    ("question", "terms"),
    [
        ("How long are messages kept?", "messages kept"),
        ("How quickly must a page be answered?", "page answered"),
        ("How soon does it expire?", "expire"),
        ("Why is the long form used?", "long form"),
        ("How long grain rice is cooked", "long grain rice cooked"),
    ],
)
def test_how_long_asks_and_is_no_topic(question: str, terms: str) -> None:
    assert " ".join(topic_of(question).terms) == terms


def test_how_quickly_asks_for_a_time() -> None:
    assert expected_answer("How quickly must I answer?") == AnswerType.DURATION


def test_of_several_forms_of_a_spelling_the_nearest_is_searched_for() -> None:
    text = "It charged a charger of charges, and charged."
    collection = collection_of({"Log": text})
    collection.spelled_like = lambda *_: ["charged", "charger", "charges"]  # type: ignore[method-assign,assign]
    (part,) = parts_of("What does it charget?")
    assert word_for(part, collection).part.query.split()[-2:] == ["charged", "charger"]


def test_of_several_forms_of_a_spelling_one_is_searched_for() -> None:
    text = "It happened. It happens often. It may happen again. So be it."
    collection = collection_of({"Log": text})
    (part,) = parts_of("What happend here?")
    query = word_for(part, collection).part.query.split()
    assert len([word for word in query if word.startswith("happen")]) == 2  # as asked, and one


@pytest.mark.parametrize(
    ("question", "text", "corrected"),
    [
        ("Where is the korber?", "The corner is here. The kerber works.", "kerber"),
        ("Wo sind die Bibliotheken?", "Die Bibliothek ist am Fluss und in der Stadt.", ""),
        ("Wo ist die Dampfmaschine?", "Dampf treibt die Maschine und ist in der Stadt.", ""),
    ],
)
def test_who_asks_is_told_of_corrections_alone(question: str, text: str, corrected: str) -> None:
    (part,) = parts_of(question)
    wording = word_for(part, collection_of({"Text": text}))
    assert corrected in wording.corrected and bool(wording.corrected) == bool(corrected)
    assert wording.part.question != question
