"""What a question is searched as: forms of verbs, spellings, words that ask and are no topic."""

import pytest
from plain_deps import documents_of

from tests.tables import each
from tools.reading.answer_type import AnswerType, expected_answer
from tools.reading.thesaurus import related
from tools.text.inflection import past_forms
from tools.text.tokens import stem
from workflows.research.answer.wording import word_for
from workflows.research.understand.parts import parts_of
from workflows.research.understand.topic import topic_of


@each(
    ("verb", "forms"),
    [("leave", ("left",)), ("write", ("wrote", "written")), ("left", ()), ("walk", ())],
)
def test_irregular_verbs_have_past_forms(verb: str, forms: tuple[str, ...]) -> None:
    assert past_forms(verb) == forms
    assert all(related(verb)[stem(form)] == 1.0 for form in forms)


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
    collection = documents_of({"Log": text})
    collection.spelled_like = lambda *_: ["charged", "charger", "charges"]  # type: ignore[method-assign,assign]
    (part,) = parts_of("What does it charget?")
    assert word_for(part, collection).part.query.split()[-2:] == ["charged", "charger"]


def test_of_several_forms_of_a_spelling_one_is_searched_for() -> None:
    text = "It happened. It happens often. It may happen again. So be it."
    collection = documents_of({"Log": text})
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
    wording = word_for(part, documents_of({"Text": text}))
    assert corrected in wording.corrected and bool(wording.corrected) == bool(corrected)
    assert wording.part.question != question


@each(
    ("question", "text", "put_right", "intent"),
    [
        ("Hwo do I wind the clock?", "Wind the clock.", "How do I wind the clock?", "how_to"),
        ("Hwat is the clock?", "The clock is old.", "What is the clock?", "fact"),
        ("Mhat of the clock?", "The clock is old.", "", "fact"),  # another first letter
        ("Wher is the clock?", "The clock is old.", "Where is the clock?", "fact"),
        ("How woud a clock run?", "A clock runs.", "How would a clock run?", "how_to"),
        ("A clock, how shoud?", "A clock runs.", "A clock, how should?", "fact"),
        ("Whyt is a clock old?", "A clock is old.", "Why is a clock old?", "why"),  # not "what"
        ("Wht of the clock?", "The clock is old.", "", "fact"),  # three letters
        ("Hat of the clock?", "The clock is old.", "", "fact"),  # a word of English
        ("Whey in milk?", "Milk has whey.", "", "fact"),  # a word of the texts
        ("HWO of the clock?", "The clock is old.", "", "fact"),  # a name
        ("A clock of wich?", "The clock is old.", "", "fact"),  # not where it would ask
        ("How does mould grow?", "Mold grows.", "How does mold grow?", "why"),
        ("Wo ist die Shoud und die Uhr?", "The clock is old.", "", "fact"),  # German
    ],
)
def test_a_misspelled_word_that_asks_is_put_right(
    question: str, text: str, put_right: str, intent: str
) -> None:
    (part,) = parts_of(question)
    wording = word_for(part, documents_of({"Text": text}))
    assert wording.corrected == put_right
    assert wording.part.intent == intent
    assert not put_right or not wording.missing


@each(
    ("form", "word"),
    [
        ("folders", "folder"),
        ("directories", "directory"),
        ("issued", "issue"),
    ],
)
def test_forms_of_a_word_have_its_like_words(form: str, word: str) -> None:
    assert related(form) == related(word) != {}
    assert not related("gui") and not related("units")  # no forms of "guy" and "unite"
